//! What was found as a ledger that a person can correct: TOML in the format `repro-claims/1`.
//!
//! Writing again keeps what a person touched: every entry carries a digest of itself as it was written, and
//! an entry that no longer fits its digest stays as it is. Entries that nobody touched follow the document. An
//! anchor says which number an entry is about, wherever the document has moved it.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use super::{Found, Match, Reading, Site, Stated, statements};
use crate::digest::Digest;
use crate::documents::numbers::Bound;

/// Longest statement that is written.
const LONGEST: usize = 300;

/// The ledger of what was found, over what a ledger of an earlier run says.
///
/// # Errors
/// When the earlier ledger is no TOML.
pub fn to_ledger(found: &[Found], earlier: Option<&str>) -> Result<String, String> {
    with_statements(found, &[], earlier)
}

/// The same with statements.
///
/// # Errors
/// As [`to_ledger`].
pub fn with_statements(found: &[Found], stated: &[Stated], earlier: Option<&str>) -> Result<String, String> {
    let mut document: DocumentMut = match earlier {
        Some(text) => text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?,
        None => DocumentMut::new(),
    };
    if !document.contains_key("format") {
        document.insert("format", toml_edit::value("repro-claims/1"));
        document.insert("title", toml_edit::value("Claims found in documents, bound by words and not by an author"));
    }
    let old = match document.remove("claim") {
        Some(Item::ArrayOfTables(tables)) => tables,
        _ => ArrayOfTables::new(),
    };
    let mut tables = ArrayOfTables::new();
    for table in merged(entries(found, stated), &old) {
        tables.push(table);
    }
    document.insert("claim", Item::ArrayOfTables(tables));
    Ok(document.to_string())
}

/// New entries with what a person wrote about the same numbers in place of them.
///
/// A number is the same where its sentence (or its cell) and its print are: lines above it may have moved, numbers
/// beside it may have come and gone. Where its sentence was changed, the entry of the same words that no other
/// earlier entry explains is taken. What a person wrote about numbers that are no longer found stays at the end.
fn merged(new: Vec<Entry>, old: &ArrayOfTables) -> Vec<Table> {
    let mut earlier: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let all: Vec<&Table> = old.iter().collect();
    for (at, table) in all.iter().enumerate() {
        earlier.entry(anchor_of(table).unwrap_or_default()).or_default().push(at);
    }
    earlier.remove("");
    let mut partner: Vec<Option<usize>> =
        new.iter().map(|entry| earlier.get(&entry.anchor)?.first().copied()).collect();
    let mut taken: BTreeSet<usize> = partner.iter().flatten().copied().collect();
    for (at, table) in all.iter().enumerate().filter(|(_, table)| is_touched(table)) {
        if taken.contains(&at) {
            continue;
        }
        let id = id_of(table);
        let value = |table: &Table| table.get("value").and_then(Item::as_str).map(str::to_owned);
        let free = |own: &usize| partner[*own].is_none();
        let alike = |entry: &Entry| base_of(&entry.id) == base_of(&id) && value(&entry.table) == value(table);
        let printed = new.iter().enumerate().filter(|(own, _)| free(own)).find(|(_, entry)| alike(entry));
        // Another print in the same place of a sentence with as many numbers is the number, corrected.
        let now = new.iter().filter(|entry| base_of(&entry.id) == base_of(&id)).count();
        let before = all.iter().filter(|own| base_of(&id_of(own)) == base_of(&id)).count();
        let same =
            new.iter().enumerate().filter(|(own, _)| free(own)).find(|(_, entry)| entry.id == id && now == before);
        if let Some((own, _)) = printed.or(same) {
            partner[own] = Some(at);
            taken.insert(at);
        }
    }
    let touched = |at: &usize| is_touched(all[*at]);
    let mut ids: BTreeSet<String> = (0..all.len()).filter(touched).map(|at| id_of(all[at])).collect();
    let mut written = Vec::new();
    for (entry, partner) in new.into_iter().zip(partner) {
        written.push(match partner.filter(touched) {
            Some(at) => placed(all[at].clone(), &entry.table),
            None => entry.with_free_id(&mut ids),
        });
    }
    let gone = (0..all.len()).filter(|at| touched(at) && !taken.contains(at));
    written.extend(gone.map(|at| all[at].clone()));
    written
}

/// An entry with its place and its anchor as they are now; neither is part of what a person confirms.
fn placed(mut table: Table, new: &Table) -> Table {
    let now = new.get("found").and_then(Item::as_inline_table);
    if let (Some(Item::Value(Value::InlineTable(own))), Some(now)) = (table.get_mut("found"), now) {
        for key in ["document", "byte", "length", "anchor"] {
            if let Some(value) = now.get(key) {
                own.insert(key, value.clone());
            }
        }
    }
    table
}

