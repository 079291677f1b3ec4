//! Headers as they stand in a file, believed in nothing.
//!
//! Lengths are checked against the bytes that are there before anything is cut or allocated. Values
//! are returned as found; what they mean and whether they may stand is decided in `inspect`.

use std::fs::File;
use std::io;

use super::header::{
    CENTRAL, CENTRAL_BYTES, END, END_BYTES, END64, END64_BYTES, LOCAL, LOCAL_BYTES, LOCATOR64, LOCATOR64_BYTES,
};

/// Fields that a local and a central header share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shared {
    pub(super) needed: u16,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) time: u16,
    pub(super) date: u16,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    pub(super) name: Vec<u8>,
    pub(super) extra: Vec<u8>,
}

/// A central header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Central {
    pub(super) shared: Shared,
    pub(super) made_by: u16,
    pub(super) comment: usize,
    pub(super) disk: u32,
    pub(super) external: u32,
    pub(super) offset: u64,
    /// The header's bytes.
    pub(super) bytes: Vec<u8>,
}

/// What the end records say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) entries: u64,
    pub(super) bytes: u64,
    pub(super) offset: u64,
    /// Where the end records begin.
    pub(super) start: u64,
}

/// A sentence saying what is wrong.
pub(super) type Wrong = String;

/// Reads the end records, which must be the last bytes of the file.
pub(super) fn end(file: &File, length: u64) -> io::Result<Result<End, Wrong>> {
    if length < END_BYTES as u64 {
        return Ok(Err("the file is shorter than the smallest zip".into()));
    }
    let start = length - END_BYTES as u64;
    let tail = at(file, start, END_BYTES)?;
    if u32_at(&tail, 0) != END {
        return Ok(Err(misplaced_end(file, length)?));
    }
    if u16_at(&tail, 20) != 0 {
        return Ok(Err("the end record claims a comment that is not there".into()));
    }
    let (disk, entries_here, entries) = (u32_at(&tail, 4), u64::from(u16_at(&tail, 8)), u64::from(u16_at(&tail, 10)));
    if disk != 0 || entries_here != entries {
        return Ok(Err("the end record speaks of several disks".into()));
    }
    let short = End { entries, bytes: u64::from(u32_at(&tail, 12)), offset: u64::from(u32_at(&tail, 16)), start };
    let room = (END64_BYTES + LOCATOR64_BYTES) as u64;
    let locator = match start.checked_sub(LOCATOR64_BYTES as u64) {
        Some(position) => at(file, position, LOCATOR64_BYTES)?,
        None => return Ok(Ok(short)),
    };
    if u32_at(&locator, 0) != LOCATOR64 {
        let unresolved = entries == 0xffff || short.bytes == 0xffff_ffff || short.offset == 0xffff_ffff;
        return Ok(if unresolved { Err("the end record needs zip64, which is not there".into()) } else { Ok(short) });
    }
    let Some(start64) = start.checked_sub(room) else {
        return Ok(Err("a zip64 locator without room for its record".into()));
    };
    Ok(end64(&at(file, start64, END64_BYTES)?, &locator, start64, &short))
}

/// Reads the zip64 end record and compares it with the short one.
fn end64(record: &[u8], locator: &[u8], start: u64, short: &End) -> Result<End, Wrong> {
    let (entries_here, entries) = (u64_at(record, 24), u64_at(record, 32));
    let long = End { entries, bytes: u64_at(record, 40), offset: u64_at(record, 48), start };
    let sound = u32_at(record, 0) == END64
        && u64_at(record, 4) == END64_BYTES as u64 - 12
        && u64_at(record, 16) == 0
        && entries_here == entries
        && u32_at(locator, 4) == 0
        && u64_at(locator, 8) == start
        && u32_at(locator, 16) == 1;
    if !sound {
        return Err("the zip64 end record or its locator is not in order".into());
    }
    let agree = |short: u64, long: u64, full: u64| short == long || (short == full && long >= full);
    let agrees = agree(short.entries, long.entries, 0xffff)
        && agree(short.bytes, long.bytes, 0xffff_ffff)
        && agree(short.offset, long.offset, 0xffff_ffff);
    if agrees { Ok(long) } else { Err("the zip64 end record and the short one contradict each other".into()) }
}

/// Why the last bytes are no end record.
fn misplaced_end(file: &File, length: u64) -> io::Result<Wrong> {
    let reach = length.min(65_557 + 4096);
    let tail = at(file, length - reach, reach as usize)?;
    let found = tail.windows(4).rposition(|window| window == END.to_le_bytes());
    Ok(match found {
        None => "this is no zip: there is no end record".into(),
        Some(position) => {
            let behind = tail.len() - position;
            let comment = tail.get(position + 20..position + 22).map_or(0, |b| usize::from(u16_at(b, 0)));
            if behind >= END_BYTES && comment == behind - END_BYTES {
                format!("the end record carries a comment of {comment} bytes")
            } else {
                format!("{} bytes stand behind the end record", behind.saturating_sub(END_BYTES))
            }
        }
    })
}

