//! The only door to stdout. Text is for people at 80 columns; JSON is strict and one document.
//!
//! What comes from a study or a command line is data: it can neither steer a terminal nor begin a line of
//! its own. Text that was laid out here ([`wrap`]) is the only one that has several lines.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

use crate::issues::Issues;
use crate::report::{Finding, Findings, Severity};

/// Where results go and in which form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) json: bool,
    pub(super) quiet: bool,
}

thread_local! {
    /// The first error of stdout. A command goes on, and says at its end that it could not speak.
    static FAILED: RefCell<Option<io::Error>> = const { RefCell::new(None) };
}

/// Text as lines, laid out by [`wrap`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Laid(String);

impl std::fmt::Display for Laid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Something that can be printed as it is, or after it was tamed.
pub(super) trait Printed {
    /// The text for a terminal.
    fn printed(&self) -> Cow<'_, str>;
}

impl Printed for str {
    fn printed(&self) -> Cow<'_, str> {
        tame(self)
    }
}

impl Printed for String {
    fn printed(&self) -> Cow<'_, str> {
        tame(self)
    }
}

impl Printed for Laid {
    fn printed(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl Output {
    /// Prints one line of text, unless `--json` or `--quiet`.
    pub(super) fn line<T: Printed + ?Sized>(self, text: &T) {
        if !self.json && !self.quiet {
            self.raw(&format!("{}\n", text.printed()));
        }
    }

    /// Prints the JSON document, when `--json`.
    pub(super) fn document(self, value: &serde_json::Value) {
        if self.json {
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            self.raw(&format!("{text}\n"));
        }
    }

    /// Writes as is.
    pub(super) fn raw(self, text: &str) {
        let mut stdout = io::stdout().lock();
        note(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
    }

    /// Prints findings for people: gravest first, at most `limit` of each code, with remedies.
    pub(super) fn findings(self, findings: &Findings, limit: usize) {
        let mut told = Told::new(self, limit);
        findings.iter().for_each(|finding| told.finding(finding));
        told.end();
    }

    /// Prints issues for people, what they change first, at most `limit` of each kind, with remedies. An issue of
    /// printed numbers is its sentence; one of the archive is its findings, each with its place.
    pub(super) fn issues(self, issues: &Issues, findings: &Findings, limit: usize) {
        let all: Vec<&Finding> = findings.iter().collect();
        let mut told = Told::new(self, limit);
        for issue in issues.iter().filter(|issue| issue.severity > Severity::Note) {
            match issue.codes.first() {
                Some(_) if issue.claims.is_empty() && issue.conflicts.is_empty() => {
                    issue.findings.iter().filter_map(|&at| all.get(at)).for_each(|finding| told.finding(finding));
                }
                Some((code, _)) => {
                    let changes = issue.effect.words(1);
                    told.tell(code, issue.severity, &format!("({changes}) {}", issue.sentence));
                }
                None => {}
            }
        }
        told.end();
    }
}

/// What was told of each code, so that no list grows without bound.
struct Told {
    output: Output,
    limit: usize,
    counts: std::collections::BTreeMap<&'static str, usize>,
}

impl Told {
    fn new(output: Output, limit: usize) -> Self {
        Self { output, limit, counts: std::collections::BTreeMap::new() }
    }

    fn finding(&mut self, finding: &Finding) {
        if finding.severity > Severity::Note {
            let place = finding.place.to_string();
            let place = if place.is_empty() { place } else { format!("{place}: ") };
            self.tell(finding.code, finding.severity, &format!("{place}{}", finding.message));
        }
    }

    fn tell(&mut self, code: &'static str, severity: Severity, text: &str) {
        if self.output.json || self.output.quiet {
            return;
        }
        let seen = self.counts.entry(code).or_default();
        *seen += 1;
        if *seen <= self.limit {
            self.output.line(&wrap(&format!("{} [{code}] {text}", mark(severity)), 6));
        }
        if *seen == self.limit {
            self.output.line(&wrap(&format!("      help: {}", remedy(code)), 12));
        }
    }

    fn end(self) {
        for (code, count) in self.counts {
            if count > self.limit {
                self.output.line(&format!("      ... and {} more [{code}]; --json lists all", count - self.limit));
            } else if count < self.limit {
                self.output.line(&wrap(&format!("      help [{code}]: {}", remedy(code)), 12));
            }
        }
    }
}

fn remedy(code: &str) -> &'static str {
    crate::report::code(code).map_or("", |entry| entry.remedy)
}

/// Keeps an error of stdout; a reader that closed the pipe has heard enough, which is none.
pub(super) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        FAILED.with_borrow_mut(|failed| {
            failed.get_or_insert(error);
        });
    }
}

/// Why stdout could not be written, if it could not.
pub(super) fn failure() -> Option<String> {
    note(io::stdout().flush());
    FAILED.with_borrow(|failed| failed.as_ref().map(ToString::to_string))
}

const fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note ",
        Severity::Missing => "MISS ",
        Severity::Disagrees => "DIFF ",
        Severity::Unreadable => "BROKE",
    }
}

/// Text that came from a study or a command line, so that it cannot steer a terminal, reorder its line or
/// begin another one.
pub(super) fn tame(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
                | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| match c {
        '\n' => "\\n".to_owned(),
        '\t' => " ".to_owned(),
        c if steers(c) => c.escape_unicode().to_string(),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Breaks text at 80 columns; continuation lines are indented. Spaces at the start stay.
pub(super) fn wrap(text: &str, indent: usize) -> Laid {
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
    Laid(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_eighty_columns_unless_a_word_does_not() {
        let wrapped = wrap(&"word ".repeat(40), 4).to_string();
        assert!(wrapped.lines().all(|line| line.chars().count() <= 80));
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("    ")));
        assert_eq!(wrap("a b", 4).to_string(), "a b");
        assert_eq!(wrap("    a b", 2).to_string(), "    a b");
    }

    #[test]
    fn nothing_steers_the_terminal_and_one_line_stays_one() {
        assert_eq!(tame("\u{1b}[2J é\r\u{9b}\u{202e}\n"), "\\u{1b}[2J é\\u{d}\\u{9b}\\u{202e}\\n");
        assert_eq!(tame("plain"), "plain");
        assert_eq!(wrap("id\nerror: forged", 4).to_string(), "id\\nerror: forged");
        assert_eq!("a\u{2028}b".printed(), "a\\u{2028}b");
    }
}
