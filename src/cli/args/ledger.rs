//! Arguments of `repro ledger`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::TalkArgs;

/// `repro ledger`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro ledger check v1/problems.jsonl v2/problems.jsonl ledger/\n  repro ledger check before/ after/ ledger/R7.jsonl --round R7"
)]
pub(in crate::cli) struct LedgerArgs {
    #[command(subcommand)]
    pub(in crate::cli) action: LedgerAction,
}

/// What to do with a change ledger.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum LedgerAction {
    /// Is every recorded change in the release, and is every change of the release recorded?
    Check(LedgerCheck),
}

/// `repro ledger check`
#[derive(Debug, Args)]
pub(in crate::cli) struct LedgerCheck {
    /// Tree before the changes: a JSON or JSONL file, or a folder of them; `-` for none, and then
    /// what needs it is reported as not checkable
    pub(in crate::cli) old: PathBuf,
    /// Tree after the changes, the release
    pub(in crate::cli) new: PathBuf,
    /// Change ledger: a JSONL file with id, field, before, after, verdict, reason and round per
    /// line, or a folder of them
    pub(in crate::cli) ledger: PathBuf,
    /// Member that names an item (default: the first of id, problem_id, item_id, task_id ... that
    /// every item has)
    #[arg(long, value_name = "MEMBER")]
    pub(in crate::cli) id: Option<String>,
    /// Check the entries of this round only; OLD is then the release from before the round
    #[arg(long, value_name = "ROUND")]
    pub(in crate::cli) round: Option<String>,
    /// NEW holds only some of the items: those it lacks are not compared, and entries about them
    /// are counted apart
    #[arg(long)]
    pub(in crate::cli) part: bool,
    #[command(flatten)]
    pub(in crate::cli) talk: TalkArgs,
}
