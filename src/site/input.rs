//! What a site is rendered from, and what comes out.

use std::collections::BTreeMap;

use super::excerpt::AttemptExcerpts;
use super::page::Page;
use crate::archive::{Archive, RunKey};
use crate::audits::Audited;
use crate::claims::Judgements;
use crate::corpus::Corpus;
use crate::diff::{Difference, Named};
use crate::digest::Digest;
use crate::id::ProblemId;
use crate::issues::Issues;
use crate::multiverse::Survival;
use crate::report::{Finding, Findings};
use crate::statistics::{Facts, Statistic};
use crate::study::Study;
use crate::table::Table;
use crate::tree::Tree;
use crate::verify::Ladder;

/// Everything a site shows, borrowed.
pub struct SiteInput<'a> {
    /// The declaration.
    pub study: &'a Study,
    /// The questions.
    pub corpus: &'a Corpus,
    /// The records.
    pub archive: &'a Archive,
    /// Verdicts of the ladder.
    pub ledger: &'a Ladder,
    /// Single recomputed values.
    pub facts: &'a Facts,
    /// Recomputed tables.
    pub tables: &'a [Table],
    /// Tables that the study published, by file name without extension: CSV text.
    pub published: &'a BTreeMap<String, String>,
    /// Everything the stages before had to say.
    pub findings: &'a Findings,
    /// The same, one issue once.
    pub issues: &'a Issues,
    /// What audits saw that need no ledger.
    pub audits: &'a [Audited],
    /// Judged claims, when the study has a ledger.
    pub judgements: Option<&'a Judgements>,
    /// How conclusions and ranks fare under other choices.
    pub survival: &'a Survival,
    /// What changed against the version before, or why there is none to compare with.
    pub changes: Changes<'a>,
    /// What later versions are compared with: the text of this version's snapshot.
    pub snapshot: &'a str,
    /// Digest of the whole archive.
    pub archive_digest: Digest,
    /// Name and version of this tool.
    pub tool: &'a str,
    /// Texts in the run files, where they hold any.
    pub texts: &'a dyn TextSource,
    /// Documents of the study: path and Markdown text, in declared order.
    pub documents: &'a [(String, String)],
    /// Statistics that pages explain, and the kinds of pages.
    pub registry: &'a Registry,
}

/// What a site is made of besides its data.
pub struct Registry {
    /// Statistics, in the order of the methods page.
    pub statistics: Vec<&'static dyn Statistic>,
    /// Names of table columns and keys of facts that hold ids of problems, and how such an id may be completed:
    /// `""` for as it is, else a text with a `*` where the name stands.
    pub problem_columns: Vec<(&'static str, &'static [&'static str])>,
    /// Kinds of pages, in the order of the navigation.
    pub(crate) pages: Vec<&'static dyn Page>,
}

/// What changed against another version.
#[derive(Debug, Clone, Copy)]
pub enum Changes<'a> {
    /// There is no version to compare with; the sentence says why.
    None(&'a str),
    /// Everything that differs from this version.
    Against(&'a Named, &'a Difference),
}

/// Where the texts of a run file's record come from.
pub trait TextSource: Sync {
    /// Texts of the attempts of one record, or nothing when none are archived.
    fn texts(&self, key: &RunKey, problem: &ProblemId) -> Option<&[AttemptExcerpts]>;
}

/// No texts at all.
impl TextSource for () {
    fn texts(&self, _: &RunKey, _: &ProblemId) -> Option<&[AttemptExcerpts]> {
        None
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
