//! Proposing a ledger: the numbers in a document's tables, ready for an author to bind.
//!
//! Nothing is guessed about what a number rests on. Every proposed column says so and is
//! `not-checkable` until its author names a statistic, so the proposal is a valid ledger at once.

mod document;
mod guess;
mod write;

pub use document::{DocumentKind, DocumentTable, tables};
pub use guess::{Proposal, ProposedCell, ProposedColumn, propose};
pub use write::to_ledger;

/// Proposes ledger entries for the numbers in the tables of a document, as a TOML ledger.
///
/// ```
/// use repro::claims::{DocumentKind, suggest};
/// let text = "| model | accuracy |\n|---|---|\n| a | 95.6% |\n";
/// let ledger = suggest("README.md", text, DocumentKind::Markdown);
/// assert!(ledger.contains("rows = [") && ledger.contains("\"95.6\""));
/// ```
pub fn suggest(file: &str, text: &str, kind: DocumentKind) -> String {
    let proposals: Vec<Proposal> =
        tables(text, kind).iter().enumerate().filter_map(|(n, t)| propose(file, n, t)).collect();
    to_ledger(file, &proposals)
}
