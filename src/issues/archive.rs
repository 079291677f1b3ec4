//! Issues of the archive: findings of one kind about one file or subject, or the same fault in several files.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::Cause;
use super::effect::Effect;
use super::{Issue, Spot, Subject, sentence};
use crate::report::{Finding, Severity};

/// Issues of all findings that belong to none yet.
pub(super) fn issues(subject: &Subject<'_>, told: &BTreeSet<usize>) -> Vec<Issue> {
    let left: Vec<(usize, &Finding)> =
        subject.findings.iter().enumerate().filter(|(at, _)| !told.contains(at)).collect();
    let mut groups: BTreeMap<(&str, &str), Vec<(usize, &Finding)>> = BTreeMap::new();
    for (at, finding) in left {
        groups.entry((finding.code, whose(finding))).or_default().push((at, finding));
    }
    // One fault may stand in many files: the same findings, each in a file of its own.
    let mut faults: BTreeMap<(&str, BTreeSet<Fault<'_>>), Vec<(usize, &Finding)>> = BTreeMap::new();
    for ((code, _), members) in groups {
        let fault = members.iter().map(|(_, finding)| fault(finding)).collect();
        faults.entry((code, fault)).or_default().extend(members);
    }
    faults.into_values().map(issue).collect()
}

/// What a finding is about: notes and missing evidence of a kind belong together, other findings when they are about one file or,
/// without a file, about one subject. A row of a table of claims is about its table.
fn whose(finding: &Finding) -> &str {
    if matches!(finding.severity, Severity::Note | Severity::Missing) {
        return "";
    }
    let of_table = matches!(finding.code, "table-differs" | "digest-differs" | "unreadable-table");
    let (file, subject) = (finding.place.file.as_deref(), finding.place.subject.as_deref());
    let named = if of_table { subject.or(file) } else { file.or(subject) };
    named.unwrap_or("")
}

/// A finding without its file.
type Fault<'a> = (Option<&'a str>, Option<usize>, &'a str);

fn fault(finding: &Finding) -> Fault<'_> {
    (finding.place.subject.as_deref(), finding.place.record, &finding.message)
}

fn issue(mut members: Vec<(usize, &Finding)>) -> Issue {
    members.sort_by_key(|(at, _)| *at);
    let first = members[0].1;
    let spot =
        |finding: &Finding| Spot { place: finding.place.to_string(), says: finding.message.clone(), claim: None };
    let cause = match first.code {
        "table-differs" => Cause::Table,
        code => Cause::Kind { code },
    };
    let effect = match first.code {
        "table-differs" => Effect::Cell,
        _ => Effect::of_finding(first.severity),
    };
    let about = whose(first);
    Issue {
        id: if about.is_empty() { first.code.to_owned() } else { format!("{}: {about}", first.code) },
        effect,
        severity: first.severity,
        sentence: sentence::of_findings(&members.iter().map(|(_, finding)| *finding).collect::<Vec<_>>()),
        cause,
        places: members.iter().map(|(_, finding)| spot(finding)).collect(),
        claims: Vec::new(),
        conflicts: Vec::new(),
        codes: vec![(first.code, members.len())],
        findings: members.iter().map(|(at, _)| *at).collect(),
        told: Vec::new(),
        acknowledged: false,
    }
}
