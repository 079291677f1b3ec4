//! The jailer of CPython: layers first, then this process becomes the interpreter.

use std::fmt::Write as _;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use super::jail;
use crate::engine::cpython::DRIVER;
use crate::engine::sandbox::{Layer, Layers, SyscallProfile, compile_filter, filter_bytes};

/// Executes the interpreter `rest[0]` with the driver; `rest[1..]` may be read by its programs.
pub(super) fn become_driver(without: &Layers, rest: &[String]) -> ExitCode {
    let Some((python, readable)) = rest.split_first() else { return ExitCode::from(2) };
    let filter = if without.has(Layer::Syscalls) { None } else { compile_filter(SyscallProfile::CPython) };
    let readable: Vec<PathBuf> = readable.iter().map(PathBuf::from).collect();
    let layers = jail::enter(without, &readable);
    let mut hex = String::new();
    for byte in filter.map(|filter| filter_bytes(&filter)).unwrap_or_default() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    // `-E` and `-I` would also ignore the fixed hash seed; the environment holds nothing else of
    // Python's, and the driver takes the working directory off the module path.
    let error = Command::new(python).args(["-s", "-S", "-B", "-c", DRIVER]).args([layers.names(), hex]).exec();
    super::complain(&format!("it cannot be executed: {error}"))
}
