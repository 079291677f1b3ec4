//! Parts of a verification: the outcomes that one machine computed, in a file that another machine goes on with.
//!
//! ```text
//! "repro-part/1\n" | length u32, header as JSON | for each engine of the header: count u32, records |
//! SHA-256 of all bytes before
//! ```
//!
//! Records are those of the cache, sorted by key, so equal work gives equal bytes. A part holds outcomes and no
//! verdicts: whoever merges parts reads the study, grades and counts as one machine would have, and only does not
//! execute. So nothing can be merged wrongly that does not fail to be found.

mod gather;
mod header;
mod recorded;
mod write;

pub use gather::{PartError, Parts};
pub use header::{PartEngine, PartHeader};
pub use recorded::Recorded;
pub use write::write_part;

const MAGIC: &[u8] = b"repro-part/1\n";

#[cfg(test)]
mod tests;
