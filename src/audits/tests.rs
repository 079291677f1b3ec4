//! Each audit on a small study: what it finds, and that it finds nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::claims;
use crate::corpus::{Answer, Problem, Shortcut};
use crate::documents;
use crate::engine::Status;
use crate::statistics::fixture::Fixture;
use crate::statistics::{Basis, Estimate, Fact, Facts};
use crate::verify::faithfulness::{self, Movement, ParameterAudit, SolverAudit};

#[test]
fn every_audit_says_what_it_is_and_has_a_registered_code() {
    let mut seen = BTreeSet::new();
    for audit in ALL {
        let about = audit.about();
        assert!(seen.insert(about.id) && crate::report::code(about.code).is_some(), "{}", about.id);
        assert!(about.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", about.id);
        assert!(about.question.ends_with('?') && about.method.ends_with('.'), "{}", about.id);
        assert!(!about.items.is_empty() && !about.nothing.is_empty() && !about.nothing.ends_with('.'), "{}", about.id);
    }
}

/// What the audits see in a study with documents, facts and a ledger.
fn seen(
    fixture: &Fixture,
    documents: &[(&str, &str)],
    facts: Vec<Fact>,
    ledger: &str,
) -> BTreeMap<&'static str, Looked> {
    let facts = Facts::new(facts);
    let sources = Sources::new(&fixture.study, &facts, &[], &fixture.published);
    let text = format!("format = \"repro-claims/1\"\n{ledger}");
    let (ledger, told) = claims::read("claims.toml", text.as_bytes());
    assert!(told.is_empty(), "{told:?}");
    let judgements = claims::judge(&[ledger], &sources);
    let documents: Vec<Document> =
        documents.iter().map(|(name, text)| documents::read(name, text.as_bytes(), &|_| None).0.unwrap()).collect();
    let subject = Subject {
        study: &fixture.study,
        corpus: &fixture.corpus,
        ladder: &fixture.ledger,
        judgements: &judgements,
        sources: &sources,
        documents: &documents,
    };
    audit(&subject).into_iter().map(|audited| (audited.about.id, audited.looked)).collect()
}

fn of_documents(documents: &[(&str, &str)]) -> BTreeMap<&'static str, Looked> {
    seen(&Fixture::new(&[]), documents, Vec::new(), "")
}

fn says(looked: &Looked) -> Vec<&str> {
    looked.raised.iter().map(|raised| raised.says.as_str()).collect()
}

#[test]
fn without_anything_to_look_at_nothing_is_checkable() {
    for (id, looked) in seen(&Fixture::new(&[]), &[], Vec::new(), "") {
        assert_eq!((looked.checked, looked.raised.len()), (0, 0), "{id}");
    }
    let nothing = Audited { about: ALL[0].about(), looked: Looked::default() };
    assert_eq!(nothing.line(), "Not checkable: no problem has a shortcut stored with it.");
}

fn problem(id: &str, value: &str, unit: &str) -> Problem {
    let answer = Answer { sub: "1".into(), value: value.into(), unit: unit.into() };
    Problem { answers: vec![answer], ..Problem::blank(id.into()) }
}

fn with_shortcut(problem: Problem, value: f64) -> Problem {
    let shortcut = Shortcut {
        family: "f".into(),
        words: "w".into(),
        program: None,
        values: vec![("1".into(), value)],
        separation: None,
    };
    Problem { shortcut: Some(shortcut), ..problem }
}

fn derived(problem: Problem, parent: &str) -> Problem {
    Problem { parent: Some(parent.into()), ..problem }
}

