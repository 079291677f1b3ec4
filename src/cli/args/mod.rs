//! The command line as types.

mod ledger;
mod parts;
mod publishing;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use ledger::{LedgerAction, LedgerArgs, LedgerCheck};
pub(super) use parts::{Merge, Piece};
pub(super) use publishing::{
    ArchiveChoice, Build, Bundle, BundleAction, CrateChoice, DepositArgs, OutArgs, PublishArgs, RenderArgs, Site,
    TranscriptChoice,
};

/// Turns the archive of an execution-grounded benchmark into evidence that anybody can check.
#[derive(Debug, Parser)]
#[command(name = "repro", version, about, long_about = None, after_help = EXAMPLES, max_term_width = 80)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  repro build                           the whole chain on the study in results/
  repro build STUDY --out DIR           the whole chain on an archive of yours
  repro verify deposit.zip              check a deposit from itself
  repro claims STUDY --allow-missing    which printed numbers hold?
  repro explain accuracy-run            what a statistic means
  repro explain exit-codes              what exit codes mean";

/// The commands, in the order of the chain.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the whole chain: read, verify, compute, judge, render, bundle
    Build(Build),
    /// Check integrity, execute and grade again (levels L0 to L4; a bundle: L0 to L7)
    Verify(Verify),
    /// Put the parts of a verification together that several machines made
    Merge(Merge),
    /// Recompute all statistics and write them as CSV, JSON and Parquet
    Stats(Stats),
    /// Judge every claim of the study's ledgers
    Claims(Claims),
    /// Write a report that a reviewer can paste or attach
    Report(Report),
    /// Render the versioned site
    Site(Site),
    /// Write the hashed archive for deposit and verify it by reading it back
    Bundle(Bundle),
    /// Write the normalised records as JSON lines, Parquet or every_eval_ever
    Export(Export),
    /// Compare two versions of a study (folders or bundles)
    Diff(Diff),
    /// Check a change ledger against the trees before and after the changes
    Ledger(LedgerArgs),
    /// Print what a statistic, a rule, a finding or an exit code means
    Explain(Explain),
    /// Preview a rendered site on loopback
    Serve(Serve),
    /// Write a commented study.toml with what the files of an archive tell
    Init(Init),
    /// Show or clear the cache of executions
    Cache(Cache),
    /// Run the hostile programs against the sandbox of this machine
    Sandbox(Sandbox),
    /// Print the completions of a shell
    Completions(Completions),
    /// Write manual pages, one per command
    Man(Man),
    /// Tools for people who develop repro
    #[command(hide = true)]
    Debug(Debug),
}

impl Command {
    /// Its word on the command line.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Build(_) => "build",
            Self::Verify(_) => "verify",
            Self::Merge(_) => "merge",
            Self::Stats(_) => "stats",
            Self::Claims(_) => "claims",
            Self::Site(_) => "site",
            Self::Bundle(_) => "bundle",
            Self::Diff(_) => "diff",
            Self::Report(_) => "report",
            Self::Export(_) => "export",
            Self::Ledger(_) => "ledger",
            Self::Explain(_) => "explain",
            Self::Serve(_) => "serve",
            Self::Init(_) => "init",
            Self::Cache(_) => "cache",
            Self::Sandbox(_) => "sandbox",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
            Self::Debug(_) => "debug",
        }
    }
}

/// Which study, and how to treat it.
#[derive(Debug, Clone, Args)]
pub(super) struct StudyArgs {
    /// Folder of the study, or a bundle; default: the study in ./results
    #[arg(value_name = "STUDY")]
    pub(super) study: Option<PathBuf>,
    /// Claims ledger to use beside those the study holds; also for one that the study names and does
    /// not hold
    #[arg(long, value_name = "FILE")]
    pub(super) claims: Vec<PathBuf>,
    /// Accept that missing evidence leaves things unchecked (no exit code 4)
    #[arg(long)]
    pub(super) allow_missing: bool,
    /// When a stage cannot run (no sandbox, no interpreter), go on with those that do not need it;
    /// the exit code still tells
    #[arg(long)]
    pub(super) keep_going: bool,
    /// Refuse anything that is not inside the study (outside ledgers, interpreters, caches)
    #[arg(long, conflicts_with = "claims")]
    pub(super) offline_strict: bool,
    /// Take this path inside the study's folder as a part of it, although its name is one of version
    /// control, caches, editors or keys; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(super) include: Vec<String>,
}

