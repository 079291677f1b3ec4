//! Finding the returned entry of a sub-answer, as the study does it: by key, else by position.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::outcome::Lookup;
use super::python::{self, Conversion};
use super::work;
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
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in answers {
        let at = *known.entry(&answer.sub).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.answers.push(answer),
            None => groups.push(Group { sub: &answer.sub, answers: vec![answer] }),
        }
    }
    groups
}

/// A returned mapping in which keys are found in logarithmic time: a hostile program returns as many as the
/// limits allow.
pub(super) struct Returned<'a> {
    entries: &'a [(String, Value)],
    /// Position of the first entry of each key.
    positions: BTreeMap<&'a str, usize>,
}

impl<'a> Returned<'a> {
    /// Looks through the mapping once.
    pub(super) fn new(entries: &'a [(String, Value)]) -> Self {
        work::spent(entries.len());
        let mut positions = BTreeMap::new();
        for (position, (key, _)) in entries.iter().enumerate() {
            positions.entry(key.as_str()).or_insert(position);
        }
        Self { entries, positions }
    }

    /// The entry for `sub` at `position`: the one with that key unless it is absent or null, else the one at
    /// that position unless there is none or it is null.
    pub(super) fn entry(&self, sub: &str, position: usize) -> (Lookup, Option<&'a Value>) {
        work::spent(1);
        let named = self.positions.get(sub).map(|&position| &self.entries[position].1);
        if let Some(value) = named.filter(|value| !value.is_null()) {
            return (Lookup::Key, Some(value));
        }
        match self.entries.get(position) {
            Some((_, value)) if !value.is_null() => (Lookup::Position(position), Some(value)),
            _ => (Lookup::Absent, None),
        }
    }

    /// True when an entry has this key.
    pub(super) fn holds(&self, key: &str) -> bool {
        self.positions.contains_key(key)
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

#[cfg(test)]
mod tests {
    use super::super::{reference, strict, work};
    use crate::corpus::Answer;
    use crate::json::Value;

    #[test]
    fn twice_the_returned_entries_are_twice_the_work() {
        let answers: Vec<Answer> =
            (0..50).map(|n| Answer { sub: format!("s{n}").into(), value: "1".into(), unit: "".into() }).collect();
        let entries = |count: usize| (0..count).map(|n| (format!("k{n}"), Value::Null)).collect::<Vec<_>>();
        let [few, many] = [entries(40_000), entries(80_000)];
        let reference = |returned: &[(String, Value)]| work::of(|| drop(reference::verify(&answers, returned, 0.05)));
        let strict = |returned: &[(String, Value)]| work::of(|| drop(strict::verify(&answers, returned, 0.05)));
        for [once, twice] in [[reference(&few), reference(&many)], [strict(&few), strict(&many)]] {
            assert!(once > few.len() / 2 && twice <= 2 * once + 100, "{once} then {twice}");
            assert!(once < 10 * few.len(), "{once}");
        }
    }
}
