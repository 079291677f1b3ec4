//! Catalogues (`<study>-claims/1`): sentences, compact tables, referenced raw tables, conflicts.
//!
//! It names rules and keys, not expressions; bindings supply those. The reader is lenient: members it
//! does not need are ignored, and only an entry without id or value is broken.

use super::cells;
use super::entry::{Entry, keys};
use super::numbers::{self, Decimals};
use super::syntax::Document;
use crate::claims::ledger::{Broken, Check, Claim, Compare, Conflict, Ledger, PublishedTable, Shape, Side};
use crate::json::{Object, Value};
use crate::report::Place;
use crate::statistics::Keys;

/// How the id of the format ends; what stands before it is the study's, and chooses the bindings.
pub(super) const FORMAT: &str = "-claims/1";

/// Reads the whole catalogue.
pub(super) fn read(document: &Document, format: &str, ledger: &mut Ledger) {
    format.clone_into(&mut ledger.dialect);
    for (value, place) in document.entries("claims") {
        match sentence(value, &place) {
            Ok(claim) => ledger.claims.push(claim),
            Err(broken) => ledger.broken.push(*broken),
        }
    }
    for (value, place) in document.entries("tables") {
        cells::read(value, &place, ledger);
    }
    for (value, place) in document.entries("raw_tables") {
        match raw_table(value) {
            Some(table) => ledger.published.push(table),
            None => ledger.broken.push(unnamed(place, "a raw table without id or file")),
        }
    }
    for (value, place) in document.entries("conflicts") {
        match conflict(value) {
            Some(conflict) => ledger.conflicts.push(conflict),
            None => ledger.broken.push(unnamed(place, "a conflict without id")),
        }
    }
}

fn unnamed(place: Place, message: &str) -> Broken {
    let id = place.to_string();
    Broken { id, place, statement: String::new(), message: message.to_owned() }
}

fn sentence(value: &Value, place: &Place) -> Result<Claim, Box<Broken>> {
    let Some(object) = value.as_object() else {
        return Err(Box::new(unnamed(place.clone(), "the entry is no object")));
    };
    let mut entry = Entry::new(object);
    let id = entry.required("id");
    let mut claim = blank(&id, &mut entry, place);
    let decimals = decimals(object.get("decimals"), &mut entry);
    match object.get("value") {
        Some(Value::Text(text)) => claim.shape = Shape::Text(text.clone()),
        Some(value) => match numbers::all(value, &decimals) {
            Some(printed) => {
                claim.shape = shape(value);
                claim.printed = printed;
            }
            None => entry.wrong("value", &numbers::problem(value, "is no number, list of numbers or range")),
        },
        None => entry.wrong("value", "is missing"),
    }
    finish(claim, &entry.mistakes)
}

pub(super) fn shape(value: &Value) -> Shape {
    match value {
        Value::List(_) => Shape::List,
        Value::Object(_) => Shape::Range,
        _ => Shape::Value,
    }
}

pub(super) fn decimals(value: Option<&Value>, entry: &mut Entry<'_>) -> Decimals {
    Decimals::read(value).unwrap_or_else(|| {
        entry.wrong("decimals", "must be a whole number or a list of them");
        Decimals::Counted
    })
}

/// A claim with everything that does not depend on its value.
pub(super) fn blank(id: &str, entry: &mut Entry<'_>, place: &Place) -> Claim {
    let compare = entry.text("cmp");
    let compare = match compare.as_deref().map(Compare::read) {
        None => Compare::Equal,
        Some(Some(compare)) => compare,
        Some(None) => {
            entry.wrong("cmp", "is no known comparison");
            Compare::Equal
        }
    };
    Claim {
        id: id.to_owned(),
        area: entry.text("area").unwrap_or_else(|| "claims".to_owned()),
        statement: entry.text("statement").unwrap_or_default(),
        source: entry.text("source").unwrap_or_default(),
        also: entry.texts("also"),
        place: place.clone(),
        unit: entry.text("unit").unwrap_or_default(),
        shape: Shape::Value,
        printed: Vec::new(),
        parts: entry.texts("parts"),
        compare,
        tolerance: entry.number("tol"),
        keys: entry.get("keys").and_then(Value::as_object).map(keys).unwrap_or_default(),
        inputs: Value::Null,
        rule: entry.text("rule").unwrap_or_default(),
        needs: entry.texts("inputs"),
        check: check(entry.text("check").as_deref()),
        checkable_from: entry.texts("checkable_from"),
        cell: None,
        from: Vec::new(),
        readings: Keys::new(),
        out_of: None,
        erratum: entry.text("erratum"),
        undecidable: None,
        note: entry.text("note"),
        found: None,
    }
}

