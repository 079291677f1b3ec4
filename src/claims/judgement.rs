//! What the judge says: one judgement per claim, one per row of a published table, and the sums.

use std::collections::BTreeMap;

use serde::Serialize;

use super::expression;
use super::ledger::{Cell, Compare, Conflict, Found, MissingReason, Shape, Signature};
use crate::statistics::{self, Keys};

/// What became of a claim; the order is the order of gravity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The recomputed value lies in the interval of the printed digits.
    Reproduced,
    /// The source is the one that the archived runs were rebuilt from: agreement shows that nothing was lost
    /// on the way, and nothing else.
    SameByConstruction,
    /// It fits other printed numbers, and no record says more.
    Consistent,
    /// Something is missing.
    NotCheckable,
    /// The sources disagree with one another.
    ConflictingSources,
    /// The printed number is the other neighbour of the value.
    RoundsTheOtherWay,
    /// The recomputed value is another one.
    Differs,
    /// No archive could give it.
    Impossible,
}

impl Verdict {
    /// All verdicts in the order of gravity.
    pub const ALL: [Self; 8] = [
        Self::Reproduced,
        Self::SameByConstruction,
        Self::Consistent,
        Self::NotCheckable,
        Self::ConflictingSources,
        Self::RoundsTheOtherWay,
        Self::Differs,
        Self::Impossible,
    ];

    /// The word used everywhere.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::SameByConstruction => "same-by-construction",
            Self::Consistent => "consistent",
            Self::NotCheckable => "not-checkable",
            Self::ConflictingSources => "conflicting-sources",
            Self::RoundsTheOtherWay => "rounds-the-other-way",
            Self::Differs => "differs",
            Self::Impossible => "impossible",
        }
    }

    /// The verdict for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::SameByConstruction => "same by construction",
            Self::Consistent => "fits other printed numbers",
            Self::NotCheckable => "not checkable",
            Self::ConflictingSources => "sources disagree",
            Self::RoundsTheOtherWay => "rounds the other way",
            Self::Differs => "differs",
            Self::Impossible => "impossible",
        }
    }

    /// True when the printed number agrees with what was computed, whatever that rests on.
    pub const fn agrees(self) -> bool {
        matches!(self, Self::Reproduced | Self::SameByConstruction | Self::Consistent)
    }

    /// True when the printed number does not follow.
    pub const fn contradicts(self) -> bool {
        matches!(self, Self::RoundsTheOtherWay | Self::Differs | Self::Impossible)
    }
}

/// What a judgement rests on, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Archived records or benchmark files.
    Records,
    /// Programs executed by this tool.
    Execution,
    /// A table of states archived with the study.
    States,
    /// Runs that were rebuilt from a published table.
    Rebuilt,
    /// Counts or values printed in a published table.
    Published,
    /// Counts printed in the ledger itself.
    Counts,
}

impl Basis {
    /// The word used everywhere.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Execution => "execution",
            Self::States => "states",
            Self::Rebuilt => "rebuilt",
            Self::Published => "published",
            Self::Counts => "counts",
        }
    }
}

impl Basis {
    /// What a value rests on, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Records => "records of the archive",
            Self::Execution => "programs executed by this tool",
            Self::States => "a table of states archived with the study",
            Self::Rebuilt => "runs that were rebuilt from a published table",
            Self::Published => "another published table",
            Self::Counts => "counts printed in the ledger itself",
        }
    }
}

impl From<statistics::Basis> for Basis {
    fn from(basis: statistics::Basis) -> Self {
        match basis {
            statistics::Basis::Records => Self::Records,
            statistics::Basis::Execution => Self::Execution,
            statistics::Basis::States => Self::States,
            statistics::Basis::Rebuilt => Self::Rebuilt,
            statistics::Basis::Published => Self::Published,
        }
    }
}

/// A fact, a published cell or another claim that a value rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Link {
    /// Statistic id, `published:TABLE`, or `claim`.
    pub source: String,
    /// Measure or column.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub measure: String,
    /// Keys of the fact or of the row.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: Keys,
}

