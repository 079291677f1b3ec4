//! Sizes that a plain zip cannot hold, and memory that does not grow with them. Minutes long, so only on
//! request: `cargo test --test suite -- --ignored bundle::large --nocapture`.

use std::io::{self, Read};

use repro::bundle::{Archived, BuildOptions, BundleContents, BundleSource, Limits, build, verify, write};
use repro::tree::Tree;
use repro::world::{Entry, Silent, Source};

use super::identity;

/// Lines that look like records, made while they are read; deflate makes a fifth of them.
struct Lines {
    left: u64,
    state: u64,
    line: Vec<u8>,
    used: usize,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.line.len() {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (a, b) = (self.state >> 40, (self.state >> 20) & 0xffff);
            self.line =
                format!("{{\"id\": \"p{b}\", \"passed\": true, \"actual\": {a}.{b}, \"unit\": \"m/s\"}}\n").into();
            self.used = 0;
        }
        let most = (self.line.len() - self.used).min(buffer.len()).min(self.left as usize);
        buffer[..most].copy_from_slice(&self.line[self.used..self.used + most]);
        self.used += most;
        self.left -= most as u64;
        Ok(most)
    }
}

/// A study that exists only while it is read.
struct Made(Vec<Entry>);

impl Source for Made {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        Ok(self.0.clone())
    }
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        let entry = self.0.iter().find(|entry| entry.path == path).ok_or(io::ErrorKind::NotFound)?;
        let lines = Lines { left: entry.bytes, state: entry.bytes, line: Vec::new(), used: 0 };
        Ok(Box::new(io::BufReader::with_capacity(1 << 16, lines)))
    }
    fn exists(&self, path: &str) -> bool {
        self.0.iter().any(|entry| entry.path == path)
    }
    fn name(&self) -> &'static str {
        "(made)"
    }
}

fn contents(source: &Made) -> BundleContents {
    BundleContents {
        archive: Archived::Files(source.entries().unwrap()),
        scanned: None,
        results: Tree::default(),
        site: Tree::default(),
        schemas: Tree::default(),
        steps: Vec::new(),
        environment: serde_json::json!({}),
        tool_version: "0.1.0".into(),
        lock: String::new(),
    }
}

/// Most memory that this process ever used, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
#[ignore = "writes and reads more than 5 GB"]
fn five_gigabytes_and_an_entry_beyond_four_in_bounded_memory() {
    let entry = |path: &str, bytes| Entry { path: path.into(), bytes, regular: true };
    let mut entries: Vec<Entry> = (0..400).map(|run| entry(&format!("runs/{run:03}.json"), 2_000_000 + run)).collect();
    entries.push(entry("zz-large.jsonl", (4 << 30) + 12_345));
    let source = Made(entries);
    // Where a file of this size may be: the folder of the build, not a small memory disk.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let target = folder.path().join("large.zip");
    let plan = build(&identity(), contents(&source), &BuildOptions::default()).unwrap();
    let begin = std::time::Instant::now();
    let written = write(&plan, &source, &target, &Silent).unwrap();
    let (wrote, peak_writing) = (begin.elapsed(), peak());
    let begin = std::time::Instant::now();
    let verification = verify(&target, &Limits::default(), &Silent).unwrap();
    eprintln!(
        "payload {} bytes, zip {} bytes; written in {wrote:?}, verified in {:?}; peak {peak_writing} then {} MiB",
        written.payload_bytes,
        written.bytes,
        begin.elapsed(),
        peak()
    );
    assert!(verification.findings.is_empty(), "{:#?}", verification.findings);
    assert!(peak() < 300, "{} MiB", peak());
    let mut zip = zip::ZipArchive::new(std::fs::File::open(&target).unwrap()).unwrap();
    let large = zip.by_name("sky-bench-1.10/data/archive/zz-large.jsonl").unwrap();
    assert_eq!(large.size(), (4 << 30) + 12_345);
    drop(large);
    let inside = BundleSource::open(&target).unwrap();
    let (mut a, mut b) = (inside.open("runs/007.json").unwrap(), source.open("runs/007.json").unwrap());
    let (mut left, mut right) = (Vec::new(), Vec::new());
    a.read_to_end(&mut left).unwrap();
    b.read_to_end(&mut right).unwrap();
    assert!(left == right);
}
