//! What statistics may look at.

use std::collections::BTreeMap;

use super::boards::Boards;
use crate::archive::{Archive, Run};
use crate::corpus::Corpus;
use crate::id::ProblemId;
use crate::study::{Configuration, Study};
use crate::verify::Ladder;

/// Everything a statistic may read.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What the study declares.
    pub study: &'a Study,
    /// The questions.
    pub corpus: &'a Corpus,
    /// The records.
    pub archive: &'a Archive,
    /// What the texts said while they streamed by, by run in the order of `archive.runs` and by record
    /// in the order of `run.records`; empty where no text is archived.
    pub readings: &'a [Vec<Readings>],
    /// What execution and re-grading found.
    pub ledger: &'a Ladder,
    /// Published and archived CSV tables as text, by file name without extension.
    pub published: &'a BTreeMap<String, String>,
    /// Boards that were laid out before; without them each is laid out when it is asked for.
    pub boards: Option<&'a Boards<'a>>,
}

/// A prose answer graded again with what its text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProseRegrade {
    /// Regrade A: stored marks, and what a unit found in the text proves.
    pub conservative: bool,
    /// A or regrade B: any boxed number may answer any sub.
    pub upper_bound: bool,
}

/// Measurements of the texts of one record, taken while they streamed by.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    /// Recounted prompt, completion and reasoning tokens (o200k), when counting was asked for.
    pub tokens: Option<(u64, u64, u64)>,
    /// Any response to an original problem speaks of an execution vehicle.
    pub execution_talk: bool,
    /// Any prose response carries language of approximation.
    pub approximation_talk: bool,
    /// Strong execution-claim signatures in responses to original problems: attempt and pattern id.
    pub signatures: Vec<(usize, &'static str)>,
    /// A prose answer graded again with what its text says; `None` for other answers and where nothing
    /// was graded.
    pub prose: Option<ProseRegrade>,
    /// Numbers in the response of a right answer that has no graded values (a picked option).
    pub numbers: Vec<f64>,
    /// What the reader of boxed answers would note on the record, where another note is stored.
    pub note: Option<String>,
}

impl<'a> Evidence<'a> {
    /// Configurations that enter aggregates, in declared order.
    pub fn leaderboard(&self) -> impl Iterator<Item = &'a Configuration> + use<'a> {
        self.study.listed()
    }

    /// Runs of an experiment by configuration, each list in run order.
    pub fn runs_by_configuration(&self, experiment: &str) -> BTreeMap<&'a str, Vec<&'a Run>> {
        let mut runs: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
        for run in &self.archive.runs {
            if run.key.experiment.as_str() == experiment {
                runs.entry(run.key.configuration.as_str()).or_default().push(run);
            }
        }
        runs
    }

    /// Parent of a problem, by its id in a set.
    pub fn parent(&self, set: &str, id: &str) -> Option<&'a ProblemId> {
        self.corpus.set(set)?.get(id)?.parent.as_ref()
    }
}
