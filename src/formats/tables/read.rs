//! Rows of a table as records.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::sink::{Request, Sink};
use super::storage::stored;
use super::{LABEL, OVERALL_ROWS, across, columns, overall, rows};
use crate::archive::{Record, RunKey, Status, Verdict};
use crate::corpus::Problem;
use crate::id::{ConfigKey, ProblemId};
use crate::report::{Finding, Place};
use crate::study::{Experiment, FilePart};

/// Reads one table. `known` holds the problems that were told already, by set.
pub(super) fn read(
    request: &Request<'_>,
    experiment: &Experiment,
    file: &FilePart,
    known: &mut BTreeSet<(String, String)>,
    sink: &mut dyn Sink,
) {
    let columns = &experiment.columns;
    if columns.get("layout").is_some_and(|word| word == "across") {
        return across::read(request, experiment, file, known, sink);
    }
    let wide: Vec<(&str, &ConfigKey)> = match columns.get("layout").map(String::as_str) {
        Some("wide") => wide_columns(request, experiment),
        _ => Vec::new(),
    };
    let overall = columns.get("overall").is_some_and(|word| word == OVERALL_ROWS);
    let own_problems =
        request.sets.iter().any(|set| set.id == experiment.set && set.path.is_empty() && set.files.is_empty());
    // In a table of rates 1 is a rate too.
    let rates = columns.contains_key("cells");
    let mut lines = RowReader::new(request, experiment, file);
    let storage = stored(&file.path, columns);
    rows::rows(request.source, &file.path, &storage, sink, &mut |names, cells, place, sink| {
        let at = |name: &str| names.iter().position(|known| known == name);
        let cell = |role: &str| cells.get(at(columns.get(role)?)?)?.as_deref();
        lines.check(names, sink);
        let Some(item) = cell("item") else {
            return sink.finding(Finding::new("bad-record", place, "it names no problem"));
        };
        if let Some(kind) = columns::aggregate(item).filter(|_| overall) {
            for (name, configuration) in wide.iter().filter(|(name, _)| at(name).is_some()) {
                let printed = at(name).and_then(|at| cells.get(at)?.as_deref());
                overall::told(&lines, kind, item, configuration, printed, &place, sink);
            }
            if wide.is_empty()
                && let Some(configuration) =
                    file.configuration.clone().or_else(|| cell("configuration").map(ConfigKey::from))
            {
                let printed = cell("score").or_else(|| cell("passed"));
                overall::told(&lines, kind, item, &configuration, printed, &place, sink);
            }
            return;
        }
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
pub(super) struct RowReader<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) experiment: &'a Experiment,
    pub(super) file: &'a FilePart,
    pub(super) percent: bool,
    /// Numbers of samples by what the table calls them, in the order in which they occur.
    ranks: BTreeMap<String, u32>,
    checked: bool,
}

impl<'a> RowReader<'a> {
    /// Nothing is read yet.
    pub(super) fn new(request: &'a Request<'a>, experiment: &'a Experiment, file: &'a FilePart) -> Self {
        let percent = experiment.columns.get("scale").is_some_and(|word| word == "percent");
        Self { request, experiment, file, percent, ranks: BTreeMap::new(), checked: false }
    }

    /// Says once which declared columns the table does not have.
    pub(super) fn check(&mut self, names: &[String], sink: &mut dyn Sink) {
        if std::mem::replace(&mut self.checked, true) {
            return;
        }
        const SETTINGS: &[&str] = &["layout", "cells", "scale", "separator", "header", "rows", "overall"];
        let roles = self.experiment.columns.iter().filter(|(role, _)| !SETTINGS.contains(&role.as_str()));
        for (role, name) in roles.filter(|(_, name)| !names.contains(name)) {
            let message = format!("there is no column {name:?}, which study.toml names for {role}");
            sink.finding(Finding::new("bad-run", Place::file(&self.file.path), message));
        }
    }

    pub(super) fn emit<'c>(
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
