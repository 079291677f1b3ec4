//! Our own ledger format `repro-claims/1`, as TOML or JSON; see `docs/claims.md`.

use super::catalogue::{conflict, finish};
use super::cells::slug;
use super::entry::{Entry, word};
use super::numbers::{self, Decimals};
use super::syntax::Document;
use crate::claims::expression;
use crate::claims::ledger::{Broken, Cell, Check, Claim, Compare, Found, Ledger, MissingReason, PublishedTable, Shape};
use crate::claims::units;
use crate::json::{Object, Value};
use crate::report::{Finding, Place};
use crate::statistics::Keys;

/// The format id.
pub(super) const FORMAT: &str = "repro-claims/1";

/// Reads the whole ledger.
pub(super) fn read(document: &Document, ledger: &mut Ledger, findings: &mut Vec<Finding>) {
    FORMAT.clone_into(&mut ledger.dialect);
    let known = ["format", "study", "title", "author", "date", "claim", "table", "published", "conflict", "$schema"];
    for (member, _) in document.value.as_object().into_iter().flat_map(Object::iter) {
        if !known.contains(&member) {
            let message = format!("`{member}` is no member of a ledger");
            findings.push(Finding::new("bad-ledger", Place::file(&ledger.file).with_subject(member), message));
        }
    }
    for (value, place) in document.entries("claim") {
        keep(ledger, object(value, &place).and_then(|object| claim(&mut Entry::new(object), &place)));
    }
    for (value, place) in document.entries("table") {
        table(value, &place, ledger);
    }
    for (value, place) in document.entries("published") {
        match object(value, &place).and_then(|object| published(&mut Entry::new(object), &place)) {
            Ok(table) => ledger.published.push(table),
            Err(broken) => ledger.broken.push(*broken),
        }
    }
    for (value, place) in document.entries("conflict") {
        match conflict(value) {
            Some(conflict) => ledger.conflicts.push(conflict),
            None => ledger.broken.push(broken(&place, "", "`id` is missing")),
        }
    }
}

fn keep(ledger: &mut Ledger, result: Result<Claim, Box<Broken>>) {
    match result {
        Ok(claim) => ledger.claims.push(claim),
        Err(broken) => ledger.broken.push(*broken),
    }
}

fn broken(place: &Place, id: &str, message: &str) -> Broken {
    let name = if id.is_empty() { place.to_string() } else { id.to_owned() };
    Broken { id: name, place: place.clone(), statement: String::new(), message: message.to_owned() }
}

fn object<'a>(value: &'a Value, place: &Place) -> Result<&'a Object, Box<Broken>> {
    value.as_object().ok_or_else(|| Box::new(broken(place, "", "the entry is no table")))
}

fn claim(entry: &mut Entry<'_>, place: &Place) -> Result<Claim, Box<Broken>> {
    let mut claim = shared(entry, place);
    claim.id = identifier(entry, "id");
    claim.statement = entry.required("statement");
    claim.source = entry.required("source");
    claim.keys = entry.keys("keys");
    claim.found = found(entry);
    value(entry, &mut claim);
    references(entry, &mut claim);
    entry.refuse_others();
    finish(claim, &entry.mistakes)
}

/// Where and how the claim was found, as `repro claims --from` writes it.
fn found(entry: &mut Entry<'_>) -> Option<Found> {
    let Some(object) = entry.get("found")?.as_object() else {
        entry.wrong("found", "must be a table");
        return None;
    };
    let text = |member: &str| object.get(member).and_then(Value::as_text).unwrap_or_default().to_owned();
    let whole = |member: &str| object.get(member).and_then(Value::as_f64).map_or(0, |number| number.max(0.0) as usize);
    let words = object.get("words").and_then(Value::as_list).unwrap_or_default();
    Some(Found {
        document: text("document"),
        byte: whole("byte"),
        length: whole("length"),
        confidence: text("confidence"),
        words: words.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
    })
}

fn identifier(entry: &mut Entry<'_>, member: &'static str) -> String {
    let id = entry.required(member);
    if id.chars().any(|c| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))) {
        entry.wrong(member, "may hold letters, digits, points, hyphens and underscores only");
    }
    id
}