/// Reads one central header from the front of `bytes`; returns it with its length.
pub(super) fn central(bytes: &[u8]) -> Result<(Central, usize), Wrong> {
    if bytes.len() < CENTRAL_BYTES || u32_at(bytes, 0) != CENTRAL {
        return Err("the directory holds something that is no entry".into());
    }
    let lengths = [28, 30, 32].map(|position| usize::from(u16_at(bytes, position)));
    let total = CENTRAL_BYTES + lengths.iter().sum::<usize>();
    if bytes.len() < total {
        return Err("an entry of the directory reaches beyond its end".into());
    }
    let name_end = CENTRAL_BYTES + lengths[0];
    let mut shared = shared(&bytes[6..28], &bytes[CENTRAL_BYTES..name_end], &bytes[name_end..name_end + lengths[1]]);
    let mut offset = u64::from(u32_at(bytes, 42));
    let mut fields = Zip64::of(&shared.extra)?;
    shared.size = fields.resolve(shared.size)?;
    shared.packed = fields.resolve(shared.packed)?;
    offset = fields.resolve(offset)?;
    fields.done()?;
    let central = Central {
        shared,
        made_by: u16_at(bytes, 4),
        comment: lengths[2],
        disk: u32::from(u16_at(bytes, 34)),
        external: u32_at(bytes, 38),
        offset,
        bytes: bytes[..total].to_vec(),
    };
    Ok((central, total))
}

/// Reads the local header at `offset`; returns it with its length.
pub(super) fn local(file: &File, offset: u64, limit: u64) -> io::Result<Result<(Shared, u64), Wrong>> {
    if offset.checked_add(LOCAL_BYTES as u64).is_none_or(|end| end > limit) {
        return Ok(Err("its data would begin behind the directory".into()));
    }
    let fixed = at(file, offset, LOCAL_BYTES)?;
    if u32_at(&fixed, 0) != LOCAL {
        return Ok(Err("there is no local header where the directory says".into()));
    }
    let (name, extra) = (usize::from(u16_at(&fixed, 26)), usize::from(u16_at(&fixed, 28)));
    let length = (LOCAL_BYTES + name + extra) as u64;
    if offset + length > limit {
        return Ok(Err("its local header reaches into the directory".into()));
    }
    let rest = at(file, offset + LOCAL_BYTES as u64, name + extra)?;
    let mut shared = shared(&fixed[4..26], &rest[..name], &rest[name..]);
    let resolved = Zip64::of(&shared.extra).and_then(|mut fields| {
        let sizes = (fields.resolve(shared.size)?, fields.resolve(shared.packed)?);
        fields.done().map(|()| sizes)
    });
    Ok(resolved.map(|sizes| {
        (shared.size, shared.packed) = sizes;
        (shared, length)
    }))
}

/// `fields` begin at "version needed" and end before the name length.
fn shared(fields: &[u8], name: &[u8], extra: &[u8]) -> Shared {
    Shared {
        needed: u16_at(fields, 0),
        flags: u16_at(fields, 2),
        method: u16_at(fields, 4),
        time: u16_at(fields, 6),
        date: u16_at(fields, 8),
        crc: u32_at(fields, 10),
        packed: u64::from(u32_at(fields, 14)),
        size: u64::from(u32_at(fields, 18)),
        name: name.to_vec(),
        extra: extra.to_vec(),
    }
}

/// The zip64 extra field: 8 bytes for each number that stands as `ffffffff`, in order.
struct Zip64<'a>(Option<&'a [u8]>);

impl<'a> Zip64<'a> {
    fn of(extra: &'a [u8]) -> Result<Self, Wrong> {
        let (mut rest, mut found) = (extra, None);
        while !rest.is_empty() {
            let length = if rest.len() < 4 { usize::MAX } else { usize::from(u16_at(rest, 2)) };
            let Some(data) = rest.get(4..).and_then(|data| data.get(..length)) else {
                return Err("its extra field is cut off".into());
            };
            if u16_at(rest, 0) == 1 && found.replace(data).is_some() {
                return Err("it has two zip64 fields".into());
            }
            rest = &rest[4 + length..];
        }
        Ok(Self(found))
    }

    fn resolve(&mut self, short: u64) -> Result<u64, Wrong> {
        if short != 0xffff_ffff {
            return Ok(short);
        }
        match self.0 {
            Some(data) if data.len() >= 8 => {
                self.0 = Some(&data[8..]);
                Ok(u64_at(data, 0))
            }
            _ => Err("a number needs a zip64 field that is not there".into()),
        }
    }

    /// Everything in the field must have been asked for.
    fn done(&self) -> Result<(), Wrong> {
        if self.0.is_some_and(|rest| !rest.is_empty()) {
            return Err("its zip64 field holds numbers that its header does not ask for".into());
        }
        Ok(())
    }
}

/// `length` bytes at `position`.
pub(super) fn at(file: &File, position: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    crate::world::system::read_exact_at(file, &mut bytes, position)?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], position: usize) -> u16 {
    u16::from_le_bytes([bytes[position], bytes[position + 1]])
}

fn u32_at(bytes: &[u8], position: usize) -> u32 {
    u32::from(u16_at(bytes, position)) | (u32::from(u16_at(bytes, position + 2)) << 16)
}

fn u64_at(bytes: &[u8], position: usize) -> u64 {
    u64::from(u32_at(bytes, position)) | (u64::from(u32_at(bytes, position + 4)) << 32)
}
