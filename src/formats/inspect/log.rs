//! Opening an Inspect log, whether it is a zip of entries or one JSON document: header first, then samples one
//! at a time.

use super::container::{Container, Refused};
use super::directory::is_container;
use super::header::{Header, Reduction, header, reductions};
use super::sample::{Sample, sample};
use crate::digest::Digest;
use crate::formats::document;
use crate::formats::items::{Item, walk};
use crate::json::{Fault, Kind, Object, Reader, Value};
use crate::report::{Finding, Place};
use crate::world::Source;

/// A log in memory, its samples still unread.
pub(super) struct Log {
    /// What it says about itself.
    pub(super) header: Header,
    /// Stored intermediate results.
    pub(super) reductions: Vec<Reduction>,
    /// Digest and size of the file.
    pub(super) stored: (Digest, u64),
    bytes: Vec<u8>,
    path: String,
}

/// Reads what a log says about itself; what is wrong with it so far goes to `tell`.
pub(super) fn open(source: &dyn Source, path: &str, tell: &mut dyn FnMut(Finding)) -> Option<Log> {
    let document = match document(source, path) {
        Ok(document) => document,
        Err(finding) => {
            tell(finding);
            return None;
        }
    };
    let stored = (document.digest, document.size);
    let bytes = document.bytes;
    let (members, reduced) = if is_container(&bytes) {
        match Container::open(&bytes) {
            Ok(container) => from_container(&container, path, tell),
            Err(refused) => {
                tell(Finding::new("container-refused", Place::file(path).with_byte(refused.byte), refused.what));
                return None;
            }
        }
    } else {
        let mut members = Object::default();
        // A break behind the header is told when the samples are read.
        let _ = without_samples(&bytes, &mut members);
        let reduced = members
            .remove("reductions")
            .or_else(|| members.get("results").and_then(|results| results.get("sample_reductions")).cloned());
        (members, reduced)
    };
    let header = header(&members);
    let reductions = reduced.as_ref().map(reductions).unwrap_or_default();
    Some(Log { header, reductions, stored, bytes, path: path.to_owned() })
}

/// Members of a JSON log without the samples, which are stepped over.
fn without_samples(bytes: &[u8], members: &mut Object) -> Result<(), Fault> {
    let mut reader = Reader::new(bytes);
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        if &*key == "samples" || reader.kind()? == Kind::Null {
            reader.skip()?;
        } else {
            let value = reader.value()?;
            members.insert(key.into_owned(), value);
        }
    }
    reader.end()
}

/// Header and reductions of a zip; a log that was cut off has only the header it began with.
fn from_container(container: &Container<'_>, path: &str, tell: &mut dyn FnMut(Finding)) -> (Object, Option<Value>) {
    if let Some(torn) = &container.torn {
        let message = format!("{}; {} entries before the break were used", torn.what, container.entries.len());
        tell(Finding::new("torn-file", Place::file(path).with_byte(torn.byte), message));
    }
    let mut read = |name: &str| {
        let entry = container.find(name)?;
        match entry_value(container, name) {
            Ok(value) => Some(value),
            Err(what) => {
                tell(Finding::new(
                    "torn-file",
                    Place::file(path).with_subject(&entry.name).with_byte(entry.data),
                    what,
                ));
                None
            }
        }
    };
    let members = match read("header.json").or_else(|| read("_journal/start.json")) {
        Some(Value::Object(members)) => members,
        _ => Object::default(),
    };
    (members, read("reductions.json"))
}

fn entry_value(container: &Container<'_>, name: &str) -> Result<Value, String> {
    let entry = container.find(name).ok_or("the entry is absent")?;
    let content = container.read(entry).map_err(|Refused { what, .. }| what)?;
    Reader::new(&content).value().map_err(|fault| fault.to_string())
}

/// True for the name of an entry that holds a sample.
fn is_sample(name: &str) -> bool {
    name.starts_with("samples/") && name.ends_with(".json")
}

