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
pub mod readings;
pub mod tally;

#[cfg(test)]
mod contract;

// Statistics.
mod ablation;
mod choice;
mod content;
mod cross_domain;
mod cross_keycheck;
mod echo;
mod fabrication;
mod faithfulness;
mod prose_regrade;
mod protocol;
mod published;
mod recount;
mod repair;
mod residual;
mod scaffold_diff;
mod scores;
mod spending;
mod strata;
mod strict_lens;
mod three_axes;
mod tokens;
mod tolerance;
mod traps;
mod unit_rescue;
mod variants;

pub use about::{About, KeyDoc};
pub use boards::Boards;
pub use evidence::{Evidence, ProseRegrade, Readings};
pub use fact::{Basis, Estimate, Fact, Facts, Interval, Keys, Output, Writer};

/// A statistic.
pub trait Statistic: Sync {
    /// Its definition, shown by `repro explain`, on the methods page and in the bundle.
    fn about(&self) -> &'static About;

    /// Computes all of its facts and tables. Must not depend on the order of records, files or threads;
    /// where something is undefined the fact says why.
    fn compute(&self, evidence: &Evidence<'_>) -> Output;
}

/// Every statistic, in the order of the methods page.
pub const ALL: &[&dyn Statistic] = &[
    &content::CorpusCount,
    &content::CorpusAnswers,
    &content::GradedQuantities,
    &content::K2Distribution,
    &content::CorpusReexecution,
    &content::ArchiveCensus,
    &scores::AccuracyRun,
    &scores::AccuracyMeanSd,
    &scores::AccuracySpread,
    &scores::ErrorAsFail,
    &scores::RunCompleteness,
    &scores::PassAtK,
    &scores::Majority,
    &scores::SolvedByN,
    &scores::Nestedness,
    &scores::CaseCount,
    &strata::CategoryAccuracy,
    &strata::CategoryMacro,
    &strata::CategoryCorrelation,
    &strata::DifficultyAccuracy,
    &strata::DifficultyTiers,
    &strata::ArityPassRate,
    &strata::ReasoningLift,
    &residual::ResidualCluster,
    &residual::ResidualScreen,
    &residual::ConvergentAudit,
    &tolerance::Tolerance,
    &unit_rescue::UnitRescue,
    &strict_lens::StrictLens,
    &repair::Repair,
    &ablation::PromptDelta,
    &ablation::ScaffoldDelta,
    &scaffold_diff::ScaffoldDiff,
    &cross_domain::CrossDomain,
    &cross_keycheck::CrossKeycheck,
    &tokens::Tokens,
    &recount::Recount,
    &spending::Spending,
    &spending::TokenSlope,
    &protocol::ProtocolGap,
    &prose_regrade::ProseRegrades,
    &fabrication::Fabrication,
    &faithfulness::Faithfulness,
    &three_axes::ThreeAxes,
    &variants::VariantMajority,
    &variants::PairedDelta,
    &variants::PairedCi,
    &variants::McnemarExact,
    &variants::HolmAdjusted,
    &variants::BootstrapCi,
    &variants::TwinShift,
    &variants::ThresholdAccuracy,
    &variants::ParaphraseSpectrum,
    &variants::StrataDelta,
    &variants::FailureModeShift,
    &variants::GradableOnly,
    &variants::FragilityMap,
    &variants::ExclusionCheck,
    &variants::RankAgreement,
    &variants::RankByPosition,
    &echo::EchoDiscriminative,
    &echo::EchoTaxonomy,
    &echo::EchoStrict,
    &echo::EchoConcentration,
    &echo::LeakageVerdict,
    &echo::EchoFunnel,
    &traps::TrapAccuracy,
    &traps::TrapControl,
    &traps::TrapGap,
    &traps::TrapFamilyPool,
    &traps::TrapFamilyMatrix,
    &traps::TrapCapture,
    &traps::TrapSeparation,
    &choice::ChoiceAccuracyCode,
    &choice::ChoiceAccuracyOption,
    &choice::ChoiceGap,
    &choice::ChanceCorrection,
    &choice::ChoiceCrosstab,
    &choice::ChoiceRescue,
    &choice::ChoiceMechanism,
    &choice::ChoiceDefectSet,
    &choice::ChoiceCleanSubset,
    &choice::ChoiceAuditFunnel,
    &choice::ChoiceTemplateCase,
];

/// Statistic by its id or by another slug of its.
pub fn find(slug: &str) -> Option<&'static dyn Statistic> {
    let called = |statistic: &&&dyn Statistic| {
        let about = statistic.about();
        about.id == slug || about.also.contains(&slug)
    };
    ALL.iter().find(called).copied()
}

/// Computes the statistics that the study asks for: those it lists by id, or every registered one.
pub fn compute_all(evidence: &Evidence<'_>) -> Output {
    use rayon::prelude::*;
    let listed = &evidence.study.statistics;
    let wanted = |statistic: &&&dyn Statistic| listed.is_empty() || listed.iter().any(|id| id == statistic.about().id);
    let compute = |evidence: &Evidence<'_>| {
        let boards = Boards::lay_out(evidence);
        let evidence = &Evidence { boards: Some(&boards), ..*evidence };
        let outputs: Vec<Output> = ALL.par_iter().filter(wanted).map(|statistic| statistic.compute(evidence)).collect();
        outputs.into_iter().fold(Output::default(), Output::join)
    };
    rebuilt::marked(compute(evidence), evidence, compute)
}
