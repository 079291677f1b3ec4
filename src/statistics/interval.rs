//! Intervals for proportions and for means over clusters.
//!
//! Proportions are given as counts, so that 0 of n and n of n end exactly at 0 and at 1. An interval
//! over nothing does not exist (`None`); it is never `(0, 0)`. All ends are fractions; a statistic in
//! percent calls [`Interval::scaled`].

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::beta::inv_beta_reg;

use super::Interval;
use crate::number;

/// The rounded normal quantile of published tables.
pub const Z_ROUNDED: f64 = 1.96;
/// The 97.5 % quantile of the standard normal distribution to double precision.
pub const Z_EXACT: f64 = 1.959_963_984_540_054;
const LEVEL: f64 = 0.95;

impl Interval {
    /// The interval in another unit: both ends times `factor` (positive).
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor, ..self }
    }
}

/// Wilson's score interval of `k` successes in `n` trials at 95 %, as a fraction.
///
/// With `p = k/n`: centre `(p + z²/2n) / (1 + z²/n)`, half width
/// `z √(p(1-p)/n + z²/4n²) / (1 + z²/n)` (Wilson 1927). `z` is [`Z_ROUNDED`] where a study prints with
/// 1.96 and [`Z_EXACT`] otherwise. `None` for `n = 0` or `k > n`.
pub fn wilson(k: u64, n: u64, z: f64) -> Option<Interval> {
    if n == 0 || k > n {
        return None;
    }
    let (p, count, z2) = (k as f64 / n as f64, n as f64, z * z);
    let denominator = 1.0 + z2 / count;
    let centre = (p + z2 / (2.0 * count)) / denominator;
    let half = z * (p * (1.0 - p) / count + z2 / (4.0 * count * count)).sqrt() / denominator;
    let low = if k == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if k == n { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high, level: LEVEL, method: "wilson" })
}

/// The exact interval of Clopper and Pearson (1934) at 95 %, as a fraction: the ends are the 2.5 %
/// quantile of Beta(k, n-k+1) and the 97.5 % quantile of Beta(k+1, n-k); 0 for `k = 0`, 1 for `k = n`.
/// `None` for `n = 0` or `k > n`.
pub fn clopper_pearson(k: u64, n: u64) -> Option<Interval> {
    if n == 0 || k > n {
        return None;
    }
    let (successes, failures) = (k as f64, (n - k) as f64);
    let tail = (1.0 - LEVEL) / 2.0;
    let low = if k == 0 { 0.0 } else { inv_beta_reg(successes, failures + 1.0, tail) };
    // The upper end through the mirrored lower one keeps k and n - k exactly symmetric.
    let high = if k == n { 1.0 } else { 1.0 - inv_beta_reg(failures, successes + 1.0, tail) };
    Some(Interval { low, high, level: LEVEL, method: "clopper-pearson" })
}

/// Interval of a share whose trials come in clusters (the runs of one problem, the variants of one
/// parent), at 95 %, as a fraction.
///
/// With `y` successes of `m` trials in each of `C` clusters: `p = Σy / Σm`,
/// `se = √( C/(C-1) · Σ(y - p m)² ) / Σm`, ends `p ± t(C-1, 0.975) · se`, cut at 0 and 1 (ratio
/// estimator, Cochran 1977, §3.12). Clusters without trials are left out.
///
/// # Errors
/// The reason why there is none: fewer than two clusters, or no spread between clusters.
pub fn cluster_share(clusters: &[(u64, u64)]) -> Result<Interval, &'static str> {
    let mut used: Vec<(u64, u64)> = clusters.iter().copied().filter(|&(_, trials)| trials > 0).collect();
    if used.len() < 2 {
        return Err("a cluster interval needs at least two clusters");
    }
    used.sort_unstable();
    let (successes, trials) = used.iter().fold((0, 0), |(y, m), &(dy, dm)| (y + dy, m + dm));
    let share = successes as f64 / trials as f64;
    // Integers first: Σ(y·M - Y·m)² is zero exactly when every cluster has the same rate.
    let flat = used.iter().all(|&(y, m)| i128::from(y) * i128::from(trials) == i128::from(successes) * i128::from(m));
    if flat {
        return Err("all clusters have the same rate, so their spread says nothing");
    }
    let squares = used.iter().map(|&(y, m)| (y as f64 - share * m as f64).powi(2));
    let count = used.len() as f64;
    let se = (count / (count - 1.0) * number::sum(squares)).sqrt() / trials as f64;
    let half = t_quantile(used.len() - 1) * se;
    Ok(Interval { low: (share - half).max(0.0), high: (share + half).min(1.0), level: LEVEL, method: "cluster-t" })
}

/// Interval of the mean of differences over sampled units at 95 %: `mean ± t(n-1, 0.975) · s / √n`. `None` for fewer
/// than two values and for values that are all the same, whose spread says nothing.
pub fn paired_mean(differences: &[f64]) -> Option<Interval> {
    let mean = super::moments::mean(differences)?;
    let spread = super::moments::sample_sd(differences).filter(|sd| *sd > 0.0)?;
    let half = t_quantile(differences.len() - 1) * spread / (differences.len() as f64).sqrt();
    Some(Interval { low: mean - half, high: mean + half, level: LEVEL, method: "paired-t" })
}

