//! The table type.

use std::sync::Arc;

use crate::number;

/// A named table with typed columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Stable id, also the file name without extension (`main_accuracy`).
    pub id: String,
    /// What it shows, as a caption.
    pub title: String,
    /// Statistics it was made from.
    pub statistics: Vec<&'static str>,
    /// True when values rest on runs that were rebuilt from something else, such as a published table.
    pub rebuilt: bool,
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Rows; each has as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name in files.
    pub name: String,
    /// What its cells hold.
    pub kind: Kind,
    /// Unit for readers (`percent`, `points`, `tokens`); empty for names.
    pub unit: &'static str,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Names and states.
    Text,
    /// Counts.
    Integer,
    /// Measured values.
    Real,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A name or a state.
    Text(Arc<str>),
    /// A count.
    Integer(i64),
    /// A value at full precision with the text it is published as.
    Real {
        /// Full precision.
        value: f64,
        /// As printed in CSV.
        text: Arc<str>,
    },
    /// Nothing, with the reason (never NaN, never a silent zero).
    Undefined(Arc<str>),
}

impl Cell {
    /// A text cell.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// A count.
    pub fn count(count: usize) -> Self {
        Self::Integer(count as i64)
    }

    /// A value printed with a fixed number of decimals.
    pub fn fixed(value: f64, decimals: usize) -> Self {
        Self::Real { value, text: number::fixed(value, decimals).into() }
    }

    /// A value printed with sign and a fixed number of decimals.
    pub fn signed(value: f64, decimals: usize) -> Self {
        Self::Real { value, text: number::signed(value, decimals).into() }
    }

    /// A value rounded and printed as Python prints the rounded float (`1.0`, `-0.58`, `3.5`).
    pub fn rounded(value: f64, decimals: usize) -> Self {
        Self::Real { value, text: number::repr(number::round(value, decimals)).into() }
    }

    /// A value printed with all its digits, as Python's `repr`.
    pub fn full(value: f64) -> Self {
        Self::Real { value, text: number::repr(value).into() }
    }

    /// Text in CSV; empty for undefined.
    pub fn printed(&self) -> String {
        match self {
            Self::Text(text) | Self::Real { text, .. } => text.to_string(),
            Self::Integer(count) => count.to_string(),
            Self::Undefined(_) => String::new(),
        }
    }

    /// Strict JSON at full precision; `null` for undefined.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => (**text).into(),
            Self::Integer(count) => (*count).into(),
            Self::Real { value, .. } => {
                serde_json::Number::from_f64(*value).map_or(serde_json::Value::Null, Into::into)
            }
            Self::Undefined(_) => serde_json::Value::Null,
        }
    }
}

impl Table {
    /// An empty table; columns are `(name, kind, unit)`.
    pub fn new(id: &str, title: &str, statistics: &[&'static str], columns: &[(&str, Kind, &'static str)]) -> Self {
        let column = |&(name, kind, unit): &(&str, Kind, &'static str)| Column { name: name.to_owned(), kind, unit };
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            statistics: statistics.to_vec(),
            rebuilt: false,
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When the row has another number of cells than the table has columns (a mistake in a statistic).
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "row of table {}", self.id);
        self.rows.push(row);
    }

    /// Strict JSON: columns with units, rows as arrays, reasons of undefined cells by position.
    pub fn to_json(&self) -> serde_json::Value {
        let columns: Vec<_> = self
            .columns
            .iter()
            .map(|column| {
                let kind = match column.kind {
                    Kind::Text => "text",
                    Kind::Integer => "integer",
                    Kind::Real => "real",
                };
                serde_json::json!({"name": column.name, "kind": kind, "unit": column.unit})
            })
            .collect();
        let undefined: Vec<_> = self
            .rows
            .iter()
            .enumerate()
            .flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| (r, c, cell)))
            .filter_map(|(r, c, cell)| match cell {
                Cell::Undefined(reason) => Some(serde_json::json!({"row": r, "column": c, "reason": &**reason})),
                _ => None,
            })
            .collect();
        let rows: Vec<Vec<_>> = self.rows.iter().map(|row| row.iter().map(Cell::to_json).collect()).collect();
        serde_json::json!({
            "id": self.id, "title": self.title, "statistics": self.statistics,
            "columns": columns, "rows": rows, "undefined": undefined,
        })
    }
}
