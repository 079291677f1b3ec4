//! Plain tables: CSV, TSV, JSON lines, a JSON list or Parquet with a row per answer, or a row per problem and a column
//! per configuration.

mod columns;
mod rows;
mod stated;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::rows::Storage;
use super::declared::{Declared, configuration, experiment, identity, set, study};
use super::guess::{Fit, Guess, Near, Part};
use super::listing::{Listing, unpacked};
use super::sink::{Request, Sink};
use super::{About, Format, paper, passk};
use crate::archive::{Record, RunKey, Status, Verdict};
use crate::corpus::Problem;
use crate::id::{ConfigKey, ProblemId};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, Experiment, FilePart};

const ID: &str = "table";

/// Rows that are looked at before columns are mapped.
const SAMPLE: usize = 400;

/// Most configurations that a table may name; with more, its column of configurations is another thing.
const MOST_ARMS: usize = 2000;

/// In front of the names of labels in `columns`.
const LABEL: &str = "label.";

/// Plain tables, long or wide.
pub(super) struct Tables;

impl Format for Tables {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "a plain table",
            reads: "CSV, TSV, JSON lines, a JSON list or Parquet: a row per answer with problem, configuration and mark or \
                    score, or a row per problem and a column per configuration.",
            cannot_check: "A table of verdicts holds no programs and no answers: verdicts are counted, and nothing is \
                           executed or graded again.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let (mut long, mut wide, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for entry in listing.entries() {
            let Some(seen) = look(listing, &entry.path) else { continue };
            let Ok(mapped) = columns::map(&seen.names, &seen.rows) else {
                if columns::stated(&seen.names, &seen.rows).is_some() {
                    numbers.push(Part { path: entry.path.clone(), role: stated::ROLE, arm: None });
                }
                continue;
            };
            let part = Part { path: entry.path.clone(), role: "table", arm: None };
            if mapped.columns.contains_key("configuration") { long.push(part) } else { wide.push(part) }
        }
        // Stated numbers alone are a study only where nothing holds records.
        let few = if wide.is_empty() { numbers } else { wide };
        let (fit, parts) = if long.is_empty() { (Fit::Possible, few) } else { (Fit::Likely, long) };
        if parts.is_empty() {
            return None;
        }
        let reason = format!("{} tables with problems and marks or scores", parts.len());
        Some(Guess { format: ID, fit, reason, parts })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let near = |path: &str| {
            let seen = look(listing, path)?;
            let missing = columns::map(&seen.names, &seen.rows).err()?;
            Some(Near { format: ID, share: 40, path: path.to_owned(), missing })
        };
        listing.entries().iter().find_map(|entry| near(&entry.path))
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let name = guess.parts.first().map_or("table", |part| stem(&part.path));
        let identity = identity(name, name, "A table of verdicts or scores.");
        let mut declared = Declared { study: study(identity), assumed: Vec::new() };
        for part in &guess.parts {
            if part.role == stated::ROLE {
                stated::declare(listing, &part.path, &mut declared);
            } else {
                declare_one(listing, &part.path, &mut declared);
            }
        }
        let scores = |experiment: &Experiment| {
            let has = |role: &str| experiment.columns.contains_key(role);
            has("score") || has("successes") || has("cells")
        };
        let (kind, id) = if declared.study.experiments.iter().any(scores) {
            (EstimatorKind::Score, "score")
        } else {
            (EstimatorKind::Mean, "mean")
        };
        declared.study.estimators = vec![Estimator { id: id.to_owned(), kind, k: None, headline: true }];
        declared
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        let mut known: BTreeSet<(String, String)> = BTreeSet::new();
        for experiment in &request.experiments {
            for file in &experiment.files {
                match (file.role.as_deref(), &file.configuration) {
                    (Some("summary"), Some(key)) if request.selection.only.is_none() => {
                        passk::read(request.source, &file.path, &experiment.id, key, sink);
                    }
                    (Some("summary"), _) => {}
                    (Some(stated::ROLE), _) => stated::read(request, experiment, file, sink),
                    _ => read(request, experiment, file, &mut known, sink),
                }
            }
        }
    }
}

