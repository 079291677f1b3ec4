//! Records: verdicts that flipped, values and attempts that are others.

use super::level::{DiffRow, Level, Members, members, rows, short};
use crate::archive::{Actual, Archive, Record, Run, State};
use crate::number;

/// Longest text that is shown as it is.
const LONGEST: usize = 160;

/// Records that differ; a side is its runs and its records. A whole run that one side lacks is one row,
/// not one per record.
pub(super) fn compare((runs_a, a): (&Level, &Level), (runs_b, b): (&Level, &Level)) -> Vec<DiffRow> {
    let mut found = rows(runs_a, runs_b, name, "records");
    found.retain(|row| row.member.is_empty());
    let alone: Vec<Vec<String>> = found.iter().map(|row| row.key.clone()).collect();
    let of_both = |row: &DiffRow| !alone.iter().any(|run| row.key.starts_with(run));
    found.extend(rows(a, b, name, "verdict").into_iter().filter(of_both));
    found.sort();
    found
}

/// `experiment/configuration/run1/problem`, or the same without a problem.
fn name(key: &[String]) -> String {
    match key {
        [experiment, configuration, run, rest @ ..] => {
            let problem: String = rest.iter().map(|id| format!("/{id}")).collect();
            format!("{experiment}/{configuration}/run{run}{problem}")
        }
        _ => key.join("/"),
    }
}

/// Runs by experiment, configuration and number.
pub(super) fn runs(archive: &Archive) -> Level {
    let of = |run: &Run| (key(run), members([("records", Some(format!("{} records", run.records.len())))]));
    archive.runs.iter().map(of).collect()
}

/// Records by run and problem.
pub(super) fn level(archive: &Archive) -> Level {
    let mut level = Level::new();
    for run in &archive.runs {
        for record in &run.records {
            let mut key = key(run);
            key.push(record.id.to_string());
            level.insert(key, of_record(record));
        }
    }
    level
}

fn key(run: &Run) -> Vec<String> {
    vec![run.key.experiment.to_string(), run.key.configuration.to_string(), run.key.run.to_string()]
}

fn of_record(record: &Record) -> Members {
    let verdict = match record.state() {
        State::Pass => "pass",
        State::Fail => "fail",
        State::Excluded => "excluded",
    };
    let answers = record.details.as_ref().map(|details| {
        let sub = |s: &crate::archive::SubAnswer| {
            let unit = s.actual_unit.as_deref().unwrap_or_default();
            let mark = if s.passed { "right" } else { "wrong" };
            format!("{}={} {unit} ({mark})", s.sub, value(&s.actual))
        };
        details.iter().map(sub).collect::<Vec<_>>().join("; ")
    });
    let text = |text: &str| short(text, LONGEST);
    members([
        ("verdict", Some(verdict.to_owned())),
        ("answers", answers.as_deref().map(text)),
        ("attempts", record.num_attempts.map(|count| count.to_string())),
        ("failure", record.failed_reason.as_deref().map(text)),
        ("error", record.error.as_deref().map(text)),
        ("tokens", record.usage.map(|usage| usage.total.to_string())),
    ])
}

fn value(actual: &Actual) -> String {
    match actual {
        Actual::Missing => "nothing".to_owned(),
        Actual::Number(number) => number::repr(*number),
        Actual::Text(text) => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::RunKey;
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
        let compare = |a, b| compare((&runs(a), &level(a)), (&runs(b), &level(b)));
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
