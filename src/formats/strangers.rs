//! Files that people have and that no format reads, so that a folder of them is called by its name and the way out of it is
//! said.

use super::listing::{Listing, unpacked};
use crate::json::Value;

/// Endings of files that hold tables or records in a form that is not read, what they are, and what would help.
const ENDINGS: &[(&[&str], &str)] = &[
    (&[".xlsx", ".xls", ".ods"], "a spreadsheet, which is not read: save its sheet as CSV"),
    (&[".yaml", ".yml"], "YAML, which is not read: write it as JSON, one object per line"),
    (
        &[".pkl", ".pickle", ".pt", ".npz", ".npy"],
        "data of a Python program, which is not read: write its rows as CSV or JSON lines",
    ),
    (&[".db", ".sqlite", ".sqlite3", ".duckdb"], "a data base, which is not read: write its table as CSV"),
    (&[".feather", ".arrow"], "an Arrow file, which is not read: write it as Parquet or CSV"),
    (&[".zst", ".xz", ".bz2", ".7z"], "packed in a way that is not read through: unpack it, or pack it with gzip"),
    (&[".zip", ".tar", ".tar.gz", ".tgz"], "a packed folder: unpack it first"),
];

/// A layout that is known and not read.
struct Layout {
    /// Whether a file is of it, by its path and its first object.
    fits: fn(&str, &Value) -> bool,
    /// What to say.
    says: &'static str,
}

const LAYOUTS: &[Layout] = &[
    Layout {
        fits: |_, value| all(value, &["name", "language", "tests", "results"]),
        says: "a problem of MultiPL-E, which is not read: write a row per problem and sample with name, model and \
               status == \"OK\" as a table; its programs are no Python and could not be executed",
    },
    Layout {
        fits: |_, value| all(value, &["testcase", "model", "tests_outcomes"]),
        says: "a result of the benchmark of aider, which is not read: write a row per testcase with model and the last of \
               tests_outcomes as a table",
    },
    Layout {
        fits: |_, value| {
            all(value, &["code", "metadata"]) && value.get("metadata").is_some_and(|m| m.get("library").is_some())
        },
        says: "answers to DS-1000, which hold no marks: write the marks of its test script as a table with id, model and passed",
    },
    Layout {
        fits: |_, value| all(value, &["details"]) && (value.get("accuracy").is_some() || value.get("score").is_some()),
        says: "a result of OpenCompass, which is not read: write its details as a table with a row per question (id, model, \
               correct), or use its summary as CSV",
    },
    Layout {
        fits: |_, value| lists_of_lists(value),
        says: "results of APPS (a list of test outcomes per problem), which are not read: write a row per problem and sample \
               with whether all of them are true as a table",
    },
    Layout {
        fits: |_, value| nested(value),
        says: "an object of objects, and not a list of rows: write a row per problem with task, model and passed",
    },
];

fn all(value: &Value, names: &[&str]) -> bool {
    names.iter().all(|name| value.get(name).is_some())
}

/// `{"0": [[true, false], ...], ...}`
fn lists_of_lists(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    let inner = |value: &Value| value.as_list().is_some_and(|list| list.iter().all(|item| item.as_list().is_some()));
    let mut members = object.iter().peekable();
    members.peek().is_some() && members.all(|(name, value)| name.bytes().all(|b| b.is_ascii_digit()) && inner(value))
}

/// `{"model": {"task": true, ...}, ...}` or `{"task": {"passed": true}, ...}`
fn nested(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    let single = |value: &Value| value.as_bool().is_some() || value.as_f64().is_some() || value.as_text().is_some();
    let inner = |value: &Value| value.as_object().is_some_and(|inner| inner.iter().any(|(_, value)| single(value)));
    let mut members = object.iter().peekable();
    members.peek().is_some() && members.all(|(_, value)| inner(value))
}

/// Largest document that is looked at whole.
const LARGEST: u64 = 1 << 24;

/// Why a link is not followed.
const LINK: &str = "a link or a special file: these are not followed, so that a study is whole in its folder";

/// Files that could hold what somebody looks for, and why they are not read: the first path of a kind, how many more there
/// are, and words.
pub fn strangers(listing: &Listing<'_>) -> Vec<(String, usize, &'static str)> {
    let mut kinds: Vec<(String, usize, &'static str)> = Vec::new();
    for (path, says) in each(listing) {
        match kinds.iter_mut().find(|(_, _, known)| *known == says) {
            Some(kind) => kind.1 += 1,
            None => kinds.push((path, 0, says)),
        }
    }
    kinds
}

fn each(listing: &Listing<'_>) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &'static str)> = listing.links().iter().map(|link| (link.clone(), LINK)).collect();
    for entry in listing.entries() {
        let path = entry.path.as_str();
        let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
        if let Some((_, says)) = ENDINGS.iter().find(|(endings, _)| ends(endings)) {
            found.push((path.to_owned(), *says));
            continue;
        }
        let value = match unpacked(path) {
            name if name.ends_with(".json") => listing.value(path, LARGEST),
            name if name.ends_with(".jsonl") => listing.objects(path, 1).pop(),
            _ => None,
        };
        if let Some(layout) = value.and_then(|value| LAYOUTS.iter().find(|layout| (layout.fits)(path, &value))) {
            found.push((path.to_owned(), layout.says));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    #[test]
    fn what_is_known_and_not_read_is_called_by_its_name() {
        let of_files = [
            ("r.xlsx", "PK", "spreadsheet"),
            ("r.csv.zst", "x", "gzip"),
            ("r.yaml", "- a: 1", "YAML"),
            ("h.json", r#"{"name": "p", "language": "lua", "tests": "", "results": []}"#, "MultiPL-E"),
            ("a.json", r#"{"testcase": "x", "model": "m", "tests_outcomes": [true]}"#, "aider"),
            ("d.jsonl", r#"{"id": 1, "code": "x", "metadata": {"library": "Numpy"}}"#, "DS-1000"),
            ("o.json", r#"{"accuracy": 50.0, "details": {}}"#, "OpenCompass"),
            ("p.json", r#"{"0": [[true, false]], "1": [[-1]]}"#, "APPS"),
            ("n.json", r#"{"gpt": {"p1": true}, "claude": {"p1": false}}"#, "an object of objects"),
        ];
        for (path, text, word) in of_files {
            let source = Memory::default().with(path, text);
            let found = strangers(&Listing::new(&source).unwrap());
            assert!(found.len() == 1 && found[0].2.contains(word), "{path}: {found:?}");
        }
        let source = Memory::default().with("notes.json", r#"{"date": "2024", "n": 3}"#);
        assert!(strangers(&Listing::new(&source).unwrap()).is_empty());
    }
}
