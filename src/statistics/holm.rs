//! Holm's step-down adjustment of the P values of one declared family.

/// Adjusted P values in the order given (Holm 1979): with the `m` values sorted ascending, the one of
/// rank `r` (from 0) becomes the running maximum of `(m - r) · p`, cut at 1. Equal values get equal
/// results, so the order of input does not matter. Empty in, empty out.
///
/// ```
/// use repro::statistics::holm::adjusted;
/// assert_eq!(adjusted(&[0.04, 0.01, 0.03]), [0.06, 0.03, 0.06]);
/// ```
pub fn adjusted(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut out = vec![0.0; values.len()];
    let mut highest = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        highest = highest.max((values.len() - rank) as f64 * values[index]);
        out[index] = highest.min(1.0);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_answers_of_a_family_of_sixteen() {
        // Smallest value 0.021484375 times 16, next 0.0635681… times 15, all others 1.
        let mut family = vec![1.0; 16];
        family[3] = 0.021_484_375;
        family[9] = 0.063_568_115_234_375;
        let result = adjusted(&family);
        assert_eq!(result[3], 0.34375);
        assert_eq!(crate::number::fixed(result[9], 4), "0.9535");
        assert!(result.iter().enumerate().all(|(i, &p)| i == 3 || i == 9 || p == 1.0));
    }

    proptest! {
        /// Slow version: the adjusted value is the largest of `min(1, #{p ≥ q} · q)` over the members
        /// `q ≤ p`, with ties counted once each by their first rank.
        #[test]
        fn equals_the_definition_without_sorting(values in prop::collection::vec(0.0_f64..=1.0, 0..12)) {
            let slow = |p: f64| values.iter().filter(|&&q| q <= p)
                .map(|&q| (values.iter().filter(|&&r| r >= q).count() as f64 * q).min(1.0))
                .fold(0.0, f64::max);
            for (&p, found) in values.iter().zip(adjusted(&values)) {
                prop_assert_eq!(found, slow(p));
            }
        }

        #[test]
        fn results_move_with_their_values(values in prop::collection::vec(0.0_f64..=1.0, 0..12), by in 0_usize..12) {
            let mut turned = values.clone();
            let by = if values.is_empty() { 0 } else { by % values.len() };
            turned.rotate_left(by);
            let mut expected = adjusted(&values);
            expected.rotate_left(by);
            prop_assert_eq!(adjusted(&turned), expected);
        }
    }
}
