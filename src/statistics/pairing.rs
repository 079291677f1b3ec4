//! What became of matched things on two sides: the arithmetic behind every comparison.

use super::Interval;
use super::exact::{Dyadic, mcnemar};
use super::interval::Z_ROUNDED;

/// Matched things by what became of them before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Solved on both sides.
    pub both: usize,
    /// Solved before and not after.
    pub lost: usize,
    /// Solved after and not before.
    pub gained: usize,
    /// Solved on neither side.
    pub neither: usize,
}

impl FromIterator<(bool, bool)> for Counts {
    fn from_iter<I: IntoIterator<Item = (bool, bool)>>(pairs: I) -> Self {
        let mut counts = Self::default();
        for pair in pairs {
            *match pair {
                (true, true) => &mut counts.both,
                (true, false) => &mut counts.lost,
                (false, true) => &mut counts.gained,
                (false, false) => &mut counts.neither,
            } += 1;
        }
        counts
    }
}

impl Counts {
    /// All pairs.
    pub const fn pairs(self) -> usize {
        self.both + self.lost + self.gained + self.neither
    }

    /// Solved before.
    pub const fn before(self) -> usize {
        self.both + self.lost
    }

    /// Solved after.
    pub const fn after(self) -> usize {
        self.both + self.gained
    }

    /// `100 (lost - gained) / n`: points lost from before to after. Not a number without pairs.
    pub fn loss(self) -> f64 {
        100.0 * (self.lost as f64 - self.gained as f64) / self.pairs() as f64
    }

    /// The 95 % Wald interval of [`Counts::loss`], in points: `loss ± 1.96 √((b+c)/n² - (b-c)²/n³)` with the
    /// radicand cut at 0 (Agresti 2013, equation 11.2, with the rounded quantile).
    pub fn wald(self) -> Interval {
        let (b, c, n) = (self.lost as f64, self.gained as f64, self.pairs() as f64);
        let variance = (b + c) / (n * n) - (b - c) * (b - c) / (n * n * n);
        let half = 100.0 * Z_ROUNDED * variance.max(0.0).sqrt();
        Interval { low: self.loss() - half, high: self.loss() + half, level: 0.95, method: "wald-paired" }
    }

    /// Exact two-sided McNemar P of lost against gained, as a fraction.
    pub fn p(self) -> Dyadic {
        mcnemar(self.lost as u32, self.gained as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_in_one_cell_and_the_totals_close() {
        let pairs = [(true, true), (true, false), (true, false), (false, true), (false, false)];
        let counts: Counts = pairs.into_iter().collect();
        assert_eq!(counts, Counts { both: 1, lost: 2, gained: 1, neither: 1 });
        // b - c is the difference of the totals.
        assert_eq!(counts.before() as i64 - counts.after() as i64, 2 - 1);
        assert_eq!((counts.pairs(), counts.loss()), (5, 20.0));
    }

    #[test]
    fn known_answers_of_published_tables() {
        // (lost, gained, pairs) with the printed ends of the interval.
        for (lost, gained, n, low, high) in [
            (9, 1, 346, "0.54", "4.09"),
            (18, 8, 346, "0.02", "5.76"),
            (5, 14, 346, "-5.06", "-0.15"),
            (0, 3, 346, "-1.84", "0.11"),
            (10, 2, 436, "0.29", "3.38"),
        ] {
            let counts = Counts { both: n - lost - gained, lost, gained, neither: 0 };
            let ends = [counts.wald().low, counts.wald().high].map(|end| crate::number::fixed(end, 2));
            assert_eq!(ends, [low, high]);
        }
        // Table of exact P values as fractions, from counts alone.
        for (lost, gained, p) in [(7, 0, "1/64"), (4, 0, "1/8"), (5, 0, "1/16"), (9, 0, "1/256"), (12, 1, "7/2048")] {
            assert_eq!(Counts { lost, gained, ..Counts::default() }.p().to_string(), p);
        }
        for (lost, gained, p) in [(13, 1, "15/8192"), (13, 0, "1/4096"), (16, 0, "1/32768"), (0, 0, "1")] {
            assert_eq!(Counts { lost, gained, ..Counts::default() }.p().to_string(), p);
        }
    }
}
