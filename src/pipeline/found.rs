//! Numbers of documents, bound to what was recomputed by their words.

use super::{Computed, Given, sources};
use crate::claims::words::{self, Found, Stated};
use crate::documents::{self, Document};
use crate::report::Finding;

/// Name of a ledger that nobody wrote.
pub const LEDGER: &str = "found-in-documents.toml";

/// Reads documents (name and bytes) and binds their numbers. `beside` gives a file that a document includes,
/// by the name of the document and the name written there.
pub fn numbers<'a>(
    given: &Given,
    computed: &Computed,
    texts: impl Iterator<Item = (&'a str, &'a [u8])>,
    beside: &dyn Fn(&str, &str) -> Option<Vec<u8>>,
) -> (Vec<Found>, Vec<Finding>) {
    let (read, mut findings) = read(texts, beside);
    match words::bind(&read, &sources(given, computed)) {
        Ok(found) => (found, findings),
        Err(message) => {
            findings.push(Finding::new("bad-ledger", crate::report::Place::file(LEDGER), message));
            (Vec::new(), findings)
        }
    }
}

/// Reads documents and the statements in them whose words can be read.
pub fn statements<'a>(
    given: &Given,
    computed: &Computed,
    texts: impl Iterator<Item = (&'a str, &'a [u8])>,
    beside: &dyn Fn(&str, &str) -> Option<Vec<u8>>,
) -> Vec<Stated> {
    // What is wrong with a document or a vocabulary is told with its numbers.
    let (read, _) = read(texts, beside);
    words::statements(&read, &sources(given, computed)).unwrap_or_default()
}

fn read<'a>(
    texts: impl Iterator<Item = (&'a str, &'a [u8])>,
    beside: &dyn Fn(&str, &str) -> Option<Vec<u8>>,
) -> (Vec<Document>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut read: Vec<Document> = Vec::new();
    for (name, bytes) in texts {
        let (document, told) = documents::read(name, bytes, &|file| beside(name, file));
        read.extend(document);
        findings.extend(told);
    }
    (read, findings)
}
