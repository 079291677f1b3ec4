//! Grading stored sub-answers again, at any tolerance.
//!
//! The values are those stored with the record; nothing is looked up in a problem set. A value that a
//! later order-proving regrade assigned to a sub replaces the stored one, without a unit.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::outcome::{Accepted, Grade, Lookup, Step, SubGrade};
use super::reasons::Reason;
use super::reference::{mark, marked, measure};
use crate::archive::{Actual, SubAnswer};

/// Accepted answers stored with a sub-answer; a missing or empty unit list means a blank unit for each.
pub fn accepted(detail: &SubAnswer) -> impl Iterator<Item = Accepted<'_>> {
    let units = detail.expected_units.as_deref().filter(|units| !units.is_empty());
    let count = units.map_or(detail.expected.len(), <[_]>::len);
    detail
        .expected
        .iter()
        .take(count)
        .enumerate()
        .map(move |(position, value)| Accepted { value, unit: units.map_or("", |units| &units[position]) })
}

/// The unit of a value without one.
static BLANK: LazyLock<Arc<str>> = LazyLock::new(|| "".into());

/// The value and unit to grade, after an assigned value is taken into account.
pub fn effective(detail: &SubAnswer, assigned: &BTreeMap<Arc<str>, f64>) -> (Actual, Arc<str>) {
    if let Some(&value) = assigned.get(&detail.sub)
        && !matches!(detail.actual, Actual::Number(stored) if stored == value)
    {
        return (Actual::Number(value), BLANK.clone());
    }
    (detail.actual.clone(), detail.actual_unit.clone().unwrap_or_else(|| BLANK.clone()))
}

/// Grades stored sub-answers with the study's rule. No sub-answer at all fails.
pub fn regrade(details: &[SubAnswer], assigned: &BTreeMap<Arc<str>, f64>, tolerance: f64) -> Grade {
    let subs = details.iter().map(|detail| {
        let (actual, unit) = effective(detail, assigned);
        let mark = match &actual {
            Actual::Missing => Err(Reason::NotReturned),
            Actual::Text(_) => Err(Reason::NotANumber),
            Actual::Number(_) if detail.expected.is_empty() => Err(Reason::NoReference),
            Actual::Number(value) => mark(accepted(detail), *value, &unit, tolerance),
        };
        let blank = SubGrade {
            sub: detail.sub.clone(),
            passed: false,
            route: None,
            alternative: None,
            lookup: Lookup::Stored,
            actual,
            actual_unit: Some(unit),
            reason: None,
        };
        marked(blank, mark)
    });
    Grade::of(subs.collect())
}

/// Verdict of a record at each tolerance: the same as [`regrade`] at each, measured once.
pub fn sweep(details: &[SubAnswer], assigned: &BTreeMap<Arc<str>, f64>, tolerances: &[f64]) -> Vec<bool> {
    let mut passed = vec![!details.is_empty(); tolerances.len()];
    for detail in details {
        let (actual, unit) = effective(detail, assigned);
        let Actual::Number(value) = actual else {
            return vec![false; tolerances.len()];
        };
        let steps: Vec<Step> = measure(accepted(detail), value, &unit).map_while(Result::ok).collect();
        for (verdict, &tolerance) in passed.iter_mut().zip(tolerances) {
            *verdict &= steps.iter().any(|step| step.distance.within(tolerance));
        }
    }
    passed
}