/// A new entry.
struct Entry {
    /// Id without the number among equals.
    base: String,
    id: String,
    /// What tells the number apart, wherever it stands.
    anchor: String,
    table: Table,
}

impl Entry {
    /// The table under an id that no entry of a person has.
    fn with_free_id(mut self, ids: &mut BTreeSet<String>) -> Table {
        let mut id = self.id.clone();
        let mut count = 2;
        while !ids.insert(id.clone()) {
            id = format!("{}-{count}", self.base);
            count += 1;
        }
        self.table.insert("id", toml_edit::value(id.as_str()));
        let digest = fingerprint(&self.table);
        if let Some(Item::Value(Value::InlineTable(origin))) = self.table.get_mut("found") {
            origin.insert("digest", digest.into());
        }
        self.table
    }
}

fn anchor_of(table: &Table) -> Option<String> {
    table.get("found")?.get("anchor")?.as_str().map(str::to_owned)
}

/// An id without the number among equals.
fn base_of(id: &str) -> &str {
    match id.rsplit_once('-') {
        Some((base, count)) if !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => id,
    }
}

/// Entries for bound and ambiguous numbers and for statements, with unique ids.
fn entries(found: &[Found], stated: &[Stated]) -> Vec<Entry> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    let numbers = found.iter().filter_map(|number| match &number.outcome {
        Match::Bound(readings) | Match::Ambiguous(readings) => {
            Some((id(number), around(number), entry(number, readings)))
        }
        Match::NoClaim(_) | Match::Unbound(_) => None,
    });
    let sentences = statements::entries(stated).into_iter().map(|(id, table)| (id.clone(), id, table));
    for (base, around, mut table) in numbers.chain(sentences) {
        let count = seen.entry(base.clone()).or_default();
        *count += 1;
        let id = if *count == 1 { base.clone() } else { format!("{base}-{count}") };
        let same = anchors.entry(around.clone()).or_default();
        *same += 1;
        let anchor = short_digest(&format!("{around}\n{same}"));
        if let Some(Item::Value(Value::InlineTable(origin))) = table.get_mut("found") {
            origin.insert("anchor", anchor.as_str().into());
        }
        all.push(Entry { base, id, anchor, table });
    }
    all
}

/// What stands around a number and tells it apart: its sentence or the heads of its cell, and its print.
fn around(number: &Found) -> String {
    let site = match &number.site {
        Site::Sentence(sentence) => sentence.split_whitespace().collect::<Vec<_>>().join(" "),
        Site::Cell { row_head, column_head, .. } => {
            format!("{}\n{row_head}\n{column_head}", number.headings.join("\n"))
        }
    };
    format!("{}\n{site}\n{}", stem_of(&number.file), number.number.text)
}

fn short_digest(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string().chars().take(12).collect()
}

fn entry(number: &Found, readings: &[Reading]) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| {
        table.insert(key, Item::Value(value));
    };
    // Its number among equal ids is known when all are.
    put("id", "".into());
    put("area", area(number).into());
    put("statement", statement(number).into());
    put("source", number.file.as_str().into());
    let best = &readings[0];
    put("unit", best.unit.as_str().into());
    let text = &number.number.text;
    let spelled = text.chars().all(char::is_alphabetic);
    let printed = if spelled {
        crate::number::repr(number.number.value).trim_end_matches(".0").to_owned()
    } else {
        text.trim_start_matches('+').replace('\u{2013}', "-")
    };
    put("value", printed.into());
    if let Some(word) = compare(number.number.bound) {
        put("cmp", word.into());
    }
    match &number.outcome {
        Match::Ambiguous(_) => {
            put("not_checkable", "rule-not-stated".into());
            put("because", because(readings).into());
        }
        _ => put("from", Value::Array(Array::from_iter([best.expression()]))),
    }
    let mut origin = InlineTable::new();
    origin.insert("document", number.file.as_str().into());
    origin.insert("byte", i64::try_from(number.place).unwrap_or(0).into());
    origin.insert("length", i64::try_from(text.len()).unwrap_or(0).into());
    origin.insert("confidence", confidence(&number.outcome).into());
    origin.insert("words", Value::Array(best.words.iter().map(String::as_str).collect()));
    table.insert("found", Item::Value(Value::InlineTable(origin)));
    table
}

/// All readings with their values, for a person who knows which one was meant.
fn because(readings: &[Reading]) -> String {
    let told = equals(readings).map(|reading| {
        let value = reading.value.map_or_else(|| "undefined".to_owned(), crate::number::repr);
        format!("{} = {value}", reading.expression())
    });
    format!("its words allow several readings: {}", told.collect::<Vec<_>>().join("; "))
}

