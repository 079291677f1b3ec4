//! Marks on the numbers of a document: where they stand, what became of the claim, and where it is shown.

use std::collections::BTreeMap;

use crate::markup::escape;

/// A number that a claim prints, at its place in the document.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// Bytes of the number.
    pub length: usize,
    /// Class of the verdict.
    pub class: &'static str,
    /// Verdict in words.
    pub words: &'static str,
    /// Where the claim is shown.
    pub href: String,
    /// What the claim says.
    pub statement: String,
}

/// Marks by the first byte of their number in the text of the document.
pub(crate) type Marks = BTreeMap<usize, Mark>;

/// Fragment identifier of the number at a byte.
pub(crate) fn anchor(byte: usize) -> String {
    format!("at-{byte}")
}

/// Appends a text that stands at a byte of the document, with its marked numbers as links.
pub(crate) fn push(out: &mut String, text: &str, at: usize, marks: &Marks) {
    let mut done = 0;
    for (byte, mark) in marks.range(at..at + text.len()) {
        let start = byte - at;
        let Some(number) = text.get(start..start + mark.length).filter(|_| start >= done) else { continue };
        out.push_str(&escape(&text[done..start]));
        one(out, number, *byte, mark);
        done = start + mark.length;
    }
    out.push_str(&escape(&text[done..]));
}

/// Appends one marked number.
pub(crate) fn one(out: &mut String, number: &str, byte: usize, mark: &Mark) {
    out.push_str(&format!(
        "<a class=\"claimed {}\" id=\"{}\" href=\"{}\" title=\"{}: {}\">{}</a>",
        mark.class,
        anchor(byte),
        escape(&mark.href),
        mark.words,
        escape(&mark.statement),
        escape(number)
    ));
}
