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
mod envelope;
mod exit;
mod explain;
mod export;
mod found;
mod front;
mod init;
mod inputs;
mod ledger;
mod manual;
mod merge;
mod multiverse;
mod output;
mod outputs;
mod previous;
mod progress;
mod publish;
mod readings;
mod recompute;
mod report;
mod secrets;
mod serve;
mod shard;
mod site;
mod small;
mod stats;
mod verdict;
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
            output::note(error.print());
            return spoken(if error.use_stderr() { Exit::Usage } else { Exit::Good });
        }
    };
    let command = cli.command.name();
    let ended = match cli.command {
        args::Command::Build(arguments) => build::run(&arguments),
        args::Command::Verify(arguments) => verify::run(&arguments),
        args::Command::Merge(arguments) => merge::run(&arguments),
        args::Command::Stats(arguments) => stats::run(&arguments),
        args::Command::Claims(arguments) => claims::run(&arguments),
        args::Command::Report(arguments) => report::run(&arguments),
        args::Command::Site(arguments) => site::run(&arguments),
        args::Command::Bundle(arguments) => bundle::run(&arguments),
        args::Command::Export(arguments) => export::run(&arguments),
        args::Command::Diff(arguments) => diff::run(&arguments),
        args::Command::Ledger(arguments) => ledger::run(&arguments),
        args::Command::Explain(arguments) => explain::run(&arguments),
        args::Command::Serve(arguments) => good(serve::run(&arguments)),
        args::Command::Init(arguments) => init::run(&arguments),
        args::Command::Cache(arguments) => small::cache(&arguments.action),
        args::Command::Sandbox(arguments) => small::sandbox(&arguments.action),
        args::Command::Completions(arguments) => manual::completions(&arguments),
        args::Command::Man(arguments) => manual::man(&arguments),
        args::Command::Debug(arguments) => small::debug(&arguments.action),
    };
    spoken(ended.unwrap_or_else(|exit| {
        let json = arguments.iter().any(|word| word == "--json");
        output::Output { json, quiet: true }.document(&stopped(command, exit));
        exit
    }))
}

/// The exit code once everything was said; an answer that could not be written is not a good one.
fn spoken(exit: Exit) -> Exit {
    let Some(error) = output::failure() else { return exit };
    complain(&format!("the answer cannot be written to stdout: {error}"), "check where stdout leads to, and its disk");
    exit.max(Exit::CannotWrite)
}

fn good(exit: Exit) -> Result<Exit, Exit> {
    if exit == Exit::Good { Ok(exit) } else { Err(exit) }
}

/// What a command that stopped says to a program: a reader of `--json` gets a document in any case.
fn stopped(command: &'static str, exit: Exit) -> serde_json::Value {
    let complaints = COMPLAINTS.with_borrow(|complaints| {
        let entry = |(error, help): &(String, String)| serde_json::json!({"error": error, "help": help});
        complaints.iter().map(entry).collect::<Vec<_>>()
    });
    envelope::Envelope::new(command).with("errors", complaints.into()).done(exit)
}

thread_local! {
    /// What was complained about, for [`stopped`]. Commands complain on the thread that runs them.
    static COMPLAINTS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Begins a new list of complaints, for a command that goes on after one.
fn forget_complaints() {
    COMPLAINTS.with_borrow_mut(Vec::clear);
}

/// What was complained about since, as text.
fn complaints_as_text() -> String {
    let line = |(what, help): &(String, String)| format!("error: {what}\n  help: {help}");
    COMPLAINTS.with_borrow(|complaints| complaints.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// An error for people: what happened and what to do about it. Only the first line stands at the edge, so
/// nothing that a file says can look like a message of its own.
#[allow(clippy::print_stderr, reason = "the one place that prints errors")]
fn complain(what: &str, help: &str) {
    COMPLAINTS.with_borrow_mut(|complaints| complaints.push((what.to_owned(), help.to_owned())));
    let line = |(position, line): (usize, &str)| match position {
        0 => output::wrap(line, 7).to_string(),
        _ if line.starts_with(' ') => output::wrap(line, 7).to_string(),
        _ => output::wrap(&format!("       {line}"), 7).to_string(),
    };
    let lines: Vec<String> = format!("error: {what}").lines().enumerate().map(line).collect();
    let help = output::wrap(&format!("  help: {help}"), 8);
    eprintln!("{}\n{help}", lines.join("\n"));
}

/// Something to know that is no error and belongs to no answer.
#[allow(clippy::print_stderr, reason = "what is no answer does not go to stdout")]
fn remark(what: &str) {
    eprintln!("{}", output::wrap(&format!("note: {what}"), 6));
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
