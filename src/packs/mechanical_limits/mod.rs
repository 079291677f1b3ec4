//! Calculation and rejection at known mechanical limits: items on both sides of a certified limit, and whether
//! models solve or decline them.

mod coding;
mod contrasts;
mod inventory;
mod margins;
mod pages;
mod records;
mod verdicts;

#[cfg(test)]
mod tests;

use super::{Pack, When};
use crate::archive::Materials;
use crate::statistics::Statistic;

/// The pack.
pub(super) const PACK: Pack = Pack {
    id: "mechanical-limits",
    profile: None,
    formats: &[],
    graders: &[],
    statistics: STATISTICS,
    bindings: &[("mechanical-limits", include_str!("bindings.toml"))],
    words: &[include_str!("words.toml")],
    pages: pages::ALL,
    problem_columns: &[],
    check: |_| Vec::new(),
};

/// Analyses of this study, in the order of the methods page.
const STATISTICS: &[&dyn Statistic] = &[
    &When(applies, inventory::Inventory),
    &When(applies, verdicts::Verdicts),
    &When(applies, margins::SignedMargins),
    &When(applies, margins::Capability),
    &When(applies, contrasts::Contrasts),
    &When(applies, inventory::Gates),
    &When(applies, inventory::Score),
    &When(applies, coding::Agreement),
];

/// True for a study that brings items or calls of this kind.
fn applies(materials: &Materials) -> bool {
    [records::ITEMS, records::CALLS].iter().any(|role| !materials.all(role).is_empty())
}