/// The beginning of a table.
struct Seen {
    storage: Storage,
    names: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
}

/// Looks at the beginning of a file that could be a table; `None` for what is none.
fn look(listing: &Listing<'_>, path: &str) -> Option<Seen> {
    if passk::is_summary(listing, path) {
        return None;
    }
    let storage = rows::storage(listing, path)?;
    let mut seen = Seen { names: Vec::new(), rows: Vec::new(), storage };
    match &seen.storage {
        Storage::Separated { separator, header } => {
            let mut all = rows::beginning(&listing.head(path), *separator, SAMPLE).into_iter();
            let width = all.as_slice().first()?.len();
            seen.names = if *header { all.next()? } else { (1..=width).map(|at| at.to_string()).collect() };
            let missing = |cell: String| Some(cell).filter(|cell| !rows::is_missing(cell));
            seen.rows =
                all.filter(|row| row.len() == width).map(|row| row.into_iter().map(missing).collect()).collect();
        }
        Storage::Lines => {
            let objects = listing.objects(path, SAMPLE);
            if objects.iter().filter_map(crate::json::Value::as_object).any(paper::fits) {
                return None;
            }
            seen.fill(objects.iter().filter_map(|object| object.as_object().map(rows::cells)));
        }
        Storage::List(_) | Storage::Parquet => {
            let mut first = Vec::new();
            rows::rows(listing.source(), path, &seen.storage, &mut Quiet, &mut |names, cells, _, _| {
                if first.len() < SAMPLE {
                    first.push((names.to_vec(), cells.to_vec()));
                }
            });
            seen.fill(first.into_iter());
        }
    }
    (!seen.rows.is_empty()).then_some(seen)
}

