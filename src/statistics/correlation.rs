//! Correlations between two columns of numbers.
//!
//! All return `None` where they are undefined: columns of unequal length, fewer than two rows, or a
//! column without spread.

use std::cmp::Ordering;

use super::moments;
use crate::number;

/// Pearson's r.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    // Pairs in a fixed order, so that the order of rows cannot show in the last bits.
    let mut pairs: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (mx, my) = (moments::mean(x)?, moments::mean(y)?);
    let total = |product: fn(f64, f64) -> f64| number::sum(pairs.iter().map(|&(x, y)| product(x - mx, y - my)));
    let (xy, xx, yy) = (total(|dx, dy| dx * dy), total(|dx, _| dx * dx), total(|_, dy| dy * dy));
    let r = xy / (xx * yy).sqrt();
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

/// Ranks from 1, ascending; tied values share the average of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut out = vec![0.0; values.len()];
    let mut below = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let average = below as f64 + (tied.len() + 1) as f64 / 2.0;
        for &index in tied {
            out[index] = average;
        }
        below += tied.len();
    }
    out
}

/// Spearman's rho: Pearson's r of the average ranks.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

/// Kendall's tau-b: `(C - D) / √((n0 - tx)(n0 - ty))` with `n0 = n(n-1)/2` pairs, `C` concordant, `D`
/// discordant, `tx` and `ty` pairs tied in one column (pairs tied in both count in both).
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let (mut balance, mut pairs, mut tied_x, mut tied_y) = (0_i64, 0_i64, 0_i64, 0_i64);
    for i in 0..x.len() {
        for j in 0..i {
            let (a, b) = (x[i].partial_cmp(&x[j])?, y[i].partial_cmp(&y[j])?);
            pairs += 1;
            tied_x += i64::from(a == Ordering::Equal);
            tied_y += i64::from(b == Ordering::Equal);
            balance += a as i64 * b as i64;
        }
    }
    let scale = (pairs - tied_x) as f64 * (pairs - tied_y) as f64;
    (scale > 0.0).then(|| balance as f64 / scale.sqrt())
}

/// Ranks from 1 by descending value, ties broken by position; only for numbers printed from such ranks.
pub fn naive_ranks(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let mut out = vec![0; values.len()];
    for (rank, &index) in order.iter().enumerate() {
        out[index] = rank + 1;
    }
    out
}

/// `1 - 6 Σd² / (n(n² - 1))` over [`naive_ranks`]; depends on the order of rows where there are ties.
pub fn naive_spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let squares: usize = naive_ranks(x).iter().zip(naive_ranks(y)).map(|(&a, b)| a.abs_diff(b).pow(2)).sum();
    let n = x.len() as f64;
    Some(1.0 - 6.0 * squares as f64 / (n * (n * n - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        // Textbook case with ties: x ranks 1, 2.5, 2.5, 4; y ranks 1, 2, 3.5, 3.5.
        let (x, y) = ([1.0, 2.0, 2.0, 3.0], [10.0, 20.0, 30.0, 30.0]);
        assert_eq!(ranks(&x), [1.0, 2.5, 2.5, 4.0]);
        // Pairs: 4 concordant, 0 discordant, one tie in each column: 4 / √(5·5).
        assert_eq!(kendall_tau_b(&x, &y), Some(0.8));
        // Σdxdy = 3.75, Σdx² = Σdy² = 4.5.
        assert!((spearman(&x, &y).unwrap() - 3.75 / 4.5).abs() < 1e-15);
        assert_eq!(naive_ranks(&[5.0, 9.0, 5.0]), [2, 1, 3]);
        assert_eq!(naive_spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
    }

    #[test]
    fn columns_without_spread_or_of_unequal_length_have_no_correlation() {
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(kendall_tau_b(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(naive_spearman(&[1.0], &[1.0]), None);
    }

    proptest! {
        #[test]
        fn tau_agrees_with_counting_all_ordered_pairs(rows in prop::collection::vec((0_i8..5, 0_i8..5), 2..15)) {
            let x: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let y: Vec<f64> = rows.iter().map(|r| f64::from(r.1)).collect();
            // Over ordered pairs: Σ sign·sign / √(Σ sign² Σ sign²).
            let sign = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).signum() };
            let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
            for i in 0..x.len() {
                for j in 0..x.len() {
                    let (a, b) = (sign(x[i], x[j]), sign(y[i], y[j]));
                    xy += a * b;
                    xx += a * a;
                    yy += b * b;
                }
            }
            match kendall_tau_b(&x, &y) {
                Some(tau) => prop_assert!((tau - xy / f64::sqrt(xx * yy)).abs() < 1e-12),
                None => prop_assert!(xx == 0.0 || yy == 0.0),
            }
        }

        #[test]
        fn ranks_keep_order_and_sum(values in prop::collection::vec(-5_i8..5, 0..15)) {
            let values: Vec<f64> = values.iter().map(|&v| f64::from(v)).collect();
            let n = values.len() as f64;
            let ranks = ranks(&values);
            prop_assert_eq!(ranks.iter().sum::<f64>(), n * (n + 1.0) / 2.0);
            // Slow rank: values below, plus half of the ties, plus one half.
            for (value, rank) in values.iter().zip(&ranks) {
                let below = values.iter().filter(|v| *v < value).count() as f64;
                let ties = values.iter().filter(|v| *v == value).count() as f64;
                prop_assert_eq!(*rank, below + ties / 2.0 + 0.5);
            }
        }

        #[test]
        fn the_order_of_rows_does_not_matter(rows in prop::collection::vec((-1e3_f64..1e3, -1e3_f64..1e3), 3..12)) {
            let split = |rows: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { rows.iter().copied().unzip() };
            let mut turned = rows.clone();
            turned.reverse();
            let ((x, y), (u, v)) = (split(&rows), split(&turned));
            prop_assert_eq!(pearson(&x, &y), pearson(&u, &v));
            prop_assert_eq!(spearman(&x, &y), spearman(&u, &v));
        }
    }
}
