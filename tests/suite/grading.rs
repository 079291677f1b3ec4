//! The reference lens against the study's own verdicts (6,000 recorded cases).

use std::collections::BTreeMap;
use std::sync::Arc;

use repro::archive::{Actual, SubAnswer};
use repro::corpus::Answer;
use repro::grade::{self, Overflow, python};
use repro::json::Value;

use crate::shared::{lines, parse};

/// A number that JSON may hold as text (`"nan"`).
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| python::float(value.as_text().unwrap()).unwrap())
}

/// A recorded verdict: true, false, or the error with which the study's program ends.
fn recorded(value: &Value) -> Result<bool, Overflow> {
    value.as_bool().ok_or(Overflow)
}

fn text(value: Option<&Value>) -> Arc<str> {
    value.map_or_else(|| "".into(), |value| python::text(value).into())
}

fn cases(kind: &str) -> Vec<Value> {
    let all = lines("grader/grader-cases.jsonl");
    all.into_iter().filter(|case| case.get("kind").unwrap().as_text() == Some(kind)).collect()
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_comparison_is_decided_alike() {
    let cases = cases("sub");
    assert_eq!(cases.len(), 5000);
    for case in &cases {
        let get = |name: &str| case.get(name).unwrap();
        let (expected, unit) = (python::text(get("expected")), python::text(get("expected_unit")));
        let (actual, actual_unit) = (number(get("actual")), python::text(get("actual_unit")));
        let tolerance = number(get("tol"));
        let verdict = get("verdict");
        let by_number = grade::plain(&expected, actual).map(|distance| distance.within(tolerance));
        assert_eq!(by_number, recorded(verdict.get("compare").unwrap()), "compare {case:?}");
        let by_unit = grade::through_units(&expected, &unit, actual, &actual_unit)
            .map(|found| found.is_some_and(|(_, distance)| distance.within(tolerance)));
        assert_eq!(by_unit, recorded(verdict.get("reconcile").unwrap()), "reconcile {case:?}");
        let accepted = [grade::Accepted { value: &expected, unit: &unit }];
        let passed = grade::decide(accepted, actual, &actual_unit, tolerance).map(|step| step.is_some());
        assert_eq!(passed, recorded(verdict.get("pass").unwrap()), "pass {case:?}");
    }
}

fn answers(case: &Value) -> Vec<Answer> {
    let entries = case.get("sub_answers").unwrap().as_list().unwrap();
    entries
        .iter()
        .map(|entry| Answer {
            sub: text(entry.get("sub")),
            value: text(entry.get("value")),
            unit: text(entry.get("unit")),
        })
        .collect()
}

/// Compares one mark with its recorded row, value and unit included.
fn assert_row(mark: &grade::SubGrade, row: &Value, case: &Value) {
    assert_eq!(&*mark.sub, row.get("sub").unwrap().as_text().unwrap());
    assert_eq!(Some(mark.passed), row.get("passed").unwrap().as_bool(), "{case:?}");
    match (&mark.actual, row.get("actual").unwrap()) {
        (Actual::Missing, Value::Null) => {}
        (Actual::Number(ours), Value::Number(theirs)) => {
            assert_eq!(ours.to_bits(), theirs.as_f64().to_bits(), "{case:?}");
        }
        (Actual::Text(ours), Value::Text(theirs)) => assert_eq!(&**ours, theirs),
        (ours, theirs) => panic!("{ours:?} for {theirs:?} in {case:?}"),
    }
    match row.get("actual_unit").unwrap() {
        Value::Null => assert_eq!(mark.actual_unit, None),
        unit => assert_eq!(mark.actual_unit.as_deref(), Some(&*python::text(unit))),
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_problem_is_graded_alike() {
    let cases = cases("verify");
    assert_eq!(cases.len(), 500);
    for case in &cases {
        let returned = parse(case.get("results_json").unwrap().as_text().unwrap());
        let returned: Vec<_> = returned.as_object().unwrap().iter().map(|(k, v)| (k.to_owned(), v.clone())).collect();
        let grade = grade::verify(&answers(case), &returned, number(case.get("tol").unwrap()));
        let Some(details) = case.get("details_json") else {
            // The study's program ends here with an OverflowError; we grade the other sub-answers.
            assert_eq!(case.get("raises").unwrap().as_text(), Some("OverflowError"));
            assert!(grade.overflow && !grade.passed, "{case:?}");
            continue;
        };
        assert_eq!(Some(grade.passed), case.get("passed").unwrap().as_bool(), "{case:?}");
        assert!(!grade.overflow);
        let details = parse(details.as_text().unwrap());
        let rows: Vec<_> = details.as_list().unwrap().iter().filter(|row| row.get("error").is_none()).collect();
        assert_eq!(rows.len(), grade.subs.len());
        for (mark, row) in grade.subs.iter().zip(rows) {
            assert_row(mark, row, case);
        }
    }
}

fn stored(row: &Value) -> Option<SubAnswer> {
    let texts = |value: &Value| value.as_list().map(|items| items.iter().map(|v| python::text(v).into()).collect());
    let actual = match row.get("actual").unwrap_or(&Value::Null) {
        Value::Null => Actual::Missing,
        Value::Bool(flag) => Actual::Number(f64::from(u8::from(*flag))),
        Value::Number(number) => Actual::Number(number.as_f64()),
        other => Actual::Text(python::text(other).into()),
    };
    Some(SubAnswer {
        sub: text(Some(row.get("sub")?)),
        expected: row.get("expected").and_then(texts)?,
        expected_units: row.get("expected_units").and_then(texts),
        actual,
        actual_unit: row.get("actual_unit").map(|unit| python::text(unit).into()),
        passed: false,
    })
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_regrade_is_decided_alike() {
    let cases = cases("detail");
    assert_eq!(cases.len(), 500);
    for case in &cases {
        let rows = parse(case.get("details_json").unwrap().as_text().unwrap());
        let rows = rows.as_list().unwrap();
        // A row without reference values can never be right, whatever the others are.
        let details: Option<Vec<_>> = rows.iter().map(stored).collect();
        let details = details.unwrap_or_default();
        let tolerance = number(case.get("tol").unwrap());
        let verdict = case.get("passed").unwrap().as_bool();
        assert_eq!(Some(grade::regrade(&details, &BTreeMap::new(), tolerance).passed), verdict, "{case:?}");
        assert_eq!(Some(grade::sweep(&details, &BTreeMap::new(), &[tolerance])[0]), verdict, "{case:?}");
    }
}
