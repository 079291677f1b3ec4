//! Outcomes of one experiment as a grid: configuration x problem x run. Counts only, no statistics.

use crate::archive::{Record, Run, State};
use crate::corpus::Set;
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
    /// Runs that the experiment should have; later ones are shown and enter nothing.
    pub expected: usize,
    /// The set asked, when it was read: records of other problems enter nothing.
    pub set: Option<&'a Set>,
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
}

impl Solved {
    /// Solved in at least half of the expected runs, rounded up (two of three).
    pub(crate) fn majority(self) -> bool {
        self.expected > 0 && 2 * self.passed > self.expected
    }
}

impl<'a> GridRow<'a> {
    /// Record of a problem in each run.
    pub(crate) fn records<'s>(&'s self, id: &'s str) -> impl Iterator<Item = Option<&'a Record>> + 's {
        self.runs.iter().map(move |run| run.and_then(|run| run.get(id)))
    }

    /// Outcome on one problem.
    pub(crate) fn outcome(&self, id: &str) -> Solved {
        let mut outcome = Solved { expected: self.expected as u32, ..Solved::default() };
        for record in self.records(id).take(self.expected).flatten() {
            match record.state() {
                State::Pass => {
                    outcome.passed += 1;
                    outcome.counted += 1;
                }
                State::Fail => outcome.counted += 1,
                State::Excluded => {}
            }
        }
        outcome
    }

    /// Records of one run that are about problems of the set.
    fn own<'s>(&'s self, run: &'a Run) -> impl Iterator<Item = &'a Record> + 's {
        run.records.iter().filter(|record| self.set.is_none_or(|set| set.get(record.id.as_str()).is_some()))
    }

    /// Passed and counted records of one run.
    pub(crate) fn tally(&self, run: &'a Run) -> (usize, usize) {
        let passed = self.own(run).filter(|r| r.state() == State::Pass).count();
        let counted = self.own(run).filter(|r| r.state() != State::Excluded).count();
        (passed, counted)
    }

    /// Passed and counted records over all expected runs that exist.
    pub(crate) fn total(&self) -> (usize, usize) {
        let runs = self.runs.iter().take(self.expected).flatten();
        runs.map(|run| self.tally(run)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Expected runs that exist and hold a record for each of `problems` problems.
    pub(crate) fn complete_runs(&self, problems: usize) -> usize {
        self.runs.iter().take(self.expected).flatten().filter(|run| self.own(run).count() >= problems).count()
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
