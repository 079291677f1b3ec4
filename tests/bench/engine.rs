//! Programs per second of both engines, cold and warm, against starting an interpreter for each
//! program, all in one run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use repro::engine::{self, Cache, Cached, Engine, EngineChoice, EngineOptions, Limits, Program};
use repro::json::Reader;
use repro::world::Silent;

/// Programs that the slow way runs; its rate does not depend on how many.
const SAMPLE: usize = 150;

/// Stored programs of the development data, or generated ones of the same kind without it.
fn programs() -> (Vec<Program>, &'static str) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/atmoscoder/benchmark"));
    let mut programs = Vec::new();
    for set in ["core", "variants_numeric", "traps", "scaffolding_ablation/original", "scaffolding_ablation/stripped"] {
        let Ok(bytes) = std::fs::read(folder.join(format!("{set}.json"))) else { continue };
        let Ok(records) = Reader::new(&bytes).value() else { continue };
        let sources = records.as_list().unwrap_or_default().iter().filter_map(|r| r.get("code")?.as_text());
        programs.extend(sources.map(Program::new));
    }
    // The cache runs a repeated program once; here every program counts, so each occurs once.
    programs.sort_by(|a, b| a.source.cmp(&b.source));
    programs.dedup();
    if !programs.is_empty() {
        return (programs, "stored programs");
    }
    let source = |n: usize| {
        format!(
            "def solve(t={n}.5, k=0.286):\n    import math\n    p = 1000.0 * math.exp(-k * t / 287.0)\n    return {{'1': {{'value': p, 'unit': 'hPa'}}}}\n"
        )
    };
    ((0..2500).map(|n| Program::new(source(n))).collect(), "generated programs (no development data here)")
}

fn rate(count: usize, start: Instant) -> f64 {
    count as f64 / start.elapsed().as_secs_f64()
}

/// Starts an interpreter for each program, one after the other, as the usual harness does.
fn interpreter_per_program(python: &Path, programs: &[Program]) -> f64 {
    let step = (programs.len() / SAMPLE).max(1);
    let sample: Vec<&Program> = programs.iter().step_by(step).collect();
    let start = Instant::now();
    for program in &sample {
        let source = format!("{}\nimport json\nprint(json.dumps(solve()))\n", program.source);
        let status =
            Command::new(python).args(["-I", "-c", &source]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.is_ok());
    }
    rate(sample.len(), start)
}

fn line(name: &str, rate: f64, slow: f64) {
    println!("  {name:<44} {rate:>9.0} programs/s   {:>6.1} x", rate / slow);
}

fn measure(name: &str, engine: Box<dyn Engine>, programs: &[Program], slow: f64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let limits = Limits::default();
    let cold = Cached::new(engine, Arc::new(Cache::open(folder.path()).expect("a cache")));
    let start = Instant::now();
    let first = cold.run(programs, &limits, &Silent).expect("a run");
    line(&format!("{name}, cold"), rate(programs.len(), start), slow);
    let failed = first.iter().filter(|outcome| !outcome.status.is_ok()).count();
    assert_eq!(failed, 0, "programs of the benchmark fail on {name}");
    drop(first);
    println!("  {:<44} {:>9} MiB", format!("{name}, peak memory of a worker"), worker_peak_mib());
    let size = Cache::size(folder.path()).expect("a size");
    println!("  {:<44} {:>9} outcomes, {} KiB", format!("{name}, cache"), size.entries, size.bytes / 1024);
    // What a second `repro verify` does: open the cache, look everything up, execute nothing.
    let start = Instant::now();
    let warm = Arc::new(Cache::open(folder.path()).expect("a cache"));
    let replayed = Cached::new(Box::new(engine::fake::Fake::like(cold.identity())), warm);
    replayed.run(programs, &limits, &Silent).expect("a run");
    assert_eq!(replayed.tally().executed, 0, "the second run executed something");
    line(&format!("{name}, warm"), rate(programs.len(), start), slow);
}

/// Highest resident size of a process so far, in MiB.
fn peak_mib(status: &str) -> u64 {
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    peak.unwrap_or(0) / 1024
}

/// Highest resident size of a worker of this process; each program runs in a fork of one.
fn worker_peak_mib() -> u64 {
    let own = std::process::id().to_string();
    let is_own = |status: &String| {
        status.lines().any(|line| line.strip_prefix("PPid:").is_some_and(|parent| parent.trim() == own))
    };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let statuses = processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("status")).ok());
    statuses.filter(is_own).map(|status| peak_mib(&status)).max().unwrap_or(0)
}

/// Programs of the run that shows that memory does not grow with their number.
const MANY: usize = 50_000;

/// Runs [`MANY`] different programs as a replay does, a few thousand at a time, and looks what is left.
fn many(options: &EngineOptions) {
    let engine = engine::open(&EngineChoice::Embedded, options).expect("an engine");
    let open = || std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let descriptors = open();
    let start = Instant::now();
    for batch in 0..MANY / 2000 {
        let source = |n: usize| format!("def solve(x={n}.5):\n    return {{'1': {{'value': x * x, 'unit': 'K'}}}}\n");
        let programs: Vec<Program> = (0..2000).map(|n| Program::new(source(batch * 2000 + n))).collect();
        let outcomes = engine.run(&programs, &Limits::default(), &Silent).expect("a run");
        assert!(outcomes.iter().all(|outcome| outcome.status.is_ok()), "a program of the benchmark fails");
    }
    println!("  {:<44} {:>9.0} programs/s", format!("embedded, {MANY} programs"), rate(MANY, start));
    println!("  {:<44} {:>9} more than before", "descriptors open after them", open().saturating_sub(descriptors));
}

/// Prints the whole comparison.
pub(crate) fn run() {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let (programs, kind) = programs();
    println!("engine: {} {kind}, {jobs} jobs", programs.len());
    let worker = PathBuf::from(env!("CARGO_BIN_EXE_repro"));
    let search: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let python = match engine::find_pythons(&[], &search) {
        Ok(mut found) => found.remove(0),
        Err(error) => {
            println!("SKIPPED: the comparison needs a CPython: {error}");
            return;
        }
    };
    let slow = interpreter_per_program(&python.path, &programs);
    line(&format!("one CPython {} start per program", python.version), slow, slow);
    let options = EngineOptions::new(worker, jobs);
    for (name, choice) in [("embedded", EngineChoice::Embedded), ("cpython", EngineChoice::CPython(python))] {
        let start = Instant::now();
        let engine = engine::open(&choice, &options).expect("an engine");
        println!("  {:<44} {:>9.0} ms", format!("{name}, opened with preflight"), start.elapsed().as_secs_f64() * 1e3);
        measure(name, engine, &programs, slow);
    }
    many(&options);
    let own = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("  {:<44} {:>9} MiB", "peak memory of this process", peak_mib(&own));
}
