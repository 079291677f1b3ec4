//! Parquet through polars: one row group, no compression, columns in table order.

use polars::prelude::{Column as PolarsColumn, DataFrame, ParquetCompression, ParquetWriter, PolarsResult};

use super::{Cell, Kind, Table};

/// Parquet bytes of a table; undefined cells are null.
pub fn to_parquet(table: &Table) -> PolarsResult<Vec<u8>> {
    use polars::prelude::NamedFrom;
    use polars::prelude::Series;
    let columns = table.columns.iter().enumerate().map(|(index, column)| {
        let cells = table.rows.iter().map(|row| &row[index]);
        let name = column.name.as_str().into();
        let series = match column.kind {
            Kind::Text => Series::new(name, cells.map(text).collect::<Vec<_>>()),
            Kind::Integer => Series::new(name, cells.map(integer).collect::<Vec<_>>()),
            Kind::Real => Series::new(name, cells.map(real).collect::<Vec<_>>()),
        };
        PolarsColumn::from(series)
    });
    let mut frame = DataFrame::new(table.rows.len(), columns.collect())?;
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).with_compression(ParquetCompression::Uncompressed).finish(&mut frame)?;
    Ok(bytes)
}

fn text(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Undefined(_) => None,
        cell => Some(cell.printed()),
    }
}

fn integer(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Integer(count) => Some(*count),
        Cell::Real { value, .. } => Some(*value as i64),
        Cell::Text(text) => text.parse().ok(),
        Cell::Undefined(_) => None,
    }
}

fn real(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Integer(count) => Some(*count as f64),
        Cell::Real { value, .. } => Some(*value),
        Cell::Text(text) => text.parse().ok(),
        Cell::Undefined(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_table_gives_the_same_bytes() {
        let columns = [("m", Kind::Text, ""), ("n", Kind::Integer, ""), ("x", Kind::Real, "percent")];
        let mut table = Table::new("t", "t", &[], &columns);
        table.push(vec![Cell::text("µ"), Cell::Integer(3), Cell::fixed(0.1, 1)]);
        table.push(vec![Cell::text("ν"), Cell::Integer(4), Cell::Undefined("one run".into())]);
        let bytes = to_parquet(&table).unwrap();
        assert_eq!(bytes, to_parquet(&table).unwrap());
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    }
}
