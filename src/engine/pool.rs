//! Workers and the distribution of programs over them.

use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::classify::classify;
use super::contract::{Engine, EngineError, Identity, Tally};
use super::frame::NONCE;
use super::outcome::{Outcome, Status};
use super::program::{Limits, Program};
use super::sandbox::Layers;
use super::supervise::{LISTEN, execute};
use super::system;
use super::worker::SUBCOMMAND;
use super::workplace::Workplace;
use crate::digest::Digest;
use crate::world::Progress;

/// Time a worker has to say hello.
const HELLO: Duration = Duration::from_mins(2);

/// How to start a worker.
#[derive(Debug, Clone)]
pub(super) struct Recipe {
    /// Executable of this tool.
    pub(super) worker: PathBuf,
    /// `embedded` or `cpython`.
    pub(super) kind: &'static str,
    /// Layers left out on purpose.
    pub(super) without: Layers,
    pub(super) hash_seed: u32,
    /// Further arguments: the interpreter and what may be read.
    pub(super) rest: Vec<String>,
}

/// What a worker said when it was ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) version: String,
    pub(super) float_sum: String,
    pub(super) layers: Layers,
    pub(super) build: String,
}

/// A running worker process; killed when dropped.
#[derive(Debug)]
pub(super) struct Worker {
    process: Child,
    socket: UnixStream,
    // The empty working directory; removed with the worker.
    _workplace: Workplace,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself; both calls then fail harmlessly.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Recipe {
    pub(super) fn start(&self) -> Result<(Worker, Hello), EngineError> {
        let started = self.try_start();
        if system::interrupted() {
            return Err(EngineError::Interrupted);
        }
        started.map_err(|error| EngineError::Start { path: self.interpreter().to_owned(), reason: error.to_string() })
    }

    /// What a user would have to repair when no worker starts: the CPython, or this tool.
    fn interpreter(&self) -> &Path {
        self.rest.first().map_or(self.worker.as_path(), Path::new)
    }

    fn try_start(&self) -> io::Result<(Worker, Hello)> {
        let workplace = Workplace::new()?;
        let (socket, theirs) = UnixStream::pair()?;
        let mut process = Command::new(&self.worker)
            .arg(SUBCOMMAND)
            .args([self.kind, &self.without.names(), &self.hash_seed.to_string()])
            .args(&self.rest)
            .env_clear()
            .envs([("PYTHONHASHSEED", self.hash_seed.to_string().as_str()), ("TZ", "UTC"), ("LC_ALL", "C.UTF-8")])
            .current_dir(workplace.path())
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let complaints = process.stderr.take();
        let mut worker = Worker { process, socket, _workplace: workplace };
        match worker.hello() {
            Ok(hello) => Ok((worker, hello)),
            Err(error) => {
                let _ = worker.process.kill();
                let mut said = String::new();
                if let Some(complaints) = complaints {
                    let _ = complaints.take(2000).read_to_string(&mut said);
                }
                let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
                Err(io::Error::new(error.kind(), format!("{} ({error})", last.trim())))
            }
        }
    }
}

impl Worker {
    fn hello(&mut self) -> io::Result<Hello> {
        self.socket.set_read_timeout(Some(LISTEN))?;
        let until = Instant::now() + HELLO;
        let mut length = [0; 4];
        self.hear(&mut length, until)?;
        let mut text = vec![0; (u32::from_le_bytes(length) as usize).min(1 << 16)];
        self.hear(&mut text, until)?;
        self.socket.set_read_timeout(None)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut lines = text.lines().map(str::to_owned);
        let mut next = || lines.next().ok_or_else(|| io::Error::other("a short hello"));
        let (version, float_sum, layers, build) = (next()?, next()?, next()?, next()?);
        Ok(Hello { version, float_sum, layers: Layers::from_names(&layers), build })
    }