/// How programs are executed.
#[derive(Debug, Clone, Args)]
pub(super) struct EngineArgs {
    /// Interpreter: built in, installed, or both
    #[arg(long, value_enum, default_value_t = EngineName::Embedded)]
    pub(super) engine: EngineName,
    /// A CPython to use (3.9 or later); may be given several times
    #[arg(long, value_name = "PATH")]
    pub(super) cpython: Vec<PathBuf>,
    /// Accept a weaker sandbox by name when a layer is missing
    #[arg(long, value_name = "LEVEL")]
    pub(super) sandbox: Option<String>,
    /// Execute every program once; without this each runs a second time under another hash seed, folder and
    /// clock, and what differs is told as nondeterministic
    #[arg(long)]
    pub(super) once: bool,
    /// Execute everything again instead of using cached executions
    #[arg(long)]
    pub(super) no_cache: bool,
    /// Folder of the cache (default: $XDG_CACHE_HOME/repro or ~/.cache/repro)
    #[arg(long, value_name = "DIR")]
    pub(super) cache_dir: Option<PathBuf>,
}

/// Interpreters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineName {
    /// RustPython inside the tool
    Embedded,
    /// A CPython of this machine
    Cpython,
    /// Both; a program counts as reproduced if either reproduces it
    Both,
}

