//! Refusing a hostile container before any content is read.
//!
//! Two kinds of answer. *Refused*: the zip is built so that readers disagree about it, or so that
//! unpacking it does harm; nothing more is done with it. *Differs*: it is harmless, but its headers are
//! not what the writer here writes for these names and sizes; the content may still be good, and the
//! difference is reported. Nothing is unpacked, nothing is allocated from a number in a header.

use std::fs::File;
use std::io;

use super::header::{self, DEFLATE, Member, STORE, Stamp};
use super::names;
use super::raw::{self, Central, End, Shared};
use crate::report::{Finding, Place};

/// How much a container may hold before it is taken for a bomb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Entries.
    pub entries: u64,
    /// Bytes of all contents together.
    pub total: u64,
    /// Content bytes per stored byte, for entries above [`Limits::ratio_from`].
    pub ratio: u64,
    /// Size of content from which on the ratio counts.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 2_000_000, total: 256 << 30, ratio: 400, ratio_from: 16 << 20 }
    }
}

/// An entry with the position of its data, which a foreign writer may place behind extra fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The entry.
    pub(crate) member: Member,
    /// Position of its data.
    pub(crate) data: u64,
}

/// A container that is safe to read.
#[derive(Debug)]
pub(crate) struct Inspected {
    /// Entries in the order of the directory. Folders (names that end in `/`) are left out.
    pub(crate) members: Vec<Found>,
    /// The stamp that most entries carry.
    pub(crate) stamp: Stamp,
    /// Headers that differ from what the writer writes.
    pub(crate) differences: Vec<Finding>,
}

/// How many findings of one kind are listed one by one.
const LISTED: usize = 50;

/// Looks at all headers of the zip in `file`.
pub(crate) fn inspect(file: &File, limits: &Limits) -> io::Result<Result<Inspected, Vec<Finding>>> {
    let length = file.metadata()?.len();
    let end = match raw::end(file, length)? {
        Ok(end) => end,
        Err(wrong) => return Ok(Err(vec![refused(None, wrong)])),
    };
    let centrals = match directory(file, &end, limits)? {
        Ok(centrals) => centrals,
        Err(wrong) => return Ok(Err(vec![refused(None, wrong)])),
    };
    let mut refusals: Vec<Finding> = entry_refusals(&centrals, limits);
    let mut locals = Vec::with_capacity(centrals.len());
    for central in &centrals {
        match raw::local(file, central.offset, end.offset)? {
            Ok(local) => locals.push(local),
            Err(wrong) => refusals.push(refused(Some(central), wrong)),
        }
    }
    if locals.len() == centrals.len() {
        refusals.extend(contradictions(&centrals, &locals));
        refusals.extend(layout(&centrals, &locals, end.offset));
    }
    if !refusals.is_empty() {
        return Ok(Err(shortened(refusals)));
    }
    Ok(Ok(accept(file, length, &end, &centrals, &locals)?))
}

/// Reads the directory; its length and number of entries must be exactly what the end record says.
fn directory(file: &File, end: &End, limits: &Limits) -> io::Result<Result<Vec<Central>, String>> {
    if end.offset.checked_add(end.bytes) != Some(end.start) {
        return Ok(Err(
            "the directory does not end where the end record begins: bytes were added, cut or hidden".into()
        ));
    }
    if end.entries > limits.entries || end.bytes / 46 < end.entries {
        return Ok(Err(format!("the end record speaks of {} entries", end.entries)));
    }
    if end.bytes > end.entries.saturating_mul(46 + 3 * 65_535) || end.bytes > (1 << 30) {
        return Ok(Err("the directory is larger than its entries can be".into()));
    }
    let bytes = raw::at(file, end.offset, end.bytes as usize)?;
    let mut centrals = Vec::new();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        match raw::central(rest) {
            Ok((central, length)) => {
                centrals.push(central);
                rest = &rest[length..];
            }
            Err(wrong) => return Ok(Err(wrong)),
        }
    }
    if centrals.len() as u64 != end.entries {
        return Ok(Err(format!("the directory has {} entries, the end record says {}", centrals.len(), end.entries)));
    }
    Ok(Ok(centrals))
}

