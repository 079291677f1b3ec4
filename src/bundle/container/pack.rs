//! Content in pieces: read in order, hashed and compressed on all threads, handed on in order.
//!
//! A file is cut into pieces of [`PIECE`] bytes. Pieces are deflated independently, each with the 32
//! KiB before it as dictionary and ended by an empty stored block, so that they can be joined to one
//! deflate stream (the method of `pigz`). Where pieces are cut depends on the file alone, never on
//! threads or speed, so the bytes are the same on every machine. SHA-256, SHA-512, SHA-1 (of the form that
//! Git and Software Heritage hash) and CRC-32 see every byte once, in the same pass. While one batch is worked on, the next is read and
//! the last is handed on; memory is two batches, and two more in packed form.

use std::io::{self, Read};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use rayon::prelude::*;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};

use super::header::{DEFLATE, STORE};
use crate::world::ChangedWhileRead;

/// Bytes of a piece.
pub(crate) const PIECE: usize = 1 << 20;
/// Bytes of a batch.
const BATCH: usize = 24 << 20;
/// Files in a batch, when they are small.
const BATCH_FILES: usize = 2048;
/// How far deflate looks back.
const WINDOW: usize = 32 << 10;
/// Deflate level: the next one saves 1 % of space on archived runs (8 % on made-up text) and takes up to
/// twice the time.
pub(crate) const LEVEL: u32 = 5;

/// Fixity of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hashes {
    /// SHA-256 of the content.
    pub(crate) sha256: [u8; 32],
    /// SHA-512 of the content.
    pub(crate) sha512: [u8; 64],
    /// SHA-1 of the content as a Git blob: an identifier, not a seal.
    pub(crate) git: [u8; 20],
    /// CRC-32 of the content.
    pub(crate) crc: u32,
}

/// A file to pack: opens once, yields exactly `bytes` bytes.
pub(crate) trait Input: Sync {
    /// Size as listed.
    fn bytes(&self) -> u64;
    /// Opens it.
    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>>;
}

/// What a consumer of packed pieces does.
pub(crate) trait Sink: Send {
    /// Next piece of the current file, in order. `method` is given with the first piece of a file;
    /// `hashes` with the last.
    fn piece(&mut self, file: usize, packed: &[u8], method: u16, hashes: Option<&Hashes>) -> io::Result<()>;
}

/// Running fixity of a file.
pub(crate) struct Hashing {
    sha256: Sha256,
    sha512: Sha512,
    git: Sha1,
    crc: Crc,
}

impl Hashing {
    /// Begins a file of `bytes` bytes.
    pub(crate) fn of_size(bytes: u64) -> Self {
        let git = Sha1::new_with_prefix(format!("blob {bytes}\0"));
        Self { sha256: Sha256::new(), sha512: Sha512::new(), git, crc: Crc::new() }
    }

    /// Adds bytes to all of them.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        self.sha512.update(bytes);
        self.git.update(bytes);
        self.crc.update(bytes);
    }

    /// The result.
    pub(crate) fn finish(self) -> Hashes {
        let (sha256, sha512, git) = (self.sha256.finalize(), self.sha512.finalize(), self.git.finalize());
        Hashes { sha256: sha256.into(), sha512: sha512.into(), git: git.into(), crc: self.crc.sum() }
    }
}

/// A piece of a file in a batch.
struct Piece {
    file: usize,
    /// Size of the whole file.
    total: u64,
    /// What precedes it in its file, at most [`WINDOW`] bytes.
    before: Vec<u8>,
    bytes: Vec<u8>,
    first: bool,
    last: bool,
}

/// A file that is being read.
struct Reading<'a> {
    file: usize,
    total: u64,
    reader: Box<dyn Read + Send + 'a>,
    left: u64,
    first: bool,
    before: Vec<u8>,
}

/// A failure with the file it concerns.
#[derive(Debug)]
pub(crate) struct PackError {
    /// Index of the file; `None` for the output.
    pub(crate) file: Option<usize>,
    /// What happened.
    pub(crate) error: io::Error,
}

/// Packs all `files` in order into `sink`, at a deflate level from 0 to 9; `tick` is told how many bytes
/// are through.
pub(crate) fn pack_all(
    files: &[&dyn Input],
    level: u32,
    sink: &mut dyn Sink,
    tick: &(dyn Fn(u64) + Sync),
) -> Result<(), PackError> {
    let output = |error| PackError { file: None, error };
    let mut reader = BatchReader { files, next: 0, current: None };
    let mut open: Option<Hashing> = None;
    let mut ready = Ready::default();
    let mut batch = reader.batch()?;
    while !batch.is_empty() {
        let carried = open.take();
        let work = || rayon::join(|| reader.batch(), || work(&batch, level, carried));
        let (handed, (next, worked)) = rayon::join(|| ready.hand_on(sink, tick), work);
        handed.map_err(output)?;
        let (packed, hashes, carry) = worked.map_err(output)?;
        open = carry;
        ready = Ready::new(&batch, packed, hashes);
        batch = next?;
    }
    ready.hand_on(sink, tick).map_err(output)
}

