//! The same input and version give the same bytes: other folder, threads, file order, clock.

use repro::bundle::{BuildOptions, Limits, build, verify, write};
use repro::world::disk::Folder;
use repro::world::memory::Memory;
use repro::world::{Entry, Silent, Source};

use super::{contents, identity, noise, study};

/// Writes a study to disk in the given order of its files.
fn on_disk(folder: &std::path::Path, study: &Memory, backwards: bool) -> Folder {
    let mut entries = study.entries().unwrap();
    if backwards {
        entries.reverse();
    }
    for entry in entries {
        let path = folder.join(&entry.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, study.read(&entry.path).unwrap()).unwrap();
    }
    Folder::new(folder).unwrap()
}

fn bytes_of(source: &dyn Source, threads: usize, epoch: Option<i64>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("x.zip");
    let plan = build(&identity(), contents(source), &BuildOptions { epoch, ..BuildOptions::default() }).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| write(&plan, source, &target, &Silent)).unwrap();
    assert!(verify(&target, &Limits::default(), &Silent).unwrap().findings.is_empty());
    std::fs::read(target).unwrap()
}

#[test]
fn folder_threads_and_file_order_do_not_matter() {
    let study = study().with("big.bin", [noise(3 << 20), b"line\n".repeat(600_000)].concat());
    let one = tempfile::tempdir().unwrap();
    let two = tempfile::tempdir().unwrap();
    let first = bytes_of(&on_disk(one.path(), &study, false), 1, None);
    let second = bytes_of(&on_disk(&two.path().join("deeper/still"), &study, true), 7, None);
    assert!(first == second);
    assert!(first == bytes_of(&study, 2, None), "memory and disk agree");
}

#[test]
fn the_epoch_moves_the_stamps_and_nothing_in_the_archive() {
    let study = study();
    // A moment where zones of +14 and -12 hours have other days.
    let plain = bytes_of(&study, 2, None);
    let moved = bytes_of(&study, 2, Some(1_796_083_199));
    assert!(plain != moved);
    assert!(moved == bytes_of(&study, 2, Some(1_796_083_199)));
    for extreme in [i64::MIN / 2, 0, 5_000_000_000] {
        bytes_of(&study, 1, Some(extreme));
    }
}

#[test]
fn the_order_of_the_listing_does_not_matter() {
    struct Shuffled(Memory);
    impl Source for Shuffled {
        fn entries(&self) -> std::io::Result<Vec<Entry>> {
            let mut entries = self.0.entries()?;
            entries.reverse();
            Ok(entries)
        }
        fn open(&self, path: &str) -> std::io::Result<Box<dyn std::io::Read + Send + '_>> {
            self.0.open(path)
        }
        fn exists(&self, path: &str) -> bool {
            self.0.exists(path)
        }
        fn name(&self) -> &'static str {
            "(shuffled)"
        }
    }
    assert!(bytes_of(&study(), 2, None) == bytes_of(&Shuffled(study()), 2, None));
}
