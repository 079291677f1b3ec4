//! Statistics of this study: robustness under variants, echoes, traps, options against computing, prose
//! against programs, scaffolding, other fields, fabricated executions.

mod ablation;
mod choice;
mod cross_domain;
mod cross_keycheck;
mod echo;
mod fabrication;
mod k2_distribution;
mod prose_regrade;
mod protocol;
mod residual;
mod scaffold_diff;
mod three_axes;
mod traps;
mod unit_rescue;
mod variants;

use crate::statistics::Statistic;

/// Statistics of this study, in the order of the methods page.
pub(super) const ALL: &[&dyn Statistic] = &[
    &k2_distribution::K2Distribution,
    &residual::ResidualCluster,
    &residual::ResidualScreen,
    &residual::ConvergentAudit,
    &unit_rescue::UnitRescue,
    &ablation::PromptDelta,
    &ablation::ScaffoldDelta,
    &scaffold_diff::ScaffoldDiff,
    &cross_domain::CrossDomain,
    &cross_keycheck::CrossKeycheck,
    &protocol::ProtocolGap,
    &prose_regrade::ProseRegrades,
    &fabrication::Fabrication,
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
