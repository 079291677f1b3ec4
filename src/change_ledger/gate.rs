//! The gate: ledger against release and release against ledger.

use std::collections::BTreeMap;

use serde::Serialize;

use super::fault::{Fault, FaultKind, shown};
use super::{Entries, Entry, Item, Items};
use crate::json::{FieldPath, Value, differences, same};

/// What is known of the tree before the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// It was given.
    Given,
    /// It was derived by undoing the ledger, so that what needs it holds by construction.
    Derived,
    /// There is none, and what needs it is not checkable.
    Absent,
}

/// Which items are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All: an item that only one tree has was added or deleted.
    Whole,
    /// Those of the new tree, which is a part of a release: what it lacks is not compared.
    Part,
}

/// Other records that name a field of an item.
pub type OtherRecords<'a> = &'a dyn Fn(&str, &FieldPath) -> Vec<String>;

/// A field that differs between the trees.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Item.
    pub item: String,
    /// Field.
    pub path: FieldPath,
    /// In the old tree; `None` where it has no such field.
    pub before: Option<Value>,
    /// In the new tree.
    pub after: Option<Value>,
    /// Entries that record it, as positions in the ledger.
    pub entries: Vec<usize>,
    /// Names of other records of it.
    pub others: Vec<String>,
}

/// How many of the things that were looked at are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Looked at.
    pub checked: usize,
    /// Right.
    pub right: usize,
}

impl Tally {
    fn count(&mut self, right: bool) {
        self.checked += 1;
        self.right += usize::from(right);
    }
}

/// What was found for one round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Round {
    /// Its name; empty where entries name none.
    pub name: String,
    /// Entries.
    pub entries: usize,
    /// Entries about items that are not compared.
    pub outside: usize,
    /// Entries that a later one of the same place supersedes; their `after` is checked as its `before`.
    pub superseded: usize,
    /// Fields of the release against `after`.
    pub after: Tally,
    /// Fields of the baseline, or what an earlier entry left, against `before`.
    pub before: Tally,
    /// Changed fields whose last record belongs to this round.
    pub changes: usize,
}

/// The result.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// What is known of the tree before.
    pub baseline: Baseline,
    /// Items that both trees have and that were compared.
    pub compared: usize,
    /// Rounds, in order.
    pub rounds: Vec<Round>,
    /// Fields that differ, by item.
    pub changes: Vec<Change>,
    /// Items that only the new tree has.
    pub added: Vec<String>,
    /// Items that only the old tree has.
    pub deleted: Vec<String>,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
}

impl Gate {
    /// True when both directions were checked against a baseline that was given, and nothing disagrees.
    pub fn passes(&self) -> bool {
        self.baseline == Baseline::Given && !self.disagrees()
    }

    /// True when anything disagrees.
    pub fn disagrees(&self) -> bool {
        self.faults.iter().any(|fault| fault.kind.disagrees())
    }

    /// Faults of a kind.
    pub fn count(&self, kind: FaultKind) -> usize {
        self.faults.iter().filter(|fault| fault.kind == kind).count()
    }

    /// Changed fields that some record names.
    pub fn recorded(&self) -> usize {
        self.changes.iter().filter(|change| !change.entries.is_empty() || !change.others.is_empty()).count()
    }
}

/// Compares a ledger with the tree before its changes and the tree after them.
///
/// Forward: every entry names a field of `new` whose value is its `after`, unless a later entry supersedes
/// it. Backward: every `before` is what `old` has, or what the entry before it left. Reverse: every field
/// that differs has an entry at its path, or at the path of a value that holds it, or is named by one of
/// the `others`. Work grows with the size of trees and ledger.
pub fn check(
    old: (Option<&Items>, Baseline),
    new: &Items,
    entries: &Entries,
    scope: Scope,
    others: Option<OtherRecords<'_>>,
) -> Gate {
    let baseline = if old.0.is_none() { Baseline::Absent } else { old.1 };
    let mut gate = Gate {
        baseline,
        compared: 0,
        rounds: entries.rounds().into_iter().map(|name| Round { name: name.to_owned(), ..Round::default() }).collect(),
        changes: Vec::new(),
        added: Vec::new(),
        deleted: Vec::new(),
        faults: Vec::new(),
    };
    let by_item = by_item(entries, new);
    let lacking = |id: &str| new.get(id).is_none() && old.0.is_none_or(|old| old.get(id).is_none());
    for (id, listed) in &by_item {
        if scope == Scope::Part && new.get(id).is_none() {
            listed.iter().for_each(|(_, entry)| gate.round(entry).outside += 1);
        } else if lacking(id) {
            listed.iter().for_each(|(_, entry)| gate.fault(FaultKind::MissingItem, id, entry, None));
        } else {
            forward(&mut gate, id, listed, old.0, new.get(id));
        }
    }
    entries.iter().for_each(|entry| gate.round(entry).entries += 1);
    if let Some(old) = old.0 {
        reverse(&mut gate, &by_item, old, new, scope, others);
    }
    gate.faults.sort_by(|a, b| super::natural(&a.item, &b.item));
    gate
}