impl Log {
    /// Visits the samples in the order of the file; what is wrong with one goes to the visitor instead.
    pub(super) fn samples(&self, visit: &mut dyn FnMut(Result<Sample, Finding>, Place)) {
        if is_container(&self.bytes) {
            let Ok(container) = Container::open(&self.bytes) else { return };
            for (position, entry) in container.entries.iter().filter(|entry| is_sample(&entry.name)).enumerate() {
                let place = Place::file(&self.path).with_record(position);
                let named = || place.clone().with_subject(entry.name.as_str()).with_byte(entry.data);
                let read = match container.read(entry) {
                    Err(refused) => Err(Finding::new("torn-file", named(), refused.what)),
                    Ok(content) => match Reader::new(&content).value() {
                        Err(fault) => Err(Finding::new("torn-file", named(), fault.to_string())),
                        Ok(value) => sample(&value).map_err(|what| Finding::new("bad-record", named(), what)),
                    },
                };
                visit(read, place);
            }
            return;
        }
        let (count, fault) = walk(&self.bytes, &["samples"], &mut |item, repairs| {
            let Item::Element(position, byte, value) = item else { return };
            let place = Place::file(&self.path).with_record(position);
            if let Some(repair) = repairs.first() {
                visit(Err(Finding::repaired(place.clone(), repair)), place.clone());
            }
            let read = sample(&value).map_err(|what| Finding::new("bad-record", place.clone().with_byte(byte), what));
            visit(read, place);
        });
        if let Some(fault) = fault {
            let place = Place::file(&self.path).with_record(count);
            let finding = Finding::torn(place.clone(), &fault, &format!("the {count} entries before it were used"));
            visit(Err(finding), place);
        }
    }

    /// True when at least one sample can be read.
    pub(super) fn has_samples(&self) -> bool {
        let mut any = false;
        self.samples(&mut |sample, _| any |= sample.is_ok());
        any
    }

    /// Ids of the samples: those that were to be evaluated where the log lists them, else those it holds, in order.
    pub(super) fn items(&self) -> Vec<String> {
        if !self.header.sample_ids.is_empty() {
            return self.header.sample_ids.clone();
        }
        let mut ids: Vec<String> = Vec::new();
        self.samples(&mut |sample, _| ids.extend(sample.ok().map(|sample| sample.id)));
        ids.sort();
        ids.dedup();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::super::container::tests::zip;
    use super::*;
    use crate::world::memory::Memory;

    const HEADER: &[u8] = br#"{"status": "success", "eval": {"task": "t", "model": "m", "dataset": {}}}"#;
    const SAMPLE: &[u8] = br#"{"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}}"#;

    fn read(bytes: Vec<u8>) -> (Option<Log>, Vec<&'static str>, usize) {
        let source = Memory::default().with("log", bytes);
        let mut told = Vec::new();
        let log = open(&source, "log", &mut |finding| told.push(finding.code));
        let mut whole = 0;
        if let Some(log) = &log {
            log.samples(&mut |sample, _| match sample {
                Ok(_) => whole += 1,
                Err(finding) => told.push(finding.code),
            });
        }
        (log, told, whole)
    }

    #[test]
    fn a_zip_and_a_document_hold_the_same_log() {
        let container = zip(&[
            ("_journal/start.json", 8, b"{}"),
            ("samples/1_epoch_1.json", 93, SAMPLE),
            ("samples/2_epoch_1.json", 8, b"{\"id\": 2, "),
            ("reductions.json", 8, br#"[{"scorer": "match", "samples": [{"sample_id": 1, "value": 1.0}]}]"#),
            ("header.json", 8, HEADER),
        ]);
        let (log, told, whole) = read(container);
        let log = log.unwrap();
        assert_eq!((log.header.task.as_str(), log.reductions.len(), whole), ("t", 1, 1));
        assert_eq!(told, ["torn-file"]);
        let text = format!(
            "{}, \"samples\": [{}, 7, {}",
            std::str::from_utf8(&HEADER[..HEADER.len() - 1]).unwrap(),
            std::str::from_utf8(SAMPLE).unwrap(),
            "{\"id\": 2, "
        );
        let (log, told, whole) = read(text.into_bytes());
        assert_eq!((log.unwrap().items(), whole), (vec!["1".to_owned()], 1));
        assert_eq!(told, ["bad-record", "torn-file"]);
    }

    #[test]
    fn a_log_that_was_cut_off_begins_with_its_first_header() {
        let container =
            zip(&[("_journal/start.json", 8, HEADER), ("samples/1_epoch_1.json", 8, SAMPLE), ("x", 8, SAMPLE)]);
        let cut = container.len() / 2;
        let (log, told, whole) = read(container[..cut].to_vec());
        assert_eq!((log.unwrap().header.model.as_str(), told, whole), ("m", vec!["torn-file"], 1));
        assert_eq!(read(b"PK\x03\x04 and nothing else that a zip has inside".to_vec()).1, ["container-refused"]);
    }
}
