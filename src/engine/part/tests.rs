//! Parts of a work on an engine without processes.
#![allow(clippy::disallowed_methods, reason = "tests write parts and read what was written")]

use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::engine::cache::{Cache, Cached, Recorder};
use crate::engine::fake::{Fake, answers};
use crate::engine::{Engine, Limits, Outcome, Program, Status};
use crate::world::Silent;

fn header(part: usize, of: usize, engines: Vec<PartEngine>) -> PartHeader {
    PartHeader {
        tool: "repro 0".into(),
        study: "demo 1.0".into(),
        path: "demo".into(),
        include: Vec::new(),
        archive: "00".into(),
        part,
        of,
        units: 1,
        bytes: 1,
        once: true,
        engines,
    }
}

/// A part of three programs on an engine of this name, written to a folder.
fn part(
    folder: &std::path::Path,
    name: &str,
    number: usize,
    value: &str,
    change: impl FnOnce(&mut PartHeader),
) -> PathBuf {
    let late = Outcome { by_clock: true, ..Outcome::of(Status::Timeout) };
    let fake = Fake::new("fake")
        .with(&Program::new(format!("p{number}")), answers(&[("1", value, "m")]))
        .with(&Program::new("late"), late);
    let cache = Arc::new(Cache::passing().unwrap());
    let recorder = Arc::new(Recorder::new(fake.identity().clone(), Arc::clone(&cache)));
    let engine = Cached::new(Box::new(fake), cache).recorded_by(Arc::clone(&recorder));
    let programs = [format!("p{number}"), "late".to_owned(), "none".to_owned()].map(Program::new);
    engine.run(&programs, &Limits::default(), &Silent).unwrap();
    let mut header = header(number, 2, vec![PartEngine::of(recorder.identity())]);
    change(&mut header);
    let path = folder.join(name);
    std::fs::write(&path, write_part(&header, &[&recorder])).unwrap();
    path
}

#[test]
fn an_engine_of_parts_says_what_the_engines_said() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [2, 1].map(|number| part(folder.path(), &format!("{number}"), number, "2.5", |_| {}));
    let engines = Recorded::engines(Parts::gather(&paths).unwrap()).unwrap();
    let programs = ["p1", "p2", "late", "none", "p1"].map(Program::new);
    let outcomes = engines[0].run(&programs, &Limits::default(), &Silent).unwrap();
    let names: Vec<_> = outcomes.iter().map(|outcome| outcome.status.name()).collect();
    assert_eq!(names, ["ok", "ok", "timeout", "no-solve", "ok"]);
    assert!(outcomes[2].by_clock);
    assert_eq!((engines[0].tally().executed, engines[0].tally().repeated), (4, 1));
    let stranger = engines[0].run(&[Program::new("other")], &Limits::default(), &Silent);
    assert!(stranger.unwrap_err().to_string().contains("no outcome of the program sha256:"));
}

#[test]
fn what_is_lost_repeated_mixed_or_damaged_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, number, value: &str| part(folder.path(), name, number, value, |_| {});
    let (one, two, again) = (make("one", 1, "1"), make("two", 2, "1"), make("again", 1, "1"));
    let gather = |paths: &[&PathBuf]| Parts::gather(&paths.iter().map(|path| (*path).clone()).collect::<Vec<_>>());
    let message = |paths: &[&PathBuf]| gather(paths).unwrap_err().to_string();
    assert_eq!(message(&[&two]), "part 1 of 2 is not among those given");
    assert_eq!(gather(&[&one, &two, &again, &two]).unwrap().repeated, [(again.clone(), 1), (two.clone(), 2)]);
    let other = make("other", 1, "7");
    assert!(message(&[&one, &two, &other]).contains("part 1 is given twice"));
    let mixed = |change: fn(&mut PartHeader)| part(folder.path(), "mixed", 2, "1", change);
    for (change, what) in [
        ((|header| header.archive = "11".into()) as fn(&mut PartHeader), "the digest of the study is 00"),
        (|header| header.tool = "repro 1".into(), "the tool is repro 0"),
        (|header| header.of = 3, "the number of parts is 2"),
        (|header| header.engines[0].version = "fake 2".into(), "the engine is fake (fake 1"),
        (|header| header.engines[0].revision = "0".repeat(64), "the engine is fake (fake 1"),
        (|header| header.engines[0].layers = "limits".into(), "the engine is fake (fake 1"),
    ] {
        let message = message(&[&one, &mixed(change)]);
        assert!(message.contains("do not belong together") && message.contains(what), "{message}");
    }
    let bytes = std::fs::read(&two).unwrap();
    let torn = folder.path().join("torn");
    for at in [MAGIC.len() + 4, bytes.len() / 2, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        std::fs::write(&torn, flipped).unwrap();
        assert!(message(&[&one, &torn]).ends_with("is damaged: its bytes are not those that were written"));
        std::fs::write(&torn, &bytes[..at]).unwrap();
        assert!(message(&[&one, &torn]).contains("is damaged"));
    }
    std::fs::write(&torn, "something else").unwrap();
    assert!(message(&[&torn]).contains("is no part of a verification"));
    assert!(message(&[&folder.path().join("absent")]).contains("absent cannot be read"));
    assert_eq!(message(&[]), "there is no part to merge");
}
