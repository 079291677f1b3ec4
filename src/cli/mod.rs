//! The command line: one file per subcommand, exit codes, stdout and progress. The only layer that
//! knows the terminal, the environment and the clock.

mod args;
mod build;
mod bundle;
mod chain;
mod claims;
mod deposit;
mod diff;
mod engines;
mod exit;
mod explain;
mod export;
mod found;
mod front;
mod init;
mod inputs;
mod ledger;
mod manual;
mod output;
mod previous;
mod progress;
mod publish;
mod serve;
mod site;
mod small;
mod stats;
mod verify;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::path::Path;

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
        args::Command::Export(arguments) => export::run(&arguments),
        args::Command::Diff(arguments) => diff::run(&arguments),
        args::Command::Ledger(arguments) => ledger::run(&arguments),
        args::Command::Explain(arguments) => good(explain::run(&arguments)),
        args::Command::Serve(arguments) => good(serve::run(&arguments)),
        args::Command::Init(arguments) => init::run(&arguments),
        args::Command::Cache(arguments) => small::cache(&arguments.action),
        args::Command::Sandbox(arguments) => small::sandbox(&arguments.action),
        args::Command::Completions(arguments) => manual::completions(&arguments),
        args::Command::Man(arguments) => manual::man(&arguments),
        args::Command::Debug(arguments) => small::debug(&arguments.action),
    };
    ended.unwrap_or_else(|exit| {
        let json = arguments.iter().any(|word| word == "--json");
        output::Output { json, quiet: true }.document(&stopped(exit));
        exit
    })
}

fn good(exit: Exit) -> Result<Exit, Exit> {
    if exit == Exit::Good { Ok(exit) } else { Err(exit) }
}

/// What a command that stopped says to a program: a reader of `--json` gets a document in any case.
fn stopped(exit: Exit) -> serde_json::Value {
    let complaints = COMPLAINTS.with_borrow(|complaints| {
        let entry = |(error, help): &(String, String)| serde_json::json!({"error": error, "help": help});
        complaints.iter().map(entry).collect::<Vec<_>>()
    });
    serde_json::json!({"tool": crate::pipeline::TOOL, "errors": complaints, "exit": exit.code()})
}

thread_local! {
    /// What was complained about, for [`stopped`]. Commands complain on the thread that runs them.
    static COMPLAINTS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// An error for people: what happened and what to do about it.
#[allow(clippy::print_stderr, reason = "the one place that prints errors")]
fn complain(what: &str, help: &str) {
    COMPLAINTS.with_borrow_mut(|complaints| complaints.push((what.to_owned(), help.to_owned())));
    let lines: Vec<String> = format!("error: {what}").lines().map(|line| output::wrap(line, 7)).collect();
    let help = output::wrap(&format!("  help: {help}"), 8);
    eprintln!("{}\n{help}", lines.join("\n"));
}

/// What exists differs from what would be written.
fn other_content(path: &Path) -> Exit {
    complain(
        &format!("{} exists with other content", path.display()),
        "give the study a new version, or replace this one with --replace; a published version should stay",
    );
    Exit::CannotWrite
}

/// A file or folder that cannot be written.
fn cannot_write(path: &Path, error: &io::Error) -> Exit {
    complain(
        &format!("{} cannot be written: {error}", path.display()),
        "check the folder and its disk; what existed before is intact",
    );
    Exit::CannotWrite
}
