//! The zip around an Inspect log, read from memory: the directory first, then one entry at a time.
//!
//! Inspect writes deflated entries, and zstd ones (method 93) since 2026. A log that was cut off has no
//! directory; its entries are then found by their own headers, up to the break. Nothing in a header is
//! believed: offsets are checked against the bytes that are there, entries may not overlap, and no entry
//! yields more than it declares. After APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16, 4.5.3.

use std::io::{self, Read};

use flate2::Crc;
use flate2::read::DeflateDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::directory::{Directory, by_their_own_headers, directory, refused};

/// A log has an entry per sample and epoch; more than this is no log.
pub(super) const MOST_ENTRIES: usize = 1 << 20;
/// Largest content of one entry. A sample with all its messages is a few megabytes at most.
const LARGEST: u64 = 512 << 20;
/// Largest content of a whole log.
const LARGEST_SUM: u64 = 32 << 30;

/// Why a container or an entry is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    /// Offset of what is wrong.
    pub(super) byte: usize,
    /// What is wrong.
    pub(super) what: String,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Name as stored; a key, never a path.
    pub(super) name: String,
    /// Bytes of its content.
    pub(super) size: u64,
    /// How it is compressed: 0 stored, 8 deflate, 93 zstd.
    pub(super) method: u16,
    /// CRC-32 of its content.
    pub(super) crc: u32,
    /// First byte of its compressed data.
    pub(super) data: usize,
    /// Bytes of its compressed data.
    pub(super) packed: usize,
}

/// A container that may be read.
#[derive(Debug)]
pub(super) struct Container<'a> {
    bytes: &'a [u8],
    /// Entries in the order of the directory.
    pub(super) entries: Vec<Entry>,
    /// Where the file breaks off, when it has no directory.
    pub(super) torn: Option<Refused>,
}

impl<'a> Container<'a> {
    /// Reads the directory, or the headers of the entries where there is none.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Refused> {
        let (entries, torn) = match directory(bytes) {
            Ok(entries) => (entries, None),
            Err(Directory::Absent(reason)) => {
                let entries = by_their_own_headers(bytes)?;
                (entries, Some(reason))
            }
            Err(Directory::Refused(reason)) => return Err(reason),
        };
        bounded(&entries)?;
        Ok(Self { bytes, entries, torn })
    }

    /// Last entry of a name: what was written later replaces what was written before.
    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rfind(|entry| entry.name == name)
    }

    /// Content of an entry.
    pub(super) fn read(&self, entry: &Entry) -> Result<Vec<u8>, Refused> {
        let packed = &self.bytes[entry.data..entry.data + entry.packed];
        let refuse = |what: String| Refused { byte: entry.data, what: format!("{}: {what}", entry.name) };
        let mut content = Vec::new();
        let mut take =
            |from: &mut dyn Read| -> io::Result<()> { from.take(entry.size + 1).read_to_end(&mut content).map(drop) };
        let outcome = match entry.method {
            0 => take(&mut &*packed),
            8 => take(&mut DeflateDecoder::new(packed)),
            93 => StreamingDecoder::new(packed).map_err(io::Error::other).and_then(|mut decoder| take(&mut decoder)),
            other => return Err(refuse(format!("compression method {other} is not known"))),
        };
        outcome.map_err(|error| refuse(format!("it cannot be unpacked: {error}")))?;
        if content.len() as u64 != entry.size {
            let than = if content.len() as u64 > entry.size { "longer" } else { "shorter" };
            return Err(refuse(format!("its content is {than} than its header says")));
        }
        let mut crc = Crc::new();
        crc.update(&content);
        if crc.sum() == entry.crc { Ok(content) } else { Err(refuse("its content does not have its checksum".into())) }
    }
}

