//! What changed between two versions of a study, at five levels.
//!
//! Each level is compared by value, from what the stages made of the two sides: files by digest,
//! problems member by member, records by verdict and values, statistics by value and interval, claims by
//! verdict. What a version is compared by is its [`Snapshot`]; one is published with every rendered
//! version, so that a later one can be compared with it although its records are gone. The result is data
//! in a fixed order; nothing here reads a disk (except [`digests`], which streams a source) and nothing
//! judges whether a change is good.
//!
//! | file | level |
//! | --- | --- |
//! | `files` | files of the study |
//! | `problems` | problems added, removed, edited |
//! | `records` | verdicts that flipped, values that moved |
//! | `facts` | statistics and claims |
//! | `words` | two texts word by word |
//! | `level` | things of one kind with their members; one change |
//! | `snapshot` | all levels of a version, as they are published |
//! | `difference` | all levels of two versions, compared |

mod difference;
mod facts;
mod files;
mod level;
mod problems;
mod records;
mod snapshot;
mod words;

pub use difference::{Difference, compare};
pub use files::{FileDigest, digests};
pub use level::{Change, DiffRow, Level};
pub use snapshot::{Named, Side, Snapshot, SnapshotError};
pub use words::{Fate, in_line, words};
