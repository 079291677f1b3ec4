//! Verification: execute again, grade again, compare with the record. Each level reports on its own:
//! checked n of m, agreed, disagreed, not checkable and why.
//!
//! Stages are pure: what the study declares, what was asked, what was recorded and an engine go in; a
//! part of the [`Ladder`] and findings come out. Programs run in an engine only; files are read through
//! `archive` only.

mod again;
mod difference;
mod engines;
pub mod faithfulness;
mod integrity;
mod ladder;
mod records;
mod reference;
mod regrade;
mod replay;
mod rows;
mod share;
mod summaries;
mod sums;
mod tested;
mod unchecked;
mod whole;

pub use difference::Difference;
pub use engines::{engine_rows, limits};
pub use integrity::{expected_configurations, integrity};
pub use ladder::{Ladder, Level, LevelSummary};
pub use reference::{Executed, reference};
use regrade::tolerance;
pub use regrade::{Regraded, not_regradable, regrade};
pub use replay::{Case, Lenses, NotReplayable, Replayed, StreamError, replay, replay_runs};
pub use rows::{
    AttemptVerdict, Cause, EngineRow, Graded, LensRow, LensVerdicts, Ran, RegradeRow, ReplayVerdict, RunState,
    RunVerdict, Shown, SolverVerdict, SweepRow,
};
pub use share::{Share, execute};
pub use summaries::{SummaryVerdict, summaries};
pub use sums::expected_counts;
pub use unchecked::{Nature, Unchecked};
pub use whole::{Means, Subject, missing_evidence, verify};
