//! The strict lens: the rule a careful scientist would want.
//!
//! * The value is a number; a boolean or a text is not.
//! * The units must mean the same quantity. The answer is converted to the accepted unit and compared
//!   there, so equal units are compared as the numbers they stand with (no kelvin behind Celsius).
//! * No floor: a tiny accepted value keeps its relative tolerance. An accepted zero is met by numerical
//!   noise only: 1e-9 of the largest accepted value of the problem in the same unit, or of one.
//! * Kelvin and Celsius are absolute temperatures. Where the accepted value is below 100 it cannot be an
//!   air temperature in kelvin, and a difference may be meant: then both readings are allowed.
//! * Names come before positions; positions count only where no returned name is known. One entry serves
//!   one sub-answer.
//! * An accepted count, year or index needs that very number: another whole number is wrong however near.
//! * What cannot be decided (a unit that is not understood, or that was never archived) is *undecided*,
//!   never silently right.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::boxed::Quantity;
use super::lookup::{self, Returned};
use super::memo::Memo;
use super::outcome::{Accepted, Lookup};
use super::prose::{self, Reading};
use super::reasons::Reason;
use super::regrade::{accepted, effective};
use super::si::{self, Unit};
use crate::archive::{Actual, SubAnswer};
use crate::corpus::Answer;
use crate::json::Value;

/// Numerical noise, as a fraction of the scale of a problem.
const NOISE: f64 = 1e-9;
/// Below this, kelvin can only be a difference of temperatures in this field.
const COLDEST: f64 = 100.0;

/// What the strict lens says of a sub-answer or a problem. The order is the order of gravity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Right.
    Pass,
    /// The numbers agree, but something that decides is not known.
    Undecided(Reason),
    /// Wrong.
    Fail(Reason),
}

/// Judgement of one sub-answer.
#[derive(Debug, Clone, PartialEq)]
pub struct StrictSub {
    /// Key.
    pub sub: Arc<str>,
    /// Where the value came from.
    pub lookup: Lookup,
    /// What is said of it.
    pub judgement: Judgement,
}

/// Judgement of a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct StrictGrade {
    /// The gravest judgement of its sub-answers; nothing returned fails.
    pub judgement: Judgement,
    /// One judgement per distinct sub, in stored order.
    pub subs: Vec<StrictSub>,
}

impl StrictGrade {
    /// Nothing was returned that could be judged.
    pub fn nothing() -> Self {
        Self::of(Vec::new())
    }

    /// From the judgements of sub-answers.
    pub(super) fn of(subs: Vec<StrictSub>) -> Self {
        let worst = subs.iter().map(|sub| sub.judgement).max();
        Self { judgement: worst.unwrap_or(Judgement::Fail(Reason::NotReturned)), subs }
    }
}

/// Relative agreement without a floor; an accepted zero allows noise of the given scale.
fn agrees(expected: f64, actual: f64, tolerance: f64, scale: f64) -> bool {
    if expected == 0.0 {
        return actual.abs() <= NOISE * scale;
    }
    if expected.is_infinite() {
        return actual == expected;
    }
    (actual - expected).abs() <= tolerance * expected.abs()
}