/// Members that claims and columns of tables have in common.
fn shared(entry: &mut Entry<'_>, place: &Place) -> Claim {
    let compare = entry.text("cmp").map(|word| Compare::read(&word));
    if compare == Some(None) {
        entry.wrong("cmp", "must be equal, at-least, at-most, more-than, less-than, approx or outward");
    }
    let unit = entry.text("unit").unwrap_or_default();
    if !unit.is_empty() && !units::is_known(&unit) {
        entry.wrong("unit", &format!("`{unit}` is unknown"));
    }
    let stated = entry.text("not_checkable");
    let because = entry.text("because").unwrap_or_default();
    let undecidable = stated.and_then(|word| {
        let reason = MissingReason::read(&word);
        if reason.is_none() {
            entry.wrong("not_checkable", "must be file-absent, rule-not-stated, only-a-range or outside-the-archive");
        }
        Some((reason?, because.clone()))
    });
    let erratum = entry.text("erratum");
    if erratum.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
        entry.wrong("erratum", "needs a reason");
    }
    Claim {
        id: String::new(),
        area: entry.text("area").unwrap_or_else(|| "claims".to_owned()),
        statement: String::new(),
        source: String::new(),
        also: entry.texts("also"),
        place: place.clone(),
        unit,
        shape: Shape::Value,
        printed: Vec::new(),
        parts: entry.texts("parts"),
        compare: compare.flatten().unwrap_or_default(),
        tolerance: entry.number("tol"),
        keys: Keys::new(),
        inputs: entry.get("inputs").cloned().unwrap_or(Value::Null),
        rule: String::new(),
        needs: Vec::new(),
        check: Check::Unstated,
        checkable_from: Vec::new(),
        cell: None,
        from: Vec::new(),
        readings: entry.keys("readings"),
        out_of: entry.text("out_of"),
        erratum,
        undecidable,
        note: entry.text("note"),
        found: None,
    }
}

/// Exactly one of the members that say what is printed.
fn value(entry: &mut Entry<'_>, claim: &mut Claim) {
    let decimals = Decimals::read(entry.get("decimals")).unwrap_or_else(|| {
        entry.wrong("decimals", "must be a whole number or a list of them");
        Decimals::Counted
    });
    let digits = entry.number("digits");
    let forms = ["value", "range", "list", "holds", "text"].map(|member| (member, entry.get(member)));
    let mut given = forms.into_iter().filter_map(|(member, value)| Some((member, value?)));
    let (Some((member, found)), None) = (given.next(), given.next()) else {
        entry.wrong("value", "or exactly one of `range`, `list`, `holds`, `text` must be given");
        return;
    };
    match (member, found) {
        ("holds", Value::Text(text)) => {
            claim.shape = Shape::Holds;
            claim.from = vec![text.clone()];
        }
        ("text", Value::Text(text)) => claim.shape = Shape::Text(text.clone()),
        ("holds" | "text", _) => entry.wrong(member, "must be a text"),
        ("value", Value::List(_) | Value::Object(_)) => entry.wrong(member, "must be one number"),
        _ => {
            claim.shape = match member {
                "range" => Shape::Range,
                "list" => Shape::List,
                _ => Shape::Value,
            };
            match numbers::all(found, &decimals) {
                Some(printed) if member != "range" || printed.len() == 2 => claim.printed = printed,
                Some(_) => entry.wrong(member, "must have a lower and an upper end"),
                None => entry.wrong(member, &numbers::problem(found, "is not a number as printed")),
            }
        }
    }
    if let Some(digits) = digits {
        claim.printed = claim.printed.drain(..).map(|printed| printed.with_digits(digits.max(1.0) as u32)).collect();
    }
}

/// What the claim rests on: the short form or expressions.
fn references(entry: &mut Entry<'_>, claim: &mut Claim) {
    let from = entry.texts("from");
    let statistic = entry.text("statistic");
    let measure = entry.text("measure");
    match (statistic, measure) {
        (Some(statistic), Some(measure)) if from.is_empty() => {
            let quoted = |(key, value): (&String, &String)| format!("{key}=\"{}\"", value.replace('"', "'"));
            let keys: Vec<String> = claim.keys.iter().map(quoted).collect();
            claim.from = vec![format!("{statistic}.{measure}{{{}}}", keys.join(", "))];
        }
        (Some(_), Some(_)) => entry.wrong("from", "and `statistic` exclude one another"),
        (Some(_), None) => entry.wrong("measure", "is missing beside `statistic`"),
        (None, Some(_)) => entry.wrong("statistic", "is missing beside `measure`"),
        (None, None) if !from.is_empty() && claim.shape == Shape::Holds => {
            entry.wrong("from", "does not go with `holds`");
        }
        (None, None) if !from.is_empty() => claim.from = from,
        (None, None) => {}
    }
    if claim.from.is_empty() && claim.undecidable.is_none() {
        entry.wrong("from", "or `statistic` or `not_checkable` must say what the number rests on");
    }
    let texts = claim.from.iter().chain(&claim.out_of).chain(claim.readings.values());
    for text in texts.filter(|text| !text.contains('$')) {
        if let Err(error) = expression::parse(text) {
            entry.mistakes.push(format!("`from`: {error} of `{text}`"));
        }
    }
}

