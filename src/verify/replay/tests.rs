//! Replays against canned outcomes: agreement, every cause, the OR rule.

use std::sync::Arc;

use super::super::difference::Difference;
use super::super::ladder::{Level, LevelSummary};
use super::super::rows::Cause;
use super::super::unchecked::Unchecked;
use super::case::{Case, NotReplayable};
use super::stage::{Replayed, batch};
use crate::archive::{Actual, Attempt, AttemptOutcome, AttemptText, Hindrance, Record, RunKey, SubAnswer};
use crate::corpus::{Answer, Choice, Corpus, Problem, Set};
use crate::digest::Digest;
use crate::engine::fake::{Fake, answers};
use crate::engine::{Engine, Limit, Outcome, Program, Status};
use crate::grade::graders::Graders;
use crate::json::{Object, Value};
use crate::study::Study;
use crate::world::Silent;

const SOURCE: &str = "def solve():\n    return {}";

fn study() -> Study {
    let text = r#"
        [study]
        id = "t"
        title = "T"
        version = "1"
        date = "2026-01-01"
        description = "d"
        licence = "MIT"
        authors = [{ family = "F" }]
        [grading]
        tolerance = 0.05
        [[set]]
        id = "core"
        title = "Core"
        kind = "problems"
        path = "core.json"
        [[configuration]]
        key = "c"
        name = "C"
        backbone = "c"
        setting = "reasoning"
        [[experiment]]
        id = "core_code"
        folder = "e"
        set = "core"
        protocol = "code"
        runs = 1
        [[experiment]]
        id = "core_direct"
        folder = "d"
        set = "core"
        protocol = "direct"
        runs = 1
        [[experiment]]
        id = "core_option"
        folder = "o"
        set = "core"
        protocol = "option"
        runs = 1
    "#;
    toml::from_str(text).unwrap()
}

fn corpus() -> Corpus {
    let problem = Problem {
        answers: vec![Answer { sub: "1".into(), value: "2.5".into(), unit: "km".into() }],
        choice: Some(Choice {
            template: "".into(),
            options: ["1", "2.5", "3", "4"].map(str::to_owned).into(),
            key: Some("B".to_owned()),
        }),
        extra: Value::Object(Object::default()),
        ..Problem::blank("p".into())
    };
    let set = Set::new(
        "core".into(),
        crate::study::label("kind", "problems"),
        "Core".into(),
        "core.json".into(),
        Digest::of(b""),
        None,
        vec![problem],
    );
    Corpus { sets: vec![set] }
}

fn run(experiment: &str) -> RunKey {
    RunKey { experiment: experiment.into(), configuration: "c".into(), run: 1 }
}

/// A record whose single graded answer was `value` in `unit`.
fn record(value: f64, unit: &str, passed: bool) -> Record {
    let detail = SubAnswer {
        sub: "1".into(),
        expected: Arc::from([Arc::from("2.5")]),
        expected_units: Some(Arc::from([Arc::from("km")])),
        actual: Actual::Number(value),
        actual_unit: Some(unit.into()),
        passed,
    };
    Record { details: Some(vec![detail]), ..bare(passed, AttemptOutcome::Graded) }
}

fn bare(passed: bool, outcome: AttemptOutcome) -> Record {
    Record {
        passed: Some(passed),
        num_attempts: Some(1),
        attempts: Some(vec![Attempt { outcome, usage: None, response_bytes: 1, has_reasoning: false }]),
        ..Record::blank("p".into())
    }
}

fn replayed(experiment: &str, record: &Record, response: &str, outcomes: &[Outcome]) -> (LevelSummary, Replayed) {
    let (study, corpus) = (study(), corpus());
    let texts = [AttemptText { response: response.into(), ..AttemptText::default() }];
    let case = Case::new(Graders::CORE, &study, &corpus, &run(experiment), record, &texts).unwrap();
    let engines: Vec<Fake> = outcomes
        .iter()
        .enumerate()
        .map(|(n, outcome)| Fake::new(&format!("fake{n}")).with(&Program::new(SOURCE), outcome.clone()))
        .collect();
    let engines: Vec<&dyn Engine> = engines.iter().map(|engine| engine as &dyn Engine).collect();
    let mut summary = LevelSummary::new(Level::L2);
    let mut replayed = Replayed::default();
    batch(&study, &[case], &engines, &Silent, &mut summary, &mut replayed).unwrap();
    (summary, replayed)
}

