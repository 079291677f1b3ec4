//! CPython on this machine: finding one, and the driver that makes it a worker.

mod find;

pub use find::{Interpreter, find};

/// Source of the warmed worker.
pub(super) const DRIVER: &str = include_str!("driver.py");
