//! A build that was killed and run again gives the bytes of one that was not, and a build after one more run reads
//! and executes that run only.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::Lab;

/// Everything that a build publishes.
fn published(lab: &Lab, out: &str) -> BTreeMap<String, Vec<u8>> {
    lab.bytes(out)
}

/// The stage that a running build has reached, as it says on standard error.
const STAGES: [&str; 8] = [
    "reading runs",
    "hashing",
    "executing stored solvers",
    "replaying runs",
    "auditing stored solvers",
    "looking for keys",
    "writing the bundle",
    "reading the bundle",
];

#[test]
fn a_build_that_was_killed_at_any_stage_goes_on_to_the_same_bytes() {
    let lab = Lab::new();
    lab.run("build study --out whole --no-cache").exits(0);
    let whole = published(&lab, "whole");
    let mut reached = 0;
    for stage in STAGES {
        let _ = std::fs::remove_dir_all(lab.path("out"));
        let _ = std::fs::remove_dir_all(lab.path("cache"));
        let mut child = lab
            .command(&["build", "study", "--out", "out"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
        // Killed as soon as it says that the stage begins.
        reached += usize::from(lines.map_while(Result::ok).any(|line| line.starts_with(stage)));
        let _ = child.kill();
        child.wait().unwrap();
        lab.run("build study --out out").exits(0);
        assert!(published(&lab, "out") == whole, "killed in {stage:?}: other bytes, or something left over");
    }
    assert_eq!(reached, STAGES.len(), "a stage of this list was never said to begin");
}

#[test]
fn a_build_that_was_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let lab = Lab::new();
    let begin = Instant::now();
    lab.run("build study --out whole --no-cache").exits(0);
    let duration = begin.elapsed();
    let whole = published(&lab, "whole");
    for round in 1..=6_u32 {
        let mut child = lab
            .command(&["build", "study", "--out", "out"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(duration * round / 7);
        let _ = child.kill();
        child.wait().unwrap();
    }
    std::thread::sleep(Duration::from_millis(100));
    lab.run("build study --out out").exits(0);
    assert!(published(&lab, "out") == whole, "other bytes, or something left over");
}

#[test]
fn one_more_run_is_read_and_executed_alone() {
    let lab = Lab::new();
    let third = lab.text("study/runs/alpha.run2.json").replace("\"run\":2", "\"run\":3");
    lab.edit("study/study.toml", "runs = 2", "runs = 3");
    let first = lab.run("build study --out out --allow-missing --json");
    let before = first.json();
    assert_eq!(before["run-files"], serde_json::json!({"read": 4, "known-by-digest": 0}));
    assert!(before["executions"]["run"].as_u64().unwrap() > 0);
    // A run whose programs are new, but for what they compute.
    lab.write("study/runs/alpha.run3.json", third.replace("def solve(", "def helper():\\n    pass\\n\\ndef solve("));
    let second = lab.run("build study --out out --allow-missing --replace --json").json();
    assert_eq!(second["run-files"], serde_json::json!({"read": 1, "known-by-digest": 4}));
    let counts =
        |name: &str| (before["executions"][name].as_u64().unwrap(), second["executions"][name].as_u64().unwrap());
    let ((executed, again), (_, known)) = (counts("run"), counts("from-cache"));
    assert!(0 < again && again < executed, "{again} of {executed} executed after one run was added");
    assert!(known >= executed, "{known} of {executed} remembered");
    let text = lab.run("build study --out out --allow-missing --replace");
    text.says("run files 0 read, 5 known by the digest of their bytes").says("executions 0 run");
    // The same from nothing.
    lab.run("build study --out whole --allow-missing --no-cache");
    assert!(lab.bytes("out/site/tiny") == lab.bytes("whole/site/tiny"), "what is remembered differs from what is read");
}
