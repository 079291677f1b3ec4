//! The binary: parses arguments, runs a command, turns its answer into an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use repro::engine::worker;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // A worker must fork, so it starts before anything here could start a thread.
    if let [_, word, rest @ ..] = arguments.as_slice()
        && word == worker::SUBCOMMAND
    {
        let rest: Vec<String> = rest.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        return worker::entry(&rest);
    }
    repro::cli::run(&arguments).into()
}
