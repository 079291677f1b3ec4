//! A variant beside its original: expected values by sub, and the subs that tell them apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::Problem;

/// Relative distance up to which a value counts as the original's.
pub(super) const SAME: f64 = 0.05;
/// Relative distance up to which a value counts as a near miss of the variant's.
pub(super) const NEAR: f64 = 0.15;

/// Expected values of an original and of one of its variants.
#[derive(Debug, Clone)]
pub(super) struct Pairing<'a> {
    /// The original's, by sub.
    pub(super) parent: BTreeMap<&'a str, f64>,
    /// The variant's, by sub.
    pub(super) variant: BTreeMap<&'a str, f64>,
    /// Subs whose two values differ by more than [`SAME`].
    pub(super) telling: BTreeSet<&'a str>,
}

impl<'a> Pairing<'a> {
    /// Pairs an original with a variant.
    pub(super) fn new(parent: &'a Problem, variant: &'a Problem) -> Self {
        let (parent, variant) = (expected(parent), expected(variant));
        let differs = |(sub, value): (&&'a str, &f64)| {
            let parent = parent.get(sub)?;
            (!close(*value, *parent, SAME)).then_some(*sub)
        };
        let telling = variant.iter().filter_map(differs).collect();
        Self { parent, variant, telling }
    }

    /// Relative distance of the two values of each telling sub, in the order of subs.
    pub(super) fn gaps(&self) -> impl Iterator<Item = f64> {
        self.telling.iter().map(|sub| distance(self.variant[sub], self.parent[sub]))
    }
}

/// One value per sub; of several accepted values of a sub the last one counts, and a value that is no
/// number none.
fn expected(problem: &Problem) -> BTreeMap<&str, f64> {
    let mut values = BTreeMap::new();
    for answer in &problem.answers {
        match number(&answer.value) {
            Some(value) => values.insert(&*answer.sub, value),
            None => values.remove(&*answer.sub),
        };
    }
    values
}

/// A number as these analyses read it, more simply than the grader: `×10^` and `x10^` and a bare `×`
/// become `e`, commas go.
pub(super) fn number(text: &str) -> Option<f64> {
    let plain = text.replace("×10^", "e").replace("x10^", "e").replace('×', "e").replace(',', "");
    crate::grade::python::float(plain.trim())
}

/// `|value - reference| ≤ tolerance × max(|reference|, 1e-12)`; never for NaN.
pub(super) fn close(value: f64, reference: f64, tolerance: f64) -> bool {
    (value - reference).abs() <= tolerance * reference.abs().max(1e-12)
}

fn distance(value: f64, reference: f64) -> f64 {
    (value - reference).abs() / reference.abs().max(1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Answer;
    use crate::statistics::fixture::problem;

    fn with(answers: &[(&str, &str)]) -> Problem {
        let answer = |&(sub, value): &(&str, &str)| Answer { sub: sub.into(), value: value.into(), unit: "".into() };
        Problem { answers: answers.iter().map(answer).collect(), ..problem("p", "c", "low", 0) }
    }

    #[test]
    fn numbers_in_their_printed_forms() {
        assert_eq!(number("1.5×10^3"), Some(1500.0));
        assert_eq!(number("1.5x10^-3"), Some(0.0015));
        assert_eq!(number("2×3"), Some(2000.0));
        assert_eq!(number(" 1,013.25 "), Some(1013.25));
        assert_eq!(number("about 3"), None);
    }

    #[test]
    fn the_last_alternative_counts_and_telling_subs_differ_by_more_than_five_percent() {
        let parent = with(&[("1", "10"), ("1", "20"), ("2", "0"), ("3", "5"), ("4", "n/a")]);
        let variant = with(&[("1", "21"), ("2", "1e-13"), ("3", "5.3"), ("4", "2"), ("5", "9")]);
        let pairing = Pairing::new(&parent, &variant);
        // Sub 1: 21 against 20 is exactly 5 %. Sub 2: 1e-13 is 10 % of the floor. Sub 5 has no partner.
        assert_eq!(pairing.telling.iter().copied().collect::<Vec<_>>(), ["2", "3"]);
        let gaps: Vec<f64> = pairing.gaps().collect();
        assert!((gaps[0] - 0.1).abs() < 1e-12 && (gaps[1] - 0.06).abs() < 1e-12);
    }
}
