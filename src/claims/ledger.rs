//! What a ledger says, whatever format it was written in. Nothing is judged here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::printed::Printed;
use crate::json;
use crate::report::Place;
use crate::statistics::Keys;

/// Who wrote something, and when. Words of people are about the data that they saw, so they are shown with both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Who.
    pub by: String,
    /// When, as written.
    pub date: String,
}

/// A ledger of claims.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// File it was read from.
    pub file: String,
    /// Who wrote it, where it says so: explanations, errata and conflicts are this person's words.
    pub author: Option<Signature>,
    /// Format id, or the study id of a catalogue without one; chooses the built-in bindings.
    pub dialect: String,
    /// Claims in the order of the file.
    pub claims: Vec<Claim>,
    /// Published tables whose rows are claims.
    pub published: Vec<PublishedTable>,
    /// Disagreements that the ledger itself lists.
    pub conflicts: Vec<Conflict>,
    /// Entries that could not be understood.
    pub broken: Vec<Broken>,
}

/// Something that somebody printed.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Unique id.
    pub id: String,
    /// Heading under which it is counted.
    pub area: String,
    /// What is claimed, in a sentence.
    pub statement: String,
    /// Where it is printed.
    pub source: String,
    /// Further places that print the same.
    pub also: Vec<String>,
    /// Entry in the ledger file.
    pub place: Place,
    /// Unit as the ledger names it.
    pub unit: String,
    /// What kind of thing is printed.
    pub shape: Shape,
    /// The numbers, in print order.
    pub printed: Vec<Printed>,
    /// Names of the numbers of a list (`solved`, `of`); empty when they need none.
    pub parts: Vec<String>,
    /// How to compare.
    pub compare: Compare,
    /// Width of `approx`, in the unit of the claim.
    pub tolerance: Option<f64>,
    /// What it is about.
    pub keys: Keys,
    /// Printed counts that expressions may refer to.
    pub inputs: json::Value,
    /// Rule slug of a catalogue claim.
    pub rule: String,
    /// Inputs that the rule needs, as a catalogue names them.
    pub needs: Vec<String>,
    /// What a catalogue says about checking it.
    pub check: Check,
    /// Files that a catalogue names for that.
    pub checkable_from: Vec<String>,
    /// Cell of a printed table.
    pub cell: Option<Cell>,
    /// Expressions the ledger itself gives; empty when a binding has to be found.
    pub from: Vec<String>,
    /// Other values that the sentence can mean: what each is, and its expression.
    pub readings: BTreeMap<String, String>,
    /// Number of things behind a percentage.
    pub out_of: Option<String>,
    /// Why the printed number is known to be wrong.
    pub erratum: Option<String>,
    /// Why the author says that nothing archived can decide it.
    pub undecidable: Option<(MissingReason, String)>,
    /// Free text.
    pub note: Option<String>,
    /// Where and how it was found in a document, when no author wrote it.
    pub found: Option<Found>,
}

/// A claim that was found in a document and bound by its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Document as named in the study.
    pub document: String,
    /// First byte of the number in the file.
    pub byte: usize,
    /// Bytes of the number.
    pub length: usize,
    /// `high`, `medium` or `low`: how well the words fit.
    pub confidence: String,
    /// The words that decided.
    pub words: Vec<String>,
}

/// What a catalogue says about checking a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Check {
    /// Nothing.
    #[default]
    Unstated,
    /// The named files hold the outcomes that it is computed from.
    Recompute,
    /// The named files only print the same figure.
    Consistency,
    /// What it is computed from is not published.
    Nothing,
}

/// What kind of thing is printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// One number.
    Value,
    /// Lower and upper end.
    Range,
    /// Several numbers.
    List,
    /// A statement that holds or not.
    Holds,
    /// A word.
    Text(String),
}

/// How printed and recomputed values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compare {
    /// Equal at the printed precision.
    #[default]
    Equal,
    /// The value is at least the printed one.
    AtLeast,
    /// The value is at most the printed one.
    AtMost,
    /// The value is larger than the printed one.
    MoreThan,
    /// The value is smaller than the printed one.
    LessThan,
    /// Within the tolerance, or within 10%.
    Approx,
    /// Ends of a range rounded outward.
    Outward,
}

