//! Robustness under variants: does a problem stay solved with other numbers or in other words?
//!
//! The unit is the parent problem. It is *solved* when a majority of its runs pass, and *held* by a
//! family of variants when more than half of its variants are majority-solved. All tests are paired
//! over parents. Parent-level states come from records ([`layout`]), else from an archived table of
//! states, else, where only counts are needed, from a published table of tests ([`pairs`]). Nothing
//! here looks at answers; parent echoes have a folder of their own.

pub(crate) mod layout;
pub(crate) mod pairs;
pub(crate) mod states;

mod bootstrap_ci;
mod exclusion_check;
mod failure_mode_shift;
mod fragility_map;
mod gradable_only;
mod holm_adjusted;
mod mcnemar_exact;
mod paired_ci;
mod paired_delta;
mod paraphrase_spectrum;
mod rank_agreement;
mod rank_by_position;
mod strata_delta;
mod threshold_accuracy;
mod twin_shift;
mod variant_majority;

pub(crate) use bootstrap_ci::BootstrapCi;
pub(crate) use exclusion_check::ExclusionCheck;
pub(crate) use failure_mode_shift::FailureModeShift;
pub(crate) use fragility_map::FragilityMap;
pub(crate) use gradable_only::GradableOnly;
pub(crate) use holm_adjusted::HolmAdjusted;
pub(crate) use mcnemar_exact::McnemarExact;
pub(crate) use paired_ci::PairedCi;
pub(crate) use paired_delta::PairedDelta;
pub(crate) use paraphrase_spectrum::ParaphraseSpectrum;
pub(crate) use rank_agreement::RankAgreement;
pub(crate) use rank_by_position::RankByPosition;
pub(crate) use strata_delta::StrataDelta;
pub(crate) use threshold_accuracy::ThresholdAccuracy;
pub(crate) use twin_shift::TwinShift;
pub(crate) use variant_majority::VariantMajority;
