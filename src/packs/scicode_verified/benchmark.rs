//! The benchmark: main problems with their steps, before and after the correction.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::Materials;
use crate::change_ledger::{Item, Items};
use crate::json::Value;
use crate::report::Finding;

/// The problems before the correction (JSONL).
pub(super) const BEFORE: &str = "problems.before";
/// The whole corrected release (JSONL).
pub(super) const AFTER: &str = "problems.after";
/// A part of the corrected release (JSONL), where not all of it is archived.
pub(super) const AFTER_PART: &str = "problems.after.part";
/// The files that the release is made from, one per problem.
pub(super) const SOURCES: &str = "problems.sources";

/// Both versions of the problems.
#[derive(Debug, Default)]
pub(super) struct Benchmark {
    /// Problems before the correction; `None` where they are not archived.
    pub(super) before: Option<Items>,
    /// Problems after the correction.
    pub(super) after: Option<Items>,
    /// True when what is archived of the release is declared as a part of it.
    pub(super) part: bool,
    /// What could not be read.
    pub(super) findings: Vec<Finding>,
}

impl Benchmark {
    /// Reads both versions.
    pub(super) fn read(materials: &Materials) -> Self {
        let mut findings = Vec::new();
        let mut read = |role: &str| {
            let files = materials.all(role);
            let (items, told) =
                Items::read(files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())), Some("problem_id"));
            findings.extend(told);
            (!items.is_empty()).then_some(items)
        };
        let (before, whole) = (read(BEFORE), read(AFTER));
        let part = whole.is_none();
        let after = whole.or_else(|| read(AFTER_PART));
        Self { before, part: part && after.is_some(), after, findings }
    }

    /// The version with every problem that is at hand: the release where it is whole, else the original.
    pub(super) fn complete(&self) -> Option<&Items> {
        if self.part { self.before.as_ref() } else { self.after.as_ref().or(self.before.as_ref()) }
    }

    /// Step numbers of every problem, by problem, in the order of the file.
    pub(super) fn universe(&self) -> BTreeMap<String, Vec<String>> {
        let items = self.complete().into_iter().flat_map(Items::iter);
        items.map(|(id, item)| (id.to_owned(), steps(item).map(|step| step.number.to_owned()).collect())).collect()
    }
}

/// A step of a problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    /// `problem.step`.
    pub(super) number: &'a str,
    /// Its members.
    pub(super) value: &'a Value,
}

impl<'a> Step<'a> {
    /// A member as text; empty where there is none.
    pub(super) fn text(&self, name: &str) -> &'a str {
        self.value.get(name).and_then(Value::as_text).unwrap_or_default()
    }

    /// The texts of its tests.
    pub(super) fn tests(&self) -> Vec<&'a str> {
        tests(self.value.get("test_cases"))
    }
}

/// Steps of a problem in order.
pub(super) fn steps(item: &Item) -> impl Iterator<Item = Step<'_>> {
    let listed = item.value.get("sub_steps").and_then(Value::as_list).unwrap_or_default();
    listed
        .iter()
        .map(|value| Step { number: value.get("step_number").and_then(Value::as_text).unwrap_or_default(), value })
}

/// The texts of a list of tests.
pub(super) fn tests(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_list).unwrap_or_default().iter().filter_map(Value::as_text).collect()
}

/// The problem of a step number: `13.6` belongs to `13`.
pub(super) fn problem_of(step: &str) -> &str {
    step.split_once('.').map_or(step, |(problem, _)| problem)
}

/// Distinct problems of steps.
pub(super) fn problems_of<'s>(steps: impl IntoIterator<Item = &'s str>) -> BTreeSet<&'s str> {
    steps.into_iter().map(problem_of).collect()
}

/// One file of a role as a JSON value.
pub(super) fn document(materials: &Materials, role: &str) -> Option<Value> {
    crate::json::Reader::new(&materials.one(role)?.bytes).value().ok()
}
