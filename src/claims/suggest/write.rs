//! Proposals as a TOML ledger.

use std::fmt::Write as _;

use super::guess::{Proposal, ProposedCell, ProposedColumn};

/// The proposals as a ledger in the format `repro-claims/1`.
pub fn to_ledger(file: &str, proposals: &[Proposal]) -> String {
    let mut out = String::from("format = \"repro-claims/1\"\n");
    let cells: usize =
        proposals.iter().flat_map(|p| &p.rows).flat_map(|(_, cells)| cells).filter(|c| !c.is_empty()).count();
    let _ = writeln!(out, "# Proposed from {} tables with {cells} numbers in {}.", proposals.len(), comment(file));
    out.push_str(
        "# For each column: name what it rests on in `from`, remove `not_checkable` and `because`, check the unit.\n",
    );
    for proposal in proposals {
        table(&mut out, proposal);
    }
    out
}

fn table(out: &mut String, proposal: &Proposal) {
    let _ = writeln!(out, "\n[[table]]\nid = {}\nsource = {}", text(&proposal.id), text(&proposal.source));
    let keys: Vec<String> = proposal.keys.iter().map(|key| text(key)).collect();
    let _ = writeln!(out, "row = [{}]", keys.join(", "));
    for (line, column, cell) in &proposal.left_out {
        let _ = writeln!(out, "# left out, line {line}, {}: {}", comment(column), comment(cell));
    }
    for (line, column, what) in &proposal.doubtful {
        let _ = writeln!(out, "# look again, line {line}, {}: {}", comment(column), comment(what));
    }
    out.push_str("rows = [\n");
    for (keys, cells) in &proposal.rows {
        let row: Vec<String> = keys.iter().map(|key| text(key)).chain(cells.iter().map(cell)).collect();
        let _ = writeln!(out, "  [{}],", row.join(", "));
    }
    out.push_str("]\n");
    for entry in &proposal.columns {
        column(out, entry, &proposal.keys);
    }
}

fn cell(numbers: &ProposedCell) -> String {
    match numbers.as_slice() {
        [] => "\"\"".to_owned(),
        [one] => text(one),
        many => format!("[{}]", many.iter().map(|number| text(number)).collect::<Vec<_>>().join(", ")),
    }
}

fn column(out: &mut String, column: &ProposedColumn, keys: &[String]) {
    let of: Vec<String> = keys.iter().map(|key| format!("${key}")).collect();
    let statement = format!("{} of {}.", column.heading, of.join(", "));
    let _ = writeln!(out, "\n[[table.column]]\nid = {}\nstatement = {}", text(&column.id), text(&statement));
    let _ = writeln!(out, "unit = {}", text(column.unit));
    if !column.parts.is_empty() {
        let parts: Vec<String> = column.parts.iter().map(|part| text(part)).collect();
        let _ = writeln!(out, "parts = [{}]", parts.join(", "));
    }
    let pattern: Vec<String> = keys.iter().map(|key| format!("{key}=${key}")).collect();
    let _ = writeln!(out, "# from = \"STATISTIC.MEASURE{{{}}}\"", pattern.join(", "));
    out.push_str("not_checkable = \"rule-not-stated\"\nbecause = \"not yet bound to a statistic\"\n");
}

/// A TOML basic string; document text is data and cannot end it.
fn text(words: &str) -> String {
    let mut out = String::from("\"");
    for c in words.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Text inside a comment: one line.
fn comment(words: &str) -> String {
    words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
