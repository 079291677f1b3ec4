//! Comparisons: two arms over matched problems. Variants, prompts, protocols, judges, environments, runs and
//! releases all are this.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::labels::Labels;
use crate::id::{ConfigKey, ExperimentId};

/// A comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Comparison {
    /// Id: key of its facts and address of its page.
    pub id: String,
    /// Name on pages.
    pub title: String,
    /// The arm compared with.
    pub before: Arm,
    /// The arm compared.
    pub after: Arm,
    /// What is a pair of problems.
    #[serde(default, rename = "match")]
    pub matching: Matching,
    /// How the verdicts of several runs, samples or children become one.
    #[serde(default)]
    pub reduce: Reduce,
    /// Comparisons whose P values are adjusted together: those of one family. Without it, the configurations of
    /// this comparison are the family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Labels of problems by which the difference is split.
    #[serde(default)]
    pub strata: Vec<String>,
    /// What is a unit of the tests and intervals.
    #[serde(default, skip_serializing_if = "Unit::is_default")]
    pub unit: Unit,
    /// Seed of the cluster bootstrap.
    #[serde(default = "one")]
    pub seed: u32,
}

const fn one() -> u32 {
    1
}

/// One side of a comparison: which verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Arm {
    /// Name on pages; without one, what the arm selects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Experiment.
    pub experiment: ExperimentId,
    /// The only configuration; without it, every one is compared with itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<ConfigKey>,
    /// Whose verdicts; without it, the record's own mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// In which environment they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The only run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// Labels that a problem must carry.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub problems: Labels,
}

impl Arm {
    /// Name on pages.
    pub fn name(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let parts = [
            Some(self.experiment.as_str()),
            self.configuration.as_ref().map(ConfigKey::as_str),
            self.judge.as_deref(),
            self.environment.as_deref(),
        ];
        let mut name = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if let Some(run) = self.run {
            name.push_str(&format!(", run {run}"));
        }
        name
    }
}

/// What is a pair of problems.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// The same id on both sides.
    #[default]
    Id,
    /// A problem, and everything derived from it on the other side.
    Parent,
}

/// What is a unit of the tests and intervals of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// An item with the verdicts of all its runs: problems are the clusters.
    #[default]
    Items,
    /// A record: every run of an item counts as an observation of its own.
    Records,
}

impl Unit {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How several verdicts become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduce {
    /// Solved when more than half of them pass.
    #[default]
    Majority,
    /// The share that passes; the pair differs by the difference of the shares.
    Mean,
    /// Solved when one passes.
    Any,
    /// Solved when all pass.
    All,
    /// The first alone.
    First,
}

impl Reduce {
    /// The word of `study.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Majority => "majority",
            Self::Mean => "mean",
            Self::Any => "any",
            Self::All => "all",
            Self::First => "first",
        }
    }
}

/// A label by whose values results are split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Strata {
    /// The label.
    pub by: String,
    /// Its values in the order of tables; values that are not listed follow, sorted.
    #[serde(default)]
    pub order: Vec<String>,
    /// Names of values in tables, where they have other ones.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
}

impl Strata {
    /// The name of a value in tables.
    pub fn name<'s>(&'s self, value: &'s str) -> &'s str {
        self.names.get(value).map_or(value, String::as_str)
    }
}
