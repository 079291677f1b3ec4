//! Opening an Inspect log, whether it is a zip of entries or one JSON document: header first, then samples one
//! at a time.

use super::container::{Container, Refused};
use super::directory::is_container;
use super::header::{Header, Reduction, header, reductions};
use super::sample::{Sample, sample};
use crate::digest::Digest;
use crate::formats::items::{Item, walk};
use crate::formats::open::{binary, head};
use crate::json::{Object, Reader, Value};
use crate::report::{Finding, Place};
use crate::world::Source;

/// A log whose header is known and whose samples are still unread.
pub(super) struct Log<'s> {
    /// What it says about itself.
    pub(super) header: Header,
    /// Stored intermediate results.
    pub(super) reductions: Vec<Reduction>,
    /// Digest and size of the file.
    pub(super) stored: (Digest, u64),
    body: Body<'s>,
    path: String,
}

/// Where the samples are.
enum Body<'s> {
    /// In entries of a zip, which is read from its end.
    Container(Vec<u8>),
    /// In a JSON document of any size, which is walked again.
    Document(&'s dyn Source),
}

/// Reads what a log says about itself; what is wrong with it so far goes to `tell`.
pub(super) fn open<'s>(source: &'s dyn Source, path: &str, tell: &mut dyn FnMut(Finding)) -> Option<Log<'s>> {
    let (body, stored, members, reduced) = if is_container(&head(source, path, 1 << 10)) {
        container(source, path, tell)?
    } else {
        document(source, path, tell)?
    };
    let header = header(&members);
    let reductions = reduced.as_ref().map(reductions).unwrap_or_default();
    Some(Log { header, reductions, stored, body, path: path.to_owned() })
}

type Opened<'s> = (Body<'s>, (Digest, u64), Object, Option<Value>);

fn container<'s>(source: &'s dyn Source, path: &str, tell: &mut dyn FnMut(Finding)) -> Option<Opened<'s>> {
    let document = binary(source, path).map_err(&mut *tell).ok()?;
    let (members, reduced) = match Container::open(&document.bytes) {
        Ok(container) => from_container(&container, path, tell),
        Err(refused) => {
            tell(Finding::new("container-refused", Place::file(path).with_byte(refused.byte), refused.what));
            return None;
        }
    };
    Some((Body::Container(document.bytes), (document.digest, document.size), members, reduced))
}

/// Members of a JSON log without the samples, which are stepped over. A break behind the header is told when the
/// samples are read.
fn document<'s>(source: &'s dyn Source, path: &str, tell: &mut dyn FnMut(Finding)) -> Option<Opened<'s>> {
    let mut members = Object::default();
    let walked = walk(source, path, &["samples"], &mut |item, _| {
        if let Item::Member(name, value) = item
            && !value.is_null()
        {
            members.insert(name, value);
        }
    });
    let stored = walked.map_err(tell).ok()?.stored?;
    let reduced = members
        .remove("reductions")
        .or_else(|| members.get("results").and_then(|results| results.get("sample_reductions")).cloned());
    Some((Body::Document(source), stored, members, reduced))
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

impl Log<'_> {
    /// Visits the samples in the order of the file; what is wrong with one goes to the visitor instead.
    pub(super) fn samples(&self, visit: &mut dyn FnMut(Result<Sample, Finding>, Place)) {
        match &self.body {
            Body::Container(bytes) => self.entries(bytes, visit),
            Body::Document(source) => self.listed(*source, visit),
        }
    }

    fn entries(&self, bytes: &[u8], visit: &mut dyn FnMut(Result<Sample, Finding>, Place)) {
        let Ok(container) = Container::open(bytes) else { return };
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
    }

    fn listed(&self, source: &dyn Source, visit: &mut dyn FnMut(Result<Sample, Finding>, Place)) {
        let walked = walk(source, &self.path, &["samples"], &mut |item, repairs| {
            let Item::Element(position, byte, value) = item else { return };
            let place = Place::file(&self.path).with_record(position);
            if let Some(repair) = repairs.first() {
                visit(Err(Finding::repaired(place.clone(), repair)), place.clone());
            }
            let read = sample(&value).map_err(|what| Finding::new("bad-record", place.clone().with_byte(byte), what));
            visit(read, place);
        });
        let (count, broken) = walked.map_or_else(|told| (0, Some(told)), |walked| (walked.count, walked.broken));
        if let Some(finding) = broken {
            visit(Err(finding), Place::file(&self.path).with_record(count));
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

    fn read(source: &Memory) -> (Option<Log<'_>>, Vec<&'static str>, usize) {
        let mut told = Vec::new();
        let log = open(source, "log", &mut |finding| told.push(finding.code));
        let mut whole = 0;
        if let Some(log) = &log {
            log.samples(&mut |sample, _| match sample {
                Ok(_) => whole += 1,
                Err(finding) => told.push(finding.code),
            });
        }
        (log, told, whole)
    }

    fn stored(bytes: Vec<u8>) -> Memory {
        Memory::default().with("log", bytes)
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
        let source = stored(container);
        let (log, told, whole) = read(&source);
        let log = log.unwrap();
        assert_eq!((log.header.task.as_str(), log.reductions.len(), whole), ("t", 1, 1));
        assert_eq!(told, ["torn-file"]);
        let text = format!(
            "{}, \"samples\": [{}, 7, {}",
            std::str::from_utf8(&HEADER[..HEADER.len() - 1]).unwrap(),
            std::str::from_utf8(SAMPLE).unwrap(),
            "{\"id\": 2, "
        );
        let source = stored(text.into_bytes());
        let (log, told, whole) = read(&source);
        assert_eq!((log.unwrap().items(), whole), (vec!["1".to_owned()], 1));
        assert_eq!(told, ["bad-record", "torn-file"]);
    }

    #[test]
    fn a_log_that_was_cut_off_begins_with_its_first_header() {
        let container =
            zip(&[("_journal/start.json", 8, HEADER), ("samples/1_epoch_1.json", 8, SAMPLE), ("x", 8, SAMPLE)]);
        let cut = container.len() / 2;
        let source = stored(container[..cut].to_vec());
        let (log, told, whole) = read(&source);
        assert_eq!((log.unwrap().header.model.as_str(), told, whole), ("m", vec!["torn-file"], 1));
        assert_eq!(
            read(&stored(b"PK\x03\x04 and nothing else that a zip has inside".to_vec())).1,
            ["container-refused"]
        );
    }
}
