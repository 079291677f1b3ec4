//! Statistics: one file each, from records to facts and tables.
//!
//! A statistic reads the [`Evidence`] and returns [`Output`]: single values as [`Fact`]s, which claims
//! and pages look up by statistic, measure and keys, and tables in the published layout. The registry
//! is [`ALL`]; adding a statistic is one file and one line in it. Shared tools (intervals, exact tests,
//! bootstrap) have files of their own. Nothing here formats for people or reads files.

mod about;
mod evidence;
mod fact;

pub use about::{About, KeyDoc};
pub use evidence::{Evidence, Readings};
pub use fact::{Basis, Estimate, Fact, Facts, Interval, Keys, Output};

/// A statistic.
pub trait Statistic: Sync {
    /// Its definition, shown by `repro explain`, on the methods page and in the bundle.
    fn about(&self) -> &'static About;

    /// Computes all of its facts and tables. Must not depend on the order of records, files or threads;
    /// where something is undefined the fact says why.
    fn compute(&self, evidence: &Evidence<'_>) -> Output;
}

/// Every statistic, in the order of the methods page.
pub const ALL: &[&dyn Statistic] = &[];

/// Computes every registered statistic.
pub fn compute_all(evidence: &Evidence<'_>) -> Output {
    use rayon::prelude::*;
    let outputs: Vec<Output> = ALL.par_iter().map(|statistic| statistic.compute(evidence)).collect();
    outputs.into_iter().fold(Output::default(), Output::join)
}
