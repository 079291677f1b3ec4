//! Scores from verdicts: one run, several runs, all configurations.

mod accuracy_mean_sd;
mod accuracy_run;
mod accuracy_spread;
mod case_count;
mod error_as_fail;
mod majority;
mod nestedness;
mod pair_difference;
mod pass_at_k;
mod rank_groups;
mod run_completeness;
mod solved_by_n;

pub(super) use accuracy_mean_sd::AccuracyMeanSd;
pub(super) use accuracy_run::AccuracyRun;
pub(super) use accuracy_spread::AccuracySpread;
pub(super) use case_count::CaseCount;
pub(super) use error_as_fail::ErrorAsFail;
pub(super) use majority::Majority;
pub(super) use nestedness::Nestedness;
pub(crate) use pair_difference::EVERY_PAIR;
pub(super) use pair_difference::PairDifference;
pub(super) use pass_at_k::PassAtK;
pub(super) use rank_groups::RankGroups;
pub(super) use run_completeness::RunCompleteness;
pub(super) use solved_by_n::SolvedByN;