/// The readings that fit as well as the first, eight at most.
pub fn equals(readings: &[Reading]) -> impl Iterator<Item = &Reading> {
    let best = readings.first().map_or(0, |reading| reading.score);
    readings.iter().filter(move |reading| reading.score == best).take(8)
}

/// How well the words fit: by the distance to the next best reading, and by what had to be assumed.
pub(super) fn confidence(outcome: &Match) -> &'static str {
    match outcome {
        Match::Bound(readings) => {
            let lead = readings.get(1).map_or(readings[0].score, |second| readings[0].score - second.score);
            match (readings[0].score, lead) {
                (18.., 4..) => "high",
                (12.., 2..) => "medium",
                _ => "low",
            }
        }
        _ => "low",
    }
}

fn compare(bound: Bound) -> Option<&'static str> {
    Some(match bound {
        Bound::Exact => return None,
        Bound::AtLeast => "at-least",
        Bound::AtMost => "at-most",
        Bound::MoreThan => "more-than",
        Bound::LessThan => "less-than",
        Bound::About => "approx",
    })
}

/// The sentence or the cell in which a number stands, in one line.
pub fn statement(number: &Found) -> String {
    let text = match &number.site {
        Site::Sentence(sentence) => sentence.clone(),
        Site::Cell { row_head, column_head, table, .. } => {
            let heading = number.headings.last().map_or("", String::as_str);
            format!("{column_head} of {row_head} (table {table}, {heading})")
        }
    };
    let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &flat[..at]),
        None => flat,
    }
}

fn area(number: &Found) -> String {
    area_of(&number.headings)
}

/// The area of a ledger that headings give.
pub(super) fn area_of(headings: &[String]) -> String {
    let heading = headings.last().map_or("document", String::as_str);
    let slug = slug(heading, 4);
    if slug.is_empty() { "document".to_owned() } else { slug }
}

/// An id from the place and not from the value, so that a corrected number keeps it.
fn id(number: &Found) -> String {
    let stem = stem_of(&number.file);
    match &number.site {
        Site::Cell { table, row_head, column_head, row, column } => {
            let named = |text: &str, at: usize| {
                let slug = slug(text, 8);
                if slug.is_empty() { (at + 1).to_string() } else { slug }
            };
            format!("{stem}.t{table}.{}.{}", named(row_head, *row), named(column_head, *column))
        }
        Site::Sentence(sentence) => {
            let words: String = sentence.chars().map(|c| if c.is_ascii_digit() { ' ' } else { c }).collect();
            format!("{stem}.{}", slug(&words, 6))
        }
    }
}

/// The name of a document in ids.
pub(super) fn stem_of(file: &str) -> String {
    let stem = file.rsplit('/').next().unwrap_or(file);
    slug(stem.rsplit_once('.').map_or(stem, |(stem, _)| stem), 6)
}

fn slug(text: &str, most: usize) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).take(most);
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

fn id_of(table: &Table) -> String {
    table.get("id").and_then(Item::as_str).unwrap_or_default().to_owned()
}

/// True for an entry that a person wrote, changed or confirmed.
fn is_touched(table: &Table) -> bool {
    let stated = table.get("found").and_then(|found| found.get("digest")).and_then(Item::as_str);
    stated != Some(fingerprint(table).as_str())
}

/// Digest of all members but the digest itself and the place, which moves with every line that is added.
fn fingerprint(table: &Table) -> String {
    let mut text = String::new();
    for (key, item) in table.iter().filter(|(key, _)| *key != "found") {
        text.push_str(key);
        text.push('=');
        match item.as_value() {
            Some(value) => plain(value, &mut text),
            None => text.push_str(&item.to_string()),
        }
        text.push('\n');
    }
    short_digest(&text)
}

