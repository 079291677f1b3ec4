//! The items of a tree of JSON and JSONL files, by id.
//!
//! A line of a JSONL file is an item, and so is each member of a list at the root of a JSON file; any other
//! JSON file is one item. Items are told apart by a member that names them; a file that is one item without
//! such a member is named by its file.

use std::collections::BTreeMap;

use crate::json::{Reader, Value};
use crate::report::{Finding, Place};

/// Members that may name an item, in the order in which they are tried.
const NAMING: [&str; 8] = ["id", "problem_id", "item_id", "task_id", "question_id", "instance_id", "key", "name"];

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its content.
    pub value: Value,
    /// File it was read from.
    pub file: String,
    /// Line in a JSONL file, from 1.
    pub line: Option<usize>,
}

/// Items by id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    items: BTreeMap<String, Item>,
}

impl Items {
    /// Reads files that are given as path and bytes. `naming` is the member that names an item; without it
    /// the first of the usual ones is taken that every item has. Files that are neither `.json` nor
    /// `.jsonl` are left alone. What cannot be read is a finding; the rest is used.
    pub fn read<'b>(
        files: impl IntoIterator<Item = (&'b str, &'b [u8])>,
        naming: Option<&str>,
    ) -> (Self, Vec<Finding>) {
        let mut findings = Vec::new();
        let mut read: Vec<(Item, bool)> = Vec::new();
        for (path, bytes) in files {
            let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            match extension {
                "jsonl" | "ndjson" => lines(path, bytes, &mut read, &mut findings),
                "json" => whole(path, bytes, &mut read, &mut findings),
                _ => {}
            }
        }
        let naming = naming.or_else(|| NAMING.into_iter().find(|name| names_all(&read, name)));
        let mut items = Self::default();
        for (item, alone) in read {
            let place = item.place();
            match naming.and_then(|naming| id(&item.value, naming)).or_else(|| alone.then(|| stem(&item.file))) {
                None => {
                    let wanted = naming.map_or_else(|| "no member".to_owned(), |name| format!("no member {name:?}"));
                    findings.push(Finding::new("bad-item", place, format!("{wanted} names this item")));
                }
                Some(id) if items.items.contains_key(&id) => {
                    let message = "another item before it has the same id; the first one is used";
                    findings.push(Finding::new("duplicate-item", place.with_subject(id), message));
                }
                Some(id) => {
                    items.items.insert(id, item);
                }
            }
        }
        (items, findings)
    }

    /// Items from values that were read elsewhere.
    pub fn of(items: impl IntoIterator<Item = (String, Item)>) -> Self {
        Self { items: items.into_iter().collect() }
    }

    /// An item by id.
    pub fn get(&self, id: &str) -> Option<&Item> {
        self.items.get(id)
    }

    /// The only item, when there is exactly one.
    pub fn only(&self) -> Option<(&str, &Item)> {
        let mut all = self.iter();
        all.next().filter(|_| self.items.len() == 1)
    }

    /// All items, in the order in which people count.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Item)> {
        let mut all: Vec<(&str, &Item)> = self.items.iter().map(|(id, item)| (id.as_str(), item)).collect();
        all.sort_by(|a, b| super::natural(a.0, b.0));
        all.into_iter()
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Item> {
        self.items.get_mut(id)
    }

    pub(super) fn insert(&mut self, id: String, item: Item) {
        self.items.insert(id, item);
    }

    pub(super) fn remove(&mut self, id: &str) -> Option<Item> {
        self.items.remove(id)
    }
}

impl Item {
    /// Where it stands.
    pub fn place(&self) -> Place {
        let place = Place::file(&self.file);
        match self.line {
            Some(line) => place.with_line(line),
            None => place,
        }
    }
}

fn lines(path: &str, bytes: &[u8], read: &mut Vec<(Item, bool)>, findings: &mut Vec<Finding>) {
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match parse(line) {
            Ok(value) => {
                read.push((Item { value, file: path.to_owned(), line: Some(number + 1) }, false));
            }
            Err(what) => findings.push(Finding::new("torn-file", Place::file(path).with_line(number + 1), what)),
        }
    }
}

fn whole(path: &str, bytes: &[u8], read: &mut Vec<(Item, bool)>, findings: &mut Vec<Finding>) {
    match parse(bytes) {
        Ok(Value::List(values)) if values.iter().all(|value| value.as_object().is_some()) && !values.is_empty() => {
            let item = |value| (Item { value, file: path.to_owned(), line: None }, false);
            read.extend(values.into_iter().map(item));
        }
        Ok(value) => read.push((Item { value, file: path.to_owned(), line: None }, true)),
        Err(what) => findings.push(Finding::new("torn-file", Place::file(path), what)),
    }
}

/// One JSON text and nothing after it.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, String> {
    let mut reader = Reader::new(bytes);
    let value = reader.value().map_err(|fault| fault.to_string())?;
    let rest = bytes.get(reader.position()..).unwrap_or_default();
    if rest.iter().all(u8::is_ascii_whitespace) {
        Ok(value)
    } else {
        Err(format!("something follows the value at byte {}", reader.position()))
    }
}

/// The text of the member that names an item.
pub(super) fn id(value: &Value, naming: &str) -> Option<String> {
    match value.get(naming)? {
        Value::Text(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.literal().to_owned()),
        _ => None,
    }
}

fn names_all(read: &[(Item, bool)], naming: &str) -> bool {
    !read.is_empty() && read.iter().all(|(item, _)| id(&item.value, naming).is_some())
}

/// The name of a file without folders and extension.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(files: &[(&str, &str)], naming: Option<&str>) -> (Vec<String>, Vec<&'static str>) {
        let (items, findings) = Items::read(files.iter().map(|(path, text)| (*path, text.as_bytes())), naming);
        (items.iter().map(|(id, _)| id.to_owned()).collect(), findings.iter().map(|finding| finding.code).collect())
    }

    #[test]
    fn items_are_found_in_lines_lists_and_files() {
        let lines = "{\"problem_id\": \"10\"}\n\n{\"problem_id\": 9}\n";
        assert_eq!(ids(&[("a.jsonl", lines)], None).0, ["9", "10"]);
        assert_eq!(ids(&[("a.json", r#"[{"id": "x"}, {"id": "y"}]"#)], None).0, ["x", "y"]);
        assert_eq!(ids(&[("p/5.json", r#"{"a": 1}"#), ("p/6.json", "[1, 2]"), ("p/read.me", "?")], None).0, ["5", "6"]);
        assert_eq!(ids(&[("a.jsonl", r#"{"id": 1, "slug": "s"}"#)], Some("slug")).0, ["s"]);
    }

    #[test]
    fn what_cannot_be_used_is_told_and_the_rest_is_read() {
        let (found, codes) = ids(&[("a.jsonl", "{\"id\": 1}\n{\"id\": \n{\"id\": 1}\n{\"id\": 2} x")], None);
        assert_eq!((found, codes), (vec!["1".to_owned()], vec!["torn-file", "torn-file", "duplicate-item"]));
        assert_eq!(ids(&[("a.jsonl", "{\"x\": 1}\n")], None).1, ["bad-item"]);
    }
}
