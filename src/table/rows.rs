//! Reading Parquet: names of columns and every cell as text, row by row.

use std::io::Cursor;

use polars::prelude::{AnyValue, ParquetReader, PolarsResult, SerReader};

/// Hands the names of the columns and the cells of each row to `take`; a null is `None`, a number as it prints, a
/// list or a structure as polars prints it.
pub fn parquet_rows(bytes: Vec<u8>, take: &mut dyn FnMut(&[String], &[Option<String>], usize)) -> PolarsResult<()> {
    let frame = ParquetReader::new(Cursor::new(bytes)).finish()?;
    let names: Vec<String> = frame.columns().iter().map(|column| column.name().to_string()).collect();
    let mut cells: Vec<Option<String>> = Vec::with_capacity(names.len());
    for row in 0..frame.height() {
        cells.clear();
        for column in frame.columns() {
            cells.push(text(&column.get(row)?));
        }
        take(&names, &cells, row);
    }
    Ok(())
}

fn text(value: &AnyValue<'_>) -> Option<String> {
    match value {
        AnyValue::Null => None,
        AnyValue::String(text) => Some((*text).to_owned()),
        AnyValue::StringOwned(text) => Some(text.to_string()),
        AnyValue::Boolean(flag) => Some(flag.to_string()),
        AnyValue::Float64(value) => Some(crate::number::repr(*value)),
        AnyValue::Float32(value) => Some(value.to_string()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Kind, Table, to_parquet};

    #[test]
    fn what_was_written_reads_back() {
        let columns = [("m", Kind::Text, ""), ("n", Kind::Integer, ""), ("x", Kind::Real, "percent")];
        let mut table = Table::new("t", "t", &[], &columns);
        table.push(vec![Cell::text("µ"), Cell::Integer(3), Cell::fixed(0.25, 2)]);
        table.push(vec![Cell::Undefined("none".into()), Cell::Integer(4), Cell::Undefined("none".into())]);
        let mut rows = Vec::new();
        parquet_rows(to_parquet(&table).unwrap(), &mut |names, cells, row| {
            assert_eq!(names, ["m", "n", "x"]);
            rows.push((row, cells.to_vec()));
        })
        .unwrap();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(rows, [(0, vec![some("µ"), some("3"), some("0.25")]), (1, vec![None, some("4"), None])]);
    }
}