    /// Fills a buffer with what a worker says while it starts; an interrupt is seen while nothing comes.
    fn hear(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<()> {
        let mut heard = 0;
        while heard < buffer.len() {
            if system::interrupted() {
                return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "interrupted"));
            }
            match self.socket.read(&mut buffer[heard..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => heard += count,
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut if Instant::now() < until => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }
}

/// Secrets of the result channel: one random key, one digest for each execution.
#[derive(Debug)]
struct Nonces {
    key: [u8; 32],
    next: AtomicU64,
}

impl Nonces {
    fn next(&self) -> [u8; NONCE] {
        let number = self.next.fetch_add(1, Ordering::Relaxed).to_le_bytes();
        let digest = Digest::of_parts([&self.key[..], &number]);
        let mut nonce = [0; NONCE];
        nonce.copy_from_slice(&digest.as_bytes()[..NONCE]);
        nonce
    }
}

/// An engine of several workers of one kind.
#[derive(Debug)]
pub(super) struct Pool {
    recipe: Recipe,
    identity: Identity,
    workers: Vec<Mutex<Option<Worker>>>,
    nonces: Nonces,
    executed: AtomicU64,
}

impl Pool {
    /// Puts the first worker, already started, together with room for `jobs` in all.
    pub(super) fn new(recipe: Recipe, identity: Identity, first: Worker, jobs: usize) -> Result<Self, EngineError> {
        let mut key = [0; 32];
        system::fill_random(&mut key).map_err(|error| EngineError::Lost { reason: error.to_string() })?;
        let mut workers = vec![Mutex::new(Some(first))];
        for _ in 1..jobs.max(1) {
            // Started here and not where it is first used: a worker dies with the thread that started it.
            workers.push(Mutex::new(Some(recipe.start()?.0)));
        }
        let nonces = Nonces { key, next: AtomicU64::new(0) };
        Ok(Self { recipe, identity, workers, nonces, executed: AtomicU64::new(0) })
    }

    /// The preflight is not part of anybody's run.
    pub(super) fn forget_tally(&self) {
        self.executed.store(0, Ordering::Relaxed);
    }

    /// Runs one program on worker `index`, replacing a worker that was lost once.
    fn run_one(&self, index: usize, program: &Program, limits: &Limits) -> Result<Outcome, EngineError> {
        if program.source.len() > limits.source_bytes as usize {
            return Ok(Outcome::of(Status::TooLarge));
        }
        let mut slot = self.workers[index].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut reason = String::new();
        for _ in 0..2 {
            let worker = match slot.as_mut() {
                Some(worker) => worker,
                None => slot.insert(self.recipe.start()?.0),
            };
            let nonce = self.nonces.next();
            match execute(&mut worker.socket, program, limits, nonce) {
                Ok(seen) => {
                    self.executed.fetch_add(1, Ordering::Relaxed);
                    return classify(seen, nonce, limits)
                        .map_err(|layer| EngineError::Lost { reason: format!("a child could not apply {layer}") });
                }
                Err(error) => {
                    reason = error.to_string();
                    *slot = None;
                    if system::interrupted() {
                        return Err(EngineError::Interrupted);
                    }
                }
            }
        }
        Err(EngineError::Lost { reason })
    }

    /// One thread of a run: takes the next program until there is none.
    fn work(&self, index: usize, run: &Run<'_>) -> Result<(), EngineError> {
        loop {
            let place = run.next.fetch_add(1, Ordering::Relaxed);
            let Some((&at, program)) = run.order.get(place).and_then(|at| Some((at, run.programs.get(*at)?))) else {
                return Ok(());
            };
            if system::interrupted() {
                return Err(EngineError::Interrupted);
            }
            let outcome = match self.run_one(index, program, run.limits) {
                Ok(outcome) => outcome,
                Err(error) => {
                    // The others stop at their next program.
                    run.next.store(run.programs.len(), Ordering::Relaxed);
                    return Err(error);
                }
            };
            // A timeout on a busy machine is not yet a verdict: it is tried again, alone.
            if outcome.status != Status::Timeout {
                run.finish(at, &outcome);
            }
            run.keep(at, outcome);
        }
    }
}

struct Run<'a> {
    programs: &'a [Program],
    /// Indices, dearest programs first.
    order: Vec<usize>,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    done: &'a (dyn Fn(usize, &Outcome) + Sync),
    next: AtomicUsize,
    outcomes: Mutex<Vec<Option<Outcome>>>,
}

/// The order in which programs are begun: those that may run long first, so that at the end no worker waits for
/// one that was begun late. A loop without a bound may run longest, then loops inside loops, then long texts.
fn dearest_first(programs: &[Program]) -> Vec<usize> {
    let expense = |program: &Program| {
        let mut deepest = 0;
        let mut loops = 0;
        for line in program.source.lines() {
            let text = line.trim_start();
            if text.starts_with("while ") || text.starts_with("for ") {
                deepest = deepest.max(1 + (line.len() - text.len()) / 4 + 8 * usize::from(text.starts_with("while ")));
                loops += 1;
            }
        }
        (deepest, loops, program.source.len())
    };
    let mut order: Vec<usize> = (0..programs.len()).collect();
    order.sort_by_cached_key(|&at| std::cmp::Reverse(expense(&programs[at])));
    order
}

impl Run<'_> {
    fn finish(&self, at: usize, outcome: &Outcome) {
        (self.done)(at, outcome);
        self.progress.advance(1);
    }

    fn keep(&self, at: usize, outcome: Outcome) {
        self.outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[at] = Some(outcome);
    }
}

impl Engine for Pool {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run_each(
        &self,
        programs: &[Program],
        limits: &Limits,
        progress: &dyn Progress,
        done: &(dyn Fn(usize, &Outcome) + Sync),
    ) -> Result<Vec<Outcome>, EngineError> {
        let outcomes = Mutex::new(vec![None; programs.len()]);
        let run = Run {
            programs,
            order: dearest_first(programs),
            limits,
            progress,
            done,
            next: AtomicUsize::new(0),
            outcomes,
        };
        let jobs = self.workers.len().min(programs.len());
        let results: Vec<Result<(), EngineError>> = std::thread::scope(|scope| {
            let run = &run;
            let threads: Vec<_> = (0..jobs).map(|index| scope.spawn(move || self.work(index, run))).collect();
            let lost = || Err(EngineError::Lost { reason: "a supervising thread panicked".to_owned() });
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
        });
        results.into_iter().collect::<Result<(), _>>()?;
        let first = run.outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).split_off(0);
        let mut final_outcomes = Vec::with_capacity(programs.len());
        for (at, outcome) in first.into_iter().enumerate() {
            let Some(mut outcome) = outcome else { return Err(EngineError::Interrupted) };
            if outcome.status == Status::Timeout {
                if system::interrupted() {
                    return Err(EngineError::Interrupted);
                }
                outcome = self.run_one(0, &programs[at], limits)?;
                run.finish(at, &outcome);
            }
            final_outcomes.push(outcome);
        }
        Ok(final_outcomes)
    }

    fn tally(&self) -> Tally {
        Tally { executed: self.executed.load(Ordering::Relaxed), ..Tally::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_may_run_long_are_begun_first() {
        let programs = [
            "def solve():\n    return {}\n",
            "def solve():\n    for i in range(9):\n        for j in range(9):\n            pass\n",
            "def solve():\n    while x > 1e-9:\n        x /= 2\n",
            "def solve():\n    for i in range(9):\n        pass\n",
        ];
        assert_eq!(dearest_first(&programs.map(Program::new)), [2, 1, 3, 0]);
    }
}
