//! Grading what came back with the study's own rule, in the form in which it is stored.

use super::items::Item;
use super::json_text::{object, real, text};
use super::runner::{Returned, Runner};
use crate::archive::Actual;
use crate::grade::boxed::{Boxes, Quantity};
use crate::grade::{self, Grade, extract};
use crate::json::{Object, Value};

/// Relative tolerance of the study.
pub(super) const TOLERANCE: f64 = 0.05;

/// What became of one reply.
pub(super) enum Ending {
    /// It was graded.
    Graded {
        passed: bool,
        details: Value,
        /// Note of the reader of prose.
        note: Option<String>,
    },
    /// It could not be.
    Ungradable(String),
}

/// Grades a reply that should hold a program.
pub(super) fn code(item: &Item, reply: &str, runner: &Runner<'_>) -> Ending {
    let source = extract::program(reply);
    if source.is_empty() {
        return Ending::Ungradable("no code in response".to_owned());
    }
    match runner.returned(source) {
        Ok(returned) => graded(item, returned, None),
        Err(reason) => Ending::Ungradable(reason.chars().take(200).collect()),
    }
}

/// Grades a reply in prose.
pub(super) fn direct(item: &Item, reply: &str) -> Ending {
    let boxes = match Boxes::read(reply, super::items::subs(item).len()) {
        Ok(boxes) => boxes,
        Err(error) => return Ending::Ungradable(error.to_string()),
    };
    let answers = match boxes.answers() {
        Ok(answers) => answers,
        Err(error) => return Ending::Ungradable(error.to_string()),
    };
    let entry = |(position, quantity): (usize, &Quantity)| {
        let entry = object([("value", real(quantity.value)), ("unit", text(&quantity.unit))]);
        ((position + 1).to_string(), entry)
    };
    let returned: Returned = answers.into_iter().enumerate().map(entry).collect();
    graded(item, &returned, Some(boxes.note()))
}

fn graded(item: &Item, returned: &Returned, note: Option<String>) -> Ending {
    if returned.is_empty() {
        let details = Value::List(vec![object([("error", text("empty results"))])]);
        return Ending::Graded { passed: false, details, note };
    }
    let grade = grade::verify(&item.answers, returned, TOLERANCE);
    Ending::Graded { passed: grade.passed, details: details(item, &grade), note }
}

fn details(item: &Item, grade: &Grade) -> Value {
    let rows = grade.subs.iter().map(|mark| {
        let accepted = || item.answers.iter().filter(|answer| answer.sub == mark.sub);
        let mut row: Object = Object::default();
        row.insert("sub".to_owned(), text(&*mark.sub));
        row.insert("expected".to_owned(), Value::List(accepted().map(|answer| text(&*answer.value)).collect()));
        row.insert("expected_units".to_owned(), Value::List(accepted().map(|answer| text(&*answer.unit)).collect()));
        let actual = match &mark.actual {
            Actual::Missing => Value::Null,
            Actual::Number(value) => real(*value),
            Actual::Text(words) => text(&**words),
        };
        row.insert("actual".to_owned(), actual);
        row.insert("actual_unit".to_owned(), mark.actual_unit.as_deref().map_or(Value::Null, text));
        row.insert("passed".to_owned(), Value::Bool(mark.passed));
        Value::Object(row)
    });
    Value::List(rows.collect())
}
