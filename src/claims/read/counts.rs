//! Catalogues without a `format` member: a `study` and a list of claims whose `inputs` hold printed counts.

use super::catalogue::{blank, conflict, finish, shape};
use super::entry::Entry;
use super::numbers::{self, Decimals};
use super::syntax::Document;
use crate::claims::ledger::{Broken, Claim, Ledger, MissingReason, Shape};
use crate::json::Value;
use crate::report::Place;

/// Reads the catalogue.
pub(super) fn read(document: &Document, ledger: &mut Ledger) {
    document.value.get("study").and_then(Value::as_text).unwrap_or_default().clone_into(&mut ledger.dialect);
    for (value, place) in document.entries("claims") {
        match claim(value, &place) {
            Ok(claim) => ledger.claims.push(claim),
            Err(broken) => ledger.broken.push(*broken),
        }
    }
    let conflicts = document.entries("conflicts").into_iter().filter_map(|(value, _)| conflict(value));
    ledger.conflicts.extend(conflicts);
}

fn claim(value: &Value, place: &Place) -> Result<Claim, Box<Broken>> {
    let Some(object) = value.as_object() else {
        let message = "the entry is no object".to_owned();
        return Err(Box::new(Broken {
            id: place.to_string(),
            place: place.clone(),
            statement: String::new(),
            message,
        }));
    };
    // `inputs` is an object here, not the list of names that the other catalogue has.
    let mut members = object.clone();
    members.insert("inputs".into(), Value::Null);
    members.insert("checkable_from".into(), Value::Null);
    let mut entry = Entry::new(&members);
    let id = entry.required("id");
    let mut claim = blank(&id, &mut entry, place);
    claim.inputs = object.get("inputs").cloned().unwrap_or(Value::Null);
    claim.undecidable = undecidable(object.get("checkable_from").and_then(Value::as_text), &claim);
    let decimals = Decimals::read(object.get("decimals")).unwrap_or_default();
    match object.get("value") {
        Some(Value::Text(text)) => claim.shape = Shape::Text(text.clone()),
        Some(value) => match numbers::all(value, &decimals) {
            Some(printed) => {
                claim.shape = shape(value);
                claim.printed = printed;
            }
            None => entry.wrong("value", &super::numbers::problem(value, "is no number or list of numbers")),
        },
        None => entry.wrong("value", "is missing"),
    }
    finish(claim, &entry.mistakes)
}

/// What the catalogue says about where a claim could be checked, as a reason why it cannot be here.
fn undecidable(from: Option<&str>, claim: &Claim) -> Option<(MissingReason, String)> {
    let rule = &claim.rule;
    Some(match from? {
        "archive" => (MissingReason::FileAbsent, format!("the run archive of the study ({rule})")),
        "partial" => (MissingReason::OnlyARange, format!("only a part of what the rule needs is printed ({rule})")),
        "text" => (MissingReason::OutsideTheArchive, format!("a statement of the text ({rule})")),
        "data" => (MissingReason::NoStatistic, format!("the study's own data files ({rule})")),
        _ => return None,
    })
}
