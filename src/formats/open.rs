//! Opening files as archives hold them: gzip is read through, bytes are hashed as they pass, and what is no text is
//! told before anybody reads it as one.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use crate::digest::Digest;
use crate::json::{Fault, Reader, foreign_encoding};
use crate::report::{Finding, Place};
use crate::world::{NotFetched, Source, Stop, Tee, Window};

/// Longest line that is read; a longer one is a finding.
const LONGEST_LINE: u64 = 1 << 29;

/// Largest document that is read as a whole, unpacked.
const LARGEST_DOCUMENT: u64 = 1 << 32;

/// How a file begins that stands for another one in Git LFS.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// A file as it is stored.
type Stored<'s> = Tee<Box<dyn Read + Send + 's>>;

/// A file, unpacked when it is packed.
enum Input<'s> {
    Plain(BufReader<Stored<'s>>),
    Gzip(Box<BufReader<MultiGzDecoder<BufReader<Stored<'s>>>>>),
}

impl<'s> Input<'s> {
    fn open(source: &'s dyn Source, path: &str) -> io::Result<Self> {
        let tee = Tee::new(source.open(path)?);
        let mut plain = BufReader::with_capacity(1 << 16, tee);
        if plain.fill_buf()?.starts_with(b"\x1f\x8b") {
            let unpacked = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(plain));
            return Ok(Self::Gzip(Box::new(unpacked)));
        }
        Ok(Self::Plain(plain))
    }

    fn reader(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Plain(reader) => reader,
            Self::Gzip(reader) => reader,
        }
    }

    /// Reads what is left of the stored bytes; their digest and number.
    fn finish(self) -> io::Result<(Digest, u64)> {
        match self {
            Self::Plain(reader) => reader.into_inner(),
            Self::Gzip(reader) => reader.into_inner().into_inner().into_inner(),
        }
        .finish()
    }
}

/// What a file is instead of text, as a finding.
pub(super) fn no_text(path: &str, start: &[u8]) -> Option<Finding> {
    if start.is_empty() {
        return Some(Finding::new("empty-file", Place::file(path), "the file holds no bytes"));
    }
    if start.starts_with(POINTER) {
        let text = String::from_utf8_lossy(&start[..start.len().min(300)]).into_owned();
        let member = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("unknown").to_owned();
        let message = format!(
            "a Git LFS pointer stands in place of the file ({}, {} bytes)",
            member("oid ").trim(),
            member("size ").trim()
        );
        return Some(Finding::new("file-elsewhere", Place::file(path), message));
    }
    let fault = foreign_encoding(start)?;
    Some(Finding::new("not-utf8", Place::file(path).with_byte(fault.byte), fault.what))
}

/// An error of reading, as a finding.
fn unreadable(path: &str, error: &io::Error) -> Finding {
    if NotFetched::of(error).is_some() {
        return Finding::unread(Place::file(path), error);
    }
    let code = match error.kind() {
        io::ErrorKind::NotFound => "missing-file",
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "torn-file",
        _ => "unreadable-file",
    };
    let what = if code == "torn-file" { "the compressed bytes end or break: " } else { "" };
    Finding::new(code, Place::file(path), format!("{what}{error}"))
}

/// A line with its place.
#[derive(Debug, Clone, Copy)]
pub struct Line<'l> {
    /// Number in the file, from 1.
    pub number: usize,
    /// Offset of its first byte in the unpacked file.
    pub byte: usize,
    /// Its bytes without the line break.
    pub bytes: &'l [u8],
    /// True when a line break follows: the last line of a file that was cut off has none.
    pub whole: bool,
}

/// Lines of a file, one at a time.
pub struct Lines<'s> {
    path: String,
    input: Input<'s>,
    buffer: Vec<u8>,
    number: usize,
    at: usize,
    broken: Option<Finding>,
}

impl<'s> Lines<'s> {
    /// Opens a file for reading by lines. A byte-order mark is stepped over.
    ///
    /// # Errors
    /// The finding that says why there is no text to read.
    pub fn open(source: &'s dyn Source, path: &str) -> Result<Self, Finding> {
        let mut input = Input::open(source, path).map_err(|error| unreadable(path, &error))?;
        let start = input.reader().fill_buf().map_err(|error| unreadable(path, &error))?;
        if let Some(finding) = no_text(path, start) {
            return Err(finding);
        }
        let mark = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        input.reader().consume(mark);
        Ok(Self { path: path.to_owned(), input, buffer: Vec::new(), number: 0, at: mark, broken: None })
    }

