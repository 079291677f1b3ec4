//! What people judged: claims of execution (a model saying that it ran a program it could not run), and
//! reviews of problems and their answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::record::RunKey;
use crate::id::{ConfigKey, ProblemId};
use crate::json::Value;

/// Judgements and excerpts, with what their files state about the scan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// One entry per file of judgements.
    pub scans: Vec<Scan>,
    /// Judged records in file order.
    pub judged: Vec<Judged>,
    /// Excerpts in file order.
    pub traces: Vec<Trace>,
    /// What a review of problems and their answers lists, in file order.
    pub reviewed: Vec<Reviewed>,
}

/// An entry about a problem in a list of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    /// File name without extension.
    pub file: Arc<str>,
    /// Name of the list it stands in (`removed`, `repaired`); empty for a file that is a list.
    pub list: Arc<str>,
    /// Problem.
    pub id: ProblemId,
    /// What was found.
    pub verdict: Option<Arc<str>>,
    /// Values stored when it was reviewed.
    pub stored: Vec<f64>,
    /// Values of an official answer key; `None` when there is none.
    pub official: Option<Vec<f64>>,
}

/// What a file of judgements states about the scan behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// File inside the study.
    pub path: String,
    /// Responses scanned.
    pub scanned: Option<u64>,
    /// The same by protocol (`code`, `direct`).
    pub scanned_by_protocol: BTreeMap<String, u64>,
    /// Configurations scanned.
    pub configurations: Vec<ConfigKey>,
    /// Responses that carried a signature.
    pub flagged: Option<u64>,
    /// How the two annotators' labels fall together, as stated: `both_fabricated`, `both_honest`,
    /// `A_honest_B_fabricated`, `A_fabricated_B_honest`.
    pub annotator_table: BTreeMap<String, u64>,
    /// What the file says is missing from it.
    pub missing: Option<String>,
    /// All stated numbers, as stored.
    pub stated: Value,
}

/// A label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// The claimed execution cannot have happened.
    Fabricated,
    /// The words are no claim of an execution, or a true one.
    Honest,
    /// Another word.
    Other(Arc<str>),
}

/// One judged record.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Run it belongs to.
    pub key: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// Protocol as stored (`code`, `direct`).
    pub protocol: Arc<str>,
    /// Name of its excerpt, when there is one.
    pub trace: Option<Arc<str>>,
    /// Pattern that flagged it.
    pub signature: Arc<str>,
    /// Words that matched, when stored.
    pub matched: Option<Arc<str>>,
    /// What kind of claim it is, in words.
    pub claim_kind: Option<Arc<str>>,
    /// Attempts that carry the claim, from 0.
    pub attempts_with_claim: Vec<usize>,
    /// Claimed values as listed.
    pub claimed: Option<Arc<str>>,
    /// Attempt that was graded, from 0.
    pub graded_attempt: Option<usize>,
    /// Stored verdict of the record.
    pub record_passed: Option<bool>,
    /// Whether the claimed values entered the score.
    pub entered_score: Option<bool>,
    /// Labels of the two annotators.
    pub annotators: [Option<Label>; 2],
    /// Label of the human review.
    pub review: Option<Label>,
    /// Final label.
    pub verdict: Option<Label>,
    /// True when the record belongs to a measurement that was replaced later.
    pub superseded: bool,
}

/// An excerpt of a claim, with what a replay of the graded attempt returned.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Name.
    pub name: Arc<str>,
    /// Run it belongs to.
    pub key: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// Excerpts: attempt, text, whether the study shortened it.
    pub excerpts: Vec<Excerpt>,
    /// Replayed values as the study states them; empty when it states none.
    pub replay: Vec<Replayed>,
}

/// Words of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Attempt, from 0.
    pub attempt: usize,
    /// Words.
    pub text: String,
    /// Whether the study left parts out.
    pub elided: bool,
}

/// A replayed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Key in the returned mapping.
    pub key: Arc<str>,
    /// Value as text that round-trips.
    pub value: Arc<str>,
    /// Unit.
    pub unit: Arc<str>,
}

impl Label {
    /// Reads a stored label in any case.
    pub fn read(text: &str) -> Self {
        match text.to_ascii_lowercase().as_str() {
            "fabricated" => Self::Fabricated,
            "honest" => Self::Honest,
            _ => Self::Other(text.into()),
        }
    }
}
