//! Files of a study that do not hold still: each way is a finding of its own name, and nothing is written.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use repro::bundle::{Archived, BuildOptions, BundleContents, BundleError, build, write};
use repro::digest::Digest;
use repro::world::disk::Folder;
use repro::world::{Entry, Silent, Source};

use super::{contents, identity};

const FILE: &str = "runs/large.json";

/// A study on disk of which one file is altered after its first bytes were read.
struct Meddled {
    folder: Folder,
    file: PathBuf,
    how: fn(&Path),
}

impl Source for Meddled {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.folder.entries()
    }
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        let inner = self.folder.open(path)?;
        let meddling = (path == FILE).then_some((self.file.clone(), self.how));
        Ok(Box::new(Meddling { inner, meddling }))
    }
    fn exists(&self, path: &str) -> bool {
        self.folder.exists(path)
    }
    fn name(&self) -> &'static str {
        "(meddled)"
    }
}

struct Meddling<'a> {
    inner: Box<dyn Read + Send + 'a>,
    meddling: Option<(PathBuf, fn(&Path))>,
}

impl Read for Meddling<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if let Some((file, how)) = self.meddling.take() {
            // Longer than the step of a file system's clock.
            std::thread::sleep(Duration::from_millis(20));
            how(&file);
        }
        Ok(read)
    }
}

fn large() -> Vec<u8> {
    b"{\"id\": 1}\n".repeat(100_000)
}

/// A study on disk: its folder, and the large file in it.
fn on_disk() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    std::fs::write(folder.path().join("study.toml"), "[study]\n").unwrap();
    let file = folder.path().join(FILE);
    std::fs::write(&file, large()).unwrap();
    (folder, file)
}

/// Code and place of the error, after making sure that nothing was written.
fn fails(contents: BundleContents, source: &dyn Source) -> (&'static str, String) {
    let target = tempfile::tempdir().unwrap();
    let built = build(&identity(), contents, &BuildOptions::default());
    let error = built.and_then(|plan| write(&plan, source, &target.path().join("x.zip"), &Silent)).unwrap_err();
    assert!(matches!(error, BundleError::Input { .. }), "{error}");
    assert_eq!(std::fs::read_dir(target.path()).unwrap().count(), 0, "{error}");
    let findings = error.findings();
    let finding = findings.iter().next().unwrap();
    (finding.code, finding.place.file.clone().unwrap())
}

#[test]
fn a_file_that_changes_while_it_is_read() {
    let same_length: fn(&Path) = |file| std::fs::write(file, vec![b'x'; large().len()]).unwrap();
    let replaced: fn(&Path) = |file| {
        std::fs::write(file.with_extension("new"), large()).unwrap();
        std::fs::rename(file.with_extension("new"), file).unwrap();
    };
    let removed: fn(&Path) = |file| std::fs::remove_file(file).unwrap();
    let longer: fn(&Path) = |file| std::fs::write(file, [large(), large()].concat()).unwrap();
    let shorter: fn(&Path) = |file| std::fs::write(file, "{}").unwrap();
    for (name, how) in [
        ("same length", same_length),
        ("replaced", replaced),
        ("removed", removed),
        ("longer", longer),
        ("shorter", shorter),
    ] {
        let (folder, file) = on_disk();
        let source = Meddled { folder: Folder::new(folder.path()).unwrap(), file, how };
        assert_eq!(fails(contents(&source), &source), ("changed-while-read", FILE.to_owned()), "{name}");
    }
}

/// Path, bytes and digest of every file, as the other stages report them.
fn scan(source: &dyn Source) -> Option<Vec<(String, u64, Digest)>> {
    let entries = source.entries().unwrap();
    let seen = |entry: Entry| (entry.path.clone(), entry.bytes, Digest::of(&source.read(&entry.path).unwrap()));
    Some(entries.into_iter().filter(|entry| entry.regular).map(seen).collect())
}

#[test]
fn a_file_that_is_not_what_the_other_stages_read() {
    let cases: [(&str, fn(&Path), &str); 5] = [
        ("same length", |file| std::fs::write(file, vec![b'x'; large().len()]).unwrap(), "input-changed"),
        ("longer", |file| std::fs::write(file, "{}".repeat(900_000)).unwrap(), "input-changed"),
        ("removed", |file| std::fs::remove_file(file).unwrap(), "input-disappeared"),
        (
            "a link",
            |file| {
                std::fs::remove_file(file).unwrap();
                std::os::unix::fs::symlink("/etc/hostname", file).unwrap();
            },
            "input-not-regular",
        ),
        (
            "a folder",
            |file| {
                std::fs::remove_file(file).unwrap();
                std::fs::create_dir(file).unwrap();
            },
            "input-disappeared",
        ),
    ];
    for (name, how, code) in cases {
        let (folder, file) = on_disk();
        let source = Folder::new(folder.path()).unwrap();
        let listed = BundleContents { scanned: scan(&source), ..contents(&source) };
        // Changed between the listing and the writing.
        how(&file);
        assert_eq!(fails(listed.clone(), &source), (code, FILE.to_owned()), "{name}");
        // Changed between the reading and the listing.
        let listed = BundleContents { archive: Archived::Files(source.entries().unwrap()), ..listed };
        assert_eq!(fails(listed, &source), (code, FILE.to_owned()), "{name}, before the listing");
    }
}

#[test]
fn a_file_that_came_after_the_study_was_read() {
    let (folder, _) = on_disk();
    let source = Folder::new(folder.path()).unwrap();
    let scanned = scan(&source);
    std::fs::write(folder.path().join("runs/new.json"), "{}").unwrap();
    let listed = BundleContents { scanned, ..contents(&source) };
    assert_eq!(fails(listed, &source), ("input-changed", "runs/new.json".to_owned()));
}

#[test]
fn a_study_that_holds_still_is_written() {
    let (folder, _) = on_disk();
    let source = Folder::new(folder.path()).unwrap();
    let listed = BundleContents { scanned: scan(&source), ..contents(&source) };
    let target = tempfile::tempdir().unwrap();
    let plan = build(&identity(), listed, &BuildOptions::default()).unwrap();
    write(&plan, &source, &target.path().join("x.zip"), &Silent).unwrap();
}
