//! TOML or JSON text as one kind of tree, with the lines of its entries.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::json::{self, Number, Object, Reader, Value};
use crate::report::{Finding, Place};

/// A ledger as a tree.
pub(super) struct Document {
    pub(super) file: String,
    pub(super) value: Value,
    /// Line of each entry of a top-level list (TOML only).
    lines: Vec<(String, Vec<usize>)>,
    /// Keys that stand twice in one object (JSON only; in TOML they are a fault of the text).
    pub(super) repeats: Vec<Finding>,
}

impl Document {
    /// Entries of a top-level list with their places.
    pub(super) fn entries(&self, section: &str) -> Vec<(&Value, Place)> {
        let lines = self.lines.iter().find(|(name, _)| name == section).map(|(_, lines)| lines.as_slice());
        let items = self.value.get(section).and_then(Value::as_list).unwrap_or_default();
        let place = |position: usize| {
            let place = Place::file(&self.file);
            match lines.and_then(|lines| lines.get(position)) {
                Some(&line) => place.with_line(line),
                None => place.with_record(position),
            }
        };
        items.iter().enumerate().map(|(position, value)| (value, place(position))).collect()
    }
}

/// Reads the text; a ledger that is no TOML or JSON at all is one finding.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Document, Box<Finding>> {
    let bad = |place: Place, message: String| Box::new(Finding::new("bad-ledger", place, message));
    if bytes.is_empty() {
        return Err(bad(Place::file(file), "the ledger is empty".into()));
    }
    let ending = file.rsplit('.').next().unwrap_or_default();
    if ending.eq_ignore_ascii_case("toml") {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            bad(Place::file(file).with_byte(error.valid_up_to()), "the ledger is not UTF-8".to_owned())
        })?;
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            bad(Place::file(file).with_line(line), error.message().to_owned())
        })?;
        return Ok(toml_document(file, text, &table));
    }
    let mut reader = Reader::new(bytes);
    let value = reader.value().map_err(|fault| bad(Place::file(file).with_byte(fault.byte), fault.what.to_string()))?;
    match value {
        Value::Object(_) => {
            let repeated = |repeat: &json::Repeat| Finding::repeated(Place::file(file), repeat);
            let repeats = reader.take_repeats().iter().map(repeated).collect();
            Ok(Document { file: file.to_owned(), value, lines: Vec::new(), repeats })
        }
        _ => Err(bad(Place::file(file), "the ledger is no object".into())),
    }
}

fn line_of(text: &str, byte: usize) -> usize {
    1 + text[..byte.min(text.len())].matches('\n').count()
}

fn toml_document(file: &str, text: &str, table: &Spanned<DeTable<'_>>) -> Document {
    let mut lines = Vec::new();
    for (key, value) in table.get_ref() {
        if let DeValue::Array(items) = value.get_ref() {
            let starts = items.iter().map(|item| line_of(text, item.span().start)).collect();
            lines.push((key.get_ref().to_string(), starts));
        }
    }
    Document { file: file.to_owned(), value: object(table.get_ref()), lines, repeats: Vec::new() }
}

fn object(table: &DeTable<'_>) -> Value {
    let members = table.iter().map(|(key, value)| (key.get_ref().to_string(), convert(value.get_ref())));
    Value::Object(members.collect::<Object>())
}

/// TOML values keep the digits of their numbers, so `96.0` still has one decimal.
fn convert(value: &DeValue<'_>) -> json::Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) if integer.radix() == 10 => Value::Number(Number::from_literal(integer.as_str())),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) => Value::Number(Number::from_literal(&number.to_string())),
            Err(_) => Value::Text(integer.as_str().to_owned()),
        },
        DeValue::Float(float) => match float.as_str() {
            "nan" | "+nan" | "-nan" => Value::Number(Number::from_literal("NaN")),
            "inf" | "+inf" => Value::Number(Number::from_literal("Infinity")),
            "-inf" => Value::Number(Number::from_literal("-Infinity")),
            digits => Value::Number(Number::from_literal(digits)),
        },
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(date) => Value::Text(date.to_string()),
        DeValue::Array(items) => Value::List(items.iter().map(|item| convert(item.get_ref())).collect()),
        DeValue::Table(table) => object(table),
    }
}