/// What speaks against single entries and against all names together.
fn entry_refusals(centrals: &[Central], limits: &Limits) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut total = 0_u64;
    for central in centrals {
        total = total.saturating_add(central.shared.size);
        found.extend(entry_refusal(central, limits).map(|wrong| refused(Some(central), wrong)));
    }
    if total > limits.total {
        found.push(refused(None, format!("its contents are said to hold {total} bytes")));
    }
    let texts: Vec<&str> = centrals.iter().filter_map(|c| std::str::from_utf8(&c.shared.name).ok()).collect();
    for (name, wrong) in names::collisions(texts.into_iter()) {
        found.push(Finding::new("container-refused", Place::file(printable(name.as_bytes())), wrong));
    }
    found
}

fn entry_refusal(central: &Central, limits: &Limits) -> Option<String> {
    let shared = &central.shared;
    if let Some(wrong) = names::refusal(&shared.name, shared.flags & 0x800 != 0) {
        return Some(wrong.into());
    }
    if shared.flags & 0x2041 != 0 {
        return Some("it is encrypted".into());
    }
    if shared.flags & 8 != 0 {
        return Some("it is streamed: its sizes stand behind its data, where they cannot be checked first".into());
    }
    if !matches!(shared.method, STORE | DEFLATE) {
        return Some(format!("its compression method {} is not store or deflate", shared.method));
    }
    let kind = (central.external >> 16) & 0o170_000;
    let folder = shared.name.ends_with(b"/");
    // Programs that unpack look at the mode whatever system is said to have made the entry.
    if !matches!((kind, folder), (0 | 0o100_000, false) | (0 | 0o040_000, true)) {
        return Some(format!("it is no regular file (mode {:o})", central.external >> 16));
    }
    // The low half has attributes of Windows: a volume label, a folder, a link or another reparse point.
    if central.external & 0x408 != 0 || (central.external & 0x10 != 0 && !folder) {
        return Some(format!("it is no regular file (attributes {:x})", central.external & 0xffff));
    }
    if central.disk != 0 {
        return Some("it is said to be on another disk".into());
    }
    if folder && (shared.size, shared.packed) != (0, 0) {
        return Some("it is a folder with content".into());
    }
    if shared.method == STORE && shared.size != shared.packed {
        return Some("it is stored, but its two sizes differ".into());
    }
    let ratio = shared.size / shared.packed.max(1);
    if ratio > 1040 || (shared.size >= limits.ratio_from && ratio > limits.ratio) {
        return Some(format!("{} bytes are said to come from {}", shared.size, shared.packed));
    }
    None
}

/// Local headers that say something else than the directory.
fn contradictions(centrals: &[Central], locals: &[(Shared, u64)]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (central, (local, _)) in centrals.iter().zip(locals) {
        let c = &central.shared;
        let fields = [
            ("name", c.name != local.name),
            ("flags", c.flags != local.flags),
            ("compression method", c.method != local.method),
            ("CRC", c.crc != local.crc),
            ("stored size", c.packed != local.packed),
            ("size", c.size != local.size),
        ];
        let differing: Vec<&str> = fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
        if !differing.is_empty() {
            let what = differing.join(", ");
            found.push(refused(Some(central), format!("its local header and the directory differ in {what}")));
        }
    }
    found
}

