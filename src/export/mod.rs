//! Normalised records for other tools: a row for every verdict, as JSON lines or Parquet, and the files of the public
//! project every_eval_ever.

mod every_eval_ever;

pub use every_eval_ever::{Header, aggregate, instances, location};

use crate::archive::{Archive, Record, RunKey, Status};
use crate::table::{Cell, Kind, Table};

/// One verdict of one record.
struct VerdictRow<'a> {
    key: &'a RunKey,
    record: &'a Record,
    judge: &'a str,
    status: Status,
    inferred: bool,
}

/// Rows in the order of runs, records and judges; a record without verdicts of judges has one row with its mark.
fn rows(archive: &Archive) -> impl Iterator<Item = VerdictRow<'_>> {
    archive.runs.iter().flat_map(|run| {
        run.records.iter().flat_map(move |record| {
            let plain = match (record.passed, &record.error) {
                (_, Some(_)) if !record.error_as_fail => Status::Error,
                (Some(true), _) => Status::Pass,
                (Some(false), _) => Status::Fail,
                (None, _) => Status::NotGraded,
            };
            let single = record.verdicts.is_empty().then_some(VerdictRow {
                key: &run.key,
                record,
                judge: "",
                status: plain,
                inferred: false,
            });
            let judged = record.verdicts.iter().map(move |verdict| VerdictRow {
                key: &run.key,
                record,
                judge: &verdict.judge,
                status: verdict.status,
                inferred: verdict.inferred,
            });
            single.into_iter().chain(judged)
        })
    })
}

/// A line of JSON for each verdict.
pub fn json_lines(archive: &Archive) -> String {
    let mut text = String::new();
    for row in rows(archive) {
        let mut line = serde_json::json!({
            "experiment": row.key.experiment,
            "configuration": row.key.configuration,
            "run": row.key.run,
            "sample": row.record.sample,
            "id": row.record.id,
            "judge": row.judge,
            "status": row.status,
            "passed": row.status.passed(),
        });
        let object = line.as_object_mut();
        if let Some(object) = object {
            if row.inferred {
                object.insert("inferred".to_owned(), true.into());
            }
            if let Some(score) = row.record.score.and_then(serde_json::Number::from_f64) {
                object.insert("score".to_owned(), score.into());
            }
            if let Some(reason) = &row.record.failed_reason {
                object.insert("reason".to_owned(), (**reason).into());
            }
            if !row.record.labels.is_empty() {
                let labels = row.record.labels.iter().map(|(k, v)| (k.to_string(), (**v).into()));
                object.insert("labels".to_owned(), serde_json::Value::Object(labels.collect()));
            }
        }
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text
}

/// A table with a row for each verdict.
pub fn table(archive: &Archive) -> Table {
    let columns = [
        ("experiment", Kind::Text, ""),
        ("configuration", Kind::Text, ""),
        ("run", Kind::Integer, ""),
        ("sample", Kind::Integer, ""),
        ("id", Kind::Text, ""),
        ("judge", Kind::Text, ""),
        ("status", Kind::Text, ""),
        ("passed", Kind::Integer, ""),
        ("score", Kind::Real, ""),
    ];
    let mut table = Table::new("records", "A row for every verdict", &[], &columns);
    for row in rows(archive) {
        let absent = || Cell::Undefined("not stored".into());
        table.push(vec![
            Cell::text(row.key.experiment.as_str()),
            Cell::text(row.key.configuration.as_str()),
            Cell::count(row.key.run as usize),
            Cell::count(row.record.sample as usize),
            Cell::text(row.record.id.as_str()),
            Cell::text(row.judge),
            Cell::text(row.status.as_str()),
            row.status.passed().map_or_else(absent, |passed| Cell::count(usize::from(passed))),
            row.record.score.map_or_else(absent, Cell::full),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Declared, Run, Verdict};
    use crate::digest::Digest;

    #[test]
    fn every_verdict_is_a_row() {
        let verdict = |judge: &str, status| Verdict { judge: judge.into(), environment: None, status, inferred: false };
        let two = Record {
            passed: Some(true),
            verdicts: vec![verdict("base", Status::Pass), verdict("plus", Status::Fail)],
            ..Record::blank("a".into())
        };
        let one = Record { passed: Some(false), score: Some(0.5), ..Record::blank("b".into()) };
        let key = RunKey { experiment: "e".into(), configuration: "m".into(), run: 1 };
        let run = Run {
            key,
            path: String::new(),
            digest: Digest::of(b""),
            bytes: 0,
            declared: Declared::default(),
            records: vec![two, one],
        };
        let archive = Archive { runs: vec![run], ..Archive::default() };
        let lines = json_lines(&archive);
        let read: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            read.iter().map(|line| line["status"].as_str().unwrap()).collect::<Vec<_>>(),
            ["pass", "fail", "fail"]
        );
        assert_eq!((read[2]["judge"].as_str(), read[2]["score"].as_f64()), (Some(""), Some(0.5)));
        assert_eq!(table(&archive).rows.len(), 3);
    }
}