impl Seen {
    /// Rows whose names may differ, under the names of all of them.
    fn fill(&mut self, rows: impl Iterator<Item = (Vec<String>, Vec<Option<String>>)>) {
        let rows: Vec<_> = rows.collect();
        for name in rows.iter().flat_map(|(names, _)| names) {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
        let aligned = |(names, cells): (Vec<String>, Vec<Option<String>>)| {
            let mut row: BTreeMap<String, Option<String>> = names.into_iter().zip(cells).collect();
            self.names.iter().map(|name| row.remove(name).flatten()).collect()
        };
        self.rows = rows.into_iter().map(aligned).collect();
    }
}

/// Looks without telling.
struct Quiet;

impl Sink for Quiet {
    fn problem(&mut self, _: &crate::id::SetId, _: Problem, _: Place) {}
    fn record(&mut self, _: RunKey, _: Record, _: &[crate::archive::AttemptText<'_>], _: Place) {}
    fn sample(&mut self, _: &crate::id::ExperimentId, _: &ConfigKey, _: &str) -> u32 {
        0
    }
    fn summary(&mut self, _: crate::archive::StoredSummary) {}
    fn recount(&mut self, _: crate::archive::Recount) {}
    fn coverage(&mut self, _: crate::archive::Coverage) {}
    fn finding(&mut self, _: Finding) {}
    fn file(&mut self, _: &str, _: crate::digest::Digest, _: u64) {}
}

/// Adds a table to a declaration: its columns, and the configurations and samples that a pass over it finds.
fn declare_one(listing: &Listing<'_>, path: &str, declared: &mut Declared) {
    let Some((seen, mapped)) =
        look(listing, path).and_then(|seen| columns::map(&seen.names, &seen.rows).ok().map(|mapped| (seen, mapped)))
    else {
        return;
    };
    let name = stem(path);
    let study = &mut declared.study;
    let taken = |id: &str| study.experiments.iter().any(|experiment| experiment.id.as_str() == id);
    let id = super::slug(name);
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let id = std::iter::once(id.clone()).chain(numbered).find(|id| !taken(id)).unwrap_or(id);
    let mut experiment = experiment(&id, &id, ID);
    let mut problems = set(&id, name, "", ID);
    problems.columns = BTreeMap::new();
    experiment.columns = mapped.columns.clone();
    storage_columns(&seen.storage, &mut experiment.columns);
    let mut found = Found::default();
    let file = FilePart { path: path.to_owned(), ..FilePart::default() };
    let get = |names: &[String], cells: &[Option<String>], role: &str| -> Option<String> {
        let at = names.iter().position(|name| Some(name) == mapped.columns.get(role))?;
        cells.get(at)?.clone()
    };
    rows::rows(listing.source(), path, &seen.storage, &mut Quiet, &mut |names, cells, _, _| {
        let arm = get(names, cells, "configuration").unwrap_or_default();
        let item = get(names, cells, "item").unwrap_or_default();
        found.add(arm, item, get(names, cells, "score").as_deref());
        for name in &mapped.wide {
            let at = names.iter().position(|known| known == name);
            found.cell(at.and_then(|at| cells.get(at)?.as_deref()));
        }
    });
    if !mapped.wide.is_empty() {
        found.arms.clone_from(&mapped.wide);
        experiment.columns.insert("layout".to_owned(), "wide".to_owned());
        if found.rates {
            experiment.columns.insert("cells".to_owned(), "scores".to_owned());
            declared.assumed.push(format!("cells of {path} are scores: some are neither right nor wrong"));
        } else {
            found.largest = 0.0;
        }
    } else if !mapped.columns.contains_key("configuration") {
        found.arms = vec![name.to_owned()];
    }
    if found.largest > 1.0 {
        experiment.columns.insert("scale".to_owned(), "percent".to_owned());
        declared.assumed.push(format!("scores of {path} are percent: the largest is {}", found.largest));
    }
    for arm in &found.arms {
        if study.configurations.iter().all(|known| known.key.as_str() != arm) {
            study.configurations.push(configuration(arm));
        }
    }
    experiment.configurations = found.arms.iter().map(|arm| ConfigKey::from(arm.as_str())).collect();
    experiment.runs = found.samples.values().copied().max().unwrap_or(1).max(1);
    let single = mapped.wide.is_empty() && !mapped.columns.contains_key("configuration");
    let configuration = single.then(|| ConfigKey::from(name));
    experiment.files.push(FilePart { configuration, ..file });
    declared.assumed.extend(mapped.how.iter().map(|how| format!("{path}: {how}")));
    study.sets.push(problems);
    study.experiments.push(experiment);
}

/// What a pass over a table finds.
#[derive(Default)]
struct Found {
    arms: Vec<String>,
    seen: BTreeSet<String>,
    samples: BTreeMap<(String, String), u32>,
    largest: f64,
    /// A cell of a wide table is a number that is no mark.
    rates: bool,
}

impl Found {
    fn add(&mut self, arm: String, item: String, score: Option<&str>) {
        if !arm.is_empty() && self.arms.len() < MOST_ARMS && self.seen.insert(arm.clone()) {
            self.arms.push(arm.clone());
        }
        *self.samples.entry((arm, item)).or_default() += 1;
        if let Some(value) = score.and_then(columns::number) {
            self.largest = self.largest.max(value);
        }
    }

    /// A cell of a configuration of a wide table.
    fn cell(&mut self, text: Option<&str>) {
        let Some(value) = text.and_then(columns::number) else { return };
        self.largest = self.largest.max(value);
        self.rates |= text.and_then(columns::status).is_none();
    }
}

/// How the table is stored, as members of `columns`, so that a `study.toml` says it.
fn storage_columns(storage: &Storage, columns: &mut BTreeMap<String, String>) {
    match storage {
        Storage::Separated { separator, header } => {
            let word = match separator {
                b'\t' => "tab",
                b';' => "semicolon",
                b'|' => "bar",
                _ => "comma",
            };
            if word != "comma" {
                columns.insert("separator".to_owned(), word.to_owned());
            }
            if !header {
                columns.insert("header".to_owned(), "none".to_owned());
            }
        }
        Storage::List(Some(member)) => drop(columns.insert("rows".to_owned(), member.clone())),
        Storage::Lines | Storage::List(None) | Storage::Parquet => {}
    }
}

/// The storage that `columns` and the name of a file declare.
fn stored(path: &str, columns: &BTreeMap<String, String>) -> Storage {
    let name = unpacked(path);
    let ends = |ending: &str| name.ends_with(ending);
    if ends(".parquet") {
        Storage::Parquet
    } else if ends(".jsonl") || ends(".ndjson") {
        Storage::Lines
    } else if ends(".json") {
        Storage::List(columns.get("rows").cloned())
    } else {
        let separator = match columns.get("separator").map(String::as_str) {
            Some("tab") => b'\t',
            Some("semicolon") => b';',
            Some("bar") => b'|',
            None if ends(".tsv") || ends(".tab") => b'\t',
            Some(_) | None => b',',
        };
        Storage::Separated { separator, header: columns.get("header").is_none_or(|word| word != "none") }
    }
}

fn stem(path: &str) -> &str {
    let name = unpacked(path);
    let name = name.rsplit('/').next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Reads one table. `known` holds the problems that were told already, by set.
fn read(
    request: &Request<'_>,
    experiment: &Experiment,
    file: &FilePart,
    known: &mut BTreeSet<(String, String)>,
    sink: &mut dyn Sink,
) {
    let columns = &experiment.columns;
    let wide: Vec<(&str, &ConfigKey)> = match columns.get("layout").map(String::as_str) {
        Some("wide") => wide_columns(request, experiment),
        _ => Vec::new(),
    };
    let own_problems =
        request.sets.iter().any(|set| set.id == experiment.set && set.path.is_empty() && set.files.is_empty());
    // In a table of rates 1 is a rate too.
    let rates = columns.contains_key("cells");
    let percent = columns.get("scale").is_some_and(|word| word == "percent");
    let mut lines = RowReader { request, experiment, file, percent, ranks: BTreeMap::new(), checked: false };
    let storage = stored(&file.path, columns);
    rows::rows(request.source, &file.path, &storage, sink, &mut |names, cells, place, sink| {
        let at = |name: &str| names.iter().position(|known| known == name);
        let cell = |role: &str| cells.get(at(columns.get(role)?)?)?.as_deref();
        lines.check(names, sink);
        let Some(item) = cell("item") else {
            return sink.finding(Finding::new("bad-record", place, "it names no problem"));
        };
        if own_problems && known.insert((experiment.set.to_string(), item.to_owned())) {
            let labels = columns.iter().filter_map(|(role, name)| {
                let value = cells.get(at(name)?)?.as_deref()?;
                Some((Arc::from(role.strip_prefix(LABEL)?), Arc::from(value)))
            });
            let labels: BTreeMap<Arc<str>, Arc<str>> = labels.collect();
            let label = |name: &str| labels.get(name).cloned();
            let (category, difficulty) = (label("category"), label("difficulty"));
            let problem = Problem { category, difficulty, labels, ..Problem::blank(item.into()) };
            sink.problem(&experiment.set, problem, place.clone().with_subject(item));
        }
        let place = place.with_subject(item);
        if wide.is_empty() {
            let configuration = file.configuration.clone().or_else(|| cell("configuration").map(ConfigKey::from));
            let Some(configuration) = configuration else {
                return sink.finding(Finding::new("bad-record", place, "it names no configuration"));
            };
            lines.emit(item, configuration, &cell, place, sink);
        } else {
            for (name, configuration) in &wide {
                let value = at(name).and_then(|at| cells.get(at)?.as_deref());
                let one = |role: &str| match role {
                    "passed" => value.filter(|_| !rates),
                    "score" => value.filter(|_| rates),
                    _ => None,
                };
                // An empty cell says that this configuration was not asked.
                if value.is_some() {
                    lines.emit(item, (*configuration).clone(), &one, place.clone(), sink);
                }
            }
        }
    });
}

/// Columns of a wide table by configuration: its key or another name of it.
fn wide_columns<'a>(request: &Request<'a>, experiment: &'a Experiment) -> Vec<(&'a str, &'a ConfigKey)> {
    let mut found = Vec::new();
    for key in &experiment.configurations {
        let declared = request.study.configurations.iter().find(|known| known.key == *key);
        found.push((key.as_str(), key));
        for alias in declared.iter().flat_map(|declared| &declared.aliases) {
            found.push((alias.as_str(), key));
        }
    }
    found
}

/// Rows of one table while they are read.
struct RowReader<'a> {
    request: &'a Request<'a>,
    experiment: &'a Experiment,
    file: &'a FilePart,
    percent: bool,
    /// Numbers of samples by what the table calls them, in the order in which they occur.
    ranks: BTreeMap<String, u32>,
    checked: bool,
}

impl RowReader<'_> {
    /// Says once which declared columns the table does not have.
    fn check(&mut self, names: &[String], sink: &mut dyn Sink) {
        if std::mem::replace(&mut self.checked, true) {
            return;
        }
        const SETTINGS: &[&str] = &["layout", "cells", "scale", "separator", "header", "rows"];
        let roles = self.experiment.columns.iter().filter(|(role, _)| !SETTINGS.contains(&role.as_str()));
        for (role, name) in roles.filter(|(_, name)| !names.contains(name)) {
            let message = format!("there is no column {name:?}, which study.toml names for {role}");
            sink.finding(Finding::new("bad-run", Place::file(&self.file.path), message));
        }
    }

