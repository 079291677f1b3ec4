//! Numbers that files state about their own records, and how much of what was declared is there.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::id::{ConfigKey, ExperimentId};
use crate::report::Place;
use crate::study::EstimatorKind;

/// A number that the archive states about records; L0 counts it again.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSummary {
    /// Name as the file has it (`pass@1`, `resolved_instances`).
    pub metric: Arc<str>,
    /// What kind of number it is.
    pub estimator: EstimatorKind,
    /// k of pass@k and pass^k.
    pub k: Option<u32>,
    /// Judge whose verdicts it counts; `None` for the headline.
    pub judge: Option<Arc<str>>,
    /// Experiment.
    pub experiment: ExperimentId,
    /// Configuration.
    pub configuration: ConfigKey,
    /// Run, where it is about one; `None` for all runs and samples together.
    pub run: Option<u32>,
    /// Labels of the problems or records it is restricted to; empty for all.
    pub stratum: BTreeMap<Arc<str>, Arc<str>>,
    /// What it is a share of.
    pub denominator: Denominator,
    /// Unit of the value.
    pub scale: Scale,
    /// Value as stored.
    pub value: f64,
    /// Its digits as printed in the file.
    pub printed: Arc<str>,
    /// Where it stands.
    pub place: Place,
}

/// What a stored rate is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Denominator {
    /// Records with a mark: passed or failed.
    Graded,
    /// Every record, judged or not; what is not a pass counts against it.
    Recorded,
    /// Every problem of the set, answered or not; what is not a pass counts against it.
    Declared,
}

/// Unit in which a number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// 0 to 1.
    Fraction,
    /// 0 to 100.
    Percent,
    /// A number of records, or a mean of scores in their own unit.
    Plain,
}

impl Scale {
    /// What a stored value is multiplied with to become what statistics use: percent for rates.
    pub const fn to_percent(self) -> f64 {
        match self {
            Self::Fraction => 100.0,
            Self::Percent | Self::Plain => 1.0,
        }
    }
}

/// How much of what an arm should hold is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Experiment.
    pub experiment: ExperimentId,
    /// Configuration.
    pub configuration: ConfigKey,
    /// Run, where it is about one; `None` for all runs and samples together.
    pub run: Option<u32>,
    /// Problems of the set.
    pub declared: Option<u64>,
    /// Problems for which an answer was handed in.
    pub submitted: Option<u64>,
    /// Problems with a record.
    pub recorded: u64,
    /// Problems without one.
    pub absent: Option<u64>,
}
