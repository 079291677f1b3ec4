//! One file per page, one line in the registry; each knows the question it answers.

pub(crate) mod audit;
mod audits;
mod changes;
pub(crate) mod chapter;
mod claim_area;
mod claim_rows;
mod claims;
mod compare;
mod comparison;
mod configuration;
mod configurations;
mod conflicts;
pub(crate) mod counts;
mod documents;
mod downloads;
mod faithfulness;
mod found;
mod grading;
mod index_page;
mod leaderboard;
mod method;
mod methods;
pub(crate) mod outcomes;
mod overview;
pub(crate) mod plots;
mod problem;
mod problems;
pub(crate) mod published;
mod record;
mod reliability;
mod replay;
pub(crate) mod report;
mod solve_matrix;
mod subfields;
pub(crate) mod survival;
mod tables;
mod verification;

pub(crate) use claim_area::{Apart, apart};
pub(crate) use claim_rows::href as claim_href;
pub(crate) use method::{FactPages, fact_anchor};

use super::page::Page;

/// The kinds of pages that every study has, in the order of the navigation; packs bring others.
pub(crate) const ALL: &[&dyn Page] = &[
    &overview::Overview,
    &found::Found,
    &changes::Changes,
    &leaderboard::Leaderboard,
    &subfields::Subfields,
    &reliability::Reliability,
    &compare::Compare,
    &comparison::Comparisons,
    &claims::Claims,
    &conflicts::Conflicts,
    &survival::SurvivalPage,
    &verification::Verification,
    &published::PublishedPages,
    &report::Report,
    &replay::Replay,
    &grading::Grading,
    &faithfulness::Faithfulness,
    &audits::Audits,
    &documents::Documents,
    &problems::Problems,
    &problem::ProblemPage,
    &configurations::Configurations,
    &configuration::ConfigurationPage,
    &solve_matrix::SolveMatrix,
    &index_page::IndexPage,
    &record::RecordPage,
    &methods::Methods,
    &method::Method,
    &downloads::Downloads,
    &tables::Tables,
];
