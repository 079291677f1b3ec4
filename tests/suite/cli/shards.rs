//! A verification in parts says byte for byte what one machine says.

use std::path::Path;

use repro::digest::Digest;

use super::Lab;
use super::lab::REPRO;

/// A lab with the example study, beside which the tests write.
fn lab() -> Lab {
    let lab = Lab::empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo");
    let mut open = vec![root.clone()];
    while let Some(folder) = open.pop() {
        for child in std::fs::read_dir(&folder).unwrap() {
            let path = child.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let below = path.strip_prefix(&root).unwrap().display().to_string();
                lab.write(&format!("demo/{below}"), std::fs::read(&path).unwrap());
            }
        }
    }
    lab
}

/// Makes all parts of a verification in so many parts; their paths as words.
fn parts(lab: &Lab, of: usize, more: &str) -> Vec<String> {
    let make = |number| {
        let path = format!("parts/{of}/{number}.part");
        lab.run(&format!("verify demo --shard {number}/{of} --out {path} {more}")).exits(0);
        path
    };
    (1..=of).map(make).collect()
}

#[test]
fn one_three_and_sixteen_parts_give_the_bytes_of_one_machine() {
    let lab = lab();
    let whole = lab.run("verify demo --json --no-cache");
    let text = lab.run("verify demo --no-cache");
    let said = whole.json();
    assert!(said["executions"]["run"].as_u64().unwrap() > 100, "the example study executes programs");
    for of in [1, 3, 16] {
        let parts = parts(&lab, of, "--no-cache");
        let merged = lab.run(&format!("merge {} --json", parts.join(" "))).exits(whole.code);
        assert_eq!(Digest::of(merged.stdout.as_bytes()), Digest::of(whole.stdout.as_bytes()), "{of} parts");
        let backwards: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
        let merged = lab.run(&format!("merge {}", backwards.join(" "))).exits(text.code);
        assert_eq!(merged.stdout, text.stdout, "{of} parts, as text");
    }
}

#[test]
fn a_part_of_equal_work_has_equal_bytes_and_may_be_given_twice() {
    let lab = lab();
    let first = parts(&lab, 3, "--jobs 1");
    let whole = lab.run(&format!("merge {} --json", first.join(" ")));
    let before = lab.bytes("parts");
    let again = parts(&lab, 3, "--jobs 2 --no-cache");
    assert!(before == lab.bytes("parts"), "other bytes from another cache and other threads");
    let twice = lab.run(&format!("merge {} {} --json", first.join(" "), again[1])).exits(whole.code);
    assert_eq!(twice.stdout, whole.stdout);
    assert!(twice.stderr.contains("note: parts/3/2.part is part 2 again"), "{}", twice.stderr);
}

#[test]
fn what_does_not_belong_together_is_refused_by_name() {
    let lab = lab();
    let three = parts(&lab, 3, "");
    lab.run(&format!("merge {} {}", three[0], three[2])).exits(4).complains("part 2 of 3 is not among those given");
    lab.run(&format!("merge {}", three[1])).exits(4).complains("parts 1, 3 of 3 are not among those given");
    lab.run("verify demo --shard 1/2 --out other.part").exits(0);
    lab.run(&format!("merge {} other.part", three[0])).exits(3).complains("the number of parts is 3 in the one and 2");
    lab.run("verify demo --shard 2/3 --out once.part --once").exits(0);
    let mixed = format!("merge {} once.part {}", three[0], three[2]);
    lab.run(&mixed).exits(3).complains("how often each program is executed is twice in the one and once");
    let mut torn = std::fs::read(lab.path(&three[1])).unwrap();
    torn.truncate(torn.len() / 2);
    lab.write("torn.part", &torn);
    lab.run(&format!("merge {} torn.part {}", three[0], three[2])).exits(3).complains("torn.part is damaged");
    lab.run("merge demo/study.toml").exits(3).complains("is no part of a verification");
    lab.run("merge").exits(2);
    lab.run("verify demo --shard 4/3 --out x").exits(2);
    lab.run("verify demo --shard 1/3").exits(2);
    // The study changes after the parts were made.
    lab.write("demo/notes.txt", "one more file");
    lab.run(&format!("merge {}", three.join(" "))).exits(3).complains("name the study that the parts were made from");
}

/// A file of the shipped workflows.
fn workflow(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("workflows").join(file).display().to_string()
}

#[test]
#[cfg_attr(not(has_snakemake), ignore = "snakemake is not installed")]
fn the_snakemake_workflow_gives_the_bytes_of_one_machine() {
    let lab = lab();
    let whole = lab.run("verify demo --json --no-cache");
    let mut command = std::process::Command::new("snakemake");
    command.args(["-s", &workflow("snakemake/Snakefile"), "--cores", "2", "--config"]);
    command.args(["study=demo", "shards=4", "out=verified", &format!("repro={REPRO}")]);
    command.current_dir(lab.path("")).env("HOME", lab.path("")).env("XDG_CACHE_HOME", lab.path("cache"));
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(lab.text("verified/result.json"), whole.stdout);
    // What is done is not done again.
    let times = lab.times("verified");
    assert!(command.output().unwrap().status.success());
    assert_eq!(lab.times("verified"), times);
}

/// A Slurm of one node that ends with the test.
struct OneNode(std::path::PathBuf);

impl OneNode {
    fn run(action: &str, folder: &Path) -> std::process::Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/one-node");
        std::process::Command::new(script).arg(action).arg(folder).output().unwrap()
    }
}

impl Drop for OneNode {
    fn drop(&mut self) {
        Self::run("stop", &self.0);
    }
}

#[test]
#[cfg_attr(not(has_slurm), ignore = "Slurm is not installed (slurmctld, slurmd, slurm-client, munge)")]
fn the_slurm_array_gives_the_bytes_of_one_machine() {
    let lab = lab();
    let whole = lab.run("verify demo --json --no-cache");
    let started = OneNode::run("start", &lab.path("node"));
    let _node = OneNode(lab.path("node"));
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    let configuration = String::from_utf8(started.stdout).unwrap();
    let slurm = |program: &str, words: &[&str]| {
        let mut command = std::process::Command::new(program);
        command.args(words).current_dir(lab.path("")).env("SLURM_CONF", configuration.trim());
        command.env("REPRO", REPRO).env("HOME", lab.path("")).env("XDG_CACHE_HOME", lab.path("cache"));
        let done = command.output().unwrap();
        assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    slurm(&workflow("slurm/submit"), &["demo", "4", "out"]);
    while !slurm("squeue", &["--noheader"]).trim().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let log = || std::fs::read_to_string(lab.path("out/merge.log")).unwrap_or_default();
    assert!(lab.path("out/result.json").exists(), "{}", log());
    assert_eq!(lab.text("out/result.json"), whole.stdout);
}
