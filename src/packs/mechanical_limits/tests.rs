//! The whole pack over the hand-made archive, of which every number can be worked out on paper.

use std::collections::BTreeSet;

use super::{STATISTICS, records};
use crate::archive::Materials;
use crate::statistics::fixture::Fixture;
use crate::statistics::{Estimate, Output};

fn materials() -> Materials {
    let mut materials = Materials::default();
    materials.add(
        records::ITEMS,
        "items.jsonl",
        *include_bytes!("../../../tests/fixtures/mechanical-limits/items.jsonl"),
    );
    materials.add(
        records::CALLS,
        "calls.jsonl",
        *include_bytes!("../../../tests/fixtures/mechanical-limits/calls.jsonl"),
    );
    materials.add(
        records::PROBES,
        "probes.jsonl",
        *include_bytes!("../../../tests/fixtures/mechanical-limits/probes.jsonl"),
    );
    materials.add(
        records::CODINGS,
        "codings.jsonl",
        *include_bytes!("../../../tests/fixtures/mechanical-limits/codings.jsonl"),
    );
    materials.add(records::PLAN, "plan.json", *include_bytes!("../../../tests/fixtures/mechanical-limits/plan.json"));
    materials
}

fn output(materials: Materials) -> Output {
    let mut study = Fixture::new(&[]);
    study.archive.materials = materials;
    STATISTICS.iter().map(|statistic| study.compute(*statistic)).fold(Output::default(), Output::join)
}

