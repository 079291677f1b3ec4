//! Numbers of documents, bound to what was recomputed by their words.

use super::{Computed, Given, sources};
use crate::claims::words::{self, Found};
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
    let mut findings = Vec::new();
    let mut read: Vec<Document> = Vec::new();
    for (name, bytes) in texts {
        let (document, told) = documents::read(name, bytes, &|file| beside(name, file));
        read.extend(document);
        findings.extend(told);
    }
    match words::bind(&read, &sources(given, computed)) {
        Ok(found) => (found, findings),
        Err(message) => {
            findings.push(Finding::new("bad-ledger", crate::report::Place::file(LEDGER), message));
            (Vec::new(), findings)
        }
    }
}
