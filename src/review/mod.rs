//! A report for reviewers: what was checked, what holds, what does not, what could not be checked, how to
//! repeat it, and the same evidence in the order of the forms that reviewers fill in.
//!
//! A [`Review`] is data, made by [`of`] from what the chain found; [`to_markdown`] and [`to_html`] write it
//! down. Every sentence is made from counts and findings; what a person wrote (a claim, an explanation of its
//! ledger) is quoted as that person's. Nothing is computed here.

mod evidence;
mod forms;
mod html;
mod markdown;
mod verdict;

pub use evidence::{execution, of};
pub use html::to_html;
pub use markdown::to_markdown;
pub use verdict::{Known, brief, counted, unchecked, verdict};

use crate::archive::Archive;
use crate::claims::Judgements;
use crate::digest::Digest;
use crate::issues::Issues;
use crate::multiverse::Survival;
use crate::report::Findings;
use crate::study::Study;
use crate::verify::Ladder;

/// What a report is made from.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The declaration.
    pub study: &'a Study,
    /// The records.
    pub archive: &'a Archive,
    /// Levels and verdicts.
    pub ledger: &'a Ladder,
    /// Judged claims.
    pub judgements: &'a Judgements,
    /// How conclusions and ranks fare under other choices.
    pub survival: &'a Survival,
    /// Everything any stage had to say.
    pub findings: &'a Findings,
    /// The same, one issue once.
    pub issues: &'a Issues,
    /// Number of values and of tables that were computed.
    pub computed: (usize, usize),
    /// Digest of the whole archive.
    pub digest: Digest,
    /// Name and version of this tool.
    pub tool: &'a str,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Title of the report.
    pub title: String,
    /// The one sentence for a reader of ten seconds.
    pub verdict: String,
    /// Sections in reading order.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub heading: String,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// A part of a section. All texts are plain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A list of sentences.
    List(Vec<String>),
    /// Column heads and rows.
    Table(Vec<&'static str>, Vec<Vec<String>>),
    /// Commands, a line each.
    Commands(Vec<String>),
}

/// What an archive answers to a question of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Yes, and what shows it.
    Yes(String),
    /// In part, and what is missing.
    Partly(String),
    /// No, and what shows it.
    No(String),
    /// The archive cannot answer it.
    Open,
}

impl Answer {
    /// The answer in a word, and its reason.
    pub fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Yes(why) => ("yes", why),
            Self::Partly(why) => ("in part", why),
            Self::No(why) => ("no", why),
            Self::Open => ("not answered by this archive", ""),
        }
    }
}
