//! What changed between two versions of a study, at five levels.
//!
//! Each level is compared by value, from what the stages made of the two sides: files by digest,
//! problems member by member, records by verdict and values, statistics by value and interval, claims by
//! verdict. The result is data in a fixed order; nothing here reads a disk (except [`digests`], which
//! streams a source) and nothing judges whether a change is good.
//!
//! | file | level |
//! | --- | --- |
//! | `files` | files of the study |
//! | `problems` | problems added, removed, edited |
//! | `records` | verdicts that flipped, values that moved |
//! | `facts` | statistics and claims |
//! | `row` | one change, and the lists of them |

mod facts;
mod files;
mod problems;
mod records;
mod row;

pub use files::{FileDigest, digests};
pub use row::{Change, Difference, Row, Side, compare};
