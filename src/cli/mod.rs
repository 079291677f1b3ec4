//! The command line: one file per subcommand, exit codes, stdout and progress. The only layer that
//! knows the terminal, the environment and the clock.

mod args;
mod build;
mod bundle;
mod chain;
mod claims;
mod diff;
mod engines;
mod exit;
mod explain;
mod inputs;
mod output;
mod progress;
mod publish;
mod serve;
mod site;
mod small;
mod stats;
mod verify;

use std::ffi::OsString;

use clap::Parser;

pub use exit::{Exit, TABLE as EXIT_CODES};

/// Parses the arguments (program name first), runs the command, says how it ended.
pub fn run(arguments: &[OsString]) -> Exit {
    let cli = match args::Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Good };
        }
    };
    let ended = match cli.command {
        args::Command::Build(arguments) => build::run(&arguments),
        args::Command::Verify(arguments) => verify::run(&arguments),
        args::Command::Stats(arguments) => stats::run(&arguments),
        args::Command::Claims(arguments) => claims::run(&arguments),
        args::Command::Site(arguments) => site::run(&arguments),
        args::Command::Bundle(arguments) => bundle::run(&arguments),
        args::Command::Diff(arguments) => diff::run(&arguments),
        args::Command::Explain(arguments) => Ok(explain::run(&arguments)),
        args::Command::Serve(arguments) => Ok(serve::run(&arguments)),
        args::Command::Init(arguments) => small::init(&arguments),
        args::Command::Cache(arguments) => small::cache(&arguments.action),
        args::Command::Sandbox(arguments) => small::sandbox(&arguments.action),
        args::Command::Debug(arguments) => small::debug(&arguments.action),
    };
    ended.unwrap_or_else(|exit| exit)
}

/// An error for people: what happened and what to do about it.
#[allow(clippy::print_stderr, reason = "the one place that prints errors")]
fn complain(what: &str, help: &str) {
    let lines: Vec<String> = format!("error: {what}").lines().map(|line| output::wrap(line, 7)).collect();
    let help = output::wrap(&format!("  help: {help}"), 8);
    eprintln!("{}\n{help}", lines.join("\n"));
}
