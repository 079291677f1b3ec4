//! Exact McNemar test: the P value as a fraction of whole numbers, never through a logarithm.

use std::fmt;

use super::natural::Natural;

/// A probability `numerator / 2^exponent`, in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dyadic {
    numerator: Natural,
    exponent: u32,
}

impl Dyadic {
    /// Exactly 1.
    pub fn one() -> Self {
        Self { numerator: Natural::from(1), exponent: 0 }
    }

    pub(super) fn reduced(numerator: &Natural, exponent: u32) -> Self {
        let shift = numerator.trailing_zeros().min(exponent);
        Self { numerator: numerator.shifted_right(shift), exponent: exponent - shift }
    }

    /// The nearest double, ties to even.
    pub fn to_f64(&self) -> f64 {
        self.numerator.over_power_of_two(self.exponent)
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.numerator),
            exponent => write!(f, "{}/{}", self.numerator, Natural::from(1).shifted_left(exponent)),
        }
    }
}

/// Two-sided exact McNemar test of `b` against `c` discordant pairs:
/// `P = min(1, 2 Σ_{i ≤ min(b,c)} C(b+c, i) / 2^(b+c))`, and 1 without discordant pairs (McNemar 1947;
/// the binomial form of Liddell 1983).
///
/// ```
/// use repro::statistics::exact::mcnemar;
/// assert_eq!(mcnemar(9, 1).to_string(), "11/512");
/// assert_eq!(mcnemar(9, 1).to_f64(), 0.021484375);
/// assert_eq!(mcnemar(4, 4).to_string(), "1");
/// ```
pub fn mcnemar(b: u32, c: u32) -> Dyadic {
    let (pairs, smaller) = (u64::from(b) + u64::from(c), b.min(c));
    // With equal counts both tails overlap and the sum exceeds one; a difference of one gives exactly 1.
    if b.abs_diff(c) <= 1 {
        return Dyadic::one();
    }
    let mut term = Natural::from(1);
    let mut sum = Natural::from(1);
    for i in 0..u64::from(smaller) {
        term = term.times(pairs - i).divided(i + 1);
        sum = sum.plus(&term);
    }
    Dyadic::reduced(&sum, pairs as u32 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        for (b, c, value) in [
            (9, 1, 0.021_484_375),
            (0, 3, 0.25),
            (5, 14, 0.063_568_115_234_375),
            (0, 0, 1.0),
            (1, 0, 1.0),
            (4, 4, 1.0),
            (10, 9, 1.0),
            (7, 0, 1.0 / 64.0),
            (4, 0, 1.0 / 8.0),
            (12, 1, 7.0 / 2048.0),
            (13, 1, 15.0 / 8192.0),
        ] {
            assert_eq!(mcnemar(b, c).to_f64(), value, "{b}:{c}");
            assert_eq!(mcnemar(c, b).to_f64(), value, "{c}:{b}");
        }
        assert!((mcnemar(18, 8).to_f64() - 0.075_518_697_5).abs() < 5e-11);
        assert_eq!(mcnemar(13, 1).to_string(), "15/8192");
    }

    #[test]
    fn large_counts_neither_overflow_nor_vanish() {
        assert_eq!(mcnemar(0, 1000).to_f64(), 2.0_f64.powi(-999));
        let close = mcnemar(1700, 1830).to_f64();
        // Normal approximation with continuity correction: z = 129/√3530 = 2.1712, P = 0.0299.
        assert!((close - 0.0299).abs() < 2e-4, "{close}");
        assert_eq!(mcnemar(0, 4000).to_f64(), 0.0);
        assert!(mcnemar(0, 4000).to_string().starts_with("1/"));
    }

    proptest! {
        #[test]
        fn equals_the_slow_sum_in_wide_integers(b in 0_u32..60, c in 0_u32..60) {
            let n = b + c;
            // Pascal's triangle in u128: no division, no symmetry.
            let mut row = vec![1_u128];
            for _ in 0..n {
                let mut next = vec![1_u128];
                next.extend(row.windows(2).map(|pair| pair[0] + pair[1]));
                next.push(1);
                row = next;
            }
            let tail: u128 = row.iter().take(b.min(c) as usize + 1).sum();
            let slow = if n == 0 { 1.0 } else { (2.0 * tail as f64 / 2.0_f64.powf(f64::from(n))).min(1.0) };
            prop_assert_eq!(mcnemar(b, c).to_f64(), slow);
        }
    }
}
