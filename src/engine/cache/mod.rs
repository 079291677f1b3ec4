//! Remembered outcomes, by content.
//!
//! A cache is a folder of *segments*: append-only files of checked records. Every process writes a
//! segment of its own, so concurrent runs never touch each other's, and a crash costs at most the
//! record that was being written. A record is found by the digest of everything that can change an
//! outcome: source, arguments, engine and its layers, limits. A record that does not check is a miss,
//! never an answer.

mod cached;
mod folder;
pub(super) mod record;
mod recorder;

pub use cached::Cached;
pub(super) use cached::key;
pub use folder::{Cache, CacheSize};
pub use recorder::Recorder;
