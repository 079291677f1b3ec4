//! Means, sample standard deviations and quantiles of a few numbers.
//!
//! Every function sorts nothing away: where the order of addition could show, values are added in
//! ascending order with a compensated sum, so that the order of input cannot matter.

use crate::number;

/// A mean and a sample standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanSd {
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation, divisor `n - 1`; `None` for a single value.
    pub sd: Option<f64>,
}

/// Arithmetic mean; `None` without values. Equal values give exactly that value.
pub fn mean(values: &[f64]) -> Option<f64> {
    let first = *values.first()?;
    if values.iter().all(|&value| value == first) {
        return Some(first);
    }
    Some(number::sum(ascending(values)) / values.len() as f64)
}

/// Sample standard deviation with divisor `n - 1`; `None` for fewer than two values. Equal values give
/// exactly 0.
pub fn sample_sd(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let centre = mean(values)?;
    let squares = ascending(values).into_iter().map(|value| (value - centre) * (value - centre));
    Some((number::sum(squares) / (values.len() - 1) as f64).sqrt())
}

/// Mean and sample standard deviation; `None` without values.
pub fn mean_sd(values: &[f64]) -> Option<MeanSd> {
    Some(MeanSd { mean: mean(values)?, sd: sample_sd(values) })
}

/// Middle value, or the mean of the two middle ones; `None` without values.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = ascending(values);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => mean(&sorted[middle - 1..=middle]),
    }
}

/// The quantile by the floor rule: of `n` sorted values the one at `min(n - 1, ⌊n · numerator /
/// denominator⌋)`; `None` without values or with a denominator of 0.
pub fn quantile(values: &[f64], numerator: usize, denominator: usize) -> Option<f64> {
    let sorted = ascending(values);
    let position = (sorted.len() * numerator).checked_div(denominator)?;
    sorted.get(position.min(sorted.len().checked_sub(1)?)).copied()
}

/// Smallest and largest value; `None` without values.
pub fn extremes(values: &[f64]) -> Option<(f64, f64)> {
    let sorted = ascending(values);
    Some((*sorted.first()?, *sorted.last()?))
}

fn ascending(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        // 425, 426 and 426 of 436 in percent print as 97.6 +- 0.1; 97.6300 +- 0.1324 at four decimals.
        let runs = [425.0, 426.0, 426.0].map(|k| 100.0 * k / 436.0);
        let found = mean_sd(&runs).unwrap();
        assert_eq!(number::fixed(found.mean, 4), "97.6300");
        assert_eq!(number::fixed(found.sd.unwrap(), 4), "0.1324");
        assert_eq!(median(&[3.0, 1.0, 2.0, 10.0]), Some(2.5));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 1, 2), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 1, 1), Some(4.0));
        assert_eq!(extremes(&[2.0, -1.0]), Some((-1.0, 2.0)));
    }

    #[test]
    fn too_few_values_give_nothing() {
        assert_eq!((mean(&[]), sample_sd(&[1.0]), median(&[]), quantile(&[], 1, 2), extremes(&[])), Default::default());
        assert_eq!(mean_sd(&[4.0]), Some(MeanSd { mean: 4.0, sd: None }));
    }

    #[test]
    fn equal_values_have_no_spread() {
        let third = 100.0 / 3.0;
        assert_eq!(mean_sd(&[third; 7]), Some(MeanSd { mean: third, sd: Some(0.0) }));
    }

    proptest! {
        #[test]
        fn the_order_of_values_does_not_matter(values in prop::collection::vec(-1e6_f64..1e6, 2..20)) {
            let mut turned = values.clone();
            turned.reverse();
            turned.rotate_left(1);
            prop_assert_eq!(mean_sd(&values), mean_sd(&turned));
            prop_assert_eq!(median(&values), median(&turned));
        }

        #[test]
        fn the_spread_equals_the_one_over_pairs(values in prop::collection::vec(-1e3_f64..1e3, 2..20)) {
            // s² = Σ_{i<j} (x_i - x_j)² / (n (n-1)): no mean involved.
            let n = values.len();
            let mut sum = 0.0;
            for i in 0..n {
                for j in 0..i {
                    sum += (values[i] - values[j]).powi(2);
                }
            }
            let slow = (sum / (n * (n - 1)) as f64).sqrt();
            prop_assert!((sample_sd(&values).unwrap() - slow).abs() <= 1e-9 * (1.0 + slow));
        }
    }
}
