//! Change ledgers: is every recorded change in the release, and is every change of the release recorded?
//!
//! A corrected benchmark is published as a tree of JSON texts and a ledger with one entry per change: item,
//! path of the field, value before, value after, verdict, reason, round. [`check`] compares the ledger with
//! the tree before the changes and the tree after them, both ways. It is what `repro ledger check` runs, and
//! what a study with such a ledger uses for its own pages. A tree before the changes that is not there is
//! never a pass: what needs it is then not checkable.
//!
//! | file | subject |
//! | --- | --- |
//! | `items` | the items of a tree of JSON and JSONL files, by id |
//! | `entry` | entries of a ledger |
//! | `gate` | both compared with the ledger |
//! | `fault` | what can be wrong, as data and as findings |
//! | `undo` | the tree before a round, derived from the one after it |
//! | `order` | `R3` before `R10`, problem 5 before problem 13 |

mod entry;
mod fault;
mod gate;
mod items;
mod order;
mod undo;

pub use entry::{Entries, Entry};
pub use fault::{Fault, FaultKind};
pub use gate::{Baseline, Change, Gate, OtherRecords, Round, Scope, Tally, check};
pub use items::{Item, Items};
pub use order::natural;
pub use undo::undo;
