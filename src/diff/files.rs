//! Files by digest.

use std::collections::BTreeMap;
use std::io::{self, Read};

use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::row::{Members, Row, rows};
use crate::digest::Digest;
use crate::world::{Progress, Source};

/// A file with its digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FileDigest {
    /// Path.
    pub path: String,
    /// Size.
    pub bytes: u64,
    /// SHA-256; `None` for what is no regular file.
    pub digest: Option<Digest>,
}

/// Digests of all files of a source, streamed on all threads, in the order of the paths.
pub fn digests(source: &dyn Source, progress: &dyn Progress) -> io::Result<Vec<FileDigest>> {
    let mut entries = source.entries()?;
    entries.sort();
    progress.begin("hashing files", entries.iter().map(|entry| entry.bytes).sum());
    let hashed = entries.into_par_iter().with_max_len(16).map(|entry| {
        let digest = if entry.regular { Some(digest(source, &entry.path, progress)?) } else { None };
        Ok(FileDigest { path: entry.path, bytes: entry.bytes, digest })
    });
    let result = hashed.collect();
    progress.finish();
    result
}

fn digest(source: &dyn Source, path: &str, progress: &dyn Progress) -> io::Result<Digest> {
    let (mut reader, mut hasher, mut buffer) = (source.open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok(Digest::from_bytes(hasher.finalize().into()));
        }
        hasher.update(&buffer[..read]);
        progress.advance(read as u64);
    }
}

/// Files that differ.
pub(super) fn compare(a: &[FileDigest], b: &[FileDigest]) -> Vec<Row> {
    let members = |file: &FileDigest| -> (String, Members) {
        let digest = file.digest.map_or_else(|| "no regular file".to_owned(), |digest| digest.to_string());
        (file.path.clone(), Members::from([("sha256", digest)]))
    };
    let (a, b): (BTreeMap<_, _>, BTreeMap<_, _>) = (a.iter().map(members).collect(), b.iter().map(members).collect());
    rows(&a, &b, String::clone, "sha256")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Change;
    use crate::world::Silent;
    use crate::world::memory::Memory;

    #[test]
    fn files_are_compared_by_content() {
        let old = Memory::default().with("same", *b"1").with("edited", *b"1").with("gone", *b"1");
        let new = Memory::default().with("same", *b"1").with("edited", *b"2").with("new", *b"1");
        let (old, new) = (digests(&old, &Silent).unwrap(), digests(&new, &Silent).unwrap());
        let found = compare(&old, &new);
        let short: Vec<_> = found.iter().map(|row| (row.subject.as_str(), row.change)).collect();
        assert_eq!(short, [("edited", Change::Changed), ("gone", Change::Removed), ("new", Change::Added)]);
        assert_eq!(found[0].before.as_deref(), Some(Digest::of(b"1").to_string().as_str()));
    }
}
