//! Outcomes of one experiment as a grid: configuration x problem x run. What counts, and when a problem is solved,
//! is decided by the board that the statistics count on.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::archive::{Record, Run};
use crate::corpus::Set;
use crate::statistics::tally::{Counts, Tally};
use crate::study::{Configuration, Experiment};

/// One experiment with its runs in display order.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Its problem set, when it was read.
    pub set: Option<&'a Set>,
    /// One row per expected or found configuration.
    pub rows: Vec<GridRow<'a>>,
}

/// The runs of one configuration.
#[derive(Debug)]
pub(crate) struct GridRow<'a> {
    /// The configuration.
    pub configuration: &'a Configuration,
    /// Runs by number, 1 to the number expected, then surplus ones; `None` where a run is absent.
    pub runs: Vec<Option<&'a Run>>,
    /// What the statistics count of it; absent where none of its runs is archived or expected.
    pub tally: Option<Tally<'a>>,
    /// Positions of the problems on the board.
    pub at: Arc<BTreeMap<&'a str, usize>>,
}

/// How one configuration fared on one problem over its runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Solved {
    /// Runs that passed.
    pub passed: u32,
    /// Runs that count.
    pub counted: u32,
    /// Runs expected.
    pub expected: u32,
    /// Solved in more than half of the expected runs.
    majority: bool,
}

impl Solved {
    /// Solved in more than half of the expected runs (two of three).
    pub(crate) fn majority(self) -> bool {
        self.majority
    }
}

impl<'a> GridRow<'a> {
    /// Record of a problem in each run.
    pub(crate) fn records<'s>(&'s self, id: &'s str) -> impl Iterator<Item = Option<&'a Record>> + 's {
        self.runs.iter().map(move |run| run.and_then(|run| run.get(id)))
    }

    /// Outcome on one problem.
    pub(crate) fn outcome(&self, id: &str) -> Solved {
        let Some((tally, &at)) = self.tally.as_ref().zip(self.at.get(id)) else { return Solved::default() };
        Solved {
            passed: tally.passes(at) as u32,
            counted: tally.graded(at) as u32,
            expected: tally.expected_runs as u32,
            majority: tally.solves(at),
        }
    }

    /// Records of one run in numbers; `None` for a run that enters nothing.
    pub(crate) fn counts(&self, run: u32) -> Option<Counts> {
        let tally = self.tally.as_ref()?;
        tally.runs.iter().find(|own| own.run.key.run == run).map(crate::statistics::tally::RunTally::counts)
    }

    /// Runs that hold a record for each problem, and runs expected.
    pub(crate) fn complete_runs(&self) -> (usize, usize) {
        self.tally.as_ref().map_or((0, 0), |tally| (tally.complete_runs(), tally.expected_runs))
    }

    /// Number of runs that exist.
    pub(crate) fn present(&self) -> usize {
        self.runs.iter().flatten().count()
    }
}

impl<'a> Grid<'a> {
    /// Row of a configuration.
    pub(crate) fn row(&self, key: &str) -> Option<&GridRow<'a>> {
        self.rows.iter().find(|row| row.configuration.key.as_str() == key)
    }

    /// Number of problems asked.
    pub(crate) fn problems(&self) -> usize {
        self.set.map_or(0, |set| set.problems.len())
    }

    /// True when at least one run exists.
    pub(crate) fn is_present(&self) -> bool {
        self.rows.iter().any(|row| row.present() > 0)
    }
}
