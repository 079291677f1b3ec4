//! The audit beside the repository and the hand-made call records: facts, gates and claims of two studies of
//! another shape.

use std::collections::{BTreeMap, BTreeSet};

use repro::change_ledger::{Baseline, Entries, FaultKind, Items, Scope, check};
use repro::claims::{Judgements, Verdict};
use repro::json::Value;
use repro::pipeline::{Computed, Given, Outside, compute, judge, read};
use repro::report::Severity;
use repro::statistics::Estimate;
use repro::statistics::readings::Counting;
use repro::table::Cell;
use repro::verify::Ladder;
use repro::world::disk::Folder;
use repro::world::memory::Memory;
use repro::world::{Silent, Source};

use crate::cli::Lab;
use crate::shared::{lines, parse, shared};

const AUDIT: &str = "scicode-verified";

fn text(path: &str) -> String {
    std::fs::read_to_string(shared(path)).unwrap()
}

/// A study with the catalogue that judges it.
fn evaluated(source: &dyn Source, catalogue: &str) -> (Given, Computed, Judgements) {
    let ledger = std::fs::read(shared(&format!("claims/{catalogue}-claims.json"))).unwrap();
    let outside =
        Outside { named: vec![(format!("{catalogue}-claims.json"), ledger)], beside: &|_| None, memory: None };
    let given = read(source, Counting::default(), &outside, &Silent).unwrap();
    let computed = compute(&given, &Ladder::default());
    let (judgements, findings) = judge(&given, &computed);
    let bad: Vec<_> = findings.iter().filter(|finding| finding.code == "bad-ledger").collect();
    assert!(bad.is_empty(), "{bad:#?}");
    (given, computed, judgements)
}

fn audit() -> (Given, Computed, Judgements) {
    evaluated(&Folder::new(&shared(AUDIT)).unwrap(), "scicode")
}

/// The files of the audit in memory, to be altered.
fn copy() -> BTreeMap<String, Vec<u8>> {
    let folder = Folder::new(&shared(AUDIT)).unwrap();
    let entries = folder.entries().unwrap();
    entries.iter().map(|entry| (entry.path.clone(), folder.read(&entry.path).unwrap())).collect()
}

/// Codes of the findings that a copy of the audit gives and the original does not, with what they are about.
fn new_findings(files: &BTreeMap<String, Vec<u8>>) -> BTreeSet<(&'static str, String)> {
    let of = |files: &BTreeMap<String, Vec<u8>>| {
        let source = files.iter().fold(Memory::default(), |source, (path, bytes)| source.with(path, bytes.clone()));
        let outside = Outside { named: Vec::new(), beside: &|_| None, memory: None };
        let given = read(&source, Counting::default(), &outside, &Silent).unwrap();
        let computed = compute(&given, &Ladder::default());
        let all = given.findings.iter().chain(computed.findings.iter()).cloned().collect::<Vec<_>>();
        let grave = all.into_iter().filter(|finding| finding.severity > Severity::Note);
        grave.map(|finding| (finding.code, finding.place.subject.unwrap_or_default())).collect::<BTreeSet<_>>()
    };
    of(files).difference(&of(&copy())).cloned().collect()
}

fn altered(path: &str, from: &str, to: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = copy();
    let text = String::from_utf8(files[path].clone()).unwrap();
    assert!(text.contains(from), "{path} has no {from}");
    files.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
    files
}

/// What the recomputation says, whatever sources say about one another.
fn own(judgement: &repro::claims::Judgement) -> Verdict {
    judgement.recomputation.unwrap_or(judgement.verdict)
}

