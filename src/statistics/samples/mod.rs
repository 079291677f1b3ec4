//! Numbers over samples and judges, for any study whose records have them: estimators, stored summaries, coverage,
//! judges side by side.

mod coverage;
mod estimates;
mod judges;
mod stored;

pub(super) use coverage::Coverage;
pub(super) use estimates::Estimates;
pub(super) use judges::Judges;
pub(super) use stored::Stored;

use crate::study::{Experiment, Study};

/// Whether an experiment has samples, judges or estimators of its own.
fn applies(study: &Study, experiment: &Experiment) -> bool {
    experiment.format.is_some() || !study.estimators.is_empty()
}
