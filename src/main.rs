//! The binary: parses arguments, runs a command, turns its answer into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // A worker must fork, so it starts before anything here could start a thread.
    if let Some((repro::engine::worker::SUBCOMMAND, rest)) = arguments.split_first().map(|(a, b)| (a.as_str(), b)) {
        return repro::engine::worker::entry(rest);
    }
    ExitCode::SUCCESS
}