fn code(record: &Record, outcome: Outcome) -> (Option<Cause>, Difference) {
    let (_, replayed) = replayed("core_code", record, &format!("```python\n{SOURCE}\n```"), &[outcome]);
    (replayed.records[0].cause, replayed.records[0].difference)
}

#[test]
fn the_same_value_unit_and_verdict_agree() {
    let (cause, difference) = code(&record(2.5, "km", true), answers(&[("1", "2.5", "km")]));
    assert_eq!((cause, difference), (None, Difference::BitIdentical));
    let (cause, difference) = code(&record(2.5, "km", true), answers(&[("1", "2.5000000000000004", "km")]));
    assert_eq!((cause, difference), (None, Difference::Ulps(1)));
}

#[test]
fn every_cause_is_told() {
    let right = record(2.5, "km", true);
    let ungradable = |reason: &str| bare(false, AttemptOutcome::Ungradable(reason.into(), Hindrance::recorded(reason)));
    let ok = || answers(&[("1", "2.5", "km")]);
    for (record, outcome, cause) in [
        (&right, answers(&[("1", "2.6", "km")]), Cause::Value),
        (&right, answers(&[("1", "2.5", "m")]), Cause::Value),
        (&right, answers(&[("1", "9.0", "km")]), Cause::Flip),
        (&right, Outcome::of(Status::Timeout), Cause::Timeout),
        (&right, Outcome::of(Status::Nondeterministic), Cause::Nondeterministic),
        (&right, Outcome::of(Status::MissingModule { name: "scipy".into() }), Cause::MissingModule),
        (&right, Outcome::of(Status::TooLarge), Cause::TooLarge),
        (&right, Outcome::of(Status::Forged), Cause::Forged),
        (&right, Outcome::of(Status::Killed { limit: Limit::Memory }), Cause::Killed),
        (&right, Outcome::of(Status::NoSolve), Cause::Outcome),
        (&ungradable("Execution timeout (> 10s)"), ok(), Cause::Timeout),
        (&ungradable("Unparseable solver output"), ok(), Cause::ResultChannel),
        (&ungradable("Runtime error"), ok(), Cause::Outcome),
    ] {
        assert_eq!(code(record, outcome).0, Some(cause));
    }
}

#[test]
fn another_block_that_gives_the_recorded_verdict_is_an_extraction_difference() {
    let response = format!("```python\nx = 1\n```\n```python\n{SOURCE}\n```");
    let (_, replayed) = replayed("core_code", &record(2.5, "km", true), &response, &[answers(&[("1", "2.5", "km")])]);
    assert_eq!(replayed.records[0].cause, Some(Cause::Extraction));
    assert!(replayed.attempts[0].extraction_differs);
}

#[test]
fn either_engine_may_reproduce_and_outside_causes_are_not_disagreements() {
    let response = format!("```python\n{SOURCE}\n```");
    let missing = Outcome::of(Status::MissingModule { name: "scipy".into() });
    let ok = answers(&[("1", "2.5", "km")]);
    let (summary, either) = replayed("core_code", &record(2.5, "km", true), &response, &[missing.clone(), ok]);
    assert_eq!((summary.agreed, summary.disagreed), (1, 0));
    assert_eq!(either.disagreements[0].cause, "missing-module");
    let (summary, _) = replayed("core_code", &record(2.5, "km", true), &response, &[missing]);
    assert_eq!(
        (summary.total, summary.checked, summary.not_checkable[&Unchecked::Ended(Cause::MissingModule)]),
        (1, 0, 1)
    );
}

