//! A fact that a number may be, or why there is none.

use super::vocabulary::Say;
use crate::statistics::{Fact, Keys};

/// A fact that a number may be, and why.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Statistic id.
    pub statistic: String,
    /// Measure.
    pub measure: String,
    /// Keys of the fact.
    pub keys: Keys,
    /// `low`, `high` or `out-of` where not the value itself is printed.
    pub part: &'static str,
    /// Keys of the fact from which it is how far away, where the distance of two is printed.
    pub from: Option<Keys>,
    /// Unit as ledgers name it.
    pub unit: String,
    /// How well the words fit: higher is better.
    pub score: i32,
    /// The words that decided, nearest first.
    pub words: Vec<String>,
    /// Its value.
    pub value: Option<f64>,
    /// Factor that takes the value into the unit of the print; 1 for facts.
    pub factor: f64,
    /// Half the width of what prints like the value, where it is itself known as a print only.
    pub slack: f64,
}

impl Reading {
    /// The same printed as a share of one: `0.637` for 63.7 percent.
    pub(super) fn in_fractions(self) -> Self {
        let value = self.value.map(|value| value / 100.0);
        Self { factor: 0.01, unit: "fraction".to_owned(), value, ..self }
    }

    /// The expression of the ledger language that it is.
    pub fn expression(&self) -> String {
        let fact = |keys: &Keys| {
            let quoted = |(key, value): (&String, &String)| format!("{}=\"{}\"", named(key), value.replace('"', "'"));
            let keys: Vec<String> = keys.iter().map(quoted).collect();
            format!("{}.{}{{{}}}", self.statistic, named(&self.measure), keys.join(", "))
        };
        let own = fact(&self.keys);
        match (self.part, &self.from) {
            (_, Some(other)) => format!("abs({own} - {})", fact(other)),
            ("", None) if self.factor == 1.0 => own,
            ("", None) => format!("{} * {own}", crate::number::repr(self.factor)),
            (part, None) => format!("{part}({own})"),
        }
    }
}

/// Why nothing was bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unbound {
    /// No word near it names a thing that is measured.
    NoConcept,
    /// A head or a clause holds words that no fact explains.
    UnknownWords,
    /// The head of the row means nothing to the study.
    UnknownRow,
    /// The words name things that no fact has together.
    NoFact,
    /// The cell, or a row whose columns are lost, holds more than a number.
    NotANumber,
    /// Several facts fit equally well.
    Ambiguous,
    /// The sentence restricts or changes what is counted.
    Restricted,
}

impl Unbound {
    /// The words for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoConcept => "no word near it names a thing that is measured",
            Self::UnknownWords => "words near it that no statistic explains",
            Self::UnknownRow => "the head of its row is nothing that the study declares",
            Self::NoFact => "no recomputed value is about all that the words name",
            Self::NotANumber => "its cell or row holds more than a number",
            Self::Ambiguous => "several recomputed values fit its words",
            Self::Restricted => "its sentence restricts what is counted",
        }
    }
}

/// The reading of a fact by the words that led to it.
pub(super) fn reading(say: &Say, fact: &Fact, score: i32, words: Vec<String>) -> Reading {
    Reading {
        statistic: fact.statistic.to_owned(),
        measure: fact.measure.to_owned(),
        keys: fact.keys.clone(),
        part: "",
        from: None,
        unit: say.unit.clone(),
        score,
        words,
        value: fact.estimate.point(),
        factor: 1.0,
        slack: 0.0,
    }
}

/// A name as selections write it: in quotes where it holds other signs than those of a word.
fn named(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "'")) }
}
