//! Tables as experiments: their columns, the configurations and samples that a pass over them finds, and which of several
//! files belong together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::declared::{Declared, configuration, experiment, set};
use super::super::listing::Listing;
use super::super::quiet::Quiet;
use super::columns::{self, Aggregate, Mapped};
use super::look::look;
use super::rows::{self, Storage};
use super::storage::storage_columns;
use super::together::{self, Group};
use super::{ID, LABEL, MOST_ARMS, OVERALL_ROWS};
use crate::id::ConfigKey;
use crate::study::{Experiment, FilePart};

/// A table, and what a pass over it finds.
pub(super) struct Table {
    pub(super) path: String,
    pub(super) storage: Storage,
    pub(super) names: Vec<String>,
    pub(super) mapped: Mapped,
    pub(super) found: Found,
}

/// Adds tables to a declaration: files whose rows belong together are one experiment.
pub(super) fn declare_all(listing: &Listing<'_>, paths: &[&str], declared: &mut Declared) {
    let tables = paths.iter().filter_map(|path| Table::read(listing, path)).collect();
    for group in together::groups(tables) {
        declare_group(&group, declared);
    }
}

impl Table {
    fn read(listing: &Listing<'_>, path: &str) -> Option<Self> {
        let seen = look(listing, path)?;
        let mapped = columns::map(&seen.names, &seen.rows).ok()?;
        let mut found = Found::default();
        let get = |names: &[String], cells: &[Option<String>], role: &str| -> Option<String> {
            let at = names.iter().position(|name| Some(name) == mapped.columns.get(role))?;
            cells.get(at)?.clone()
        };
        rows::rows(listing.source(), path, &seen.storage, &mut Quiet, &mut |names, cells, _, _| {
            let arm = get(names, cells, "configuration").unwrap_or_default();
            if mapped.across {
                found.add_arm(&arm);
                return;
            }
            let item = get(names, cells, "item").unwrap_or_default();
            if let Some(kind) = columns::aggregate(&item) {
                found.overall.insert(item, kind);
                return;
            }
            found.add(arm, item, get(names, cells, "score").as_deref());
            for name in &mapped.wide {
                let at = names.iter().position(|known| known == name);
                found.cell(at.and_then(|at| cells.get(at)?.as_deref()));
            }
        });
        if mapped.across {
            found.items = mapped.wide.iter().cloned().collect();
        } else if !mapped.wide.is_empty() {
            found.arms.clone_from(&mapped.wide);
        }
        Some(Self { path: path.to_owned(), storage: seen.storage, names: seen.names, mapped, found })
    }

    /// True when neither a column nor a row names configurations: the file is of one.
    pub(super) fn is_single(&self) -> bool {
        self.mapped.wide.is_empty() && !self.mapped.columns.contains_key("configuration")
    }
}

