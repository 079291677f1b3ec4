//! Published tables as inputs, for the few numbers that follow from a table when records are absent.
//! Facts made from them carry [`super::Basis::Published`], so no page can mistake them for a recount.

use super::Evidence;
use crate::table::read_csv;

/// A published table, by column name.
pub(crate) struct Grid {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// The published file of the table with this id, as the study declares it, or the one of its name; when the study
    /// holds it and it can be read.
    pub(crate) fn read(evidence: &Evidence<'_>, id: &str) -> Option<Self> {
        let declared = evidence.study.published.iter().find(|published| published.table == id);
        let name = declared.map_or(id, |published| published.stem());
        let (header, rows) = read_csv(evidence.published.get(name)?).ok()?;
        Some(Self { header, rows })
    }

    /// Names of the columns.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.iter().map(String::as_str)
    }

    /// Cells of a column, from top to bottom.
    pub(crate) fn column(&self, name: &str) -> Option<Vec<String>> {
        let at = self.header.iter().position(|column| column == name)?;
        Some(self.rows.iter().map(|row| row[at].clone()).collect())
    }

    /// One cell.
    pub(crate) fn cell(&self, row: usize, column: &str) -> Option<&str> {
        let at = self.header.iter().position(|name| name == column)?;
        self.rows.get(row)?.get(at).map(String::as_str)
    }

    /// One cell as a number.
    pub(crate) fn number(&self, row: usize, column: &str) -> Option<f64> {
        self.cell(row, column)?.parse().ok()
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}
