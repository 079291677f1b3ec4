//! What a program may do: layers of isolation, and the checks that prove them.
//!
//! `level` names the layers, `files` and `syscalls` and `limits` apply one each, `preflight` runs
//! known programs before the first real one, `hostile` is the table of hostile programs behind
//! `repro sandbox check`. Nothing here knows an interpreter.

mod check;
mod files;
mod hostile;
mod level;
mod limits;
mod preflight;
mod syscalls;

pub use check::{CheckRow, check, check_limits};
pub use hostile::{Expected, Hostile, programs as hostile_programs};
pub use level::{Layer, Layers, SandboxLevel};

pub(super) use files::restrict as restrict_files;
pub(super) use limits::{limit_child, limit_worker, raise_stack};
pub(super) use preflight::run as preflight;
pub(super) use syscalls::{Interpreter as SyscallProfile, compile as compile_filter, to_bytes as filter_bytes};
