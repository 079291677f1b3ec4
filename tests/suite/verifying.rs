//! Verification of the real archive, as far as it goes without an interpreter.

use repro::archive::Archive;
use repro::corpus::Corpus;
use repro::study::{Study, recognise};
use repro::verify::{self, Level};
use repro::world::{Silent, disk::Folder};

use crate::shared::shared;

/// Study, corpus and archive of the shared data.
pub(crate) fn real() -> Option<(Study, Corpus, Archive)> {
    let source = Folder::new(&shared("atmoscoder")?).unwrap();
    let study = recognise(&source).unwrap().study;
    let (corpus, _) = repro::corpus::read(&source, &study);
    let (archive, _, _) = repro::archive::read(&source, &study, &Silent, &|_, _, _| ()).unwrap();
    Some((study, corpus, archive))
}

#[test]
fn the_expected_runs_of_the_real_archive_are_told() {
    let Some((study, corpus, archive)) = real() else { return };
    let (summary, verdicts, findings) = verify::integrity(&study, &corpus, &archive);
    for finding in findings.iter() {
        eprintln!("{} {} {}", finding.code, finding.place, finding.message);
    }
    eprintln!("{summary:?}");
    assert_eq!(summary.level, Level::L0);
    assert_eq!((summary.agreed, summary.disagreed), (81, 0));
    assert_eq!(verdicts.len(), summary.total);
    assert_eq!(summary.total, summary.checked + summary.not_checkable.values().sum::<usize>());
}

#[test]
fn the_stored_answers_of_the_real_archive_grade_alike() {
    let Some((study, _, archive)) = real() else { return };
    let (summary, regraded, findings) = verify::regrade(&study, &archive);
    for finding in findings.iter() {
        eprintln!("{} {} {}", finding.code, finding.place, finding.message);
    }
    eprintln!("{summary:?}\n{:?}\n{:?}", regraded.sweep, regraded.undecided);
    for row in &regraded.lenses {
        eprintln!("{}", serde_json::to_string(row).unwrap());
    }
    assert_eq!(summary.disagreed, 0, "{:?}", regraded.differing);
}