/// What tells facts apart: statistic, measure and keys.
pub type Keyed<'a> = (&'a str, &'a str, &'a Keys);

impl Link {
    /// What tells this fact from others.
    pub fn keyed(&self) -> Keyed<'_> {
        (&self.source, &self.measure, &self.keys)
    }

    /// A link to another claim of the ledger.
    pub fn claim(id: &str) -> Self {
        Self { source: "claim".into(), measure: id.to_owned(), keys: Keys::new() }
    }
}

/// One printed number and its recomputation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Name inside a list (`solved`); empty for single numbers.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// As printed; the sentence itself for a statement.
    pub printed: String,
    /// Printed decimals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimals: Option<i32>,
    /// The values that print like this, both ends included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Recomputed value at full precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Recomputed word, where the claim is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// Where the value may lie when it was computed from rounded numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<(f64, f64)>,
    /// Numerator and denominator, when it is a share or a count out of n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<(u64, u64)>,
    /// Verdict on this number alone.
    pub verdict: Verdict,
}

/// Where a number of a claim stands in a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Spot {
    /// Document as named in the study.
    pub document: String,
    /// Line in the text of the document, from 1.
    pub line: usize,
    /// First byte of the number in that text.
    pub byte: usize,
    /// Bytes of the number.
    pub length: usize,
    /// Which of the numbers of the claim it is, from 0.
    pub part: usize,
    /// The sentence in which it stands, or its row and column.
    pub text: String,
}

/// Words of a person, never of this tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The words.
    pub text: String,
    /// Who wrote them and when, where that is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Signature>,
    /// The recomputed value that they were written about, where the value is another one now: the words are
    /// out of date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

impl Told {
    /// The words as a quotation with who said them, and whether they are still about the same data.
    pub fn quoted(&self) -> String {
        let who = match &self.by {
            Some(Signature { by, date }) => format!("{by}, {date}"),
            None => "author of the ledger, undated".to_owned(),
        };
        let outdated = match &self.about {
            Some(seen) => format!("; written when {seen} was recomputed, so it may be out of date"),
            None => String::new(),
        };
        format!("\u{201c}{}\u{201d} ({who}{outdated})", self.text)
    }
}

/// One of several values that a claim could mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meaning {
    /// What it would be.
    pub name: String,
    /// Its value, one digit more than printed.
    pub value: String,
    /// How the print lies to this value.
    pub verdict: Verdict,
}

/// What became of a claim, with everything a reader needs to check it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// Id of the claim.
    pub id: String,
    /// Ledger it comes from.
    pub ledger: String,
    /// Area under which it is counted.
    pub area: String,
    /// What is claimed.
    pub statement: String,
    /// Where it is printed.
    pub source: String,
    /// Further places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Cell of a printed table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Cell>,
    /// What it is about.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: Keys,
    /// Unit.
    pub unit: String,
    /// What kind of thing is printed.
    pub shape: Shape,
    /// The whole as printed (`97.6 ± 0.1`, `30 to 45`, `65 of 67`).
    pub printed: String,
    /// Rule of comparison.
    pub compare: Compare,
    /// Width of `approx`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// What the recomputation alone says, where the verdict is about disagreeing sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recomputation: Option<Verdict>,
    /// Number by number.
    pub parts: Vec<Part>,
    /// The weakest support of the recomputed value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// Rule slug of a catalogue claim.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// Expressions evaluated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expressions: Vec<String>,
    /// Where and how it was found in a document, when no author wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// Where its numbers stand in the documents of the study.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Spot>,
    /// Facts used, first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// How many facts were used in all.
    pub facts_used: usize,
    /// Why it cannot be checked, in one of a few kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingReason>,
    /// The same in words, naming what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A remark beside the verdict (agrees with a published cell; possible as 417 of 436).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Why a printed number does not follow, in the words of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Told>,
    /// Everything that the claim could mean, where it is ambiguous.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Meaning>,
    /// The author's acknowledgement that the number is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erratum: Option<String>,
    /// Conflicts that concern it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

