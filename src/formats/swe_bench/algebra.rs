//! What the sets of a report must satisfy, and where they do not: the bookkeeping behind a rate.
//!
//! An instance is resolved or not, submitted or incomplete, inside the benchmark, and counted once. The rate is
//! resolved over the size of the benchmark, whatever was submitted.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{Group, Report};
use crate::archive::Status;
use crate::report::{Finding, Place};

/// How many ids a message names before it counts.
const NAMED: usize = 5;

/// Pairs of lists that share no id in a sound report.
const EXCLUSIVE: &[(Group, Group, &str)] = &[
    (Group::Resolved, Group::Unresolved, "report-contradiction"),
    (Group::Resolved, Group::Empty, "report-contradiction"),
    (Group::Resolved, Group::Error, "report-contradiction"),
    (Group::Unresolved, Group::Empty, "report-contradiction"),
    (Group::Incomplete, Group::Submitted, "incomplete-and-submitted"),
];

/// Lists that are part of another list in a sound report.
const CONTAINED: &[(Group, Group)] = &[
    (Group::Resolved, Group::Submitted),
    (Group::Unresolved, Group::Submitted),
    (Group::Completed, Group::Submitted),
    (Group::Resolved, Group::Completed),
];

/// Distinct ids of a group.
pub(super) fn ids(report: &Report, group: Group) -> BTreeSet<&str> {
    report.of(group).iter().map(String::as_str).collect()
}

/// A finding about a set of ids: how many, which, and what is wrong with them.
pub(super) fn about(code: &'static str, place: Place, ids: &BTreeSet<&str>, what: &str) -> Option<Finding> {
    if ids.is_empty() {
        return None;
    }
    let named = ids.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if ids.len() > NAMED { ", ..." } else { "" };
    let (instances, are) = if ids.len() == 1 { ("instance", "is") } else { ("instances", "are") };
    Some(Finding::new(code, place, format!("{} {instances} {are} {what}: {named}{more}", ids.len())))
}

/// Every contradiction of one report.
pub(super) fn check(report: &Report, path: &str, benchmark: Option<&BTreeSet<String>>) -> Vec<Finding> {
    let place = || Place::file(path);
    let mut findings = Vec::new();
    for (&group, listed) in &report.groups {
        let mut seen = BTreeSet::new();
        let twice: BTreeSet<&str> = listed.iter().map(String::as_str).filter(|id| !seen.insert(*id)).collect();
        // The older layout has several lists of one meaning; an id in two of them is no repetition.
        if !(matches!(group, Group::Completed | Group::Error) && report.counts.is_empty()) {
            findings.extend(about("counted-twice", place(), &twice, &format!("listed twice as {}", group.as_str())));
        }
    }
    for &(one, other, code) in EXCLUSIVE {
        let both: BTreeSet<&str> = ids(report, one).intersection(&ids(report, other)).copied().collect();
        let resolved = both.intersection(&ids(report, Group::Resolved)).count();
        let mut what = format!("listed as {} and as {}", one.as_str(), other.as_str());
        if one != Group::Resolved && resolved > 0 {
            what += &format!(" ({resolved} of them resolved)");
        }
        findings.extend(about(code, place(), &both, &what));
    }
    for &(part, whole) in CONTAINED.iter().filter(|(_, whole)| report.groups.contains_key(whole)) {
        let outside: BTreeSet<&str> = ids(report, part).difference(&ids(report, whole)).copied().collect();
        let what = format!("{} and not {}", part.as_str(), whole.as_str());
        findings.extend(about("report-contradiction", place(), &outside, &what));
    }
    if let Some(benchmark) = benchmark {
        let foreign: BTreeSet<&str> =
            report.groups.values().flatten().map(String::as_str).filter(|id| !benchmark.contains(*id)).collect();
        let resolved = ids(report, Group::Resolved).intersection(&foreign).count();
        let submitted = ids(report, Group::Submitted).intersection(&foreign).count();
        let what = format!(
            "not part of the benchmark of {} ({submitted} of them submitted, {resolved} resolved)",
            benchmark.len()
        );
        findings.extend(about("outside-benchmark", place(), &foreign, &what));
    }
    if let Some(total) = report.total() {
        let submitted = ids(report, Group::Submitted).len() as u64;
        if submitted > total {
            let message = format!("{submitted} instances are submitted, and the benchmark has {total}");
            findings.push(Finding::new("outside-benchmark", place(), message));
        }
    }
    for member in &report.odd {
        findings.push(Finding::new("bad-member", place(), format!("{member} is not what it should be")));
    }
    findings
}

