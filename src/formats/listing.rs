//! A folder as formats look at it: names, and the beginnings of files, read once.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::open::{document, head, no_text};
use crate::json::{Reader, Value};
use crate::report::Finding;
use crate::world::{Entry, Source};

/// How much of a file is looked at.
const HEAD: u64 = 1 << 18;

/// Files of a source, with their beginnings.
pub struct Listing<'s> {
    source: &'s dyn Source,
    entries: Vec<Entry>,
    links: Vec<String>,
    heads: Mutex<BTreeMap<String, Arc<[u8]>>>,
}

impl<'s> Listing<'s> {
    /// Lists a source; links and special files are left out.
    pub fn new(source: &'s dyn Source) -> io::Result<Self> {
        let (entries, others): (Vec<Entry>, Vec<Entry>) =
            source.entries()?.into_iter().partition(|entry| entry.regular);
        let links = others.into_iter().map(|entry| entry.path).collect();
        Ok(Self { source, entries, links, heads: Mutex::default() })
    }

    /// What is listed.
    pub fn source(&self) -> &'s dyn Source {
        self.source
    }

    /// Regular files, sorted by path.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Links and special files, which no format looks at.
    pub fn links(&self) -> &[String] {
        &self.links
    }

    /// Paths that end with one of these endings, packed or not, sorted.
    pub fn ending<'l>(&'l self, endings: &'l [&str]) -> impl Iterator<Item = &'l str> {
        let fits = |path: &&str| endings.iter().any(|ending| unpacked(path).ends_with(ending));
        self.entries.iter().map(|entry| entry.path.as_str()).filter(fits)
    }

    /// The first bytes of a file, unpacked, without a byte-order mark; empty when it cannot be read.
    pub fn head(&self, path: &str) -> Arc<[u8]> {
        let known = self.heads.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        known.unwrap_or_else(|| {
            let bytes = head(self.source, path, HEAD);
            let bytes: Arc<[u8]> = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).into();
            self.heads.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes.clone());
            bytes
        })
    }

    /// The JSON objects among the first `most` lines of a file; none when most of the lines are none, so that a broken
    /// line does not hide what a file is.
    pub fn objects(&self, path: &str, most: usize) -> Vec<Value> {
        let head = self.head(path);
        let lines = head.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let object = |line: &[u8]| {
            let mut reader = Reader::new(line);
            let value = reader.value().ok().filter(|value| value.as_object().is_some())?;
            reader.end().ok().map(|()| value)
        };
        let looked: Vec<Option<Value>> = lines.take(most).map(object).collect();
        let objects = looked.iter().flatten().count();
        if 2 * objects < looked.len() {
            return Vec::new();
        }
        looked.into_iter().flatten().collect()
    }

    /// Names of the members of a JSON object that is the whole file, as far as its beginning shows them.
    pub fn members(&self, path: &str) -> Vec<String> {
        let head = self.head(path);
        let mut reader = Reader::new(&head);
        let mut names = Vec::new();
        if reader.begin_object().is_err() {
            return names;
        }
        while let Ok(Some(key)) = reader.next_key() {
            names.push(key.into_owned());
            if reader.skip().is_err() {
                break;
            }
        }
        names
    }

    /// Files that hold no text that could be looked at, and why: pointers, other encodings, nothing.
    pub fn unreadable(&self) -> Vec<Finding> {
        const TEXTS: &[&str] = &[".json", ".jsonl", ".ndjson", ".csv", ".tsv"];
        self.ending(TEXTS).filter_map(|path| no_text(path, &head(self.source, path, 512))).collect()
    }

    /// A whole document as a value, for files of at most `most` bytes.
    pub fn value(&self, path: &str, most: u64) -> Option<Value> {
        let small = self.entries.iter().any(|entry| entry.path == path && entry.bytes <= most);
        let document = small.then(|| document(self.source, path).ok()).flatten()?;
        Reader::new(&document.bytes).value().ok()
    }
}

/// A path without the ending of a packed file.
pub(super) fn unpacked(path: &str) -> &str {
    path.strip_suffix(".gz").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    #[test]
    fn beginnings_tell_objects_and_members() {
        let source = Memory::default()
            .with("a.jsonl", "{\"x\": 1}\n\n{\"y\": [2]}\n{torn")
            .with("b.json", "{\"results\": {\"deep\": 1}, \"date\": \"2024\", \"cut\": [1,")
            .with("c.csv", "a,b\n1,2\n");
        let listing = Listing::new(&source).unwrap();
        assert_eq!((listing.objects("a.jsonl", 9).len(), listing.objects("a.jsonl", 1).len()), (2, 1));
        assert_eq!(listing.members("b.json"), ["results", "date", "cut"]);
        assert!(listing.objects("c.csv", 9).is_empty() && listing.members("c.csv").is_empty());
        assert_eq!(listing.ending(&[".json", ".csv"]).collect::<Vec<_>>(), ["b.json", "c.csv"]);
    }
}
