//! Compact tables of a catalogue: every cell becomes a claim.
//!
//! The id is table id, row keys (as slugs, or `r01`, `r02`... when rows are ordinal) and column id,
//! joined by points. Members of a column override those of its table, and exceptions override both
//! for the rows they match.

use super::catalogue::{blank, finish};
use super::entry::{Entry, keys, word};
use super::numbers;
use crate::claims::ledger::{Broken, Cell, Claim, Ledger, Shape};
use crate::json::{Object, Value};
use crate::report::Place;
use crate::statistics::Keys;

/// Reads a table into claims.
pub(super) fn read(value: &Value, place: &Place, ledger: &mut Ledger) {
    let Some(table) = Table::of(value) else {
        let id = value.get("id").and_then(Value::as_text).map_or_else(|| place.to_string(), str::to_owned);
        let message = "a table needs `id`, `row_keys`, `columns` and `rows`".to_owned();
        ledger.broken.push(Broken { id, place: place.clone(), statement: String::new(), message });
        return;
    };
    for (number, row) in table.rows.iter().enumerate() {
        let Some(cells) = row.as_list() else { continue };
        let row_keys = table.row_keys(cells);
        let row_id = table.row_id(number, cells);
        for (column, cell) in table.columns.iter().zip(cells.iter().skip(table.row_names.len())) {
            if cell.is_null() {
                continue;
            }
            match claim(&table, column, &row_id, &row_keys, cell, place) {
                Ok(claim) => ledger.claims.push(claim),
                Err(broken) => ledger.broken.push(*broken),
            }
        }
    }
}

struct Table<'a> {
    object: &'a Object,
    id: &'a str,
    row_names: Vec<&'a str>,
    ordinal: bool,
    columns: &'a [Value],
    rows: &'a [Value],
}

impl<'a> Table<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        let object = value.as_object()?;
        Some(Self {
            object,
            id: object.get("id")?.as_text()?,
            row_names: object.get("row_keys")?.as_list()?.iter().filter_map(Value::as_text).collect(),
            ordinal: object.get("row_ids").and_then(Value::as_text) == Some("ordinal"),
            columns: object.get("columns")?.as_list()?,
            rows: object.get("rows")?.as_list()?,
        })
    }

    fn row_keys(&self, cells: &[Value]) -> Keys {
        let named = self.row_names.iter().zip(cells);
        named.filter_map(|(name, cell)| Some(((*name).to_owned(), word(cell)?))).collect()
    }

    fn row_id(&self, number: usize, cells: &[Value]) -> String {
        if self.ordinal {
            return format!("r{:02}", number + 1);
        }
        let words = cells.iter().take(self.row_names.len()).filter_map(word);
        words.map(|word| slug(&word)).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(".")
    }
}

/// Row keys in ids: everything but letters, digits, points and underscores becomes one hyphen.
pub(super) fn slug(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        if c.is_alphanumeric() || matches!(c, '.' | '_') {
            out.extend(c.to_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches('-').to_owned()
}

fn claim(
    table: &Table<'_>,
    column: &Value,
    row_id: &str,
    row_keys: &Keys,
    cell: &Value,
    place: &Place,
) -> Result<Claim, Box<Broken>> {
    let empty = Object::default();
    let column_object = column.as_object().unwrap_or(&empty);
    let column_id = column_object.get("id").and_then(Value::as_text).unwrap_or("?");
    let id = format!("{}.{row_id}.{column_id}", table.id);
    let merged = merge(table.object, column_object);
    let mut entry = Entry::new(&merged);
    let mut claim = blank(&id, &mut entry, place);
    for source in [table.object.get("keys"), column_object.get("keys")] {
        claim.keys.extend(source.and_then(Value::as_object).map(keys).unwrap_or_default());
    }
    claim.keys.extend(row_keys.clone());
    claim.statement = named(&claim.statement, row_keys);
    except(table.object, column_id, row_keys, &mut claim);
    let kind = column_object.get("kind").and_then(Value::as_text).unwrap_or("scalar");
    claim.cell = Some(Cell {
        table: table.id.to_owned(),
        row: row_id.to_owned(),
        column: column_id.to_owned(),
        kind: kind.to_owned(),
    });
    if kind == "mean_sd" {
        claim.parts = vec!["mean".into(), "sd".into()];
    }
    let (value, decimals, note) = opened(cell, column_object.get("decimals"));
    claim.note = note.or(claim.note);
    let decimals = super::catalogue::decimals(decimals, &mut entry);
    match numbers::all(value, &decimals) {
        Some(printed) => {
            claim.shape = match kind {
                "interval" => Shape::Range,
                _ if matches!(value, Value::List(_)) => Shape::List,
                _ => Shape::Value,
            };
            claim.printed = printed;
        }
        None => entry.wrong(column_id, &numbers::problem(value, "holds neither a number nor a list of numbers")),
    }
    finish(claim, &entry.mistakes)
}

/// Exceptions of a table say otherwise what some of its rows can be checked from.
fn except(table: &Object, column: &str, row_keys: &Keys, claim: &mut Claim) {
    let texts = |value: Option<&Value>| -> Vec<String> {
        value.and_then(Value::as_list).unwrap_or_default().iter().filter_map(word).collect()
    };
    for exception in table.get("exceptions").and_then(Value::as_list).unwrap_or_default() {
        let matched = exception.get("match").and_then(Value::as_object);
        let fits = matched.is_some_and(|keys| {
            keys.iter().all(|(key, value)| row_keys.get(key).is_some_and(|own| texts(Some(value)).contains(own)))
        });
        let columns = texts(exception.get("columns"));
        if fits && (columns.is_empty() || columns.iter().any(|name| name == column)) {
            claim.check = super::catalogue::check(exception.get("check").and_then(Value::as_text));
            claim.checkable_from = texts(exception.get("checkable_from"));
        }
    }
}

/// Table members with those of the column on top.
fn merge(table: &Object, column: &Object) -> Object {
    let kept = ["area", "source", "also", "rule", "inputs", "check", "checkable_from", "cmp", "tol"];
    let mut merged: Object = table
        .iter()
        .filter(|(key, _)| kept.contains(key))
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    let own = ["unit", "statement", "parts"];
    for (key, value) in column.iter().filter(|(key, _)| kept.contains(key) || own.contains(key)) {
        merged.insert(key.to_owned(), value.clone());
    }
    merged
}

/// A cell may be an object `{v, d, note}` with its own decimals.
fn opened<'a>(cell: &'a Value, decimals: Option<&'a Value>) -> (&'a Value, Option<&'a Value>, Option<String>) {
    match cell.as_object() {
        Some(object) if object.get("v").is_some() => {
            let note = object.get("note").and_then(Value::as_text).map(str::to_owned);
            (object.get("v").unwrap_or(cell), object.get("d").or(decimals), note)
        }
        _ => (cell, decimals, None),
    }
}

/// Statement with `{key}` filled in.
fn named(statement: &str, row_keys: &Keys) -> String {
    row_keys.iter().fold(statement.to_owned(), |text, (key, value)| text.replace(&format!("{{{key}}}"), value))
}
