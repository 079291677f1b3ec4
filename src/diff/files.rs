//! Files by digest.

use std::io::{self, Read};

use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::level::{DiffRow, Level, members, rows};
use crate::digest::Digest;
use crate::world::{Progress, Source, Unit};

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
    progress.begin_in(Unit::Bytes, "hashing files", entries.iter().map(|entry| entry.bytes).sum());
    let hashed = entries.into_par_iter().with_max_len(16).map(|entry| {
        let digest = if entry.regular { Some(digest(source, &entry.path, progress)?) } else { None };
        Ok(FileDigest { path: entry.path, bytes: entry.bytes, digest })
    });
    let result = hashed.collect();
    progress.finish();
    result
}

fn digest(source: &dyn Source, path: &str, progress: &dyn Progress) -> io::Result<Digest> {
    let (mut reader, mut hasher, mut buffer) = (source.open_as_stored(path)?, Sha256::new(), vec![0; 1 << 16]);
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
pub(super) fn compare(a: &Level, b: &Level) -> Vec<DiffRow> {
    rows(a, b, |key| key.join("/"), "sha256")
}

/// Files by path.
pub(super) fn level(files: &[FileDigest]) -> Level {
    let of = |file: &FileDigest| {
        let digest = file.digest.map_or_else(|| "no regular file".to_owned(), |digest| digest.to_string());
        (vec![file.path.clone()], members([("sha256", Some(digest))]))
    };
    files.iter().map(of).collect()
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
        let found = compare(&level(&old), &level(&new));
        let short: Vec<_> = found.iter().map(|row| (row.subject.as_str(), row.change)).collect();
        assert_eq!(short, [("edited", Change::Changed), ("gone", Change::Removed), ("new", Change::Added)]);
        assert_eq!(found[0].before.as_deref(), Some(Digest::of(b"1").to_string().as_str()));
    }
}
