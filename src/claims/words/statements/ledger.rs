//! Statements as entries of a ledger.

use toml_edit::{Array, InlineTable, Item, Table, Value};

use super::Stated;
use crate::claims::words::write::{area_of, stem_of};
use crate::digest::Digest;

/// Entries for statements: id without a number, and the table. What is not plain is told with its readings and not
/// judged.
pub(in crate::claims::words) fn entries(stated: &[Stated]) -> Vec<(String, Table)> {
    stated.iter().map(|one| (id(one), entry(one))).collect()
}

/// An id from the words and not from the outcome.
fn id(stated: &Stated) -> String {
    let words = Digest::of(stated.sentence.as_bytes()).short(8);
    format!("{}.s.{}.{words}", stem_of(&stated.file), stated.kind)
}

fn entry(stated: &Stated) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| {
        table.insert(key, Item::Value(value));
    };
    put("id", "".into());
    put("area", area_of(&stated.headings).into());
    put("statement", stated.sentence.as_str().into());
    put("source", stated.file.as_str().into());
    if let [reading] = stated.readings.as_slice() {
        put("holds", reading.as_str().into());
    } else {
        put("text", "holds".into());
        put("not_checkable", "rule-not-stated".into());
        put("because", format!("its words allow several readings: {}", stated.readings.join("; ")).into());
    }
    let mut origin = InlineTable::new();
    origin.insert("document", stated.file.as_str().into());
    origin.insert("byte", i64::try_from(stated.place).unwrap_or(0).into());
    origin.insert("length", i64::try_from(stated.length).unwrap_or(0).into());
    origin.insert("confidence", if stated.is_plain() { "high" } else { "low" }.into());
    origin.insert("words", Value::Array(stated.words.iter().map(String::as_str).collect::<Array>()));
    table.insert("found", Item::Value(Value::InlineTable(origin)));
    table
}
