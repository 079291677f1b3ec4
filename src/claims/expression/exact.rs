//! Exact tools for printed counts: the paired test, intervals of a proportion, agreement.

/// Two-sided exact McNemar p of `b` against `c` discordant pairs:
/// `min(1, 2·sum_{i<=min(b,c)} C(m,i) / 2^m)` with `m = b + c`, and 1 for `m = 0`.
///
/// Summed as ratios of neighbouring terms from the smallest on, which is exact enough for any `m`
/// below 1000; larger counts are not asked for.
pub(super) fn mcnemar(b: u64, c: u64) -> Option<f64> {
    let m = b + c;
    if m == 0 {
        return Some(1.0);
    }
    if m > 1000 {
        return None;
    }
    let mut term = 0.5_f64.powi(m as i32);
    let mut total = 0.0;
    for i in 0..=b.min(c) {
        total += term;
        term = term * (m - i) as f64 / (i + 1) as f64;
    }
    Some((2.0 * total).min(1.0))
}

/// Ends of the Wilson 95% interval of `k` out of `n` as fractions (z = 1.96); `None` for n = 0.
/// The ends at 0 of n and n of n are exactly 0 and 1.
pub(super) fn wilson(k: u64, n: u64) -> Option<(f64, f64)> {
    if n == 0 || k > n {
        return None;
    }
    let (n_real, z) = (n as f64, 1.96_f64);
    let p = k as f64 / n_real;
    let scale = 1.0 + z * z / n_real;
    let centre = (p + z * z / (2.0 * n_real)) / scale;
    let half = z * (p * (1.0 - p) / n_real + z * z / (4.0 * n_real * n_real)).sqrt() / scale;
    let low = if k == 0 { 0.0 } else { centre - half };
    let high = if k == n { 1.0 } else { centre + half };
    Some((low, high))
}

/// Cohen's kappa from observed and expected agreement; `None` when agreement is certain.
pub(super) fn kappa(observed: f64, expected: f64) -> Option<f64> {
    (expected != 1.0).then(|| (observed - expected) / (1.0 - expected))
}

/// All shares `100 k / n` that print as `value` with `half` a unit of slack: smallest and largest `k`.
pub(super) fn counts_printing_as(value: f64, half: f64, n: u64) -> Option<(u64, u64)> {
    let n_real = n as f64;
    let low = ((value - half - 1e-9) * n_real / 100.0).ceil().max(0.0);
    let high = ((value + half + 1e-9) * n_real / 100.0).floor().min(n_real);
    (n > 0 && low <= high).then_some((low as u64, high as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcnemar_gives_the_fractions_of_the_rules() {
        for (b, c, p) in [
            (9, 1, 0.021_484_375),
            (0, 3, 0.25),
            (5, 14, 0.063_568_115_234_375),
            (0, 0, 1.0),
            (7, 0, 1.0 / 64.0),
            (12, 1, 7.0 / 2048.0),
            (13, 1, 15.0 / 8192.0),
            (16, 0, 1.0 / 32768.0),
        ] {
            assert!((mcnemar(b, c).unwrap() - p).abs() < 1e-15, "{b}:{c}");
        }
        assert!((mcnemar(18, 8).unwrap() - 0.075_518_697_5).abs() < 1e-9);
        assert_eq!(mcnemar(1, 1), Some(1.0));
    }

    #[test]
    fn wilson_ends_are_those_of_the_tables() {
        for (k, n, low, high) in [
            (0, 20, 0.0, 0.161_125),
            (3, 20, 0.052_369, 0.360_419),
            (10, 20, 0.299_298, 0.700_702),
            (80, 80, 0.954_182, 1.0),
        ] {
            let (l, h) = wilson(k, n).unwrap();
            assert!((l - low).abs() < 2e-5 && (h - high).abs() < 2e-5, "{k}/{n}: {l} {h}");
        }
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn kappa_of_the_annotation_table() {
        let expected = f64::from(10 * 11 + 16 * 15) / 676.0;
        assert!((kappa(25.0 / 26.0, expected).unwrap() - 0.92).abs() < 0.0005);
    }

    #[test]
    fn a_printed_percentage_fixes_its_count_or_has_none() {
        assert_eq!(counts_printing_as(95.6, 0.05, 436), Some((417, 417)));
        assert_eq!(counts_printing_as(83.7, 0.05, 287), None);
        assert_eq!(counts_printing_as(100.0, 0.05, 436), Some((436, 436)));
        assert_eq!(counts_printing_as(50.0, 5.0, 4), Some((2, 2)));
    }
}
