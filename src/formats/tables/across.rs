//! A table that lies on its side: a row for each configuration, a column of marks for each problem.

use std::collections::{BTreeMap, BTreeSet};

use super::super::sink::{Request, Sink};
use super::columns::{OVERALL, aggregate};
use super::read::RowReader;
use super::storage::stored;
use super::{overall, rows};
use crate::corpus::Problem;
use crate::id::ConfigKey;
use crate::report::{Finding, Place};
use crate::study::{Experiment, FilePart};

/// Roles of columns that are no problem, beside those that state numbers over all of them.
const NO_PROBLEM: &[&str] = &["configuration"];

/// Reads one such table; the problems are its columns of marks. `known` holds the problems that were told already.
pub(super) fn read(
    request: &Request<'_>,
    experiment: &Experiment,
    file: &FilePart,
    known: &mut BTreeSet<(String, String)>,
    sink: &mut dyn Sink,
) {
    let columns = &experiment.columns;
    let mut lines = RowReader::new(request, experiment, file);
    let storage = stored(&file.path, columns);
    let own = request.sets.iter().any(|set| set.id == experiment.set && set.path.is_empty() && set.files.is_empty());
    let stating: BTreeMap<&str, &str> = columns
        .iter()
        .filter_map(|(role, name)| role.strip_prefix(OVERALL).map(|_| (name.as_str(), role.as_str())))
        .collect();
    let other: BTreeSet<&str> = NO_PROBLEM.iter().filter_map(|role| columns.get(*role)).map(String::as_str).collect();
    rows::rows(request.source, &file.path, &storage, sink, &mut |names, cells, place, sink| {
        lines.check(names, sink);
        let cell = |name: &str| cells.get(names.iter().position(|known| known == name)?)?.as_deref();
        let Some(key) = columns.get("configuration").and_then(|name| cell(name)).map(ConfigKey::from) else {
            return sink.finding(Finding::new("bad-record", place, "it names no configuration"));
        };
        for (name, value) in names.iter().zip(cells) {
            if stating.contains_key(name.as_str()) {
                if let Some(kind) = aggregate(name) {
                    overall::told(&lines, kind, name, &key, value.as_deref(), &place, sink);
                }
                continue;
            }
            // An unnamed column is an index.
            if name.is_empty() || other.contains(name.as_str()) {
                continue;
            }
            let place = Place { subject: Some(name.clone()), ..place.clone() };
            if own && known.insert((experiment.set.to_string(), name.clone())) {
                sink.problem(&experiment.set, Problem::blank(name.as_str().into()), place.clone());
            }
            // An empty cell says that this problem was not asked.
            if value.is_some() {
                let one = |role: &str| value.as_deref().filter(|_| role == "passed");
                lines.emit(name, key.clone(), &one, place, sink);
            }
        }
    });
}
