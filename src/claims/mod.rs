//! Claims: printed numbers, read from ledgers and judged against recomputed facts.
//!
//! A ledger is data ([`Ledger`], read by [`read`]); a claim names the value it rests on in a small
//! declarative language ([`expression`]) or, in a catalogue that names rules instead, through
//! bindings that are data as well. [`judge`] compares every claim with the facts and returns
//! [`Judgements`], from which the page, the terminal, JUnit XML and the findings are made.
//! Nothing here computes a statistic, and nothing in a ledger is executed.

mod attempt;
mod binding;
mod compare;
mod conflict;
mod declared;
pub mod expression;
mod findings;
mod judge;
mod judgement;
mod junit;
mod ledger;
mod missing;
mod possible;
mod printed;
mod published;
mod read;
mod reconciliation;
mod retrial;
mod rounded;
mod sources;
mod suggest;
mod summary;
mod template;
mod terminal;
mod units;
pub mod words;

pub use binding::check_bindings;
pub use declared::declared;
pub use findings::recomputed;
pub use judge::judge;
pub use judgement::{
    Basis, Judgement, Judgements, Keyed, LedgerInfo, Link, Meaning, Part, RowJudgement, Spot, Summary, TableJudgement,
    Told, Verdict,
};
pub use junit::to_junit;
pub use ledger::{
    Broken, Cell, Claim, Compare, Conflict, Found, Ledger, MissingReason, PublishedTable, Shape, Side, Signature,
};
pub use possible::count as possible_count;
pub use printed::{Position, Printed};
pub use read::{is_ledger, read};
pub use reconciliation::Reconciliation;
pub use retrial::{Kind, Retrial, Ruling};
pub use rounded::{Rounded, rounded};
pub use sources::Sources;
pub use suggest::{
    DocumentKind, DocumentTable, Proposal, ProposedCell, ProposedColumn, propose, suggest, tables, to_ledger,
};
pub use terminal::{Line, lines};
