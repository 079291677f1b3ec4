//! L2: every archived answer text is read again, executed again and graded again.
//!
//! `tested` is the same for programs that tests judge.
//! `case` turns a record with its texts into programs and boxed answers, `judge` compares what came out
//! with what was recorded, `stage` does both for the selected records of an archive, `stream` for whole
//! run files, one configuration after the other so that memory stays bounded.

mod case;
mod judge;
mod stage;
mod stream;
pub(super) mod tested;
#[cfg(test)]
mod tests;

pub use case::{Case, NotReplayable};
pub(super) use stage::replay_share;
pub use stage::{Replayed, replay};
pub(super) use stream::replay_runs_of_share;
pub use stream::{StreamError, replay_runs};
pub use tested::Lenses;
