//! The data folder: every table as CSV, JSON and Parquet, outcomes, facts, ledger, findings, and an index
//! with schema and digest of each.

use std::fmt::Write as _;

use rayon::prelude::*;

use super::grid::Grid;
use super::input::{Changes, SiteError};
use super::routes;
use super::view::View;
use crate::archive::State;
use crate::diff::Difference;
use crate::digest::Digest;
use crate::table::{Table, to_csv, to_parquet};
use crate::tree::Tree;

/// A data file.
struct File {
    path: String,
    what: String,
    bytes: Vec<u8>,
}

impl File {
    fn new(path: impl Into<String>, what: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), what: what.into(), bytes: bytes.into() }
    }

    fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

/// What pages say about a data file.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// Address.
    pub path: String,
    /// What it holds.
    pub what: String,
    /// Size in bytes.
    pub bytes: usize,
    /// SHA-256.
    pub digest: Digest,
}

/// Adds the folder to a tree; returns what is in it besides tables.
pub(crate) fn add(tree: &mut Tree, view: &View<'_>) -> Result<Vec<About>, SiteError> {
    let tables: Vec<Result<[File; 3], SiteError>> = view.input.tables.par_iter().map(table).collect();
    let mut index = Vec::new();
    for (files, source) in tables.into_iter().zip(view.input.tables) {
        for file in files? {
            index.push(entry(&file, Some(source)));
            tree.add(file.path, file.bytes)?;
        }
    }
    let mut about = Vec::new();
    for file in listing(view) {
        index.push(entry(&file, None));
        about.push(About {
            path: file.path.clone(),
            what: file.what.clone(),
            bytes: file.bytes.len(),
            digest: file.digest(),
        });
        tree.add(file.path, file.bytes)?;
    }
    let json = serde_json::json!({
        "study": view.input.study.study.id,
        "version": view.input.study.study.version,
        "archive": view.input.archive_digest,
        "files": index,
    });
    tree.add("data/index.json", pretty(&json))?;
    Ok(about)
}

/// Files that are not tables.
fn listing(view: &View<'_>) -> Vec<File> {
    let mut files = vec![
        File::new("data/ledger.json", "verdicts of every level of verification", pretty(&json(view.input.ledger))),
        File::new("data/facts.json", "every recomputed value with keys, interval and basis", facts(view)),
        File::new("data/findings.json", "everything the tool had to say", pretty(&json(view.input.findings))),
        File::new("data/study.json", "the declaration of the study", pretty(&json(view.input.study))),
    ];
    files.push(File::new("data/snapshot.json", "what later versions are compared with", view.input.snapshot));
    if let Changes::Against(named, difference) = view.input.changes {
        let document = serde_json::json!({"against": named, "difference": difference});
        files.push(File::new(
            "data/changes.json",
            format!("changes against version {}", named.version),
            pretty(&document),
        ));
        files.push(File::new(
            CHANGES,
            format!("the same changes, one per line, against version {}", named.version),
            changes(difference),
        ));
    }
    files.push(File::new(
        "data/issues.json",
        "the same, one issue once, by what it changes",
        pretty(&json(view.input.issues)),
    ));
    let audits: Vec<serde_json::Value> = view.input.audits.iter().map(crate::audits::Audited::to_json).collect();
    files.push(File::new(
        "data/audits.json",
        "what every audit looked at and raised",
        pretty(&serde_json::json!(audits)),
    ));
    if let Some(judged) = view.input.judgements {
        files.push(File::new(
            "data/judgements.json",
            "every claim with its recomputation and verdict",
            pretty(&judged.to_json()),
        ));
    }
    if super::pages::survival::has_content(view.input.survival) {
        let survival = view.input.survival;
        files.push(File::new(
            super::pages::survival::DATA,
            "how conclusions and ranks fare under other choices",
            pretty(&survival.to_json()),
        ));
        files.push(File::new(
            super::pages::survival::LINES,
            "the same, one combination of choices per line",
            super::pages::survival::lines(survival),
        ));
    }
    let report = crate::review::to_markdown(&super::pages::report::of(view));
    files.push(File::new(super::pages::report::MARKDOWN, "the report for reviewers as Markdown", report));
    for grid in view.grids.iter().filter(|grid| grid.is_present()) {
        let what = format!("verdict of every problem in every run of {}", grid.experiment.id);
        files.push(File::new(outcome_path(grid), what, outcomes(grid)));
    }
    files
}

/// Address of the changes, one per line.
pub(crate) const CHANGES: &str = "data/changes.csv";

fn changes(difference: &Difference) -> String {
    let mut out = String::from("level,subject,change,member,before,after\n");
    for (level, rows) in difference.levels() {
        for row in rows {
            let side = |text: &Option<String>| csv(text.as_deref().unwrap_or_default());
            let (change, before, after) = (row.change.word(), side(&row.before), side(&row.after));
            let _ = writeln!(out, "{level},{},{change},{},{before},{after}", csv(&row.subject), csv(&row.member));
        }
    }
    out
}

/// Address of the verdicts of an experiment.
pub(crate) fn outcome_path(grid: &Grid<'_>) -> String {
    routes::data(&format!("outcomes-{}", grid.experiment.id), "csv")
}

fn table(table: &Table) -> Result<[File; 3], SiteError> {
    let parquet =
        to_parquet(table).map_err(|error| SiteError::Table { id: table.id.clone(), message: error.to_string() })?;
    let path = |extension: &str| routes::data(&table.id, extension);
    Ok([
        File::new(path("csv"), table.title.clone(), to_csv(table)),
        File::new(path("json"), table.title.clone(), pretty(&table.to_json())),
        File::new(path("parquet"), table.title.clone(), parquet),
    ])
}

fn entry(file: &File, table: Option<&Table>) -> serde_json::Value {
    let columns = table.map(|table| {
        table.columns.iter().map(|c| serde_json::json!({"name": c.name, "unit": c.unit})).collect::<Vec<_>>()
    });
    serde_json::json!({
        "path": file.path,
        "title": file.what,
        "bytes": file.bytes.len(),
        "sha256": file.digest(),
        "rows": table.map(|table| table.rows.len()),
        "columns": columns,
        "statistics": table.map(|table| &table.statistics),
    })
}

fn json<T: serde::Serialize>(value: &T) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or(serde_json::Value::Null)
}

fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// One fact per line, so that two versions can be compared with ordinary tools.
fn facts(view: &View<'_>) -> Vec<u8> {
    let mut out = String::from("[\n");
    for (index, fact) in view.input.facts.iter().enumerate() {
        if index > 0 {
            out.push_str(",\n");
        }
        out.push_str(&json(fact).to_string());
    }
    out.push_str("\n]\n");
    out.into_bytes()
}

fn outcomes(grid: &Grid<'_>) -> Vec<u8> {
    let mut out = String::from("problem,configuration,run,outcome\n");
    for row in &grid.rows {
        for run in row.runs.iter().flatten() {
            for record in &run.records {
                let outcome = match record.state() {
                    State::Pass => "pass",
                    State::Fail => "fail",
                    State::Excluded => "excluded",
                };
                let _ = writeln!(
                    out,
                    "{},{},{},{outcome}",
                    csv(record.id.as_str()),
                    csv(run.key.configuration.as_str()),
                    run.key.run
                );
            }
        }
    }
    out.into_bytes()
}

fn csv(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
