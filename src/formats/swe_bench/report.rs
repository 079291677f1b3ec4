//! Reports of SWE-bench harnesses in their three layouts, read into one shape: sets of instance ids.
//!
//! - Per run, schema 2: counts and lists of ids (`resolved_ids`, `unresolved_ids`, ...), with the size of the
//!   benchmark in `total_instances`.
//! - Per run, older: lists without counts (`generated`, `with_logs`, `applied`, `resolved`, `no_generation`, ...).
//! - Per instance: an object per instance id with `resolved` and the tests that passed and failed.

use std::collections::BTreeMap;

use crate::json::{Number, Object, Value};

/// In which of the layouts a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    /// Counts and lists with `_ids`.
    Schema2,
    /// Lists only.
    Lists,
    /// One object per instance.
    Instances,
}

/// What a list of ids says of its instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Submitted,
    Completed,
    Resolved,
    Unresolved,
    Empty,
    Error,
    Timeout,
    Incomplete,
}

impl Group {
    /// The word used in findings, as the reports have it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Completed => "completed",
            Self::Resolved => "resolved",
            Self::Unresolved => "unresolved",
            Self::Empty => "empty patch",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Incomplete => "incomplete",
        }
    }
}

/// A stored count and the list it should be the length of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Count {
    /// Member of the report.
    pub(super) member: &'static str,
    /// List it counts; `None` for the size of the benchmark.
    pub(super) group: Option<Group>,
    /// Value with its digits.
    pub(super) value: Number,
}

/// A report of one run, or what the reports of its instances come to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Report {
    /// Ids by what the report says of them, in file order, repetitions kept.
    pub(super) groups: BTreeMap<Group, Vec<String>>,
    /// Stored counts.
    pub(super) counts: Vec<Count>,
    /// What the tests listed beside an instance come to, where they are listed.
    pub(super) derived: BTreeMap<String, bool>,
    /// Members that are no list of ids, by name.
    pub(super) odd: Vec<String>,
}

/// Lists of schema 2.
const SCHEMA_2: &[(&str, &str, Group)] = &[
    ("submitted_ids", "submitted_instances", Group::Submitted),
    ("completed_ids", "completed_instances", Group::Completed),
    ("resolved_ids", "resolved_instances", Group::Resolved),
    ("unresolved_ids", "unresolved_instances", Group::Unresolved),
    ("empty_patch_ids", "empty_patch_instances", Group::Empty),
    ("error_ids", "error_instances", Group::Error),
    ("incomplete_ids", "incomplete_instances", Group::Incomplete),
];

/// Lists of the older layout. What was generated was submitted; what has a log or was applied was tried.
const LISTS: &[(&str, Group)] = &[
    ("generated", Group::Submitted),
    ("resolved", Group::Resolved),
    ("no_generation", Group::Empty),
    ("install_fail", Group::Error),
    ("reset_failed", Group::Error),
    ("no_apply", Group::Error),
    ("test_errored", Group::Error),
    ("no_logs", Group::Error),
    ("test_timeout", Group::Timeout),
    ("with_logs", Group::Completed),
    ("applied", Group::Completed),
];

/// The layout of a report by its members; `None` for anything else.
pub(super) fn layout(members: &Object) -> Option<Layout> {
    let list = |name: &str| members.get(name).is_some_and(|value| value.as_list().is_some());
    if list("resolved_ids") {
        return Some(Layout::Schema2);
    }
    if list("resolved") && LISTS.iter().any(|(name, _)| *name != "resolved" && list(name)) {
        return Some(Layout::Lists);
    }
    let instance = |value: &Value| value.get("resolved").is_some_and(|resolved| resolved.as_bool().is_some());
    (!members.is_empty() && members.iter().all(|(_, value)| instance(value))).then_some(Layout::Instances)
}

/// Reads a report of any layout.
pub(super) fn report(members: &Object, layout: Layout) -> Report {
    let mut report = Report::default();
    match layout {
        Layout::Schema2 => {
            if let Some(value) = members.get("total_instances").and_then(Value::as_number) {
                report.counts.push(Count { member: "total_instances", group: None, value: value.clone() });
            }
            for &(list, count, group) in SCHEMA_2 {
                report.list(members, list, group);
                match members.get(count) {
                    Some(Value::Number(value)) => {
                        report.counts.push(Count { member: count, group: Some(group), value: value.clone() });
                    }
                    None | Some(Value::Null) => {}
                    Some(_) => report.odd.push(count.to_owned()),
                }
            }
        }
        Layout::Lists => LISTS.iter().for_each(|&(list, group)| report.list(members, list, group)),
        Layout::Instances => members.iter().for_each(|(id, value)| report.instance(id, value)),
    }
    report
}

