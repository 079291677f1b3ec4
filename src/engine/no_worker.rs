//! The worker on a system whose processes cannot fork: there is none.

use std::process::ExitCode;

/// First argument of a worker process.
pub const SUBCOMMAND: &str = "__engine-worker";

/// Refuses.
pub fn entry(_arguments: &[String]) -> ExitCode {
    ExitCode::from(3)
}
