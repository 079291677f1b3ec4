//! Nothing outlives its run: processes, descriptors, folders.
//!
//! The inner tests run in a process of their own (this binary again, one ignored test), so that its
//! descriptors can be counted and it can be killed without a word.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use repro::engine::{Cache, Cached, Engine, Limits, Program};
use repro::world::Silent;

use super::{cpython, embedded};

fn inner(name: &str, temporary: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("sandbox::lifetime::{name}"), "--ignored", "--nocapture", "--test-threads=1"]);
    command.env("TMPDIR", temporary).stdin(Stdio::null());
    command
}

/// Processes whose working directory lies below `folder`: the workers, and the children of programs.
fn processes_in(folder: &Path) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))).count()
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_mins(1), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

const SLEEPER: &str = "import time\ndef solve():\n    time.sleep(100000)\n    return {}\n";

#[test]
#[ignore = "run by killing_the_run_kills_everything in a process of its own"]
fn inner_sleeper() {
    let limits = Limits { wall_seconds: 100_000, ..Limits::default() };
    let engines = [Some(embedded(1)), cpython(1)];
    std::thread::scope(|scope| {
        for engine in engines.iter().flatten() {
            scope.spawn(|| engine.run(&[Program::new(SLEEPER)], &limits, &Silent));
        }
    });
}

#[test]
fn killing_the_run_kills_everything() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let mut run = inner("inner_sleeper", &folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // One worker and one child at least; two of each with a CPython.
    until("programs to sleep", || processes_in(&folder) >= 2);
    run.kill().unwrap();
    run.wait().unwrap();
    until("the last process to end", || processes_in(&folder) == 0);
}

#[test]
#[ignore = "run by an_interrupt_ends_a_running_program in a process of its own"]
fn inner_interrupted() {
    repro::engine::watch_interrupts();
    let limits = Limits { cpu_seconds: 3600, wall_seconds: 14_400, ..Limits::default() };
    let programs = [Program::new(SLEEPER), Program::new("def solve():\n    while True:\n        pass\n")];
    let engines: Vec<_> = [Some(embedded(2)), cpython(2)].into_iter().flatten().collect();
    // Workers of all engines, and a child for each program of the first.
    let expected = 2 * engines.len() + programs.len();
    fs::write(std::env::temp_dir().join("expected"), expected.to_string()).unwrap();
    for engine in engines {
        // After the first engine was interrupted the second does not begin.
        let error = engine.run(&programs, &limits, &Silent).unwrap_err();
        assert!(matches!(error, repro::engine::EngineError::Interrupted), "{error}");
    }
}

#[test]
fn an_interrupt_ends_a_running_program() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let mut run = inner("inner_interrupted", &folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let expected = || fs::read_to_string(folder.join("expected")).ok()?.parse::<usize>().ok();
    until("programs to run", || expected().is_some_and(|expected| processes_in(&folder) >= expected));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(run.id() as i32), nix::sys::signal::Signal::SIGINT).unwrap();
    // The programs themselves would go on for an hour.
    until("the run to end", || run.try_wait().unwrap().is_some());
    assert!(run.wait().unwrap().success());
    until("the last process to end", || processes_in(&folder) == 0);
}

#[test]
fn folders_of_a_killed_run_are_swept_by_the_next() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let mut run = inner("inner_sleeper", &folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("programs to sleep", || processes_in(&folder) >= 2);
    run.kill().unwrap();
    run.wait().unwrap();
    until("the last process to end", || processes_in(&folder) == 0);
    assert!(fs::read_dir(&folder).unwrap().count() > 0, "a killed run leaves its folders");
    assert!(inner("inner_many", &folder).output().unwrap().status.success());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "and the next sweeps them");
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
#[ignore = "run by many_programs_leave_nothing in a process of its own"]
fn inner_many() {
    let before = descriptors();
    for engine in [Some(embedded(2)), cpython(2)].into_iter().flatten() {
        let programs: Vec<Program> = (0..300)
            .map(|n| match n % 3 {
                0 => Program::new(format!("def solve(): return {{'1': {n}}}")),
                1 => Program::new("import os\nos.fork()"),
                _ => Program::new("open('/tmp/x', 'w')"),
            })
            .collect();
        let outcomes = engine.run(&programs, &Limits::default(), &Silent).unwrap();
        for (n, outcome) in outcomes.iter().enumerate().step_by(3) {
            let value = outcome.returned[0].1.as_f64();
            assert_eq!(value, Some(n as f64), "results are in input order");
        }
    }
    assert_eq!(descriptors(), before, "descriptors are left open");
}

#[test]
fn many_programs_leave_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let output = inner("inner_many", &folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the inner test did not run");
    assert_eq!(processes_in(&folder), 0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "folders are left behind");
}

/// Forty programs that take a while, so that a kill strikes between them.
fn slow_programs() -> Vec<Program> {
    let source = |n: usize| format!("import time\ndef solve():\n    time.sleep(0.05)\n    return {{'1': {n} / 7}}\n");
    (0..40).map(|n| Program::new(source(n))).collect()
}

fn cached(folder: &Path) -> Cached {
    Cached::new(embedded(1), Arc::new(Cache::open(folder).unwrap()))
}

#[test]
#[ignore = "run by a_killed_run_resumes in a process of its own"]
fn inner_cached() {
    let folder = std::env::temp_dir().join("cache");
    cached(&folder).run(&slow_programs(), &Limits::default(), &Silent).unwrap();
}

#[test]
fn a_killed_run_resumes_and_ends_with_the_same_outcomes() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap().join("cache");
    let mut run = inner("inner_cached", folder.parent().unwrap());
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("some outcomes", || Cache::size(&folder).is_ok_and(|size| size.entries >= 5));
    run.kill().unwrap();
    run.wait().unwrap();
    let resumed = cached(&folder);
    let outcomes = resumed.run(&slow_programs(), &Limits::default(), &Silent).unwrap();
    let tally = resumed.tally();
    assert!(tally.remembered >= 5 && tally.executed + tally.remembered == 40, "{tally:?}");
    let fresh = embedded(2).run(&slow_programs(), &Limits::default(), &Silent).unwrap();
    assert_eq!(outcomes, fresh);
    let again = cached(&folder);
    assert_eq!(again.run(&slow_programs(), &Limits::default(), &Silent).unwrap(), fresh);
    assert_eq!(again.tally().executed, 0);
}

#[test]
fn concurrent_runs_share_a_cache_and_agree() {
    let folder = tempfile::tempdir().unwrap();
    let programs = slow_programs();
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let run = || cached(folder.path()).run(&programs, &Limits::default(), &Silent).unwrap();
        let runs = [scope.spawn(run), scope.spawn(run)];
        runs.map(|run| run.join().unwrap()).into_iter().collect()
    });
    assert_eq!(outcomes[0], outcomes[1]);
    assert_eq!(cached(folder.path()).run(&programs, &Limits::default(), &Silent).unwrap(), outcomes[0]);
}