impl Compare {
    /// Reads the word of a ledger (`cmp`), in our spelling or the catalogue's.
    pub fn read(word: &str) -> Option<Self> {
        Some(match word {
            "equal" | "eq" => Self::Equal,
            "at-least" | "ge" => Self::AtLeast,
            "at-most" | "le" => Self::AtMost,
            "more-than" | "gt" => Self::MoreThan,
            "less-than" | "lt" => Self::LessThan,
            "approx" => Self::Approx,
            "outward" => Self::Outward,
            _ => return None,
        })
    }
}

/// Why something cannot be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingReason {
    /// A file that would decide it is absent.
    FileAbsent,
    /// The rule behind the number is not stated.
    RuleNotStated,
    /// Only a range of possible values is known.
    OnlyARange,
    /// It is a fact outside the archive (set-up, people, construction).
    OutsideTheArchive,
    /// This tool has no statistic that answers it.
    NoStatistic,
    /// The inputs exist, but the value is undefined for them.
    Undefined,
    /// Several values could be meant, and they do not agree about the printed one.
    Ambiguous,
    /// The entry in the ledger cannot be understood.
    BrokenEntry,
}

impl MissingReason {
    /// Reads the word of a ledger; the last three are findings of this tool and cannot be claimed.
    pub fn read(word: &str) -> Option<Self> {
        Some(match word {
            "file-absent" => Self::FileAbsent,
            "rule-not-stated" => Self::RuleNotStated,
            "only-a-range" => Self::OnlyARange,
            "outside-the-archive" => Self::OutsideTheArchive,
            _ => return None,
        })
    }

    /// The words for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::FileAbsent => "what it needs is not archived",
            Self::RuleNotStated => "the rule behind it is not stated",
            Self::OnlyARange => "only a range is known",
            Self::OutsideTheArchive => "it is about something outside the archive",
            Self::NoStatistic => "no statistic answers it",
            Self::Undefined => "the statistic is undefined for this archive",
            Self::Ambiguous => "several values could be meant",
            Self::BrokenEntry => "the ledger entry cannot be understood",
        }
    }
}

/// Position of a claim in a printed table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Table id.
    pub table: String,
    /// Row id.
    pub row: String,
    /// Column id.
    pub column: String,
    /// `scalar`, `mean_sd`, `interval`, `list`.
    #[serde(skip)]
    pub kind: String,
}

/// A published table whose rows are claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedTable {
    /// Id.
    pub id: String,
    /// Area.
    pub area: String,
    /// File name or path inside the study.
    pub file: String,
    /// Digest the ledger expects, in hexadecimal.
    pub sha256: Option<String>,
    /// Rows the ledger expects.
    pub rows: Option<usize>,
    /// Id of the recomputed table.
    pub table: String,
    /// Columns that name a row.
    pub keys: Vec<String>,
    /// Columns to judge; empty means all others.
    pub values: Vec<String>,
    /// Inputs that a recomputation needs.
    pub needs: Vec<String>,
}

/// Sources that disagree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conflict {
    /// Id.
    pub id: String,
    /// Kind, as the ledger names it (`definition`, `value`, `wording`, `stale`, `gap`), or `printed`
    /// when this tool found it.
    pub kind: String,
    /// What disagrees.
    pub statement: String,
    /// What each side says.
    pub sides: Vec<Side>,
    /// Claims concerned.
    pub claims: Vec<String>,
    /// What the ledger says about it beyond that (a resolution, a recomputation).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// True when this tool found it, false when the ledger lists it in its author's words.
    pub found: bool,
    /// Ledger whose claims it is about.
    pub ledger: String,
    /// Who listed it and when, where the ledger says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Signature>,
    /// Recomputed value that settles a found conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_by: Option<f64>,
}

/// One side of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Side {
    /// Where.
    pub source: String,
    /// What it says.
    pub says: String,
}

/// An entry that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Its id, or a made-up one that names its position.
    pub id: String,
    /// Where it stands.
    pub place: Place,
    /// Its sentence, as far as it has one.
    pub statement: String,
    /// Member and mistake.
    pub message: String,
}

impl Ledger {
    /// True where `percent` always is a share: in the own format, whose differences are `points`.
    pub fn percent_is_share(&self) -> bool {
        self.dialect.starts_with("repro-claims/")
    }

    /// Printed numbers by claim id, for expressions that refer to another claim.
    pub fn printed(&self) -> BTreeMap<&str, &[Printed]> {
        self.claims.iter().map(|claim| (claim.id.as_str(), claim.printed.as_slice())).collect()
    }
}
