//! Traps: problems with a planted shortcut, beside the originals they were made from.
//!
//! The control of a trap is its parent, matched by run number: a failed trap whose parent was solved
//! in the same run is a failure of judgment, not of knowledge. Capture is decided by the values that
//! were returned and never by similarity of text.

mod accuracy;
mod capture;
mod control;
mod family_matrix;
mod family_pool;
mod gap;
mod separation;
mod setup;

pub(crate) use accuracy::TrapAccuracy;
pub(crate) use capture::TrapCapture;
pub(crate) use control::TrapControl;
pub(crate) use family_matrix::TrapFamilyMatrix;
pub(crate) use family_pool::TrapFamilyPool;
pub(crate) use gap::TrapGap;
pub(crate) use separation::TrapSeparation;
