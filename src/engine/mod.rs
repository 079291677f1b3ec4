//! Running stored programs: two interpreters behind one contract, each program in a jailed child.
//!
//! A job is one warmed, single-threaded interpreter process (`worker`) that forks a fresh child for
//! each program; this process supervises the child through three pipes (`supervise`), reads its one
//! result frame (`frame`) and names what happened (`classify`). What the child may do is decided by
//! `sandbox` before a line of the program runs.
//!
//! The module deliberately grades nothing and never sees an expected answer: it returns plain data.
//! It is the only module that starts processes, and `system` is the only file with unsafe code.
//!
//! *Other systems.* The layers of Linux are claimed on Linux only; elsewhere on Unix a program has a process and
//! limits of its own, and the level says so. Where a process cannot fork (`no_open`) nothing is executed, and everything
//! that needs no execution works.
//!
//! *Limit of the result channel.* A program shares its process with the code that reports its
//! result. One that finds and imitates that code can only report a value that it might as well have
//! returned from `solve`, because no answer ever enters the child; anything less than a perfect
//! imitation is `forged`.

pub mod fake;
pub mod sandbox;
#[cfg_attr(not(unix), path = "no_worker.rs")]
pub mod worker;

mod cache;
#[cfg(unix)]
mod classify;
mod contract;
mod cpython;
#[cfg(unix)]
mod embedded;
#[cfg(unix)]
mod frame;
#[cfg_attr(not(unix), path = "no_open.rs")]
mod open;
mod options;
mod outcome;
mod part;
#[cfg(unix)]
mod pool;
mod program;
#[cfg(unix)]
mod supervise;
#[cfg_attr(not(unix), path = "no_system.rs")]
mod system;
mod twice;
#[cfg(unix)]
mod workplace;

pub use cache::{Cache, CacheSize, Cached, Recorder};
pub use contract::{Engine, EngineError, Identity, Tally};
pub use cpython::{Interpreter as Python, find as find_pythons};
pub use open::open;
pub use options::{EngineChoice, EngineOptions};
pub use outcome::{Captured, Limit, Outcome, Status};
pub use part::{PartEngine, PartError, PartHeader, Parts, Recorded, write_part};
pub use program::{Entry, Limits, Program};
pub use sandbox::{Layer, Layers, SandboxLevel};
pub use system::{forget_interrupts, interrupted, watch_interrupts};
pub use twice::Twice;
