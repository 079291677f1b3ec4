//! Exact sign-flip test over clusters: every pattern of signs, counted by convolution and not one by one.

use std::collections::BTreeMap;

use super::exact::Dyadic;
use super::natural::Natural;

/// Most additions of whole numbers that a test may take.
const MOST: u64 = 20_000_000;

/// P of the observed sum of `clusters` when each cluster could as well have the other sign:
/// the share of the `2^k` sign patterns over the `k` clusters that are not zero whose |sum| is at least the
/// observed one (Fisher's randomisation test; the distribution of the sum by convolution over integers). 1
/// without such clusters, and with one of them whatever its size. `None` when the sums are so large and many
/// that counting them is not feasible.
///
/// ```
/// use repro::statistics::sign_flip::p_value;
/// // Of 8 patterns of three ones, only +++ and --- reach |3|.
/// assert_eq!(p_value(&[1, 1, 1, 0]).unwrap().to_string(), "1/4");
/// assert_eq!(p_value(&[5, 0]).unwrap().to_string(), "1");
/// ```
pub fn p_value(clusters: &[i64]) -> Option<Dyadic> {
    let sizes: Vec<u64> =
        clusters.iter().map(|difference| difference.unsigned_abs()).filter(|size| *size > 0).collect();
    if sizes.len() <= 1 {
        return Some(Dyadic::one());
    }
    let observed = clusters.iter().try_fold(0_i64, |sum, difference| sum.checked_add(*difference))?.unsigned_abs();
    let total = sizes.iter().try_fold(0_u64, |sum, size| sum.checked_add(*size)).filter(|total| *total < 1 << 40)?;
    let work = total.min(1 << 40).checked_mul(sizes.len() as u64)?;
    let patterns = 1_u64.checked_shl(sizes.len() as u32).unwrap_or(u64::MAX);
    if work.min(patterns.saturating_mul(2)) > MOST {
        return None;
    }
    // How many patterns give each sum; only sums that occur are kept.
    let mut counts: BTreeMap<i64, Natural> = BTreeMap::from([(0, Natural::from(1))]);
    for size in &sizes {
        let mut next: BTreeMap<i64, Natural> = BTreeMap::new();
        for (sum, count) in &counts {
            for sum in [sum + *size as i64, sum - *size as i64] {
                next.entry(sum).and_modify(|known| *known = known.plus(count)).or_insert_with(|| count.clone());
            }
        }
        counts = next;
    }
    let extreme = counts.iter().filter(|(sum, _)| sum.unsigned_abs() >= observed).map(|(_, count)| count);
    let reached = extreme.fold(Natural::from(0), |total, count| total.plus(count));
    Some(Dyadic::reduced(&reached, sizes.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::exact::mcnemar;
    use proptest::prelude::*;

    #[test]
    fn one_cluster_says_nothing_and_forty_are_counted() {
        assert_eq!(p_value(&[]).unwrap().to_string(), "1");
        assert_eq!(p_value(&[-7]).unwrap().to_string(), "1");
        let mut items = vec![0; 39];
        items.push(1);
        assert_eq!(p_value(&items).unwrap().to_string(), "1");
        // All forty of one sign: 2 of 2^40 patterns.
        assert_eq!(p_value(&[1; 40]).unwrap().to_string(), format!("1/{}", 1_u64 << 39));
        assert!(p_value(&[i64::MAX, i64::MAX]).is_none());
        assert!(p_value(&(1..200).map(|n| 1_000_003 * n).collect::<Vec<_>>()).is_none());
    }

    proptest! {
        /// Clusters of one are McNemar's pairs.
        #[test]
        fn single_pairs_give_the_exact_mcnemar_test(gained in 0_usize..30, lost in 0_usize..30) {
            let mut clusters = vec![1; gained];
            clusters.extend(vec![-1; lost]);
            prop_assert_eq!(p_value(&clusters).unwrap(), mcnemar(gained as u32, lost as u32));
        }

        /// Slow version: all patterns, one by one.
        #[test]
        fn equals_counting_all_patterns(clusters in prop::collection::vec(-4_i64..=4, 0..10)) {
            let sizes: Vec<i64> = clusters.iter().map(|c| c.abs()).filter(|c| *c > 0).collect();
            let observed = clusters.iter().sum::<i64>().abs();
            let patterns = 1_u32 << sizes.len();
            let reached = (0..patterns)
                .filter(|pattern| {
                    let sum: i64 = sizes.iter().enumerate().map(|(at, c)| if pattern >> at & 1 == 1 { *c } else { -*c }).sum();
                    sum.abs() >= observed
                })
                .count();
            prop_assert_eq!(p_value(&clusters).unwrap().to_f64(), reached as f64 / f64::from(patterns));
        }
    }
}
