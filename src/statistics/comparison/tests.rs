//! Comparisons of small studies, counted by hand.

use super::Comparison;
use crate::statistics::Facts;
use crate::statistics::fixture::{Fixture, problem, variant};
use crate::table::to_csv;

fn declared(text: &str) -> crate::study::Comparison {
    toml::from_str(&format!("id = 'c'\ntitle = 'C'\n{text}")).unwrap()
}

/// Four problems under two protocols, one run each.
fn study(before: &str, after: &str) -> Fixture {
    let problems = ["p", "q", "r", "s"].map(|id| problem(id, if id < "r" { "x" } else { "y" }, "low", 1)).into();
    let mut study = Fixture::new(&[("a", "A", false), ("b", "B", false)])
        .set("core", "problems", None, problems)
        .experiment("code", "core", "code", 1)
        .experiment("prose", "core", "direct", 1)
        .run("code", "a", 1, before)
        .run("prose", "a", 1, after);
    study.study.comparisons =
        vec![declared("before = { experiment = 'code' }\nafter = { experiment = 'prose' }\nstrata = ['category']")];
    study
}

fn point(facts: &Facts, measure: &str, keys: &[(&str, &str)]) -> Option<f64> {
    facts.get("comparison", measure, keys).and_then(|fact| fact.estimate.point())
}

#[test]
fn both_lost_gained_neither_and_the_difference_close() {
    let facts = Facts::new(study("PPFF", "PFPF").compute(&Comparison).facts);
    let keys = [("comparison", "c"), ("model", "a")];
    let counts = ["pairs", "both", "lost", "gained", "neither"].map(|measure| point(&facts, measure, &keys));
    assert_eq!(counts, [4.0, 1.0, 1.0, 1.0, 1.0].map(Some));
    assert_eq!((point(&facts, "difference", &keys), point(&facts, "p", &keys)), (Some(0.0), Some(1.0)));
    // Category x holds p and q: one of two lost, -50 points.
    let x = [keys[0], keys[1], ("stratum", "category"), ("value", "x")];
    assert_eq!((point(&facts, "difference", &x), point(&facts, "lost", &x)), (Some(-50.0), Some(1.0)));
    let absent = facts.get("comparison", "difference", &[("comparison", "c"), ("model", "b")]).unwrap();
    assert_eq!(absent.estimate, crate::statistics::Estimate::undefined("code: 0 of 1 runs"));
}

#[test]
fn who_moved_is_named() {
    let tables = study("PPFF", "PFPP").compute(&Comparison).tables;
    let moved = to_csv(&tables[1]);
    let rows: Vec<&str> = moved.lines().skip(1).collect();
    assert_eq!(rows, ["c,a,q,lost,100.0,0.0", "c,a,r,gained,0.0,100.0", "c,a,s,gained,0.0,100.0"]);
    assert!(to_csv(&tables[0]).contains(",25.0,"), "three of four against two of four: 25 points");
}

#[test]
fn an_error_of_the_infrastructure_leaves_its_item_unmatched() {
    let facts = Facts::new(study("PPEF", "PFPF").compute(&Comparison).facts);
    let keys = [("comparison", "c"), ("model", "a")];
    assert_eq!((point(&facts, "pairs", &keys), point(&facts, "unmatched", &keys)), (Some(3.0), Some(1.0)));
}

