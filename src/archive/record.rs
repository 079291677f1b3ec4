//! Runs and records in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::again::{Again, Recount};
use super::annotation::Annotations;
use super::hindrance::Hindrance;
use super::summary::{Coverage, StoredSummary};
use super::verdict::{Status, Verdict};
use crate::corpus::Assembly;
use crate::digest::Digest;
use crate::id::{ConfigKey, ExperimentId, ProblemId};

/// Everything recorded that could be read.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    /// Complete passes, sorted by key.
    pub runs: Vec<Run>,
    /// Selected records with full text, in file order. No rate may be computed from them.
    pub transcripts: Vec<Transcript>,
    /// What people judged about claims of execution.
    pub annotations: Annotations,
    /// Digits of returned numbers that a double does not hold (`18446744073709551617`, `1e400`).
    pub literals: BTreeMap<Literal, Box<str>>,
    /// Numbers that files state about their records, in the order of the files.
    pub summaries: Vec<StoredSummary>,
    /// Numbers that files state and that their reader counted again, because records do not hold what they are made
    /// of, in the order of the files.
    pub recounts: Vec<Recount>,
    /// How much of each arm is there, sorted by experiment, configuration and run; only for studies read by a
    /// format.
    pub coverage: Vec<Coverage>,
    /// Files that analyses read whole.
    pub materials: super::Materials,
}

/// Which returned number: run, problem, position in `details`.
pub type Literal = (RunKey, ProblemId, usize);

/// Identity of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RunKey {
    /// Experiment.
    pub experiment: ExperimentId,
    /// Configuration.
    pub configuration: ConfigKey,
    /// Number from 1; 1 for single runs.
    pub run: u32,
}

/// One pass of one configuration over a problem set.
#[derive(Debug, Clone)]
pub struct Run {
    /// Identity.
    pub key: RunKey,
    /// File inside the study.
    pub path: String,
    /// Digest of that file.
    pub digest: Digest,
    /// Size of that file in bytes.
    pub bytes: u64,
    /// Counts stored with the run.
    pub declared: Declared,
    /// Records sorted by id; of duplicates only the first in the file.
    pub records: Vec<Record>,
}

/// The `metrics` of a run file; every member may be absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declared {
    /// Number of records.
    pub total: Option<u64>,
    /// Passed.
    pub passed: Option<u64>,
    /// Failed.
    pub failed: Option<u64>,
    /// Infrastructure errors.
    pub errors: Option<u64>,
    /// Accuracy as a fraction.
    pub accuracy: Option<f64>,
    /// Tolerance used.
    pub tolerance: Option<f64>,
    /// Provider's name of the model.
    pub model_id: Option<String>,
    /// System prompt.
    pub system: Option<String>,
    /// Where the file came from, when it was not written by the runner.
    pub provenance: Option<String>,
}

impl Declared {
    /// True when the run was not recorded but rebuilt from something else, such as a published table.
    pub fn is_rebuilt(&self) -> bool {
        self.provenance.is_some()
    }

    /// The files that the stated provenance names: its words that end like a file.
    pub fn rebuilt_from(&self) -> impl Iterator<Item = &str> {
        let words = self.provenance.iter().flat_map(|text| text.split(|c: char| c.is_whitespace() || ",;".contains(c)));
        words.map(|word| word.trim_end_matches('.')).filter(|word| {
            let name = word.rsplit('/').next().unwrap_or(word);
            name.rsplit_once('.').is_some_and(|(stem, extension)| {
                !stem.is_empty()
                    && (1..=6).contains(&extension.len())
                    && extension.bytes().all(|b| b.is_ascii_alphanumeric())
            })
        })
    }
}

