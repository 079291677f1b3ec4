//! Scores by category, by difficulty, by number of sub-answers, and with or without reasoning.

mod arity_pass_rate;
mod category_accuracy;
mod category_correlation;
mod category_macro;
mod difficulty_accuracy;
mod difficulty_tiers;
mod groups;
mod reasoning_lift;

pub(super) use arity_pass_rate::ArityPassRate;
pub(super) use category_accuracy::CategoryAccuracy;
pub(super) use category_correlation::CategoryCorrelation;
pub(super) use category_macro::CategoryMacro;
pub(super) use difficulty_accuracy::DifficultyAccuracy;
pub(super) use difficulty_tiers::DifficultyTiers;
pub(super) use reasoning_lift::ReasoningLift;