#[test]
fn boxed_answers_are_read_again_without_an_engine_run() {
    let ok = || vec![Outcome::of(Status::NoSolve)];
    let (_, direct) = replayed("core_direct", &record(2.5, "km", true), "so \\boxed{2.5\\,\\text{km}}", &ok());
    assert_eq!(direct.records[0].cause, None);
    let none = bare(false, AttemptOutcome::Ungradable("no boxed answer".into(), Hindrance::Answer));
    let (_, direct) = replayed("core_direct", &none, "no idea", &ok());
    assert_eq!((direct.records[0].cause, direct.attempts[0].reason.as_deref()), (None, Some("no boxed answer")));
    // The study reads the number without its sign; a careful reader does not.
    let (_, direct) = replayed("core_direct", &record(2.5, "- km", true), "\\boxed{\u{2212}2.5\\,\\text{km}}", &ok());
    assert_eq!(direct.lenses[0].reason, crate::grade::Reason::ReaderArtefact);
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let (study, corpus) = (study(), corpus());
    let record = record(2.5, "km", true);
    let texts = [AttemptText { response: "x".into(), ..AttemptText::default() }];
    let why = |run: &RunKey, texts: &[AttemptText<'_>]| {
        Case::new(Graders::CORE, &study, &corpus, run, &record, texts).unwrap_err()
    };
    assert_eq!(why(&run("core_code"), &[]), NotReplayable::NoTexts);
    assert_eq!(why(&run("elsewhere"), &texts), NotReplayable::NoExperiment);
    let unknown = Record { id: "q".into(), ..record.clone() };
    assert_eq!(
        Case::new(Graders::CORE, &study, &corpus, &run("core_code"), &unknown, &texts).unwrap_err(),
        NotReplayable::NoProblem
    );
}

#[test]
fn a_recorded_pass_that_ends_badly_now_disagrees() {
    let response = format!("```python\n{SOURCE}\n```");
    let endings = [
        Status::Forged,
        Status::TooLarge,
        Status::Killed { limit: Limit::Memory },
        Status::Killed { limit: Limit::Crash },
        Status::NoSolve,
    ];
    for ending in endings {
        let word = ending.name().to_owned();
        let (summary, mut found) =
            replayed("core_code", &record(2.5, "km", true), &response, &[Outcome::of(ending.clone())]);
        assert_eq!((summary.checked, summary.disagreed, summary.not_checkable.len()), (1, 1, 0), "{ending:?}");
        assert!(!found.records[0].agrees && found.attempts[0].status.as_deref() == Some(word.as_str()), "{ending:?}");
        let told = found.finish(&mut LevelSummary::new(Level::L2));
        let told: Vec<_> = told.iter().filter(|finding| finding.code == "replay-differs").collect();
        assert!(told.len() == 1 && told[0].place.subject.is_some(), "{told:?}");
    }
}

#[test]
fn the_letter_of_an_option_is_read_from_the_text_and_judges_the_stored_score() {
    let ok = || vec![Outcome::of(Status::NoSolve)];
    let stored = |passed| bare(passed, AttemptOutcome::Graded);
    let text = "Answer: B. The answer depends on R.";
    for (passed, text, agrees) in [
        (false, text, false),
        (true, text, true),
        (true, "The answer is (C).", false),
        (false, "The answer is (C).", true),
    ] {
        let (summary, found) = replayed("core_option", &stored(passed), text, &ok());
        assert_eq!((summary.checked, summary.agreed), (1, usize::from(agrees)), "{passed} {text}");
        assert_eq!(found.records[0].cause, (!agrees).then_some(Cause::Flip), "{passed} {text}");
    }
    // No letter stands alone: nothing is read, and nothing is believed.
    let (study, corpus) = (study(), corpus());
    let texts = [AttemptText { response: "Because of B-splines, see Table.".into(), ..AttemptText::default() }];
    let why = Case::new(Graders::CORE, &study, &corpus, &run("core_option"), &stored(true), &texts);
    assert_eq!(why.unwrap_err(), NotReplayable::NoLetter);
}
