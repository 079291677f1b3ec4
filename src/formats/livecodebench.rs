//! Submissions of LiveCodeBench: a list of problems with programs, verdicts per sample and the share that passed.
//!
//! See `docs/formats/livecodebench.md`.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{configuration, experiment, set};
use super::items::{self, Item};
use super::lists::{self, Asked};
use super::{About, Declared, Format, Guess, Listing, Part, Request, Sink, arms, identity, study};
use crate::archive::{AttemptText, Record, Recount, RunKey, Status};
use crate::corpus::Problem;
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Number, Reader, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, Experiment, FilePart, Judge};

/// The format.
pub(super) struct LiveCodeBench;

const ID: &str = "livecodebench";

/// Name of the one judge.
const JUDGE: &str = "tests";

/// Largest number of samples of a problem; a sample is a run, and no study has more.
const MOST_SAMPLES: usize = 10_000;

static ABOUT: About = About {
    title: "LiveCodeBench submissions",
    reads: "Lists of problems with programs (`code_list`), verdicts (`graded_list`), the share that passed and an account of \
            each failure, with difficulty, platform and date of the contest.",
    cannot_check: "Programs are not run again: the hidden tests are not part of a submission; of a failure at most one input is.",
};

impl Format for LiveCodeBench {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let paths = lists::files(listing, is_problem);
        // Every submission has the same file name; the folder is whose it is.
        let folders: Vec<&str> =
            paths.iter().map(|path| path.rsplit_once('/').map_or(*path, |(folder, _)| folder)).collect();
        let distinct: BTreeSet<&str> = folders.iter().copied().collect();
        let names = if distinct.len() == paths.len() { arms(&folders) } else { arms(&paths) };
        lists::guess(ID, "submission", &paths, names, "problems with question_id, code_list and graded_list")
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        declare(listing, &guess.parts)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        lists::read(request, sink, read);
    }
}

fn is_problem(value: &Value) -> bool {
    let list = |name: &str| value.get(name).is_some_and(|value| value.as_list().is_some());
    value.get("question_id").is_some() && list("graded_list") && (list("code_list") || list("output_list"))
}

fn declare(listing: &Listing<'_>, parts: &[Part]) -> Declared {
    let mut declared =
        study(identity(ID, "LiveCodeBench submissions", "Programs for problems of programming contests."));
    declared.sets.push(set(ID, "LiveCodeBench", "", ID));
    let mut own = experiment("code-generation", ID, ID);
    for part in parts {
        let arm = part.arm.as_deref().unwrap_or(ID);
        items::look(listing.source(), &part.path, &[], &mut |item| {
            if let Item::Element(_, _, value) = item {
                let graded = value.get("graded_list").and_then(Value::as_list).map_or(0, <[Value]>::len);
                own.runs = own.runs.max(graded.min(MOST_SAMPLES) as u32);
            }
        });
        own.files.push(FilePart { path: part.path.clone(), configuration: Some(arm.into()), run: None, role: None });
        own.configurations.push(arm.into());
        declared.configurations.push(configuration(arm));
    }
    declared.judges = vec![Judge {
        id: JUDGE.to_owned(),
        title: "Hidden tests".to_owned(),
        headline: true,
        rule: Some("A program passes when it gives the expected output for every hidden test in time.".to_owned()),
    }];
    let pass =
        |k: u32| Estimator { id: format!("pass@{k}"), kind: EstimatorKind::PassAtK, k: Some(k), headline: k == 1 };
    declared.estimators = [1, 5, 10].into_iter().filter(|k| *k <= own.runs).map(pass).collect();
    declared.experiments.push(own);
    Declared { study: declared, assumed: vec!["samples of a problem are in the order of its lists".to_owned()] }
}

fn read(asked: Asked<'_, '_>, sink: &mut dyn Sink) {
    let Asked { request, experiment, key, path, told } = asked;
    items::read(request.source, path, &[], sink, &mut |sink, item| {
        let Item::Element(position, byte, value) = item else {
            return sink.finding(Finding::new("bad-run", Place::file(path), "it is not a list of problems"));
        };
        let place = Place::file(path).with_record(position);
        let id = match value.get("question_id") {
            Some(Value::Text(id)) => id.clone(),
            Some(id @ Value::Number(_)) => id.python_text(),
            _ => return sink.finding(Finding::new("bad-record", place.with_byte(byte), "it has no question_id")),
        };
        let place = place.with_subject(id.as_str());
        if told.insert(id.clone()) {
            sink.problem(&experiment.set, problem(&id, &value), place.clone());
        }
        let list = |name: &str| value.get(name).and_then(Value::as_list).unwrap_or_default();
        let graded = list("graded_list");
        if graded.len() > MOST_SAMPLES {
            let message = format!("{} samples are more than any study has", graded.len());
            return sink.finding(Finding::new("bad-record", place.with_byte(byte), message));
        }
        for name in ["code_list", "output_list", "metadata"] {
            let there = list(name).len();
            if there > 0 && there != graded.len() {
                let message = format!("{name} has {there} entries and graded_list {}", graded.len());
                sink.finding(Finding::new("bad-member", place.clone().with_byte(byte), message));
            }
        }
        let (programs, accounts) = (list("code_list"), list("metadata"));
        let answers = if programs.is_empty() { list("output_list") } else { programs };
        let mut marks = Vec::new();
        for (sample, mark) in graded.iter().enumerate() {
            let passed = mark_of(mark);
            marks.extend(passed);
            if passed.is_none() {
                let message = format!("the verdict of sample {sample} is neither true nor false");
                sink.finding(Finding::new("bad-member", place.clone().with_byte(byte), message));
            }
            let answer = answers.get(sample).and_then(Value::as_text).unwrap_or_default();
            let record = record(&id, sample as u32, passed, answer, accounts.get(sample));
            let text = AttemptText { response: answer.into(), ..AttemptText::default() };
            let run = RunKey { experiment: experiment.id.clone(), configuration: key.clone(), run: sample as u32 + 1 };
            sink.record(run, record, &[text], place.clone());
        }
        if let Some((name, stored)) = share(&value) {
            sink.recount(recount(experiment, key, &id, name, stored, &marks, place));
        }
    });
}

