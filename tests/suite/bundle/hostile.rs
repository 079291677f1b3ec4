//! Containers that no honest writer builds are refused before any content is read, and nothing is
//! written anywhere.

use std::path::Path;

use repro::bundle::{BundleError, BundleSource, Limits, inspect_container, verify};
use repro::world::{Silent, Source};

use super::zipper::{Item, Tail, item, zip};

/// An honest entry, spoiled in one way.
fn spoiled(spoil: impl Fn(&mut Item)) -> Vec<u8> {
    let mut bad = item("bag/data/b.txt", b"second content");
    spoil(&mut bad);
    zip(&[item("bag/data/a.txt", b"first"), bad, item("bag/data/c.txt", b"third")], &Tail::default())
}

fn named(name: &str) -> Vec<u8> {
    spoiled(|item| {
        item.name = name.into();
        item.local_name = name.into();
        item.flags = if name.is_ascii() { 0 } else { 0x800 };
    })
}

fn honest() -> Vec<u8> {
    spoiled(|_| {})
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// Every hostile container with a word that its refusal must contain.
fn corpus() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let tail = |tail: Tail| zip(&[item("bag/data/a.txt", b"x")], &tail);
    let overlap = {
        let first = item("bag/data/a.txt", b"payload");
        let mut second = item("bag/data/a.txt", b"");
        second.name = b"bag/data/b.txt".to_vec();
        zip(&[first, second], &Tail::default())
    };
    let mut same_data = item("bag/data/a.txt", b"payload");
    same_data.shift = -i64::from(30 + 14 + 7);
    vec![
        ("traversal", named("bag/../../escape.txt"), "leaves the folder"),
        ("traversal at the end", named("bag/data/.."), "leaves the folder"),
        ("absolute", named("/etc/cron.d/x"), "absolute"),
        ("drive", named("C:/Windows/x"), "drive"),
        ("home", named("~root/.ssh/authorized_keys"), "home"),
        ("backslash", named("bag\\..\\..\\x"), "backslash"),
        ("nul", named("bag/data/a.txt\0.png"), "control character"),
        ("newline", named("bag/data/a\nb"), "control character"),
        ("empty part", named("bag//a"), "empty part"),
        ("not utf-8", spoiled(|i| i.name = b"bag/\xff\xfe".to_vec()), "not UTF-8"),
        ("unmarked utf-8", spoiled(|i| i.name = "bag/data/\u{e9}".into()), "not marked as UTF-8"),
        ("the same name twice", named("bag/data/a.txt"), "stands twice"),
        ("case", named("bag/data/A.TXT"), "same name on some disks"),
        (
            "normal form",
            zip(&[item("bag/\u{e9}.txt", b"1"), item("bag/e\u{301}.txt", b"2")], &Tail::default()),
            "same name on some disks",
        ),
        ("full case folding", zip(&[item("bag/\u{df}", b"1"), item("bag/SS", b"2")], &Tail::default()), "same name"),
        ("final sigma", zip(&[item("bag/\u{3c2}", b"1"), item("bag/\u{3c3}", b"2")], &Tail::default()), "same name"),
        ("file and folder", named("bag/data/a.txt/x"), "a file and a folder"),
        ("symbolic link", spoiled(|i| i.mode = 0o120_777), "no regular file"),
        ("device", spoiled(|i| i.mode = 0o020_666), "no regular file"),
        ("folder with content", named("bag/data/x/"), "no regular file"),
        ("encrypted", spoiled(|i| i.flags = 1), "encrypted"),
        ("strongly encrypted", spoiled(|i| i.flags = 0x41), "encrypted"),
        ("masked headers", spoiled(|i| i.flags = 0x2000), "encrypted"),
        ("data descriptor", spoiled(|i| i.flags = 8), "streamed"),
        ("zstd", spoiled(|i| (i.method, i.local_method) = (93, 93)), "not store or deflate"),
        ("other local name", spoiled(|i| i.local_name = b"bag/data/z.txt".to_vec()), "differ in name"),
        ("other local method", spoiled(|i| i.local_method = 8), "differ in compression method"),
        ("other local crc", spoiled(|i| i.local_crc ^= 1), "differ in CRC"),
        ("other local size", spoiled(|i| i.local_size += 1), "differ in size"),
        ("stored with two sizes", spoiled(|i| (i.size, i.local_size) = (9, 9)), "two sizes differ"),
        ("bytes before", joined(&[b"#!/bin/sh\n", &honest()]), "directory does not end"),
        (
            "bytes before, offsets right",
            spoiled(|_| {}).pipe(|_| {
                let mut first = item("bag/a", b"1");
                first.gap = b"MZ stub".to_vec();
                zip(&[first], &Tail::default())
            }),
            "before the first entry",
        ),
        ("bytes between", spoiled(|i| i.gap = b"hidden".to_vec()), "belong to no entry"),
        ("bytes after", joined(&[&honest(), b"tail"]), "behind the end record"),
        ("comment", tail(Tail { comment: b"hello".to_vec(), ..Tail::default() }), "comment"),
        ("a zip in the comment", tail(Tail { comment: honest(), ..Tail::default() }), ""),
        ("overlapping", overlap, ""),
        ("one data, two entries", zip(&[item("bag/data/a.txt", b"payload"), same_data], &Tail::default()), ""),
        ("fewer entries than counted", tail(Tail { count: 1, ..Tail::default() }), "entries"),
        (
            "more entries than counted",
            zip(&[item("bag/a", b"1"), item("bag/b", b"2")], &Tail { count: -1, ..Tail::default() }),
            "entries",
        ),
        ("several disks", tail(Tail { disk: 1, ..Tail::default() }), "several disks"),
        ("entry on another disk", spoiled(|i| i.disk = 2), "another disk"),
        ("zip64 count", tail(Tail { zip64: Some(5), ..Tail::default() }), "contradict"),
        ("zip64 field missing", spoiled(|i| (i.size, i.local_size) = (u32::MAX, u32::MAX)), "zip64 field"),
        (
            "zip64 field not asked for",
            spoiled(|i| i.extra = vec![1, 0, 8, 0, 9, 0, 0, 0, 0, 0, 0, 0]),
            "do not ask|does not ask",
        ),
        ("cut extra field", spoiled(|i| i.extra = vec![1, 0, 99, 0, 1]), "cut off"),
        (
            "bomb by ratio",
            spoiled(|i| (i.method, i.local_method, i.size, i.local_size) = (8, 8, 1 << 31, 1 << 31)),
            "are said to come from",
        ),
        ("offset far away", spoiled(|i| i.shift = 1 << 30), ""),
        ("cut", honest()[..honest().len() - 30].to_vec(), ""),
        ("empty", Vec::new(), "shorter"),
        ("no zip", b"<html>Not found</html>".repeat(9), "no zip"),
        ("outside the folder", named("elsewhere/x"), "outside the one folder"),
    ]
}