/// Planted faults are found by their problem, and the sound problem beside each is not raised.
#[test]
fn faults_of_accepted_answers_are_found_and_nothing_else() {
    let fixture = Fixture::new(&[])
        .set(
            "core",
            "problems",
            None,
            vec![
                problem("sound", "300", "K"),
                problem("zero", "0", "m/s"),
                // Five percent of 278.65 K are 13.9 degrees: half and twice 5.5 are inside.
                problem("cool", "5.5", "°C"),
                // The study's rule divides by no less than 1e-15.
                problem("tiny", "1e-19", "cm^3"),
                problem("charge", "25", "C"),
            ],
        )
        .set(
            "numeric",
            "numeric-variants",
            Some("core"),
            vec![
                derived(problem("sound_v1", "306", "K"), "sound"),
                derived(problem("sound_v3", "295", "K"), "sound"),
                derived(problem("sound_v2", "330", "K"), "sound"),
                derived(problem("sound_same", "300", "K"), "sound"),
            ],
        )
        .set(
            "tricks",
            "tricks",
            Some("core"),
            vec![
                with_shortcut(problem("caught", "100", "m"), 150.0),
                with_shortcut(problem("passes", "100", "m"), 104.0),
                // Published values: 12.74 and 10.1 degrees are 0.9 % apart in kelvin.
                with_shortcut(problem("warm", "12.74", "°C"), 10.1),
            ],
        );
    let seen = seen(&fixture, &[], Vec::new(), "");
    let ids = |audit: &str| -> Vec<&str> {
        seen[audit].raised.iter().map(|raised| raised.place.subject.as_deref().unwrap()).collect()
    };
    assert_eq!((seen["shortcuts"].checked, ids("shortcuts")), (3, vec!["passes", "warm"]));
    assert_eq!((seen["parent-answers"].checked, ids("parent-answers")), (3, vec!["sound_v1"]));
    let inherited = &seen["parent-answers"].raised[0].says;
    assert!(
        inherited.ends_with("; likewise 1 more answer or program of this problem and of those that derive from it"),
        "{inherited}"
    );
    assert_eq!(ids("units"), ["C"]);
    assert_eq!((seen["wrong-constants"].checked, ids("wrong-constants")), (11, vec!["cool", "tiny", "charge", "warm"]));
    let cool = &seen["wrong-constants"].raised[0].says;
    assert!(cool.starts_with("twice the answer, half the answer, a tenth of the answer"), "{cool}");
}

/// An input that moves nothing is raised where others of its program move an answer; a program that computes nothing,
/// or whose inputs all matter, is not.
#[test]
fn inputs_that_move_nothing_are_found() {
    let row = |id: &str, computes: bool, movements: &[Movement]| {
        let parameter = |(at, movement): (usize, &Movement)| {
            let name = format!("x{at}");
            ParameterAudit { name, default: Some(1.0), movement: *movement, unread: false }
        };
        let audit = faithfulness::Audit {
            id: id.to_owned(),
            status: Status::Ok,
            fault: None,
            parameters: movements.iter().enumerate().map(parameter).collect(),
            unexplained: Vec::new(),
            literal_answers: Vec::new(),
            constant_answers: Vec::new(),
            computed_answers: vec!["1".to_owned()],
            invariant: faithfulness::Invariant::NotApplicable,
        };
        SolverAudit { set: "core".into(), shortcut: false, computes: Some(computes), audit }
    };
    let mut fixture =
        Fixture::new(&[]).set("core", "problems", None, vec![problem("p", "1", ""), problem("q", "1", "")]);
    fixture.ledger.audits = vec![
        row("p", true, &[Movement::Moves, Movement::Ignored]),
        row("q", true, &[Movement::Moves, Movement::Fragile, Movement::NotPerturbed]),
        row("q", false, &[Movement::Ignored]),
    ];
    let looked = &seen(&fixture, &[], Vec::new(), "")["inputs"];
    assert_eq!((looked.checked, says(looked)), (5, vec!["x1 of the program moves no answer"]));
}

#[test]
fn captions_are_held_against_their_tables() {
    let table = |caption: &str, rows: usize| {
        let rows: String = (1..=rows).map(|n| format!("| M{n} | {n} |\n")).collect();
        format!("# T\n\n{caption}\n\n| Model | n |\n| --- | --- |\n{rows}| Mean | 4 |\n")
    };
    let look = |caption: &str, rows: usize| of_documents(&[("a.md", &table(caption, rows))])["captions"].clone();
    assert_eq!(
        says(&look("Table 1. Accuracy of nine models.", 8)),
        ["the caption says nine models, and the table lists 8"]
    );
    assert_eq!(
        says(&look("Table 1. n = 37 in all.", 8)),
        ["the caption says n = 37, and the column of n adds up to 36"]
    );
    for (caption, rows) in [
        ("Table 1. Accuracy of eight models.", 8),
        ("Table 1. n = 36 in all.", 8),
        // One row more is the mean, which is no model; a count that is far off counts something else.
        ("Table 1. Accuracy of nine models with their mean.", 9),
        ("Table 1. The best three models stand first.", 8),
        ("Table 1. n = 436 problems behind each row.", 8),
        ("In nine models this is seen.", 8),
    ] {
        assert_eq!(says(&look(caption, rows)), Vec::<&str>::new(), "{caption}");
    }
    assert_eq!(look("Table 1. Accuracy of eight models.", 8).checked, 1);
}

