//! The directory of an accepted container, and streaming one entry.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use sha2::{Digest as _, Sha256};

use super::header::{DEFLATE, Member};
use super::inspect::{Found, Inspected};

/// An open container whose headers were inspected.
#[derive(Debug)]
pub(crate) struct Container {
    file: File,
    members: BTreeMap<String, Found>,
}

impl Container {
    /// Takes over an inspected file.
    pub(crate) fn new(file: File, inspected: &Inspected) -> Self {
        let members = inspected.members.iter().map(|found| (found.member.name.clone(), found.clone())).collect();
        Self { file, members }
    }

    /// Entries by name.
    pub(crate) fn members(&self) -> &BTreeMap<String, Found> {
        &self.members
    }

    /// Opens an entry.
    pub(crate) fn open(&self, name: &str) -> io::Result<EntryReader<'_>> {
        let found = self.members.get(name).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, name.to_owned()))?;
        Ok(EntryReader::new(&self.file, found))
    }

    /// Whole content of an entry of at most `most` bytes.
    pub(crate) fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let reader = self.open(name)?;
        if reader.member.size > most {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("{name} is larger than {most} bytes")));
        }
        let mut bytes = Vec::new();
        let mut reader = reader;
        reader.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// A stretch of a file, hashed as it is read.
struct Section<'a> {
    file: &'a File,
    position: u64,
    end: u64,
    hasher: Sha256,
}

impl Read for Section<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = (self.end - self.position).min(buffer.len() as u64) as usize;
        let read = crate::world::system::read_at(self.file, &mut buffer[..most], self.position)?;
        if read == 0 && most > 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the container became shorter"));
        }
        self.position += read as u64;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

enum Decoder<'a> {
    Stored(BufReader<Section<'a>>),
    Deflated(DeflateDecoder<BufReader<Section<'a>>>),
}

/// Content of one entry. Never yields more than the size in the headers; ends with an error when the
/// content is shorter or longer than that, does not have its CRC, or leaves stored bytes unused.
pub(crate) struct EntryReader<'a> {
    member: &'a Member,
    decoder: Decoder<'a>,
    yielded: u64,
    crc: Crc,
    ended: bool,
}

impl<'a> EntryReader<'a> {
    fn new(file: &'a File, found: &'a Found) -> Self {
        let member = &found.member;
        let section = Section { file, position: found.data, end: found.data + member.packed, hasher: Sha256::new() };
        let buffer = BufReader::with_capacity(1 << 16, section);
        let decoder = match member.method {
            DEFLATE => Decoder::Deflated(DeflateDecoder::new(buffer)),
            _ => Decoder::Stored(buffer),
        };
        Self { member, decoder, yielded: 0, crc: Crc::new(), ended: false }
    }

    /// After the end: SHA-256 of the bytes as they stand in the container. Reads what a decoder left.
    pub(crate) fn record_digest(self) -> io::Result<[u8; 32]> {
        let mut buffer = match self.decoder {
            Decoder::Stored(buffer) => buffer,
            Decoder::Deflated(decoder) => decoder.into_inner(),
        };
        io::copy(&mut buffer, &mut io::sink())?;
        Ok(buffer.into_inner().hasher.finalize().into())
    }

    fn check_end(&mut self) -> io::Result<()> {
        self.ended = true;
        let wrong = if self.yielded != self.member.size {
            Some("its content is shorter than its header says")
        } else if self.crc.sum() != self.member.crc {
            Some("its content does not have the CRC of its header")
        } else if self.unused()? {
            Some("bytes stand behind the end of its compressed data")
        } else {
            None
        };
        wrong.map_or(Ok(()), |wrong| Err(corrupt(self.member, wrong)))
    }

    fn unused(&mut self) -> io::Result<bool> {
        match &mut self.decoder {
            Decoder::Stored(_) => Ok(false),
            Decoder::Deflated(decoder) => Ok(decoder.total_in() != self.member.packed),
        }
    }
}

impl Read for EntryReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended || buffer.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.decoder {
            Decoder::Stored(decoder) => decoder.read(buffer),
            Decoder::Deflated(decoder) => decoder.read(buffer),
        };
        let read = read.map_err(|error| corrupt(self.member, &error.to_string()))?;
        self.yielded += read as u64;
        if self.yielded > self.member.size {
            self.ended = true;
            return Err(corrupt(self.member, "its content is longer than its header says"));
        }
        self.crc.update(&buffer[..read]);
        if read == 0 {
            self.check_end()?;
        }
        Ok(read)
    }
}

fn corrupt(member: &Member, wrong: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{}: {wrong}", member.name))
}