/// Judges a number with its unit (`None` when the unit was not archived) against one accepted answer.
fn against(accepted: Accepted<'_>, actual: f64, unit: Option<&str>, tolerance: f64, scale: f64) -> Judgement {
    let Some(expected) = prose::number(accepted.value) else {
        return Judgement::Undecided(Reason::LooseNumber);
    };
    let numbers_agree = agrees(expected, actual, tolerance, scale);
    let otherwise = |reason| {
        if numbers_agree { Judgement::Fail(reason) } else { Judgement::Fail(Reason::OutsideTolerance) }
    };
    let undecided = |reason| {
        if numbers_agree { Judgement::Undecided(reason) } else { Judgement::Fail(Reason::OutsideTolerance) }
    };
    let Some(unit) = unit else {
        // The study grades a unit that was not archived as blank; neither reading can be confirmed.
        let blank = against(accepted, actual, Some(""), tolerance, scale) == Judgement::Pass;
        return if blank { Judgement::Undecided(Reason::UnitNotArchived) } else { undecided(Reason::UnitNotArchived) };
    };
    if numbers_agree && is_another_integer(accepted, expected, actual, unit) {
        return Judgement::Fail(Reason::IntegerAnswer);
    }
    if unit == accepted.unit || plain(unit) == plain(accepted.unit) {
        return if numbers_agree { Judgement::Pass } else { Judgement::Fail(Reason::OutsideTolerance) };
    }
    let (left, right) = (readings(accepted.unit), readings(unit));
    let same_letters = plain(unit).eq_ignore_ascii_case(&plain(accepted.unit));
    if left.is_empty() || right.is_empty() || same_letters {
        return undecided(Reason::UnitNotComparable);
    }
    if accepted.unit.trim().is_empty() && right.iter().all(|reading| !reading.powers.is_empty()) {
        return undecided(Reason::UnitNotStated);
    }
    let pairs: Vec<_> =
        left.iter().flat_map(|l| right.iter().map(move |r| (l, r))).filter(|(l, r)| l.powers == r.powers).collect();
    if pairs.iter().any(|(l, r)| converted_agrees(expected, l, actual, r, tolerance, scale)) {
        return Judgement::Pass;
    }
    if unit.trim().is_empty() { otherwise(Reason::UnitMissing) } else { otherwise(Reason::WrongUnitAccepted) }
}

/// Largest accepted number that is taken for a count where no unit says so; larger ones are measured.
const COUNTED: f64 = 9999.0;

/// Words that say what is counted, or that the number is an index.
const COUNTS: &[&str] = &[
    "count",
    "counts",
    "number",
    "index",
    "plates",
    "stages",
    "events",
    "layers",
    "steps",
    "flashes",
    "drops",
    "collisions",
    "people",
    "stations",
    "levels",
    "cells",
    "members",
    "models",
    "storms",
];

/// Words for a year of the calendar, where the number can be one.
const YEARS: &[&str] = &["year", "calendar year", "ad", "ce"];

/// True when an integer is accepted that counts something (no unit, or a word for what is counted) and the
/// answer is another integer. A value that is no integer was computed, and is compared as one; only where a
/// word says that something is counted it is wrong too.
fn is_another_integer(accepted: Accepted<'_>, expected: f64, actual: f64, unit: &str) -> bool {
    let digits = accepted.value.trim().trim_start_matches(['+', '-']);
    let literal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !literal || actual == expected {
        return false;
    }
    let word = |unit: &str| plain(unit).to_lowercase();
    let year = (1000.0..3000.0).contains(&expected) && YEARS.contains(&&*word(accepted.unit));
    let counted = year || COUNTS.contains(&&*word(accepted.unit));
    let bare = word(accepted.unit).is_empty() && (word(unit).is_empty() || COUNTS.contains(&&*word(unit)));
    counted || (bare && expected.abs() <= COUNTED && actual.fract() == 0.0)
}

/// [`si::plain`], remembered.
fn plain(unit: &str) -> Rc<str> {
    thread_local! {
        static KNOWN: Memo<Rc<str>> = const { Memo::new() };
    }
    KNOWN.with(|known| known.get(unit, |unit| si::plain(unit).into()))
}

/// [`si::readings`], remembered.
fn readings(unit: &str) -> Rc<[Unit]> {
    thread_local! {
        static KNOWN: Memo<Rc<[Unit]>> = const { Memo::new() };
    }
    KNOWN.with(|known| known.get(unit, |unit| si::readings(unit).into()))
}

/// Compares in the accepted unit.
fn converted_agrees(expected: f64, left: &Unit, actual: f64, right: &Unit, tolerance: f64, scale: f64) -> bool {
    let absolute = (actual * right.factor + right.offset - left.offset) / left.factor;
    let difference = actual * right.factor / left.factor;
    let may_be_difference = left.offset == right.offset || expected.abs() < COLDEST;
    agrees(expected, absolute, tolerance, scale)
        || (may_be_difference && agrees(expected, difference, tolerance, scale))
}