fn value(output: &Output, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> f64 {
    let holds = |fact: &&crate::statistics::Fact| {
        let among = keys.iter().all(|(key, value)| fact.keys.get(*key).is_some_and(|own| own == value));
        fact.statistic == statistic && fact.measure == measure && among
    };
    let fewest = output.facts.iter().filter(holds).map(|fact| fact.keys.len()).min().unwrap();
    let found: Vec<_> = output.facts.iter().filter(holds).filter(|fact| fact.keys.len() == fewest).collect();
    match (&found[0].estimate, found.len()) {
        (Estimate::Value { value, .. }, 1) => *value,
        other => panic!("{statistic}.{measure} {keys:?}: {other:?}"),
    }
}

const BEAM: (&str, &str) = ("family", "beam");

#[test]
fn unanswered_calls_stay_in_the_denominator() {
    let output = output(materials());
    let cell = |measure, model, arm, twin| {
        value(&output, "limit-verdicts", measure, &[("model", model), ("arm", arm), BEAM, ("twin", twin)])
    };
    assert_eq!([cell("n", "alpha", "Bu", "flawed"), cell("rejected", "alpha", "Bu", "flawed")], [6.0, 1.0]);
    assert_eq!([cell("accepted", "alpha", "Bu", "flawed"), cell("unanswered", "alpha", "Bu", "flawed")], [4.0, 1.0]);
    assert_eq!(cell("rate", "alpha", "Bu", "flawed"), 100.0 / 6.0);
    assert_eq!(cell("rate-answered", "alpha", "Bu", "flawed"), 20.0);
    assert_eq!([cell("solved", "alpha", "Bu", "valid"), cell("wrong", "alpha", "Bu", "valid")], [3.0, 1.0]);
    assert_eq!(cell("false-alarm", "alpha", "Bt", "valid"), 1.0);
    // The first final call counts, although a later one declines.
    assert_eq!(cell("rejected", "beta", "Bu", "flawed"), 2.0);
    assert_eq!(value(&output, "call-inventory", "later", &[("model", "beta"), ("arm", "Bu")]), 1.0);
    assert_eq!(value(&output, "call-inventory", "attempts", &[("status", "sign-in"), ("twin", "flawed")]), 1.0);
}

#[test]
fn pairs_tests_and_their_family_follow_by_hand() {
    let output = output(materials());
    let of = |measure, model, family, twin| {
        value(&output, "limit-contrasts", measure, &[("model", model), ("family", family), ("twin", twin)])
    };
    // Five of six flawed beams turn to rejected: 5:0 is P = 1/16; six tests in the family, so 6/16.
    assert_eq!([of("gained", "alpha", "beam", "flawed"), of("lost", "alpha", "beam", "flawed")], [5.0, 0.0]);
    assert_eq!([of("p", "alpha", "beam", "flawed"), of("adjusted", "alpha", "beam", "flawed")], [0.0625, 0.375]);
    // 2:0 is P = 1/2; five times that is capped.
    assert_eq!([of("p", "alpha", "disk", "flawed"), of("adjusted", "alpha", "disk", "flawed")], [0.5, 1.0]);
    // 2:1 is P = 1, and the totals 2 and 3 differ by one.
    assert_eq!([of("gained", "beta", "beam", "flawed"), of("lost", "beta", "beam", "flawed")], [2.0, 1.0]);
    assert_eq!(of("p", "beta", "beam", "flawed"), 1.0);
    assert_eq!(value(&output, "limit-contrasts", "tests", &[("tests", "confidence-target")]), 6.0);
    // Items sum to -1, 1, 2, 2, 1, 1, 1, 1: of 256 patterns 2 reach 10 and 12 reach 8.
    assert_eq!(value(&output, "limit-contrasts", "flip-p", &[("twin", "flawed")]), 14.0 / 256.0);
}

#[test]
fn margins_probes_gates_scores_and_agreement_follow_by_hand() {
    let output = output(materials());
    let margin = value(&output, "signed-margins", "margin", &[("item", "beam-v3")]);
    assert_eq!(crate::number::signed(margin, 3), "-5.000");
    // Half of 1, 1, 2, 2, 5 percent: alpha passes all five, beta misses the second.
    assert_eq!(value(&output, "probe-capability", "passed", &[("model", "alpha")]), 5.0);
    assert_eq!(value(&output, "probe-capability", "capable", &[("model", "alpha")]), 1.0);
    assert_eq!(value(&output, "probe-capability", "passed", &[("model", "beta")]), 4.0);
    assert_eq!(value(&output, "probe-capability", "capable", &[("model", "beta")]), 0.0);
    // alpha, Bt: one false alarm of 7 valid items is more than 1 of 20; alpha, Bu: one unanswered of 16 is more than 2 of 40.
    let passes = |model, arm| value(&output, "cell-gates", "passes", &[("model", model), ("arm", arm)]);
    assert_eq!(
        [passes("alpha", "Bt"), passes("alpha", "Bu"), passes("beta", "Bu"), passes("beta", "Bt")],
        [0.0, 0.0, 1.0, 1.0]
    );
    assert_eq!(value(&output, "cell-gates", "failing", &[]), 2.0);
    // alpha, Bu: 6 solved, 1 wrong, 6 accepted: 6 - 63.
    assert_eq!(value(&output, "confidence-score", "score", &[("model", "alpha"), ("arm", "Bu")]), -57.0);
    // 11 of 13 agree; rows 5, 4, 4 and columns 4, 4, 5: pe = (20 + 16 + 20) / 169.
    let kappa = value(&output, "coder-agreement", "kappa", &[]);
    assert!((kappa - (143.0 - 56.0) / (169.0 - 56.0)).abs() < 1e-12);
    // Tiers of 30, 10 and 60 in the population: 0.8·30 + 0.75·10 + 60 = 91.5 of 100.
    assert!((value(&output, "coder-agreement", "weighted-agreement", &[]) - 0.915).abs() < 1e-12);
}

#[test]
fn every_fact_is_documented_and_unique() {
    let output = output(materials());
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
fn damage_is_told_and_the_rest_is_used() {
    let damaged = |role: &str, line: &str| {
        let mut materials = materials();
        materials.add(role, "zz.jsonl", line.as_bytes());
        output(materials).findings.into_iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    for (role, line, code) in [
        (records::ITEMS, "{\"item_id\": \"x\"}", "bad-item"),
        (
            records::ITEMS,
            "{\"item_id\": \"beam-f1\", \"family\": \"beam\", \"set\": \"main\", \"twin\": \"valid\"}",
            "duplicate-item",
        ),
        (
            records::ITEMS,
            "{\"item_id\": \"q\", \"family\": \"b\", \"set\": \"s\", \"twin\": \"valid\", \"datum\": 2, \"certificate\": 1}",
            "margin-contradicts",
        ),
        (records::CALLS, "{", "torn-file"),
        (
            records::CALLS,
            "{\"model\": \"m\", \"item_id\": \"beam-f1\", \"arm\": \"Bu\", \"status\": \"ok\"}",
            "bad-record",
        ),
        (
            records::CALLS,
            "{\"model\": \"m\", \"item_id\": \"none\", \"arm\": \"Bu\", \"status\": \"ok\", \"final\": true}",
            "unknown-id",
        ),
        (
            records::CALLS,
            "{\"model\": \"m\", \"item_id\": \"beam-f1\", \"arm\": \"Bu\", \"status\": \"ok\", \"final\": true}",
            "incomplete-cell",
        ),
        (records::PROBES, "{\"model\": \"m\", \"item_id\": \"beam-f1\"}", "bad-record"),
        (records::CODINGS, "[]", "bad-record"),
    ] {
        let codes = damaged(role, line);
        assert!(codes.contains(&code), "{line}: {codes:?}");
    }
}