/// Records must follow one another from the first byte to the directory, without gap or overlap.
fn layout(centrals: &[Central], locals: &[(Shared, u64)], directory: u64) -> Vec<Finding> {
    let mut order: Vec<usize> = (0..centrals.len()).collect();
    order.sort_by_key(|&index| centrals[index].offset);
    let mut found = Vec::new();
    let mut expected = 0_u64;
    for index in order {
        let central = &centrals[index];
        if central.offset < expected {
            found.push(refused(Some(central), "its bytes overlap those of another entry"));
        } else if central.offset > expected {
            let gap = central.offset - expected;
            let where_ = if expected == 0 { "before the first entry" } else { "before it that belong to no entry" };
            found.push(refused(Some(central), format!("{gap} bytes stand {where_}")));
        }
        expected = central.offset.saturating_add(locals[index].1).saturating_add(central.shared.packed);
    }
    if expected != directory && found.is_empty() {
        found.push(refused(None, "the last entry does not end where the directory begins"));
    }
    found
}

/// Members and differences of a container without refusals.
fn accept(
    file: &File,
    length: u64,
    end: &End,
    centrals: &[Central],
    locals: &[(Shared, u64)],
) -> io::Result<Inspected> {
    let stamp = common_stamp(centrals);
    let mut inspected = Inspected { members: Vec::new(), stamp, differences: Vec::new() };
    for (central, (_, local_len)) in centrals.iter().zip(locals) {
        let member = member(central);
        let local = raw::at(file, central.offset, *local_len as usize)?;
        let what = match (local == member.local(stamp), central.bytes == member.central(stamp)) {
            (true, true) => None,
            (false, true) => Some("local header"),
            (true, false) => Some("directory entry"),
            (false, false) => Some("local header and directory entry"),
        };
        if let Some(what) = what {
            let message = format!("its {what} (time stamp, version, attributes or extra field) is not as written");
            let place = Place::file(printable(&central.shared.name)).with_byte(central.offset as usize);
            inspected.differences.push(Finding::new("container-differs", place, message));
        }
        if !member.name.ends_with('/') {
            let data = member.offset + local_len;
            inspected.members.push(Found { member, data });
        }
    }
    let tail = raw::at(file, end.start, (length - end.start) as usize)?;
    if tail != header::end(end.entries, end.bytes, end.offset) {
        let place = Place::default().with_byte(end.start as usize);
        inspected.differences.push(Finding::new("container-differs", place, "the end record is not as written"));
    }
    inspected.differences = shortened(inspected.differences);
    Ok(inspected)
}

fn member(central: &Central) -> Member {
    let shared = &central.shared;
    Member {
        // Names were checked to be UTF-8 before.
        name: String::from_utf8_lossy(&shared.name).into_owned(),
        method: shared.method,
        crc: shared.crc,
        packed: shared.packed,
        size: shared.size,
        offset: central.offset,
    }
}

/// The stamp of the majority; a flipped bit in one entry then stands out. Ties go to the smaller.
fn common_stamp(centrals: &[Central]) -> Stamp {
    let mut counts = std::collections::BTreeMap::new();
    for central in centrals {
        *counts.entry((central.shared.date, central.shared.time)).or_insert(0_u64) += 1;
    }
    let most = counts.iter().max_by_key(|((date, time), count)| (**count, std::cmp::Reverse((*date, *time))));
    let (date, time) = most.map_or((0, 0), |(stamp, _)| *stamp);
    Stamp { time, date }
}

fn refused(central: Option<&Central>, wrong: impl Into<String>) -> Finding {
    let place = central.map_or_else(Place::default, |central| {
        Place::file(printable(&central.shared.name)).with_byte(central.offset as usize)
    });
    Finding::new("container-refused", place, wrong)
}

/// A name for a message: hostile names must not reach a terminal as they are.
fn printable(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    if text.chars().all(|c| c.is_ascii_graphic() || c == ' ') && text.len() <= 300 {
        text.into_owned()
    } else {
        let cut: String = text.chars().take(200).collect();
        cut.escape_default().to_string()
    }
}

/// The first findings and how many more there are.
fn shortened(mut findings: Vec<Finding>) -> Vec<Finding> {
    let more = findings.len().saturating_sub(LISTED);
    if more > 0 {
        let code = findings[0].code;
        findings.truncate(LISTED);
        findings.push(Finding::new(code, Place::default(), format!("{more} more of this kind")));
    }
    findings
}
