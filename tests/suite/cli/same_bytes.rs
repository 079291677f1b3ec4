//! The same study gives the same bytes: in another folder, time zone, locale, umask, thread count.

use std::process::Command;

use super::Lab;
use super::lab::{REPRO, Ran};

#[test]
fn nothing_around_a_build_reaches_its_bytes() {
    let lab = Lab::new();
    lab.run_with("build study --out one --jobs 1", &[("TZ", "UTC"), ("LANG", "C")]).exits(0);
    let one = lab.bytes("one");
    let elsewhere = [("TZ", "Pacific/Kiritimati"), ("LANG", "tr_TR.UTF-8"), ("LC_ALL", "de_DE.UTF-8")];
    lab.run_with("build study --out deep/er/two --jobs 2 --no-cache", &elsewhere).exits(0);
    // In another order: a disk may list its files as they were made.
    for (path, content) in lab.bytes("study").into_iter().rev() {
        lab.write(&format!("copy of it/{path}"), content);
    }
    let mut private = Command::new("sh");
    let line = format!("umask 077; exec {REPRO} build ../'copy of it' --out ../three --jobs 3");
    lab.write("cwd/here", "");
    private.args(["-c", &line]).current_dir(lab.path("cwd")).env("XDG_CACHE_HOME", lab.path("cache"));
    Ran::of("build under umask 077", &mut private).exits(0);
    for other in ["deep/er/two", "three"] {
        let other_bytes = lab.bytes(other);
        assert!(one.keys().eq(other_bytes.keys()), "{other} holds other files");
        for (path, bytes) in &one {
            assert!(other_bytes[path] == *bytes, "{path} differs in {other}");
        }
    }
    // The bundle lies among the bundles and beside the versions of the site.
    assert_eq!(one.keys().filter(|path| path.ends_with(".zip")).count(), 2);
}

#[test]
fn the_moment_of_a_bundle_is_the_one_that_was_asked_for() {
    let lab = Lab::new();
    // A moment at which both zones have another day than UTC.
    let epoch = ("SOURCE_DATE_EPOCH", "1796083199");
    let build = |out: &str, zone: &str| {
        lab.run_with(&format!("build study --out {out}"), &[epoch, ("TZ", zone)]).exits(0);
        lab.bytes(&format!("{out}/bundles"))
    };
    let east = build("east", "Pacific/Kiritimati");
    assert!(east == build("west", "Etc/GMT+12"), "the zone reached the bytes");
    lab.run("build study --out plain").exits(0);
    assert!(east != lab.bytes("plain/bundles"), "the moment was not used");
    lab.run("verify east/bundles/tiny-1.0.zip").exits(0);
    let bad = [("SOURCE_DATE_EPOCH", "yesterday")];
    lab.run_with("build study --out bad", &bad).exits(2).complains("SOURCE_DATE_EPOCH is yesterday");
    assert!(!lab.path("bad").exists());
}

#[test]
fn what_a_private_umask_wrote_can_be_published() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    let line = format!("umask 077; exec {REPRO} build study --out out");
    let mut private = Command::new("sh");
    private.args(["-c", &line]).current_dir(lab.path("")).env("XDG_CACHE_HOME", lab.path("cache"));
    Ran::of("build under umask 077", &mut private).exits(0);
    for path in
        ["out/site/tiny/1.0/index.html", "out/site/tiny/1.0/problems/core/area.html", "out/bundles/tiny-1.0.zip"]
    {
        let mode = std::fs::metadata(lab.path(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o444, 0o444, "{path} has mode {mode:o}");
    }
}

#[test]
fn building_again_leaves_what_is_there() {
    let lab = Lab::new();
    let first = lab.run("build study --out out").exits(0);
    let (bytes, times) = (lab.bytes("out"), lab.times("out"));
    let second = lab.run("build study --out out").exits(0);
    assert!(lab.bytes("out") == bytes, "other bytes");
    for (path, time) in lab.times("out") {
        if path.starts_with("site/tiny/1.0/") || path.ends_with(".zip") {
            assert_eq!(times[&path], time, "{path} was written again");
        }
    }
    // What was executed and read now differs; everything else is the same. A long line goes on after blanks.
    let without_counts = |text: &str| {
        let joined = text.replace("\n                 ", " ");
        let counts = |line: &&str| line.starts_with("executions") || line.starts_with("run files");
        joined.lines().filter(|line| !counts(line)).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_counts(&first.stdout), without_counts(&second.stdout));
}

#[test]
fn a_bundle_verifies_alone() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let alone = Lab::empty();
    alone.write("inbox/deposit.zip", std::fs::read(lab.path("out/bundles/tiny-1.0.zip")).unwrap());
    drop(lab);
    alone
        .run("verify inbox/deposit.zip")
        .exits(0)
        .says("L1 solvers 3 of 3 agree")
        .says("L2 replay 12 of 12 agree")
        .says("L6 claims 1 of 1 agree")
        .says("L7 deposit");
    alone.run("claims inbox/deposit.zip --offline-strict").exits(0).says("1 reproduced");
    assert_eq!(alone.bytes("inbox").len(), 1);
    let mut bytes = std::fs::read(alone.path("inbox/deposit.zip")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    alone.write("inbox/deposit.zip", &bytes);
    let damaged = alone.run("verify inbox/deposit.zip");
    assert!(matches!(damaged.code, 3 | 7), "a flipped bit gives {}", damaged.code);
}
