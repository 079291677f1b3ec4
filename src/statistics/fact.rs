//! Facts: single recomputed values with everything needed to judge and to trace them.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::interval;
use crate::report::Finding;
use crate::table::Table;

/// Keys of a fact, for example `{model: model-a, set: core, protocol: code}`.
pub type Keys = BTreeMap<String, String>;

/// One recomputed value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    /// Statistic id.
    pub statistic: &'static str,
    /// Which of its measures (`mean`, `sd`, `n`, `p`, `low`, ...).
    pub measure: &'static str,
    /// What it is about.
    pub keys: Keys,
    /// The value, or why there is none.
    pub estimate: Estimate,
    /// What it was computed from.
    pub basis: Basis,
}

impl Fact {
    /// True for a P value, which is shown with two digits.
    pub fn is_p(&self) -> bool {
        matches!(self.measure, "p" | "holm")
    }
}

/// A value or the reason for its absence.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimate {
    /// A value at full precision.
    Value {
        /// Point value in the unit of the statistic (percent as 0..100).
        value: f64,
        /// Numerator and denominator when the value is a share or a count out of n.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<(u64, u64)>,
        /// Interval, when the statistic has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        interval: Option<Interval>,
    },
    /// No value: n = 0, one run, an incomplete configuration, an input that was not archived.
    Undefined(String),
}

/// An interval with its level and method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Level as a fraction (0.95).
    pub level: f64,
    /// Method id (`wilson`, `clopper-pearson`, `wald-paired`, `bootstrap-percentile`, `cluster-t`).
    pub method: &'static str,
}

/// What a fact rests on, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Archived records or benchmark files.
    Records,
    /// Programs executed by this tool.
    Execution,
    /// A table of states archived with the study (one level above records).
    States,
    /// Runs that were rebuilt from a published table: agreement shows that tables fit each other, not that
    /// a model gave these answers.
    Rebuilt,
    /// Counts or values printed in a published table; a consequence of it, not of records.
    Published,
}

/// What a statistic returns.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// Single values.
    pub facts: Vec<Fact>,
    /// Tables in published layout.
    pub tables: Vec<Table>,
    /// Things worth saying (a configuration left out, a published table that differs).
    pub findings: Vec<Finding>,
}

impl Output {
    /// Adds a fact; keys are given as pairs.
    pub fn fact(
        &mut self,
        statistic: &'static str,
        measure: &'static str,
        keys: &[(&str, &str)],
        estimate: Estimate,
        basis: Basis,
    ) {
        let keys = keys.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        self.facts.push(Fact { statistic, measure, keys, estimate, basis });
    }

    /// A place to put several facts about the same thing.
    pub fn on(&mut self, statistic: &'static str, basis: Basis, keys: &[(&str, &str)]) -> Writer<'_> {
        let keys = keys.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        Writer { output: self, statistic, basis, keys }
    }

    /// Both outputs, in order.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.facts.extend(other.facts);
        self.tables.extend(other.tables);
        self.findings.extend(other.findings);
        self
    }
}

/// Adds facts of one statistic with the same keys.
#[derive(Debug)]
pub struct Writer<'o> {
    output: &'o mut Output,
    statistic: &'static str,
    basis: Basis,
    keys: Keys,
}

impl Writer<'_> {
    /// Adds a measure.
    pub fn put(&mut self, measure: &'static str, estimate: Estimate) -> &mut Self {
        let Self { statistic, basis, ref keys, .. } = *self;
        let fact = Fact { statistic, measure, keys: keys.clone(), estimate, basis };
        self.output.facts.push(fact);
        self
    }
}

impl Estimate {
    /// A plain value. Not finite means a mistake upstream, so it becomes undefined and never NaN.
    pub fn value(value: f64) -> Self {
        if value.is_finite() {
            Self::Value { value, count: None, interval: None }
        } else {
            Self::undefined("the formula has no finite value here")
        }
    }