#[test]
fn children_are_reduced_to_their_parent() {
    let variants = vec![variant("v1", "p", 1), variant("v2", "p", 2), variant("v3", "p", 3), variant("w1", "q", 1)];
    let mut study = Fixture::new(&[("a", "A", false)])
        .set("core", "problems", None, ["p", "q"].map(|id| problem(id, "x", "low", 1)).into())
        .set("numeric", "numeric-variants", Some("core"), variants)
        .experiment("core_code", "core", "code", 3)
        .experiment("numeric_code", "numeric", "code", 3);
    for (run, core, numeric) in [(1, "PP", "PPFF"), (2, "PP", "PPFP"), (3, "FP", "PFFP")] {
        study = study.run("core_code", "a", run, core).run("numeric_code", "a", run, numeric);
    }
    let arms = "before = { experiment = 'core_code' }\nafter = { experiment = 'numeric_code' }\nmatch = 'parent'\n";
    study.study.comparisons = vec![declared(arms)];
    let keys = [("comparison", "c"), ("model", "a")];
    let facts = Facts::new(study.compute(&Comparison).facts);
    // p: v1 PPP and v2 PPF solved, v3 not, so held; q: w1 FPP solved.
    assert_eq!((point(&facts, "both", &keys), point(&facts, "difference", &keys)), (Some(2.0), Some(0.0)));
    study.study.comparisons = vec![declared(&format!("{arms}reduce = 'mean'\n"))];
    let facts = Facts::new(study.compute(&Comparison).facts);
    // p: 2/3 before, (1 + 2/3 + 0)/3 = 5/9 after; q: 1 before, 2/3 after; mean of -1/9 and -1/3 is -2/9.
    let difference = point(&facts, "difference", &keys).unwrap();
    assert!((difference + 200.0 / 9.0).abs() < 1e-9, "{difference}");
    study.study.comparisons = vec![declared(&format!("{arms}reduce = 'all'\n"))];
    let facts = Facts::new(study.compute(&Comparison).facts);
    // All of three runs: only q before; nothing after.
    assert_eq!((point(&facts, "lost", &keys), point(&facts, "neither", &keys)), (Some(1.0), Some(1.0)));
}

#[test]
fn families_are_adjusted_together_and_clusters_flipped_over_all_configurations() {
    let mut study = study("PPPP", "FFFF").run("code", "b", 1, "PPPP").run("prose", "b", 1, "PPPF");
    let facts = Facts::new(study.compute(&Comparison).facts);
    let of =
        |facts: &Facts, measure: &str, model: &str| point(facts, measure, &[("comparison", "c"), ("model", model)]);
    // 4:0 gives 1/8, 1:0 gives 1; alone in their family of two: 2/8 and 1.
    assert_eq!(
        (of(&facts, "p", "a"), of(&facts, "holm", "a"), of(&facts, "holm", "b")),
        (Some(0.125), Some(0.25), Some(1.0))
    );
    // Clusters -1, -1, -1, -2: only the two patterns with all signs alike reach 5.
    assert_eq!(point(&facts, "sign-flip", &[("comparison", "c")]), Some(0.125));
    let mut other = declared("before = { experiment = 'code' }\nafter = { experiment = 'prose' }\nfamily = 'f'");
    other.id = "d".into();
    study.study.comparisons[0].family = Some("f".into());
    study.study.comparisons.push(other);
    let facts = Facts::new(study.compute(&Comparison).facts);
    // Four tests now: the smallest times 4.
    assert_eq!((of(&facts, "holm", "a"), point(&facts, "tests", &[("comparison", "c")])), (Some(0.5), Some(4.0)));
}

#[test]
fn one_run_against_another_and_one_configuration_against_another() {
    let mut study = Fixture::new(&[("a", "A", false), ("b", "B", false)])
        .set("core", "problems", None, ["p", "q"].map(|id| problem(id, "x", "low", 1)).into())
        .experiment("code", "core", "code", 2)
        .run("code", "a", 1, "PP")
        .run("code", "a", 2, "PF")
        .run("code", "b", 1, "FF")
        .run("code", "b", 2, "PF");
    let run = |n| format!("{{ experiment = 'code', run = {n} }}");
    let own = |key| format!("{{ experiment = 'code', configuration = '{key}' }}");
    study.study.comparisons = vec![declared(&format!("before = {}\nafter = {}", run(1), run(2)))];
    let facts = Facts::new(study.compute(&Comparison).facts);
    assert_eq!(point(&facts, "lost", &[("comparison", "c"), ("model", "a")]), Some(1.0));
    assert_eq!(point(&facts, "gained", &[("comparison", "c"), ("model", "b")]), Some(1.0));
    let text = format!("before = {}\nafter = {}\nreduce = 'any'", own("a"), own("b"));
    study.study.comparisons = vec![declared(&text)];
    let facts = Facts::new(study.compute(&Comparison).facts);
    // Any of two runs: a solves both problems, b the first.
    assert_eq!(point(&facts, "lost", &[("comparison", "c"), ("model", "b")]), Some(1.0));
    assert!(facts.get("comparison", "lost", &[("comparison", "c"), ("model", "a")]).is_none());
}

