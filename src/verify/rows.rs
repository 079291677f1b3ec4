//! The rows of the ledger: plain data for pages, tables and JSON.
//!
//! Doubles that JSON cannot hold are written as text, so no row ever contains NaN.

use std::fmt;

use serde::{Serialize, Serializer};

use super::difference::Difference;
use crate::archive::{Actual, RunKey};
use crate::grade::Reason;
use crate::id::{ExperimentId, ProblemId, SetId};
use crate::number;

/// A returned value as it is written in rows: a number, a text, or null when nothing was returned.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown(pub Actual);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Actual::Missing => serializer.serialize_none(),
            Actual::Number(value) if value.is_finite() => serializer.serialize_f64(*value),
            Actual::Number(value) => serializer.serialize_str(&number::repr(*value)),
            Actual::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// What executed programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EngineRow {
    /// `embedded` or `cpython`.
    pub engine: String,
    /// Interpreter and version.
    pub version: String,
    /// How `sum()` adds floats.
    pub float_sum: String,
    /// Isolation in force.
    pub level: String,
    /// How often each program is executed: 2 with the determinism check, 1 without.
    pub executions: u8,
    /// Programs executed once although two executions were asked for: by their syntax tree nothing else than
    /// their text decides what they return.
    pub settled: u64,
}

/// L0 verdict of one expected run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunVerdict {
    /// Run.
    pub run: RunKey,
    /// What was found.
    pub state: RunState,
    /// Records read.
    pub records: usize,
    /// Problems without a record.
    pub missing: usize,
    /// Records of unknown problems.
    pub unknown: usize,
    /// Records without a verdict.
    pub undecided: usize,
    /// Stored counts that differ from a recount, in words.
    pub metrics: Vec<String>,
}

/// State of an expected run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// Every problem has one record and the stored counts are right.
    Complete,
    /// Records are missing or unknown, or the counts differ.
    Differs,
    /// There, but its problem set is not.
    NoSet,
    /// Not there.
    Absent,
}

/// L1 verdict of one stored solver.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SolverVerdict {
    /// Set.
    pub set: SetId,
    /// Problem.
    pub id: ProblemId,
    /// True for a shortcut program.
    pub shortcut: bool,
    /// True when an engine reproduces the stored answer within the study's tolerance.
    pub agrees: bool,
    /// Name of the engine that the rest of the row describes: the first that agrees, else the first.
    pub engine: String,
    /// How the execution ended.
    pub status: String,
    /// Largest difference between returned and stored values.
    pub difference: Difference,
    /// True when every returned value, rounded to the digits that are printed, is the stored one.
    pub as_printed: bool,
    /// Sub-answers taken by position because their name was not returned.
    pub by_position: usize,
    /// Sub-answers that needed a unit conversion.
    pub by_unit: usize,
    /// For a shortcut: true when the problem's own grading accepts it.
    pub accepted: Option<bool>,
    /// What stopped it, when it did not end well.
    pub message: Option<String>,
}

/// Why a replay differs from the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Both are graded, and the verdict is another one.
    Flip,
    /// The verdict is the same, a value or unit is not.
    Value,
    /// The time limit struck.
    Timeout,
    /// Two executions disagree.
    Nondeterministic,
    /// A module that this environment does not have.
    MissingModule,
    /// Another program is found in the response than the one that was graded.
    Extraction,
    /// A limit of memory, processes or output ended it.
    Killed,
    /// The program, or what it returned, is larger than the limits allow.
    TooLarge,
    /// The program wrote on the channel of its result.
    Forged,
    /// The record says neither passed nor failed, so there is nothing to compare with.
    NotRecorded,
    /// The study read the result from the program's output, and what the program printed broke it.
    ResultChannel,
    /// The answer was graded although none can be read, or the other way round.
    Outcome,
}

impl Cause {
    /// True when the record is not to blame, so that the check is undecided rather than failed.
    pub const fn outside_the_record(self) -> bool {
        matches!(
            self,
            Self::Timeout | Self::Nondeterministic | Self::MissingModule | Self::NotRecorded | Self::ResultChannel
        )
    }

    /// True when the execution says nothing about the program: neither that it passes nor that it fails.
    pub const fn prevents_a_verdict(self) -> bool {
        matches!(self, Self::Timeout | Self::Nondeterministic | Self::MissingModule | Self::ResultChannel)
    }

