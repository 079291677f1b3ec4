//! How far two doubles are apart, exactly.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// Units in the last place beyond which a difference is reported as a relative one only.
const FEW: u64 = 64;

/// The largest difference over the values of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Difference {
    /// Every value has the same bits.
    BitIdentical,
    /// At most this many units in the last place.
    Ulps(u64),
    /// This relative difference, `|a - b| / |b|`.
    Relative(f64),
    /// A value is missing, not a number, or of another kind on one side.
    NotComparable,
    /// There was nothing to compare.
    Nothing,
}

impl Difference {
    /// Difference of `found` from `stored`. Two NaN are the same value.
    pub fn between(found: f64, stored: f64) -> Self {
        if found.to_bits() == stored.to_bits() || (found.is_nan() && stored.is_nan()) {
            return Self::BitIdentical;
        }
        if !found.is_finite() || !stored.is_finite() {
            return Self::NotComparable;
        }
        let ulps = ordinal(found).abs_diff(ordinal(stored));
        if ulps <= FEW {
            return Self::Ulps(ulps);
        }
        if stored == 0.0 { Self::NotComparable } else { Self::Relative((found - stored).abs() / stored.abs()) }
    }

    /// Grade for ordering: how bad a class is, then how large the difference in it.
    fn gravity(self) -> (u8, f64) {
        match self {
            Self::Nothing => (0, 0.0),
            Self::BitIdentical => (1, 0.0),
            Self::Ulps(ulps) => (2, ulps as f64),
            Self::Relative(relative) => (3, relative),
            Self::NotComparable => (4, 0.0),
        }
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other.gravity() > self.gravity() { other } else { self }
    }

    /// The smaller of two, for the nearest of several accepted values.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other.gravity() < self.gravity() { other } else { self }
    }

    /// Stable name of the class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::BitIdentical => "bit-identical",
            Self::Ulps(_) => "ulps",
            Self::Relative(_) => "relative",
            Self::NotComparable => "not-comparable",
            Self::Nothing => "nothing",
        }
    }

    /// True when the values are the same up to rounding of the last operations.
    pub const fn is_rounding(self) -> bool {
        matches!(self, Self::BitIdentical | Self::Ulps(_) | Self::Nothing)
    }
}

/// Doubles in order as integers, so that neighbours differ by one; both zeros are neighbours.
fn ordinal(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    if bits < 0 { i64::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("class", self.class())?;
        match self {
            Self::Ulps(ulps) => map.serialize_entry("ulps", ulps)?,
            Self::Relative(relative) => map.serialize_entry("relative", relative)?,
            _ => {}
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_by_one_also_across_zero() {
        assert_eq!(Difference::between(1.0, 1.0), Difference::BitIdentical);
        assert_eq!(Difference::between(f64::from_bits(1.0_f64.to_bits() + 1), 1.0), Difference::Ulps(1));
        assert_eq!(Difference::between(-0.0, 0.0), Difference::Ulps(1));
        assert_eq!(Difference::between(-5e-324, 0.0), Difference::Ulps(2));
        assert_eq!(Difference::between(-1.0, f64::from_bits((-1.0_f64).to_bits() + 3)), Difference::Ulps(3));
        assert_eq!(Difference::between(1.5, 1.0), Difference::Relative(0.5));
        assert_eq!(Difference::between(f64::INFINITY, 1.0), Difference::NotComparable);
        assert_eq!(Difference::between(f64::MAX, f64::MIN).class(), "relative");
    }

    #[test]
    fn the_worst_value_counts() {
        let worst = Difference::BitIdentical.max(Difference::Ulps(3)).max(Difference::Ulps(2));
        assert_eq!(worst, Difference::Ulps(3));
        assert_eq!(worst.max(Difference::Relative(1e-9)), Difference::Relative(1e-9));
        assert_eq!(Difference::Relative(0.3).min(Difference::Relative(0.1)), Difference::Relative(0.1));
    }
}