#[test]
fn two_judges_of_the_same_records() {
    use crate::archive::{Status, Verdict};
    let mut study = study("PPPP", "PPPP");
    for (at, record) in study.archive.runs[0].records.iter_mut().enumerate() {
        let strict = if at % 2 == 0 { Status::Pass } else { Status::Timeout };
        let verdict = |judge: &str, status| Verdict { judge: judge.into(), environment: None, status, inferred: false };
        record.verdicts = vec![verdict("base", Status::Pass), verdict("strict", strict)];
    }
    study.study.comparisons = vec![declared(
        "before = { experiment = 'code', judge = 'base' }\nafter = { experiment = 'code', judge = 'strict' }",
    )];
    let facts = Facts::new(study.compute(&Comparison).facts);
    let keys = [("comparison", "c"), ("model", "a")];
    assert_eq!((point(&facts, "both", &keys), point(&facts, "lost", &keys)), (Some(2.0), Some(2.0)));
}

#[test]
fn with_records_as_units_every_run_is_an_observation() {
    let problems = ["p", "q"].map(|id| problem(id, "x", "low", 1)).into();
    let mut study = Fixture::new(&[("a", "A", false)])
        .set("core", "problems", None, problems)
        .experiment("code", "core", "code", 3)
        .experiment("prose", "core", "direct", 3);
    for (number, before, after) in [(1, "PP", "FP"), (2, "PF", "FF"), (3, "PE", "PP")] {
        study = study.run("code", "a", number, before).run("prose", "a", number, after);
    }
    let arms = "before = { experiment = 'code' }\nafter = { experiment = 'prose' }\n";
    let counts = |study: &Fixture| {
        let facts = Facts::new(study.compute(&Comparison).facts);
        let keys = [("comparison", "c"), ("model", "a")];
        ["pairs", "both", "lost", "gained", "neither", "unmatched"].map(|m| point(&facts, m, &keys).unwrap())
    };
    // By majority: p is lost; q passes once of three before (its error is no pass) and twice after.
    study.study.comparisons = vec![declared(arms)];
    assert_eq!(counts(&study), [2.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    // By record: p is lost in runs 1 and 2 and stays in 3; q stays in 1, fails in 2, and has no partner in 3.
    study.study.comparisons = vec![declared(&format!("{arms}unit = 'records'\n"))];
    assert_eq!(counts(&study), [5.0, 2.0, 2.0, 0.0, 1.0, 1.0]);
}

#[test]
fn derived_records_are_paired_with_the_original_of_their_run() {
    let originals = vec![problem("p", "x", "low", 1)];
    let derived = vec![variant("p-1", "p", 1), variant("p-2", "p", 2)];
    let mut study = Fixture::new(&[("a", "A", false)])
        .set("core", "problems", None, originals)
        .set("numeric", "numeric-variants", Some("core"), derived)
        .experiment("code", "core", "code", 2)
        .experiment("other", "numeric", "code", 2);
    for (number, before, after) in [(1, "P", "PF"), (2, "F", "PP")] {
        study = study.run("code", "a", number, before).run("other", "a", number, after);
    }
    let arms =
        "before = { experiment = 'code' }\nafter = { experiment = 'other' }\nmatch = 'parent'\nunit = 'records'\n";
    study.study.comparisons = vec![declared(arms)];
    let facts = Facts::new(study.compute(&Comparison).facts);
    let keys = [("comparison", "c"), ("model", "a")];
    let counts = ["pairs", "both", "lost", "gained"].map(|m| point(&facts, m, &keys).unwrap());
    assert_eq!(counts, [4.0, 1.0, 1.0, 2.0]);
}