    /// The next line that holds more than white space; `None` at the end, or where the file breaks, which
    /// [`Self::finish`] tells.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Line<'_>> {
        loop {
            self.buffer.clear();
            let byte = self.at;
            let read = io::Read::take(self.input.reader(), LONGEST_LINE).read_until(b'\n', &mut self.buffer);
            match read {
                Ok(0) => return None,
                Ok(count) => {
                    self.at += count;
                    self.number += 1;
                    if count as u64 == LONGEST_LINE && self.buffer.last() != Some(&b'\n') {
                        let place = Place::file(&self.path).with_line(self.number).with_byte(byte);
                        let message = format!("a line longer than {LONGEST_LINE} bytes");
                        self.broken = Some(Finding::new("torn-file", place, message));
                        return None;
                    }
                }
                Err(error) => {
                    let finding = unreadable(&self.path, &error);
                    let place = Place::file(&self.path).with_line(self.number + 1).with_byte(byte);
                    self.broken = Some(Finding { place, ..finding });
                    return None;
                }
            }
            if !self.buffer.trim_ascii().is_empty() {
                let end = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
                let bytes = end.strip_suffix(b"\r").unwrap_or(end);
                let whole = self.buffer.ends_with(b"\n");
                return Some(Line { number: self.number, byte, bytes, whole });
            }
        }
    }

    /// Digest and size of the file as stored, and what broke it.
    pub fn finish(self) -> (Option<(Digest, u64)>, Option<Finding>) {
        (self.input.finish().ok(), self.broken)
    }
}

/// Bytes of a file, unpacked, for readers that take a stream.
pub(super) struct Stream<'s>(Input<'s>);

impl<'s> Stream<'s> {
    /// Opens a file; a byte-order mark is stepped over.
    ///
    /// # Errors
    /// The finding that says why there is no text to read.
    pub(super) fn open(source: &'s dyn Source, path: &str) -> Result<Self, Finding> {
        let mut input = Input::open(source, path).map_err(|error| unreadable(path, &error))?;
        let start = input.reader().fill_buf().map_err(|error| unreadable(path, &error))?;
        if let Some(finding) = no_text(path, start) {
            return Err(finding);
        }
        let mark = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        input.reader().consume(mark);
        Ok(Self(input))
    }

    /// Digest and size of the file as stored.
    pub(super) fn finish(self) -> Option<(Digest, u64)> {
        self.0.finish().ok()
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.reader().read(buffer)
    }
}

/// A JSON document of any size that is read step by step; a piece of it is in memory.
pub(super) struct Steps<'s> {
    path: String,
    window: Window<Stream<'s>>,
}

/// Where a document ends for its reader: the fault in its text, or what broke the file.
#[derive(Debug)]
pub(super) enum Broken {
    /// The text breaks off or breaks down.
    Text(Fault),
    /// The file cannot be read on.
    File(Finding),
}

impl<'s> Steps<'s> {
    /// Opens a document.
    ///
    /// # Errors
    /// The finding that says why there is no text to read.
    pub(super) fn open(source: &'s dyn Source, path: &str) -> Result<Self, Finding> {
        let window = Window::new(Stream::open(source, path)?).map_err(|stop| match stop {
            Stop::Io(error) => unreadable(path, &error),
            Stop::Fault(fault) => Finding::new("not-utf8", Place::file(path).with_byte(fault.byte), fault.what),
        })?;
        Ok(Self { path: path.to_owned(), window })
    }