/// A verdict: true or false; older files have one result per test, of which all must be right.
fn mark_of(mark: &Value) -> Option<bool> {
    match mark {
        Value::Bool(passed) => Some(*passed),
        Value::List(tests) => {
            let right =
                |test: &Value| matches!(test, Value::Bool(true)) || test.as_f64().is_some_and(|code| code > 0.0);
            Some(!tests.is_empty() && tests.iter().all(right))
        }
        _ => None,
    }
}

fn share(value: &Value) -> Option<(&'static str, &Number)> {
    ["pass@1", "pass1"].into_iter().find_map(|name| Some((name, value.get(name)?.as_number()?)))
}

/// The stored share of a problem against its verdicts; above 1 it is percent.
fn recount(
    experiment: &Experiment,
    key: &ConfigKey,
    id: &str,
    name: &str,
    stored: &Number,
    marks: &[bool],
    place: Place,
) -> Recount {
    let right = marks.iter().filter(|mark| **mark).count() as f64;
    let scale = if stored.as_f64() > 1.0 { 100.0 } else { 1.0 };
    let again = if marks.is_empty() {
        Err("the problem has no verdict".into())
    } else {
        Ok((scale * right / marks.len() as f64, marks.len()))
    };
    Recount {
        metric: name.into(),
        judge: None,
        experiment: experiment.id.clone(),
        configuration: key.clone(),
        stratum: [("problem".into(), id.into())].into_iter().collect(),
        stored: stored.as_f64(),
        printed: stored.literal().into(),
        again,
        place,
    }
}

/// Statement and strata: difficulty, platform, and the month of the contest, which is what windows are made of.
fn problem(id: &str, value: &Value) -> Problem {
    let text = |name: &str| value.get(name).and_then(Value::as_text).filter(|text| !text.is_empty());
    let mut labels: BTreeMap<_, _> = BTreeMap::new();
    for name in ["difficulty", "platform"] {
        labels.extend(text(name).map(|value| (name.into(), value.into())));
    }
    let month = text("contest_date").and_then(|date| date.get(..7)).filter(|month| month.as_bytes()[4] == b'-');
    labels.extend(month.map(|month| ("month".into(), month.into())));
    Problem {
        statement: text("question_content").unwrap_or_default().to_owned(),
        difficulty: text("difficulty").map(Into::into),
        labels,
        ..Problem::blank(ProblemId::from(id))
    }
}

fn record(id: &str, sample: u32, passed: Option<bool>, answer: &str, account: Option<&Value>) -> Record {
    let account = account.and_then(account_of);
    let status = match (passed, account.as_ref().map(|account| account.0)) {
        (Some(true), _) => Status::Pass,
        (Some(false), _) if answer.trim().is_empty() => Status::Empty,
        // Codes of the harness: -3 is out of time, -4 an exception of the program.
        (Some(false), Some(Some(-3))) => Status::Timeout,
        (Some(false), Some(Some(-4))) => Status::Error,
        (Some(false), _) => Status::Fail,
        (None, _) => Status::NotGraded,
    };
    let failed_reason = account.and_then(|(_, message)| message).map(Into::into);
    Record { failed_reason, ..lists::judged(id, sample, JUDGE, status, answer) }
}

/// Error code and message of a failure: an object, or JSON inside a text.
fn account_of(value: &Value) -> Option<(Option<i64>, Option<String>)> {
    let inner;
    let object = match value {
        Value::Text(text) => {
            inner = Reader::new(text.as_bytes()).value().ok()?;
            &inner
        }
        other => other,
    };
    let code = object.get("error_code").and_then(Value::as_number).and_then(|code| code.literal().parse().ok());
    let message = object.get("error_message").and_then(Value::as_text).map(str::to_owned);
    Some((code, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Value {
        Reader::new(text.as_bytes()).value().unwrap()
    }

    #[test]
    fn an_account_is_json_inside_a_text() {
        let text = of(r#""{\"error_code\": -3, \"error_message\": \"Time Limit Exceeded\"}""#);
        assert_eq!(account_of(&text), Some((Some(-3), Some("Time Limit Exceeded".to_owned()))));
        assert_eq!(account_of(&of("\"no json\"")), None);
        let late = record("p", 0, Some(false), "x", Some(&text));
        assert_eq!(late.verdicts[0].status, Status::Timeout);
        assert_eq!(record("p", 0, Some(false), " ", None).verdicts[0].status, Status::Empty);
    }

    #[test]
    fn verdicts_are_flags_or_one_code_per_test() {
        assert_eq!(mark_of(&of("true")), Some(true));
        assert_eq!(mark_of(&of("[true, 1]")), Some(true));
        assert_eq!(mark_of(&of("[true, -2]")), Some(false));
        assert_eq!(mark_of(&of("[]")), Some(false));
        assert_eq!(mark_of(&of("\"yes\"")), None);
    }

    #[test]
    fn a_share_is_a_fraction_or_percent() {
        let own = experiment("e", "s", ID);
        let agrees = |stored: &str| {
            let number = Number::from_literal(stored);
            recount(&own, &"c".into(), "p", "pass@1", &number, &[true, false], Place::default()).agrees()
        };
        assert_eq!([agrees("0.5"), agrees("50.0"), agrees("0.6")], [Some(true), Some(true), Some(false)]);
    }
}
