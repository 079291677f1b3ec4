//! Things of one kind with their members, and how two lists of them differ.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::digest::Digest;

/// Things of one kind: parts of the name, and members as text by name.
pub type Level = BTreeMap<Vec<String>, Members>;

/// Members of a thing as text, by name.
pub(super) type Members = BTreeMap<String, String>;

/// What happened to a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Only the first side has it.
    Removed,
    /// Only the second side has it.
    Added,
    /// Both have it, differently.
    Changed,
}

impl Change {
    /// The word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DiffRow {
    /// What it is about: a path, `set/problem`, `experiment/configuration/run/problem`, a statistic with
    /// its keys, a claim.
    pub subject: String,
    /// What happened.
    pub change: Change,
    /// Member that changed; empty for the whole.
    pub member: String,
    /// On the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// On the second side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Parts of the name, from which a page finds the thing; the subject says the same in words.
    #[serde(skip)]
    pub key: Vec<String>,
}

/// Members that are present, by name.
pub(super) fn members<'m>(pairs: impl IntoIterator<Item = (&'m str, Option<String>)>) -> Members {
    pairs.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect()
}

/// A short text of one line as it is, another as its digest: equal texts have equal digests.
pub(super) fn short(text: &str, longest: usize) -> String {
    if text.len() <= longest && !text.contains('\n') {
        text.to_owned()
    } else {
        format!("sha256:{} ({} bytes)", Digest::of(text.as_bytes()).short(16), text.len())
    }
}

/// Rows for things that are described by members: one for a thing that only one side has (with what
/// `whole` names as its text), one per member that differs.
pub(super) fn rows(a: &Level, b: &Level, subject: impl Fn(&[String]) -> String, whole: &str) -> Vec<DiffRow> {
    let mut rows = Vec::new();
    let keys: BTreeSet<&Vec<String>> = a.keys().chain(b.keys()).collect();
    for key in keys {
        let row = |change, member: &str, before: Option<&String>, after: Option<&String>| DiffRow {
            subject: subject(key),
            change,
            member: member.to_owned(),
            before: before.cloned(),
            after: after.cloned(),
            key: key.clone(),
        };
        match (a.get(key), b.get(key)) {
            (Some(old), Some(new)) => {
                let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
                let differing = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
                rows.extend(differing.map(|name| row(Change::Changed, name, old.get(name), new.get(name))));
            }
            (Some(old), None) => rows.push(row(Change::Removed, "", old.get(whole), None)),
            (None, Some(new)) => rows.push(row(Change::Added, "", None, new.get(whole))),
            (None, None) => {}
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Difference;

    #[test]
    fn a_thing_counts_once_and_rows_are_in_order() {
        let thing = |name: &str, pairs: &[(&str, &str)]| {
            (vec![name.to_owned()], members(pairs.iter().map(|(k, v)| (*k, Some((*v).to_owned())))))
        };
        let a = Level::from([thing("x", &[("m", "1"), ("n", "2")]), thing("gone", &[("m", "9")])]);
        let b = Level::from([thing("x", &[("m", "3"), ("o", "4")]), thing("new", &[])]);
        let found = rows(&a, &b, |key| key.join("/"), "m");
        let short: Vec<_> = found.iter().map(|r| (r.subject.as_str(), r.change, r.member.as_str())).collect();
        use Change::{Added, Changed, Removed};
        assert_eq!(
            short,
            [("gone", Removed, ""), ("new", Added, ""), ("x", Changed, "m"), ("x", Changed, "n"), ("x", Changed, "o")]
        );
        assert_eq!(found[0].before.as_deref(), Some("9"));
        assert_eq!((found[3].before.as_deref(), found[3].after.as_deref()), (Some("2"), None));
        assert_eq!(Difference::counts(&found), [(Removed, 1), (Added, 1), (Changed, 1)]);
    }

    #[test]
    fn long_texts_and_those_of_several_lines_become_digests() {
        assert_eq!(short("one line", 80), "one line");
        assert!(short("one line", 4).starts_with("sha256:") && short("a\nb", 80).ends_with("(3 bytes)"));
    }
}
