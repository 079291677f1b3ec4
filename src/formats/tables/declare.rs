//! A table as an experiment: its columns, and the configurations and samples that a pass over it finds.

use std::collections::{BTreeMap, BTreeSet};

use super::super::declared::{Declared, configuration, experiment, set};
use super::super::listing::Listing;
use super::super::quiet::Quiet;
use super::look::look;
use super::storage::storage_columns;
use super::{ID, MOST_ARMS, columns, rows, stem};
use crate::id::ConfigKey;
use crate::study::FilePart;

/// Adds a table to a declaration: its columns, and the configurations and samples that a pass over it finds.
pub(super) fn declare_one(listing: &Listing<'_>, path: &str, declared: &mut Declared) {
    let Some((seen, mapped)) =
        look(listing, path).and_then(|seen| columns::map(&seen.names, &seen.rows).ok().map(|mapped| (seen, mapped)))
    else {
        return;
    };
    let name = stem(path);
    let study = &mut declared.study;
    let taken = |id: &str| study.experiments.iter().any(|experiment| experiment.id.as_str() == id);
    let id = super::super::slug(name);
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
