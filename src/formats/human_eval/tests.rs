//! A made-up benchmark of two problems with two samples each, and every kind of damage.

use super::*;
use crate::archive::{Archive, Selection, State};
use crate::corpus::Corpus;
use crate::formats::Formats;
use crate::report::Findings;
use crate::world::Silent;
use crate::world::memory::Memory;

const PROBLEMS: &str = "{\"task_id\": \"Toy/0\", \"prompt\": \"def f(x):\\n\", \"entry_point\": \"f\", \
    \"canonical_solution\": \"    return x\\n\", \"test\": \"def check(c):\\n    assert c(1) == 1\\n\"}\n\
    {\"task_id\": \"Toy/1\", \"prompt\": \"def g(x):\\n\", \"entry_point\": \"g\", \
    \"canonical_solution\": \"    return -x\\n\", \"test\": \"def check(c):\\n    assert c(1) == -1\\n\"}\n";

fn line(id: &str, passed: bool, result: &str) -> String {
    format!(
        "{{\"task_id\": \"{id}\", \"completion\": \"    return x\\n\", \"result\": \"{result}\", \"passed\": {passed}}}\n"
    )
}

fn good() -> String {
    [("Toy/0", true, "passed"), ("Toy/1", false, "failed: "), ("Toy/0", true, "passed"), ("Toy/1", false, "timed out")]
        .map(|(id, passed, result)| line(id, passed, result))
        .concat()
}

fn folder(results: impl Into<Vec<u8>>) -> Memory {
    Memory::default().with("toy.jsonl", PROBLEMS).with("samples_m1.jsonl_results.jsonl", results)
}

fn load(source: &Memory) -> (crate::study::Study, Corpus, Archive, Findings) {
    let study = Formats::CORE.assumed(&Listing::new(source).unwrap()).unwrap().study;
    let read = Formats::CORE.read(source, &study, Selection::default(), &Silent, &|_, _, texts| texts.len()).unwrap();
    assert!(read.2.iter().flatten().all(|texts| *texts == 1));
    (study, read.0, read.1, read.3)
}

fn codes(findings: &Findings) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn samples_become_runs_and_marks_keep_their_words() {
    let source = folder(good()).with("samples_m1_passk_results.csv", ",pass@1,pass@2\n0,0.5,0.5\n");
    let (study, corpus, archive, findings) = load(&source);
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!((study.sets[0].id.as_str(), study.experiments[0].runs), ("Toy", 2));
    assert_eq!(study.configurations.iter().map(|c| c.key.as_str()).collect::<Vec<_>>(), ["m1"]);
    assert_eq!(study.estimators.iter().map(|e| e.id.as_str()).collect::<Vec<_>>(), ["pass-at-1", "pass-at-2"]);
    let tests = corpus.set("Toy").unwrap().get("Toy/1").unwrap().tests.clone().unwrap();
    assert_eq!((&*tests.entry_point, tests.reference.as_deref()), ("g", Some("    return -x\n")));
    let runs: Vec<_> = archive.runs.iter().map(|run| (run.key.run, run.records.len())).collect();
    assert_eq!(runs, [(1, 2), (2, 2)]);
    let record = archive.runs[1].get("Toy/1").unwrap();
    assert_eq!((record.sample, record.status(""), record.state()), (1, Some(Status::Timeout), State::Fail));
    assert_eq!(archive.summaries.iter().map(|s| (s.k, s.value)).collect::<Vec<_>>(), [(Some(1), 0.5), (Some(2), 0.5)]);
    assert_eq!((archive.coverage[0].recorded, archive.coverage[0].absent), (2, Some(0)));
}

#[test]
fn programs_without_verdicts_are_not_recorded_and_enter_no_rate() {
    let samples = "{\"task_id\": \"Toy/0\", \"completion\": \"    return x\\n\"}\n";
    let source = Memory::default().with("toy.jsonl", PROBLEMS).with("m2.jsonl", samples);
    let (_, _, archive, findings) = load(&source);
    assert_eq!(archive.runs[0].records[0].state(), State::Excluded);
    assert_eq!(codes(&findings), ["not-recorded"]);
}

