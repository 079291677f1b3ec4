//! The ledger: every verdict of every level, sorted.

use std::collections::BTreeMap;

use serde::Serialize;

/// A rung of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Level {
    /// Files, ids, counts.
    L0,
    /// Stored solvers reproduce their stored answers.
    L1,
    /// Archived model programs reproduce what was recorded.
    L2,
    /// Stored answers are graded again.
    L3,
    /// Solvers compute rather than quote.
    L4,
    /// Statistics come from records.
    L5,
    /// Printed numbers follow from statistics.
    L6,
    /// The deposit verifies from itself.
    L7,
}

/// One level in numbers; `agreed + disagreed = checked` and `checked + not checkable = total`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LevelSummary {
    /// Level.
    pub level: Level,
    /// What was to be checked.
    pub total: usize,
    /// What was checked.
    pub checked: usize,
    /// What agrees with the record.
    pub agreed: usize,
    /// What does not.
    pub disagreed: usize,
    /// Reasons why the rest could not be checked, with counts.
    pub not_checkable: BTreeMap<String, usize>,
    /// One more fact worth a line (how many to the last bit).
    pub remark: Option<String>,
}

/// Every verdict of a verification.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ledger {
    /// Summaries by level.
    pub levels: Vec<LevelSummary>,
}