/// The state of every id that a report names. Where lists contradict each other the harness's own result counts:
/// resolved, unresolved, then errors and empty patches, then that nothing was handed in.
pub(super) fn states(report: &Report) -> BTreeMap<&str, Status> {
    let order = [
        (Group::Incomplete, Status::NotAnswered),
        (Group::Submitted, Status::NotGraded),
        (Group::Completed, Status::Fail),
        (Group::Empty, Status::Empty),
        (Group::Error, Status::Error),
        (Group::Timeout, Status::Timeout),
        (Group::Unresolved, Status::Fail),
        (Group::Resolved, Status::Pass),
    ];
    let mut states = BTreeMap::new();
    for (group, status) in order {
        states.extend(report.of(group).iter().map(|id| (id.as_str(), status)));
    }
    states
}

/// The ids of the benchmark as the reports know them: those that make up the stated total in the most reports.
/// `None` where no report names as many ids as it says the benchmark has.
pub(super) fn benchmark<'r>(reports: impl Iterator<Item = &'r Report>) -> Option<BTreeSet<String>> {
    let mut seen: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
    for report in reports {
        let named: BTreeSet<&str> = report.groups.values().flatten().map(String::as_str).collect();
        if report.total() == Some(named.len() as u64) {
            *seen.entry(named).or_default() += 1;
        }
    }
    let (ids, _) = seen.into_iter().max_by(|(a, n), (b, m)| n.cmp(m).then_with(|| b.cmp(a)))?;
    Some(ids.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::swe_bench::report::{layout, report};
    use crate::json::Reader;

    fn of(text: &str) -> Report {
        let value = Reader::new(text.as_bytes()).value().unwrap();
        let members = value.as_object().unwrap();
        report(members, layout(members).unwrap())
    }

    fn codes(report: &Report, benchmark: &[&str]) -> Vec<(&'static str, String)> {
        let benchmark: BTreeSet<String> = benchmark.iter().map(|id| (*id).to_owned()).collect();
        let found = check(report, "r.json", (!benchmark.is_empty()).then_some(&benchmark));
        found.into_iter().map(|finding| (finding.code, finding.message)).collect()
    }

    #[test]
    fn a_sound_report_has_nothing_to_say() {
        let report = of(
            r#"{"total_instances": 4, "submitted_ids": ["a", "b", "c"], "completed_ids": ["a", "b"], "resolved_ids": ["a"],
            "unresolved_ids": ["b"], "empty_patch_ids": ["c"], "incomplete_ids": ["d"]}"#,
        );
        assert_eq!(codes(&report, &["a", "b", "c", "d"]), []);
        assert_eq!(
            states(&report),
            BTreeMap::from([
                ("a", Status::Pass),
                ("b", Status::Fail),
                ("c", Status::Empty),
                ("d", Status::NotAnswered)
            ])
        );
        assert_eq!(benchmark([&report].into_iter()).unwrap().len(), 4);
    }

    #[test]
    fn every_contradiction_is_found_once_with_its_ids() {
        let report = of(r#"{"total_instances": 2, "submitted_ids": ["a", "b", "x", "a"], "resolved_ids": ["a", "y"],
            "unresolved_ids": ["a"], "incomplete_ids": ["b", "a"]}"#);
        let found = codes(&report, &["a", "b"]);
        assert_eq!(
            found,
            [
                ("counted-twice", "1 instance is listed twice as submitted: a".to_owned()),
                ("report-contradiction", "1 instance is listed as resolved and as unresolved: a".to_owned()),
                (
                    "incomplete-and-submitted",
                    "2 instances are listed as incomplete and as submitted (1 of them resolved): a, b".to_owned()
                ),
                ("report-contradiction", "1 instance is resolved and not submitted: y".to_owned()),
                (
                    "outside-benchmark",
                    "2 instances are not part of the benchmark of 2 (1 of them submitted, 1 resolved): x, y".to_owned()
                ),
                ("outside-benchmark", "3 instances are submitted, and the benchmark has 2".to_owned()),
            ]
        );
        assert_eq!(states(&report)["a"], Status::Pass);
        assert_eq!(benchmark([&report].into_iter()), None);
    }
}
