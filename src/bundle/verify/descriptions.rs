//! The descriptions: each is there, can be read, and says what the record says.

use super::bag_check::Bag;
use crate::metadata::{self, Record};
use crate::report::{Finding, Findings, Place};

/// The record below the root.
pub(crate) const RECORD: &str = "data/metadata/record.json";

/// Compares every description with the record, and the record with `bag-info.txt`.
pub(super) fn check(bag: &Bag, findings: &mut Findings) {
    let Some(text) = bag.text(RECORD) else {
        if !bag.exists(RECORD) {
            findings.push(Finding::new("bag-missing-file", Place::file(RECORD), "the descriptions cannot be compared"));
        }
        return;
    };
    let record: Record = match serde_json::from_str(&text) {
        Ok(record) => record,
        Err(error) => {
            let place = Place::file(RECORD).with_line(error.line());
            findings.push(Finding::new("metadata-differs", place, "it is not a record of a deposit"));
            return;
        }
    };
    findings.extend(metadata::shortcomings(&record.identity).iter().cloned());
    for short in metadata::COMPARED {
        let path = format!("data/{short}");
        if !bag.exists(&path) {
            findings.push(Finding::new("bag-missing-file", Place::file(path), "every deposit has this description"));
            continue;
        }
        let Some(text) = bag.text(&path) else { continue };
        let differences = metadata::disagreements(&record, short, text.as_bytes())
            .unwrap_or_else(|| vec!["it cannot be read as what its name says".to_owned()]);
        findings.extend(differences.into_iter().map(|m| Finding::new("metadata-differs", Place::file(&path), m)));
    }
    let name = format!("{}-{}", record.identity.id, record.identity.version);
    if bag.root != name {
        let message = format!("the folder is called {}, the record says {name}", bag.root.escape_default());
        findings.push(Finding::new("metadata-differs", Place::file(RECORD), message));
    }
}
