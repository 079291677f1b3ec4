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
    pub rows: Vec<Row<'a>>,
}

/// The runs of one configuration.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// The configuration.
    pub configuration: &'a Configuration,
    /// Runs by number, 1 to the number expected; `None` where a run is absent.
    pub runs: Vec<Option<&'a Run>>,
}

/// How one configuration fared on one problem over its runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Runs that passed.
    pub passed: u32,
    /// Runs that count.
    pub counted: u32,
    /// Runs expected.
    pub expected: u32,
}

impl Outcome {
    /// Solved in at least half of the expected runs, rounded up (two of three).
    pub(crate) fn majority(self) -> bool {
        self.expected > 0 && 2 * self.passed > self.expected
    }
}

impl<'a> Row<'a> {
    /// Record of a problem in each run.
    pub(crate) fn records<'s>(&'s self, id: &'s str) -> impl Iterator<Item = Option<&'a Record>> + 's {
        self.runs.iter().map(move |run| run.and_then(|run| run.get(id)))
    }

    /// Outcome on one problem.
    pub(crate) fn outcome(&self, id: &str) -> Outcome {
        let mut outcome = Outcome { expected: self.runs.len() as u32, ..Outcome::default() };
        for record in self.records(id).flatten() {
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

    /// Passed and counted records of one run.
    pub(crate) fn tally(run: &Run) -> (usize, usize) {
        let passed = run.records.iter().filter(|r| r.state() == State::Pass).count();
        let counted = run.records.iter().filter(|r| r.state() != State::Excluded).count();
        (passed, counted)
    }

    /// Passed and counted records over all runs that exist.
    pub(crate) fn total(&self) -> (usize, usize) {
        self.runs.iter().flatten().map(|run| Self::tally(run)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    /// Number of runs that exist.
    pub(crate) fn present(&self) -> usize {
        self.runs.iter().flatten().count()
    }

    /// True when every expected run exists and holds a record for each of `problems` problems.
    pub(crate) fn is_complete(&self, problems: usize) -> bool {
        self.runs.iter().all(|run| run.is_some_and(|run| run.records.len() >= problems))
    }
}

impl<'a> Grid<'a> {
    /// Row of a configuration.
    pub(crate) fn row(&self, key: &str) -> Option<&Row<'a>> {
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