fn published(entry: &mut Entry<'_>, place: &Place) -> Result<PublishedTable, Box<Broken>> {
    let id = identifier(entry, "id");
    let file = entry.required("file");
    let stem = file.rsplit('/').next().unwrap_or(&file).trim_end_matches(".csv").to_owned();
    let table = PublishedTable {
        id: id.clone(),
        area: entry.text("area").unwrap_or_else(|| "claims".to_owned()),
        sha256: entry.text("sha256"),
        rows: None,
        table: entry.text("table").unwrap_or(stem),
        keys: entry.texts("keys"),
        values: entry.texts("values"),
        needs: Vec::new(),
        file,
    };
    if table.keys.is_empty() {
        entry.wrong("keys", "must name the columns that tell rows apart");
    }
    entry.refuse_others();
    if entry.mistakes.is_empty() { Ok(table) } else { Err(Box::new(broken(place, &id, &entry.mistakes.join("; ")))) }
}

/// A printed table: each cell of each row becomes a claim.
fn table(value: &Value, place: &Place, ledger: &mut Ledger) {
    let Some(found) = value.as_object() else {
        ledger.broken.push(broken(place, "", "the entry is no table"));
        return;
    };
    let mut entry = Entry::new(found);
    let id = identifier(&mut entry, "id");
    let source = entry.required("source");
    let area = entry.text("area");
    let names = entry.texts("row");
    let keys = entry.keys("keys");
    let columns = entry.get("column").and_then(Value::as_list).unwrap_or_default();
    let rows = entry.get("rows").and_then(Value::as_list).unwrap_or_default();
    if names.is_empty() || columns.is_empty() {
        entry.wrong("row", "and `column` must say what rows and columns are");
    }
    entry.refuse_others();
    if !entry.mistakes.is_empty() {
        ledger.broken.push(broken(place, &id, &entry.mistakes.join("; ")));
        return;
    }
    for row in rows {
        let cells = row.as_list().unwrap_or_default();
        if cells.len() != names.len() + columns.len() {
            let message = format!("a row has {} cells, the table {}", cells.len(), names.len() + columns.len());
            ledger.broken.push(broken(place, &id, &message));
            continue;
        }
        let words: Vec<String> = cells.iter().take(names.len()).filter_map(word).collect();
        let mut all = keys.clone();
        all.extend(names.iter().cloned().zip(words.iter().cloned()));
        for (column, cell) in columns.iter().zip(&cells[names.len()..]) {
            if cell.as_text() != Some("") {
                keep(
                    ledger,
                    column_claim(
                        (&id, &source, area.as_ref()),
                        &words.iter().map(|word| slug(word)).collect::<Vec<_>>().join("."),
                        &all,
                        column,
                        cell,
                        place,
                    ),
                );
            }
        }
    }
}

type Head<'a> = (&'a str, &'a str, Option<&'a String>);

fn column_claim(
    head: Head<'_>,
    row: &str,
    keys: &Keys,
    column: &Value,
    cell: &Value,
    place: &Place,
) -> Result<Claim, Box<Broken>> {
    let (table, source, area) = head;
    let mut members = object(column, place)?.clone();
    let form = if matches!(cell, Value::List(_)) { "list" } else { "value" };
    members.insert(form.to_owned(), cell.clone());
    let mut entry = Entry::new(&members);
    let mut claim = shared(&mut entry, place);
    let column_id = identifier(&mut entry, "id");
    claim.id = format!("{table}.{row}.{column_id}");
    source.clone_into(&mut claim.source);
    claim.area = area.cloned().unwrap_or(claim.area);
    claim.statement =
        keys.iter().fold(entry.required("statement"), |text, (key, value)| text.replace(&format!("${key}"), value));
    claim.keys.clone_from(keys);
    claim.keys.extend(entry.keys("keys"));
    claim.cell = Some(Cell { table: table.into(), row: row.into(), column: column_id, kind: "scalar".into() });
    value(&mut entry, &mut claim);
    references(&mut entry, &mut claim);
    entry.refuse_others();
    finish(claim, &entry.mistakes)
}
