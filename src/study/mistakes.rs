//! All mistakes in the shape of a declaration at once.
//!
//! A reader of typed data stops at the first thing it does not understand. Here each such thing is noted,
//! mended in a copy so that the reader can go on, and the copy is read again: an unknown key is taken out, a
//! missing or wrong value gets a placeholder of the kind that is accepted. What was mended is never used.

use serde_path_to_error::Segment;
use toml::{Table, Value};

use super::Study;
use crate::report::nearest;

/// Most mistakes that are looked for; beyond that a file is something else.
const MOST: usize = 100;

/// One thing that the reader did not understand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mistake {
    /// Dotted key (`set[1].kind`).
    pub(super) key: String,
    /// What the reader says.
    pub(super) message: String,
    /// What kind it is.
    pub(super) kind: Kind,
}

/// Kinds of mistakes in shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A key that nothing reads, and the known key that was probably meant.
    Unknown(Option<String>),
    /// A key that must be there.
    Missing,
    /// A value of another kind than is expected.
    Wrong,
}

/// The declaration as far as it can be read, and every mistake in its shape. `None` when it cannot be mended.
pub(super) fn read(mut table: Table) -> (Option<Study>, Vec<Mistake>) {
    let mut mistakes: Vec<Mistake> = Vec::new();
    while mistakes.len() < MOST {
        let mistake = match attempt(&table) {
            Ok(study) => return (Some(study), mistakes),
            Err(mistake) => mistake,
        };
        let mended = mend(&mut table, &mistake);
        let again = mistakes.contains(&mistake);
        if !again {
            mistakes.push(mistake);
        }
        if !mended || again {
            break;
        }
    }
    (None, mistakes)
}

fn attempt(table: &Table) -> Result<Study, Mistake> {
    serde_path_to_error::deserialize(Value::Table(table.clone())).map_err(|error| {
        let message = error.inner().message().lines().next().unwrap_or_default().to_owned();
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let mut path: Vec<String> = error.path().iter().filter_map(segment).collect();
        let (kind, name) = match quoted.split_first() {
            Some((name, known)) if message.starts_with("unknown field") => {
                let near = nearest(name, known.iter().copied()).map(str::to_owned);
                (Kind::Unknown(near), Some((*name).to_owned()))
            }
            Some((name, _)) if message.starts_with("missing field") => (Kind::Missing, Some((*name).to_owned())),
            _ => (Kind::Wrong, None),
        };
        if let Some(name) = name
            && path.last() != Some(&name)
        {
            path.push(name);
        }
        Mistake { key: joined(&path), message, kind }
    })
}

fn segment(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

/// `set[1].kind` from its parts.
fn joined(parts: &[String]) -> String {
    let mut out = String::new();
    for part in parts {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            out.push_str(&format!("[{part}]"));
        } else {
            out.push_str(if out.is_empty() { "" } else { "." });
            out.push_str(part);
        }
    }
    out
}

/// Makes the copy readable where the mistake is; false when nothing helps.
fn mend(table: &mut Table, mistake: &Mistake) -> bool {
    let parts: Vec<&str> = mistake.key.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
    let Some((name, above)) = parts.split_last() else { return false };
    if matches!(mistake.kind, Kind::Unknown(_)) {
        return parent(table, above).and_then(|parent| remove(parent, name)).is_some();
    }
    let mut candidates: Vec<Value> = vec![
        Value::String("x".into()),
        Value::Integer(1),
        Value::Float(0.5),
        Value::Boolean(true),
        Value::Array(Vec::new()),
        Value::Table(Table::new()),
    ];
    let mut at = 0;
    while let Some(candidate) = candidates.get(at).cloned() {
        at += 1;
        let Some(parent) = parent(table, above) else { return false };
        if !put(parent, name, candidate) {
            return false;
        }
        match attempt(table) {
            Err(next) if next.key == mistake.key && next.kind == Kind::Wrong => {
                // The words that are accepted stand in the message.
                let words =
                    next.message.split('`').skip(1).step_by(2).skip(1).map(|word| Value::String(word.to_owned()));
                for word in words.filter(|_| next.message.starts_with("unknown variant")) {
                    if candidates.len() < 40 && !candidates.contains(&word) {
                        candidates.push(word);
                    }
                }
            }
            _ => return true,
        }
    }
    false
}

fn parent<'t>(table: &'t mut Table, path: &[&str]) -> Option<Here<'t>> {
    let mut here = Here::Table(table);
    for part in path {
        let next = match here {
            Here::Table(table) => table.get_mut(*part)?,
            Here::List(list) => list.get_mut(part.parse::<usize>().ok()?)?,
        };
        here = match next {
            Value::Table(table) => Here::Table(table),
            Value::Array(list) => Here::List(list),
            _ => return None,
        };
    }
    Some(here)
}

enum Here<'t> {
    Table(&'t mut Table),
    List(&'t mut Vec<Value>),
}

fn remove(here: Here<'_>, name: &str) -> Option<Value> {
    match here {
        Here::Table(table) => table.remove(name),
        Here::List(_) => None,
    }
}

fn put(here: Here<'_>, name: &str, value: Value) -> bool {
    match here {
        Here::Table(table) => {
            table.insert(name.to_owned(), value);
            true
        }
        Here::List(list) => match name.parse::<usize>().ok().and_then(|index| list.get_mut(index)) {
            Some(item) => {
                *item = value;
                true
            }
            None => false,
        },
    }
}
