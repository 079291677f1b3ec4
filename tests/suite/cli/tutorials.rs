//! The tutorials, word for word: files are written as they stand there, commands run, and what is said to be printed
//! is printed.

use super::Lab;

/// A step of a tutorial.
enum Step<'t> {
    /// `file PATH`: write this.
    File(&'t str, String),
    /// `sh`: run these, and keep what they print.
    Run(String),
    /// `text`: all of these lines were printed, in this order.
    Printed(String),
}

fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let block = format!("{}\n", block.join("\n"));
        steps.push(match info.split_once(' ') {
            Some(("file", path)) => Step::File(path, block),
            None if info == "sh" => Step::Run(block),
            None if info == "text" => Step::Printed(block),
            _ => continue,
        });
    }
    steps
}

fn follow(text: &str) {
    let lab = Lab::empty();
    let mut printed = String::new();
    let (mut ran, mut compared) = (0, 0);
    for step in steps(text) {
        match step {
            Step::File(path, content) => drop(lab.write(path, content)),
            Step::Run(block) => {
                printed.clear();
                for line in block.lines().filter(|line| !line.starts_with('#')) {
                    let command =
                        line.strip_prefix("repro ").unwrap_or_else(|| panic!("{line} is no command of this tool"));
                    let done = lab.run(command);
                    assert!(done.code == 0 || done.code == 4, "`{line}` ended with {}: {}", done.code, done.stderr);
                    printed.push_str(&done.stdout);
                    ran += 1;
                }
            }
            Step::Printed(block) => {
                let mut rest = printed.as_str();
                for line in block.lines().filter(|line| *line != "...") {
                    let at =
                        rest.find(line).unwrap_or_else(|| panic!("{line:?} was not printed in its place:\n{printed}"));
                    rest = &rest[at + line.len()..];
                    compared += 1;
                }
            }
        }
    }
    assert!(ran >= 3 && compared >= 5, "{ran} commands, {compared} lines");
}

#[test]
fn your_benchmark_from_a_table() {
    follow(include_str!("../../../docs/tutorial-table.md"));
}

#[test]
fn your_benchmark_from_human_eval_files() {
    follow(include_str!("../../../docs/tutorial-human-eval.md"));
}
