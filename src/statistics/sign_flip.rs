//! Sign flip by clusters: how often would the differences of whole clusters, each with its sign turned or not, add
//! up to as much as was observed? All sign patterns count, and none is drawn or listed one by one.

use super::natural::Natural;

/// Most additions of machine words that the exact distribution may cost.
const MOST_WORK: u64 = 400_000_000;

/// Two-sided P of the sum of these whole-number differences: the share of the `2^m` sign patterns over the `m`
/// clusters that are not 0 whose sum is at least as far from 0 (Fisher 1935, section 21).
///
/// With `W = Σ|d|` a pattern's sum is `W - 2T`, where `T` is the sum of the turned ones, so the number of patterns
/// of every sum follows from adding one cluster after the other: `m · W` additions of whole numbers. One cluster, or
/// none, gives 1 whatever its size.
///
/// # Errors
/// The reason, when the sums are too large for that.
pub fn p(differences: &[i64]) -> Result<f64, String> {
    let mut weights: Vec<u64> = differences.iter().map(|d| d.unsigned_abs()).filter(|&weight| weight > 0).collect();
    let divisor = weights.iter().copied().fold(0, gcd).max(1);
    weights.iter_mut().for_each(|weight| *weight /= divisor);
    let total: u64 = weights.iter().sum();
    let observed = differences.iter().map(|&d| i128::from(d)).sum::<i128>().unsigned_abs() as u64 / divisor;
    let words = weights.len() as u64 / 32 + 1;
    if (weights.len() as u64).saturating_mul(total).saturating_mul(words) > MOST_WORK {
        return Err(format!(
            "{} clusters with a sum of {total} are too many for the exact distribution",
            weights.len()
        ));
    }
    // |W - 2T| >= S  <=>  T <= (W - S) / 2 or T >= (W + S) / 2; both tails have as many patterns.
    let Some(last) = (observed > 0).then(|| (total - observed) / 2) else { return Ok(1.0) };
    let mut patterns = vec![Natural::from(0); last as usize + 1];
    patterns[0] = Natural::from(1);
    for &weight in &weights {
        for sum in (weight..=last).rev() {
            let more = patterns[(sum - weight) as usize].clone();
            patterns[sum as usize] = patterns[sum as usize].plus(&more);
        }
    }
    let tail = patterns.iter().fold(Natural::from(0), |sum, count| sum.plus(count));
    Ok(tail.over_power_of_two(weights.len() as u32 - 1).min(1.0))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::exact::mcnemar;
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        // One cluster that differs says nothing, whatever its size.
        assert_eq!((p(&[17]), p(&[0, 0]), p(&[])), (Ok(1.0), Ok(1.0), Ok(1.0)));
        // By hand: of the 8 patterns of 1, 2, 3 only +++ and --- reach 6; four reach at least 4.
        assert_eq!((p(&[1, 2, 3]), p(&[-1, 2, 3])), (Ok(0.25), Ok(0.5)));
        // A sum of 0 is reached or exceeded by every pattern.
        assert_eq!(p(&[1, 2, -3]), Ok(1.0));
        assert!(p(&[i64::MAX / 4, 1]).unwrap_err().contains("too many"));
    }

    #[test]
    fn forty_clusters_are_no_list_of_patterns() {
        // 40 equal signs: 2 of 2^40.
        assert_eq!(p(&[1; 40]), Ok(2.0_f64.powi(-39)));
    }

    proptest! {
        #[test]
        fn equals_the_list_of_all_patterns(differences in prop::collection::vec(-6_i64..=6, 0..10)) {
            let used: Vec<i64> = differences.iter().copied().filter(|&d| d != 0).collect();
            let observed = differences.iter().sum::<i64>().abs();
            let sums = (0..1_u32 << used.len()).map(|mask| {
                used.iter().enumerate().map(|(at, &d)| if mask >> at & 1 == 1 { -d } else { d }).sum::<i64>().abs()
            });
            let reached = sums.filter(|&sum| sum >= observed).count();
            prop_assert_eq!(p(&differences), Ok(reached as f64 / f64::from(1_u32 << used.len())));
        }

        #[test]
        fn of_single_items_it_is_the_exact_mcnemar_test(lost in 0_usize..30, gained in 0_usize..30) {
            let differences: Vec<i64> = std::iter::repeat_n(-1, lost).chain(std::iter::repeat_n(1, gained)).collect();
            prop_assert_eq!(p(&differences).unwrap(), mcnemar(lost as u32, gained as u32).to_f64());
        }
    }
}