impl Report {
    /// Ids of a group.
    pub(super) fn of(&self, group: Group) -> &[String] {
        self.groups.get(&group).map_or(&[], Vec::as_slice)
    }

    /// Size of the benchmark, where the report states it.
    pub(super) fn total(&self) -> Option<u64> {
        self.counts.iter().find(|count| count.group.is_none()).and_then(|count| count.value.as_u64())
    }

    fn list(&mut self, members: &Object, name: &str, group: Group) {
        match members.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::List(items)) => {
                let ids = self.groups.entry(group).or_default();
                let before = ids.len();
                ids.extend(items.iter().filter_map(Value::as_text).map(str::to_owned));
                if ids.len() - before != items.len() {
                    self.odd.push(name.to_owned());
                }
            }
            Some(_) => self.odd.push(name.to_owned()),
        }
    }

    /// One object of the per-instance layout.
    pub(super) fn instance(&mut self, id: &str, value: &Value) {
        let flag = |name: &str| value.get(name).and_then(Value::as_bool);
        let Some(resolved) = flag("resolved") else {
            self.odd.push(id.to_owned());
            return;
        };
        let none = flag("patch_is_None") == Some(true) || flag("patch_exists") == Some(false);
        let group = match (resolved, flag("patch_successfully_applied")) {
            (true, _) => Group::Resolved,
            (false, _) if none => Group::Empty,
            (false, Some(false)) => Group::Error,
            (false, _) => Group::Unresolved,
        };
        self.groups.entry(Group::Submitted).or_default().push(id.to_owned());
        self.groups.entry(group).or_default().push(id.to_owned());
        if let Some(derived) = value.get("tests_status").and_then(all_pass) {
            self.derived.insert(id.to_owned(), derived);
        }
    }
}

/// Resolved means: no test that had to change and none that had to keep passing failed. `None` where the tests
/// are not listed.
fn all_pass(tests: &Value) -> Option<bool> {
    let failures = |group: &str| Some(tests.get(group)?.get("failure")?.as_list()?.len());
    Some(failures("FAIL_TO_PASS")? + failures("PASS_TO_PASS")? == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn of(text: &str) -> (Option<Layout>, Report) {
        let value = Reader::new(text.as_bytes()).value().unwrap();
        let members = value.as_object().unwrap();
        let layout = layout(members);
        (layout, layout.map(|layout| report(members, layout)).unwrap_or_default())
    }

    #[test]
    fn the_three_layouts_are_told_apart_and_read_alike() {
        let (layout, report) = of(
            r#"{"total_instances": 3, "submitted_instances": 2, "resolved_instances": 1, "submitted_ids": ["a", "b"],
            "resolved_ids": ["a"], "unresolved_ids": ["b"], "incomplete_ids": ["c", 7], "schema_version": 2}"#,
        );
        assert_eq!(
            (layout, report.total(), report.of(Group::Resolved)),
            (Some(Layout::Schema2), Some(3), &["a".to_owned()][..])
        );
        assert_eq!((report.counts.len(), &*report.odd), (3, &["incomplete_ids".to_owned()][..]));
        let (layout, report) = of(r#"{"no_generation": ["c"], "no_logs": [], "resolved": ["a"]}"#);
        assert_eq!(
            (layout, report.total(), report.of(Group::Empty)),
            (Some(Layout::Lists), None, &["c".to_owned()][..])
        );
        let (layout, report) = of(
            r#"{"a": {"patch_exists": true, "patch_successfully_applied": true, "resolved": true,
              "tests_status": {"FAIL_TO_PASS": {"success": ["t"], "failure": []}, "PASS_TO_PASS": {"success": [], "failure": []}}},
             "b": {"patch_is_None": true, "resolved": false}, "c": {"patch_successfully_applied": false, "resolved": false}}"#,
        );
        assert_eq!(layout, Some(Layout::Instances));
        assert_eq!((report.of(Group::Submitted).len(), report.derived.len()), (3, 1));
        assert_eq!([Group::Resolved, Group::Empty, Group::Error].map(|group| report.of(group).len()), [1, 1, 1]);
        assert_eq!(of(r#"{"resolved": 3}"#).0, None);
        assert_eq!(of("{}").0, None);
    }

    #[test]
    fn tests_beside_an_instance_are_counted_for_themselves() {
        let (_, report) = of(
            r#"{"a": {"resolved": true, "tests_status": {"FAIL_TO_PASS": {"failure": ["t"]}, "PASS_TO_PASS": {"failure": []}}}}"#,
        );
        assert_eq!(report.derived.get("a"), Some(&false));
    }
}
