//! Records: verdicts that flipped, values and attempts that are others.

use std::collections::BTreeMap;

use super::row::{Members, Row, rows};
use crate::archive::{Actual, Archive, Record, RunKey, State};
use crate::number;

/// Records that differ. A whole run that one side lacks is one row, not one per record.
pub(super) fn compare(a: &Archive, b: &Archive) -> Vec<Row> {
    let runs = |archive: &Archive| -> BTreeMap<RunKey, Members> {
        let members = |count: usize| Members::from([("records", format!("{count} records"))]);
        archive.runs.iter().map(|run| (run.key.clone(), members(run.records.len()))).collect()
    };
    let whole = rows(&runs(a), &runs(b), run_name, "records");
    let mut found: Vec<Row> = whole.into_iter().filter(|row| row.member.is_empty()).collect();
    for run in &a.runs {
        if let Some(other) = b.run(&run.key) {
            let name = run_name(&run.key);
            let table = |records: &[Record]| -> BTreeMap<String, Members> {
                records.iter().map(|record| (record.id.to_string(), members(record))).collect()
            };
            found.extend(rows(&table(&run.records), &table(&other.records), |id| format!("{name}/{id}"), "verdict"));
        }
    }
    found.sort();
    found
}

fn run_name(key: &RunKey) -> String {
    format!("{}/{}/run{}", key.experiment, key.configuration, key.run)
}

fn members(record: &Record) -> Members {
    let verdict = match record.state() {
        State::Pass => "pass",
        State::Fail => "fail",
        State::Excluded => "excluded",
    };
    let mut members = Members::from([("verdict", verdict.to_owned())]);
    if let Some(details) = &record.details {
        let value = |actual: &Actual| match actual {
            Actual::Missing => "nothing".to_owned(),
            Actual::Number(number) => number::repr(*number),
            Actual::Text(text) => text.to_string(),
        };
        let sub = |s: &crate::archive::SubAnswer| {
            let unit = s.actual_unit.as_deref().unwrap_or_default();
            let mark = if s.passed { "right" } else { "wrong" };
            format!("{}={} {unit} ({mark})", s.sub, value(&s.actual))
        };
        members.insert("answers", details.iter().map(sub).collect::<Vec<_>>().join("; "));
    }
    let texts = [
        ("attempts", record.num_attempts.map(|count| count.to_string())),
        ("failure", record.failed_reason.as_deref().map(str::to_owned)),
        ("error", record.error.as_deref().map(str::to_owned)),
        ("tokens", record.usage.map(|usage| usage.total.to_string())),
    ];
    members.extend(texts.into_iter().filter_map(|(name, text)| Some((name, text?))));
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Run;
    use crate::diff::Change;
    use crate::digest::Digest;

    fn archive(runs: &[(&str, &[(&str, bool)])]) -> Archive {
        let record = |(id, passed): &(&str, bool)| Record { passed: Some(*passed), ..Record::blank((*id).into()) };
        let run = |(configuration, records): &(&str, &[(&str, bool)])| Run {
            key: RunKey { experiment: "core".into(), configuration: (*configuration).into(), run: 1 },
            path: "x".into(),
            digest: Digest::of(b""),
            bytes: 0,
            declared: crate::archive::Declared::default(),
            records: records.iter().map(record).collect(),
        };
        Archive { runs: runs.iter().map(run).collect(), ..Archive::default() }
    }

    #[test]
    fn flips_are_found_and_a_missing_run_is_one_row() {
        let a = archive(&[("alpha", &[("p1", true), ("p2", true)]), ("beta", &[("p1", true), ("p2", true)])]);
        let b = archive(&[("alpha", &[("p1", false), ("p3", true)])]);
        let found = compare(&a, &b);
        let short: Vec<_> = found.iter().map(|row| (row.subject.as_str(), row.change, row.member.as_str())).collect();
        assert_eq!(
            short,
            [
                ("core/alpha/run1/p1", Change::Changed, "verdict"),
                ("core/alpha/run1/p2", Change::Removed, ""),
                ("core/alpha/run1/p3", Change::Added, ""),
                ("core/beta/run1", Change::Removed, ""),
            ]
        );
        assert_eq!((found[0].before.as_deref(), found[0].after.as_deref()), (Some("pass"), Some("fail")));
        assert!(compare(&a, &a).is_empty());
    }
}