/// A packed batch that was not handed on yet.
#[derive(Default)]
struct Ready {
    /// File, packed bytes, method, and fixity where it is the file's last piece.
    pieces: Vec<(usize, Vec<u8>, u16, Option<Hashes>)>,
    /// Bytes of the batch before packing.
    bytes: u64,
}

impl Ready {
    fn new(batch: &[Piece], packed: Vec<(Vec<u8>, u16)>, hashes: Vec<Hashes>) -> Self {
        let mut hashes = hashes.into_iter();
        let join = |(piece, (data, method)): (&Piece, (Vec<u8>, u16))| {
            (piece.file, data, method, if piece.last { hashes.next() } else { None })
        };
        let bytes = batch.iter().map(|piece| piece.bytes.len() as u64).sum();
        Self { pieces: batch.iter().zip(packed).map(join).collect(), bytes }
    }

    fn hand_on(&self, sink: &mut dyn Sink, tick: &(dyn Fn(u64) + Sync)) -> io::Result<()> {
        for (file, packed, method, hashes) in &self.pieces {
            sink.piece(*file, packed, *method, hashes.as_ref())?;
        }
        tick(self.bytes);
        Ok(())
    }
}

type Worked = io::Result<(Vec<(Vec<u8>, u16)>, Vec<Hashes>, Option<Hashing>)>;

/// Compresses and hashes a batch. `carried` is the hashing of a file begun in an earlier batch; what
/// is returned last is the hashing of a file that goes on in the next.
fn work(batch: &[Piece], level: u32, carried: Option<Hashing>) -> Worked {
    let runs: Vec<&[Piece]> = batch.chunk_by(|a, b| a.file == b.file).collect();
    let fresh = runs.iter().skip(usize::from(carried.is_some())).map(|run| Hashing::of_size(run[0].total));
    let begun: Vec<Hashing> = carried.into_iter().chain(fresh).collect();
    let hash = || {
        let mut done: Vec<Hashing> = runs
            .par_iter()
            .zip(begun)
            .map(|(run, mut hashing)| {
                run.iter().for_each(|piece| hashing.update(&piece.bytes));
                hashing
            })
            .collect();
        let unfinished = batch.last().is_some_and(|piece| !piece.last).then(|| done.pop()).flatten();
        (done.into_iter().map(Hashing::finish).collect(), unfinished)
    };
    let compress = || {
        let fresh = || Compress::new(Compression::new(level), false);
        batch.par_iter().map_init(fresh, deflate).collect::<io::Result<Vec<_>>>()
    };
    let (packed, (hashes, unfinished)) = rayon::join(compress, hash);
    Ok((packed?, hashes, unfinished))
}

/// Deflates one piece; a whole file that does not shrink is stored instead.
fn deflate(engine: &mut Compress, piece: &Piece) -> io::Result<(Vec<u8>, u16)> {
    engine.reset();
    if !piece.before.is_empty() {
        engine.set_dictionary(&piece.before)?;
    }
    let flush = if piece.last { FlushCompress::Finish } else { FlushCompress::Sync };
    let mut out = Vec::with_capacity(piece.bytes.len() / 3 + 64);
    let start = engine.total_in();
    loop {
        let used = (engine.total_in() - start) as usize;
        let status = engine.compress_vec(&piece.bytes[used..], &mut out, flush)?;
        let read_all = (engine.total_in() - start) as usize == piece.bytes.len();
        match status {
            Status::StreamEnd => break,
            // With room left in the output, a sync flush is complete.
            _ if !piece.last && read_all && out.len() < out.capacity() => break,
            _ => out.reserve(out.capacity().max(256)),
        }
    }
    if piece.first && piece.last && out.len() >= piece.bytes.len() {
        return Ok((piece.bytes.clone(), STORE));
    }
    Ok((out, DEFLATE))
}

/// Reads files in order, batch by batch.
struct BatchReader<'a> {
    files: &'a [&'a dyn Input],
    next: usize,
    current: Option<Reading<'a>>,
}

