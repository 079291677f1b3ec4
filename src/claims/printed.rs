//! A number as it stands in print, and what its digits allow the true value to be.
//!
//! The rule is the same for every claim: a recomputed `x` agrees with a printed `v` of `d` decimals
//! when `|x - v| <= 0.5·10^-d + 1e-9`, so half-up and half-even printing are both accepted. Which
//! value is compared with which is decided elsewhere.

use serde::Serialize;

/// Slack for the last bits of doubles, in the unit of the claim.
const LAST_BITS: f64 = 1e-9;

/// A number as printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Printed {
    /// The characters in print (`96.0`, `1,308`, `+0.80`).
    pub text: String,
    /// Their value.
    pub value: f64,
    /// Printed decimals; negative when the number is rounded to tens or hundreds.
    pub decimals: i32,
    /// True for a count, which is what it is: computing with it leaves no slack of rounding.
    #[serde(skip)]
    pub exact: bool,
}

/// How a recomputed value lies to a printed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// In the interval of the printed digits.
    Inside,
    /// Outside, but the printed number is the other of the two neighbours of the value.
    OtherNeighbour,
    /// Farther away.
    Outside,
}

impl Printed {
    /// A printed number whose decimals are known.
    pub fn new(text: impl Into<String>, value: f64, decimals: i32) -> Self {
        Self { text: text.into(), value, decimals, exact: false }
    }

    /// Reads a number from print: commas between thousands, a plus sign, the typographic minus and a
    /// percent sign are allowed. The decimals are counted. `None` when it is no finite number, or when its
    /// commas can mean two things ([`Self::is_ambiguous`]).
    pub fn read(text: &str) -> Option<Self> {
        if Self::is_ambiguous(text) {
            return None;
        }
        let trimmed = text.trim().trim_end_matches('%').trim_end();
        let plain = trimmed.replace('\u{2212}', "-").replace(',', "");
        let plain = plain.strip_prefix('+').unwrap_or(&plain);
        let value: f64 = plain.parse().ok()?;
        if !value.is_finite() || !plain.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        Some(Self { text: trimmed.to_owned(), value, decimals: counted(plain), exact: false })
    }

    /// True for digits with commas that do not set off groups of three: `2,4` may be a decimal comma or two
    /// numbers, `1,99,2` anything.
    pub fn is_ambiguous(text: &str) -> bool {
        let trimmed = text.trim().trim_end_matches('%').trim_end().trim_start_matches(['+', '-', '\u{2212}']);
        let looks_numeric = trimmed.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.'));
        if !trimmed.contains(',') || !looks_numeric || !trimmed.bytes().any(|b| b.is_ascii_digit()) {
            return false;
        }
        let (whole, decimals) = trimmed.split_once('.').unwrap_or((trimmed, ""));
        let mut groups = whole.split(',');
        let first = groups.next().unwrap_or_default();
        let sound = (1..=3).contains(&first.len()) && !first.starts_with('0') && groups.all(|group| group.len() == 3);
        !sound || decimals.contains([',', '.'])
    }

    /// The same number with a stated number of decimals.
    #[must_use]
    pub fn with_decimals(mut self, decimals: i32) -> Self {
        self.decimals = decimals;
        self
    }

    /// The same number with a stated number of significant digits (`0.016` has two).
    #[must_use]
    pub fn with_digits(mut self, digits: u32) -> Self {
        let magnitude = if self.value == 0.0 { 0 } else { self.value.abs().log10().floor() as i32 };
        self.decimals = digits.cast_signed() - 1 - magnitude;
        self
    }

    /// What the true value may be when one computes with this number.
    pub fn spread(&self) -> (f64, f64) {
        if self.exact { (self.value, self.value) } else { self.interval() }
    }

    /// One unit of the last printed digit.
    pub fn unit(&self) -> f64 {
        // Parsing gives the double nearest to the power of ten; `powi` would not.
        format!("1e{}", -self.decimals).parse().unwrap_or(f64::NAN)
    }

    /// The values that print like this, both ends included.
    pub fn interval(&self) -> (f64, f64) {
        let half = self.unit() / 2.0;
        (self.value - half, self.value + half)
    }

    /// Where a value that is known to lie in `low..=high` is (`low == high` for an exact value).
    pub fn position(&self, low: f64, high: f64) -> Position {
        let distance = self.distance(low, high);
        if distance <= self.unit() / 2.0 + LAST_BITS {
            Position::Inside
        } else if distance < self.unit() - LAST_BITS {
            Position::OtherNeighbour
        } else {
            Position::Outside
        }
    }

    /// True when the printed number is a value of `low..=high` rounded down (or `up`) at its precision.
    pub fn is_outward(&self, low: f64, high: f64, up: bool) -> bool {
        if up {
            self.value >= low - LAST_BITS && self.value - high < self.unit() - LAST_BITS
        } else {
            self.value <= high + LAST_BITS && low - self.value < self.unit() - LAST_BITS
        }
    }

