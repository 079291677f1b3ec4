//! Verification: execute again, grade again, compare with the record. Each level reports on its own:
//! checked n of m, agreed, disagreed, not checkable and why.
//!
//! Stages are pure: what the study declares, what was asked, what was recorded and an engine go in; a
//! part of the [`Ledger`] and findings come out. Nothing here reads a file or starts a process.

mod difference;
mod integrity;
mod ledger;
mod regrade;
mod rows;

pub use difference::Difference;
pub use integrity::{expected_configurations, integrity};
pub use ledger::{Ledger, Level, LevelSummary};
pub use regrade::{Regraded, not_regradable, regrade};
pub use rows::{
    AttemptVerdict, Cause, EngineRow, LensRow, Ran, RegradeRow, ReplayVerdict, RunState, RunVerdict, Shown,
    SolverVerdict, SweepRow,
};
