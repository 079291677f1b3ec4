//! One change, and the lists of them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::files::FileDigest;
use super::{facts, files, problems, records};
use crate::archive::Archive;
use crate::claims::Judgement;
use crate::corpus::Corpus;
use crate::statistics::Facts;

/// One version of a study with what the stages made of it. A stage that was not run is `None`, and its
/// level is then named in [`Difference::not_compared`].
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Files with their digests, sorted by path.
    pub files: &'a [FileDigest],
    /// Problem sets.
    pub corpus: &'a Corpus,
    /// Runs and records.
    pub archive: &'a Archive,
    /// Recomputed statistics.
    pub facts: Option<&'a Facts>,
    /// Judged claims.
    pub claims: Option<&'a [Judgement]>,
}

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

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Row {
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
}

/// Everything that differs, level by level, each sorted by subject.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// Files.
    pub files: Vec<Row>,
    /// Problems.
    pub problems: Vec<Row>,
    /// Records. Verdicts have the member `verdict`.
    pub records: Vec<Row>,
    /// Statistics.
    pub statistics: Vec<Row>,
    /// Claims.
    pub claims: Vec<Row>,
    /// Levels that one side lacks, so that nothing was compared there.
    pub not_compared: Vec<&'static str>,
}

impl Difference {
    /// True when nothing differs on the levels that were compared.
    pub fn is_empty(&self) -> bool {
        self.levels().iter().all(|(_, rows)| rows.is_empty())
    }

    /// Levels with their names, in the order of the chain.
    pub fn levels(&self) -> [(&'static str, &[Row]); 5] {
        [
            ("files", &self.files),
            ("problems", &self.problems),
            ("records", &self.records),
            ("statistics", &self.statistics),
            ("claims", &self.claims),
        ]
    }

    /// How many things were removed, added and changed on a level (a thing counts once, however many of
    /// its members changed).
    pub fn counts(rows: &[Row]) -> [(Change, usize); 3] {
        [Change::Removed, Change::Added, Change::Changed].map(|change| {
            let mut subjects: Vec<&str> =
                rows.iter().filter(|row| row.change == change).map(|row| row.subject.as_str()).collect();
            subjects.dedup();
            (change, subjects.len())
        })
    }

    /// Records whose verdict is another one.
    pub fn flips(&self) -> impl Iterator<Item = &Row> {
        self.records.iter().filter(|row| row.member == "verdict")
    }
}

/// Compares two versions.
pub fn compare(a: &Side, b: &Side) -> Difference {
    let mut difference = Difference {
        files: files::compare(a.files, b.files),
        problems: problems::compare(a.corpus, b.corpus),
        records: records::compare(a.archive, b.archive),
        ..Difference::default()
    };
    match (a.facts, b.facts) {
        (Some(a), Some(b)) => difference.statistics = facts::statistics(a, b),
        _ => difference.not_compared.push("statistics"),
    }
    match (a.claims, b.claims) {
        (Some(a), Some(b)) => difference.claims = facts::claims(a, b),
        _ => difference.not_compared.push("claims"),
    }
    difference
}

/// Members of a thing as text, by name.
pub(super) type Members = BTreeMap<&'static str, String>;

/// Rows for things that are described by members: one for a thing that only one side has (with what
/// `whole` names as its text), one per member that differs.
pub(super) fn rows<K: Ord>(
    a: &BTreeMap<K, Members>,
    b: &BTreeMap<K, Members>,
    subject: impl Fn(&K) -> String,
    whole: &str,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let keys: std::collections::BTreeSet<&K> = a.keys().chain(b.keys()).collect();
    for key in keys {
        let row = |change, member: &str, before: Option<&String>, after: Option<&String>| Row {
            subject: subject(key),
            change,
            member: member.to_owned(),
            before: before.cloned(),
            after: after.cloned(),
        };
        match (a.get(key), b.get(key)) {
            (Some(old), Some(new)) => {
                let members: std::collections::BTreeSet<&&'static str> = old.keys().chain(new.keys()).collect();
                let differing = members.into_iter().filter(|member| old.get(**member) != new.get(**member));
                rows.extend(differing.map(|member| row(Change::Changed, member, old.get(member), new.get(member))));
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

    #[test]
    fn a_thing_counts_once_and_rows_are_in_order() {
        let members = |pairs: &[(&'static str, &str)]| pairs.iter().map(|(k, v)| (*k, (*v).to_owned())).collect();
        let a: BTreeMap<&str, Members> =
            BTreeMap::from([("x", members(&[("m", "1"), ("n", "2")])), ("gone", members(&[("m", "9")]))]);
        let b: BTreeMap<&str, Members> =
            BTreeMap::from([("x", members(&[("m", "3"), ("o", "4")])), ("new", Members::new())]);
        let found = rows(&a, &b, |key| (*key).to_owned(), "m");
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
}