/// An entry with its position in the ledger.
type Listed<'e> = (usize, &'e Entry);

fn by_item<'e>(entries: &'e Entries, new: &Items) -> BTreeMap<String, Vec<Listed<'e>>> {
    let only = new.only().map_or("", |(id, _)| id);
    let mut by_item: BTreeMap<String, Vec<Listed<'e>>> = BTreeMap::new();
    for (position, entry) in entries.iter().enumerate() {
        by_item.entry(entry.item.clone().unwrap_or_else(|| only.to_owned())).or_default().push((position, entry));
    }
    by_item
}

impl Gate {
    fn round(&mut self, entry: &Entry) -> &mut Round {
        let found = self.rounds.binary_search_by(|round| super::natural(&round.name, &entry.round));
        let position = found.unwrap_or_else(|position| {
            self.rounds.insert(position, Round { name: entry.round.clone(), ..Round::default() });
            position
        });
        &mut self.rounds[position]
    }

    /// A fault of a record; `found` is what the tree, or the record before, has there.
    fn fault(&mut self, kind: FaultKind, item: &str, entry: &Entry, found: Option<&Value>) {
        let recorded = if matches!(kind, FaultKind::BeforeDiffers | FaultKind::BrokenChain | FaultKind::NoChange) {
            &entry.before
        } else {
            &entry.after
        };
        self.faults.push(Fault {
            kind,
            item: item.to_owned(),
            field: entry.field.to_string(),
            round: entry.round.clone(),
            place: entry.place.clone(),
            recorded: Some(shown(recorded)),
            found: found.map(shown),
        });
    }

    /// A fault of something that no record names.
    fn unnamed(&mut self, kind: FaultKind, item: &str, field: &FieldPath, at: &Item, found: Option<&Value>) {
        self.faults.push(Fault {
            kind,
            item: item.to_owned(),
            field: field.to_string(),
            round: String::new(),
            place: at.place(),
            recorded: None,
            found: found.map(shown),
        });
    }
}

/// `null` also stands for a place that is not there.
fn is(there: Option<&Value>, recorded: &Value) -> bool {
    there.map_or_else(|| recorded.is_null(), |value| same(value, recorded))
}