/// How to talk.
#[derive(Debug, Clone, Args)]
pub(super) struct TalkArgs {
    /// Worker threads and interpreters (default: one per core)
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(super) jobs: Option<usize>,
    /// One strict JSON document on stdout instead of text
    #[arg(long)]
    pub(super) json: bool,
    /// No progress and no text; the exit code tells
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// `repro verify`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro verify archive/ --engine both\n  repro verify deposit.zip\n  repro verify deposit.zip --key author.pub\n  repro verify archive/ --shard 2/16 --out 2.part"
)]
pub(super) struct Verify {
    #[command(flatten)]
    pub(super) study: StudyArgs,
    /// A public key you trust (minisign, OpenSSH or allowed signers), to check the
    /// signature beside a bundle; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) key: Vec<PathBuf>,
    /// Folder with the study's files, for a bundle that holds only their digests
    #[arg(long, value_name = "DIR")]
    pub(super) archive: Option<PathBuf>,
    /// Execute one of N equal shares of the work only and write its outcomes as a part; `repro merge` goes on
    /// when all parts are there
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with_all = ["key", "archive", "keep_going"])]
    pub(super) shard: Option<Piece>,
    /// File that receives the part
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro stats`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  repro stats archive/ --out tables/")]
pub(super) struct Stats {
    #[command(flatten)]
    pub(super) study: StudyArgs,
    /// Folder that receives the tables; without it only a summary is printed
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Recount tokens of archived texts (o200k)
    #[arg(long)]
    pub(super) tokens: bool,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    /// Execute stored programs too, for the statistics that rest on execution
    #[arg(long)]
    pub(super) execute: bool,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro claims`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro claims archive/ --junit report.xml\n  repro claims --suggest paper.md > ledger.toml\n  repro claims archive/ --from paper.tex\n  repro claims archive/ --multiverse"
)]
pub(super) struct Claims {
    #[command(flatten)]
    pub(super) study: StudyArgs,
    /// Propose ledger entries for the numbers in a document's tables (.md or .csv) and stop
    #[arg(long, value_name = "FILE")]
    pub(super) suggest: Option<PathBuf>,
    /// Find the numbers of a document (.md, .tex, .html, .txt, .csv, .pdf), bind them by their words and
    /// write them as a ledger beside it; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suggest", "offline_strict"])]
    pub(super) from: Vec<PathBuf>,
    /// Where the ledger of `--from` goes; default: beside the first document, as NAME.claims.toml
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(super) out: Option<PathBuf>,
    /// Ask every conclusion and rank again under each combination of choices that the study could as well have
    /// made
    #[arg(long, conflicts_with = "suggest")]
    pub(super) multiverse: bool,
    /// Execute stored programs too, for the claims that rest on execution
    #[arg(long)]
    pub(super) execute: bool,
    /// Write a JUnit XML report
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro export`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro export archive/ --out records/\n  repro export archive/ --format every-eval-ever --out eee/"
)]
pub(super) struct Export {
    #[command(flatten)]
    pub(super) study: StudyArgs,
    /// What is written
    #[arg(long, value_enum, default_value_t = ExportAs::Jsonl)]
    pub(super) format: ExportAs,
    /// Folder that receives the files
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// Files of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportAs {
    /// A line of JSON for each verdict
    Jsonl,
    /// The same as Parquet
    Parquet,
    /// Aggregate documents and instance lines in the schemas of every_eval_ever
    EveryEvalEver,
}

/// `repro diff`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  repro diff v1.zip v2.zip\n  repro diff archive-1.0/ archive-1.1/ --json")]
pub(super) struct Diff {
    /// Older version
    pub(super) a: PathBuf,
    /// Newer version
    pub(super) b: PathBuf,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro explain`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro explain mcnemar-exact\n  repro explain duplicate-id\n  repro explain exit-4\n  repro explain list"
)]
pub(super) struct Explain {
    /// Id of a statistic, rule, finding, verdict, status or exit code; `list` lists them all
    pub(super) id: String,
    /// For a statistic: a study whose values of it are listed, with the keys that claims name
    #[arg(value_name = "STUDY")]
    pub(super) study: Option<PathBuf>,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro serve`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro serve site/ --port 8080\n  repro serve site/ --at /user/repository/\n  repro serve --watch archive/"
)]
pub(super) struct Serve {
    /// Folder to serve
    #[arg(default_value = "site", conflicts_with = "watch")]
    pub(super) folder: PathBuf,
    /// Show the pages of a study, and build and load them again when one of its files changes; they are written to
    /// a folder that ends with the server. Without STUDY the one in ./results
    #[arg(long, value_name = "STUDY", num_args = 0..=1)]
    #[allow(clippy::option_option, reason = "not given, given alone, given with a study")]
    pub(super) watch: Option<Option<PathBuf>>,
    /// With --watch: a claims ledger to use beside those the study holds, watched too
    #[arg(long, value_name = "FILE", requires = "watch")]
    pub(super) claims: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    /// Path below which the folder is shown, as on a host that keeps it below /user/repository/
    #[arg(long, value_name = "PATH", default_value = "/")]
    pub(super) at: String,
    /// Port on 127.0.0.1; 0 chooses a free one
    #[arg(long, default_value_t = 8000)]
    pub(super) port: u16,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro init`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro init archive/\n  repro init --table results.csv\n  repro init --skeleton archive/"
)]
pub(super) struct Init {
    /// Folder of an archive
    pub(super) folder: Option<PathBuf>,
    /// Read this table only: its columns are mapped by name and by what stands in them
    #[arg(long, value_name = "FILE")]
    pub(super) table: Option<PathBuf>,
    /// Write a study.toml to fill in by hand where no format fits
    #[arg(long, conflicts_with = "table")]
    pub(super) skeleton: bool,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro cache`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  repro cache size\n  repro cache clear")]
pub(super) struct Cache {
    #[command(subcommand)]
    pub(super) action: CacheAction,
}

/// What to do with the cache.
#[derive(Debug, Subcommand)]
pub(super) enum CacheAction {
    /// Number of cached executions and bytes
    Size(CacheArgs),
    /// Remove every cached execution
    Clear(CacheArgs),
}

/// Where the cache is.
#[derive(Debug, Args)]
pub(super) struct CacheArgs {
    /// Folder of the cache (default: $XDG_CACHE_HOME/repro or ~/.cache/repro)
    #[arg(long, value_name = "DIR")]
    pub(super) cache_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro sandbox`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  repro sandbox check\n  repro sandbox check --engine both")]
pub(super) struct Sandbox {
    #[command(subcommand)]
    pub(super) action: SandboxAction,
}

/// What to do with the sandbox.
#[derive(Debug, Subcommand)]
pub(super) enum SandboxAction {
    /// Run known-good and known-hostile programs and compare with what is expected
    Check {
        #[command(flatten)]
        engine: EngineArgs,
        #[command(flatten)]
        talk: TalkArgs,
    },
}

/// `repro report`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  repro report deposit.zip                  Markdown on stdout\n  repro report STUDY --out report.html      a page to print or attach"
)]
pub(super) struct Report {
    #[command(flatten)]
    pub(super) study: StudyArgs,
    /// File to write, .md or .html; default: Markdown on stdout
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
    #[command(flatten)]
    pub(super) talk: TalkArgs,
}

/// `repro completions`
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Shell whose completions are wanted
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

/// `repro man`
#[derive(Debug, Args)]
pub(super) struct Man {
    /// Folder to write into
    pub(super) folder: PathBuf,
}

/// `repro debug`
#[derive(Debug, Args)]
pub(super) struct Debug {
    #[command(subcommand)]
    pub(super) action: DebugAction,
}

/// Developer tools.
#[derive(Debug, Subcommand)]
pub(super) enum DebugAction {
    /// Write a bundle of any folder, with a made-up identity, to measure speed and memory
    Pack {
        /// Folder whose files are packed
        folder: PathBuf,
        /// The zip
        target: PathBuf,
        #[command(flatten)]
        talk: TalkArgs,
    },
    /// Write the reference of the command line again
    Reference {
        /// Folder that holds `cli.md`
        folder: PathBuf,
    },
    /// Write the example study of results/ again
    ExampleStudy {
        /// Folder to write; an existing one is replaced as a whole
        folder: PathBuf,
        #[command(flatten)]
        engine: EngineArgs,
        #[command(flatten)]
        talk: TalkArgs,
    },
}
