//! The records of one problem over the leaderboard, and which of them hold answers.

use crate::archive::{Gradability, Record, State, SubAnswer};
use crate::statistics::tally::{Board, Tally};

/// One record with where it stands.
pub(super) struct Seen<'b, 'a> {
    pub(super) tally: &'b Tally<'a>,
    pub(super) record: &'a Record,
}

impl<'a> Seen<'_, 'a> {
    /// Stored sub-answers; `None` where the record holds none.
    pub(super) fn details(&self) -> Option<&'a [SubAnswer]> {
        self.record.details.as_deref()
    }

    /// Failed, with or without an answer.
    pub(super) fn failed(&self) -> bool {
        self.record.state() == State::Fail
    }

    /// Failed, and the archive does not tell what was answered.
    pub(super) fn untold(&self) -> bool {
        self.failed() && self.record.gradability() == Gradability::Unknown
    }
}

/// Records of a problem in the order of a board's configurations and runs, errors left out.
pub(super) fn records<'b, 'a>(board: &'b Board<'a>, problem: usize) -> impl Iterator<Item = Seen<'b, 'a>> {
    board.leaderboard().flat_map(move |tally| {
        tally.runs.iter().filter_map(move |run| {
            let record = run.records[problem].filter(|record| record.state() != State::Excluded)?;
            Some(Seen { tally, record })
        })
    })
}
