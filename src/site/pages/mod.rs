//! One file per page, one line in the registry; each knows the question it answers.

pub(crate) use method::fact_anchors;

use super::page::Page;

mod claim_rows;
mod claims;
mod configuration;
mod configurations;
mod counts;
mod downloads;
mod leaderboard;
mod method;
mod methods;
mod outcomes;
mod overview;
mod plots;
mod problem;
mod problems;
mod record;
mod subfields;
mod tables;
mod traps;
mod verification;

/// Every kind of page, in the order of the navigation.
pub(crate) const ALL: &[&dyn Page] = &[
    &overview::Overview,
    &leaderboard::Leaderboard,
    &subfields::Subfields,
    &traps::Traps,
    &claims::Claims,
    &verification::Verification,
    &problems::Problems,
    &problem::ProblemPage,
    &configurations::Configurations,
    &configuration::ConfigurationPage,
    &record::RecordPage,
    &methods::Methods,
    &method::Method,
    &downloads::Downloads,
    &tables::Tables,
];