/// 97.5 % quantile of Student's t with `freedom` degrees of freedom (at least 1).
fn t_quantile(freedom: usize) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1) as f64).map_or(Z_EXACT, |t| t.inverse_cdf(1.0 - (1.0 - LEVEL) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Printed elsewhere: k, n, Wilson with the exact quantile, Clopper-Pearson.
    const KNOWN: [(u64, u64, f64, f64, f64, f64); 8] = [
        (0, 20, 0.0, 0.161_125, 0.0, 0.168_433),
        (3, 20, 0.052_369, 0.360_419, 0.032_071, 0.378_927),
        (10, 20, 0.299_298, 0.700_702, 0.271_958, 0.728_042),
        (14, 20, 0.481_027, 0.854_523, 0.457_211, 0.881_068),
        (13, 18, 0.491_273, 0.875_002, 0.465_198, 0.903_051),
        (18, 18, 0.824_121, 1.0, 0.814_698, 1.0),
        (79, 80, 0.932_537, 0.997_790, 0.932_312, 0.999_684),
        (80, 80, 0.954_182, 1.0, 0.954_936, 1.0),
    ];

    #[test]
    fn known_answers_to_six_digits() {
        for (k, n, wilson_low, wilson_high, exact_low, exact_high) in KNOWN {
            let score = wilson(k, n, Z_EXACT).unwrap();
            let exact = clopper_pearson(k, n).unwrap();
            for (found, known) in
                [(score.low, wilson_low), (score.high, wilson_high), (exact.low, exact_low), (exact.high, exact_high)]
            {
                assert!((found - known).abs() <= 5.1e-7, "{k}/{n}: {found} for {known}");
            }
        }
    }

    #[test]
    fn the_rounded_quantile_gives_the_published_rate_interval() {
        // 1 of 10,464 prints as 0.0017-0.0541 %.
        let rate = wilson(1, 10_464, Z_ROUNDED).unwrap().scaled(100.0);
        assert_eq!((number::fixed(rate.low, 4), number::fixed(rate.high, 4)), ("0.0017".into(), "0.0541".into()));
    }

    #[test]
    fn perfect_scores_are_not_certain_and_depend_on_n() {
        let small = wilson(25, 25, Z_ROUNDED).unwrap().scaled(100.0);
        let large = wilson(500, 500, Z_ROUNDED).unwrap().scaled(100.0);
        assert_eq!((number::fixed(small.low, 1), small.high), ("86.7".into(), 100.0));
        assert_eq!((number::fixed(large.low, 1), large.high), ("99.2".into(), 100.0));
        assert_eq!(wilson(0, 0, Z_ROUNDED), None);
        assert_eq!(clopper_pearson(3, 2), None);
    }

    #[test]
    fn one_trial_per_cluster_is_the_ordinary_standard_error() {
        // 6 of 10: s² = 6·4/90, se = s/√10, t(9) = 2.262157.
        let clusters: Vec<_> = (0..10).map(|i| (u64::from(i < 6), 1)).collect();
        let interval = cluster_share(&clusters).unwrap();
        let half = 2.262_157_162_740_992 * (24.0_f64 / 90.0 / 10.0).sqrt();
        assert!((interval.low - (0.6 - half)).abs() < 1e-9 && (interval.high - (0.6 + half)).abs() < 1e-9);
        assert!(cluster_share(&[(3, 3)]).is_err());
        assert!(cluster_share(&[(3, 3), (0, 0)]).is_err());
        assert!(cluster_share(&[(3, 3), (5, 5)]).is_err());
    }

    /// P(X ≥ k) for X ~ Binomial(n, p), by adding terms.
    fn upper_tail(k: u64, n: u64, p: f64) -> f64 {
        let mut term = (1.0 - p).powf(n as f64);
        let mut below = 0.0;
        for i in 0..k {
            below += term;
            term *= (n - i) as f64 / (i + 1) as f64 * p / (1.0 - p);
        }
        1.0 - below
    }

    proptest! {
        #[test]
        fn clopper_pearson_ends_leave_the_right_tails(n in 1_u64..150, share in 0.0_f64..=1.0) {
            let k = (share * n as f64) as u64;
            let interval = clopper_pearson(k, n).unwrap();
            if k > 0 {
                prop_assert!((upper_tail(k, n, interval.low) - 0.025).abs() < 1e-9);
            }
            if k < n {
                // P(X ≤ k) seen from the failures, where the first term does not underflow.
                prop_assert!((upper_tail(n - k, n, 1.0 - interval.high) - 0.025).abs() < 1e-9);
            }
        }

        #[test]
        fn intervals_hold_the_share_and_mirror(n in 1_u64..5000, share in 0.0_f64..=1.0) {
            let k = (share * n as f64) as u64;
            let p = k as f64 / n as f64;
            for (here, there) in [
                (wilson(k, n, Z_ROUNDED).unwrap(), wilson(n - k, n, Z_ROUNDED).unwrap()),
                (clopper_pearson(k, n).unwrap(), clopper_pearson(n - k, n).unwrap()),
            ] {
                prop_assert!(0.0 <= here.low && here.low <= p && p <= here.high && here.high <= 1.0);
                prop_assert!((here.low - (1.0 - there.high)).abs() < 1e-12);
            }
        }

        #[test]
        fn the_order_of_clusters_does_not_matter(mut clusters in prop::collection::vec((0_u64..4, 3_u64..5), 2..40)) {
            let before = cluster_share(&clusters);
            clusters.reverse();
            prop_assert_eq!(before, cluster_share(&clusters));
        }
    }
}
