//! CSV as the published tables have it: comma, `\n`, quotes only where a cell needs them.

use super::Table;

/// CSV text of a table.
pub fn to_csv(table: &Table) -> String {
    let mut out = String::new();
    line(&mut out, table.columns.iter().map(|column| column.name.clone()));
    for row in &table.rows {
        line(&mut out, row.iter().map(super::Cell::printed));
    }
    out
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push('\n');
}

/// A CSV file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CsvError {
    /// A quoted cell that never ends.
    #[error("line {0}: a quoted cell that never ends")]
    OpenQuote(usize),
    /// A row with another number of cells than the header.
    #[error("line {line}: {found} cells where the header has {expected}")]
    Width {
        /// Line in the file, from 1.
        line: usize,
        /// Cells found.
        found: usize,
        /// Cells of the header.
        expected: usize,
    },
}

/// Reads CSV text: header and rows of equal width. Accepts a byte-order mark and `\r\n`.
pub fn read_csv(text: &str) -> Result<(Vec<String>, Vec<Vec<String>>), CsvError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut row, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut number, mut start) = (1, 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push((start, std::mem::take(&mut row)));
                number += 1;
                start = number;
            }
            c => {
                number += usize::from(c == '\n');
                cell.push(c);
            }
        }
    }
    if quoted {
        return Err(CsvError::OpenQuote(start));
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push((start, row));
    }
    let mut rows = rows.into_iter();
    let header = rows.next().map(|(_, header)| header).unwrap_or_default();
    let mut body = Vec::new();
    for (line, row) in rows {
        if row.len() != header.len() {
            return Err(CsvError::Width { line, found: row.len(), expected: header.len() });
        }
        body.push(row);
    }
    Ok((header, body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Kind};
    use proptest::prelude::*;

    #[test]
    fn quotes_only_where_needed() {
        let mut table = Table::new("t", "t", &[], &[("a", Kind::Text, ""), ("b", Kind::Real, "percent")]);
        table.push(vec![Cell::text("x, \"y\""), Cell::fixed(97.63, 1)]);
        table.push(vec![Cell::text("z"), Cell::Undefined("no run".into())]);
        assert_eq!(to_csv(&table), "a,b\n\"x, \"\"y\"\"\",97.6\nz,\n");
    }

    #[test]
    fn a_short_row_is_named_by_its_line() {
        assert_eq!(read_csv("a,b\n1,2\n3\n"), Err(CsvError::Width { line: 3, found: 1, expected: 2 }));
        assert_eq!(read_csv("a\n\"x"), Err(CsvError::OpenQuote(2)));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cells in proptest::collection::vec("[a-c,\"\n\r ]{1,6}", 1..5)) {
            let columns: Vec<_> = cells.iter().map(|_| ("c", Kind::Text, "")).collect();
            let mut table = Table::new("t", "t", &[], &columns);
            table.push(cells.iter().map(|c| Cell::text(c.as_str())).collect());
            let (_, rows) = read_csv(&to_csv(&table)).unwrap();
            prop_assert_eq!(&rows, &vec![cells]);
        }
    }
}
