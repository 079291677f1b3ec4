//! Verification: execute again, grade again, compare with the record. Each level reports on its own:
//! checked n of m, agreed, disagreed, not checkable and why.

mod ledger;

pub use ledger::{Ledger, Level, LevelSummary};