    /// One step, as [`Window::step`].
    ///
    /// # Errors
    /// Where the document ends too early.
    pub(super) fn step<T>(
        &mut self,
        read: impl FnMut(&mut Reader<'_>, usize) -> Result<T, Fault>,
    ) -> Result<T, Broken> {
        self.window.step(read).map_err(|stop| match stop {
            Stop::Fault(fault) => Broken::Text(fault),
            Stop::Io(error) => Broken::File(unreadable(&self.path, &error)),
        })
    }

    /// Digest and size of the file as stored.
    pub(super) fn finish(self) -> Option<(Digest, u64)> {
        self.window.into_inner().finish()
    }
}

/// Bytes of a file that is no text, with the digest of the file as stored.
pub(super) fn binary(source: &dyn Source, path: &str) -> Result<Document, Finding> {
    let told = |error: &io::Error| unreadable(path, error);
    let mut input = Input::open(source, path).map_err(|error| told(&error))?;
    let mut bytes = Vec::new();
    io::Read::take(input.reader(), LARGEST_DOCUMENT).read_to_end(&mut bytes).map_err(|error| told(&error))?;
    if bytes.is_empty() || bytes.starts_with(POINTER) {
        return Err(no_text(path, &bytes).unwrap_or_else(|| Finding::new("empty-file", Place::file(path), "no bytes")));
    }
    let (digest, size) = input.finish().map_err(|error| told(&error))?;
    Ok(Document { bytes, digest, size })
}

/// A whole document.
#[derive(Debug)]
pub struct Document {
    /// Its bytes, unpacked.
    pub bytes: Vec<u8>,
    /// Digest of the file as stored.
    pub digest: Digest,
    /// Size of the file as stored.
    pub size: u64,
}

/// Reads a file as a whole, for documents that are one JSON value or one table of a format that cannot be read by
/// lines.
///
/// # Errors
/// The finding that says why there is no text to read.
pub fn document(source: &dyn Source, path: &str) -> Result<Document, Finding> {
    let told = |error: &io::Error| unreadable(path, error);
    let mut input = Input::open(source, path).map_err(|error| told(&error))?;
    let mut bytes = Vec::new();
    let read =
        io::Read::take(input.reader(), LARGEST_DOCUMENT).read_to_end(&mut bytes).map_err(|error| told(&error))?;
    if read as u64 == LARGEST_DOCUMENT {
        let message = format!("it holds {LARGEST_DOCUMENT} bytes or more, which is not read as one document");
        return Err(Finding::new("unreadable-file", Place::file(path), message));
    }
    if let Some(finding) = no_text(path, &bytes[..bytes.len().min(512)]) {
        return Err(finding);
    }
    let (digest, size) = input.finish().map_err(|error| told(&error))?;
    Ok(Document { bytes, digest, size })
}

/// The first bytes of a file, unpacked; empty when it cannot be read.
pub(super) fn head(source: &dyn Source, path: &str, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(mut input) = Input::open(source, path) {
        // What was unpacked before a break is still a beginning.
        let _ = io::Read::take(input.reader(), most).read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;
    use std::io::Write as _;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn lines(source: &Memory, path: &str) -> (Vec<(usize, usize, String)>, Option<Finding>, Option<(Digest, u64)>) {
        let mut lines = Lines::open(source, path).map_err(|_| ()).unwrap();
        let mut read = Vec::new();
        while let Some(line) = lines.next() {
            read.push((line.number, line.byte, String::from_utf8_lossy(line.bytes).into_owned()));
        }
        let (stored, broken) = lines.finish();
        (read, broken, stored)
    }

    #[test]
    fn lines_of_packed_and_plain_files_are_the_same() {
        let text = b"\xef\xbb\xbfone\r\n\n two\nthree";
        let source = Memory::default().with("a", text.to_vec()).with("a.gz", packed(text));
        let (plain, broken, stored) = lines(&source, "a");
        assert_eq!(plain, [(1, 3, "one".to_owned()), (3, 9, " two".to_owned()), (4, 14, "three".to_owned())]);
        assert_eq!((broken, stored), (None, Some((Digest::of(text), text.len() as u64))));
        let (unpacked, _, stored) = lines(&source, "a.gz");
        assert_eq!(unpacked, plain);
        assert_eq!(stored.unwrap().0, Digest::of(&packed(text)), "the digest is that of the stored file");
    }

    #[test]
    fn a_torn_gzip_keeps_what_stands_before_the_break_and_says_so() {
        let text: Vec<u8> =
            (0..100_000u32).flat_map(|n| format!("{}\n", n.wrapping_mul(2_654_435_761)).into_bytes()).collect();
        let whole = packed(&text);
        let source = Memory::default().with("a.gz", whole[..whole.len() / 2].to_vec());
        let (read, broken, _) = lines(&source, "a.gz");
        assert!(read.len() > 100 && read.len() < 100_000);
        assert_eq!(broken.unwrap().code, "torn-file");
        assert_eq!(document(&source, "a.gz").unwrap_err().code, "torn-file");
    }

    #[test]
    fn what_is_no_text_is_told() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab12\nsize 77\n";
        let source = Memory::default().with("e", "").with("p", pointer).with("u", b"\xff\xfea\0".to_vec());
        let code = |path: &str| Lines::open(&source, path).err().map(|finding| (finding.code, finding.message));
        assert_eq!(code("e").unwrap().0, "empty-file");
        assert!(code("p").unwrap().1.contains("sha256:ab12, 77 bytes"));
        assert_eq!(code("u").unwrap().0, "not-utf8");
        assert_eq!(code("absent").unwrap().0, "missing-file");
    }
}
