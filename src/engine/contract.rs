//! The contract of an engine.

use std::ops::Add;
use std::path::PathBuf;

use serde::Serialize;

use super::outcome::Outcome;
use super::program::{Limits, Program};
use super::sandbox::{Layers, SandboxLevel};
use crate::digest::Digest;
use crate::world::Progress;

/// What ran the programs; written next to every result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// `embedded` or `cpython`.
    pub engine: String,
    /// Interpreter and version, for instance `CPython 3.13.0`.
    pub version: String,
    /// How `sum()` adds floats: `compensated` (CPython 3.12 and later) or `plain`.
    pub float_sum: String,
    /// The isolation in force.
    pub level: SandboxLevel,
    /// Its layers.
    pub layers: Layers,
    /// Digest of everything about the engine that can change a result; part of a cache key.
    pub revision: Digest,
}

/// How many outcomes were computed and how many were remembered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Programs executed since the engine was opened.
    pub executed: u64,
    /// Programs that are equal to one executed before, and were not executed again.
    pub repeated: u64,
    /// Outcomes taken from the cache of earlier runs.
    pub remembered: u64,
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            executed: self.executed + other.executed,
            repeated: self.repeated + other.repeated,
            remembered: self.remembered + other.remembered,
        }
    }
}

/// Runs programs. Implementations differ in the interpreter, never in the meaning of a status.
pub trait Engine: Send + Sync {
    /// What runs the programs.
    fn identity(&self) -> &Identity;

    /// Runs `programs`; results come back in input order, whatever order they finished in. `done` is
    /// called once for each program as soon as its outcome is final, from several threads.
    fn run_each(
        &self,
        programs: &[Program],
        limits: &Limits,
        progress: &dyn Progress,
        done: &(dyn Fn(usize, &Outcome) + Sync),
    ) -> Result<Vec<Outcome>, EngineError>;

    /// Runs `programs`; results in input order.
    fn run(&self, programs: &[Program], limits: &Limits, progress: &dyn Progress) -> Result<Vec<Outcome>, EngineError> {
        self.run_each(programs, limits, progress, &|_, _| {})
    }

    /// What was computed and what was remembered so far.
    fn tally(&self) -> Tally;

    /// For an engine that executes programs twice: how many of them it executed once, because nothing but their
    /// text decides the outcome.
    fn settled(&self) -> u64 {
        0
    }

    /// For an engine that executes programs twice: the one that executes them once.
    fn single(&self) -> Option<&dyn Engine> {
        None
    }
}

/// Why programs cannot be run at all. What a program does is never an error of the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// No usable interpreter.
    #[error("no usable CPython (3.9 or later): {}; the embedded engine needs none (--engine embedded)", .tried.join("; "))]
    NoInterpreter {
        /// What was tried and why it was refused.
        tried: Vec<String>,
    },
    /// The isolation asked for is not available here.
    #[error("the sandbox here reaches level `{found}` only ({missing}); accept that by name with --sandbox {found}")]
    Sandbox {
        /// The level that is available.
        found: SandboxLevel,
        /// Which layers are missing.
        missing: String,
    },
    /// This system has nothing that would isolate a program.
    #[error("programs cannot be executed on this system: nothing here would keep one apart from your files")]
    NoIsolation,
    /// A program with a known outcome came out differently: no verdict of this sandbox can be trusted.
    #[error("the sandbox is broken: the preflight program `{program}` should end as {expected} and ended as {found}")]
    Preflight {
        /// Name of the preflight program.
        program: &'static str,
        /// Expected status.
        expected: String,
        /// Status found, with its message.
        found: String,
    },
    /// The worker process could not be started.
    #[error("cannot start the worker {path}: {reason}")]
    Start {
        /// Executable.
        path: PathBuf,
        /// What the system or the worker said.
        reason: String,
    },
    /// A worker died or stopped answering twice in a row.
    #[error("a worker process was lost: {reason}")]
    Lost {
        /// What was seen.
        reason: String,
    },
    /// The user interrupted the run; finished outcomes are in the cache.
    #[error("interrupted; what was finished is kept in the cache")]
    Interrupted,
    /// The parts of a merge hold no outcome of a program that is asked for.
    #[error("the parts hold no outcome of the program sha256:{program}, which is asked for here")]
    NotInParts {
        /// Identity of source, arguments and use.
        program: Digest,
    },
    /// The cache folder cannot be used.
    #[error("the cache in {path} cannot be used: {reason}")]
    Cache {
        /// Folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}
