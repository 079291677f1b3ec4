//! Opening an engine on a system whose processes cannot fork: there is none. Everything that needs no execution works.

use std::path::PathBuf;

use super::contract::{Engine, EngineError};
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
    /// Executable of the tool.
    pub worker: PathBuf,
    /// Weakest level the user accepted by name.
    pub accepted: SandboxLevel,
    /// Layers left out on purpose.
    pub without: Layers,
    /// Worker processes.
    pub jobs: usize,
    /// Hash seed of the interpreter.
    pub hash_seed: u32,
    /// Runs the preflight programs before anything else.
    pub preflight: bool,
}

impl EngineOptions {
    /// Full isolation, hash seed 0, with preflight.
    pub fn new(worker: PathBuf, jobs: usize) -> Self {
        Self { worker, accepted: SandboxLevel::Full, without: Layers::default(), jobs, hash_seed: 0, preflight: true }
    }
}

/// Refuses: nothing here would keep a program apart from the user's files.
pub fn open(_choice: &EngineChoice, _options: &EngineOptions) -> Result<Box<dyn Engine>, EngineError> {
    Err(EngineError::NoIsolation)
}
