//! Which engine is asked for, and how it is to run.

use std::path::PathBuf;

use super::cpython::Interpreter;
use super::sandbox::{Layers, SandboxLevel};

/// Which interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineChoice {
    /// The one compiled into the tool.
    Embedded,
    /// A CPython found by [`super::find_pythons`].
    CPython(Interpreter),
}

/// How to run it.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Executable that answers to [`super::worker::SUBCOMMAND`]: this tool itself. A test binary names
    /// the tool's executable here.
    pub worker: PathBuf,
    /// Weakest level the user accepted by name; [`SandboxLevel::Full`] without that.
    pub accepted: SandboxLevel,
    /// Layers left out on purpose, to learn what a weaker system does.
    pub without: Layers,
    /// Worker processes.
    pub jobs: usize,
    /// Hash seed of the interpreter; another one serves the second of two executions.
    pub hash_seed: u32,
    /// Runs the preflight programs before anything else. Off only for a second opening in the same run.
    pub preflight: bool,
}

impl EngineOptions {
    /// Full isolation, hash seed 0, with preflight.
    pub fn new(worker: PathBuf, jobs: usize) -> Self {
        Self { worker, accepted: SandboxLevel::Full, without: Layers::default(), jobs, hash_seed: 0, preflight: true }
    }
}