/// The best judgement over the accepted answers of a sub.
pub fn judge<'a>(
    accepted: impl IntoIterator<Item = Accepted<'a>>,
    actual: f64,
    unit: Option<&str>,
    tolerance: f64,
    scale: f64,
) -> Judgement {
    let judgements = accepted.into_iter().map(|accepted| against(accepted, actual, unit, tolerance, scale));
    let rank = |judgement: &Judgement| match judgement {
        Judgement::Pass => 0,
        Judgement::Undecided(_) => 1,
        // A reason that says more than "too far" is the better one to report.
        Judgement::Fail(reason) if *reason != Reason::OutsideTolerance => 2,
        Judgement::Fail(_) => 3,
    };
    let best = judgements.min_by_key(rank).unwrap_or(Judgement::Fail(Reason::NoReference));
    if best != Judgement::Pass && !actual.is_finite() { Judgement::Fail(Reason::NotFinite) } else { best }
}

/// Largest accepted magnitude per unit text, at least one: what noise is measured against.
fn scales<'a>(accepted: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeMap<&'a str, f64> {
    let mut scales = BTreeMap::new();
    for (value, unit) in accepted {
        let magnitude = prose::number(value).filter(|v| v.is_finite()).map_or(0.0, f64::abs);
        let scale: &mut f64 = scales.entry(unit).or_insert(1.0);
        *scale = scale.max(magnitude);
    }
    scales
}

/// The scale of the first accepted unit of a sub.
fn scale_of(scales: &BTreeMap<&str, f64>, unit: Option<&str>) -> f64 {
    unit.and_then(|unit| scales.get(unit)).copied().unwrap_or(1.0)
}

/// Judges a returned mapping.
pub fn verify(answers: &[Answer], returned: &[(String, Value)], tolerance: f64) -> StrictGrade {
    let groups = lookup::groups(answers);
    let scales = scales(answers.iter().map(|answer| (&*answer.value, &*answer.unit)));
    let names: BTreeSet<&str> = groups.iter().map(|group| &**group.sub).collect();
    let found = Returned::new(returned);
    let any_known = names.iter().any(|name| found.holds(name));
    let subs = groups.iter().enumerate().map(|(position, group)| {
        let (lookup, entry) = found.entry(group.sub, position);
        let judgement = match entry {
            None => Judgement::Fail(Reason::NotReturned),
            Some(_) if matches!(lookup, Lookup::Position(p) if names.contains(&*returned[p].0)) => {
                Judgement::Fail(Reason::EntryUsedTwice)
            }
            Some(_) if matches!(lookup, Lookup::Position(_)) && (any_known || returned.len() != groups.len()) => {
                Judgement::Fail(Reason::PositionInsteadOfName)
            }
            Some(entry) => {
                let scale = scale_of(&scales, group.answers.first().map(|answer| &*answer.unit));
                let accepted = group.answers.iter().map(|a| Accepted { value: &a.value, unit: &a.unit });
                judge_entry(accepted, entry, tolerance, scale)
            }
        };
        StrictSub { sub: group.sub.clone(), lookup, judgement }
    });
    let subs = subs.collect();
    if returned.is_empty() {
        return StrictGrade { judgement: Judgement::Fail(Reason::NotReturned), subs };
    }
    StrictGrade::of(subs)
}

/// Judges one returned entry; its kind comes first.
fn judge_entry<'a>(
    accepted: impl IntoIterator<Item = Accepted<'a>>,
    entry: &Value,
    tolerance: f64,
    scale: f64,
) -> Judgement {
    let (value, unit) = lookup::value_and_unit(entry);
    let unit = unit.unwrap_or_else(|| "".into());
    match value {
        Value::Number(number) => judge(accepted, number.as_f64(), Some(&unit), tolerance, scale),
        Value::Bool(_) => Judgement::Fail(Reason::BooleanAsNumber),
        Value::Text(_) => Judgement::Fail(Reason::TextAsNumber),
        Value::Null | Value::List(_) | Value::Object(_) => Judgement::Fail(Reason::NotANumber),
    }
}