/// The entries of one item, in order: `before` against the state they start from, `after` against the release.
fn forward(gate: &mut Gate, id: &str, listed: &[Listed<'_>], old: Option<&Items>, new: Option<&Item>) {
    let release = new.map(|item| &item.value);
    // The item as the entries so far leave it.
    let mut state: Option<Value> = old.and_then(|old| old.get(id)).map(|item| item.value.clone());
    let mut touched: BTreeMap<&FieldPath, &Entry> = BTreeMap::new();
    let mut later = Paths::default();
    let superseded: Vec<bool> = listed
        .iter()
        .rev()
        .map(|(_, entry)| {
            let superseded = later.meets(&entry.field);
            if !entry.keeps() {
                later.add(&entry.field);
            }
            superseded
        })
        .collect();
    let mut earlier = Paths::default();
    for ((_, entry), superseded) in listed.iter().zip(superseded.into_iter().rev()) {
        let chained = earlier.meets(&entry.field);
        if old.is_some() {
            let here = state.as_ref().and_then(|value| entry.field.find(value));
            let right = is(here, &entry.before);
            gate.round(entry).before.count(right);
            if !right {
                let kind = if chained { FaultKind::BrokenChain } else { FaultKind::BeforeDiffers };
                gate.fault(kind, id, entry, here);
            }
            if !entry.keeps() {
                let gone = entry.after.is_null()
                    && !release.and_then(|value| entry.field.find(value)).is_some_and(Value::is_null);
                let after = (!gone).then(|| entry.after.clone());
                match &mut state {
                    Some(value) if !entry.field.is_root() => drop(entry.field.put(value, after)),
                    whole => *whole = after,
                }
            }
        } else if let Some(before) = touched.get(&entry.field) {
            let right = same(&before.after, &entry.before);
            gate.round(entry).before.count(right);
            if !right {
                gate.fault(FaultKind::BrokenChain, id, entry, Some(&before.after));
            }
        }
        let there = release.and_then(|value| entry.field.find(value));
        if entry.keeps() {
            if there.is_none() && !entry.before.is_null() && !superseded {
                gate.fault(FaultKind::MissingPath, id, entry, None);
            }
            continue;
        }
        if same(&entry.before, &entry.after) {
            gate.fault(FaultKind::NoChange, id, entry, None);
        }
        if superseded {
            gate.round(entry).superseded += 1;
        } else {
            let right = is(there, &entry.after);
            gate.round(entry).after.count(right);
            if !right {
                let kind = if there.is_none() { FaultKind::MissingPath } else { FaultKind::AfterDiffers };
                gate.fault(kind, id, entry, there);
            }
        }
        earlier.add(&entry.field);
        touched.insert(&entry.field, entry);
    }
}

/// Fields that differ against the records that name them.
fn reverse(
    gate: &mut Gate,
    by_item: &BTreeMap<String, Vec<Listed<'_>>>,
    old: &Items,
    new: &Items,
    scope: Scope,
    others: Option<OtherRecords<'_>>,
) {
    let whole = |id: &str, entry: fn(&Entry) -> &Value| {
        let listed = by_item.get(id).map_or(&[][..], Vec::as_slice);
        listed.iter().any(|(_, of)| of.field.is_root() && !of.keeps() && entry(of).is_null())
    };
    for (id, item) in new.iter() {
        let Some(before) = old.get(id) else {
            gate.added.push(id.to_owned());
            if !whole(id, |entry| &entry.before) {
                gate.unnamed(FaultKind::AddedItem, id, &FieldPath::root(), item, None);
            }
            continue;
        };
        gate.compared += 1;
        let mut records: BTreeMap<&FieldPath, Vec<Listed<'_>>> = BTreeMap::new();
        for &listed in by_item.get(id).into_iter().flatten() {
            records.entry(&listed.1.field).or_default().push(listed);
        }
        for changed in differences(&before.value, &item.value) {
            let naming: Vec<Listed<'_>> =
                changed.path.upwards().filter_map(|path| records.get(&path)).flatten().copied().collect();
            let mut entries: Vec<usize> =
                naming.iter().filter(|(_, entry)| !entry.keeps()).map(|(position, _)| *position).collect();
            entries.sort_unstable();
            let others = others.map_or_else(Vec::new, |others| others(id, &changed.path));
            match entries.last().and_then(|last| naming.iter().find(|(position, _)| position == last)) {
                Some((_, last)) => gate.round(last).changes += 1,
                None if !others.is_empty() => {}
                None => {
                    let kind = if naming.is_empty() { FaultKind::Unrecorded } else { FaultKind::ChangedThoughKept };
                    gate.unnamed(kind, id, &changed.path, item, changed.after);
                }
            }
            gate.changes.push(Change {
                item: id.to_owned(),
                before: changed.before.cloned(),
                after: changed.after.cloned(),
                path: changed.path,
                entries,
                others,
            });
        }
    }
    if scope == Scope::Whole {
        for (id, item) in old.iter().filter(|(id, _)| new.get(id).is_none()) {
            gate.deleted.push(id.to_owned());
            if !whole(id, |entry| &entry.after) {
                gate.unnamed(FaultKind::DeletedItem, id, &FieldPath::root(), item, None);
            }
        }
    }
}

/// A set of places that knows whether one of them holds another place, or lies in it.
#[derive(Default)]
struct Paths<'p>(std::collections::BTreeSet<&'p FieldPath>);

impl<'p> Paths<'p> {
    fn add(&mut self, path: &'p FieldPath) {
        self.0.insert(path);
    }

    fn meets(&self, path: &FieldPath) -> bool {
        // What lies in a place follows it directly in the order of paths.
        let inside = self.0.range::<FieldPath, _>(path..).next().is_some_and(|next| path.holds(next));
        inside || path.upwards().any(|above| self.0.contains(&above))
    }
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
