//! Tests on stored answers that are neither right nor wrong: captured by a shortcut, rescued by a unit.

use std::sync::Arc;

use super::outcome::Accepted;
use super::reference::plain;
use super::regrade::accepted;
use crate::archive::{Actual, Record, State, SubAnswer};

/// True when a failed record returned the values of a trap's shortcut: as many values, each within the
/// tolerance of its shortcut value in stored order (below 1e-9 for a shortcut of zero).
///
/// A passing record is never captured, whatever it returned.
pub fn captured(record: &Record, shortcut: &[(Arc<str>, f64)], tolerance: f64) -> bool {
    let Some(details) = record.details.as_deref().filter(|_| record.state() == State::Fail) else {
        return false;
    };
    let met = |(detail, (_, expected)): (&SubAnswer, &(Arc<str>, f64))| match detail.actual {
        Actual::Number(actual) if *expected == 0.0 => actual.abs() < 1e-9,
        Actual::Number(actual) => (actual - expected).abs() <= tolerance * expected.abs(),
        Actual::Missing | Actual::Text(_) => false,
    };
    !details.is_empty() && details.len() == shortcut.len() && details.iter().zip(shortcut).all(met)
}

/// Units of a right answer that is right only after conversion.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rescue {
    /// First accepted unit, trimmed.
    pub expected: String,
    /// Declared unit, trimmed; every way to say "none" reads `dimensionless`.
    pub answered: String,
}

/// Whether a right numeric sub-answer counts for the unit-rescue table, and its units when a conversion
/// rescued it. `None`: it does not count.
pub fn rescue(detail: &SubAnswer, tolerance: f64) -> Option<Option<Rescue>> {
    let Actual::Number(actual) = detail.actual else {
        return None;
    };
    if !detail.passed {
        return None;
    }
    let by_number = |a: Accepted<'_>| plain(a.value, actual).is_ok_and(|distance| distance.within(tolerance));
    if accepted(detail).any(by_number) {
        return Some(None);
    }
    let first = detail.expected_units.as_deref().and_then(|units| units.first()).map_or("", |unit| &**unit);
    let answered = detail.actual_unit.as_deref().unwrap_or("").trim();
    let none = ["", "dimensionless", "fraction", "unitless", "1", "-", "none"];
    let answered = if none.contains(&answered.to_lowercase().as_str()) { "dimensionless" } else { answered };
    Some(Some(Rescue { expected: first.trim().to_owned(), answered: answered.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(expected: &str, eunit: &str, actual: f64, unit: &str) -> SubAnswer {
        SubAnswer {
            sub: "1".into(),
            expected: [expected.into()].into(),
            expected_units: Some([eunit.into()].into()),
            actual: Actual::Number(actual),
            actual_unit: Some(unit.into()),
            passed: true,
        }
    }

    #[test]
    fn only_a_conversion_rescues() {
        assert_eq!(rescue(&detail("35", "%", 35.0, "%"), 0.05), Some(None));
        let rescued = rescue(&detail("35", " % ", 0.35, "None"), 0.05).flatten().unwrap();
        assert_eq!((rescued.expected.as_str(), rescued.answered.as_str()), ("%", "dimensionless"));
        assert_eq!(rescue(&SubAnswer { passed: false, ..detail("35", "%", 0.35, "") }, 0.05), None);
    }
}
