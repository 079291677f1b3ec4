//! Entries to a file, front to back, with what is known late filled in at the end.
//!
//! The manifests stand first in the zip, though they are known last. Their *lengths* are known before
//! anything is read (a digest has a fixed width and the list of files is given), so the writer leaves
//! room for them, streams the payload behind, and fills the room in at the end. The same trick gives
//! local headers their CRC and sizes without data descriptors. Each byte is read once and written once.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use sha2::{Digest as _, Sha256};

use super::header::{self, Member, STORE, Stamp};
use super::pack::{Hashes, Sink};
use crate::world::system;

/// A zip being written.
pub(crate) struct Writer<'a> {
    file: &'a File,
    out: BufWriter<&'a File>,
    position: u64,
    stamp: Stamp,
    members: Vec<Member>,
    /// SHA-256 of each entry's bytes in the zip, as far as known.
    records: Vec<[u8; 32]>,
    record: Sha256,
    /// Names and sizes of the files that arrive through [`Sink`], in order.
    incoming: Vec<(String, u64)>,
    begun: usize,
    hashes: Vec<Hashes>,
    /// Entries whose local header has to be written again.
    patches: Vec<usize>,
}

impl<'a> Writer<'a> {
    /// Begins at the start of an empty file.
    pub(crate) fn new(file: &'a File, stamp: Stamp) -> Self {
        Self {
            file,
            out: BufWriter::with_capacity(1 << 20, file),
            position: 0,
            stamp,
            members: Vec::new(),
            records: Vec::new(),
            record: Sha256::new(),
            incoming: Vec::new(),
            begun: 0,
            hashes: Vec::new(),
            patches: Vec::new(),
        }
    }

    /// Adds a stored entry whose content is known now.
    pub(crate) fn store(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let index = self.reserve(name, content.len() as u64)?;
        self.fill(index, content)
    }

    /// Leaves room for a stored entry of `bytes` bytes; returns its index for [`Writer::fill`].
    pub(crate) fn reserve(&mut self, name: &str, bytes: u64) -> io::Result<usize> {
        let offset = self.position;
        self.begin(Member { name: name.to_owned(), method: STORE, crc: 0, packed: bytes, size: bytes, offset })?;
        let index = self.members.len() - 1;
        self.records.push([0; 32]);
        io::copy(&mut io::Read::take(io::repeat(0), bytes), &mut self.out)?;
        self.position += bytes;
        Ok(index)
    }

    /// Fills reserved room with content of exactly the reserved length.
    pub(crate) fn fill(&mut self, index: usize, content: &[u8]) -> io::Result<()> {
        let stamp = self.stamp;
        let member = &mut self.members[index];
        if content.len() as u64 != member.size {
            return Err(io::Error::other(format!("{} has another length than was reserved for it", member.name)));
        }
        let mut crc = flate2::Crc::new();
        crc.update(content);
        member.crc = crc.sum();
        self.records[index] = Sha256::digest(content).into();
        self.out.flush()?;
        system::write_all_at(self.file, &member.local(stamp), member.offset)?;
        system::write_all_at(self.file, content, member.offset + member.local_len())
    }

    /// Announces the files that the next [`super::pack_all`] delivers, in order.
    pub(crate) fn expect(&mut self, files: impl IntoIterator<Item = (String, u64)>) {
        self.incoming = files.into_iter().collect();
        self.begun = 0;
        self.hashes.clear();
    }

    /// Fixity of the files delivered since [`Writer::expect`], in order.
    pub(crate) fn hashes(&self) -> &[Hashes] {
        &self.hashes
    }

    /// SHA-256 of the data bytes of every entry so far, with its name, in container order.
    pub(crate) fn records(&self) -> impl Iterator<Item = (&str, &[u8; 32])> {
        self.members.iter().map(|member| member.name.as_str()).zip(&self.records)
    }

    /// Writes the directory and the end record; the file is then complete. Returns the number of entries.
    pub(crate) fn finish(&mut self) -> io::Result<u64> {
        let start = self.position;
        let mut bytes = 0;
        for member in &self.members {
            let header = member.central(self.stamp);
            bytes += header.len() as u64;
            self.out.write_all(&header)?;
        }
        self.out.write_all(&header::end(self.members.len() as u64, bytes, start))?;
        self.out.flush()?;
        for &index in &self.patches {
            let member = &self.members[index];
            system::write_all_at(self.file, &member.local(self.stamp), member.offset)?;
        }
        Ok(self.members.len() as u64)
    }

    /// Writes a local header.
    fn begin(&mut self, member: Member) -> io::Result<()> {
        self.out.write_all(&member.local(self.stamp))?;
        self.position += member.local_len();
        self.members.push(member);
        Ok(())
    }
}

impl Sink for Writer<'_> {
    fn piece(&mut self, file: usize, packed: &[u8], method: u16, hashes: Option<&Hashes>) -> io::Result<()> {
        let first = file == self.begun;
        if first {
            self.begun += 1;
            let (name, size) = self.incoming[file].clone();
            let mut member = Member { name, method, crc: 0, packed: 0, size, offset: self.position };
            if let Some(hashes) = hashes {
                (member.crc, member.packed) = (hashes.crc, packed.len() as u64);
            }
            self.begin(member)?;
        }
        self.out.write_all(packed)?;
        self.record.update(packed);
        self.position += packed.len() as u64;
        let member = self.members.last_mut().ok_or_else(|| io::Error::other("a piece without a file"))?;
        if !(first && hashes.is_some()) {
            member.packed += packed.len() as u64;
        }
        if let Some(hashes) = hashes {
            if !first {
                member.crc = hashes.crc;
                self.patches.push(self.members.len() - 1);
            }
            self.hashes.push(*hashes);
            self.records.push(self.record.finalize_reset().into());
        }
        Ok(())
    }
}
