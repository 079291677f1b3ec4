//! The bytes of a zip's headers, exactly as the writer here writes them.
//!
//! Every field that the format leaves open has one value: no flags, no data descriptor, no comment, no
//! extra field but zip64 where a number needs it, creator Unix, a regular file of mode 0644, one time
//! stamp for all entries. So the headers of a bundle can be derived again from name, method, CRC and
//! sizes, and a single altered bit in any of them is seen. Layout after APPNOTE 6.3.10, sections
//! 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.

/// First bytes of a local header.
pub(crate) const LOCAL: u32 = 0x0403_4b50;
/// First bytes of a central header.
pub(crate) const CENTRAL: u32 = 0x0201_4b50;
/// First bytes of the end record.
pub(crate) const END: u32 = 0x0605_4b50;
/// First bytes of the zip64 end record.
pub(crate) const END64: u32 = 0x0606_4b50;
/// First bytes of the locator of the zip64 end record.
pub(crate) const LOCATOR64: u32 = 0x0706_4b50;

/// Fixed part of a local header.
pub(crate) const LOCAL_BYTES: usize = 30;
/// Fixed part of a central header.
pub(crate) const CENTRAL_BYTES: usize = 46;
/// End record without comment.
pub(crate) const END_BYTES: usize = 22;
/// Zip64 end record without extensible data.
pub(crate) const END64_BYTES: usize = 56;
/// Locator.
pub(crate) const LOCATOR64_BYTES: usize = 20;

/// Stored as it is.
pub(crate) const STORE: u16 = 0;
/// Deflated.
pub(crate) const DEFLATE: u16 = 8;

/// Regular file, `rw-r--r--`.
const MODE: u32 = 0o100_644;
/// Unix, version 4.5 of the format.
const MADE_BY: u16 = (3 << 8) | 45;

/// An entry from this size on gets zip64 fields. A little below 4 GiB, because the compressed size is
/// not known when the header's length is fixed, and incompressible data grow by less than the margin.
const WIDE: u64 = 0xff00_0000;

/// DOS time and date of all entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Hour, minute, second / 2.
    pub(crate) time: u16,
    /// Years since 1980, month, day.
    pub(crate) date: u16,
}

/// One entry of the zip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// Full name in the zip.
    pub(crate) name: String,
    /// [`STORE`] or [`DEFLATE`].
    pub(crate) method: u16,
    /// CRC-32 of the content.
    pub(crate) crc: u32,
    /// Bytes in the zip.
    pub(crate) packed: u64,
    /// Bytes of the content.
    pub(crate) size: u64,
    /// Position of the local header.
    pub(crate) offset: u64,
}

impl Stamp {
    /// Stamp of a moment in UTC; clamped to what DOS can say (1980 to 2107, steps of 2 s).
    pub(crate) fn of_epoch(epoch: i64) -> Self {
        let civil = crate::metadata::Civil::of_epoch(epoch.clamp(315_532_800, 4_354_819_198));
        let (hour, minute, second) = (civil.second / 3600, civil.second / 60 % 60, civil.second % 60);
        Self {
            time: ((hour << 11) | (minute << 5) | (second / 2)) as u16,
            date: (((civil.year - 1980) as u16) << 9) | (u16::from(civil.month) << 5) | u16::from(civil.day),
        }
    }
}

impl Member {
    /// True when sizes go into a zip64 field.
    fn is_wide(&self) -> bool {
        self.size >= WIDE
    }

    fn needed(&self) -> u16 {
        if self.is_wide() || self.offset >= u64::from(u32::MAX) { 45 } else { 20 }
    }

    /// Bytes of the local header.
    pub(crate) fn local_len(&self) -> u64 {
        (LOCAL_BYTES + self.name.len() + if self.is_wide() { 20 } else { 0 }) as u64
    }

