//! One table as comma-separated values.

use super::model::{Builder, Document, Form, Passage, Table, TableRow};

/// Reads a CSV file; the first record names the columns.
pub(super) fn read(file: &str, text: &str) -> Result<Document, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut table = Table::default();
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        // The position of a record is that of its first field; fields follow one after another.
        let mut at = record.position().map_or(0, |position| position.byte() as usize);
        let mut cells = Vec::with_capacity(record.len());
        for field in &record {
            let start = text.get(at..).and_then(|rest| rest.find(field)).map_or(at, |found| at + found);
            cells.push(Passage::of(field, start));
            at = start + field.len();
        }
        if number == 0 {
            table.heads = cells;
        } else {
            table.rows.push(TableRow { cells });
        }
    }
    let mut builder = Builder::default();
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".csv").replace(['_', '-'], " ");
    builder.heading(1, Passage::of(&stem, 0));
    builder.table(table);
    Ok(builder.document(file, Form::Csv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Body;

    #[test]
    fn quoted_fields_have_places() {
        let text = "model,acc\n\"a, b\",95.6\n";
        let document = read("F1_main.csv", text).unwrap();
        let Body::Table(table) = &document.blocks[1].body else { panic!() };
        let cell = &table.rows[0].cells[1];
        assert_eq!((cell.text.as_str(), &text[cell.place(0)..][..4]), ("95.6", "95.6"));
        assert_eq!(document.blocks[1].headings, ["F1 main"]);
    }
}
