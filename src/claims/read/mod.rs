//! Reading ledgers: our own format, and catalogues of other people.
//!
//! A reader never gives up on a ledger because of one entry: what cannot be understood becomes a
//! `bad-ledger` finding that names entry and member, and the others are read.

mod catalogue;
mod cells;
mod counts;
mod entry;
mod numbers;
mod own;
mod syntax;

use std::collections::BTreeSet;

use super::ledger::{Broken, Claim, Ledger, Signature};
use crate::report::{Finding, Place};

/// Reads a ledger; `file` names it in messages and decides between TOML (`.toml`) and JSON.
pub fn read(file: &str, bytes: &[u8]) -> (Ledger, Vec<Finding>) {
    let document = match syntax::read(file, bytes) {
        Ok(document) => document,
        Err(finding) => return (Ledger { file: file.to_owned(), ..Ledger::default() }, vec![*finding]),
    };
    let mut ledger = Ledger { file: file.to_owned(), ..Ledger::default() };
    let mut findings = document.repeats.clone();
    let format = document.value.get("format").and_then(|value| value.as_text());
    match format {
        Some(own::FORMAT) => own::read(&document, &mut ledger, &mut findings),
        Some(format) if format.ends_with(catalogue::FORMAT) => catalogue::read(&document, format, &mut ledger),
        None if document.value.get("study").and_then(|value| value.as_text()).is_some() => {
            counts::read(&document, &mut ledger);
        }
        other => findings.push(unknown_format(file, other)),
    }
    ledger.author = author(&document);
    refuse_repeated_ids(&mut ledger);
    ledger.claims.iter_mut().for_each(mark_counts);
    findings.extend(ledger.broken.iter().map(finding));
    (ledger, findings)
}

/// Who wrote a ledger and when; one without the other is half a signature, and none.
fn author(document: &syntax::Document) -> Option<Signature> {
    let text = |member: &str| Some(document.value.get(member)?.as_text()?.trim().to_owned()).filter(|t| !t.is_empty());
    Some(Signature { by: text("author")?, date: text("date")? })
}

/// True for text that is a ledger of a known format, whatever is wrong with its entries.
pub fn is_ledger(file: &str, bytes: &[u8]) -> bool {
    let Ok(document) = syntax::read(file, bytes) else { return false };
    match document.value.get("format").and_then(|value| value.as_text()) {
        Some(format) => [own::FORMAT, catalogue::FORMAT].contains(&format),
        None => document.value.get("study").and_then(|value| value.as_text()).is_some(),
    }
}

fn unknown_format(file: &str, format: Option<&str>) -> Finding {
    let found = format.map_or_else(|| "it has no `format`".to_owned(), |format| format!("`{format}` is unknown"));
    let message = format!("the format of the ledger: {found}; expected `{}`", own::FORMAT);
    Finding::new("bad-ledger", Place::file(file).with_subject("format"), message)
}

pub(super) fn finding(broken: &Broken) -> Finding {
    Finding::new("bad-ledger", broken.place.clone().with_subject(&broken.id), broken.message.clone())
}

/// Whole numbers of a unit that counts are exact; shares beside them in a list are not.
fn mark_counts(claim: &mut Claim) {
    if !claim.unit.contains("count") {
        return;
    }
    for (at, number) in claim.printed.iter_mut().enumerate() {
        let rounded = claim.parts.get(at).is_some_and(|part| matches!(part.as_str(), "percent" | "share" | "p"));
        number.exact = number.decimals == 0 && !rounded;
    }
}

/// The first entry of an id counts; a later one is broken.
fn refuse_repeated_ids(ledger: &mut Ledger) {
    let mut seen = BTreeSet::new();
    let (file, broken) = (ledger.file.clone(), &mut ledger.broken);
    ledger.claims.retain(|claim| {
        let first = seen.insert(claim.id.clone());
        if !first {
            broken.push(Broken {
                id: claim.id.clone(),
                place: Place { file: Some(file.clone()), ..claim.place.clone() },
                statement: claim.statement.clone(),
                message: format!("the id `{}` occurs twice; the first entry was judged", claim.id),
            });
        }
        first
    });
    let mut tables = BTreeSet::new();
    ledger.published.retain(|table| tables.insert(table.id.clone()));
}
