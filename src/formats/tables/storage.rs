//! How a table is stored, as a declaration says it.

use std::collections::BTreeMap;

use super::rows::Storage;
use super::unpacked;

/// How the table is stored, as members of `columns`, so that a `study.toml` says it.
pub(super) fn storage_columns(storage: &Storage, columns: &mut BTreeMap<String, String>) {
    match storage {
        Storage::Separated { separator, header } => {
            let word = match separator {
                b'\t' => "tab",
                b';' => "semicolon",
                b'|' => "bar",
                _ => "comma",
            };
            if word != "comma" {
                columns.insert("separator".to_owned(), word.to_owned());
            }
            if !header {
                columns.insert("header".to_owned(), "none".to_owned());
            }
        }
        Storage::List(Some(member)) => drop(columns.insert("rows".to_owned(), member.clone())),
        Storage::Lines | Storage::List(None) | Storage::Parquet => {}
    }
}

/// The storage that `columns` and the name of a file declare.
pub(super) fn stored(path: &str, columns: &BTreeMap<String, String>) -> Storage {
    let name = unpacked(path);
    let ends = |ending: &str| name.ends_with(ending);
    if ends(".parquet") {
        Storage::Parquet
    } else if ends(".jsonl") || ends(".ndjson") {
        Storage::Lines
    } else if ends(".json") {
        Storage::List(columns.get("rows").cloned())
    } else {
        let separator = match columns.get("separator").map(String::as_str) {
            Some("tab") => b'\t',
            Some("semicolon") => b';',
            Some("bar") => b'|',
            None if ends(".tsv") || ends(".tab") => b'\t',
            Some(_) | None => b',',
        };
        Storage::Separated { separator, header: columns.get("header").is_none_or(|word| word != "none") }
    }
}
