//! The only door to stdout. Text is for people at 80 columns; JSON is strict and one document.

use std::io::{self, Write};

use crate::report::{Findings, Severity};

/// Where results go and in which form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) json: bool,
    pub(super) quiet: bool,
}

impl Output {
    /// Prints one line of text, unless `--json` or `--quiet`.
    pub(super) fn line(self, text: &str) {
        if !self.json && !self.quiet {
            self.raw(&format!("{}\n", tame(text)));
        }
    }

    /// Prints the JSON document, when `--json`.
    pub(super) fn document(self, value: &serde_json::Value) {
        if self.json {
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            self.raw(&format!("{text}\n"));
        }
    }

    /// Writes as is. A reader that closed the pipe is not an error.
    pub(super) fn raw(self, text: &str) {
        let _ = io::stdout().lock().write_all(text.as_bytes());
    }

    /// Prints findings for people: gravest first, at most `limit` of each code, with remedies.
    pub(super) fn findings(self, findings: &Findings, limit: usize) {
        if self.json || self.quiet || findings.is_empty() {
            return;
        }
        let mut shown = std::collections::BTreeMap::<&str, usize>::new();
        for finding in findings.iter().filter(|finding| finding.severity > Severity::Note) {
            let seen = shown.entry(finding.code).or_default();
            *seen += 1;
            if *seen <= limit {
                let place = finding.place.to_string();
                let place = if place.is_empty() { String::new() } else { format!(" {place}:") };
                self.line(&wrap(
                    &format!("{} [{}]{place} {}", mark(finding.severity), finding.code, finding.message),
                    6,
                ));
            }
            if *seen == limit {
                self.line(&wrap(&format!("      help: {}", finding.remedy()), 12));
            }
        }
        for (code, count) in shown {
            if count > limit {
                self.line(&format!("      ... and {} more [{code}]; --json lists all", count - limit));
            } else if count < limit
                && let Some(entry) = crate::report::code(code)
            {
                self.line(&wrap(&format!("      help [{code}]: {}", entry.remedy), 12));
            }
        }
    }
}

const fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note ",
        Severity::Missing => "MISS ",
        Severity::Disagrees => "DIFF ",
        Severity::Unreadable => "BROKE",
    }
}

/// Text that came from a study or a command line, so that it cannot steer a terminal or reorder its line.
pub(super) fn tame(text: &str) -> String {
    let steers = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return text.to_owned();
    }
    text.chars().map(|c| if steers(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// Breaks text at 80 columns; continuation lines are indented. Spaces at the start stay.
pub(super) fn wrap(text: &str, indent: usize) -> String {
    let text = tame(text);
    let words = text.trim_start_matches(' ');
    let mut column = text.len() - words.len();
    let mut out = " ".repeat(column);
    let start = column;
    for (position, word) in words.split(' ').enumerate() {
        let width = word.chars().count();
        if column > indent.max(start) && column + 1 + width > 80 {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if position > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_eighty_columns_unless_a_word_does_not() {
        let wrapped = wrap(&"word ".repeat(40), 4);
        assert!(wrapped.lines().all(|line| line.chars().count() <= 80));
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("    ")));
        assert_eq!(wrap("a b", 4), "a b");
        assert_eq!(wrap("    a b", 2), "    a b");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(tame("\u{1b}[2J é\r\u{9b}\u{202e}\n"), "\\u{1b}[2J é\\u{d}\\u{9b}\\u{202e}\n");
        assert_eq!(tame("plain"), "plain");
    }
}
