//! Both schemas, damage, and a samples file beside them.

use super::*;
use crate::archive::{Archive, Selection, Status};
use crate::corpus::Assembly;
use crate::formats::Formats;
use crate::report::Findings;
use crate::world::Silent;
use crate::world::memory::Memory;

fn load(source: &Memory) -> (crate::study::Study, Archive, Findings) {
    let study = Formats::CORE.assumed(&Listing::new(source).unwrap()).unwrap().study;
    let read = Formats::CORE.read(source, &study, Selection::default(), &Silent, &|_, _, _| ()).unwrap();
    (study, read.1, read.3)
}

fn sample(base: &str, plus: &str) -> String {
    format!(
        "{{\"task_id\": \"Toy/0\", \"solution\": \"def f(): pass\", \"base_status\": \"{base}\", \
         \"plus_status\": \"{plus}\", \"base_fail_tests\": [], \"plus_fail_tests\": [[1]]}}"
    )
}

fn statuses(archive: &Archive) -> Vec<(Status, Status)> {
    let records = archive.runs.iter().flat_map(|run| &run.records);
    records.map(|record| (record.status("base").unwrap(), record.status("plus").unwrap())).collect()
}

#[test]
fn plus_means_base_and_plus() {
    let samples = [sample("pass", "pass"), sample("pass", "fail"), sample("fail", "pass")].join(", ");
    let text = format!(
        "{{\"date\": \"d\", \"hash\": \"h\", \"eval\": {{\"Toy/0\": [{samples}]}}, \
         \"pass_at_k\": {{\"base\": {{\"pass@1\": 0.6667}}, \"plus\": {{\"pass@1\": 0.3333}}}}}}"
    );
    let (study, archive, findings) = load(&Memory::default().with("a_eval_results.json", text));
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(study.configurations[0].key.as_str(), "a");
    assert_eq!(
        statuses(&archive),
        [(Status::Pass, Status::Pass), (Status::Pass, Status::Fail), (Status::Fail, Status::Fail)]
    );
    let inferred: Vec<bool> = archive.runs.iter().map(|run| run.records[0].verdicts[1].inferred).collect();
    assert_eq!(inferred, [false, false, true]);
    assert_eq!(archive.runs[0].records[0].assembly, Some(Assembly::WholeFile));
    assert_eq!(archive.summaries.len(), 2);
}

#[test]
fn the_old_schema_takes_its_programs_from_the_samples_file() {
    let eval = "{\"date\": \"d\", \"eval\": {\"Toy/0\": {\"nfiles\": 2, \"base\": [[\"success\", []], [\"failed\", []]], \
                \"plus\": [[\"timed out\", []], [\"success\", []]]}}}";
    let lines = "{\"task_id\": \"Toy/0\", \"completion\": \"    pass\"}\n".repeat(3);
    let source = Memory::default().with("s_eval_results.json", eval).with("s.jsonl", lines);
    let (_, archive, findings) = load(&source);
    let told: Vec<_> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(told, ["not-recorded"]);
    assert_eq!(
        statuses(&archive),
        [(Status::Pass, Status::Timeout), (Status::Fail, Status::Fail), (Status::NotGraded, Status::NotGraded)]
    );
    assert_eq!(archive.runs[0].records[0].assembly, Some(Assembly::Body));
}

#[test]
fn damage_is_told() {
    let cases = [
        (format!("{{\"eval\": {{\"Toy/0\": [{}, {{\"task_id\": ", sample("pass", "pass")), "torn-file"),
        (format!("{{\"eval\": {{\"Toy/1\": [{}]}}}}", sample("pass", "pass")), "identity-differs"),
        (format!("{{\"eval\": {{\"Toy/0\": [{}, 3]}}}}", sample("pass", "pass")), "bad-record"),
        (format!("{{\"eval\": {{\"Toy/0\": [{}]}}}}", sample("odd", "pass")), "bad-member"),
        ("{\"eval\": {\"Toy/0\": {\"nfiles\": 3, \"base\": [[\"pass\"]], \"plus\": []}}}".to_owned(), "metrics-differ"),
    ];
    for (text, code) in cases {
        let (_, archive, findings) = load(&Memory::default().with("a_eval_results.json", text));
        assert!(findings.iter().any(|finding| finding.code == code), "{code}: {findings:?}");
        assert_eq!(archive.runs.len(), 1);
    }
}

#[test]
fn a_samples_file_with_other_programs_is_told() {
    let eval = format!("{{\"eval\": {{\"Toy/0\": [{}]}}}}", sample("pass", "pass"));
    let other = "{\"task_id\": \"Toy/0\", \"solution\": \"def f(): return 1\"}\n";
    let source = Memory::default().with("a_eval_results.json", eval).with("a.jsonl", other);
    let (_, _, findings) = load(&source);
    assert!(findings.iter().any(|finding| finding.code == "answer-differs"), "{findings:?}");
}

#[test]
fn results_of_one_suite_have_one_judge_and_their_numbers_beside() {
    let sample = |n: usize, word: &str| {
        format!(
            "\"Toy/{n}\": [{{\"task_id\": \"Toy/{n}\", \"solution\": \"x\", \"status\": \"{word}\", \"details\": {{}}}}]"
        )
    };
    let words = ["pass", "fail", "timeout", "pass"];
    let eval: Vec<String> = words.iter().enumerate().map(|(n, word)| sample(n, word)).collect();
    let source = Memory::default()
        .with("m_eval_results.json", format!("{{\"date\": \"d\", \"eval\": {{{}}}}}", eval.join(", ")))
        .with("m_pass_at_k.json", "{\"pass@1\": 0.5, \"model\": \"m\", \"calibrated\": true}");
    let (study, archive, findings) = load(&source);
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!((study.judges.len(), study.comparisons.len(), study.configurations.len()), (1, 0, 1));
    let marks: Vec<Status> = archive.runs[0].records.iter().map(|record| record.status("base").unwrap()).collect();
    assert_eq!(marks, [Status::Pass, Status::Fail, Status::Timeout, Status::Pass]);
    assert_eq!((archive.summaries.len(), archive.summaries[0].value), (1, 0.5));
}
