//! Statistics of HELM: values per instance, and the numbers of `stats.json` made of them.
//!
//! A number of `stats.json` is the mean over trials of means over instances of one split. Numbers about a perturbation
//! are about the perturbed instances, about their originals, or about the worst of each instance and its perturbed
//! versions. The member that counts is `mean`; `sum` is over trials.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::json::{Number, Object, Value};

/// What a number is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    /// Metric.
    pub(super) metric: Arc<str>,
    /// Split; empty where none is named.
    pub(super) split: Arc<str>,
    /// Part of the split.
    pub(super) sub_split: Arc<str>,
    /// Perturbation; `None` for originals.
    pub(super) perturbation: Option<Perturbation>,
}

/// A change made to instances.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Perturbation {
    /// Name with its parameters, as text.
    pub(super) key: Arc<str>,
    robustness: bool,
    fairness: bool,
    /// `worst`, `original` or `perturbed`.
    on: Arc<str>,
}

impl Perturbation {
    /// Reads a perturbation; `null` is none.
    pub(super) fn of(value: Option<&Value>) -> Option<Self> {
        let members = value?.as_object()?;
        let flag = |name: &str| members.get(name).and_then(Value::as_bool) == Some(true);
        let text = |name: &str| members.get(name).and_then(Value::as_text);
        let about = ["name", "robustness", "fairness", "computed_on", "seed"];
        let parameters: Vec<String> = members
            .iter()
            .filter(|(name, _)| !about.contains(name))
            .map(|(name, value)| format!("{name}={}", value.python_text()))
            .collect();
        let name = text("name").unwrap_or("perturbation");
        let key = if parameters.is_empty() { name.to_owned() } else { format!("{name} ({})", parameters.join(", ")) };
        Some(Self {
            key: key.into(),
            robustness: flag("robustness"),
            fairness: flag("fairness"),
            on: text("computed_on").unwrap_or("perturbed").into(),
        })
    }

    /// Whether perturbed instances of another description are what this one is about.
    fn covers(&self, other: &Self) -> bool {
        match &*self.key {
            "robustness" => other.robustness,
            "fairness" => other.fairness,
            _ => self.key == other.key,
        }
    }
}

impl Name {
    /// Reads the `name` of a statistic.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let text = |name: &str| -> Arc<str> { value.get(name).and_then(Value::as_text).unwrap_or_default().into() };
        value.get("name")?.as_text()?;
        Some(Self {
            metric: text("name"),
            split: text("split"),
            sub_split: text("sub_split"),
            perturbation: Perturbation::of(value.get("perturbation")),
        })
    }
}

/// Mean of one statistic: `sum` over `count`, as `mean` may be absent in rows of instances.
pub(super) fn value_of(stat: &Object) -> Option<f64> {
    let number = |name: &str| stat.get(name).and_then(Value::as_f64);
    let count = number("count").filter(|count| *count > 0.0)?;
    number("sum").map(|sum| sum / count).or_else(|| number("mean"))
}

/// One row of `per_instance_stats.json`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instance {
    /// Instance.
    pub(super) id: Arc<str>,
    /// Trial, from 0.
    pub(super) trial: u64,
    /// How the instance was changed.
    pub(super) perturbation: Option<Perturbation>,
}

/// All values per instance.
#[derive(Debug, Default)]
pub(super) struct Values {
    rows: Vec<Instance>,
    /// By metric, split and part of the split: row and value.
    values: BTreeMap<(Arc<str>, Arc<str>, Arc<str>), Vec<(usize, f64)>>,
}