impl Judgement {
    /// True for what is printed in the paper itself and not in another document.
    pub fn is_of_the_paper(&self) -> bool {
        super::summary::document(&self.source) == super::summary::PAPER
    }

    /// True when the expression of a part refers to printed counts of its own claim, so that equal words about
    /// another claim are not the same value.
    pub fn is_of_own_counts(&self, part: usize) -> bool {
        let expression = self.expressions.get(part).and_then(|text| expression::parse(text).ok());
        expression.is_some_and(|expression| expression.node.asks_inputs())
    }
}

/// One row of a published table that has another verdict than the table as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowJudgement {
    /// Line in the file, from 1.
    pub line: usize,
    /// Values of the key columns.
    pub keys: Vec<String>,
    /// Verdict.
    pub verdict: Verdict,
    /// Column, printed and recomputed text, or what is missing.
    pub message: String,
}

/// What became of the rows of a published table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableJudgement {
    /// Id in the ledger.
    pub id: String,
    /// Ledger.
    pub ledger: String,
    /// Area.
    pub area: String,
    /// File.
    pub file: String,
    /// Id of the recomputed table.
    pub table: String,
    /// Rows in the file.
    pub rows: usize,
    /// Cells judged.
    pub cells: usize,
    /// Rows by verdict; their sum is `rows`.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// The verdict of all rows that are not listed in `exceptions`.
    pub verdict: Verdict,
    /// All rows with another verdict.
    pub exceptions: Vec<RowJudgement>,
    /// Whether the file has the digest that the ledger expects; `None` without one.
    pub digest_agrees: Option<bool>,
    /// True when the file is there and is no table of the expected columns.
    #[serde(skip)]
    pub unreadable: bool,
    /// Why rows cannot be judged, or a remark about what agreement means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// A ledger that was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerInfo {
    /// File.
    pub file: String,
    /// Format or study.
    pub dialect: String,
    /// Claims in it.
    pub claims: usize,
    /// Entries not understood.
    pub broken: usize,
    /// Claims that were bound by their words and by no author.
    pub by_words: usize,
    /// Who wrote it, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Signature>,
}

/// Counts by verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// All claims.
    pub claims: usize,
    /// Claims by verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// Claims by area and verdict.
    pub areas: BTreeMap<String, BTreeMap<Verdict, usize>>,
    /// Claims by where they are printed and verdict: the paper first, then documents by name.
    pub sources: Vec<(String, BTreeMap<Verdict, usize>)>,
    /// Claims whose value was recomputed, by what it rests on and verdict.
    pub bases: BTreeMap<Basis, BTreeMap<Verdict, usize>>,
    /// Claims that cannot be checked, by reason.
    pub missing: BTreeMap<MissingReason, usize>,
    /// Printed numbers that the recomputation contradicts, whatever the verdict says about sources.
    pub contradicted: usize,
    /// Acknowledged errata.
    pub errata: usize,
    /// Rows of published tables by verdict.
    pub rows: BTreeMap<Verdict, usize>,
}

/// Everything the judge says.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Judgements {
    /// `repro-judgements/1`.
    pub format: &'static str,
    /// Ledgers in reading order.
    pub ledgers: Vec<LedgerInfo>,
    /// Sums.
    pub summary: Summary,
    /// One per claim, sorted by ledger and id.
    pub claims: Vec<Judgement>,
    /// One per published table.
    pub tables: Vec<TableJudgement>,
    /// Disagreements between sources, listed and found.
    pub conflicts: Vec<Conflict>,
    /// What is to be said about all this.
    #[serde(skip)]
    pub findings: Vec<crate::report::Finding>,
}

impl Judgements {
    /// The judgement of a claim.
    pub fn get(&self, id: &str) -> Option<&Judgement> {
        self.claims.iter().find(|judgement| judgement.id == id)
    }

    /// How many claims have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.summary.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// Strict JSON, sorted, the same bytes for the same judgements.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or(serde_json::Value::Null)
    }
}
