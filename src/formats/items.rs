//! Walking a JSON document that is too large for one tree: members one by one, items of chosen lists one by one.

use super::{Listing, Sink, document};
use crate::json::{Fault, Kind, Reader, Repair, Value};
use crate::report::{Finding, Place};
use crate::world::Source;

/// One thing in a document.
#[derive(Debug)]
pub(super) enum Item {
    /// A member of the object that the document is, or of an object on the way to a list (`results.stats`).
    Member(String, Value),
    /// An item of a list that was asked for, or of a document that is a list: position and first byte.
    Element(usize, usize, Value),
}

/// Walks bytes; `lists` names the members whose lists come item by item, with dots where they lie deeper. Returns the number of items that came
/// whole, and where the text breaks, if it does. What was read before the break has been visited.
pub(super) fn walk(
    bytes: &[u8],
    lists: &[&'static str],
    visit: &mut dyn FnMut(Item, Vec<Repair>),
) -> (usize, Option<Fault>) {
    let mut count = 0;
    let fault = whole(&mut Reader::new(bytes), lists, &mut count, visit).err();
    (count, fault)
}

fn whole(
    reader: &mut Reader<'_>,
    lists: &[&'static str],
    count: &mut usize,
    visit: &mut dyn FnMut(Item, Vec<Repair>),
) -> Result<(), Fault> {
    if reader.kind()? == Kind::List {
        elements(reader, count, visit)?;
    } else {
        members(reader, "", lists, count, visit)?;
    }
    reader.end()
}

fn members(
    reader: &mut Reader<'_>,
    inside: &str,
    lists: &[&'static str],
    count: &mut usize,
    visit: &mut dyn FnMut(Item, Vec<Repair>),
) -> Result<(), Fault> {
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        let name = if inside.is_empty() { key.into_owned() } else { format!("{inside}.{key}") };
        let listed = lists.iter().find(|list| **list == name);
        let deeper =
            lists.iter().any(|list| list.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.')));
        match (listed, reader.kind()?) {
            (Some(_), Kind::List) => elements(reader, count, visit)?,
            (None, Kind::Object) if deeper => members(reader, &name, lists, count, visit)?,
            _ => {
                let value = reader.value()?;
                *count += 1;
                visit(Item::Member(name, value), reader.take_repairs());
            }
        }
    }
    Ok(())
}

fn elements(reader: &mut Reader<'_>, count: &mut usize, visit: &mut dyn FnMut(Item, Vec<Repair>)) -> Result<(), Fault> {
    reader.begin_list()?;
    let mut position = 0;
    while reader.next_item()? {
        reader.kind()?;
        let byte = reader.position();
        let value = reader.value()?;
        *count += 1;
        visit(Item::Element(position, byte, value), reader.take_repairs());
        position += 1;
    }
    Ok(())
}

/// Walks a file of a study: what is wrong with it is told, and its digest is kept.
pub(super) fn read(
    source: &dyn Source,
    path: &str,
    lists: &[&'static str],
    sink: &mut dyn Sink,
    visit: &mut dyn FnMut(&mut dyn Sink, Item),
) {
    let document = match document(source, path) {
        Ok(document) => document,
        Err(finding) => return sink.finding(finding),
    };
    sink.file(path, document.digest, document.size);
    let told = &mut *sink;
    let (count, fault) = walk(&document.bytes, lists, &mut |item, repairs| {
        repaired(path, &item, &repairs, told);
        visit(told, item);
    });
    if let Some(fault) = fault {
        let stands = format!("the {count} entries before it were used");
        sink.finding(Finding::torn(Place::file(path).with_record(count), &fault, &stands));
    }
}

/// One finding for each kind of repair of an item.
fn repaired(path: &str, item: &Item, repairs: &[Repair], sink: &mut dyn Sink) {
    let place = match item {
        Item::Member(name, _) => Place::file(path).with_subject(name.as_str()),
        Item::Element(position, ..) => Place::file(path).with_record(*position),
    };
    for (at, repair) in repairs.iter().enumerate() {
        if repairs[..at].iter().all(|earlier| earlier.what != repair.what) {
            sink.finding(Finding::repaired(place.clone(), repair));
        }
    }
}

/// The first item of a document that is a list, as far as the beginning of the file shows it whole.
pub(super) fn first(listing: &Listing<'_>, path: &str) -> Option<Value> {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    reader.begin_list().ok()?;
    if reader.next_item().ok()? { reader.value().ok() } else { None }
}

/// The first member of a document that is an object, whole.
pub(super) fn first_member(listing: &Listing<'_>, path: &str) -> Option<(String, Value)> {
    let head = listing.head(path);
    let mut reader = Reader::new(&head);
    reader.begin_object().ok()?;
    let key = reader.next_key().ok()??.into_owned();
    Some((key, reader.value().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> (Vec<String>, usize, Option<usize>) {
        let mut seen = Vec::new();
        let (count, fault) = walk(text.as_bytes(), &["rows"], &mut |item, _| {
            seen.push(match item {
                Item::Member(name, value) => format!("{name}={}", value.python_text()),
                Item::Element(position, byte, value) => {
                    format!("[{position}]@{byte}={}", value.python_text())
                }
            });
        });
        (seen, count, fault.map(|fault| fault.byte))
    }

    #[test]
    fn members_and_items_come_one_by_one_up_to_a_break() {
        let (items, count, fault) = seen(r#"{"a": 1, "rows": [2, {"b": 3}], "c": [4]}"#);
        assert_eq!(items, ["a=1", "[0]@18=2", "[1]@21={'b': 3}", "c=[4]"]);
        assert_eq!((count, fault), (4, None));
        assert_eq!(seen("[1, 2, ").0, ["[0]@1=1", "[1]@4=2"]);
        assert_eq!(seen("[1, 2, ").2, Some(7));
        assert_eq!(seen(r#"{"rows": 5}"#).0, ["rows=5"]);
        assert_eq!(seen("7").2, Some(0));
        assert!(seen("{} x").2.is_some());
    }

    #[test]
    fn a_list_may_lie_deeper() {
        let mut names = Vec::new();
        let text = r#"{"id": 1, "results": {"stats": 2, "rows": [3]}, "rows": [4]}"#;
        let (_, fault) = walk(text.as_bytes(), &["results.rows"], &mut |item, _| {
            names.push(match item {
                Item::Member(name, _) => name,
                Item::Element(..) => "[]".to_owned(),
            });
        });
        assert_eq!((names, fault), (["id", "results.stats", "[]", "rows"].map(str::to_owned).to_vec(), None));
    }
}