    /// Distance of the printed value from an interval.
    fn distance(&self, low: f64, high: f64) -> f64 {
        if self.value < low {
            low - self.value
        } else if self.value > high {
            self.value - high
        } else {
            0.0
        }
    }
}

/// Decimals of a plain number text; an exponent moves them (`4.9e-07` has eight).
fn counted(plain: &str) -> i32 {
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((plain, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| i32::try_from(digits.len()).unwrap_or(i32::MAX));
    decimals.saturating_sub(exponent.parse::<i32>().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(text: &str, x: f64) -> Position {
        Printed::read(text).unwrap().position(x, x)
    }

    #[test]
    fn half_a_unit_belongs_to_both_neighbours() {
        assert_eq!(place("97.6", 97.65), Position::Inside);
        assert_eq!(place("97.7", 97.65), Position::Inside);
        assert_eq!(place("0.12", 0.125), Position::Inside);
        assert_eq!(place("30", 29.6), Position::Inside);
    }

    #[test]
    fn the_other_neighbour_is_told_from_a_difference() {
        assert_eq!(place("97.6", 97.66), Position::OtherNeighbour);
        assert_eq!(place("97.6", 97.69), Position::OtherNeighbour);
        assert_eq!(place("97.6", 97.7), Position::Outside);
        assert_eq!(place("5", 6.0), Position::Outside);
    }

    #[test]
    fn outward_ends_are_floor_and_ceiling() {
        let (low, high) = (Printed::read("30").unwrap(), Printed::read("45").unwrap());
        assert!(low.is_outward(30.6, 30.6, false) && high.is_outward(44.8, 44.8, true));
        assert!(!low.is_outward(29.6, 29.6, false) && !high.is_outward(45.2, 45.2, true));
        assert!(low.is_outward(30.0, 30.0, false));
    }

    #[test]
    fn print_is_read_with_its_precision() {
        for (text, value, decimals) in [
            ("1,308", 1308.0, 0),
            ("+0.80", 0.8, 2),
            ("\u{2212}1.5%", -1.5, 1),
            ("4.9e-07", 4.9e-7, 8),
            ("96.0", 96.0, 1),
        ] {
            let printed = Printed::read(text).unwrap();
            assert_eq!((printed.value, printed.decimals), (value, decimals), "{text}");
        }
        assert!(["", "-", "n/a", "inf", "nan", "1.2.3", "5 of 6"].iter().all(|text| Printed::read(text).is_none()));
        for text in ["2,4", "1,99,2", "12,34", "1,2345", "0,123", ",5", "5,", "1.5,2", "1234,567", "-2,4", "3,4%"] {
            assert!(Printed::is_ambiguous(text) && Printed::read(text).is_none(), "{text}");
        }
        for (text, value) in [("1,234.5", 1234.5), ("12,345,678", 12_345_678.0), ("-1,308", -1308.0)] {
            assert_eq!(Printed::read(text).unwrap().value, value, "{text}");
        }
        assert_eq!(Printed::read("0.00085").unwrap().with_digits(2).decimals, 5);
        assert_eq!(Printed::read("700").unwrap().with_digits(1).decimals, -2);
    }

    proptest! {
        #[test]
        fn a_value_agrees_with_its_own_rounding(x in -1e6..1e6f64, decimals in 0..6usize) {
            let text = crate::number::fixed(x, decimals);
            let printed = Printed::read(&text).unwrap();
            prop_assert_eq!(printed.decimals, decimals as i32);
            prop_assert_eq!(printed.position(x, x), Position::Inside);
            let unit = printed.unit();
            prop_assert_eq!(printed.position(x + 2.0 * unit, x + 2.0 * unit), Position::Outside);
        }

        #[test]
        fn a_cut_off_value_is_never_farther_than_the_other_neighbour(x in 0.0..1e4f64, decimals in 0..4usize) {
            let scale = 10f64.powi(decimals as i32);
            let cut = (x * scale).floor() / scale;
            let printed = Printed::new(crate::number::fixed(cut, decimals), cut, decimals as i32);
            // One unit up to the last bits may remain of a value just below its neighbour.
            prop_assert!(printed.position(x, x) != Position::Outside || (x - cut) > printed.unit() - 2e-9);
            prop_assert!(printed.is_outward(x, x, false) || (x - cut) > printed.unit() - 2e-9);
        }

        #[test]
        fn a_wider_interval_of_values_never_agrees_less(x in -1e3..1e3f64, v in -1e3..1e3f64, wide in 0.0..5.0f64) {
            let printed = Printed::new("v", v, 1);
            if printed.position(x, x) == Position::Inside {
                prop_assert_eq!(printed.position(x - wide, x + wide), Position::Inside);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            let _ = Printed::read(&text);
        }
    }
}
