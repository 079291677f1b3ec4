//! The headers of a zip as they stand in memory, believed in nothing: where each entry's data is.

use super::container::{Entry, MOST_ENTRIES, Refused};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;

const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;
const LOCATOR64_BYTES: usize = 20;
const END64_BYTES: usize = 56;

/// Encrypted content, or a directory that is.
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// Sizes stand behind the data instead of in front.
const SIZES_BEHIND: u16 = 1 << 3;

/// True for bytes that begin as a zip does.
pub(super) fn is_container(start: &[u8]) -> bool {
    start.len() >= 4 && (u32_at(start, 0) == LOCAL || u32_at(start, 0) == END)
}

/// Why the directory cannot be used.
pub(super) enum Directory {
    /// There is none: the file was cut off.
    Absent(Refused),
    /// There is one, and it is not in order.
    Refused(Refused),
}

pub(super) fn refused(byte: usize, what: impl Into<String>) -> Refused {
    Refused { byte, what: what.into() }
}

/// Position, length and number of entries of the directory.
struct End {
    offset: u64,
    bytes: u64,
    entries: u64,
    /// Where the end records begin.
    at: usize,
}

/// Entries in the order of the directory.
pub(super) fn directory(bytes: &[u8]) -> Result<Vec<Entry>, Directory> {
    let end = end(bytes)?;
    let bad = |byte: usize, what: &str| Directory::Refused(refused(byte, what));
    if end.entries > MOST_ENTRIES as u64 {
        return Err(bad(end.at, "the directory claims more entries than any log has"));
    }
    let begin = usize::try_from(end.offset).unwrap_or(usize::MAX);
    let length = usize::try_from(end.bytes).unwrap_or(usize::MAX);
    if begin.checked_add(length) != Some(end.at) {
        return Err(bad(end.at, "the directory does not end where its end record begins"));
    }
    let mut at = begin;
    let mut entries = Vec::new();
    for _ in 0..end.entries {
        let (entry, next) = central(bytes, at, begin, end.at).map_err(Directory::Refused)?;
        entries.push(entry);
        at = next;
    }
    if at != end.at {
        return Err(bad(at, "the directory holds something that is no entry"));
    }
    Ok(entries)
}

fn end(bytes: &[u8]) -> Result<End, Directory> {
    // The end record is the last thing but a comment of at most 65,535 bytes.
    let from = bytes.len().saturating_sub(END_BYTES + 0xffff);
    let marks = bytes[from..].windows(4).enumerate().rev().filter(|(_, mark)| *mark == END.to_le_bytes());
    let mut at = marks.map(|(position, _)| from + position).filter(|&at| {
        bytes.len() - at >= END_BYTES && at + END_BYTES + usize::from(u16_at(bytes, at + 20)) == bytes.len()
    });
    let Some(at) = at.next() else {
        return Err(Directory::Absent(refused(bytes.len(), "the file ends without the directory of a zip")));
    };
    let short = End {
        entries: u64::from(u16_at(bytes, at + 10)),
        bytes: u64::from(u32_at(bytes, at + 12)),
        offset: u64::from(u32_at(bytes, at + 16)),
        at,
    };
    if short.entries != 0xffff && short.bytes != 0xffff_ffff && short.offset != 0xffff_ffff {
        return Ok(short);
    }
    let locator = at.checked_sub(LOCATOR64_BYTES).filter(|&locator| u32_at(bytes, locator) == LOCATOR64);
    let Some(locator) = locator else { return Ok(short) };
    let record = usize::try_from(u64_at(bytes, locator + 8)).unwrap_or(usize::MAX);
    let fits = record.checked_add(END64_BYTES).is_some_and(|end| end <= locator);
    if !fits || u32_at(bytes, record) != END64 {
        return Err(Directory::Refused(refused(locator, "the zip64 end record is not where its locator says")));
    }
    Ok(End {
        entries: u64_at(bytes, record + 32),
        bytes: u64_at(bytes, record + 40),
        offset: u64_at(bytes, record + 48),
        at: record,
    })
}

