//! Audits on the studies in the repository: those without a fault raise nothing, and the example raises what is
//! known to be so and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use repro::pipeline::{Outside, evaluate, read};
use repro::statistics::readings::Counting;
use repro::world::Silent;
use repro::world::disk::Folder;

/// Codes and places of what the audits of a study raise.
fn raised(folder: &str) -> BTreeSet<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let source = Folder::new(&folder).unwrap();
    let outside = Outside { named: Vec::new(), beside: &|_| None, memory: None };
    let given = read(&source, Counting::default(), &outside, &Silent).unwrap();
    let evaluated = evaluate(&source, given, &[], &Silent).unwrap();
    let codes: BTreeSet<&str> = repro::audits::ALL.iter().map(|audit| audit.about().code).collect();
    let of_audits = evaluated.findings.iter().filter(|finding| codes.contains(finding.code));
    of_audits.map(|f| (f.code.to_owned(), f.place.subject.clone().unwrap_or_default())).collect()
}

#[test]
fn studies_without_a_fault_raise_nothing() {
    for folder in ["results/written-answers-demo", "tests/fixtures/mechanical-limits"] {
        assert_eq!(raised(folder), BTreeSet::new(), "{folder}");
    }
}

/// In kelvins half of 12.3 degrees is within five percent: the example shows what such a tolerance accepts, and a
/// shortcut that passes. Nothing was executed here, so the audits of programs look at nothing.
#[test]
fn the_example_raises_what_its_tolerance_accepts_and_nothing_else() {
    let known = [
        ("parent-answer-passes", "air-dew-point_v1"),
        ("shortcut-passes", "trap-foehn-valley"),
        ("wrong-constant-passes", "air-cloud-base"),
        ("wrong-constant-passes", "air-dew-point"),
    ];
    let known: BTreeSet<(String, String)> = known.map(|(code, id)| (code.to_owned(), id.to_owned())).into();
    assert_eq!(raised("results/weather-demo"), known);
    for (told, halved) in [(12.3_f64, 6.15_f64), (14.39995, 7.2)] {
        let apart = (told - halved) / (told + 273.15);
        assert!(apart < 0.05, "{told} and {halved} are within five percent in kelvins: {apart}");
    }
}
