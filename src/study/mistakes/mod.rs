//! All mistakes in the shape of a declaration at once.
//!
//! A reader of typed data stops at the first thing it does not understand. Here each such thing is noted,
//! mended in a copy so that the reader can go on, and the copy is read again: an unknown key is taken out, a
//! missing or wrong value gets a placeholder of the kind that is accepted. What was mended is never used.

mod fault;
mod given;

use serde_path_to_error::Segment;
use toml::{Table, Value};

use self::fault::Fault;
use self::given::Given;

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
    Wrong {
        /// Whether it would be understood in quotes, as text.
        as_text: bool,
    },
}

/// What the reader did not understand, and where.
struct Met {
    /// Dotted key.
    key: String,
    fault: Fault,
}

/// The declaration as far as it can be read, and every mistake in its shape. `None` when it cannot be mended.
pub(super) fn read(mut table: Table) -> (Option<Study>, Vec<Mistake>) {
    let mut mistakes: Vec<Mistake> = Vec::new();
    while mistakes.len() < MOST {
        let met = match attempt(&table) {
            Ok(study) => return (Some(study), mistakes),
            Err(met) => met,
        };
        let as_text = as_text(&table, &met);
        let mended = mend(&mut table, &met);
        let mistake = Mistake { message: met.fault.to_string(), kind: kind(&met.fault, as_text), key: met.key };
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

fn attempt(table: &Table) -> Result<Study, Met> {
    serde_path_to_error::deserialize(Given(Value::Table(table.clone()))).map_err(|error| {
        let mut path: Vec<String> = error.path().iter().filter_map(segment).collect();
        let fault = error.into_inner();
        let name = match &fault {
            Fault::UnknownField(name, _) => Some(name.as_str()),
            Fault::MissingField(name) => Some(*name),
            Fault::UnknownVariant(..) | Fault::Other(_) => None,
        };
        if let Some(name) = name
            && path.last().map(String::as_str) != Some(name)
        {
            path.push(name.to_owned());
        }
        Met { key: joined(&path), fault }
    })
}

fn kind(fault: &Fault, as_text: bool) -> Kind {
    match fault {
        Fault::UnknownField(name, known) => Kind::Unknown(nearest(name, known.iter().copied()).map(str::to_owned)),
        Fault::MissingField(_) => Kind::Missing,
        Fault::UnknownVariant(..) | Fault::Other(_) => Kind::Wrong { as_text },
    }
}

/// Whether a number, date or truth value would be understood in quotes: it is read once more as text.
fn as_text(table: &Table, met: &Met) -> bool {
    let Fault::Other(_) = met.fault else { return false };
    let mut copy = table.clone();
    let parts = parts(&met.key);
    let Some((name, above)) = parts.split_last() else { return false };
    let text = match parent(&mut copy, above).and_then(|parent| value(parent, name)) {
        Some(plain @ (Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_))) => {
            Value::String(plain.to_string())
        }
        _ => return false,
    };
    let put = parent(&mut copy, above).is_some_and(|parent| put(parent, name, text));
    put && attempt(&copy).map_or_else(|next| next.key != met.key, |_| true)
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

/// The parts of a dotted key.
fn parts(key: &str) -> Vec<&str> {
    key.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect()
}

/// Makes the copy readable where the mistake is; false when nothing helps.
fn mend(table: &mut Table, met: &Met) -> bool {
    let parts = parts(&met.key);
    let Some((name, above)) = parts.split_last() else { return false };
    if matches!(met.fault, Fault::UnknownField(..)) {
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
            Err(Met { key, fault: Fault::UnknownVariant(_, words) }) if key == met.key => {
                for word in words.iter().map(|word| Value::String((*word).to_owned())) {
                    if candidates.len() < 40 && !candidates.contains(&word) {
                        candidates.push(word);
                    }
                }
            }
            Err(Met { key, fault: Fault::Other(_) }) if key == met.key => {}
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

fn value<'t>(here: Here<'t>, name: &str) -> Option<&'t Value> {
    match here {
        Here::Table(table) => table.get(name),
        Here::List(list) => list.get(name.parse::<usize>().ok()?),
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
