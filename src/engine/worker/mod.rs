//! The hidden side of the executable: a jailed, warmed interpreter that forks a child per program.
//!
//! The tool starts itself again under [`SUBCOMMAND`], so that everything between "new process" and
//! "program runs" is ordinary code and not a fork hook. `jail` puts the layers of a worker in place,
//! `embedded` then serves with the interpreter of this binary, and `cpython` replaces the process by
//! a CPython that runs the driver.

mod cpython;
mod embedded;
mod jail;

use std::io::{self, Write as _};
use std::process::ExitCode;

use super::sandbox::Layers;

/// Tells the supervisor, which reads standard error of a worker that does not say hello, why there is none.
fn complain(message: &str) -> ExitCode {
    // A supervisor that no longer listens needs no answer.
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(3)
}

/// First argument of a worker process.
pub const SUBCOMMAND: &str = "__engine-worker";

/// Serves as a worker until the supervisor closes the socket on standard input. `arguments` are those
/// after [`SUBCOMMAND`]. Must be called first thing in `main`, before any thread exists.
pub fn entry(arguments: &[String]) -> ExitCode {
    let [kind, without, seed, rest @ ..] = arguments else { return ExitCode::from(2) };
    let without = Layers::from_names(without);
    match (kind.as_str(), seed.parse::<u32>()) {
        ("embedded", Ok(seed)) => embedded::serve(&without, seed),
        ("cpython", Ok(_)) => cpython::become_driver(&without, rest),
        _ => ExitCode::from(2),
    }
}