impl Values {
    /// Adds an item of `per_instance_stats.json`; `Err` says why it is none. Returns the row with its split.
    pub(super) fn add(&mut self, value: &Value) -> Result<(Instance, Option<Arc<str>>), &'static str> {
        let id = value.get("instance_id").and_then(Value::as_text).ok_or("it has no instance_id")?;
        let trial = value.get("train_trial_index").and_then(Value::as_number).and_then(Number::as_u64).unwrap_or(0);
        let stats = value.get("stats").and_then(Value::as_list).ok_or("it has no list of stats")?;
        let row = Instance { id: id.into(), trial, perturbation: Perturbation::of(value.get("perturbation")) };
        let at = self.rows.len();
        self.rows.push(row.clone());
        let mut split = None;
        for stat in stats {
            let Some(name) = stat.get("name").and_then(Name::of) else { continue };
            if split.is_none() && !name.split.is_empty() {
                split = Some(name.split.clone());
            }
            if let Some(number) = stat.as_object().and_then(value_of) {
                self.values.entry((name.metric, name.split, name.sub_split)).or_default().push((at, number));
            }
        }
        Ok((row, split))
    }

    /// The recount of a number of `stats.json`, with the number of instances behind it.
    pub(super) fn recount(&self, name: &Name) -> Result<(f64, usize), &'static str> {
        if &*name.metric == "num_instances" && name.perturbation.is_none() {
            return self.instances(&name.split);
        }
        let listed = self
            .values
            .get(&(name.metric.clone(), name.split.clone(), name.sub_split.clone()))
            .ok_or("the metric is made of totals, not of values of instances")?;
        let originals = || listed.iter().filter(|(at, _)| self.rows[*at].perturbation.is_none());
        let mut by_instance: BTreeMap<(u64, &str), Vec<f64>> = BTreeMap::new();
        let key = |at: usize| (self.rows[at].trial, &*self.rows[at].id);
        match &name.perturbation {
            None => originals().for_each(|(at, value)| by_instance.entry(key(*at)).or_default().push(*value)),
            Some(perturbation) => {
                let covered =
                    |at: usize| self.rows[at].perturbation.as_ref().is_some_and(|own| perturbation.covers(own));
                let changed: Vec<(usize, f64)> = listed.iter().copied().filter(|(at, _)| covered(*at)).collect();
                let instances: BTreeSet<(u64, &str)> = changed.iter().map(|(at, _)| key(*at)).collect();
                let all = matches!(&*perturbation.key, "robustness" | "fairness");
                let on = &*perturbation.on;
                if on != "original" {
                    changed.iter().for_each(|(at, value)| by_instance.entry(key(*at)).or_default().push(*value));
                }
                if on != "perturbed" {
                    for (at, value) in originals().filter(|(at, _)| all || instances.contains(&key(*at))) {
                        by_instance.entry(key(*at)).or_default().push(*value);
                    }
                }
            }
        }
        let worst = |values: &Vec<f64>| values.iter().copied().min_by(f64::total_cmp).unwrap_or(f64::NAN);
        let mean = |values: &Vec<f64>| crate::number::sum(values.iter().copied()) / values.len() as f64;
        let is_worst = name.perturbation.as_ref().is_some_and(|perturbation| &*perturbation.on == "worst");
        let mut trials: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for ((trial, _), values) in &by_instance {
            trials.entry(*trial).or_default().push(if is_worst { worst(values) } else { mean(values) });
        }
        if trials.is_empty() {
            return Err("no instance has a value of the metric");
        }
        let means: Vec<f64> = trials.values().map(mean).collect();
        Ok((mean(&means), by_instance.len()))
    }

    /// Instances of a split in one trial.
    fn instances(&self, split: &str) -> Result<(f64, usize), &'static str> {
        let of_split = self.values.iter().filter(|((_, own, _), _)| **own == *split).flat_map(|(_, values)| values);
        let originals: BTreeSet<(u64, &str)> = of_split
            .filter(|(at, _)| self.rows[*at].perturbation.is_none())
            .map(|(at, _)| (self.rows[*at].trial, &*self.rows[*at].id))
            .collect();
        let trials = originals.iter().map(|(trial, _)| trial).collect::<BTreeSet<_>>().len();
        if trials == 0 {
            Err("no instance of the split is stored")
        } else {
            Ok((originals.len() as f64 / trials as f64, originals.len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn value(text: &str) -> Value {
        Reader::new(text.as_bytes()).value().unwrap()
    }

    fn name(text: &str) -> Name {
        Name::of(&value(text)).unwrap()
    }

    #[test]
    fn means_are_over_instances_and_then_over_trials() {
        let mut values = Values::default();
        for (id, trial, perturbation, sum, count) in [
            ("a", 0, "null", "1", 1),
            ("b", 0, "null", "0", 1),
            ("a", 1, "null", "2", 2),
            ("c", 0, "null", "9", 0),
            ("a", 0, r#"{"name": "typos", "robustness": true, "prob": 0.1}"#, "0", 1),
        ] {
            let text = format!(
                r#"{{"instance_id": "{id}", "train_trial_index": {trial}, "perturbation": {perturbation},
                "stats": [{{"name": {{"name": "em", "split": "test"}}, "count": {count}, "sum": {sum}}}]}}"#
            );
            assert_eq!(values.add(&value(&text)).unwrap().1.as_deref(), Some("test"));
        }
        // Trial 0: (1 + 0) / 2; trial 1: 1; mean of both 0.75.
        assert_eq!(values.recount(&name(r#"{"name": "em", "split": "test"}"#)), Ok((0.75, 3)));
        // Worst of trial 0: a drops to 0, so 0; trial 1: 1; mean 0.5.
        let worst = r#"{"name": "em", "split": "test", "perturbation": {"name": "robustness", "robustness": true, "computed_on": "worst"}}"#;
        assert_eq!(values.recount(&name(worst)), Ok((0.5, 3)));
        let typos = |on: &str| {
            format!(
                r#"{{"name": "em", "split": "test", "perturbation": {{"name": "typos", "robustness": true, "prob": 0.1, "computed_on": "{on}"}}}}"#
            )
        };
        assert_eq!(values.recount(&name(&typos("perturbed"))), Ok((0.0, 1)));
        assert_eq!(values.recount(&name(&typos("original"))), Ok((1.0, 1)));
        assert!(values.recount(&name(r#"{"name": "perplexity", "split": "test"}"#)).is_err());
        assert_eq!(values.recount(&name(r#"{"name": "num_instances", "split": "test"}"#)), Ok((1.5, 3)));
        assert!(values.add(&value("{}")).is_err());
    }
}
