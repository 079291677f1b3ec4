//! Statistics: one file each, from records to facts and tables.
//!
//! A statistic reads the [`Evidence`] and returns [`Output`]: single values as [`Fact`]s, which claims
//! and pages look up by statistic, measure and keys, and tables in the published layout. The registry
//! is [`ALL`]; adding a statistic is one file and one line in it. Shared tools (intervals, exact tests,
//! bootstrap) have files of their own. Nothing here formats for people or reads files.

mod about;
mod boards;
mod evidence;
mod fact;
mod rebuilt;

// Shared tools.
pub mod agreement;
pub mod bootstrap;
pub mod correlation;
pub mod exact;
#[cfg(test)]
pub(crate) mod fixture;
pub mod holm;
pub mod interval;
pub mod moments;
pub mod names;
mod natural;
pub mod o200k;
pub mod pairing;
pub mod readings;
pub mod sign_flip;
pub mod tally;

// Statistics.
mod comparison;
mod content;
mod faithfulness;
pub(crate) mod published;
mod recount;
mod repair;
mod replayed;
mod samples;
pub(crate) mod scores;
mod spending;
mod strata;
mod strict_lens;
pub(crate) mod tokens;
pub(crate) mod tolerance;

pub use about::{About, KeyDoc};
pub use boards::Boards;
pub use evidence::{Evidence, ProseRegrade, Readings};
pub use fact::{Basis, Estimate, Fact, Facts, Interval, Keys, Output, Writer};

/// A statistic.
pub trait Statistic: Sync {
    /// Its definition, shown by `repro explain`, on the methods page and in the bundle.
    fn about(&self) -> &'static About;

    /// True when everything it says follows from the outcomes on the boards and the declaration, so that it can be
    /// computed again over boards that other choices give. What looks into records, texts or published tables for
    /// its values cannot.
    fn follows_outcomes(&self) -> bool {
        false
    }

    /// Measures that are places, or are counted from places: what says of them that they differ changes an order.
    fn orders(&self) -> &'static [&'static str] {
        &[]
    }

    /// Computes all of its facts and tables. Must not depend on the order of records, files or threads;
    /// where something is undefined the fact says why.
    fn compute(&self, evidence: &Evidence<'_>) -> Output;
}

/// The generic statistics, in the order of the methods page. What exists in one study only is registered
/// by its pack, and [`compute_all`] takes whatever it is given.
pub const ALL: &[&dyn Statistic] = &[
    &content::CorpusCount,
    &content::CorpusAnswers,
    &content::GradedQuantities,
    &content::CorpusReexecution,
    &content::ArchiveCensus,
    &scores::AccuracyRun,
    &scores::AccuracyMeanSd,
    &scores::AccuracySpread,
    &scores::ErrorAsFail,
    &scores::RunCompleteness,
    &scores::RankGroups,
    &scores::PairDifference,
    &scores::PassAtK,
    &scores::Majority,
    &scores::SolvedByN,
    &scores::Nestedness,
    &scores::CaseCount,
    &samples::Estimates,
    &samples::Judges,
    &samples::Coverage,
    &samples::Stored,
    &comparison::Comparison,
    &strata::CategoryAccuracy,
    &strata::CategoryMacro,
    &strata::CategoryCorrelation,
    &strata::DifficultyAccuracy,
    &strata::DifficultyTiers,
    &strata::ArityPassRate,
    &strata::ReasoningLift,
    &tolerance::Tolerance,
    &strict_lens::StrictLens,
    &repair::Repair,
    &tokens::Tokens,
    &recount::Recount,
    &spending::Spending,
    &spending::TokenSlope,
    &faithfulness::Faithfulness,
    &replayed::ReplayAccuracy,
];

/// Statistic of a registry by its id or by another slug of its.
pub fn find(registry: &[&'static dyn Statistic], slug: &str) -> Option<&'static dyn Statistic> {
    let called = |statistic: &&&'static dyn Statistic| {
        let about = statistic.about();
        about.id == slug || about.also.contains(&slug)
    };
    registry.iter().find(called).copied()
}

/// Computes the statistics of a registry that the study asks for: those it lists by id, or all.
pub fn compute_all(evidence: &Evidence<'_>, registry: &[&'static dyn Statistic]) -> Output {
    use rayon::prelude::*;
    let listed = &evidence.study.statistics;
    let wanted =
        |statistic: &&&'static dyn Statistic| listed.is_empty() || listed.iter().any(|id| id == statistic.about().id);
    let compute = |evidence: &Evidence<'_>| {
        let boards = Boards::lay_out(evidence);
        let evidence = &Evidence { boards: Some(&boards), ..*evidence };
        let outputs: Vec<Output> =
            registry.par_iter().filter(wanted).map(|statistic| statistic.compute(evidence)).collect();
        outputs.into_iter().fold(Output::default(), Output::join)
    };
    rebuilt::marked(compute(evidence), evidence, compute)
}