fn declare_group(group: &Group, declared: &mut Declared) {
    let Some(first) = group.tables.first() else { return };
    let study = &mut declared.study;
    let taken = |id: &str| study.experiments.iter().any(|experiment| experiment.id.as_str() == id);
    let id = super::super::slug(&group.name);
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let id = std::iter::once(id.clone()).chain(numbered).find(|id| !taken(id)).unwrap_or(id);
    // The same problems asked in another way: the set of the group that asked them first.
    let problems = group.asked_in.and_then(|at| study.experiments.get(at)).map(|experiment| experiment.set.clone());
    let set_id = problems.clone().unwrap_or_else(|| id.as_str().into());
    let mut experiment = experiment(&id, set_id.as_str(), ID);
    experiment.columns = shared_columns(group);
    storage_columns(&first.storage, &mut experiment.columns);
    let rates = group.tables.iter().any(|table| table.found.rates);
    if !first.mapped.wide.is_empty() {
        experiment.columns.insert("layout".to_owned(), if first.mapped.across { "across" } else { "wide" }.to_owned());
        if rates {
            experiment.columns.insert("cells".to_owned(), "scores".to_owned());
            declared.assumed.push(format!("cells of {} are scores: some are neither right nor wrong", first.path));
        }
    }
    let marks = !first.mapped.wide.is_empty() && !rates;
    let largest = group.tables.iter().map(|table| table.found.largest).fold(0.0, f64::max);
    if largest > 1.0 && !marks {
        experiment.columns.insert("scale".to_owned(), "percent".to_owned());
        declared.assumed.push(format!("scores of {} are percent: the largest is {largest}", first.path));
    }
    for table in &group.tables {
        for (name, kind) in &table.found.overall {
            experiment.columns.insert("overall".to_owned(), OVERALL_ROWS.to_owned());
            let kind = if *kind == Aggregate::Mean { "means" } else { "sums" };
            declared
                .assumed
                .push(format!("{}: the row {name:?} is no problem but {kind} over all of them", table.path));
        }
    }
    for (table, (arm, run)) in group.tables.iter().zip(group.arms()) {
        let arms = match &arm {
            Some(arm) => std::slice::from_ref(arm),
            None => table.found.arms.as_slice(),
        };
        add_arms(arms, &mut experiment, &mut study.configurations);
        let configuration = arm.as_deref().map(ConfigKey::from);
        experiment.files.push(FilePart { path: table.path.clone(), configuration, run, role: None });
    }
    experiment.runs = group.samples();
    declared.assumed.extend(group.how.iter().cloned());
    declared.assumed.extend(first.mapped.how.iter().map(|how| format!("{}: {how}", first.path)));
    if problems.is_none() {
        let mut problems = set(&id, &group.name, "", ID);
        problems.columns = BTreeMap::new();
        study.sets.push(problems);
    }
    study.experiments.push(experiment);
}

fn add_arms(arms: &[String], experiment: &mut Experiment, known: &mut Vec<crate::study::Configuration>) {
    for arm in arms {
        if known.iter().all(|known| known.key.as_str() != arm) {
            known.push(configuration(arm));
        }
        let key = ConfigKey::from(arm.as_str());
        if !experiment.configurations.contains(&key) {
            experiment.configurations.push(key);
        }
    }
}

/// Columns of the first table; labels only where every table has them.
fn shared_columns(group: &Group) -> BTreeMap<String, String> {
    let everywhere = |name: &String| group.tables.iter().all(|table| table.names.contains(name));
    let first = group.tables.first().map(|table| table.mapped.columns.clone()).unwrap_or_default();
    first.into_iter().filter(|(role, name)| !role.starts_with(LABEL) || everywhere(name)).collect()
}

/// What a pass over a table finds.
#[derive(Default)]
pub(super) struct Found {
    pub(super) arms: Vec<String>,
    seen: BTreeSet<String>,
    /// Problems.
    pub(super) items: BTreeSet<String>,
    /// Numbers of rows by configuration and problem.
    pub(super) samples: BTreeMap<(String, String), u32>,
    largest: f64,
    /// A cell of a wide table is a number that is no mark.
    rates: bool,
    /// Rows that are no problem but a number over all of them.
    overall: BTreeMap<String, Aggregate>,
}

impl Found {
    fn add(&mut self, arm: String, item: String, score: Option<&str>) {
        self.add_arm(&arm);
        if !self.items.contains(&item) {
            self.items.insert(item.clone());
        }
        *self.samples.entry((arm, item)).or_default() += 1;
        if let Some(value) = score.and_then(columns::number) {
            self.largest = self.largest.max(value);
        }
    }

    fn add_arm(&mut self, arm: &str) {
        if !arm.is_empty() && self.arms.len() < MOST_ARMS && self.seen.insert(arm.to_owned()) {
            self.arms.push(arm.to_owned());
        }
    }

    /// A cell of a configuration of a wide table.
    fn cell(&mut self, text: Option<&str>) {
        let Some(value) = text.and_then(columns::number) else { return };
        self.largest = self.largest.max(value);
        self.rates |= text.and_then(columns::status).is_none();
    }
}
