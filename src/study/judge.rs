//! Judges and estimators: who says what is right, and which numbers a study makes of it.

use serde::{Deserialize, Serialize};

/// Somebody who says whether an answer is right: a test suite, a harness, a rule, a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Judge {
    /// Id used by verdicts, estimators and comparisons.
    pub id: String,
    /// Name on pages.
    pub title: String,
    /// True for the judge whose mark is the record's own. At most one; without any it is the first.
    #[serde(default)]
    pub headline: bool,
    /// How it decides, in a sentence.
    #[serde(default)]
    pub rule: Option<String>,
}

/// A number that the study makes of verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Estimator {
    /// Id used by facts and claims.
    pub id: String,
    /// What it is.
    pub kind: EstimatorKind,
    /// k of pass@k and pass^k.
    #[serde(default)]
    pub k: Option<u32>,
    /// True for the number that stands first on pages.
    #[serde(default)]
    pub headline: bool,
}

/// What kind of number is made of verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EstimatorKind {
    /// Mean over problems of the share of their records that passed.
    Mean,
    /// Share of all records that passed, whatever problem they are of.
    Pooled,
    /// Mean over problems of 1 - C(n-c, k)/C(n, k): at least one of k samples passes (Chen et al. 2021).
    PassAtK,
    /// Mean over problems of C(c, k)/C(n, k): all of k samples pass.
    PassHatK,
    /// Number of problems with a record that passed.
    Count,
    /// Mean of stored scores over problems.
    Score,
}

impl EstimatorKind {
    /// The word used in `study.toml`, keys of facts and tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Pooled => "pooled",
            Self::PassAtK => "pass-at-k",
            Self::PassHatK => "pass-hat-k",
            Self::Count => "count",
            Self::Score => "score",
        }
    }

    /// True for those that need a k.
    pub const fn needs_k(self) -> bool {
        matches!(self, Self::PassAtK | Self::PassHatK)
    }
}

impl super::Study {
    /// The judge whose mark is the record's own.
    pub fn headline_judge(&self) -> Option<&Judge> {
        self.judges.iter().find(|judge| judge.headline).or_else(|| self.judges.first())
    }
}
