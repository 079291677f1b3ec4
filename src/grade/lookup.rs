//! Finding the returned entry of a sub-answer, as the study does it: by key, else by position.

use std::sync::Arc;

use super::outcome::Lookup;
use super::python::{self, Conversion};
use crate::archive::Actual;
use crate::corpus::Answer;
use crate::json::Value;

/// Accepted answers of one sub, in stored order.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// Key.
    pub(super) sub: &'a Arc<str>,
    /// Alternatives.
    pub(super) answers: Vec<&'a Answer>,
}

/// Groups accepted answers by sub in first-seen order.
pub(super) fn groups(answers: &[Answer]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for answer in answers {
        match groups.iter_mut().find(|group| *group.sub == answer.sub) {
            Some(group) => group.answers.push(answer),
            None => groups.push(Group { sub: &answer.sub, answers: vec![answer] }),
        }
    }
    groups
}

/// The entry for `sub` at `position`: the one with that key unless it is absent or null, else the one at
/// that position unless there is none or it is null.
pub(super) fn entry<'a>(returned: &'a [(String, Value)], sub: &str, position: usize) -> (Lookup, Option<&'a Value>) {
    let named = returned.iter().find(|(key, _)| key == sub).map(|(_, value)| value);
    if let Some(value) = named.filter(|value| !value.is_null()) {
        return (Lookup::Key, Some(value));
    }
    match returned.get(position) {
        Some((_, value)) if !value.is_null() => (Lookup::Position(position), Some(value)),
        _ => (Lookup::Absent, None),
    }
}

/// Value and unit of an entry: members of an object, or the entry itself without a unit.
///
/// The unit is text; `None` stands for an explicit null (which the study turns into the word `None`).
pub(super) fn value_and_unit(entry: &Value) -> (&Value, Option<Arc<str>>) {
    let Some(object) = entry.as_object() else {
        return (entry, Some("".into()));
    };
    let unit = match object.get("unit") {
        None => Some("".into()),
        Some(Value::Null) => None,
        Some(unit) => Some(python::text(unit).into()),
    };
    (object.get("value").unwrap_or(&Value::Null), unit)
}

/// The value as it is stored with a record, and as a double when it converts.
pub(super) fn actual(value: &Value) -> (Actual, Conversion) {
    let conversion = python::convert(value);
    let actual = match conversion {
        Conversion::Number(number) => Actual::Number(number),
        Conversion::Overflow | Conversion::NotANumber => Actual::Text(python::text(value).into()),
    };
    (actual, conversion)
}
