//! What people read and shells know about the command line, made from the one description that parses it:
//! completions, manual pages and the reference in `docs/cli.md`.

use std::io::Write as _;
use std::path::Path;

use clap::CommandFactory as _;

use super::args::{Cli, Completions, Man};
use super::cannot_write;
use super::exit::Exit;
use super::output::Output;
use crate::world::disk::write_file;

/// `repro completions SHELL`
pub(super) fn completions(arguments: &Completions) -> Result<Exit, Exit> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "repro", &mut text);
    Output { json: false, quiet: false }.raw(&String::from_utf8_lossy(&text));
    Ok(Exit::Good)
}

/// `repro man DIR`: one page per command, as `man` reads it.
pub(super) fn man(arguments: &Man) -> Result<Exit, Exit> {
    let output = Output { json: false, quiet: false };
    for (name, command) in commands() {
        let target = arguments.folder.join(format!("{name}.1"));
        let page = page(command).map_err(|error| cannot_write(&target, &error))?;
        write_file(&target, &page).map_err(|error| cannot_write(&target, &error))?;
        output.line(&format!("wrote {}", target.display()));
    }
    Ok(Exit::Good)
}

fn page(command: clap::Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    page.flush()?;
    Ok(page)
}

/// The command itself and every command below it that is not hidden, with the name of its page.
fn commands() -> Vec<(String, clap::Command)> {
    fn below(command: &clap::Command, found: &mut Vec<(String, clap::Command)>) {
        // Building the root has given each command its whole name (`repro-cache-size`).
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        found.push((name.to_owned(), command.clone()));
        for child in command.get_subcommands().filter(|child| !child.is_hide_set() && child.get_name() != "help") {
            below(child, found);
        }
    }
    let mut root = Cli::command().term_width(80);
    root.build();
    let mut found = Vec::new();
    below(&root, &mut found);
    found
}

/// `docs/cli.md`: the help of every command, word for word.
pub(super) fn reference(folder: &Path) -> Result<Exit, Exit> {
    let target = folder.join("cli.md");
    write_file(&target, text().as_bytes()).map_err(|error| cannot_write(&target, &error))?;
    Output { json: false, quiet: false }.line(&format!("wrote {}", target.display()));
    Ok(Exit::Good)
}

fn text() -> String {
    let mut text = String::from(
        "# The command line\n\nMade from the program itself by `repro debug reference docs`; a test compares. Every \
         command has this text\nas `--help`. Exit codes stand in the README and in `repro explain exit-codes`.\n",
    );
    for (name, mut command) in commands() {
        let help = command.render_long_help().to_string();
        let help = help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        let title = name.replace('-', " ");
        text.push_str(&format!("\n## {title}\n\n```text\n{}\n```\n", help.trim_end()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_in_the_repository_is_the_one_the_program_gives() {
        let kept = include_str!("../../docs/cli.md");
        assert!(kept == text(), "docs/cli.md is not what the program says: run `repro debug reference docs`");
    }

    #[test]
    fn every_command_has_a_page_with_its_name_and_options() {
        let all = commands();
        assert!(
            all.iter().any(|(name, _)| name == "repro-verify") && all.iter().all(|(name, _)| !name.contains("debug"))
        );
        for (name, command) in all {
            let text = String::from_utf8(page(command).unwrap()).unwrap();
            assert!(text.contains(".SH NAME") && text.contains(&name.replace('-', "\\-")), "{name}:\n{text}");
        }
    }
}
