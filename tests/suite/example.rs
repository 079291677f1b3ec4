//! The example study: committed as generated, sound, and with something to show on every page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use repro::archive::State;
use repro::claims::{self, Sources, Verdict};
use repro::packs::{self, compute_all, recognise};
use repro::report::Severity;
use repro::statistics::Facts;
use repro::tree::Content;
use repro::verify;
use repro::world::disk::{Folder, write_tree};
use repro::world::memory::Memory;
use repro::world::{Silent, Source};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo")
}

/// The committed files are what the generator writes, byte for byte. `EXAMPLE=write` writes them.
#[test]
fn the_committed_example_study_is_the_generated_one() {
    let engine = crate::sandbox::embedded(2);
    let tree = repro::demo::example_study(&*engine, &Silent).unwrap();
    #[expect(clippy::disallowed_methods, reason = "how a person asks this test to refresh the files")]
    let write = std::env::var("EXAMPLE").is_ok_and(|value| value == "write");
    if write {
        write_tree(&folder(), &tree, &Memory::default()).unwrap();
    }
    let committed = Folder::new(&folder()).unwrap();
    let listed: BTreeSet<String> = committed.entries().unwrap().into_iter().map(|entry| entry.path).collect();
    let generated: BTreeSet<String> = tree.iter().map(|(path, _)| path.to_owned()).collect();
    assert_eq!(listed, generated, "refresh with EXAMPLE=write");
    let mut bytes = 0;
    for (path, content) in tree.iter() {
        let Content::Bytes(content) = content else { panic!("{path} is not generated") };
        assert!(committed.read(path).unwrap() == **content, "{path} differs; refresh with EXAMPLE=write");
        bytes += content.len();
    }
    assert!(bytes < 4_000_000, "{bytes} bytes");
}

#[test]
fn the_example_study_reads_without_a_remark_and_verifies() {
    let source = Folder::new(&folder()).unwrap();
    let study = recognise(&source).unwrap().study;
    assert!(study.study.demonstration.as_deref().is_some_and(|sentence| sentence.contains("no model produced")));
    let (corpus, findings) = repro::corpus::read(&source, &study);
    assert!(findings.is_empty(), "{findings:?}");
    let (archive, _, findings) = repro::archive::read(&source, &study, &Silent, &|_, _, _| ()).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
    let sizes: Vec<_> = corpus.sets.iter().map(|set| set.problems.len()).collect();
    assert_eq!(sizes, [24, 60, 40, 8, 15]);
    assert_eq!(archive.runs.len(), 4 * (5 * 3 + 2));
    let engine = crate::sandbox::embedded(2);
    let engines = [&*engine];
    let (summary, _, findings) = verify::integrity(&study, &corpus, &archive);
    assert_eq!((summary.checked, summary.disagreed), (summary.total, 0), "{findings:?}");
    let (summary, _, findings) = verify::reference(&study, &corpus, repro::packs::means(&engines), &Silent).unwrap();
    assert_eq!((summary.checked, summary.disagreed), (summary.total, 0), "{findings:?}");
    let (summary, regraded, _) = verify::regrade(&study, &archive, repro::packs::graders());
    assert_eq!(summary.disagreed, 0, "{:?}", regraded.differing);
    let (summary, _, findings) =
        verify::replay(&study, &corpus, &archive, repro::packs::means(&engines), &Silent).unwrap();
    // The two records without any reply hold nothing to replay.
    assert_eq!((summary.total - summary.checked, summary.disagreed), (2, 0), "{findings:?}");
    assert!(findings.worst().is_none_or(|worst| worst == Severity::Note), "{findings:?}");
}

/// The numbers of the report follow from the records; the one that does not is acknowledged. They were
/// computed by hand from the files, not by this program.
#[test]
fn the_claims_of_the_example_study_hold_but_one_acknowledged() {
    let source = Folder::new(&folder()).unwrap();
    let opened = crate::opened::Opened::read(&source);
    let output = compute_all(&opened.evidence());
    // A fact is known by its statistic, measure and keys: two of one name could not be told apart by a claim.
    let mut seen = BTreeSet::new();
    for fact in &output.facts {
        assert!(seen.insert((fact.statistic, fact.measure, &fact.keys, fact.basis)), "two facts: {fact:?}");
    }
    let facts = Facts::new(output.facts);
    let (ledger, findings) = claims::read("claims.toml", &source.read("claims.toml").unwrap());
    assert!(findings.is_empty(), "{findings:?}");
    let sources = Sources::new(&opened.study, &facts, &output.tables, &opened.published)
        .with_registered(&packs::statistics(), packs::bindings());
    let judged = claims::judge(&[ledger], &sources);
    let odd: Vec<_> = judged
        .claims
        .iter()
        .filter(|claim| claim.verdict != Verdict::Reproduced)
        .map(|claim| format!("{} {:?} {:?}", claim.id, claim.verdict, claim))
        .collect();
    assert_eq!(odd.len(), 1, "{}", odd.join("\n"));
    assert!(odd[0].starts_with("draft-accuracy Differs"), "{odd:?}");
    assert!(judged.claims.len() >= 40, "{}", judged.claims.len());
    let grave: Vec<_> = judged.findings.iter().filter(|finding| finding.severity > Severity::Note).collect();
    assert!(grave.is_empty(), "{grave:?}");
}

/// What the pages need: errors that count and that do not, retries, captures, every kind of odd answer.
#[test]
fn the_example_study_has_something_of_everything() {
    let source = Folder::new(&folder()).unwrap();
    let study = recognise(&source).unwrap().study;
    let (archive, _, _) = repro::archive::read(&source, &study, &Silent, &|_, _, _| ()).unwrap();
    let records = || archive.runs.iter().flat_map(|run| &run.records);
    let count = |wanted: &dyn Fn(&repro::archive::Record) -> bool| records().filter(|record| wanted(record)).count();
    assert_eq!(count(&|record| record.state() == State::Excluded), 1);
    assert_eq!(count(&|record| record.error_as_fail), 1);
    assert_eq!(count(&|record| !record.regraded.is_empty()), 1);
    assert!(count(&|record| record.num_attempts > Some(1) && record.passed == Some(true)) > 20);
    assert!(count(&|record| record.failed_reason.is_some()) > 1);
    assert_eq!(archive.annotations.judged.len(), 4);
    assert_eq!(archive.annotations.traces.len(), 2);
    let numbers: Vec<repro::archive::Actual> =
        records().filter_map(|record| record.details.as_ref()).flatten().map(|detail| detail.actual.clone()).collect();
    assert!(numbers.iter().any(|actual| matches!(actual, repro::archive::Actual::Text(_))));
    assert!(numbers.iter().any(|actual| matches!(actual, repro::archive::Actual::Number(number) if number.is_nan())));
}