/// One header of the directory and where the next begins.
fn central(bytes: &[u8], at: usize, data_end: usize, end: usize) -> Result<(Entry, usize), Refused> {
    if at + CENTRAL_BYTES > end || u32_at(bytes, at) != CENTRAL {
        return Err(refused(at, "the directory holds something that is no entry"));
    }
    let [name, extra, comment] = [28, 30, 32].map(|field| usize::from(u16_at(bytes, at + field)));
    let next = at + CENTRAL_BYTES + name + extra + comment;
    if next > end {
        return Err(refused(at, "an entry of the directory reaches beyond its end"));
    }
    let name_at = at + CENTRAL_BYTES;
    let fields = &bytes[name_at + name..name_at + name + extra];
    let [size, packed, offset] = [24, 20, 42].map(|field| u64::from(u32_at(bytes, at + field)));
    let [size, packed, offset] = widened([size, packed, offset], fields);
    if u16_at(bytes, at + 8) & ENCRYPTED != 0 {
        return Err(refused(at, "an entry is encrypted"));
    }
    let raw_name = &bytes[name_at..name_at + name];
    let local = usize::try_from(offset).unwrap_or(usize::MAX);
    let data = data_of(bytes, local, raw_name, data_end).ok_or_else(|| {
        refused(at, format!("{}: its data is not where the directory says", String::from_utf8_lossy(raw_name)))
    })?;
    let packed = usize::try_from(packed).unwrap_or(usize::MAX);
    if data.checked_add(packed).is_none_or(|end| end > data_end) {
        return Err(refused(at, format!("{}: its data reaches into the directory", String::from_utf8_lossy(raw_name))));
    }
    let entry = Entry {
        name: String::from_utf8_lossy(raw_name).into_owned(),
        size,
        method: u16_at(bytes, at + 10),
        crc: u32_at(bytes, at + 16),
        data,
        packed,
    };
    Ok((entry, next))
}

/// First byte of the data behind a local header that carries the same name.
fn data_of(bytes: &[u8], at: usize, name: &[u8], limit: usize) -> Option<usize> {
    let header = at.checked_add(LOCAL_BYTES).filter(|&end| end <= limit)?;
    if u32_at(bytes, at) != LOCAL {
        return None;
    }
    let (length, extra) = (usize::from(u16_at(bytes, at + 26)), usize::from(u16_at(bytes, at + 28)));
    let data = header + length + extra;
    (data <= limit && bytes[header..header + length] == *name).then_some(data)
}

/// Numbers that stand as `ffffffff` come from the zip64 field, in this order.
fn widened(numbers: [u64; 3], mut fields: &[u8]) -> [u64; 3] {
    let mut long: &[u8] = &[];
    while fields.len() >= 4 {
        let length = usize::from(u16_at(fields, 2)).min(fields.len() - 4);
        if u16_at(fields, 0) == 1 {
            long = &fields[4..4 + length];
        }
        fields = &fields[4 + length..];
    }
    numbers.map(|number| {
        if number == 0xffff_ffff && long.len() >= 8 {
            let wide = u64_at(long, 0);
            long = &long[8..];
            wide
        } else {
            number
        }
    })
}

/// Entries of a file without directory, front to back, as far as they are whole.
pub(super) fn by_their_own_headers(bytes: &[u8]) -> Result<Vec<Entry>, Refused> {
    let mut entries = Vec::new();
    let mut at = 0;
    while at + LOCAL_BYTES <= bytes.len() && u32_at(bytes, at) == LOCAL && entries.len() < MOST_ENTRIES {
        let flags = u16_at(bytes, at + 6);
        let (name, extra) = (usize::from(u16_at(bytes, at + 26)), usize::from(u16_at(bytes, at + 28)));
        let data = at + LOCAL_BYTES + name + extra;
        if flags & (ENCRYPTED | SIZES_BEHIND) != 0 || data > bytes.len() {
            break;
        }
        let raw_name = &bytes[at + LOCAL_BYTES..at + LOCAL_BYTES + name];
        let fields = &bytes[at + LOCAL_BYTES + name..data];
        let [size, packed] = [22, 18].map(|field| u64::from(u32_at(bytes, at + field)));
        let [size, packed, _] = widened([size, packed, 0], fields);
        let packed = usize::try_from(packed).unwrap_or(usize::MAX);
        let Some(next) = data.checked_add(packed).filter(|&end| end <= bytes.len()) else { break };
        entries.push(Entry {
            name: String::from_utf8_lossy(raw_name).into_owned(),
            size,
            method: u16_at(bytes, at + 8),
            crc: u32_at(bytes, at + 14),
            data,
            packed,
        });
        at = next;
    }
    if entries.is_empty() {
        Err(refused(0, "this is no zip: there is neither a directory nor an entry"))
    } else {
        Ok(entries)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