/// A value without the way in which it is written.
fn plain(value: &Value, text: &mut String) {
    match value {
        Value::String(words) => text.push_str(words.value()),
        Value::Array(items) => items.iter().for_each(|item| {
            plain(item, text);
            text.push(',');
        }),
        other => text.push_str(other.to_string().trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims;
    use crate::documents::{Passage, numbers::numbers};

    fn found(text: &str) -> Found {
        let number = numbers(&Passage::of(text, 7)).remove(0);
        let reading = Reading {
            statistic: "accuracy-mean-sd".into(),
            measure: "mean".into(),
            keys: [("model".to_owned(), "a".to_owned())].into(),
            part: "",
            from: None,
            unit: "percent".into(),
            score: 20,
            words: vec!["accuracy".into()],
            value: Some(95.6),
            factor: 1.0,
            slack: 0.0,
        };
        let site = Site::Cell { table: 1, row: 0, column: 1, row_head: "A".into(), column_head: "acc".into() };
        let headings = vec!["Results".to_owned()];
        Found { file: "p.md".into(), place: 7, number, site, headings, outcome: Match::Bound(vec![reading]) }
    }

    #[test]
    fn a_ledger_of_found_numbers_is_read_as_any_ledger() {
        let text = to_ledger(&[found("95.6 %")], None).unwrap();
        let (ledger, findings) = claims::read("p.claims.toml", text.as_bytes());
        assert!(findings.is_empty(), "{findings:?}\n{text}");
        let claim = &ledger.claims[0];
        assert_eq!((claim.id.as_str(), claim.printed[0].text.as_str()), ("p.t1.a.acc", "95.6"));
        assert_eq!(claim.found.as_ref().unwrap().byte, 7);
        assert_eq!(claim.from, ["accuracy-mean-sd.mean{model=\"a\"}"]);
    }

    #[test]
    fn writing_again_changes_nothing_and_keeps_what_a_person_changed() {
        let first = to_ledger(&[found("95.6 %")], None).unwrap();
        assert_eq!(to_ledger(&[found("95.6 %")], Some(&first)).unwrap(), first, "written twice");
        let follows = to_ledger(&[found("91.0 %")], Some(&first)).unwrap();
        assert!(follows.contains("\"91.0\"") && !follows.contains("\"95.6\""), "{follows}");
        let corrected = first.replace("accuracy-mean-sd.mean", "accuracy-mean-sd.pooled");
        let again = to_ledger(&[found("91.0 %")], Some(&corrected)).unwrap();
        assert!(again.contains("pooled") && again.contains("\"95.6\""), "{again}");
        let gone = to_ledger(&[], Some(&corrected)).unwrap();
        assert!(gone.contains("pooled"), "{gone}");
        assert!(!to_ledger(&[], Some(&first)).unwrap().contains("[[claim]]"));
    }

    /// All numbers of a sentence, bound to their position.
    fn sentence(text: &str) -> Vec<Found> {
        let all = numbers(&Passage::of(text, 0));
        let of = |number: crate::documents::Number| Found {
            place: number.place,
            number,
            site: Site::Sentence(text.to_owned()),
            ..found("95.6 %")
        };
        all.into_iter().map(of).collect()
    }

    /// What the entries of a ledger print and say, by a word of the person.
    fn told(ledger: &str) -> Vec<(String, bool)> {
        let document: DocumentMut = ledger.parse().unwrap();
        let claims = document["claim"].as_array_of_tables().unwrap();
        claims.iter().map(|own| (own["value"].as_str().unwrap().to_owned(), own.contains_key("note"))).collect()
    }

    #[test]
    fn a_note_stays_with_its_number_when_others_come_and_go() {
        let first = to_ledger(&sentence("A solves 61.2 %, 64.4 % and 70.1 %."), None).unwrap();
        let second = first.find("64.4\"").unwrap();
        let noted = format!("{}64.4\"\nnote = \"confirmed\"{}", &first[..second], &first[second + 5..]);
        assert_eq!(to_ledger(&sentence("A solves 61.2 %, 64.4 % and 70.1 %."), Some(&noted)).unwrap(), noted);
        // Another sentence moves it, in whole lines.
        let mut moved = sentence("A solves 61.2 %, 64.4 % and 70.1 %.");
        moved.iter_mut().for_each(|number| number.place += 500);
        let again = to_ledger(&moved, Some(&noted)).unwrap();
        assert_eq!(told(&again), told(&noted));
        let spot = format!("byte = {}", moved[1].place);
        assert!(again.contains(&spot), "the entry knows its new place: {again}");
        // A number in front is taken out of the same sentence: the note stays with its print.
        let shorter = to_ledger(&sentence("A solves 64.4 % and 70.1 %."), Some(&noted)).unwrap();
        assert_eq!(told(&shorter), [("64.4".to_owned(), true), ("70.1".to_owned(), false)], "{shorter}");
        // Its own number is taken out: what the person wrote stays, and is put on no other number.
        let without = to_ledger(&sentence("B is known to solve 10.5 %."), Some(&noted)).unwrap();
        assert_eq!(told(&without), [("10.5".to_owned(), false), ("64.4".to_owned(), true)], "{without}");
        // Ids stay unique, and writing twice gives the same bytes.
        for text in [&again, &shorter, &without] {
            let ids: Vec<&str> = text.lines().filter(|line| line.starts_with("id = ")).collect();
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{text}");
        }
        assert_eq!(to_ledger(&moved, Some(&again)).unwrap(), again);
    }
}
