//! Documents: what a paper, an appendix or a table file prints, as blocks of text with their place in
//! the file and the numbers in them.
//!
//! Readers for Markdown, HTML, LaTeX, plain text, CSV and the text layer of PDF give one model
//! ([`Document`]): headings, paragraphs, tables. [`numbers`] finds every printed number of a passage and
//! says which of them are no claims (years, citations, versions, section numbers), with the rule that
//! decided. Nothing here knows a study. Every reader is linear in its input and bounded; what a document
//! says is data, whatever it says.

mod csv;
mod html;
mod latex;
mod markdown;
mod model;
pub mod numbers;
mod pdf;
mod plain;
mod sentences;

use std::collections::BTreeMap;

use crate::report::{Finding, Place};

pub use model::{Block, Body, Document, Form, Passage, Table, TableRow};
pub use numbers::{Number, Role, Rule};
pub use sentences::{Sentence, sentences};

/// Largest document that is read; a paper has a hundredth of it.
const LARGEST: usize = 64 << 20;

/// The kind of a document by the ending of its name; `None` for endings that no reader knows.
pub fn form_of(file: &str) -> Option<Form> {
    let ending = file.rsplit_once('.')?.1.to_ascii_lowercase();
    Some(match ending.as_str() {
        "md" | "markdown" => Form::Markdown,
        "html" | "htm" | "xhtml" => Form::Html,
        "tex" | "latex" => Form::Latex,
        "txt" | "text" => Form::Plain,
        "csv" => Form::Csv,
        "pdf" => Form::Pdf,
        _ => return None,
    })
}

/// The text of a document: its characters, with the files that a LaTeX document includes put in, or the text layer
/// of a PDF. Bytes of places count in this text. `beside` gives included files by the name written there.
///
/// # Errors
/// With the finding when no reader knows the ending, or the file is not what its ending says.
pub fn text(file: &str, bytes: &[u8], beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<String, Finding> {
    let refuse = |message: String| Finding::new("unreadable-document", Place::file(file), message);
    let form = form_of(file).ok_or_else(|| {
        refuse("no reader for this ending; Markdown, HTML, LaTeX, text, CSV and PDF are read".to_owned())
    })?;
    if bytes.len() > LARGEST {
        return Err(refuse(format!("{} bytes are more than a document has", bytes.len())));
    }
    if form == Form::Pdf {
        return pdf::text(bytes).map_err(refuse);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Finding::new("not-utf8", Place::file(file).with_byte(error.valid_up_to()), "the document is not UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(if form == Form::Latex { latex::inline(text, beside) } else { text.to_owned() })
}

/// Reads the text of a document ([`text`]).
pub fn parse(file: &str, text: &str) -> (Option<Document>, Vec<Finding>) {
    let mut findings = Vec::new();
    let document = match form_of(file) {
        Some(Form::Markdown) => markdown::read(file, text),
        Some(Form::Html) => html::read(file, text),
        Some(Form::Latex) => latex::read(file, text, &mut findings),
        Some(Form::Csv) => match csv::read(file, text) {
            Ok(document) => document,
            Err(message) => {
                return (None, vec![Finding::new("unreadable-document", Place::file(file), message)]);
            }
        },
        Some(form @ (Form::Plain | Form::Pdf)) => plain::read(file, text, form),
        None => return (None, findings),
    };
    (Some(document), findings)
}

/// Reads a document.
///
/// ```
/// let (document, findings) = repro::documents::read("a.md", b"# T\n\nIt solves 3 of 9.\n", &|_| None);
/// assert!(findings.is_empty());
/// assert_eq!(document.unwrap().blocks.len(), 2);
/// ```
pub fn read(file: &str, bytes: &[u8], beside: &dyn Fn(&str) -> Option<Vec<u8>>) -> (Option<Document>, Vec<Finding>) {
    match text(file, bytes, beside) {
        Ok(text) => parse(file, &text),
        Err(finding) => (None, vec![finding]),
    }
}

/// The line of a byte of a text, from 1, for many places at once.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    starts: BTreeMap<usize, usize>,
}

impl Lines {
    /// Counts the lines of a text once.
    pub fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(breaks).enumerate().map(|(line, at)| (at, line + 1)).collect() }
    }

    /// The line that holds a byte.
    pub fn at(&self, byte: usize) -> usize {
        self.starts.range(..=byte).next_back().map_or(1, |(_, line)| *line)
    }
}
