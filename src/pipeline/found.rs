//! Numbers of documents, bound to what was recomputed by their words.

use super::{Computed, Given, sources};
use crate::claims::words::{self, Found};
use crate::claims::{Judgements, Sources};
use crate::documents::{self, Document};
use crate::report::Finding;

/// Name of a ledger that nobody wrote.
pub const LEDGER: &str = "found-in-documents.toml";

/// Reads the texts of documents and binds their numbers. `beside` gives a file that a document includes, by the
/// name of the document and the name written there.
pub fn numbers(
    given: &Given,
    computed: &Computed,
    texts: &[(String, String)],
    beside: &dyn Fn(&str, &str) -> Option<Vec<u8>>,
) -> (Vec<Found>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut read: Vec<Document> = Vec::new();
    for (name, text) in texts {
        let (document, told) = documents::parse(name, text, &|file| beside(name, file));
        read.extend(document);
        findings.extend(told);
    }
    match words::bind(&read, &sources(given, computed)) {
        Ok(found) => (found, findings),
        Err(message) => {
            findings.push(mistake(message));
            (Vec::new(), findings)
        }
    }
}

/// Says of every claim where it stands in the documents.
pub(super) fn place(
    judgements: &mut Judgements,
    texts: &[(String, String)],
    found: &[Found],
    sources: &Sources<'_>,
) -> Option<Finding> {
    words::add_places(judgements, texts, found, sources).err().map(mistake)
}

fn mistake(message: String) -> Finding {
    Finding::new("bad-ledger", crate::report::Place::file(LEDGER), message)
}
