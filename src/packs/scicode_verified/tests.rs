//! The whole pack over a small generated audit, and over altered copies of it.

use std::collections::BTreeSet;

use super::{STATISTICS, applies, benchmark, checksums, defects, flips, gate};
use crate::archive::Materials;
use crate::digest::md5;
use crate::json::Reader;
use crate::statistics::fixture::Fixture;
use crate::statistics::{Estimate, Output};

/// Files of the small audit by role and path.
type Files = Vec<(&'static str, &'static str, String)>;

fn problem(id: &str, header: &str, test: &str) -> String {
    let step = format!(
        r#"{{"step_number": "{id}.1", "step_description_prompt": "p", "function_header": "{header}", "test_cases": ["{test}"], "return_line": "return a"}}"#
    );
    format!(r#"{{"problem_id": "{id}", "problem_name": "n", "sub_steps": [{step}], "general_tests": ["{test}"]}}"#)
}

fn entry(id: &str, field: &str, before: &str, after: &str) -> String {
    format!(
        r#"{{"id": "{id}", "field": "{field}", "before": "{before}", "after": "{after}", "verdict": "edit", "reason": "r", "round": "R1"}}"#
    )
}

/// Two problems; the header of one and the tests of both are corrected, one by a defect record.
fn audit() -> Files {
    let before =
        [problem("9", "def f(a):", "assert f(1) == target"), problem("10", "def g(a):", "assert g(1) == target")];
    let after =
        [problem("9", "def f(a, b):", "assert f(1) == target"), problem("10", "def g(a):", "assert g(2) == target")];
    let lines = |list: &[String]| list.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (release, target) = (lines(&after), "1.0");
    let targets = format!(r#"{{"9.json": "{}"}}"#, md5(target.as_bytes()));
    let set = md5(Reader::new(targets.as_bytes()).value().unwrap().python_json(true).as_bytes());
    let manifest = format!(
        r#"{{"n_problems": 2, "problem_order": ["9", "10"], "problems_test_jsonl_md5": "{}", "targets_md5": {targets}, "targets_set_md5": "{set}", "h5_md5": null}}"#,
        md5(release.as_bytes())
    );
    let defect = r#"{"defects": [{"defect_id": "10-d1", "problem_id": "10", "step": "10.1", "fields_involved": ["sub_steps[0](step 10.1).test_cases", "general_tests"], "direction": "too-strict/wrong", "nature": "scientific", "subtype": "s", "source": "inferred"}]}"#;
    let flips = r#"{"per_model": {"m": {"orig_score": "0/2", "run4_score": "1/2", "fixed": ["10.1"], "broken": []}}, "union_fixed": ["10.1"], "intersection_fixed": ["10.1"]}"#;
    vec![
        (benchmark::BEFORE, "original.jsonl", lines(&before)),
        (benchmark::AFTER, "release.jsonl", release),
        (benchmark::SOURCES, "problems/9.json", after[0].clone()),
        (benchmark::SOURCES, "problems/10.json", after[1].clone()),
        (checksums::MANIFEST, "manifest.json", manifest.clone()),
        (checksums::MANIFEST_BEFORE, "manifest-before.json", manifest),
        (checksums::TARGETS, "targets/9.json", target.to_owned()),
        (
            gate::LEDGER,
            "ledger/R1.jsonl",
            entry("9", "sub_steps[0].function_header", "def f(a):", "def f(a, b):") + "\n",
        ),
        (defects::DEFECTS, "defects.json", defect.to_owned()),
        (flips::FLIPS, "flips.json", flips.to_owned()),
    ]
}

fn materials(files: &Files) -> Materials {
    let mut materials = Materials::default();
    files.iter().for_each(|(role, path, text)| materials.add(role, *path, text.as_bytes()));
    materials
}

fn output(files: &Files) -> Output {
    let mut study = Fixture::new(&[]);
    study.archive.materials = materials(files);
    assert!(applies(&study.archive.materials));
    STATISTICS.iter().map(|statistic| study.compute(*statistic)).fold(Output::default(), Output::join)
}

/// Findings that disagree, with what they are about.
fn disagreements(files: &Files) -> BTreeSet<(&'static str, String)> {
    let findings = output(files).findings.into_iter();
    let grave = findings.filter(|finding| finding.severity >= crate::report::Severity::Disagrees);
    grave.map(|finding| (finding.code, finding.place.subject.unwrap_or_default())).collect()
}

fn value(output: &Output, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<f64> {
    let wanted: crate::statistics::Keys = keys.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let found = output.facts.iter().find(|f| f.statistic == statistic && f.measure == measure && f.keys == wanted)?;
    match found.estimate {
        Estimate::Value { value, .. } => Some(value),
        Estimate::Undefined(_) => None,
    }
}

fn altered(path: &str, from: &str, to: &str) -> Files {
    let mut files = audit();
    let file = files.iter_mut().find(|(_, name, _)| *name == path).unwrap();
    assert!(file.2.contains(from), "{path} has no {from}");
    file.2 = file.2.replacen(from, to, 1);
    files
}

fn without(path: &str) -> Files {
    audit().into_iter().filter(|(_, name, _)| *name != path).collect()
}

#[test]
fn a_sound_release_disagrees_nowhere() {
    let files = audit();
    assert_eq!(disagreements(&files), BTreeSet::new());
    let output = output(&files);
    let of = |statistic, measure, keys: &[(&str, &str)]| value(&output, statistic, measure, keys);
    assert_eq!(of("change-gate", "changes", &[("gate", "all")]), Some(3.0));
    assert_eq!(of("change-gate", "ledger-only", &[("gate", "all")]), Some(1.0));
    assert_eq!(of("change-gate", "unrecorded", &[("gate", "all")]), Some(0.0));
    assert_eq!(of("release-sources", "same-bytes", &[]), Some(1.0));
    assert_eq!(of("signature-changes", "changed", &[]), Some(1.0));
    assert_eq!(of("release-checksums", "files", &[("state", "ok")]), Some(3.0));
    assert_eq!(of("release-checksums", "files", &[("state", "not-recorded")]), Some(1.0));
    assert_eq!(of("flip-attribution", "steps", &[("class", "own-suppressing")]), Some(1.0));
    assert_eq!(of("defect-footprint", "steps", &[("layer", "grading")]), Some(1.0));
    assert_eq!(of("gold-self-test", "checkable", &[]), None);
}

#[test]
fn every_fact_is_documented_and_unique() {
    let output = output(&audit());
    let mut seen = BTreeSet::new();
    for fact in &output.facts {
        let about =
            STATISTICS.iter().map(|statistic| statistic.about()).find(|about| about.id == fact.statistic).unwrap();
        assert!(about.measures.iter().any(|(name, _)| *name == fact.measure), "{} {}", about.id, fact.measure);
        assert!(
            fact.keys.keys().all(|key| about.keys.iter().any(|doc| doc.key == key)),
            "{} {:?}",
            about.id,
            fact.keys
        );
        assert!(seen.insert((fact.statistic, fact.measure, &fact.keys)), "{fact:?} twice");
    }
}

#[test]
fn each_altered_copy_fails_with_the_right_finding() {
    let all = |codes: &[(&'static str, &str)]| {
        codes.iter().map(|(code, of)| (*code, (*of).to_owned())).collect::<BTreeSet<_>>()
    };
    let release = "release.jsonl";
    // One field of the release changed: no record, another line than its file makes, another checksum.
    assert_eq!(
        disagreements(&altered(release, "\"problem_name\": \"n\"", "\"problem_name\": \"m\"")),
        all(&[
            ("ledger-unrecorded-change", "9"),
            ("release-differs-from-source", "9"),
            ("manifest-differs", "problems")
        ])
    );
    // One problem deleted.
    let deleted = {
        let mut files = audit();
        let file = files.iter_mut().find(|(_, name, _)| *name == release).unwrap();
        file.2 = file.2.lines().take(1).map(|line| format!("{line}\n")).collect();
        files
    };
    assert_eq!(
        disagreements(&deleted),
        all(&[
            ("ledger-deleted-item", "10"),
            ("manifest-differs", "problems"),
            ("manifest-stale", ""),
            ("release-differs-from-source", "10"),
        ])
    );
    // One record removed: of the ledger, and of the defects.
    assert_eq!(disagreements(&without("ledger/R1.jsonl")), all(&[("ledger-unrecorded-change", "9")]));
    let found = disagreements(&without("defects.json"));
    assert_eq!(found, all(&[("ledger-unrecorded-change", "10")]));
    // A record altered: its `after` fails forward only.
    assert_eq!(
        disagreements(&altered("ledger/R1.jsonl", "def f(a, b):", "def f(a, c):")),
        all(&[("ledger-after-differs", "9")])
    );
    // A stale manifest, in each of its parts.
    assert_eq!(disagreements(&altered("manifest.json", "\"10\"]", "\"11\"]")), all(&[("manifest-stale", "")]));
    assert_eq!(
        disagreements(&altered("manifest.json", "\"n_problems\": 2", "\"n_problems\": 3")),
        all(&[("manifest-stale", "")])
    );
    assert_eq!(disagreements(&altered("targets/9.json", "1.0", "1.5")), all(&[("manifest-differs", "targets/9.json")]));
    let found = disagreements(&altered("manifest-before.json", "\"targets_set_md5\": \"", "\"targets_set_md5\": \"0"));
    assert_eq!(found, all(&[("manifest-targets-changed", "")]));
    // Code that no longer parses.
    let found = disagreements(&altered(release, "def f(a, b):", "def f(a, b:"));
    assert!(found.contains(&("code-does-not-parse", "9.1".to_owned())), "{found:?}");
    // Flips that do not add up.
    assert_eq!(disagreements(&altered("flips.json", "\"1/2\"", "\"2/2\"")), all(&[("flips-do-not-add-up", "m")]));
}

#[test]
fn without_a_baseline_nothing_is_passed() {
    let output = output(&without("original.jsonl"));
    assert!(output.findings.iter().any(|finding| finding.code == "ledger-no-baseline"));
    assert_eq!(value(&output, "change-gate", "changes", &[("gate", "all")]), None);
    let reasons = output.facts.iter().filter(|fact| fact.statistic == "change-gate" && fact.measure == "changes");
    assert!(
        reasons
            .clone()
            .any(|fact| matches!(&fact.estimate, Estimate::Undefined(reason) if reason.contains("not archived")))
    );
}

#[test]
fn hostile_files_are_told_and_end_nothing() {
    for path in ["original.jsonl", "release.jsonl", "manifest.json", "ledger/R1.jsonl", "defects.json", "flips.json"] {
        for text in ["", "{", "[]", "null", "{\"per_model\": 3, \"defects\": {}}", "\u{0}\u{ff}"] {
            let mut files = audit();
            files.iter_mut().find(|(_, name, _)| *name == path).unwrap().2 = text.to_owned();
            for fact in output(&files).facts {
                assert!(
                    !matches!(fact.estimate, Estimate::Value { value, .. } if !value.is_finite()),
                    "{path} {text:?}"
                );
            }
        }
    }
}

#[test]
fn studies_of_another_kind_hear_nothing() {
    let study = Fixture::new(&[]);
    for statistic in STATISTICS {
        let output = study.compute(*statistic);
        assert!(output.facts.is_empty() && output.tables.is_empty() && output.findings.is_empty());
    }
}
