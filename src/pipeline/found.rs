//! What documents print, bound to what was recomputed by their words: numbers and statements.

use super::{Computed, Given, sources};
use crate::claims::words::{self, Found, Stated};
use crate::claims::{Judgements, Sources};
use crate::documents::{self, Document};
use crate::report::Finding;

/// Name of a ledger that nobody wrote.
pub const LEDGER: &str = "found-in-documents.toml";

/// Reads the texts of documents, binds their numbers and reads their statements.
pub fn read(given: &Given, computed: &Computed, texts: &[(String, String)]) -> (Vec<Found>, Vec<Stated>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut read: Vec<Document> = Vec::new();
    for (name, text) in texts {
        let (document, told) = documents::parse(name, text);
        read.extend(document);
        findings.extend(told);
    }
    let sources = sources(given, computed);
    let bound = words::bind(&read, &sources).and_then(|found| Ok((found, words::statements(&read, &sources)?)));
    match bound {
        Ok((found, stated)) => (found, stated, findings),
        Err(message) => {
            findings.push(mistake(message));
            (Vec::new(), Vec::new(), findings)
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