    /// Every cause.
    pub const ALL: &'static [Self] = &[
        Self::Flip,
        Self::Value,
        Self::Timeout,
        Self::Nondeterministic,
        Self::MissingModule,
        Self::Extraction,
        Self::Killed,
        Self::TooLarge,
        Self::Forged,
        Self::NotRecorded,
        Self::ResultChannel,
        Self::Outcome,
    ];

    /// What it means, for pages and `repro explain`.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Flip => "Both the recorded and the new answer are graded, and the verdict is another one.",
            Self::Value => "The verdict is the same, but a value, a unit, a name or the mark of a sub-answer is not.",
            Self::Timeout => "The time limit struck, now or when the answer was recorded.",
            Self::Nondeterministic => "Two executions of the program disagree, so no verdict is taken from either.",
            Self::MissingModule => "The program imports a module that this environment does not have.",
            Self::Extraction => "Another program is found in the response than the one that was graded.",
            Self::Killed => "A limit of memory, processes or output ended the program, which is recorded as graded.",
            Self::TooLarge => {
                "The program, or what it returned, is larger than the limits allow, and is recorded as graded."
            }
            Self::Forged => "The program wrote on the channel of its result itself, and is recorded as graded.",
            Self::NotRecorded => "The record says neither passed nor failed. The verdict found is its first one.",
            Self::ResultChannel => {
                "The study read the result from the last line a program printed, and this program printed something \
                 after it. The result is read on a channel of its own here."
            }
            Self::Outcome => "The answer is recorded as graded although none can be read now, or the other way round.",
        }
    }

    /// Stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Flip => "flip",
            Self::Value => "value",
            Self::Timeout => "timeout",
            Self::Nondeterministic => "nondeterministic",
            Self::MissingModule => "missing-module",
            Self::Extraction => "extraction",
            Self::Killed => "killed",
            Self::TooLarge => "too-large",
            Self::Forged => "forged",
            Self::NotRecorded => "not-recorded",
            Self::ResultChannel => "result-channel",
            Self::Outcome => "outcome",
        }
    }
}

/// L2 verdict of one record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ReplayVerdict {
    /// Run.
    pub run: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// File the texts came from.
    pub file: String,
    /// Position in that file.
    pub record: usize,
    /// True when outcome, verdict, values and units are as recorded.
    pub agrees: bool,
    /// Why not.
    pub cause: Option<Cause>,
    /// Recorded verdict.
    pub recorded: Option<bool>,
    /// Verdict found; `None` when nothing gradable was found.
    pub found: Option<bool>,
    /// Largest difference between found and recorded values.
    pub difference: Difference,
    /// In words, where something differs.
    pub remark: Option<String>,
}

/// Whether an answer could be graded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Graded {
    /// An answer was read and compared.
    Graded,
    /// None could be read.
    Ungradable,
    /// The archive does not say.
    Unknown,
}

impl fmt::Display for Graded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Graded => "graded",
            Self::Ungradable => "ungradable",
            Self::Unknown => "unknown",
        })
    }
}

/// L2 verdict of one attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AttemptVerdict {
    /// Run.
    pub run: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// File the text came from.
    pub file: String,
    /// Position of the record in that file.
    pub record: usize,
    /// Attempt, from 0.
    pub attempt: usize,
    /// Recorded outcome.
    pub recorded: Graded,
    /// Outcome found; never unknown.
    pub found: Graded,
    /// True when both are the same (an unknown outcome agrees with any).
    pub agrees: bool,
    /// How the execution ended, for programs.
    pub status: Option<String>,
    /// Verdict of the answer found.
    pub passed: Option<bool>,
    /// Why it cannot be graded, as the study would have put it, cut to 200 characters.
    pub reason: Option<String>,
    /// True when the last Python block is another program than the one the study extracts.
    pub extraction_differs: bool,
    /// Verdict of that other program, when it differs and was run.
    pub other_passed: Option<bool>,
}

/// L3: a record that grades differently now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RegradeRow {
    /// Run.
    pub run: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// Recorded verdict.
    pub recorded: Option<bool>,
    /// Verdict found.
    pub found: bool,
    /// Subs whose mark is another one.
    pub subs: Vec<String>,
}

/// L3: passes of an experiment at a tolerance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SweepRow {
    /// Experiment.
    pub experiment: ExperimentId,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Records with stored answers.
    pub graded: usize,
    /// Passes among them under the study's rule.
    pub passed: usize,
    /// Passes among them under the strict lens.
    pub strict: usize,
    /// Records that the strict lens cannot decide.
    pub strict_undecided: usize,
}

/// L3: verdicts of one run under both lenses, over the records that can be graded again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LensVerdicts {
    /// Run.
    pub run: RunKey,
    /// Records graded again.
    pub graded: usize,
    /// Passes under the study's rule.
    pub reference: usize,
    /// Passes under the strict lens.
    pub strict: usize,
    /// Passes under the study's rule that the strict lens cannot decide.
    pub undecided: usize,
}

/// An answer on which the lenses differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LensRow {
    /// Run.
    pub run: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// Sub-answer.
    pub sub: String,
    /// Reason from the one list.
    pub reason: Reason,
    /// Verdict of the study's rule on this sub-answer.
    pub reference: bool,
    /// Verdict of the strict lens on it.
    pub strict: bool,
    /// True when the verdict of the whole record differs too.
    pub record_differs: bool,
    /// First accepted value.
    pub expected: String,
    /// Its unit.
    pub expected_unit: String,
    /// Value given.
    pub actual: Shown,
    /// Its unit; null when it was not archived.
    pub actual_unit: Option<String>,
}

/// A program that two engines run differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Ran {
    /// Set or experiment.
    pub place: String,
    /// Problem.
    pub id: ProblemId,
    /// Names of the engines.
    pub engines: [String; 2],
    /// How the executions ended.
    pub statuses: [String; 2],
    /// Why they differ.
    pub cause: &'static str,
    /// Largest difference between the values.
    pub difference: Difference,
    /// True when the verdict differs too.
    pub verdict_differs: bool,
}