    fn emit<'c>(
        &mut self,
        item: &str,
        configuration: ConfigKey,
        cell: &dyn Fn(&str) -> Option<&'c str>,
        place: Place,
        sink: &mut dyn Sink,
    ) {
        if !self.request.wants(&self.experiment.id, &configuration) {
            return;
        }
        let sample = match cell("sample") {
            Some(name) => {
                let next = self.ranks.len() as u32;
                *self.ranks.entry(name.to_owned()).or_insert(next)
            }
            None => sink.sample(&self.experiment.id, &configuration, item),
        };
        let mut record = Record { sample, ..Record::blank(ProblemId::from(item)) };
        let status = self.mark(&mut record, cell, &place, sink);
        record.verdicts.push(Verdict { judge: "".into(), environment: None, status, inferred: false });
        let experiment = self.experiment.id.clone();
        let run = self.file.run.unwrap_or(sample + 1);
        sink.record(RunKey { experiment, configuration, run }, record, &[], place);
    }

    /// Mark or score of a row into its record.
    fn mark<'c>(
        &self,
        record: &mut Record,
        cell: &dyn Fn(&str) -> Option<&'c str>,
        place: &Place,
        sink: &mut dyn Sink,
    ) -> Status {
        let odd = |what: &str, text: &str, sink: &mut dyn Sink| {
            sink.finding(Finding::new("bad-member", place.clone(), format!("{what} is {text:?}")));
        };
        let n = cell("n").and_then(|text| text.parse::<u64>().ok());
        if let Some(n) = n {
            record.labels.insert("n".into(), n.to_string().into());
        }
        if let Some(text) = cell("passed") {
            match columns::status(text) {
                Some(status) => {
                    record.passed = status.passed();
                    return status;
                }
                None => odd("the mark", text, sink),
            }
        }
        let counted = cell("successes").and_then(|text| text.parse::<u64>().ok()).zip(n.filter(|n| *n > 0));
        let score = match (counted, cell("score")) {
            (Some((c, n)), _) if c <= n => Some(c as f64 / n as f64),
            (Some((c, n)), _) => {
                odd("more successes than samples", &format!("{c} of {n}"), sink);
                None
            }
            (None, Some(text)) => {
                let scale = if self.percent && !text.trim_end().ends_with('%') { 0.01 } else { 1.0 };
                let value = columns::number(text).map(|value| value * scale);
                if value.is_none() {
                    odd("the score, which is no number that can be read in one way only,", text, sink);
                }
                value
            }
            (None, None) => None,
        };
        record.score = score;
        if score.is_some() { Status::Partial } else { Status::NotGraded }
    }
}

#[cfg(test)]
mod tests;
