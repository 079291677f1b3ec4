//! The command line: one file per subcommand, exit codes, stdout and progress. The only layer that
//! knows the terminal, the environment and the clock.

mod args;
mod exit;
mod explain;
mod inputs;
mod output;
mod progress;
mod serve;
mod stats;

use clap::Parser;

pub use exit::{Exit, TABLE as EXIT_CODES};

/// Parses the arguments (program name first), runs the command, says how it ended.
pub fn run(arguments: &[String]) -> Exit {
    let cli = match args::Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Good };
        }
    };
    let ended = match cli.command {
        args::Command::Stats(arguments) => stats::run(&arguments),
        args::Command::Explain(arguments) => Ok(explain::run(&arguments)),
        args::Command::Serve(arguments) => Ok(serve::run(&arguments)),
        _ => todo!(),
    };
    ended.unwrap_or_else(|exit| exit)
}

/// An error for people: what happened and what to do about it.
#[allow(clippy::print_stderr, reason = "the one place that prints errors")]
fn complain(what: &str, help: &str) {
    let lines: Vec<String> = what.lines().map(|line| output::wrap(line, 7)).collect();
    let help = output::wrap(&format!("  help: {help}"), 8);
    eprintln!("error: {}\n{help}", lines.join("\n"));
}