pub(super) fn check(word: Option<&str>) -> Check {
    match word {
        Some("recompute") => Check::Recompute,
        Some("consistency") => Check::Consistency,
        Some("none") => Check::Nothing,
        _ => Check::Unstated,
    }
}

pub(super) fn finish(claim: Claim, mistakes: &[String]) -> Result<Claim, Box<Broken>> {
    if mistakes.is_empty() {
        return Ok(claim);
    }
    let id = if claim.id.is_empty() { claim.place.to_string() } else { claim.id };
    Err(Box::new(Broken { id, place: claim.place, statement: claim.statement, message: mistakes.join("; ") }))
}

fn raw_table(value: &Value) -> Option<PublishedTable> {
    let object = value.as_object()?;
    let text = |member: &str| object.get(member).and_then(Value::as_text).map(str::to_owned);
    let list = |member: &str| -> Vec<String> {
        let items = object.get(member).and_then(Value::as_list).unwrap_or_default();
        items.iter().filter_map(Value::as_text).map(str::to_owned).collect()
    };
    let file = text("file")?;
    Some(PublishedTable {
        id: text("id")?,
        area: text("area").unwrap_or_else(|| "claims".to_owned()),
        table: file.trim_end_matches(".csv").to_owned(),
        sha256: text("sha256"),
        rows: object.get("n_rows").and_then(Value::as_f64).map(|rows| rows as usize),
        keys: list("row_keys"),
        values: list("value_columns"),
        needs: list("inputs"),
        file,
    })
}

pub(super) fn conflict(value: &Value) -> Option<Conflict> {
    let object = value.as_object()?;
    let text = |member: &str| object.get(member).and_then(Value::as_text).map(str::to_owned);
    let sides = object.get("sides").and_then(Value::as_list).unwrap_or_default();
    Some(Conflict {
        id: text("id")?,
        kind: text("kind").unwrap_or_else(|| "value".to_owned()),
        statement: text("finding").or_else(|| text("statement")).unwrap_or_default(),
        sides: sides.iter().filter_map(side).collect(),
        claims: texts(object, "claims"),
        resolution: text("resolution").or_else(|| object.get("recomputed").map(in_words)),
        found: false,
        ledger: String::new(),
        by: None,
        settled_by: None,
    })
}

/// What a catalogue noted in a structure of its own, for people: `problems 16; pairs 3, 4`.
fn in_words(value: &Value) -> String {
    let nested = |value: &Value| match value {
        Value::List(_) | Value::Object(_) => format!("({})", in_words(value)),
        value => in_words(value),
    };
    match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.literal().to_owned(),
        Value::List(items) => items.iter().map(nested).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let member = |(key, value): (&str, &Value)| match value {
                Value::Object(_) => format!("{} {}", key.replace('_', " "), nested(value)),
                value => format!("{} {}", key.replace('_', " "), in_words(value)),
            };
            members.iter().map(member).collect::<Vec<_>>().join("; ")
        }
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "nothing".to_owned(),
    }
}

fn side(value: &Value) -> Option<Side> {
    let text = |member: &str| value.get(member).and_then(Value::as_text).map(str::to_owned);
    Some(Side { source: text("source")?, says: text("says").unwrap_or_default() })
}

fn texts(object: &Object, member: &str) -> Vec<String> {
    let items = object.get(member).and_then(Value::as_list).unwrap_or_default();
    items.iter().filter_map(Value::as_text).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    #[test]
    fn a_structure_is_told_in_words() {
        let text = r#"{"core_subs": 20, "pairs": [[1.5, 2], "x"], "files": {"soil": 27}, "sure": true, "no": null}"#;
        let value = Reader::new(text.as_bytes()).value().unwrap();
        assert_eq!(in_words(&value), "core subs 20; pairs (1.5, 2), x; files (soil 27); sure true; no nothing");
    }
}
