//! Facts by name, as cells.

use super::sheet::Cell;
use crate::number;
use crate::statistics::{Estimate, Fact, Facts};

/// Look-ups in the facts.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a> {
    facts: &'a Facts,
}

impl<'a> Lookup<'a> {
    /// Over all facts.
    pub(crate) fn new(facts: &'a Facts) -> Self {
        Self { facts }
    }

    /// The fact whose keys include these, if there is exactly one of the strongest basis with fewest keys.
    pub(crate) fn fact(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<&'a Fact> {
        let exact = self.facts.get(statistic, measure, keys);
        exact.or_else(|| {
            self.facts.select(statistic, measure, keys).into_iter().min_by_key(|fact| (fact.keys.len(), fact.basis))
        })
    }

    /// Point value.
    pub(crate) fn point(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<f64> {
        self.fact(statistic, measure, keys)?.estimate.point()
    }

    /// Point value of the fact with these keys and no others.
    pub(crate) fn exact(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<f64> {
        self.facts.get(statistic, measure, keys)?.estimate.point()
    }

    /// Interval ends.
    pub(crate) fn interval(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<(f64, f64)> {
        match &self.fact(statistic, measure, keys)?.estimate {
            Estimate::Value { interval: Some(interval), .. } => Some((interval.low, interval.high)),
            _ => None,
        }
    }

    /// A cell with fixed decimals; a dash with the reason where there is no value.
    pub(crate) fn cell(&self, statistic: &str, measure: &str, keys: &[(&str, &str)], decimals: usize) -> Cell {
        let fact = self.fact(statistic, measure, keys);
        match fact.map(|fact| &fact.estimate) {
            Some(Estimate::Value { value, count, .. }) => {
                let cell = Cell::number(*value, number::fixed(*value, decimals));
                let cell = fact.map_or(cell.clone(), |fact| cell.about(fact));
                match count {
                    Some((k, n)) => cell.explained(format!("{} of {}", number::grouped(*k), number::grouped(*n))),
                    None => cell,
                }
            }
            Some(Estimate::Undefined(reason)) => Cell::missing(format!("undefined: {reason}")),
            None => Cell::missing("not computed from this archive"),
        }
    }
}
