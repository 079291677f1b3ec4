//! A writer of zips that does whatever it is told, for tests of a reader that must not.

/// One entry, local and central header apart.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) name: Vec<u8>,
    pub(crate) local_name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) local_method: u16,
    pub(crate) crc: u32,
    pub(crate) local_crc: u32,
    pub(crate) size: u32,
    pub(crate) local_size: u32,
    pub(crate) packed: u32,
    pub(crate) mode: u32,
    /// System that is said to have made the entry: 3 is Unix.
    pub(crate) host: u16,
    /// Low half of the external attributes.
    pub(crate) attributes: u32,
    pub(crate) disk: u16,
    pub(crate) extra: Vec<u8>,
    pub(crate) data: Vec<u8>,
    /// Added to the offset in the directory.
    pub(crate) shift: i64,
    /// Bytes put before the local header.
    pub(crate) gap: Vec<u8>,
}

/// An honest stored entry.
pub(crate) fn item(name: &str, data: &[u8]) -> Item {
    let mut crc = flate2::Crc::new();
    crc.update(data);
    let size = data.len() as u32;
    Item {
        name: name.into(),
        local_name: name.into(),
        flags: if name.is_ascii() { 0 } else { 0x800 },
        method: 0,
        local_method: 0,
        crc: crc.sum(),
        local_crc: crc.sum(),
        size,
        local_size: size,
        packed: size,
        mode: 0o100_644,
        host: 3,
        attributes: 0,
        disk: 0,
        extra: Vec::new(),
        data: data.to_vec(),
        shift: 0,
        gap: Vec::new(),
    }
}

/// End record as it shall be.
#[derive(Default)]
pub(crate) struct Tail {
    /// Added to the number of entries.
    pub(crate) count: i32,
    pub(crate) comment: Vec<u8>,
    pub(crate) disk: u16,
    /// A zip64 record and locator with this number of entries more than there are.
    pub(crate) zip64: Option<u64>,
}

/// The zip.
pub(crate) fn zip(items: &[Item], tail: &Tail) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for item in items {
        out.extend_from_slice(&item.gap);
        let offset = (out.len() as i64 + item.shift) as u32;
        out.extend(b"PK\x03\x04");
        numbers16(&mut out, &[20, item.flags, item.local_method, 0, 33]);
        numbers32(&mut out, &[item.local_crc, item.packed, item.local_size]);
        numbers16(&mut out, &[item.local_name.len() as u16, 0]);
        out.extend_from_slice(&item.local_name);
        out.extend_from_slice(&item.data);
        directory.extend(b"PK\x01\x02");
        numbers16(&mut directory, &[(item.host << 8) | 45, 20, item.flags, item.method, 0, 33]);
        numbers32(&mut directory, &[item.crc, item.packed, item.size]);
        numbers16(&mut directory, &[item.name.len() as u16, item.extra.len() as u16, 0, item.disk, 0]);
        numbers32(&mut directory, &[(item.mode << 16) | item.attributes, offset]);
        directory.extend_from_slice(&item.name);
        directory.extend_from_slice(&item.extra);
    }
    let (offset, bytes, count) = (out.len() as u32, directory.len() as u32, items.len() as u64);
    out.extend(directory);
    if let Some(more) = tail.zip64 {
        let start = out.len() as u64;
        out.extend(b"PK\x06\x06");
        out.extend(44_u64.to_le_bytes());
        numbers16(&mut out, &[(3 << 8) | 45, 45]);
        numbers32(&mut out, &[0, 0]);
        for number in [count + more, count + more, u64::from(bytes), u64::from(offset)] {
            out.extend(number.to_le_bytes());
        }
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend(start.to_le_bytes());
        numbers32(&mut out, &[1]);
    }
    out.extend(b"PK\x05\x06");
    let count = (i32::try_from(count).unwrap() + tail.count) as u16;
    numbers16(&mut out, &[tail.disk, tail.disk, count, count]);
    numbers32(&mut out, &[bytes, offset]);
    numbers16(&mut out, &[tail.comment.len() as u16]);
    out.extend_from_slice(&tail.comment);
    out
}

fn numbers16(out: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn numbers32(out: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}
