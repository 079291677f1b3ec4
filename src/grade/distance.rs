//! How far an answer is from an accepted value, before a tolerance is applied.
//!
//! Measuring once and comparing with many tolerances gives the same verdicts as grading anew at each
//! tolerance, because the rule uses the tolerance only in the last comparison.

/// Floor of the denominator in the study's rule. It loosens the rule for expected values below it.
pub const FLOOR: f64 = 1e-15;

/// Distance between an accepted value and an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distance {
    /// Passes at every tolerance.
    Exact,
    /// Passes when at most the tolerance: `|a - e| / max(|e|, 1e-15)`.
    Relative(f64),
    /// Passes when strictly below the tolerance, which then is an absolute number: `|a|` for an
    /// expected zero.
    Absolute(f64),
    /// Passes at no tolerance.
    Never,
}

impl Distance {
    /// The rule for two doubles; an expected zero is compared absolutely. NaN passes nowhere.
    pub fn between(expected: f64, actual: f64) -> Self {
        if expected == 0.0 {
            Self::Absolute(actual.abs())
        } else {
            // Python's max() keeps its first argument when that is NaN; the numerator is NaN then too.
            let scale = if FLOOR > expected.abs() { FLOOR } else { expected.abs() };
            Self::Relative((actual - expected).abs() / scale)
        }
    }

    /// Verdict at a tolerance: the bound itself belongs to a relative tolerance, not to an absolute one.
    pub fn within(self, tolerance: f64) -> bool {
        match self {
            Self::Exact => true,
            Self::Relative(distance) => distance <= tolerance,
            Self::Absolute(distance) => distance < tolerance,
            Self::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_inclusive_for_relative_and_exclusive_for_absolute_tolerances() {
        assert!(Distance::between(100.0, 105.0).within(0.05));
        assert!(Distance::between(100.0, 95.0).within(0.05));
        assert!(!Distance::between(100.0, 105.000_000_1).within(0.05));
        assert!(!Distance::between(0.0, 0.05).within(0.05));
        assert!(Distance::between(0.0, -0.0499).within(0.05));
    }

    #[test]
    fn nothing_is_near_nan_or_infinity() {
        for (expected, actual) in [
            (1.0, f64::NAN),
            (f64::NAN, f64::NAN),
            (f64::NAN, 1.0),
            (1.0, f64::INFINITY),
            (f64::INFINITY, f64::INFINITY),
        ] {
            assert!(!Distance::between(expected, actual).within(1.0), "{expected} {actual}");
        }
    }

    #[test]
    fn the_floor_lets_zero_pass_for_a_tiny_expected_value() {
        assert!(Distance::between(1e-19, 0.0).within(0.05));
        assert!(!Distance::between(1e-13, 0.0).within(0.05));
    }
}
