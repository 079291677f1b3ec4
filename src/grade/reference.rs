//! The study's published rule, repeated exactly.
//!
//! A sub-answer is right when, for any accepted value, the bare numbers agree or the values agree after
//! converting both units. Numbers are compared before units, so a unit can only help. That is what was
//! published; what a careful reader would object to is in the strict lens.

use super::distance::Distance;
use super::lookup::{self, Returned};
use super::outcome::{Accepted, Grade, Overflow, Route, Step, SubGrade};
use super::python::{self, Conversion};
use super::reasons::Reason;
use super::units;
use crate::archive::Actual;
use crate::corpus::Answer;
use crate::json::Value;

/// Distance as bare numbers.
///
/// `inf` and its spellings accept only that infinity. Other text is read by [`python::float`], then in
/// the loose scientific form [`scientific`].
///
/// # Errors
/// When the loose form has a power of ten beyond the range of a double.
///
/// ```
/// use repro::grade::plain;
/// assert!(plain("1.5x10^3", 1500.0).unwrap().within(0.0));
/// assert!(!plain("42", f64::NAN).unwrap().within(0.05));
/// ```
pub fn plain(expected: &str, actual: f64) -> Result<Distance, Overflow> {
    let expected = python::strip(expected);
    let infinity = match expected {
        "inf" | "infinity" | "\\infty" => Some(f64::INFINITY),
        "-inf" | "-\\infty" => Some(f64::NEG_INFINITY),
        _ => None,
    };
    if let Some(infinity) = infinity {
        return Ok(if actual == infinity { Distance::Exact } else { Distance::Never });
    }
    let Some(value) = python::float(expected).map_or_else(|| scientific(expected), |value| Ok(Some(value)))? else {
        return Ok(Distance::Never);
    };
    if value == 0.0 && actual == 0.0 {
        return Ok(Distance::Exact);
    }
    Ok(Distance::between(value, actual))
}

/// Whether an accepted value is a number as the rule reads it.
pub(super) fn is_number(text: &str) -> bool {
    python::float(text).is_some() || !matches!(scientific(text), Ok(None))
}

/// The loose scientific form: sign, digits with an optional point, one of `x X ×`, optionally `10` and
/// `^`, a signed integer k: mantissa times 10 to the k. `1.5x3` therefore is 1500.
fn scientific(text: &str) -> Result<Option<f64>, Overflow> {
    let Some((mantissa, power)) = text.split_once(['x', 'X', '×']) else {
        return Ok(None);
    };
    let mantissa = python::strip(mantissa);
    let digits = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let sound = digits.chars().next().is_some_and(|c| python::digit(c).is_some())
        && digits.chars().all(|c| c == '.' || python::digit(c).is_some())
        && digits.matches('.').count() <= 1;
    let Some(mantissa) = python::float(mantissa).filter(|_| sound) else {
        return Ok(None);
    };
    let power = python::strip(power);
    let without_base = power.strip_prefix("10").map(python::strip);
    for exponent in without_base.into_iter().chain([power]) {
        let exponent = python::strip(exponent.strip_prefix('^').unwrap_or(exponent));
        if let Some(exponent) = units::integer(exponent)? {
            return Ok(Some(mantissa * ten_to(exponent)?));
        }
    }
    Ok(None)
}

/// `10 ** exponent` of CPython: an exact integer for positive exponents, `pow` for negative ones.
fn ten_to(exponent: i64) -> Result<f64, Overflow> {
    match exponent {
        309.. => Err(Overflow),
        0.. => Ok(format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)),
        _ => units::raise(10.0, exponent),
    }
}

/// Distance after converting both units: as single tokens, else as products. `None` when the expected
/// text is no plain number or the units have no common reading.
///
/// # Errors
/// When a power in a unit leaves the range of a double.
pub fn through_units(
    expected: &str,
    expected_unit: &str,
    actual: f64,
    actual_unit: &str,
) -> Result<Option<(Route, Distance)>, Overflow> {
    let Some(expected) = python::float(python::strip(expected)) else {
        return Ok(None);
    };
    if let Some((left, right)) = units::scalar(expected_unit).zip(units::scalar(actual_unit))
        && left.dimension() == right.dimension()
    {
        return Ok(Some((Route::Scalar, Distance::between(left.apply(expected), right.apply(actual)))));
    }
    let Some(left) = units::compound(expected_unit)? else {
        return Ok(None);
    };
    let Some(right) = units::compound(actual_unit)? else {
        return Ok(None);
    };
    let same = left.signature == right.signature;
    Ok(same.then(|| (Route::Compound, Distance::between(expected * left.factor, actual * right.factor))))
}

/// All comparisons for one sub-answer in the study's order; the last item is an error where the study's
/// rule would stop.
pub fn measure<'a>(
    accepted: impl IntoIterator<Item = Accepted<'a>>,
    actual: f64,
    actual_unit: &str,
) -> impl Iterator<Item = Result<Step, Overflow>> {
    accepted.into_iter().enumerate().flat_map(move |(alternative, accepted)| {
        let by_number = std::iter::once_with(move || {
            let distance = plain(accepted.value, actual)?;
            Ok(Some(Step { alternative, route: Route::Plain, distance }))
        });
        let by_unit = std::iter::once_with(move || {
            let found = through_units(accepted.value, accepted.unit, actual, actual_unit)?;
            Ok(found.map(|(route, distance)| Step { alternative, route, distance }))
        });
        by_number.chain(by_unit).filter_map(Result::transpose)
    })
}