/// Refuses what no log is: entries beyond all measure, or several that share bytes.
fn bounded(entries: &[Entry]) -> Result<(), Refused> {
    let mut sum: u64 = 0;
    for entry in entries {
        sum = sum.saturating_add(entry.size);
        if entry.size > LARGEST || sum > LARGEST_SUM {
            let what = format!("{}: {} bytes of content are more than is read from a log", entry.name, entry.size);
            return Err(refused(entry.data, what));
        }
    }
    let mut spans: Vec<(usize, usize, &str)> =
        entries.iter().map(|entry| (entry.data, entry.data + entry.packed, entry.name.as_str())).collect();
    spans.sort_unstable();
    match spans.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => Err(refused(pair[1].0, format!("{} and {} share bytes", pair[0].2, pair[1].2))),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A zip of entries (name, method, content), written by hand.
    pub(in super::super) fn zip(entries: &[(&str, u16, &[u8])]) -> Vec<u8> {
        let (mut file, mut directory) = (Vec::new(), Vec::new());
        for (name, method, content) in entries {
            let packed = match method {
                8 => {
                    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
                    io::Write::write_all(&mut encoder, content).unwrap();
                    encoder.finish().unwrap()
                }
                93 => ruzstd::encoding::compress_to_vec(*content, ruzstd::encoding::CompressionLevel::Fastest),
                _ => content.to_vec(),
            };
            let mut crc = Crc::new();
            crc.update(content);
            let mut shared = vec![20, 0, 0, 0];
            shared.extend(method.to_le_bytes());
            shared.extend([0; 4]);
            for number in [crc.sum(), packed.len() as u32, content.len() as u32, name.len() as u32] {
                shared.extend(number.to_le_bytes());
            }
            directory.extend(0x0201_4b50_u32.to_le_bytes());
            directory.extend([20, 0]);
            directory.extend(&shared);
            directory.extend([0; 10]);
            directory.extend((file.len() as u32).to_le_bytes());
            directory.extend(name.as_bytes());
            file.extend(0x0403_4b50_u32.to_le_bytes());
            file.extend(&shared);
            file.extend(name.as_bytes());
            file.extend(packed);
        }
        let (at, count) = (file.len() as u32, entries.len() as u16);
        file.extend(&directory);
        file.extend(0x0605_4b50_u32.to_le_bytes());
        file.extend([0; 4]);
        file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        file.extend((directory.len() as u32).to_le_bytes());
        file.extend(at.to_le_bytes());
        file.extend([0; 2]);
        file
    }

    #[test]
    fn stored_deflated_and_zstd_entries_are_read() {
        let text = b"{\"id\": 1}".repeat(1000);
        let file = zip(&[("a.json", 0, &text), ("b.json", 8, &text), ("c.json", 93, &text)]);
        let container = Container::open(&file).unwrap();
        assert!(container.torn.is_none());
        for name in ["a.json", "b.json", "c.json"] {
            assert_eq!(container.read(container.find(name).unwrap()).unwrap(), text, "{name}");
        }
    }

    #[test]
    fn a_log_that_was_cut_off_keeps_its_whole_entries() {
        let file = zip(&[("a.json", 8, b"first"), ("b.json", 8, b"second")]);
        let container = Container::open(&file[..60]).unwrap();
        assert_eq!(container.entries.iter().map(|entry| &*entry.name).collect::<Vec<_>>(), ["a.json"]);
        assert_eq!(container.torn.as_ref().map(|torn| torn.byte), Some(60));
        assert_eq!(container.read(&container.entries[0]).unwrap(), b"first");
        assert!(Container::open(b"no zip at all").is_err());
    }

    #[test]
    fn what_lies_is_refused() {
        let file = zip(&[("a.json", 0, b"first"), ("b.json", 0, b"other")]);
        let altered = |at: usize, bytes: &[u8]| {
            let mut file = file.clone();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            file
        };
        let directory = file.windows(4).position(|mark| mark == 0x0201_4b50_u32.to_le_bytes()).unwrap();
        // A content that was changed, a size beyond measure, an encrypted entry, data that two share.
        let changed = altered(36, b"FIRST");
        let container = Container::open(&changed).unwrap();
        assert!(container.read(&container.entries[0]).unwrap_err().what.contains("checksum"));
        assert!(
            Container::open(&altered(directory + 24, &[0xfe, 0xff, 0xff, 0x7f]))
                .unwrap_err()
                .what
                .contains("more than")
        );
        assert!(Container::open(&altered(directory + 8, &[1])).unwrap_err().what.contains("encrypted"));
        assert!(Container::open(&altered(directory + 20, &[50])).is_err());
        // Any single byte may be anything: no panic.
        for at in 0..file.len() {
            for byte in [0, 1, 0x50, 0xff] {
                if let Ok(container) = Container::open(&altered(at, &[byte])) {
                    container.entries.iter().for_each(|entry| drop(container.read(entry)));
                }
            }
        }
    }

    #[test]
    fn content_never_exceeds_what_was_declared() {
        let mut file = zip(&[("bomb", 8, &vec![0; 1 << 20])]);
        let directory = file.windows(4).position(|mark| mark == 0x0201_4b50_u32.to_le_bytes()).unwrap();
        file[directory + 24..directory + 28].copy_from_slice(&10_u32.to_le_bytes());
        let container = Container::open(&file).unwrap();
        assert!(container.read(&container.entries[0]).unwrap_err().what.contains("longer"));
    }
}
