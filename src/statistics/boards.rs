//! The boards of all experiments, laid out once for all statistics.

use rayon::prelude::*;

use super::Evidence;
use super::tally::Board;
use crate::study::Experiment;

/// Boards in declared order of their experiments.
#[derive(Debug)]
pub struct Boards<'a>(Vec<Board<'a>>);

impl<'a> Boards<'a> {
    /// Lays out every board.
    pub fn lay_out(evidence: &Evidence<'a>) -> Self {
        Self(evidence.study.experiments.par_iter().map(|experiment| evidence.lay_out(experiment)).collect())
    }

    /// Boards that somebody else laid out.
    pub const fn given(boards: Vec<Board<'a>>) -> Self {
        Self(boards)
    }

    /// All boards.
    pub fn iter(&self) -> impl Iterator<Item = &Board<'a>> {
        self.0.iter()
    }

    /// The board of an experiment.
    pub fn of(&self, experiment: &Experiment) -> Option<&Board<'a>> {
        self.0.iter().find(|board| board.experiment.id == experiment.id)
    }
}
