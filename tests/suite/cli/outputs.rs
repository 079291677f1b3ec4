//! Where outputs go: outside of the input, one run at a time, whole, readable, and said when they cannot.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::Lab;
use super::lab::{REPRO, Ran};

#[test]
fn an_output_inside_the_study_is_refused_before_anything_is_written() {
    let lab = Lab::new();
    for line in [
        "build study --out study",
        "build study --out study/public",
        "build study --out study/../study/x/y",
        "site study --out ./study",
        "bundle study --out study/deep/er",
        "stats study --out study/tables",
        "claims study --junit study/report.xml",
        "verify study --cache-dir study/cache",
    ] {
        lab.run_unharmed(line).exits(6).complains("inside the study").complains("outside");
    }
    let before = lab.bytes("study");
    let mut inside = lab.command(&["build", "."]);
    Ran::of("build . in the study", inside.current_dir(lab.path("study"))).exits(6).complains("inside the study");
    std::os::unix::fs::symlink(lab.path("study"), lab.path("link")).unwrap();
    lab.run("build study --out link/x").exits(6).complains("inside the study");
    lab.run("build link --out study").exits(6).complains("inside the study");
    assert!(lab.bytes("study") == before);
    lab.write("site/study.toml", lab.text("study/study.toml"));
    lab.run("build site --out .").exits(6).complains("the study lies inside");
}

#[test]
fn an_output_that_exists_is_said_before_a_program_runs() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    lab.write("study/notes.txt", "one more");
    for line in ["build study --out out", "site study --out out", "bundle study --out out"] {
        let ran = lab.run_unharmed(&format!("{line} --cache-dir fresh")).exits(6);
        ran.complains("exists with other content");
        let size = lab.run("cache size --cache-dir fresh --json").json();
        assert_eq!(size["result"]["entries"], 0, "{line} executed programs first");
    }
}

#[test]
fn two_runs_do_not_write_into_one_output() {
    let lab = Lab::new();
    lab.change("study/problems.json", |problems| {
        let slow = problems[0]["code"].as_str().unwrap().replace("    return", "    time.sleep(2)\n    return");
        problems[0]["code"] = format!("import time\n{slow}").into();
    });
    let mut first = lab.command(&["build", "study", "--out", "out", "--once"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !lab.path("out").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    lab.run("site study --out out").exits(6).complains("another run").complains("nothing was changed");
    assert_eq!(first.wait().unwrap().code(), Some(0));
    lab.run("build study --out out --once").exits(0);
}

#[test]
fn left_overs_of_killed_runs_are_swept_and_none_are_made() {
    let lab = Lab::new();
    for path in ["out/site/tiny/.writing-x/a", "out/site/tiny/.replaced-y/old/a", "out/.writing-z/site/a"] {
        lab.write(path, "left");
    }
    lab.write("out/bundles/.tiny-1.0.zip.staged/tiny-1.0.zip", "left");
    lab.run("build study --out out").exits(0);
    lab.write("study/notes.txt", "one more");
    lab.run("build study --out out --replace").exits(0);
    let hidden: Vec<String> =
        lab.bytes("out").into_keys().filter(|path| path.contains("/.") || path.starts_with('.')).collect();
    assert!(hidden.iter().all(|path| path.ends_with("/.nojekyll")), "{hidden:?}");
    assert!(lab.path("out/site/.nojekyll").is_file());
}

#[test]
fn every_output_has_one_mode_whatever_the_umask() {
    let lab = Lab::new();
    let line = format!("umask 077; exec {REPRO} build study --out out");
    let mut strict = Command::new("sh");
    strict.args(["-c", &line]).current_dir(lab.path("")).env("XDG_CACHE_HOME", lab.path("cache"));
    Ran::of("build under umask 077", &mut strict).exits(0);
    let mut open = vec![lab.path("out")];
    while let Some(path) = open.pop() {
        let metadata = std::fs::metadata(&path).unwrap();
        let mode = metadata.permissions().mode() & 0o777;
        assert_eq!(mode, if metadata.is_dir() { 0o755 } else { 0o644 }, "{}", path.display());
        if metadata.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|child| child.unwrap().path()));
        }
    }
}

/// Killed at many moments of a replacement, the site of one build stands, whole, and so does a bundle.
#[test]
fn a_killed_replacement_leaves_one_whole_version() {
    let lab = Lab::new();
    lab.run("build study --out out").exits(0);
    let old = lab.bytes("out/site/tiny/1.0");
    lab.write("study/notes.txt", "one more");
    lab.run("build study --out new").exits(0);
    let new = lab.bytes("new/site/tiny/1.0");
    let zips = ["out", "new"].map(|out| std::fs::read(lab.path(&format!("{out}/bundles/tiny-1.0.zip"))).unwrap());
    assert!(old != new && zips[0] != zips[1]);
    for round in 0..24 {
        let mut run = lab.command(&["build", "study", "--out", "out", "--replace", "--quiet"]);
        let mut run = run.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(40 * round));
        let _ = run.kill();
        run.wait().unwrap();
        let now = lab.bytes("out/site/tiny/1.0");
        assert!(now == old || now == new, "round {round}: a torn site");
        let zip = std::fs::read(lab.path("out/bundles/tiny-1.0.zip")).unwrap();
        assert!(zips.contains(&zip), "round {round}: a torn bundle");
    }
    lab.run("build study --out out --replace").exits(0);
    assert!(lab.bytes("out/site/tiny/1.0") == new);
    lab.run("verify out/bundles/tiny-1.0.zip").exits(0);
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let lab = Lab::new();
    for line in [
        "claims study --json",
        "claims study",
        "claims --suggest study/README.md",
        "stats study",
        "stats study --json",
        "verify study --json",
        "diff study study",
        "explain list",
        "explain exit-0 --json",
        "cache size",
        "--help",
        "help verify",
        "verify --help",
        "--version",
        "verify nowhere --json",
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = lab.command(&words).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(6), "{line}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("cannot be written to stdout") && said.contains("help: "), "{line}: {said}");
    }
}

/// A reader that has seen enough is no error.
#[test]
fn a_closed_pipe_is_quiet() {
    let lab = Lab::new();
    for line in ["explain list", "claims study --json", "--help"] {
        let shell = format!("{REPRO} {line} | head -c 10 > /dev/null; echo ${{PIPESTATUS[0]}}");
        let output = Command::new("bash").args(["-c", &shell]).current_dir(lab.path("")).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "0", "{line}");
        assert!(output.stderr.is_empty() || line.contains("claims"), "{line}");
    }
}

#[test]
fn an_epoch_in_milliseconds_is_refused() {
    let lab = Lab::new();
    for line in ["build study --out out", "bundle study --out out"] {
        let ran = lab.run_with(line, &[("SOURCE_DATE_EPOCH", "1764460800000")]).exits(2);
        ran.complains("after the year 2107").complains("may be 1764460800");
    }
    assert!(!lab.path("out").exists());
}
