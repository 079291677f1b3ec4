//! SciCode-Verified: the audit of a benchmark, its corrected release, and the ledger between the two.

mod attribution;
mod audit;
mod benchmark;
mod checksums;
mod defects;
mod flips;
mod footprint;
mod gate;
mod gold;
mod log;
mod pages;
mod rescue;
mod runs;
mod scores;
mod sources;
mod taxonomy;
mod texts;
mod universe;

#[cfg(test)]
mod tests;

use super::{Pack, When};
use crate::archive::Materials;
use crate::statistics::Statistic;

/// The pack.
pub(super) const PACK: Pack = Pack {
    id: "scicode-verified",
    profile: Some(include_str!("profile.toml")),
    formats: &[],
    graders: &[],
    statistics: STATISTICS,
    bindings: &[("scicode-verified", include_str!("bindings.toml"))],
    words: &[include_str!("words.toml")],
    pages: pages::ALL,
    problem_columns: &[],
    check: |_| Vec::new(),
};

/// Analyses of this study, in the order of the methods page.
const STATISTICS: &[&dyn Statistic] = &[
    &When(applies, universe::Universe),
    &When(applies, checksums::Checksums),
    &When(applies, sources::ReleaseSources),
    &When(applies, gate::ChangeGate),
    &When(applies, texts::TestMirror),
    &When(applies, texts::SignatureChanges),
    &When(applies, texts::CodeIntegrity),
    &When(applies, gold::GoldSelfTest),
    &When(applies, taxonomy::Taxonomy),
    &When(applies, footprint::Footprint),
    &When(applies, scores::VersionScores),
    &When(applies, flips::StepFlips),
    &When(applies, attribution::Attribution),
    &When(applies, scores::RegradeShare),
    &When(applies, rescue::EnvironmentRescue),
    &When(applies, runs::RunVerdicts),
    &When(applies, log::CleaningLog),
];

/// True for a study that brings the files of this one.
fn applies(materials: &Materials) -> bool {
    let own = [benchmark::BEFORE, benchmark::AFTER, benchmark::AFTER_PART, defects::DEFECTS, flips::FLIPS];
    own.iter().any(|role| !materials.all(role).is_empty())
}