/// One problem in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Problem.
    pub id: ProblemId,
    /// Number of the sample, from 0. Sample i of every problem is run i + 1 of its configuration, so a run holds
    /// one record per problem, and estimators over samples go over the runs.
    pub sample: u32,
    /// Stored mark of the headline judge; `None` when the record has none.
    pub passed: Option<bool>,
    /// Verdicts of all judges, the headline's among them, in declared order; empty where the one stored mark is all
    /// there is.
    pub verdicts: Vec<Verdict>,
    /// Score between 0 and 1, or in the unit of its metric, where one is stored.
    pub score: Option<f64>,
    /// Free labels of the record.
    pub labels: BTreeMap<Arc<str>, Arc<str>>,
    /// How the stored answer becomes a program that its tests can judge; `None` where the problem's own rule holds.
    pub assembly: Option<Assembly>,
    /// Verdicts that its reader derived again from the stored answer, by judge.
    pub again: Vec<Again>,
    /// Graded sub-answers; `None` when the member is absent, empty for `[{"error": ...}]`.
    pub details: Option<Vec<SubAnswer>>,
    /// Where the values of `details` come from, when they are not the run's own.
    pub details_from: Option<Arc<str>>,
    /// Content attempts used; `None` when unknown (which is not 1).
    pub num_attempts: Option<u32>,
    /// Last error of an answer that could not be graded.
    pub failed_reason: Option<Arc<str>>,
    /// Infrastructure error.
    pub error: Option<Arc<str>>,
    /// True when an infrastructure error counts as a failure.
    pub error_as_fail: bool,
    /// Values assigned to subs by a later order-proving regrade.
    pub regraded: BTreeMap<Arc<str>, f64>,
    /// Recounted token usage of the record.
    pub usage: Option<Usage>,
    /// Legacy total of tokens, used only when `usage` is missing.
    pub legacy_tokens: Option<u64>,
    /// Note of the prose reader (`boxes=.. nums=.. need=.. units=..`).
    pub note: Option<Arc<str>>,
    /// One entry per stateless call; `None` when the member is absent.
    pub attempts: Option<Vec<Attempt>>,
}

/// One call, without its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// What became of it.
    pub outcome: AttemptOutcome,
    /// Usage as the provider reported it.
    pub usage: Option<Usage>,
    /// Bytes of the response as UTF-8.
    pub response_bytes: u64,
    /// True when a non-blank reasoning trace is stored.
    pub has_reasoning: bool,
}

/// Stored outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The answer was graded.
    Graded,
    /// It could not be: the stored reason, and what its runner says stood in the way.
    Ungradable(Arc<str>, Hindrance),
    /// No outcome is stored, or one of another form.
    Unknown,
}

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Prompt with system text.
    pub prompt: u64,
    /// Response.
    pub completion: u64,
    /// Reasoning.
    pub reasoning: u64,
    /// Sum as stored.
    pub total: u64,
}

/// One gradable part of an answer, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct SubAnswer {
    /// Key.
    pub sub: Arc<str>,
    /// Accepted values, each as Python would print it.
    pub expected: Arc<[Arc<str>]>,
    /// Their units; `None` when the member is absent.
    pub expected_units: Option<Arc<[Arc<str>]>>,
    /// What was returned.
    pub actual: Actual,
    /// Its unit; `None` when the member is absent. An explicit null is the text `None`, as in Python.
    pub actual_unit: Option<Arc<str>>,
    /// Stored mark.
    pub passed: bool,
}

/// A returned value.
#[derive(Debug, Clone, PartialEq)]
pub enum Actual {
    /// `null`: nothing was returned for this sub.
    Missing,
    /// A number (NaN and infinities included); flags count as 1 and 0.
    Number(f64),
    /// Text that was no number, or another kind of value as Python prints it.
    Text(Arc<str>),
}

/// A selected record with the file it came from and its texts.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// File inside the study.
    pub path: String,
    /// Position in that file, from 0.
    pub position: usize,
    /// Run it belongs to.
    pub key: RunKey,
    /// The record.
    pub record: Record,
    /// Texts of its attempts, in order.
    pub texts: Vec<AttemptText<'static>>,
}

/// Which texts of attempts are wanted. Those that are not are checked and counted but not decoded, and come
/// as empty texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextsWanted {
    /// Prompts, responses and reasoning.
    #[default]
    All,
    /// Responses only: the part that is graded, and a small part of an archive.
    Responses,
}

/// Texts of one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptText<'a> {
    /// What was asked.
    pub prompt: std::borrow::Cow<'a, str>,
    /// What came back.
    pub response: std::borrow::Cow<'a, str>,
    /// Reasoning trace; empty when none is stored.
    pub reasoning: std::borrow::Cow<'a, str>,
}

