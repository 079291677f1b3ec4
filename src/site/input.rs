//! What a site is rendered from, and what comes out.

use std::borrow::Cow;

use crate::archive::{Archive, AttemptText, RunKey};
use crate::claims::Judgements;
use crate::corpus::Corpus;
use crate::digest::Digest;
use crate::id::ProblemId;
use crate::report::{Finding, Findings};
use crate::statistics::Facts;
use crate::study::Study;
use crate::table::Table;
use crate::tree::Tree;
use crate::verify::Ledger;

/// Everything a site shows, borrowed.
pub struct SiteInput<'a> {
    /// The declaration.
    pub study: &'a Study,
    /// The questions.
    pub corpus: &'a Corpus,
    /// The records.
    pub archive: &'a Archive,
    /// Verdicts of the ladder.
    pub ledger: &'a Ledger,
    /// Single recomputed values.
    pub facts: &'a Facts,
    /// Recomputed tables.
    pub tables: &'a [Table],
    /// Everything the stages before had to say.
    pub findings: &'a Findings,
    /// Judged claims, when the study has a ledger.
    pub judgements: Option<&'a Judgements>,
    /// What changed against the version before, when there is one.
    pub changes: Option<&'a Changes>,
    /// Digest of the whole archive.
    pub archive_digest: Digest,
    /// Name and version of this tool.
    pub tool: &'a str,
    /// Texts of responses, where they are archived.
    pub texts: &'a dyn TextSource,
    /// Documents of the study: path and Markdown text, in declared order.
    pub documents: &'a [(String, String)],
}

/// What changed against another version, in words and addresses of things.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Name of the other version.
    pub against: String,
    /// Groups in reading order: records, statistics, claims, problems.
    pub groups: Vec<ChangeGroup>,
}

/// Changes of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeGroup {
    /// Kind of thing, as a heading.
    pub title: String,
    /// What changed, before, after.
    pub rows: Vec<[String; 3]>,
}

/// Where the texts of a record come from.
pub trait TextSource: Sync {
    /// Texts of one record, or nothing when none are archived.
    fn texts(&self, key: &RunKey, problem: &ProblemId) -> Option<RunTexts<'_>>;
}

/// Texts of one record.
#[derive(Debug, Clone, Default)]
pub struct RunTexts<'a> {
    /// One entry per attempt.
    pub attempts: Cow<'a, [AttemptText<'static>]>,
    /// File inside the archive that holds them.
    pub path: Cow<'a, str>,
}

/// No texts at all.
impl TextSource for () {
    fn texts(&self, _: &RunKey, _: &ProblemId) -> Option<RunTexts<'_>> {
        None
    }
}

/// The selected transcripts of an archive.
impl TextSource for Archive {
    fn texts(&self, key: &RunKey, problem: &ProblemId) -> Option<RunTexts<'_>> {
        let found = self.transcripts.iter().find(|t| t.key == *key && t.record.id == *problem)?;
        Some(RunTexts { attempts: Cow::Borrowed(&found.texts), path: Cow::Borrowed(&found.path) })
    }
}

/// Which run records get a page of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Transcripts {
    /// Every record that holds more than a verdict.
    #[default]
    All,
    /// Only records of problems that failed in some run of the configuration.
    Failures,
    /// None; outcome grids link to the problems.
    None,
}

/// Choices of the caller.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Run record pages.
    pub transcripts: Transcripts,
}

/// A rendered version.
#[derive(Debug)]
pub struct Rendered {
    /// Files, relative to the folder of the version.
    pub tree: Tree,
    /// What rendering had to say: formulas shown as source, broken links.
    pub findings: Vec<Finding>,
    /// Number of HTML pages.
    pub pages: usize,
}

/// Rendering cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A template and its context do not fit.
    #[error("template {name}: {message}")]
    Template {
        /// Template.
        name: String,
        /// What Tera said.
        message: String,
    },
    /// Two pages want one path, or a path is not allowed.
    #[error(transparent)]
    Path(#[from] crate::tree::TreeError),
    /// A page was asked for that its kind did not announce (a mistake in this program).
    #[error("no page at {0}")]
    NoSuchPage(String),
    /// A table cannot be written in a format.
    #[error("table {id}: {message}")]
    Table {
        /// Table.
        id: String,
        /// What the writer said.
        message: String,
    },
}
