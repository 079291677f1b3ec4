//! A sink that keeps nothing: for looking at files before they are read.

use super::Sink;
use crate::archive::{AttemptText, Coverage, Record, Recount, RunKey, StoredSummary};
use crate::corpus::Problem;
use crate::digest::Digest;
use crate::id::{ConfigKey, ExperimentId, SetId};
use crate::report::{Finding, Place};

/// Looks without telling.
pub(super) struct Quiet;

impl Sink for Quiet {
    fn problem(&mut self, _: &SetId, _: Problem, _: Place) {}
    fn record(&mut self, _: RunKey, _: Record, _: &[AttemptText<'_>], _: Place) {}
    fn sample(&mut self, _: &ExperimentId, _: &ConfigKey, _: &str) -> u32 {
        0
    }
    fn summary(&mut self, _: StoredSummary) {}
    fn recount(&mut self, _: Recount) {}
    fn coverage(&mut self, _: Coverage) {}
    fn finding(&mut self, _: Finding) {}
    fn file(&mut self, _: &str, _: Digest, _: u64) {}
}