fn catalogue(name: &str) -> Vec<(String, String)> {
    let file = parse(&text(&format!("claims/{name}-claims.json")));
    let claims = file.get("claims").and_then(Value::as_list).unwrap();
    let member = |claim: &Value, name: &str| claim.get(name).and_then(Value::as_text).unwrap().to_owned();
    claims.iter().map(|claim| (member(claim, "id"), member(claim, "checkable_from"))).collect()
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_claim_of_the_audit_is_judged_and_what_files_and_counts_decide_has_a_verdict() {
    let (_, _, judgements) = audit();
    assert_eq!(judgements.claims.len(), 131);
    for (id, from) in catalogue("scicode") {
        let claim = judgements.get(&id).unwrap();
        match from.as_str() {
            "data" | "counts" => assert!(own(claim).agrees(), "{claim:#?}"),
            _ => assert!(!own(claim).contradicts(), "{claim:#?}"),
        }
        assert!(own(claim) != Verdict::NotCheckable || claim.reason.is_some(), "{id}");
    }
    for conflict in ["sv-x-262-263-264", "sv-x-397-380", "sv-x-60.3-60.6", "sv-x-attribution"] {
        let found = judgements.conflicts.iter().find(|known| known.id == conflict).unwrap();
        assert!(!found.statement.is_empty());
        for id in &found.claims {
            assert_eq!(judgements.get(id).unwrap().verdict, Verdict::ConflictingSources, "{id}");
        }
    }
    // No count of 287 prints as 83.7; 721 of three times 287 does.
    let mean = judgements.get("sv-score-ver-step-min").unwrap();
    assert_eq!(mean.remark.as_deref(), Some("possible: 721 of 861"));
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_claim_of_the_limits_is_judged_and_counts_decide_what_they_can() {
    let source =
        Folder::new(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mechanical-limits")))
            .unwrap();
    let (given, _, judgements) = evaluated(&source, "limits");
    assert!(given.study.study.demonstration.is_some());
    assert_eq!(judgements.claims.len(), 110);
    for (id, from) in catalogue("limits") {
        let claim = judgements.get(&id).unwrap();
        if id == "lm-p-7-0" {
            assert_eq!((claim.verdict, own(claim)), (Verdict::ConflictingSources, Verdict::Impossible));
            assert!(claim.explanation.as_ref().is_some_and(|told| told.text.contains("14 and 3")), "{claim:#?}");
            continue;
        }
        assert!(!own(claim).contradicts(), "{claim:#?}");
        // Hand-made records say nothing about the printed numbers of the study.
        assert!(from != "archive" || own(claim) == Verdict::NotCheckable, "{claim:#?}");
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_expected_attribution_is_met() {
    let (_, computed, _) = audit();
    let expected = parse(&text("scicode-verified/analysis/attribution.expected.json"));
    let table = computed.tables.iter().find(|table| table.id == "flip_attribution").unwrap();
    let found: BTreeMap<String, String> = table.rows.iter().map(|row| (row[0].printed(), row[1].printed())).collect();
    let steps = expected.get("steps").and_then(Value::as_object).unwrap();
    let wanted: BTreeMap<String, String> =
        steps.iter().map(|(step, class)| (step.to_owned(), class.as_text().unwrap().to_owned())).collect();
    assert_eq!(found, wanted);
    for (class, count) in expected.get("counts").and_then(Value::as_object).unwrap().iter() {
        let fact = computed.facts.get("flip-attribution", "steps", &[("class", class)]).unwrap();
        let Estimate::Value { value, .. } = fact.estimate else { panic!("{fact:?}") };
        assert_eq!(Some(value), count.as_f64(), "{class}");
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_expected_gate_is_met() {
    let (_, computed, _) = audit();
    let expected = parse(&text("scicode-verified/release-subset/expected-gate.json"));
    let table = computed.tables.iter().find(|table| table.id == "release_changes").unwrap();
    let found: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(Cell::printed).collect()).collect();
    let joined = |change: &Value, name: &str| {
        let list = change.get(name).and_then(Value::as_list).unwrap();
        list.iter().filter_map(Value::as_text).collect::<Vec<_>>().join(", ")
    };
    let member = |change: &Value, name: &str| change.get(name).and_then(Value::as_text).unwrap().to_owned();
    let wanted: BTreeSet<Vec<String>> = expected
        .get("changes")
        .and_then(Value::as_list)
        .unwrap()
        .iter()
        .map(|change| {
            vec![
                member(change, "problem_id"),
                member(change, "field"),
                joined(change, "defect_records"),
                joined(change, "ledger_rounds"),
            ]
        })
        .collect();
    assert_eq!(found.len(), wanted.len());
    // The expected file was derived with the one whole round; the archived entries of R3 name some of the same fields.
    let of_whole_rounds = |mut row: Vec<String>| {
        row[3] = row[3].split(", ").filter(|round| *round != "R3").collect::<Vec<_>>().join(", ");
        row
    };
    let found: Vec<Vec<String>> = found.into_iter().map(of_whole_rounds).collect();
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), wanted);
    for (problem, tests) in
        expected.get("mirror").and_then(|m| m.get("release_differs")).and_then(Value::as_object).unwrap().iter()
    {
        let keys = [("version", "release"), ("problem", problem)];
        let fact = computed.facts.get("test-mirror", "tests", &keys).unwrap();
        let Estimate::Value { value, .. } = fact.estimate else { panic!("{fact:?}") };
        assert_eq!(value as usize, tests.as_list().unwrap().len(), "{problem}");
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_footprint_is_the_published_one() {
    let (_, computed, _) = audit();
    let expected = parse(&text("scicode-verified/analysis/flawed_steps.json"));
    let table = computed.tables.iter().find(|table| table.id == "flawed_steps").unwrap();
    let found: BTreeSet<Vec<String>> =
        table.rows.iter().map(|row| [0, 2, 3].map(|at| row[at].printed()).to_vec()).collect();
    let list = |step: &Value, name: &str| {
        let items = step.get(name).and_then(Value::as_list).unwrap();
        items.iter().filter_map(Value::as_text).map(str::to_owned).collect::<Vec<_>>()
    };
    let wanted: BTreeSet<Vec<String>> = expected
        .get("steps")
        .and_then(Value::as_list)
        .unwrap()
        .iter()
        .map(|step| {
            let id = step.get("step_id").and_then(Value::as_text).unwrap().to_owned();
            vec![id, list(step, "layers").join(", "), list(step, "defect_ids").join(", ")]
        })
        .collect();
    assert_eq!(found, wanted);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn each_altered_copy_of_the_release_fails_with_the_right_finding() {
    let all = |codes: &[(&'static str, &str)]| {
        codes.iter().map(|(code, of)| (*code, (*of).to_owned())).collect::<BTreeSet<_>>()
    };
    let release = "release-subset/problems_test.subset.jsonl";
    // One field changed that no record names.
    let found = new_findings(&altered(release, "\"problem_name\": \"Lanczos\"", "\"problem_name\": \"Lanczos2\""));
    assert_eq!(found, all(&[("ledger-unrecorded-change", "5"), ("release-differs-from-source", "5")]));
    // One problem deleted.
    let mut files = copy();
    let text = String::from_utf8(files[release].clone()).unwrap();
    let fewer: String =
        text.lines().filter(|line| !line.contains("\"problem_id\": \"40\"")).map(|line| format!("{line}\n")).collect();
    files.insert(release.to_owned(), fewer.into_bytes());
    assert_eq!(new_findings(&files), all(&[("release-differs-from-source", "40")]));
    // One record removed.
    let ledger = "ledger/R7.jsonl";
    let mut files = copy();
    let text = String::from_utf8(files[ledger].clone()).unwrap();
    let fewer: String = text
        .lines()
        .filter(|line| !line.contains("sub_steps[0].test_cases[1]"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(text.lines().count(), fewer.lines().count() + 1);
    files.insert(ledger.to_owned(), fewer.into_bytes());
    assert_eq!(new_findings(&files), all(&[("ledger-unrecorded-change", "48")]));
    // A stale manifest.
    let manifest = "manifests/manifest-after-R7-faa28a1.json";
    let found =
        new_findings(&altered(manifest, "84ea990a00b6db64f8315b2edf39802c", "84ea990a00b6db64f8315b2edf39802d"));
    assert_eq!(found, all(&[("manifest-differs", "targets-set")]));
    let found = new_findings(&altered(
        manifest,
        "\"bb3efd2782252c201b507fa89c0ada89\"",
        "\"bb3efd2782252c201b507fa89c0ada80\"",
    ));
    assert_eq!(found, all(&[("manifest-differs", "targets-set"), ("manifest-targets-changed", "")]));
    assert_eq!(new_findings(&altered(manifest, " \"40\",\n", "")), all(&[("manifest-stale", "")]));
    // Another original than the one that is pinned.
    let found = new_findings(&altered("original/problems_test.jsonl", "Lanczos", "Lancsos"));
    assert!(found.contains(&("checksum-differs", String::new())), "{found:?}");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn a_wrong_baseline_is_named_as_such() {
    // Round R3 starts from a release that two rounds without a ledger had changed: upstream is not its baseline.
    let bytes = |path: &str| std::fs::read(shared(path)).unwrap();
    let (original, release) = (
        bytes("scicode-verified/original/problems_test.jsonl"),
        bytes("scicode-verified/release-subset/problems_test.subset.jsonl"),
    );
    let ledger = bytes("scicode-verified/ledger/R3.subset-8-21.jsonl");
    let (old, _) = Items::read([("a.jsonl", original.as_slice())], None);
    let (new, _) = Items::read([("b.jsonl", release.as_slice())], None);
    let (entries, findings) = Entries::read([("R3.jsonl", ledger.as_slice())]);
    assert!(findings.is_empty());
    assert_eq!(
        (old.len(), new.len(), entries.len()),
        (64, 10, lines("scicode-verified/ledger/R3.subset-8-21.jsonl").len())
    );
    let gate = check((Some(&old), Baseline::Given), &new, &entries, Scope::Part, None);
    assert!(gate.faults.iter().any(|fault| fault.kind == FaultKind::BeforeDiffers && fault.item == "8"));
    assert_eq!(gate.count(FaultKind::AfterDiffers) + gate.count(FaultKind::MissingPath), 0);
}

/// The site of a folder, built by the binary: paths of its pages.
fn built(lab: &Lab, folder: &str, more: &str, exit: i32) -> BTreeSet<String> {
    lab.run(&format!("build {folder} --out out --allow-missing{more}")).exits(exit);
    let site = lab.bytes("out/site");
    let pages = site.keys().filter(|path| path.ends_with(".html"));
    // Below the study and its version.
    pages.filter_map(|path| Some(path.splitn(3, '/').nth(2)?.to_owned())).collect()
}

#[test]
fn a_folder_of_call_records_gives_a_site_and_a_deposit_with_its_own_pages_only() {
    let lab = Lab::empty();
    let fixture = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mechanical-limits"));
    for entry in std::fs::read_dir(fixture).unwrap() {
        let entry = entry.unwrap();
        lab.write(&format!("limits/{}", entry.file_name().to_str().unwrap()), std::fs::read(entry.path()).unwrap());
    }
    let pages = built(&lab, "limits", "", 0);
    assert!(pages.contains("limits/index.html"), "{pages:?}");
    let foreign =
        ["leaderboard/", "problems/", "configs/", "traps/", "corrections/", "defects/", "release-gate/", "replay/"];
    let strays: Vec<_> = pages.iter().filter(|page| foreign.iter().any(|folder| page.starts_with(folder))).collect();
    assert!(strays.is_empty(), "{strays:?}");
    lab.run("verify out/bundles/mechanical-limits-0.1.zip --allow-missing").exits(0);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn the_audit_gives_a_site_and_a_deposit_with_its_own_pages_only() {
    let lab = Lab::empty();
    for (path, bytes) in copy() {
        lab.write(&format!("audit/{path}"), bytes);
    }
    lab.write("claims/scicode-claims.json", std::fs::read(shared("claims/scicode-claims.json")).unwrap());
    // The listed conflicts between sources disagree; nothing else does.
    let pages = built(&lab, "audit", " --claims claims/scicode-claims.json", 1);
    for page in [
        "corrections/index.html",
        "corrections/problem-42.html",
        "defects/defect-21-d3.html",
        "release-gate/index.html",
        "claims/conflicts.html",
    ] {
        assert!(pages.contains(page), "{page}");
    }
    let foreign = ["leaderboard/", "problems/", "configs/", "traps/", "limits/", "fabrication/", "replay/"];
    let strays: Vec<_> = pages.iter().filter(|page| foreign.iter().any(|folder| page.starts_with(folder))).collect();
    assert!(strays.is_empty(), "{strays:?}");
    let document = lab.run("claims audit --claims claims/scicode-claims.json --json --allow-missing").exits(1).json();
    assert!(document.is_object());
    let html = lab.text("out/site/scicode-verified/v2/corrections/problem-42.html");
    assert!(html.contains("<ins>") && html.contains("defect-42-d1.html") && html.contains("R7"), "{html}");
    let html = lab.text("out/site/scicode-verified/v2/defects/defect-42-d1.html");
    assert!(html.contains("corrections/problem-42.html#"), "{html}");
}
