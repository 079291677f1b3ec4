//! Rows of the verification ledger, found by the problem or record they are about.

use std::collections::BTreeMap;

use crate::archive::RunKey;
use crate::verify::{AttemptVerdict, Ladder, LensRow, ReplayVerdict, SolverVerdict};

/// An index over a ledger.
pub(crate) struct Verdicts<'a> {
    solvers: BTreeMap<(&'a str, &'a str), Vec<&'a SolverVerdict>>,
    replays: BTreeMap<(&'a RunKey, &'a str), &'a ReplayVerdict>,
    attempts: BTreeMap<(&'a RunKey, &'a str, usize), &'a AttemptVerdict>,
    lenses: BTreeMap<(&'a RunKey, &'a str), Vec<&'a LensRow>>,
}

impl<'a> Verdicts<'a> {
    /// Indexes a ledger. Of several rows about one thing (a record in two files), the first counts.
    pub(crate) fn new(ledger: &'a Ladder) -> Self {
        let mut index = Self {
            solvers: BTreeMap::new(),
            replays: BTreeMap::new(),
            attempts: BTreeMap::new(),
            lenses: BTreeMap::new(),
        };
        for row in &ledger.solvers {
            index.solvers.entry((row.set.as_str(), row.id.as_str())).or_default().push(row);
        }
        for row in &ledger.replays {
            index.replays.entry((&row.run, row.id.as_str())).or_insert(row);
        }
        for row in &ledger.attempts {
            index.attempts.entry((&row.run, row.id.as_str(), row.attempt)).or_insert(row);
        }
        for row in &ledger.lenses {
            index.lenses.entry((&row.run, row.id.as_str())).or_default().push(row);
        }
        index
    }

    /// Verdicts on the stored programs of a problem.
    pub(crate) fn solvers<'s>(&'s self, set: &'s str, id: &'s str) -> &'s [&'a SolverVerdict] {
        self.solvers.get(&(set, id)).map_or(&[], Vec::as_slice)
    }

    /// Verdict on the replay of a record.
    pub(crate) fn replay<'s>(&'s self, run: &'s RunKey, id: &'s str) -> Option<&'a ReplayVerdict> {
        self.replays.get(&(run, id)).copied()
    }

    /// Verdict on one attempt, from 0.
    pub(crate) fn attempt<'s>(&'s self, run: &'s RunKey, id: &'s str, attempt: usize) -> Option<&'a AttemptVerdict> {
        self.attempts.get(&(run, id, attempt)).copied()
    }

    /// Answers of a record on which the lenses differ.
    pub(crate) fn lenses<'s>(&'s self, run: &'s RunKey, id: &'s str) -> &'s [&'a LensRow] {
        self.lenses.get(&(run, id)).map_or(&[], Vec::as_slice)
    }
}
