//! Reading every entry once, on all threads: CRC, SHA-256, SHA-512 and the digest of the stored bytes.

use std::collections::BTreeMap;
use std::io::{self, Read};

use rayon::prelude::*;

use crate::bundle::container::{Container, Hashes, Hashing};
use crate::report::{Finding, Findings, Place};
use crate::world::Progress;

/// What reading an entry gave.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadEntry {
    /// Fixity of the content.
    pub(super) hashes: Hashes,
    /// SHA-256 of the bytes in the zip.
    pub(super) record: [u8; 32],
    /// Size of the content.
    pub(super) bytes: u64,
}

/// Reads all entries; by path below the root. An entry that cannot be read is a finding and is absent.
pub(super) fn read_all(
    container: &Container,
    root: &str,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> BTreeMap<String, ReadEntry> {
    let mut names: Vec<&String> = container.members().keys().collect();
    names.sort_by_key(|name| container.members()[*name].data);
    let read: Vec<(&String, io::Result<ReadEntry>)> = names
        .into_par_iter()
        .with_max_len(64)
        .map_init(|| vec![0; 1 << 18], |buffer, name| (name, read_entry(container, name, buffer, progress)))
        .collect();
    let mut entries = BTreeMap::new();
    for (name, result) in read {
        let path = name.strip_prefix(root).and_then(|path| path.strip_prefix('/')).unwrap_or(name);
        match result {
            Ok(entry) => drop(entries.insert(path.to_owned(), entry)),
            Err(error) => findings.push(Finding::new("entry-damaged", Place::file(path), error.to_string())),
        }
    }
    entries
}

fn read_entry(container: &Container, name: &str, buffer: &mut [u8], progress: &dyn Progress) -> io::Result<ReadEntry> {
    let mut reader = container.open(name)?;
    let mut hashing = Hashing::of_size(container.members()[name].member.size);
    let mut bytes = 0;
    loop {
        let read = reader.read(buffer)?;
        if read == 0 {
            break;
        }
        hashing.update(&buffer[..read]);
        bytes += read as u64;
        progress.advance(read as u64);
    }
    Ok(ReadEntry { hashes: hashing.finish(), record: reader.record_digest()?, bytes })
}