#[test]
fn a_copy_without_marks_is_no_arm_of_its_own() {
    let samples = "{\"task_id\": \"Toy/0\", \"completion\": \"    return x\\n\"}\n";
    let (study, ..) = load(&folder(good()).with("samples_m1.jsonl", samples));
    assert_eq!(study.configurations.len(), 1);
}

#[test]
fn damage_is_told_with_its_place_and_costs_no_other_line() {
    let torn = format!("{}{{\"task_id\": \"Toy/0\", \"compl", good());
    let odd = format!("[1]\n{{\"completion\": \"x\"}}\nnonsense\n{}", good());
    let marks = good().replacen("\"result\": \"passed\"", "\"result\": \"failed: x\"", 1);
    let word = good().replacen("\"passed\": true", "\"passed\": \"yes\"", 1);
    let ragged = format!("{}{}", good(), line("Toy/0", true, "passed"));
    let mut latin = good().into_bytes();
    let at = latin.iter().position(|byte| *byte == b'x').unwrap();
    latin[at] = 0xe9;
    for (content, code, line) in [
        (torn.into_bytes(), "torn-file", Some(5)),
        (odd.into_bytes(), "bad-record", Some(1)),
        (marks.into_bytes(), "marks-differ", Some(1)),
        (word.into_bytes(), "bad-member", Some(1)),
        (ragged.into_bytes(), "ragged-samples", None),
        (latin, "not-utf8", Some(1)),
        ([b"\xef\xbb\xbf".as_slice(), good().as_bytes()].concat(), "", None),
    ] {
        let (_, _, archive, findings) = load(&folder(content));
        let found = findings.iter().find(|finding| finding.code == code);
        if code.is_empty() {
            assert!(findings.is_empty(), "{findings:?}");
        } else {
            assert_eq!(found.unwrap_or_else(|| panic!("{code}: {findings:?}")).place.line, line);
        }
        assert_eq!(archive.runs[0].records.len(), 2, "{code}");
    }
}

#[test]
fn a_file_of_several_models_is_split_and_a_wrong_name_is_told() {
    let with = |model: &str| good().replace("{\"task_id\"", &format!("{{\"model\": \"{model}\", \"task_id\""));
    let (study, _, archive, _) = load(&folder(format!("{}{}", with("a"), with("b"))));
    assert_eq!(study.configurations.len(), 2);
    assert_eq!(archive.runs.len(), 4);
    let source = folder(with("a"));
    let mut study = Formats::CORE.assumed(&Listing::new(&source).unwrap()).unwrap().study;
    study.experiments[0].files[0].configuration = Some("z".into());
    let read = Formats::CORE.read(&source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    assert!(codes(&read.3).contains(&"identity-differs"));
}

#[test]
fn nothing_but_timeouts_is_a_suspicion_and_no_rate() {
    let lines: String = (0..6).map(|n| line(&format!("Toy/{n}"), false, "timed out")).collect();
    let (_, _, archive, findings) = load(&Memory::default().with("m.jsonl", lines));
    assert!(codes(&findings).contains(&"environment-suspected"));
    assert!(archive.runs[0].records.iter().all(|record| record.state() == State::Excluded));
    assert!(archive.runs[0].records.iter().all(|record| record.status("") == Some(Status::Timeout)));
}

#[test]
fn results_of_one_name_in_several_folders_are_several_configurations() {
    let source = Memory::default()
        .with("toy.jsonl", PROBLEMS)
        .with("alpha/samples.jsonl_results.jsonl", good())
        .with("beta/samples.jsonl_results.jsonl", good())
        .with("beta/samples_passk_results.csv", ",pass@1\n0,0.5\n");
    let (study, _, archive, findings) = load(&source);
    assert_eq!(study.configurations.iter().map(|c| c.key.as_str()).collect::<Vec<_>>(), ["alpha", "beta"]);
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!((archive.runs.len(), archive.summaries[0].configuration.as_str()), (4, "beta"));
}
