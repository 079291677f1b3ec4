//! Readings of run files that are remembered are those that reading gives.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::*;
use crate::archive::{AttemptText, Measure, Record, Selection, read_remembering};
use crate::report::Findings;
use crate::world::Silent;
use crate::world::memory::Memory as Files;

#[derive(Default)]
struct Kept(Mutex<BTreeMap<Digest, Vec<u8>>>);

impl Store for Kept {
    fn get(&self, name: &Digest) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(name).cloned()
    }

    fn put(&self, name: &Digest, bytes: &[u8]) {
        self.0.lock().unwrap().insert(*name, bytes.to_vec());
    }
}

const STUDY: &str = "[study]\nid = 't'\ntitle = 'T'\nversion = '1'\ndate = '2026-01-01'\ndescription = 'd'\nlicence = 'MIT'\nauthors = [{ family = 'F' }]\n\
     [grading]\ntolerance = 0.05\n\
     [[set]]\nid = 's'\ntitle = 'S'\nkind = 'problems'\npath = 's.json'\n\
     [[configuration]]\nkey = 'm'\nname = 'M'\nbackbone = 'm'\nsetting = 'x'\n\
     [[experiment]]\nid = 'e'\nfolder = 'runs'\nset = 's'\nprotocol = 'code'\nruns = 1\n";

/// Everything that a run file may hold, with texts, odd numbers, faults and a repeated id.
const RUN: &str = r#"{"metrics": {"model": "n", "total": 5, "passed": 1, "accuracy": 0.5, "tolerance": 0.05,
    "provenance": "rebuilt from t.csv"}, "extra": 1, "results": [
    {"id": "a", "passed": true, "num_attempts": 2, "details": [
        {"sub": "1", "expected": ["1.5", "2"], "expected_units": ["m", "km"], "actual": 18446744073709551617,
         "actual_unit": null, "passed": true},
        {"sub": "2", "expected": ["x"], "actual": "text", "passed": false},
        {"sub": "3", "expected": ["0"], "actual": null, "passed": false}],
     "usage": {"prompt": 1, "completion": 2, "reasoning": 3, "total": 7},
     "attempts": [{"outcome": "ungradable", "response": "no\u0000ne", "reason": "Runtime error"},
                  {"outcome": "graded", "response": "12", "reasoning": "because"}]},
    {"id": "b", "passed": "maybe", "error": "socket"},
    {"id": "c", "passed": false, "failed_reason": "no answer"},
    {"id": "a", "passed": false},
    {"passed": true}]}"#;

fn study() -> Study {
    toml::from_str(STUDY).unwrap()
}

fn codec() -> Codec<u64> {
    Codec { write: |number, out| out.number(*number), read: |from| from.number() }
}

fn files(run: &str) -> Files {
    Files::default().with("runs/m.json", run.as_bytes())
}

fn length(_: &RunKey, _: &Record, texts: &[AttemptText<'_>]) -> u64 {
    texts.iter().map(|text| text.response.len() as u64).sum()
}

/// What reading gives, as text, and how many files were remembered.
fn reading(files: &Files, kept: &Kept, maker: &str, study: &Study) -> (String, u64) {
    let memory = Memory::new(kept, codec(), &Digest::of(maker.as_bytes()), study);
    let measure: Measure<'_, u64> = &length;
    let (archive, measured, findings): (_, _, Findings) =
        read_remembering(files, study, Selection::default(), &Silent, measure, Some(&memory)).unwrap();
    (format!("{:?} {:?} {measured:?} {findings:?}", archive.runs, archive.literals), memory.remembered())
}

#[test]
fn the_same_bytes_give_the_same_reading_and_others_are_read() {
    let (kept, study) = (Kept::default(), study());
    let (first, counts) = reading(&files(RUN), &kept, "one", &study);
    assert_eq!(counts, 0);
    assert!(first.contains("18446744073709551617") && first.contains("duplicate-id") && first.contains("bad-record"));
    let (again, counts) = reading(&files(RUN), &kept, "one", &study);
    assert_eq!((again == first, counts), (true, 1));
    // One byte more, one byte other, another program, another tolerance.
    let changed = RUN.replace("from t.csv", "from u.csv");
    let (other, counts) = reading(&files(&changed), &kept, "one", &study);
    assert!(other.contains("from u.csv") && counts == 0, "{counts}: {other}");
    assert_eq!(reading(&files(&format!("{changed} ")), &kept, "one", &study).1, 0);
    assert_eq!(reading(&files(&changed), &kept, "two", &study).1, 0);
    let mut tolerant = study.clone();
    tolerant.grading.tolerance = 0.1;
    assert_eq!(reading(&files(&changed), &kept, "one", &tolerant).1, 0);
    // One more expected run is no reason to read the first again.
    let mut more = study.clone();
    more.experiments[0].runs = 2;
    assert_eq!(reading(&files(&changed), &kept, "one", &more).1, 1);
}

#[test]
fn a_damaged_memory_is_read_again() {
    let (kept, study) = (Kept::default(), study());
    let (first, _) = reading(&files(RUN), &kept, "one", &study);
    let (name, bytes) = kept.0.lock().unwrap().first_key_value().map(|(name, bytes)| (*name, bytes.clone())).unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        kept.put(&name, &damaged);
        assert_eq!(reading(&files(RUN), &kept, "one", &study), (first.clone(), 0), "byte {at}");
        kept.put(&name, &bytes[..at]);
        assert_eq!(reading(&files(RUN), &kept, "one", &study).1, 0, "cut at {at}");
    }
}
