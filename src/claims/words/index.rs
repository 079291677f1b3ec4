//! Facts by statistic and measure, with the shapes of their keys and all values that keys have.

use std::collections::{BTreeMap, BTreeSet};

use crate::statistics::{Fact, Facts, Keys};

/// Facts of one measure.
#[derive(Debug, Default)]
pub(super) struct Measure<'a> {
    /// Sets of key names that facts of this measure have.
    pub(super) shapes: BTreeSet<Vec<&'a str>>,
    by_keys: BTreeMap<&'a Keys, &'a Fact>,
}

/// All facts for looking up by exact keys.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    measures: BTreeMap<String, Measure<'a>>,
    /// Values by key.
    pub(super) values: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Index<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        let mut index = Self::default();
        for fact in facts.iter() {
            let measure = index.measures.entry(format!("{}.{}", fact.statistic, fact.measure)).or_default();
            measure.shapes.insert(fact.keys.keys().map(String::as_str).collect());
            // Facts come with the strongest basis first.
            measure.by_keys.entry(&fact.keys).or_insert(fact);
            for (key, value) in &fact.keys {
                index.values.entry(key).or_default().insert(value);
            }
        }
        index
    }

    pub(super) fn measure(&self, statistic: &str, measure: &str) -> Option<&Measure<'a>> {
        self.measures.get(&format!("{statistic}.{measure}"))
    }
}

impl<'a> Measure<'a> {
    /// All facts of the measure.
    pub(super) fn facts(&self) -> impl Iterator<Item = &'a Fact> {
        self.by_keys.values().copied()
    }

    /// Keys of all facts.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a Keys> {
        self.by_keys.keys().copied()
    }

    /// The fact with exactly these keys.
    pub(super) fn get(&self, keys: &Keys) -> Option<&'a Fact> {
        self.by_keys.get(keys).copied()
    }
}
