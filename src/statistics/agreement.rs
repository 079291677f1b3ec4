//! Agreement of categories: Cohen's kappa from a confusion matrix, and agreement weighted to a population.

use std::collections::BTreeMap;

/// Pairs of labels with their numbers: the first rater's label, the second's.
pub type Matrix = BTreeMap<(String, String), u64>;

/// Pairs in all, and pairs with equal labels.
pub fn observed(matrix: &Matrix) -> (u64, u64) {
    let all = matrix.values().sum();
    (all, matrix.iter().filter(|((a, b), _)| a == b).map(|(_, n)| n).sum())
}

/// Cohen's kappa `(po - pe) / (1 - pe)` with `po` the observed and `pe` the agreement expected from the
/// margins (Cohen 1960). `None` without pairs, and when `pe` is 1: both raters always give one same label.
///
/// ```
/// use repro::statistics::agreement::{Matrix, kappa};
/// let cell = |a: &str, b: &str, n| ((a.to_owned(), b.to_owned()), n);
/// // Cohen's own kind of example: po = 35/50, pe = (25·30 + 25·20)/2500 = 0.5.
/// let matrix: Matrix = [cell("yes", "yes", 20), cell("yes", "no", 5), cell("no", "yes", 10), cell("no", "no", 15)].into();
/// assert!((kappa(&matrix).unwrap() - 0.4).abs() < 1e-12);
/// ```
pub fn kappa(matrix: &Matrix) -> Option<f64> {
    let (all, equal) = observed(matrix);
    let (mut rows, mut columns): (BTreeMap<&str, u64>, BTreeMap<&str, u64>) = (BTreeMap::new(), BTreeMap::new());
    for ((a, b), n) in matrix {
        *rows.entry(a).or_default() += n;
        *columns.entry(b).or_default() += n;
    }
    // In whole numbers: (N·equal - Σ row·column) / (N² - Σ row·column).
    let chance: u128 =
        rows.iter().filter_map(|(label, n)| Some(u128::from(*n) * u128::from(*columns.get(label)?))).sum();
    let square = u128::from(all) * u128::from(all);
    (all > 0 && square != chance).then(|| {
        let above = (u128::from(all) * u128::from(equal)) as f64 - chance as f64;
        above / (square - chance) as f64
    })
}

/// The matrix as it would be if each first label occurred as often as in `population`: counts of a row are
/// scaled by population / row total. Rows without a pair stay empty. The result is in units of the population.
pub fn weighted(matrix: &Matrix, population: &BTreeMap<String, u64>) -> BTreeMap<(String, String), f64> {
    let mut rows: BTreeMap<&str, u64> = BTreeMap::new();
    for ((a, _), n) in matrix {
        *rows.entry(a).or_default() += n;
    }
    matrix
        .iter()
        .filter_map(|((a, b), n)| {
            let scale = *population.get(a)? as f64 / *rows.get(a.as_str())? as f64;
            Some(((a.clone(), b.clone()), *n as f64 * scale))
        })
        .collect()
}

/// Observed agreement and kappa of a weighted matrix; `None` where they do not exist.
pub fn of_weighted(matrix: &BTreeMap<(String, String), f64>) -> (Option<f64>, Option<f64>) {
    let all = crate::number::sum(matrix.values().copied());
    if all <= 0.0 {
        return (None, None);
    }
    let observed = crate::number::sum(matrix.iter().filter(|((a, b), _)| a == b).map(|(_, n)| *n)) / all;
    let (mut rows, mut columns): (BTreeMap<&str, f64>, BTreeMap<&str, f64>) = (BTreeMap::new(), BTreeMap::new());
    for ((a, b), n) in matrix {
        *rows.entry(a).or_default() += n / all;
        *columns.entry(b).or_default() += n / all;
    }
    let expected = crate::number::sum(rows.iter().filter_map(|(label, n)| Some(n * columns.get(label)?)));
    (Some(observed), (expected < 1.0).then(|| (observed - expected) / (1.0 - expected)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(cells: &[(&str, &str, u64)]) -> Matrix {
        cells.iter().map(|(a, b, n)| (((*a).to_owned(), (*b).to_owned()), *n)).collect()
    }

    #[test]
    fn agreement_by_chance_is_none_and_certain_agreement_has_no_kappa() {
        assert_eq!(kappa(&matrix(&[("a", "a", 1), ("a", "b", 1), ("b", "a", 1), ("b", "b", 1)])), Some(0.0));
        assert_eq!(kappa(&matrix(&[("a", "a", 9)])), None);
        assert_eq!(kappa(&Matrix::new()), None);
        assert_eq!(kappa(&matrix(&[("a", "a", 3), ("b", "b", 4)])), Some(1.0));
    }

    #[test]
    fn weights_restore_the_population() {
        // Agreement 8/10 in a row of 90, 10/10 in a row of 10: (0.8·90 + 1.0·10) / 100 = 0.82.
        let coded = matrix(&[("a", "a", 8), ("a", "b", 2), ("b", "b", 10)]);
        let population = BTreeMap::from([("a".to_owned(), 90), ("b".to_owned(), 10)]);
        let (observed, kappa) = of_weighted(&weighted(&coded, &population));
        assert!((observed.unwrap() - 0.82).abs() < 1e-12);
        // Rows 0.9 and 0.1, columns 0.72 and 0.28: expected 0.648 + 0.028 = 0.676.
        assert!((kappa.unwrap() - (0.82 - 0.676) / (1.0 - 0.676)).abs() < 1e-12);
        assert_eq!(of_weighted(&BTreeMap::new()), (None, None));
    }
}