#[test]
fn percentages_that_no_count_gives_are_found() {
    let look = |text: &str| of_documents(&[("a.md", text)])["percentages"].clone();
    // Published in the audit of a benchmark: 83.7 % of 287 steps is no count of steps.
    assert_eq!(says(&look("It is 83.7% of the 287 steps.\n")), ["no count out of 287 is 83.7 %"]);
    assert_eq!(says(&look("It is 240 of 287 (83.7%).\n")), ["240 of 287 is 83.62 %, and 83.7 % is printed"]);
    for text in [
        "It is 83.6% of the 287 steps.\n",
        "It is 240 of 287 (83.6%).\n",
        "It is 83.6% (240 of 287).\n",
        "It leaves 47 of 287 (83.6%).\n",
        "It is about 83.7% of the 287 steps.\n",
        "It is 5% of 2026-01-01.\n",
        "Within 5% of an accepted answer, 436 of them.\n",
        "It is more than 12% of 30.\n",
    ] {
        assert_eq!(says(&look(text)), Vec::<&str>::new(), "{text}");
    }
    let column = |odd: &str| {
        format!(
            "| s | n | share (%) |\n| --- | --- | --- |\n| a | 8 | 12.5 |\n| b | 16 | 6.3 |\n| c | 20 | 45.0 |\n| d | 25 | 36.0 |\n| e | 12 | {odd} |\n"
        )
    };
    assert_eq!(says(&look(&column("84.3"))), ["no count out of 12 is 84.3 %"]);
    assert_eq!((says(&look(&column("83.3"))), look(&column("83.3")).checked), (vec![], 5));
}

fn fact(statistic: &'static str, measure: &'static str, model: &str, value: f64) -> Fact {
    let keys = [("model", model), ("set", "core"), ("protocol", "code")];
    let keys = keys.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    Fact { statistic, measure, keys, estimate: Estimate::value(value), basis: Basis::Records }
}

fn claim(id: &str, source: &str, unit: &str, value: &str, from: &str) -> String {
    format!(
        "[[claim]]\nid = \"{id}\"\nstatement = \"S.\"\nsource = \"{source}\"\nunit = \"{unit}\"\nvalue = \"{value}\"\nfrom = \"{from}\"\n"
    )
}

/// How a wrong number came about is found; numbers that follow, and those that are wrong in another way, are left.
#[test]
fn the_origin_of_a_wrong_number_is_found() {
    let facts = || {
        vec![
            fact("accuracy-mean-sd", "mean", "a", 91.548),
            fact("majority-of-3", "percent", "a", 93.1),
            fact("accuracy-mean-sd", "mean", "b", 90.951),
            fact("accuracy-mean-sd", "mean", "c", 91.446),
        ]
    };
    let mean = |model: &str| format!("accuracy-mean-sd.mean{{model={model}, set=core, protocol=code}}");
    let ledger = [
        claim("is-majority", "x.md", "percent", "93.1", &mean("a")),
        claim("right", "y.md", "percent", "91.5", &mean("a")),
        // 91.446 is 91.45 and then 91.5; rounded once it is 91.4.
        claim("twice", "x.md", "percent", "91.5", &mean("c")),
        // 91.5 - 91.0 = 0.5, and the difference is 0.597.
        claim("before", "x.md", "points", "0.5", &format!("{} - {}", mean("a"), mean("b"))),
        claim("other", "x.md", "percent", "12.3", &mean("b")),
    ];
    let seen = seen(&Fixture::new(&[]), &[], facts(), &ledger.concat());
    let raised = |audit: &str| -> Vec<(&str, Origin)> {
        let of = |raised: &'_ Raised| raised.origin.clone().unwrap();
        seen[audit].raised.iter().map(|raised| (raised.place.subject.as_deref().unwrap(), of(raised))).collect()
    };
    assert_eq!(
        raised("mean-or-majority"),
        [(
            "is-majority",
            Origin::OtherAggregate { printed: "share solved by the majority of runs", meant: "mean over runs" }
        )]
    );
    assert_eq!(seen["mean-or-majority"].checked, 2);
    assert_eq!(
        raised("rounded-twice"),
        [("before", Origin::RoundedBefore { decimals: 1 }), ("twice", Origin::RoundedTwice { first: 2 })]
    );
    assert_eq!(seen["rounded-twice"].checked, 5);
    assert_eq!(
        raised("old-copies"),
        [("is-majority", Origin::OldCopy { current: "91.5".to_owned(), place: "y.md".to_owned() })]
    );
    assert_eq!(seen["old-copies"].checked, 1);
}
