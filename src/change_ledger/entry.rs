//! Entries of a change ledger.

use crate::json::{FieldPath, Value};
use crate::report::{Finding, Place};

use super::items::{id, parse};

/// Verdicts that say that nothing was changed.
const KEEPING: [&str; 3] = ["keep", "kept", "no-change"];

/// One recorded change.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Item concerned; `None` where the ledger is about one item and names none.
    pub item: Option<String>,
    /// Place of the field; the root stands for the item as a whole.
    pub field: FieldPath,
    /// Value before; `null` also stands for a place that was not there.
    pub before: Value,
    /// Value after; `null` also stands for a place that is no longer there.
    pub after: Value,
    /// What was decided.
    pub verdict: String,
    /// Why.
    pub reason: String,
    /// Round of changes it belongs to; empty where the ledger names none.
    pub round: String,
    /// File and line.
    pub place: Place,
}

/// Entries in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entries(Vec<Entry>);

impl Entry {
    /// True for a record that says that nothing was changed.
    pub fn keeps(&self) -> bool {
        KEEPING.contains(&self.verdict.as_str())
    }
}

impl Entries {
    /// Reads ledger files (path and bytes, JSONL or a JSON list). Rounds are put in the order in which
    /// people count (`R3`, `R7`, `R10`); within a round the order is that of the files. An entry that cannot
    /// be used is a finding, and its change then counts as unrecorded.
    pub fn read<'b>(files: impl IntoIterator<Item = (&'b str, &'b [u8])>) -> (Self, Vec<Finding>) {
        let (mut entries, mut findings) = (Vec::new(), Vec::new());
        for (path, bytes) in files {
            for (place, value) in values(path, bytes) {
                match value.and_then(|value| entry(&value, place.clone())) {
                    Ok(entry) => entries.push(entry),
                    Err(what) => findings.push(Finding::new("ledger-bad-entry", place, what)),
                }
            }
        }
        (entries.into_iter().collect(), findings)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.0.iter()
    }

    /// Those of one round.
    #[must_use]
    pub fn of_round(&self, round: &str) -> Self {
        self.0.iter().filter(|entry| entry.round == round).cloned().collect()
    }

    /// Names of the rounds, in order.
    pub fn rounds(&self) -> Vec<&str> {
        let mut rounds: Vec<&str> = self.0.iter().map(|entry| entry.round.as_str()).collect();
        rounds.dedup();
        rounds
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True without entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Entry> for Entries {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut entries: Vec<Entry> = entries.into_iter().collect();
        // Stable: the order inside a round stays.
        entries.sort_by(|a, b| super::natural(&a.round, &b.round));
        Self(entries)
    }
}

/// The values of a ledger file with their places.
fn values(path: &str, bytes: &[u8]) -> Vec<(Place, Result<Value, String>)> {
    let file = Place::file(path);
    if path.ends_with(".json") {
        return match parse(bytes) {
            Ok(Value::List(items)) => {
                items.into_iter().enumerate().map(|(at, item)| (file.clone().with_record(at), Ok(item))).collect()
            }
            Ok(_) => vec![(file, Err("the ledger is no list of entries".to_owned()))],
            Err(what) => vec![(file, Err(what))],
        };
    }
    let blank = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !blank(line));
    lines.map(|(number, line)| (file.clone().with_line(number + 1), parse(line))).collect()
}

fn entry(value: &Value, place: Place) -> Result<Entry, String> {
    let object = value.as_object().ok_or("the entry is no object")?;
    let text = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::Text(text)) => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.literal().to_owned()),
        Some(_) => Err(format!("`{name}` is no text")),
    };
    let side = |name: &str| object.get(name).cloned().ok_or_else(|| format!("`{name}` is missing"));
    let item = match object.get("id") {
        None | Some(Value::Null) => None,
        Some(_) => Some(id(value, "id").ok_or("`id` is no text and no number")?),
    };
    let field = object.get("field").map_or(Ok(String::new()), |_| text("field"))?;
    if object.get("field").is_none() && item.is_none() {
        return Err("the entry has neither `id` nor `field`, so it names no place".to_owned());
    }
    Ok(Entry {
        item,
        field: FieldPath::parse(&field).map_err(|fault| fault.to_string())?,
        before: side("before")?,
        after: side("after")?,
        verdict: text("verdict")?,
        reason: text("reason")?,
        round: text("round")?,
        place,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Entries, Vec<String>) {
        let (entries, findings) = Entries::read([("ledger.jsonl", text.as_bytes())]);
        (entries, findings.into_iter().map(|finding| format!("{}: {}", finding.place, finding.message)).collect())
    }

    #[test]
    fn rounds_come_in_order_and_entries_stay_in_theirs() {
        let line = |id: u8, round: &str| {
            format!(r#"{{"id": {id}, "field": "a", "before": 1, "after": 2, "round": "{round}"}}"#)
        };
        let text = [line(1, "R10"), line(2, "R3"), line(3, "R10"), line(4, "R3")].join("\n");
        let (entries, faults) = read(&text);
        assert!(faults.is_empty());
        assert_eq!(entries.rounds(), ["R3", "R10"]);
        let ids: Vec<_> = entries.iter().filter_map(|entry| entry.item.as_deref()).collect();
        assert_eq!(ids, ["2", "4", "1", "3"]);
        assert_eq!(entries.of_round("R3").len(), 2);
    }

    #[test]
    fn an_entry_that_cannot_be_used_names_its_line_and_what_is_missing() {
        let (entries, faults) = read(
            "{\"id\": 1, \"field\": \"a\", \"before\": 1}\n[]\n{\n{\"before\": 1, \"after\": 2}\n{\"id\": 1, \"field\": \"a[\", \"before\": 1, \"after\": 2}",
        );
        assert!(entries.is_empty());
        assert_eq!(faults.len(), 5, "{faults:?}");
        assert!(faults[0].contains("line 1") && faults[0].contains("`after`"), "{faults:?}");
        assert!(faults[4].contains("bracket"), "{faults:?}");
    }
}
