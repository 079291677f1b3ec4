//! Arguments of the commands that publish: `build`, `site`, `bundle`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{EngineArgs, StudyArgs, TalkArgs};

/// What every command that publishes is asked: which study, how to run it, where to write, what to show.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PublishArgs {
    #[command(flatten)]
    pub(in crate::cli) study: StudyArgs,
    #[command(flatten)]
    pub(in crate::cli) engine: EngineArgs,
    #[command(flatten)]
    pub(in crate::cli) out: OutArgs,
    #[command(flatten)]
    pub(in crate::cli) render: RenderArgs,
}

/// Where output goes.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct OutArgs {
    /// Folder that receives site/ and bundles/
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(in crate::cli) out: PathBuf,
    /// Replace a version of the site that exists with other bytes
    #[arg(long)]
    pub(in crate::cli) replace: bool,
}

/// What pages show.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct RenderArgs {
    /// Which run records get a page
    #[arg(long, value_enum, default_value_t = TranscriptChoice::All)]
    pub(in crate::cli) transcripts: TranscriptChoice,
    /// Recount tokens of archived texts (o200k); slow on large archives
    #[arg(long)]
    pub(in crate::cli) tokens: bool,
    /// Version to compare with on the page of changes: a study, a bundle or the folder of a rendered
    /// version; default: the newest older one in the folder of the site
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) previous: Option<PathBuf>,
}

/// Which run records get a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TranscriptChoice {
    /// Every record with archived text
    All,
    /// Those that failed
    Failures,
    /// None
    None,
}

/// What the deposit holds.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct DepositArgs {
    /// RO-Crate that describes the payload: 1.1 with Process Run Crate 0.5, or 1.2
    #[arg(long, value_enum, value_name = "VERSION", default_value_t = CrateChoice::V1_1)]
    pub(in crate::cli) ro_crate: CrateChoice,
    /// The study's files in the deposit, or their digests alone
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ArchiveChoice::Files)]
    pub(in crate::cli) archive: ArchiveChoice,
}

/// Versions of RO-Crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum CrateChoice {
    /// With Process Run Crate 0.5
    #[value(name = "1.1")]
    V1_1,
    /// Without a profile
    #[value(name = "1.2")]
    V1_2,
}

/// What of the study is in its deposit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ArchiveChoice {
    /// Every file
    Files,
    /// Path, size and SHA-256 of every file, for a study too large to repeat
    Digests,
}

/// `repro build`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  repro build\n  repro build archive/ --out public/ --allow-missing")]
pub(in crate::cli) struct Build {
    #[command(flatten)]
    pub(in crate::cli) publish: PublishArgs,
    #[command(flatten)]
    pub(in crate::cli) deposit: DepositArgs,
    #[command(flatten)]
    pub(in crate::cli) talk: TalkArgs,
}

/// `repro site`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  repro site archive/ --out public/ --transcripts failures")]
pub(in crate::cli) struct Site {
    #[command(flatten)]
    pub(in crate::cli) publish: PublishArgs,
    #[command(flatten)]
    pub(in crate::cli) talk: TalkArgs,
}

/// `repro bundle`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro bundle archive/ --out deposit/ --for zenodo",
    args_conflicts_with_subcommands = true
)]
pub(in crate::cli) struct Bundle {
    #[command(subcommand)]
    pub(in crate::cli) action: Option<BundleAction>,
    #[command(flatten)]
    pub(in crate::cli) publish: PublishArgs,
    #[command(flatten)]
    pub(in crate::cli) deposit: DepositArgs,
    /// Say what this repository will do with the file, and adapt where needed
    #[arg(long = "for", value_name = "REPOSITORY")]
    pub(in crate::cli) repository: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) talk: TalkArgs,
}

/// What else can be done with a bundle.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum BundleAction {
    /// Write a DOI into the metadata of a bundle; nothing else changes
    SetDoi {
        /// The bundle
        bundle: PathBuf,
        /// The DOI, without resolver prefix
        doi: String,
    },
}
