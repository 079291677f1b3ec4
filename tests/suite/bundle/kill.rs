//! A writer that is killed leaves the old bundle or the new one, never a torn one.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use repro::bundle::{BuildOptions, Limits, build, verify, write};
use repro::digest::Digest;
use repro::world::Silent;
use repro::world::memory::Memory;

use super::{contents, identity, noise};

/// Where the child of the test below writes; set only there.
const TARGET: &str = "REPRO_TEST_BUNDLE_TARGET";

fn write_bundle(target: &Path, marker: &str) -> Digest {
    let study = Memory::default().with("marker.txt", marker.as_bytes()).with("noise.bin", noise(2 << 20));
    let plan = build(&identity(), contents(&study), &BuildOptions::default()).unwrap();
    write(&plan, &study, target, &Silent).unwrap().digest
}

/// Not a test of its own: the process that the next one kills.
#[test]
fn child_that_writes_a_bundle() {
    if let Ok(target) = std::env::var(TARGET) {
        write_bundle(Path::new(&target), "new");
    }
}

fn child(target: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "bundle::kill::child_that_writes_a_bundle", "--test-threads=1"]);
    command.env(TARGET, target).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn killed_at_a_hundred_moments_the_old_bundle_or_the_new_one_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("x.zip");
    let old = write_bundle(&target, "old");
    let old_bytes = std::fs::read(&target).unwrap();
    let begin = Instant::now();
    assert!(child(&target).status().unwrap().success());
    let whole = begin.elapsed();
    let new = Digest::of(&std::fs::read(&target).unwrap());
    assert_ne!(old, new);
    let (mut olds, mut news) = (0, 0);
    for round in 0..100_u32 {
        std::fs::write(&target, &old_bytes).unwrap();
        let mut running = child(&target).spawn().unwrap();
        std::thread::sleep(Duration::from_nanos(whole.as_nanos() as u64 * u64::from(round) / 90));
        let _ = running.kill();
        running.wait().unwrap();
        let digest = Digest::of(&std::fs::read(&target).unwrap());
        assert!(digest == old || digest == new, "round {round}: a torn bundle");
        olds += u32::from(digest == old);
        news += u32::from(digest == new);
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(names.len() <= 3, "round {round}: {names:?}");
        let _ = std::fs::remove_file(folder.path().join("x.zip.sha256"));
    }
    assert!(olds > 0, "no round was killed early enough ({news} new)");
    // What a killed run left behind does not hinder the next.
    write_bundle(&target, "new");
    assert!(verify(&target, &Limits::default(), &Silent).unwrap().findings.is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