    /// A count of things.
    pub fn count(count: usize) -> Self {
        Self::value(count as f64)
    }

    /// `100 k / n` percent with its counts; undefined for n = 0.
    pub fn percent(k: usize, n: usize) -> Self {
        if n == 0 {
            return Self::undefined("there is nothing to count (n = 0)");
        }
        Self::Value { value: 100.0 * k as f64 / n as f64, count: Some((k as u64, n as u64)), interval: None }
    }

    /// [`Estimate::percent`] with Wilson's interval.
    pub fn share(k: usize, n: usize) -> Self {
        let around = interval::wilson(k as u64, n as u64, interval::Z_ROUNDED);
        let share = Self::percent(k, n);
        match around {
            Some(around) => share.within(around.scaled(100.0)),
            None => share,
        }
    }

    /// [`Estimate::percent`] with the exact interval of Clopper and Pearson.
    pub fn exact_share(k: usize, n: usize) -> Self {
        let share = Self::percent(k, n);
        match interval::clopper_pearson(k as u64, n as u64) {
            Some(around) => share.within(around.scaled(100.0)),
            None => share,
        }
    }

    /// A count out of a total: the value is `k` itself.
    pub fn out_of(k: usize, n: usize) -> Self {
        Self::Value { value: k as f64, count: Some((k as u64, n as u64)), interval: None }
    }

    /// The value, or undefined for this reason.
    pub fn or(value: Option<f64>, reason: &str) -> Self {
        value.map_or_else(|| Self::undefined(reason), Self::value)
    }

    /// No value, with a reason that fits after "undefined: ".
    pub fn undefined(reason: impl Into<String>) -> Self {
        Self::Undefined(reason.into())
    }

    /// The same estimate with an interval.
    #[must_use]
    pub fn within(mut self, around: Interval) -> Self {
        if let Self::Value { interval, .. } = &mut self {
            *interval = Some(around);
        }
        self
    }

    /// The point value, if defined.
    pub fn point(&self) -> Option<f64> {
        match self {
            Self::Value { value, .. } => Some(*value),
            Self::Undefined(_) => None,
        }
    }
}

/// All facts of a study, for looking up.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    all: Vec<Fact>,
    index: BTreeMap<(&'static str, &'static str), Vec<usize>>,
}

impl Facts {
    /// Sorts by statistic, measure and keys.
    pub fn new(mut all: Vec<Fact>) -> Self {
        // Stable, so equal facts stay in the order in which they were told.
        all.par_sort_by(|a, b| {
            (a.statistic, a.measure, &a.keys, a.basis).cmp(&(b.statistic, b.measure, &b.keys, b.basis))
        });
        let mut index: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (position, fact) in all.iter().enumerate() {
            index.entry((fact.statistic, fact.measure)).or_default().push(position);
        }
        Self { all, index }
    }

    /// All facts, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.all.iter()
    }

    fn of(&self, statistic: &str, measure: &str) -> impl Iterator<Item = &Fact> {
        let positions = self.index.iter().find(|((s, m), _)| *s == statistic && *m == measure).map(|(_, p)| p);
        positions.into_iter().flatten().map(|&position| &self.all[position])
    }

    /// Facts of a statistic and measure whose keys include all of `keys`, strongest basis first.
    pub fn select(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Vec<&Fact> {
        let mut found: Vec<&Fact> = self.of(statistic, measure).filter(|fact| includes(&fact.keys, keys)).collect();
        found.sort_by_key(|fact| fact.basis);
        found
    }

    /// The one fact with exactly these keys (strongest basis), if there is one.
    pub fn get(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Option<&Fact> {
        self.of(statistic, measure)
            .filter(|fact| fact.keys.len() == keys.len() && includes(&fact.keys, keys))
            .min_by_key(|fact| fact.basis)
    }
}

fn includes(all: &Keys, wanted: &[(&str, &str)]) -> bool {
    wanted.iter().all(|(key, value)| all.get(*key).is_some_and(|v| v == value))
}
