//! A second reading of an accepted container, by the `zip` crate.
//!
//! Whoever unpacks a deposit uses another reader than the one here. Two readers that understand one zip
//! differently are how a harmless file to the one becomes another file to the other, so the directory as
//! a widely used library reads it is compared with ours, and every difference is named. The library also
//! compares local and central headers by its own rules.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use zip::read::{ArchiveOffset, Config};
use zip::{CompressionMethod, ZipArchive};

use super::header::{DEFLATE, STORE};
use super::inspect::{Found, Inspected};
use crate::report::{Finding, Place};

const CODE: &str = "readers-disagree";

/// Where the other reader understands the container differently; empty when it does not.
pub(crate) fn second_reading(file: &File, inspected: &Inspected) -> Vec<Finding> {
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive = match ZipArchive::with_config(config, BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => {
            let message = format!("another reader cannot open the zip: {error}");
            return vec![Finding::new(CODE, Place::default(), message)];
        }
    };
    let mut ours: BTreeMap<&str, &Found> =
        inspected.members.iter().map(|found| (found.member.name.as_str(), found)).collect();
    let mut findings = Vec::new();
    for index in 0..archive.len() {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(error) => {
                let message = format!("another reader cannot find entry {index}: {error}");
                findings.push(Finding::new(CODE, Place::default(), message));
                continue;
            }
        };
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if name.ends_with('/') {
            continue;
        }
        let place = Place::file(name.escape_default().to_string()).with_byte(entry.header_start() as usize);
        let Some(Found { member, data }) = ours.remove(name.as_str()) else {
            findings.push(Finding::new(CODE, place, "another reader sees an entry that is none"));
            continue;
        };
        let method = match entry.compression() {
            CompressionMethod::Stored => Some(STORE),
            CompressionMethod::Deflated => Some(DEFLATE),
            _ => None,
        };
        let differs = [
            ("compression method", method != Some(member.method)),
            ("CRC", entry.crc32() != member.crc),
            ("stored size", entry.compressed_size() != member.packed),
            ("size", entry.size() != member.size),
            ("position", entry.header_start() != member.offset || entry.data_start() != Some(*data)),
            ("kind", entry.is_symlink() || entry.encrypted()),
        ];
        let differing: Vec<&str> = differs.iter().filter(|(_, differs)| *differs).map(|(what, _)| *what).collect();
        if !differing.is_empty() {
            let message = format!("another reader sees another {}", differing.join(", "));
            findings.push(Finding::new(CODE, place, message));
        }
    }
    for name in ours.keys() {
        let place = Place::file(name.escape_default().to_string());
        findings.push(Finding::new(CODE, place, "another reader does not see it"));
    }
    if let Err(error) = archive.validate_header_consistency() {
        findings.push(Finding::new(
            CODE,
            Place::default(),
            format!("another reader finds the headers at odds: {error}"),
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::super::{Limits, inspect};
    use super::*;

    /// A zip by the library, with a folder, a stored and a deflated entry.
    fn sample() -> File {
        let mut zip = zip::ZipWriter::new(tempfile::tempfile().unwrap());
        let options = zip::write::SimpleFileOptions::default();
        zip.add_directory("a/", options).unwrap();
        zip.start_file("a/deflated.txt", options).unwrap();
        zip.write_all(&b"line\n".repeat(100)).unwrap();
        zip.start_file("a/stored.txt", options.compression_method(CompressionMethod::Stored)).unwrap();
        zip.write_all(b"text").unwrap();
        zip.finish().unwrap()
    }

    #[test]
    fn two_readers_agree_and_each_difference_is_named() {
        let file = sample();
        let inspected = || inspect(&file, &Limits::default()).unwrap().unwrap();
        assert_eq!(second_reading(&file, &inspected()), Vec::new());
        let cases: [(&str, fn(&mut Inspected)); 7] = [
            ("sees another CRC", |i| i.members[0].member.crc ^= 1),
            ("sees another size", |i| i.members[0].member.size += 1),
            ("sees another stored size", |i| i.members[1].member.packed += 1),
            ("sees another compression method", |i| i.members[1].member.method = DEFLATE),
            ("sees another position", |i| i.members[1].data += 1),
            ("sees an entry that is none", |i| drop(i.members.pop())),
            ("does not see it", |i| {
                let mut other = i.members[0].clone();
                other.member.name = "a/other.txt".into();
                i.members.push(other);
            }),
        ];
        for (says, change) in cases {
            let mut changed = inspected();
            change(&mut changed);
            let found = second_reading(&file, &changed);
            assert!(found.iter().any(|finding| finding.message.contains(says)), "{says}: {found:?}");
        }
    }

    #[test]
    fn what_the_other_reader_cannot_open_is_named() {
        let file = sample();
        let inspected = inspect(&file, &Limits::default()).unwrap().unwrap();
        let mut other = tempfile::tempfile().unwrap();
        other.write_all(b"no zip").unwrap();
        let found = second_reading(&other, &inspected);
        assert!(found[0].message.contains("cannot open"), "{found:?}");
    }
}
