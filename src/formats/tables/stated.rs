//! A table of numbers that somebody states about configurations, without records: a row per configuration, a column per
//! number. Such numbers are shown and cannot be counted again.

use std::collections::BTreeMap;

use super::super::declared::{Declared, configuration, experiment, set};
use super::super::listing::Listing;
use super::super::sink::{Request, Sink};
use super::look::look;
use super::storage::{storage_columns, stored};
use super::{ID, columns, rows, stem};
use crate::archive::{Denominator, Scale, StoredSummary};
use crate::id::ConfigKey;
use crate::report::{Finding, Place};
use crate::study::{EstimatorKind, Experiment, FilePart};

/// Role of such a file.
pub(super) const ROLE: &str = "stated";

/// In front of the names of numbers in `columns`.
const METRIC: &str = "metric.";

/// Adds a table to a declaration.
pub(super) fn declare(listing: &Listing<'_>, path: &str, declared: &mut Declared) {
    let Some((seen, (model, metrics))) =
        look(listing, path).and_then(|seen| columns::stated(&seen.names, &seen.rows).map(|found| (seen, found)))
    else {
        return;
    };
    let id = super::super::slug(stem(path));
    let mut stating = experiment(&id, &id, ID);
    // Its records are nowhere; the study says so instead of missing them.
    stating.optional = true;
    stating.columns.insert("configuration".to_owned(), model.clone());
    stating.columns.extend(metrics.iter().map(|name| (format!("{METRIC}{name}"), name.clone())));
    storage_columns(&seen.storage, &mut stating.columns);
    let at = seen.names.iter().position(|name| *name == model);
    for row in &seen.rows {
        let Some(key) = at.and_then(|at| row.get(at)?.as_deref()) else { continue };
        if declared.study.configurations.iter().all(|known| known.key.as_str() != key) {
            declared.study.configurations.push(configuration(key));
        }
        stating.configurations.push(ConfigKey::from(key));
    }
    let role = Some(ROLE.to_owned());
    stating.files.push(FilePart { path: path.to_owned(), configuration: None, run: None, role });
    let problems = set(&id, stem(path), "", ID);
    declared.assumed.push(format!("{path}: a row for each {model:?}, numbers {}", metrics.join(", ")));
    declared.assumed.push(format!("the numbers of {path} have no records here, so none is counted again"));
    declared.study.sets.push(problems);
    declared.study.experiments.push(stating);
}

/// Reads the numbers of a table.
pub(super) fn read(request: &Request<'_>, experiment: &Experiment, file: &FilePart, sink: &mut dyn Sink) {
    if request.selection.only.is_some() {
        return;
    }
    let columns = &experiment.columns;
    let storage = stored(&file.path, columns);
    rows::rows(request.source, &file.path, &storage, sink, &mut |names, cells, place, sink| {
        let cell = |name: &String| cells.get(names.iter().position(|known| known == name)?)?.as_deref();
        let Some(key) = columns.get("configuration").and_then(cell) else {
            return sink.finding(Finding::new("bad-record", place, "it names no configuration"));
        };
        for (role, name) in columns {
            let Some(metric) = role.strip_prefix(METRIC) else { continue };
            let Some(printed) = cell(name) else { continue };
            match columns::number(printed) {
                Some(value) => sink.summary(StoredSummary {
                    metric: metric.into(),
                    estimator: EstimatorKind::Mean,
                    k: None,
                    judge: None,
                    experiment: experiment.id.clone(),
                    configuration: ConfigKey::from(key),
                    run: None,
                    stratum: BTreeMap::new(),
                    denominator: Denominator::Recorded,
                    scale: if value > 1.0 { Scale::Percent } else { Scale::Fraction },
                    value,
                    printed: printed.into(),
                    place: Place { subject: Some(key.to_owned()), ..place.clone() },
                }),
                None => {
                    let message = format!("{name} is {printed:?}, which is no number that can be read in one way only");
                    sink.finding(Finding::new("bad-member", place.clone(), message));
                }
            }
        }
    });
}
