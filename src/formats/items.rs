//! Walking a JSON document that is too large for one tree: members one by one, items of chosen lists one by one.

use super::open::{Broken, Steps};
use super::quiet::Quiet;
use super::{Listing, Sink};
use crate::digest::Digest;
use crate::json::{Kind, Reader, Repair, Value};
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

/// What is done with each thing, and with what was repaired in it.
type Visit<'v> = &'v mut dyn FnMut(Item, Vec<Repair>);

/// A document while it is walked.
struct Walk<'w, 's> {
    steps: &'w mut Steps<'s>,
    /// Members whose lists come item by item.
    lists: &'w [&'w str],
    /// Things that came whole.
    count: usize,
}

impl Walk<'_, '_> {
    fn whole(&mut self, visit: Visit<'_>) -> Result<(), Broken> {
        if self.steps.step(|reader, _| reader.kind())? == Kind::List {
            self.elements(visit)?;
        } else {
            self.members("", visit)?;
        }
        self.steps.step(|reader, _| reader.end())
    }

    fn members(&mut self, inside: &str, visit: Visit<'_>) -> Result<(), Broken> {
        self.steps.step(|reader, _| reader.begin_object())?;
        while let Some(key) = self.steps.step(|reader, _| Ok(reader.next_key()?.map(std::borrow::Cow::into_owned)))? {
            let name = if inside.is_empty() { key } else { format!("{inside}.{key}") };
            let listed = self.lists.iter().any(|list| **list == name);
            let below = |list: &&str| list.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'));
            let deeper = self.lists.iter().any(below);
            match (listed, self.steps.step(|reader, _| reader.kind())?) {
                (true, Kind::List) => self.elements(visit)?,
                (false, Kind::Object) if deeper => self.members(&name, visit)?,
                _ => {
                    let (value, repairs) = self.steps.step(value)?;
                    self.count += 1;
                    visit(Item::Member(name, value), repairs);
                }
            }
        }
        Ok(())
    }

    fn elements(&mut self, visit: Visit<'_>) -> Result<(), Broken> {
        self.steps.step(|reader, _| reader.begin_list())?;
        let item = |reader: &mut Reader<'_>, base: usize| {
            if !reader.next_item()? {
                return Ok(None);
            }
            reader.kind()?;
            let byte = base + reader.position();
            value(reader, base).map(|(value, repairs)| Some((byte, value, repairs)))
        };
        let mut position = 0;
        while let Some((byte, value, repairs)) = self.steps.step(item)? {
            self.count += 1;
            visit(Item::Element(position, byte, value), repairs);
            position += 1;
        }
        Ok(())
    }
}

/// A value with what was repaired in it, at places of the file.
fn value(reader: &mut Reader<'_>, base: usize) -> Result<(Value, Vec<Repair>), crate::json::Fault> {
    let value = reader.value()?;
    let placed = |repair: Repair| Repair { byte: base + repair.byte, ..repair };
    Ok((value, reader.take_repairs().into_iter().map(placed).collect()))
}

/// How the walk over a file went.
pub(super) struct Walked {
    /// Things that came whole; where the text breaks, all that stand before the break.
    pub(super) count: usize,
    /// What ended it too early.
    pub(super) broken: Option<Finding>,
    /// Digest and size of the file as stored.
    pub(super) stored: Option<(Digest, u64)>,
}

/// Walks a file. `lists` names the members whose lists come item by item, with dots where they lie deeper.
///
/// # Errors
/// The finding that says why there is no text to read.
pub(super) fn walk(source: &dyn Source, path: &str, lists: &[&str], visit: Visit<'_>) -> Result<Walked, Finding> {
    let mut steps = Steps::open(source, path)?;
    let mut walk = Walk { steps: &mut steps, lists, count: 0 };
    let ended = walk.whole(visit);
    let count = walk.count;
    let broken = ended.err().map(|broken| match broken {
        Broken::File(finding) => finding,
        Broken::Text(fault) => {
            let stands = format!("the {count} entries before it were used");
            Finding::torn(Place::file(path).with_record(count), &fault, &stands)
        }
    });
    Ok(Walked { count, broken, stored: steps.finish() })
}

/// Walks a file of a study: what is wrong with it is told, and its digest is kept.
pub(super) fn read(
    source: &dyn Source,
    path: &str,
    lists: &[&str],
    sink: &mut dyn Sink,
    visit: &mut dyn FnMut(&mut dyn Sink, Item),
) {
    let told = &mut *sink;
    let walked = walk(source, path, lists, &mut |item, repairs| {
        repaired(path, &item, &repairs, told);
        visit(told, item);
    });
    match walked {
        Err(finding) => sink.finding(finding),
        Ok(Walked { broken, stored, .. }) => {
            if let Some(finding) = broken {
                sink.finding(finding);
            }
            if let Some((digest, bytes)) = stored {
                sink.file(path, digest, bytes);
            }
        }
    }
}

/// Walks a file to see what is in it; what is wrong with it is told when it is read.
pub(super) fn look(source: &dyn Source, path: &str, lists: &[&str], visit: &mut dyn FnMut(Item)) {
    read(source, path, lists, &mut Quiet, &mut |_, item| visit(item));
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

    fn walked(text: &str, lists: &[&str], visit: Visit<'_>) -> (usize, Option<usize>) {
        let source = crate::world::memory::Memory::default().with("a.json", text);
        let mut steps = Steps::open(&source, "a.json").map_err(|_| ()).unwrap();
        let mut walk = Walk { steps: &mut steps, lists, count: 0 };
        let broken = walk.whole(visit).err().map(|broken| match broken {
            Broken::Text(fault) => fault.byte,
            Broken::File(finding) => unreachable!("{finding:?}"),
        });
        (walk.count, broken)
    }

    fn seen(text: &str) -> (Vec<String>, usize, Option<usize>) {
        let mut seen = Vec::new();
        let (count, fault) = walked(text, &["rows"], &mut |item, _| {
            seen.push(match item {
                Item::Member(name, value) => format!("{name}={}", value.python_text()),
                Item::Element(position, byte, value) => {
                    format!("[{position}]@{byte}={}", value.python_text())
                }
            });
        });
        (seen, count, fault)
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
        let (_, fault) = walked(text, &["results.rows"], &mut |item, _| {
            names.push(match item {
                Item::Member(name, _) => name,
                Item::Element(..) => "[]".to_owned(),
            });
        });
        assert_eq!((names, fault), (["id", "results.stats", "[]", "rows"].map(str::to_owned).to_vec(), None));
    }
}
