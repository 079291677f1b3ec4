//! What a program may do: layers of isolation, and the checks that prove them.
//!
//! `level` names the layers, `files` and `syscalls` and `limits` apply one each, `preflight` runs
//! known programs before the first real one, `hostile` is the table of hostile programs behind
//! `repro sandbox check`. Nothing here knows an interpreter.

mod check;
#[cfg(unix)]
#[cfg_attr(not(target_os = "linux"), path = "no_files.rs")]
mod files;
mod hostile;
mod level;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod preflight;
#[cfg(unix)]
#[cfg_attr(not(target_os = "linux"), path = "no_syscalls.rs")]
mod syscalls;

pub use check::{CheckRow, check, check_limits};
pub use hostile::{Expected, Hostile, programs as hostile_programs};
pub use level::{Layer, Layers, SandboxLevel};

#[cfg(unix)]
pub(super) use files::restrict as restrict_files;
#[cfg(all(unix, not(target_os = "linux")))]
pub(super) use limits::DESCRIPTORS;
#[cfg(unix)]
pub(super) use limits::{limit_child, limit_worker, raise_stack};
#[cfg(unix)]
pub(super) use preflight::run as preflight;
#[cfg(unix)]
pub(super) use syscalls::{
    Filter, Interpreter as SyscallProfile, apply as apply_filter, compile as compile_filter, to_bytes as filter_bytes,
};