/// Judges stored sub-answers; how their values were looked up is not stored and not questioned.
pub fn regrade(details: &[SubAnswer], assigned: &BTreeMap<Arc<str>, f64>, tolerance: f64) -> StrictGrade {
    let scales = scales(details.iter().flat_map(|d| accepted(d).map(|a| (a.value, a.unit))));
    let subs = details.iter().map(|detail| {
        let (actual, unit) = effective(detail, assigned);
        let replaced = assigned.contains_key(&detail.sub) && actual != detail.actual;
        let unit = (detail.actual_unit.is_some() && !replaced).then_some(&*unit);
        let scale = scale_of(&scales, accepted(detail).next().map(|accepted| accepted.unit));
        let judgement = match actual {
            Actual::Missing => Judgement::Fail(Reason::NotReturned),
            Actual::Text(_) => Judgement::Fail(Reason::NotANumber),
            Actual::Number(value) => judge(accepted(detail), value, unit, tolerance, scale),
        };
        StrictSub { sub: detail.sub.clone(), lookup: Lookup::Stored, judgement }
    });
    StrictGrade::of(subs.collect())
}

/// Judges a prose answer: boxes read strictly, the last ones in order, one per sub.
pub fn prose(answers: &[Answer], response: &str, tolerance: f64) -> StrictGrade {
    let groups = lookup::groups(answers);
    let scales = scales(answers.iter().map(|answer| (&*answer.value, &*answer.unit)));
    let readings = prose::answers(response, groups.len());
    let subs = groups.iter().enumerate().map(|(position, group)| {
        let accepted = group.answers.iter().map(|a| Accepted { value: &a.value, unit: &a.unit });
        let scale = scale_of(&scales, group.answers.first().map(|answer| &*answer.unit));
        let judgement = match readings.get(position) {
            Some(Reading::Quantity(Quantity { value, unit })) => judge(accepted, *value, Some(unit), tolerance, scale),
            Some(_) => Judgement::Undecided(Reason::ReaderArtefact),
            None => Judgement::Fail(Reason::NotReturned),
        };
        StrictSub { sub: group.sub.clone(), lookup: Lookup::Position(position), judgement }
    });
    StrictGrade::of(subs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(expected: &str, eunit: &str, actual: f64, unit: &str) -> Judgement {
        judge([Accepted { value: expected, unit: eunit }], actual, Some(unit), 0.05, 1.0)
    }

    #[test]
    fn units_must_agree_and_convert() {
        assert_eq!(judged("42", "m", 42.0, "km"), Judgement::Fail(Reason::WrongUnitAccepted));
        assert_eq!(judged("42", "m", 0.042, "km"), Judgement::Pass);
        assert_eq!(judged("100", "hPa", 100.0, "Pa"), Judgement::Fail(Reason::WrongUnitAccepted));
        assert_eq!(judged("8.0", "W m^-2", 0.008, "kW m^-2"), Judgement::Pass);
        assert_eq!(judged("1e-5", "1/s", 0.036, "1/h"), Judgement::Pass);
        assert_eq!(judged("42", "m", 42.0, ""), Judgement::Fail(Reason::UnitMissing));
        assert_eq!(judged("35", "%", 0.35, ""), Judgement::Pass);
        assert_eq!(judged("5", "SI", 5.0, "m"), Judgement::Undecided(Reason::UnitNotComparable));
        assert_eq!(judged("5", "pH", 5.0, "pH"), Judgement::Pass);
        assert_eq!(judged("5", "g/m^3", 5.0, "G/M^3"), Judgement::Undecided(Reason::UnitNotComparable));
        assert_eq!(judged("5", "", 5.0, "m"), Judgement::Undecided(Reason::UnitNotStated));
        let missing = |value| judge([Accepted { value: "0.7", unit: "%" }], value, None, 0.05, 1.0);
        assert_eq!(missing(0.7), Judgement::Undecided(Reason::UnitNotArchived));
        assert_eq!(missing(0.007), Judgement::Undecided(Reason::UnitNotArchived));
        assert_eq!(missing(7.0), Judgement::Fail(Reason::OutsideTolerance));
    }

    #[test]
    fn celsius_is_not_widened_and_differences_are_possible() {
        assert_eq!(judged("12.74", "°C", 10.1, "°C"), Judgement::Fail(Reason::OutsideTolerance));
        assert_eq!(judged("293.15", "K", 20.0, "degC"), Judgement::Pass);
        assert_eq!(judged("20", "°C", 293.15, "K"), Judgement::Pass);
        assert_eq!(judged("20", "K", 20.0, "°C"), Judgement::Pass);
        assert_eq!(judged("280", "K", 280.0, "°C"), Judgement::Fail(Reason::WrongUnitAccepted));
    }

    #[test]
    fn zero_and_tiny_values_have_no_floor() {
        assert_eq!(judged("0.0", "ppbv", 0.049, "ppbv"), Judgement::Fail(Reason::OutsideTolerance));
        assert_eq!(judged("0.0", "ppbv", 1e-12, "ppbv"), Judgement::Pass);
        assert_eq!(judged("1e-19", "", 4e-17, ""), Judgement::Fail(Reason::OutsideTolerance));
        assert_eq!(judged("1e-19", "", 1.04e-19, ""), Judgement::Pass);
    }

    #[test]
    fn a_count_a_year_or_an_index_needs_that_integer() {
        let wrong = Judgement::Fail(Reason::IntegerAnswer);
        for (expected, eunit, actual, unit, judgement) in [
            ("2010", "", 1990.0, "", wrong),
            ("2010", "year", 1990.0, "year", wrong),
            ("20", "", 21.0, "", wrong),
            ("20", "plates", 21.0, "plates", wrong),
            ("20", "plates", 20.4, "plates", wrong),
            ("20", "", 20.0, "", Judgement::Pass),
            // A computed ratio that the accepted answer rounds, measured values, and integers with a point.
            ("15", "", 15.1, "", Judgement::Pass),
            ("100", "m", 101.0, "m", Judgement::Pass),
            ("20.0", "", 21.0, "", Judgement::Pass),
            ("25000", "", 25_100.0, "", Judgement::Pass),
            ("63", "years", 64.0, "years", Judgement::Pass),
            ("50", "year", 51.0, "year", Judgement::Pass),
        ] {
            assert_eq!(judged(expected, eunit, actual, unit), judgement, "{expected} {eunit} | {actual} {unit}");
        }
    }

    fn answer(sub: &str, value: &str) -> Answer {
        Answer { sub: sub.into(), value: value.into(), unit: "".into() }
    }

    fn returned(text: &str) -> Vec<(String, Value)> {
        let value = crate::json::Reader::new(text.as_bytes()).value().unwrap();
        value.as_object().unwrap().iter().map(|(k, v)| (k.to_owned(), v.clone())).collect()
    }

    #[test]
    fn names_come_before_positions() {
        let answers = [answer("a", "1"), answer("b", "1")];
        let judgement = |text: &str| verify(&answers, &returned(text), 0.05).judgement;
        assert_eq!(judgement(r#"{"a": 1, "b": 1}"#), Judgement::Pass);
        assert_eq!(judgement(r#"{"x": 1, "y": 1}"#), Judgement::Pass);
        assert_eq!(judgement(r#"{"b": 1}"#), Judgement::Fail(Reason::EntryUsedTwice));
        assert_eq!(judgement(r#"{"a": 1, "y": 1}"#), Judgement::Fail(Reason::PositionInsteadOfName));
        assert_eq!(judgement(r#"{"a": true, "b": 1}"#), Judgement::Fail(Reason::BooleanAsNumber));
        assert_eq!(judgement(r#"{"a": "1", "b": 1}"#), Judgement::Fail(Reason::TextAsNumber));
        assert_eq!(judgement("{}"), Judgement::Fail(Reason::NotReturned));
    }
}