/// Small helper to write a value as an expression of another.
trait Pipe: Sized {
    fn pipe<T>(self, f: impl FnOnce(Self) -> T) -> T {
        f(self)
    }
}
impl<T> Pipe for T {}

fn listing(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

#[test]
fn every_hostile_container_is_refused_with_its_reason_and_nothing_is_written() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("canary");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("hostile.zip");
    let corpus = corpus();
    assert!(corpus.len() >= 20);
    for (case, bytes, reason) in corpus {
        std::fs::write(&path, bytes).unwrap();
        let refused = |error: BundleError| match error {
            BundleError::Refused { findings, .. } => findings,
            other => panic!("{case}: {other}"),
        };
        let findings = refused(verify(&path, &Limits::default(), &Silent).map(|v| v.findings).expect_err(case));
        let told = findings.iter().any(|f| reason.split('|').any(|word| f.message.contains(word)));
        assert!(told, "{case}: {findings:#?}");
        refused(BundleSource::open(&path).map(|source| source.name().to_owned()).expect_err(case));
        assert_eq!(listing(&folder), [path.clone()], "{case} wrote something");
        assert_eq!(listing(outside.path()), [folder.clone()], "{case} wrote outside");
    }
}

/// Whatever system an entry is said to come from, a link in it is a link.
#[test]
fn a_link_is_refused_whatever_system_is_said_to_have_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zip");
    for host in 0..=255 {
        for (mode, attributes) in [(0o120_777, 0), (0o020_666, 0), (0o010_644, 0), (0, 0x408), (0, 0x10)] {
            std::fs::write(&path, spoiled(|i| (i.host, i.mode, i.attributes) = (host, mode, attributes))).unwrap();
            let refused = inspect_container(&path, &Limits::default());
            assert!(matches!(refused, Err(BundleError::Refused { .. })), "host {host}, mode {mode:o}");
        }
        std::fs::write(&path, spoiled(|i| (i.host, i.mode) = (host, 0o100_644))).unwrap();
        inspect_container(&path, &Limits::default()).unwrap();
    }
}

#[test]
fn an_honest_container_of_another_writer_is_not_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zip");
    std::fs::write(&path, honest()).unwrap();
    inspect_container(&path, &Limits::default()).unwrap();
}

#[test]
fn limits_on_entries_and_bytes_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zip");
    std::fs::write(&path, honest()).unwrap();
    for limits in [Limits { entries: 2, ..Limits::default() }, Limits { total: 20, ..Limits::default() }] {
        assert!(matches!(inspect_container(&path, &limits), Err(BundleError::Refused { .. })));
    }
}

#[test]
fn content_that_is_longer_than_its_header_says_stops_there() {
    let packed = {
        use std::io::Write as _;
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(9));
        encoder.write_all(&vec![b'x'; 50_000_000]).unwrap();
        encoder.finish().unwrap()
    };
    let mut bomb = item("bag/data/bomb", b"");
    (bomb.method, bomb.local_method) = (8, 8);
    (bomb.size, bomb.local_size, bomb.packed) = (100, 100, packed.len() as u32);
    bomb.data = packed;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zip");
    std::fs::write(&path, zip(&[bomb], &Tail::default())).unwrap();
    let findings = verify(&path, &Limits::default(), &Silent).unwrap().findings;
    assert!(findings.iter().any(|f| f.code == "entry-damaged" && f.message.contains("longer than its header")));
}

mod any_bytes {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn no_file_makes_the_reader_panic(at in 0_usize..400, bytes in prop::collection::vec(any::<u8>(), 1..12)) {
            let mut zip = honest();
            let at = at % zip.len();
            let end = (at + bytes.len()).min(zip.len());
            zip[at..end].copy_from_slice(&bytes[..end - at]);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.zip");
            std::fs::write(&path, zip).unwrap();
            let _ = verify(&path, &Limits::default(), &Silent);
        }
    }
}