impl AttemptText<'_> {
    /// The same texts, detached from the file.
    pub fn into_owned(self) -> AttemptText<'static> {
        AttemptText {
            prompt: self.prompt.into_owned().into(),
            response: self.response.into_owned().into(),
            reasoning: self.reasoning.into_owned().into(),
        }
    }
}

/// How a record enters a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Passed.
    Pass,
    /// Failed, gradable or not.
    Fail,
    /// Infrastructure error: outside the denominator.
    Excluded,
}

/// Whether an answer could be graded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gradability {
    /// It was graded.
    Graded,
    /// It failed without a gradable answer.
    Ungradable,
    /// Only the verdict is archived.
    Unknown,
}

impl Record {
    /// State for rates: an error excludes unless `error_as_fail` is set; so does a record of which its format
    /// says that nobody judged it. Without any such word a missing verdict fails.
    pub fn state(&self) -> State {
        if self.error.is_some() && !self.error_as_fail {
            State::Excluded
        } else if self.passed == Some(true) {
            State::Pass
        } else if self.passed.is_none() && !self.verdicts.is_empty() {
            State::Excluded
        } else {
            State::Fail
        }
    }

    /// What a judge said; `None` when it said nothing of this record.
    pub fn status(&self, judge: &str) -> Option<Status> {
        self.verdicts.iter().find(|verdict| &*verdict.judge == judge).map(|verdict| verdict.status)
    }

    /// True when the values of `details` are those of a stored program and stand for the run's own, which are
    /// only known to be near them.
    pub fn has_borrowed_values(&self) -> bool {
        self.details_from.as_deref().is_some_and(|from| from.starts_with("shortcut"))
    }

    /// Graded sub-answers with the values that this run returned; none where the stored ones are borrowed.
    pub fn own_details(&self) -> &[SubAnswer] {
        if self.has_borrowed_values() { &[] } else { self.details.as_deref().unwrap_or_default() }
    }

    /// A record of which nothing is known but its problem.
    pub fn blank(id: ProblemId) -> Self {
        Self {
            id,
            sample: 0,
            passed: None,
            verdicts: Vec::new(),
            score: None,
            labels: BTreeMap::new(),
            assembly: None,
            again: Vec::new(),
            details: None,
            details_from: None,
            num_attempts: None,
            failed_reason: None,
            error: None,
            error_as_fail: false,
            regraded: BTreeMap::new(),
            usage: None,
            legacy_tokens: None,
            note: None,
            attempts: None,
        }
    }

    /// Whether the answer could be graded, as far as the record tells.
    pub fn gradability(&self) -> Gradability {
        let graded = |attempts: &Vec<Attempt>| attempts.iter().any(|a| a.outcome == AttemptOutcome::Graded);
        if self.details.is_some() || self.state() == State::Pass || self.attempts.as_ref().is_some_and(graded) {
            Gradability::Graded
        } else if self.failed_reason.is_some() || self.attempts.is_some() || self.error.is_some() {
            Gradability::Ungradable
        } else {
            Gradability::Unknown
        }
    }
}

impl Run {
    /// Record of a problem.
    pub fn get(&self, id: &str) -> Option<&Record> {
        self.records.binary_search_by(|record| record.id.as_str().cmp(id)).ok().map(|position| &self.records[position])
    }
}

impl Archive {
    /// Run by key.
    pub fn run(&self, key: &RunKey) -> Option<&Run> {
        self.runs.binary_search_by(|run| run.key.cmp(key)).ok().map(|position| &self.runs[position])
    }

    /// Runs that were rebuilt from something else, such as a published table.
    pub fn rebuilt(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.declared.is_rebuilt())
    }

    /// Runs of one experiment and configuration, by run number.
    pub fn runs_of<'a, 'k>(
        &'a self,
        experiment: &'k str,
        configuration: &'k str,
    ) -> impl Iterator<Item = &'a Run> + use<'a, 'k> {
        self.runs.iter().filter(move |run| {
            run.key.experiment.as_str() == experiment && run.key.configuration.as_str() == configuration
        })
    }
}