/// The first comparison that passes at a tolerance.
///
/// # Errors
/// When the study's rule stops before one does.
pub fn decide<'a>(
    accepted: impl IntoIterator<Item = Accepted<'a>>,
    actual: f64,
    actual_unit: &str,
    tolerance: f64,
) -> Result<Option<Step>, Overflow> {
    for step in measure(accepted, actual, actual_unit) {
        let step = step?;
        if step.distance.within(tolerance) {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// Grades a returned mapping against the accepted answers of a problem.
///
/// An empty mapping fails without marks. Each distinct sub is graded once, by the entry of its name or,
/// failing that, of its position; all must pass. Other entries are ignored.
pub fn verify(answers: &[Answer], returned: &[(String, Value)], tolerance: f64) -> Grade {
    if returned.is_empty() {
        return Grade::empty();
    }
    let groups = lookup::groups(answers);
    let returned = Returned::new(returned);
    let subs = groups.iter().enumerate().map(|(position, group)| {
        let (lookup, entry) = returned.entry(group.sub, position);
        let blank = SubGrade {
            sub: group.sub.clone(),
            passed: false,
            route: None,
            alternative: None,
            lookup,
            actual: Actual::Missing,
            actual_unit: Some("".into()),
            reason: Some(Reason::NotReturned),
        };
        let Some(entry) = entry else {
            return blank;
        };
        let (value, unit) = lookup::value_and_unit(entry);
        let (actual, conversion) = lookup::actual(value);
        let mark = match conversion {
            Conversion::NotANumber => Err(Reason::NotANumber),
            Conversion::Overflow => Err(Reason::Overflow),
            Conversion::Number(number) => {
                let accepted = group.answers.iter().map(|a| Accepted { value: &a.value, unit: &a.unit });
                mark(accepted, number, unit.as_deref().unwrap_or("None"), tolerance)
            }
        };
        SubGrade { actual, actual_unit: unit, ..marked(blank, mark) }
    });
    Grade::of(subs.collect())
}

/// The passing step or the reason why there is none.
pub(super) fn mark<'a>(
    accepted: impl IntoIterator<Item = Accepted<'a>>,
    actual: f64,
    actual_unit: &str,
    tolerance: f64,
) -> Result<Step, Reason> {
    match decide(accepted, actual, actual_unit, tolerance) {
        Ok(Some(step)) => Ok(step),
        Ok(None) if !actual.is_finite() => Err(Reason::NotFinite),
        Ok(None) => Err(Reason::OutsideTolerance),
        Err(Overflow) => Err(Reason::Overflow),
    }
}

/// A sub-grade with its mark filled in.
pub(super) fn marked(blank: SubGrade, mark: Result<Step, Reason>) -> SubGrade {
    SubGrade {
        passed: mark.is_ok(),
        route: mark.ok().map(|step| step.route),
        alternative: mark.ok().map(|step| step.alternative),
        reason: mark.err(),
        ..blank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(expected: &str, unit: &str, actual: f64, actual_unit: &str) -> bool {
        decide([Accepted { value: expected, unit }], actual, actual_unit, 0.05).unwrap().is_some()
    }

    /// The test vectors of the study's description, section 8.
    #[test]
    fn the_published_vectors_hold() {
        for (expected, unit, actual, actual_unit, verdict) in [
            ("1.5", "cm", 0.0146, "m", true),
            ("35", "%", 0.35, "", true),
            ("12.74", "°C", 10.1, "°C", true),
            ("0", "m/s", 0.05, "m/s", false),
            ("0", "m/s", 0.0499, "m/s", true),
            ("4.5e-8", "cm^3/min", 7.5e-10, "cm^3/s", true),
            ("1e-19", "", 0.0, "", true),
            ("inf", "", f64::INFINITY, "", true),
            ("1.5x10^3", "m", 1.5, "km", false),
            ("6.5", "K/km", 0.0065, "K/m", true),
            ("20", "K", 20.0, "°C", true),
            ("293.15", "K", 20.0, "°C", true),
            ("1e-5", "1/s", 0.036, "1/h", false),
            ("100", "hPa", 100.0, "Pa", true),
            ("8.0", "W m^-2", 0.008, "kW m^-2", false),
        ] {
            assert_eq!(
                passes(expected, unit, actual, actual_unit),
                verdict,
                "{expected} {unit} | {actual} {actual_unit}"
            );
        }
    }

    #[test]
    fn the_loose_form_is_read_as_published() {
        for (text, value) in [
            ("1.5x3", Some(1500.0)),
            ("1.5 × 10^-3", Some(1.5e-3)),
            ("3.79X104", Some(3.79e4)),
            ("1x10", Some(1e10)),
            ("1.71×10 2", Some(171.0)),
            ("-2.5x10^2", Some(-250.0)),
            (".5x10^3", None),
            ("1.5x10^{3}", None),
            ("1.5x", None),
            ("ax3", None),
        ] {
            assert_eq!(scientific(text).unwrap(), value, "{text}");
        }
        assert!(scientific("1.5x10^400").is_err());
        assert_eq!(scientific("1.5x10^-400").unwrap(), Some(0.0));
    }
}
