//! Other instances of kinds of faults that were found once: what must hold for all of them.

use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::Lab;

const FILES: [&str; 4] = ["alpha.run1", "alpha.run2", "alpha-think.run1", "alpha-think.run2"];

/// Changes every record of every run.
fn every_record(lab: &Lab, change: impl Fn(&mut Value)) {
    for file in FILES {
        lab.change(&format!("study/runs/{file}.json"), |run| {
            run["results"].as_array_mut().unwrap().iter_mut().for_each(&change);
        });
    }
}

/// Changes every problem.
fn every_problem(lab: &Lab, change: impl Fn(&mut Value)) {
    lab.change("study/problems.json", |set| set.as_array_mut().unwrap().iter_mut().for_each(&change));
}

#[test]
fn the_time_of_a_program_is_bounded_when_it_is_read() {
    for wrong in ["0", "-1", "3601", "1000000", "1000000000", "4294967296", "1.5", "'10'"] {
        let lab = Lab::new();
        lab.edit("study/study.toml", "tolerance = 0.05", &format!("tolerance = 0.05\ncpu-seconds = {wrong}"));
        lab.run_unharmed("verify study").exits(3).complains("line 13: grading.cpu-seconds");
    }
    let lab = Lab::new();
    lab.edit("study/study.toml", "tolerance = 0.05", "tolerance = 0.05\ncpu-seconds = 3600");
    lab.run_unharmed("verify study").exits(0);
}

#[test]
fn an_interrupt_ends_a_command_whose_program_would_run_for_an_hour() {
    let lab = Lab::new();
    lab.edit("study/study.toml", "tolerance = 0.05", "tolerance = 0.05\ncpu-seconds = 3600");
    lab.edit("study/problems.json", "2 * x", "sum(1 for _ in iter(int, 1))");
    let mut command = lab.command(&["verify", "study", "--engine", "embedded"]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The worker, and the child that runs the program.
    let started = Instant::now();
    let children = || std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", run.id())).unwrap_or_default();
    while children().is_empty() {
        assert!(started.elapsed() < Duration::from_mins(2), "no worker was started");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(Pid::from_raw(run.id() as i32), Signal::SIGINT).unwrap();
    while run.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_mins(4), "the interrupt was not heard");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(run.wait().unwrap().code(), Some(130));
}

#[test]
fn every_command_of_the_chain_ends_with_the_code_of_what_was_found() {
    let chain = ["verify study", "build study --out a", "site study --out b", "bundle study --out c", "report study"];
    let differs = Lab::new();
    differs.edit("study/claims.toml", "100.0", "66.7");
    let edited = Lab::new();
    edited.change("study/runs/alpha.run1.json", |run| run["results"][0]["details"][0]["actual"] = json!(9.0));
    let lacking = Lab::new();
    lacking.remove("study/runs/alpha.run1.json");
    for line in chain {
        differs.run_unharmed(line).exits(1);
        edited.run_unharmed(line).exits(1);
        lacking.run_unharmed(line).exits(4);
    }
}

#[test]
fn what_cannot_be_compared_is_not_checkable_and_never_an_accusation() {
    let accused = |lab: &Lab| {
        let ran = lab.run_unharmed("verify study").never_says("flip").never_says("solver-differs");
        ran.never_says("replay-differs")
    };
    // No problem says what it accepts, although every one has a program.
    let lab = Lab::new();
    every_problem(&lab, |problem| {
        problem.as_object_mut().unwrap().remove("sub_answers");
    });
    accused(&lab).exits(0).says("L1 solvers nothing checked; 3 not checkable");
    // One problem says nothing: that it does is said; the others are checked.
    let lab = Lab::new();
    lab.change("study/problems.json", |set| {
        set[0].as_object_mut().unwrap().remove("sub_answers");
    });
    accused(&lab).says("L1 solvers 2 of 2 agree; 1 not checkable").says("[bad-problem] problems.json");
    // Answers that are texts, under a rule that compares numbers.
    let lab = Lab::new();
    every_problem(&lab, |problem| problem["sub_answers"][0]["value"] = json!("a red shift"));
    accused(&lab).says("L1 solvers nothing checked; 3 not checkable");
}

#[test]
fn programs_without_verdicts_are_said_to_have_none() {
    let lab = Lab::new();
    every_record(&lab, |record| {
        record.as_object_mut().unwrap().remove("passed");
        record.as_object_mut().unwrap().remove("details");
    });
    for file in FILES {
        lab.change(&format!("study/runs/{file}.json"), |run| run["metrics"]["passed"] = json!(0));
    }
    let ran = lab.run_unharmed("verify study").exits(4).never_says("0 of 12 records");
    ran.never_says("flip").says("no verdict is recorded with any of 12 records");
    lab.run_unharmed("site study --out out").exits(4);
    let page = lab.text("out/site/tiny/1.0/leaderboard/index.html");
    assert!(!page.contains(">0.0<"), "a score of zero where nothing is recorded");
}

#[test]
fn a_text_that_lacks_its_quotes_is_shown_with_them() {
    for (from, to, quoted) in [
        ("version = '1.0'", "version = 1.10.0", "version = \"1.10.0\""),
        ("date = '2026-01-02'", "date = 2026-11", "date = \"2026-11\""),
        ("licence = 'MIT'", "licence = MIT", "licence = \"MIT\""),
    ] {
        let lab = Lab::new();
        lab.edit("study/study.toml", from, to);
        lab.run_unharmed("verify study").exits(3).complains(&format!("Put the text in quotes: {quoted}"));
    }
}

#[test]
fn a_key_in_a_file_is_counted_where_the_command_ends() {
    let lab = Lab::new();
    lab.write("study/notes.txt", "aws AKIAIOSFODNN7EXAMPLE\n");
    let ran = lab.run("bundle study --out out").exits(1).says("the form of an AWS access key");
    ran.says("exit 1 (1 finding disagrees)").never_says("left out");
}
