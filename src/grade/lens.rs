//! Where the two lenses differ on an answer, and why.

use super::outcome::{Accepted, Route, SubGrade};
use super::prose;
use super::python;
use super::reasons::Reason;
use super::strict::Judgement;
use super::units;

/// Which lens decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lens {
    /// The study's published rule.
    Reference,
    /// The rule a careful scientist would want.
    Strict,
}

/// Why the lenses differ on a sub-answer; `None` when they agree or the strict lens cannot decide.
pub fn difference(reference: &SubGrade, accepted: &[Accepted<'_>], strict: Judgement) -> Option<Reason> {
    match (reference.passed, strict) {
        (true, Judgement::Fail(Reason::OutsideTolerance)) => Some(widened(reference, accepted)),
        (true, Judgement::Fail(reason)) => Some(reason),
        (false, Judgement::Pass) => Some(missed(accepted)),
        _ => None,
    }
}

/// What let a value pass the study's rule that the strict lens finds too far away.
fn widened(reference: &SubGrade, accepted: &[Accepted<'_>]) -> Reason {
    let Some(met) = reference.alternative.and_then(|position| accepted.get(position)) else {
        return Reason::UnitReadingDiffers;
    };
    let Some(expected) = python::float(python::strip(met.value)) else {
        return Reason::LooseNumber;
    };
    let unit = reference.actual_unit.as_deref().unwrap_or("None");
    let scales = units::scalar(met.unit).zip(units::scalar(unit));
    let temperatures = scales.is_some_and(|(left, _)| left.dimension() == units::Dimension::Temperature);
    if reference.route == Some(Route::Scalar) && temperatures {
        return Reason::CelsiusAsKelvin;
    }
    let base = match reference.route {
        Some(Route::Scalar) => scales.map_or(expected, |(left, _)| left.apply(expected)),
        Some(Route::Compound) => {
            units::compound(met.unit).ok().flatten().map_or(expected, |product| expected * product.factor)
        }
        _ => expected,
    };
    if base.abs() < super::distance::FLOOR { Reason::NearZeroFloor } else { Reason::UnitReadingDiffers }
}

/// What keeps the study's rule from seeing a right answer.
fn missed(accepted: &[Accepted<'_>]) -> Reason {
    let odd = |a: &Accepted<'_>| python::float(python::strip(a.value)).is_none() && prose::number(a.value).is_some();
    if accepted.iter().any(odd) { Reason::LooseNumber } else { Reason::UnitRouteMissing }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::archive::{Actual, SubAnswer};
    use crate::grade::{regrade, strict};

    fn reason(expected: &str, eunit: &str, actual: f64, unit: &str) -> Option<Reason> {
        let detail = SubAnswer {
            sub: "1".into(),
            expected: [expected.into()].into(),
            expected_units: Some([eunit.into()].into()),
            actual: Actual::Number(actual),
            actual_unit: Some(unit.into()),
            passed: true,
        };
        let details = [detail];
        let reference = regrade::regrade(&details, &BTreeMap::new(), 0.05);
        let strict = strict::regrade(&details, &BTreeMap::new(), 0.05);
        let accepted: Vec<_> = regrade::accepted(&details[0]).collect();
        difference(&reference.subs[0], &accepted, strict.subs[0].judgement)
    }

    #[test]
    fn every_known_difference_has_its_reason() {
        assert_eq!(reason("42", "m", 42.0, "km"), Some(Reason::WrongUnitAccepted));
        assert_eq!(reason("42", "m", 42.0, ""), Some(Reason::UnitMissing));
        assert_eq!(reason("12.74", "°C", 10.1, "°C"), Some(Reason::CelsiusAsKelvin));
        assert_eq!(reason("0", "ppbv", 0.049, "ppbv"), Some(Reason::NearZeroFloor));
        assert_eq!(reason("1e-19", "cm^3", 4e-17, "cm^3"), Some(Reason::NearZeroFloor));
        assert_eq!(reason("8", "W m^-2", 0.008, "kW m^-2"), Some(Reason::UnitRouteMissing));
        assert_eq!(reason("1.5x3", "m", 1500.0, "m"), None);
        assert_eq!(reason("42", "m", 42.0, "m"), None);
        assert_eq!(reason("42", "m", 50.0, "m"), None);
    }
}