    /// The local header.
    pub(crate) fn local(&self, stamp: Stamp) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.local_len() as usize);
        put32(&mut out, LOCAL);
        // A local header does not know its offset, so its version depends on the sizes alone.
        put16(&mut out, if self.is_wide() { 45 } else { 20 });
        self.shared(&mut out, stamp);
        put16(&mut out, if self.is_wide() { 20 } else { 0 });
        out.extend_from_slice(self.name.as_bytes());
        if self.is_wide() {
            put16(&mut out, 1);
            put16(&mut out, 16);
            put64(&mut out, self.size);
            put64(&mut out, self.packed);
        }
        out
    }

    /// The central header.
    pub(crate) fn central(&self, stamp: Stamp) -> Vec<u8> {
        let far = self.offset >= u64::from(u32::MAX);
        let mut extra = Vec::new();
        if self.is_wide() {
            put64(&mut extra, self.size);
            put64(&mut extra, self.packed);
        }
        if far {
            put64(&mut extra, self.offset);
        }
        let mut out = Vec::with_capacity(CENTRAL_BYTES + self.name.len() + 4 + extra.len());
        put32(&mut out, CENTRAL);
        put16(&mut out, MADE_BY);
        put16(&mut out, self.needed());
        self.shared(&mut out, stamp);
        put16(&mut out, if extra.is_empty() { 0 } else { 4 + extra.len() as u16 });
        put16(&mut out, 0); // comment
        put16(&mut out, 0); // disk
        put16(&mut out, 0); // internal attributes
        put32(&mut out, MODE << 16);
        put32(&mut out, if far { u32::MAX } else { self.offset as u32 });
        out.extend_from_slice(self.name.as_bytes());
        if !extra.is_empty() {
            put16(&mut out, 1);
            put16(&mut out, extra.len() as u16);
            out.extend_from_slice(&extra);
        }
        out
    }

    /// Flags to name length: the fields that local and central header share.
    fn shared(&self, out: &mut Vec<u8>, stamp: Stamp) {
        put16(out, 0); // flags: names are ASCII, sizes are known
        put16(out, self.method);
        put16(out, stamp.time);
        put16(out, stamp.date);
        put32(out, self.crc);
        put32(out, if self.is_wide() { u32::MAX } else { self.packed as u32 });
        put32(out, if self.is_wide() { u32::MAX } else { self.size as u32 });
        put16(out, self.name.len() as u16);
    }
}

/// End records for a directory of `entries` headers in `bytes` bytes that begins at `offset`.
pub(crate) fn end(entries: u64, bytes: u64, offset: u64) -> Vec<u8> {
    let mut out = Vec::new();
    let wide = entries >= 0xffff || bytes >= u64::from(u32::MAX) || offset >= u64::from(u32::MAX);
    if wide {
        put32(&mut out, END64);
        put64(&mut out, END64_BYTES as u64 - 12);
        put16(&mut out, MADE_BY);
        put16(&mut out, 45);
        put32(&mut out, 0);
        put32(&mut out, 0);
        put64(&mut out, entries);
        put64(&mut out, entries);
        put64(&mut out, bytes);
        put64(&mut out, offset);
        put32(&mut out, LOCATOR64);
        put32(&mut out, 0);
        put64(&mut out, offset + bytes);
        put32(&mut out, 1);
    }
    let count = entries.min(0xffff) as u16;
    put32(&mut out, END);
    put16(&mut out, 0);
    put16(&mut out, 0);
    put16(&mut out, count);
    put16(&mut out, count);
    put32(&mut out, bytes.min(u64::from(u32::MAX)) as u32);
    put32(&mut out, offset.min(u64::from(u32::MAX)) as u32);
    put16(&mut out, 0);
    out
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_clamped_to_what_dos_can_say() {
        assert_eq!(Stamp::of_epoch(i64::MIN), Stamp { time: 0, date: (1 << 5) | 1 });
        assert_eq!(Stamp::of_epoch(i64::MAX).date, (127 << 9) | (12 << 5) | 31);
        // 2025-11-30 00:49:39 UTC
        let stamp = Stamp::of_epoch(1_764_463_779);
        assert_eq!(stamp, Stamp { time: (49 << 5) | 19, date: (45 << 9) | (11 << 5) | 30 });
    }

    #[test]
    fn zip64_fields_appear_only_where_a_number_needs_them() {
        let mut member =
            Member { name: "a".into(), method: STORE, crc: 7, packed: 5, size: 5, offset: u64::from(u32::MAX) - 1 };
        let stamp = Stamp::of_epoch(0);
        assert_eq!(member.local(stamp).len(), 31);
        assert_eq!(member.central(stamp).len(), 47);
        member.offset += 1;
        assert_eq!(member.central(stamp).len(), 47 + 12);
        member.size = 5 << 30;
        assert_eq!(member.central(stamp).len(), 47 + 28);
        assert_eq!(member.local(stamp).len() as u64, member.local_len());
        assert_eq!(end(65_534, 10, 10).len(), END_BYTES);
        assert_eq!(end(65_535, 10, 10).len(), END_BYTES + END64_BYTES + LOCATOR64_BYTES);
    }
}
