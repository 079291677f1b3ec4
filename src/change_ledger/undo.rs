//! The tree before a round, derived from the tree after it.
//!
//! Where no release from before a round is kept, its records can be undone. What follows from such a
//! baseline holds by construction: every changed field has a record, and every `before` is what it says. Only
//! the direction from the ledger to the release remains a check.

use super::{Entries, Items};
use crate::json::Value;

/// The items with the entries undone, the last one first. Entries whose place does not exist are left out;
/// [`super::check`] names them.
#[must_use]
pub fn undo(after: &Items, entries: &Entries) -> Items {
    let mut items = after.clone();
    let only = after.only().map(|(id, _)| id.to_owned());
    for entry in entries.iter().rev().filter(|entry| !entry.keeps()) {
        let Some(id) = entry.item.as_ref().or(only.as_ref()) else { continue };
        if entry.field.is_root() {
            match (&entry.before, items.get(id).cloned()) {
                (Value::Null, Some(_)) => drop(items.remove(id)),
                (value, Some(item)) => items.insert(id.clone(), super::Item { value: value.clone(), ..item }),
                (value, None) => {
                    let file = entry.place.file.clone().unwrap_or_default();
                    items.insert(id.clone(), super::Item { value: value.clone(), file, line: None });
                }
            }
        } else if let Some(item) = items.get_mut(id) {
            let was_there = !entry.before.is_null() || entry.field.find(&item.value).is_some_and(Value::is_null);
            entry.field.put(&mut item.value, was_there.then(|| entry.before.clone()));
        }
    }
    items
}
