//! Findings: everything the tool has to say about an input, in one list.
//!
//! The same list drives the text, the JSON, the pages and the exit code, so a summary can never say
//! OK over a finding. Each kind of finding has a stable code in [`codes`]; `repro explain CODE`
//! prints its meaning and remedy. A finding is data; it never stops the stage that found it.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

mod changes;
mod codes;
mod deposits;
mod nearest;
mod reading;

pub use codes::{CODES, CodeEntry, code};
pub use nearest::{did_you_mean, nearest};

/// How much a finding matters; the order is the order of gravity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing; changes no exit code.
    Note,
    /// Evidence is missing, so something could not be checked (exit 4 unless accepted).
    Missing,
    /// Two things that should agree do not (exit 1).
    Disagrees,
    /// Part of the archive could not be read (exit 3).
    Unreadable,
}

/// Where something was found. Every part is optional; print with `Display`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// Path inside the study, `/`-separated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Id of the problem, claim, configuration or record concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Position of the record in its file, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<usize>,
    /// Byte offset in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// Line in a text file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

impl Place {
    /// A whole file.
    pub fn file(path: impl Into<String>) -> Self {
        Self { file: Some(path.into()), ..Self::default() }
    }

    /// A thing with an id and no file.
    pub fn subject(id: impl Into<String>) -> Self {
        Self { subject: Some(id.into()), ..Self::default() }
    }

    /// Adds the id of what is concerned.
    #[must_use]
    pub fn with_subject(mut self, id: impl Into<String>) -> Self {
        self.subject = Some(id.into());
        self
    }

    /// Adds a record position.
    #[must_use]
    pub fn with_record(mut self, record: usize) -> Self {
        self.record = Some(record);
        self
    }

    /// Adds a byte offset.
    #[must_use]
    pub fn with_byte(mut self, byte: usize) -> Self {
        self.byte = Some(byte as u64);
        self
    }

    /// Adds a line number.
    #[must_use]
    pub fn with_line(mut self, line: usize) -> Self {
        self.line = Some(line as u64);
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.file.clone());
        parts.extend(self.line.map(|n| format!("line {n}")));
        parts.extend(self.record.map(|n| format!("record {n}")));
        parts.extend(self.subject.clone());
        parts.extend(self.byte.map(|n| format!("byte {n}")));
        f.write_str(&parts.join(", "))
    }
}

/// One thing to say, with its place and its remedy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Finding {
    /// How much it matters (copied from the code's entry).
    pub severity: Severity,
    /// Stable code, see [`CODES`].
    pub code: &'static str,
    /// Where.
    pub place: Place,
    /// What was seen, in one sentence without a full stop.
    pub message: String,
}

impl Finding {
    /// A finding of a registered code.
    ///
    /// # Panics
    /// When `code` is not in [`CODES`]; that is a mistake in this program.
    pub fn new(code_name: &'static str, place: Place, message: impl Into<String>) -> Self {
        let entry = code(code_name).unwrap_or_else(|| panic!("unregistered finding {code_name}"));
        Self { severity: entry.severity, code: entry.code, place, message: message.into() }
    }

    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        code(self.code).map_or("", |entry| entry.remedy)
    }
}

/// Findings in the order of gravity, then code, then place; duplicates collapse.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Findings(BTreeSet<Finding>);

impl Findings {
    /// Adds one.
    pub fn push(&mut self, finding: Finding) {
        self.0.insert(finding);
    }

    /// All findings, gravest first, then by code and place.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        let mut all: Vec<&Finding> = self.0.iter().collect();
        all.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.cmp(b)));
        all.into_iter()
    }

    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.0.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Number of findings.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The gravest severity present.
    pub fn worst(&self) -> Option<Severity> {
        self.0.iter().map(|finding| finding.severity).max()
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        self.0.extend(findings);
    }
}

impl FromIterator<Finding> for Findings {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        Self(findings.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_kebab_case_and_explained() {
        let mut seen = BTreeSet::new();
        for entry in CODES {
            assert!(seen.insert(entry.code), "{} twice", entry.code);
            assert!(entry.code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(!entry.meaning.is_empty() && !entry.remedy.is_empty(), "{}", entry.code);
        }
    }

    #[test]
    fn the_gravest_finding_comes_first() {
        let findings: Findings = [
            Finding::new("unknown-member", Place::file("a.json"), "x"),
            Finding::new("torn-file", Place::file("z.json").with_record(2).with_byte(9), "x"),
        ]
        .into_iter()
        .collect();
        assert_eq!(findings.iter().next().map(|f| f.code), Some("torn-file"));
        assert_eq!(findings.worst(), Some(Severity::Unreadable));
        assert_eq!(findings.iter().next().unwrap().place.to_string(), "z.json, record 2, byte 9");
    }
}