impl<'a> BatchReader<'a> {
    fn batch(&mut self) -> Result<Vec<Piece>, PackError> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH && batch.len() < BATCH_FILES {
            let reading = match self.current.take() {
                Some(reading) => reading,
                None if self.next < self.files.len() => self.begin()?,
                None => break,
            };
            let file = reading.file;
            let piece = self.piece(reading).map_err(|error| PackError { file: Some(file), error })?;
            bytes += piece.bytes.len();
            batch.push(piece);
        }
        Ok(batch)
    }

    /// Opens the next file.
    fn begin(&mut self) -> Result<Reading<'a>, PackError> {
        let file = self.next;
        self.next += 1;
        let input = self.files[file];
        let reader = input.open().map_err(|error| PackError { file: Some(file), error })?;
        Ok(Reading { file, total: input.bytes(), reader, left: input.bytes(), first: true, before: Vec::new() })
    }

    /// Reads one piece; keeps the file open when more follows.
    fn piece(&mut self, mut reading: Reading<'a>) -> io::Result<Piece> {
        let wanted = reading.left.min(PIECE as u64) as usize;
        let mut bytes = vec![0; wanted];
        reading.reader.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => changed("it is shorter than when it was listed"),
            _ => error,
        })?;
        reading.left -= wanted as u64;
        let last = reading.left == 0;
        if last && reading.reader.read(&mut [0])? != 0 {
            return Err(changed("it is longer than when it was listed"));
        }
        let (file, total, first) = (reading.file, reading.total, reading.first);
        let piece = Piece { file, total, before: reading.before, bytes, first, last };
        if !last {
            let before = piece.bytes[piece.bytes.len().saturating_sub(WINDOW)..].to_vec();
            self.current = Some(Reading { first: false, before, ..reading });
        }
        Ok(piece)
    }
}

fn changed(how: &'static str) -> io::Error {
    ChangedWhileRead(how).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes(Vec<u8>);

    impl Input for Bytes {
        fn bytes(&self) -> u64 {
            self.0.len() as u64
        }
        fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
            Ok(Box::new(self.0.as_slice()))
        }
    }

    #[derive(Default)]
    struct Collected(Vec<(u16, Vec<u8>, Option<Hashes>)>);

    impl Sink for Collected {
        fn piece(&mut self, file: usize, packed: &[u8], method: u16, hashes: Option<&Hashes>) -> io::Result<()> {
            if self.0.len() == file {
                self.0.push((method, Vec::new(), None));
            }
            self.0[file].1.extend_from_slice(packed);
            self.0[file].2 = hashes.copied();
            Ok(())
        }
    }

    fn noise(bytes: usize) -> Vec<u8> {
        let mut state = 7_u32;
        let step = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..bytes).map(step).collect()
    }

    #[test]
    fn joined_pieces_inflate_to_the_content_and_hashes_are_those_of_the_whole() {
        let text = b"the same line again and again\n".repeat(PIECE / 10);
        let contents = [
            Vec::new(),
            b"x".to_vec(),
            text,
            noise(PIECE),
            noise(PIECE + 1),
            vec![0; BATCH + 3 * PIECE],
            b"end".to_vec(),
        ];
        let inputs: Vec<Bytes> = contents.iter().cloned().map(Bytes).collect();
        let files: Vec<&dyn Input> = inputs.iter().map(|input| input as &dyn Input).collect();
        let mut collected = Collected::default();
        pack_all(&files, LEVEL, &mut collected, &|_| {}).unwrap();
        assert_eq!(collected.0.len(), contents.len());
        for (content, (method, packed, hashes)) in contents.iter().zip(&collected.0) {
            let mut inflated = Vec::new();
            match *method {
                STORE => inflated.clone_from(packed),
                _ => drop(flate2::read::DeflateDecoder::new(packed.as_slice()).read_to_end(&mut inflated).unwrap()),
            }
            assert!(inflated == *content, "{} bytes", content.len());
            assert_eq!(hashes.unwrap().sha256, <[u8; 32]>::from(Sha256::digest(content)));
            assert_eq!(hashes.unwrap().sha512, <[u8; 64]>::from(Sha512::digest(content)));
            let blob = [format!("blob {}\0", content.len()).as_bytes(), content].concat();
            assert_eq!(hashes.unwrap().git, <[u8; 20]>::from(Sha1::digest(blob)));
        }
        assert_eq!(collected.0[3].0, STORE);
        assert!(collected.0[2].1.len() < 40_000, "the dictionary is used: {}", collected.0[2].1.len());
    }

    #[test]
    fn a_file_of_another_length_than_listed_is_refused() {
        struct Grown(u64);
        impl Input for Grown {
            fn bytes(&self) -> u64 {
                self.0
            }
            fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
                Ok(Box::new(&b"four"[..]))
            }
        }
        for listed in [3, 5] {
            let error = pack_all(&[&Grown(listed)], LEVEL, &mut Collected::default(), &|_| {}).unwrap_err();
            assert_eq!(error.file, Some(0));
            assert!(error.error.to_string().contains("changed while it was read"));
        }
    }
}
