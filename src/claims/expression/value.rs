//! What an expression yields: single quantities, series over running keys, words and lists.

use std::collections::BTreeMap;

use crate::statistics::Keys;

/// A value with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Point value.
    pub value: f64,
    /// Smallest value possible when the inputs are printed, rounded numbers; `value` otherwise.
    pub low: f64,
    /// Largest value possible.
    pub high: f64,
    /// Numerator and denominator, when it is a plain share.
    pub count: Option<(u64, u64)>,
    /// Interval that comes with a fact (confidence limits).
    pub interval: Option<(f64, f64)>,
}

/// One value of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesRow {
    /// Running keys with their values.
    pub keys: Keys,
    /// The value, or why it is undefined.
    pub value: Result<Quantity, String>,
}

/// Values over running keys; without running keys a single value.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Names of the running keys; empty for a single value.
    pub running: Vec<String>,
    /// Values sorted by keys.
    pub rows: Vec<SeriesRow>,
}

/// Result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// One value or many.
    Series(Series),
    /// A word.
    Word(String),
    /// Several values in order.
    List(Vec<Value>),
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The expression asks for something that cannot exist: a mistake of the ledger.
    #[error("{0}")]
    Mistake(String),
    /// No statistic with this id or alias is known; with the one that was probably meant, as a question.
    #[error("no statistic is called `{0}`{1}")]
    NoStatistic(String, String),
    /// The statistic exists, but no fact fits.
    #[error("no fact fits {0}")]
    NoFact(String),
    /// A published table is absent or lacks the cell.
    #[error("{0}")]
    NoTable(String),
    /// A fact exists and is undefined, for the reason given.
    #[error("{0}")]
    Undefined(String),
}

impl Quantity {
    /// An exact value.
    pub fn exact(value: f64) -> Self {
        Self { value, low: value, high: value, count: None, interval: None }
    }

    /// A value known only within an interval.
    pub fn between(value: f64, low: f64, high: f64) -> Self {
        Self { low: low.min(high), high: low.max(high), ..Self::exact(value) }
    }

    /// 1 for true, 0 for false.
    pub fn truth(holds: bool) -> Self {
        Self::exact(f64::from(u8::from(holds)))
    }

    /// True for anything but zero.
    pub fn holds(&self) -> bool {
        self.value != 0.0
    }

    /// True when the value is known exactly.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }
}

impl Series {
    /// A single value.
    pub fn single(quantity: Quantity) -> Self {
        Self { running: Vec::new(), rows: vec![SeriesRow { keys: BTreeMap::new(), value: Ok(quantity) }] }
    }

    /// True for a single value.
    pub fn is_single(&self) -> bool {
        self.running.is_empty()
    }

    /// All values, or the first reason why one is undefined.
    pub fn quantities(&self) -> Result<Vec<Quantity>, Trouble> {
        self.rows
            .iter()
            .map(|row| {
                row.value.clone().map_err(|reason| {
                    let keys: Vec<String> = row.keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
                    let of = if keys.is_empty() { String::new() } else { format!(" ({})", keys.join(", ")) };
                    Trouble::Undefined(format!("{reason}{of}"))
                })
            })
            .collect()
    }

    /// The single value.
    pub fn one(&self) -> Result<Quantity, Trouble> {
        let mut all = self.quantities()?;
        match (self.is_single(), all.len()) {
            (true, 1) => Ok(all.remove(0)),
            _ => Err(Trouble::Mistake(format!("one value is wanted and {} fit", all.len()))),
        }
    }

    /// The same series with every defined value changed; what is not finite becomes undefined.
    #[must_use]
    pub fn map(&self, change: impl Fn(&Quantity) -> Quantity) -> Self {
        let changed = |quantity: &Quantity| {
            let new = change(quantity);
            if new.value.is_finite() { Ok(new) } else { Err("the formula has no finite value here".to_owned()) }
        };
        let rows = self.rows.iter();
        let rows =
            rows.map(|row| SeriesRow { keys: row.keys.clone(), value: row.value.clone().and_then(|q| changed(&q)) });
        Self { running: self.running.clone(), rows: rows.collect() }
    }
}

impl Value {
    /// The series, if it is one.
    pub fn series(self) -> Result<Series, Trouble> {
        match self {
            Self::Series(series) => Ok(series),
            Self::Word(word) => Err(Trouble::Mistake(format!("`{word}` is a word where a number is wanted"))),
            Self::List(_) => Err(Trouble::Mistake("a list stands where a number is wanted".into())),
        }
    }

    /// A single value.
    pub fn single(quantity: Quantity) -> Self {
        Self::Series(Series::single(quantity))
    }
}
