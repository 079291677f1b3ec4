//! Which tables of a folder belong together: a file for each configuration, for each run, or for each part of the
//! problems.

use std::collections::{BTreeMap, BTreeSet};

use super::super::names;
use super::declare::Table;
use super::{LABEL, stem};

/// Words in front of the number of a repetition, in names of files.
const RUNS: &[&str] = &["run", "seed", "trial", "rep", "repetition", "iteration", "iter", "sample", "epoch"];

/// Tables that are one experiment.
pub(super) struct Group {
    pub(super) tables: Vec<Table>,
    /// What it is called.
    pub(super) name: String,
    /// Place of the group, among all, that asked the same problems first in another way.
    pub(super) asked_in: Option<usize>,
    /// Why the files are together, for people.
    pub(super) how: Vec<String>,
    kind: Kind,
}

/// Why tables are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Each has configurations of its own.
    Configurations,
    /// Each is a run of the same configurations.
    Runs,
    /// Each holds other problems of the same configurations.
    Parts,
}

/// How a table stands to another.
fn relation(a: &Table, b: &Table) -> Option<Kind> {
    if plan(a) != plan(b) || a.storage != b.storage {
        return None;
    }
    let shared = a.found.items.intersection(&b.found.items).count();
    let same_arms = a.found.arms == b.found.arms;
    let smaller = a.found.items.len().min(b.found.items.len());
    if 2 * shared >= smaller.max(1) {
        return match (is_run(&a.path) && is_run(&b.path), same_arms) {
            (true, _) => Some(Kind::Runs),
            (false, _) if a.is_single() => Some(Kind::Configurations),
            (false, same) => {
                (!same && a.found.arms.iter().all(|arm| !b.found.arms.contains(arm))).then_some(Kind::Configurations)
            }
        };
    }
    // Other problems: parts of one table, when their names differ in numbers only.
    (shared == 0 && same_arms && numberless(&a.path) == numberless(&b.path)).then_some(Kind::Parts)
}

/// The columns that decide what a row is.
fn plan(table: &Table) -> (bool, bool, Vec<(&String, &String)>) {
    let roles = table.mapped.columns.iter().filter(|(role, _)| !role.starts_with(LABEL)).collect();
    (table.mapped.across, table.mapped.wide.is_empty(), roles)
}

fn numberless(path: &str) -> String {
    path.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Name without its run, and the number of the run, for a name that ends with one (`gpt-4_run2`).
fn split_run(name: &str) -> Option<(&str, u64)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (rest, number) = name.split_at(name.len() - digits);
    let number = number.parse().ok()?;
    let rest = rest.trim_end_matches(['_', '-', ' ', '.', '=']);
    let word = RUNS.iter().filter(|word| rest.to_ascii_lowercase().ends_with(**word)).max_by_key(|word| word.len())?;
    let base = &rest[..rest.len() - word.len()];
    let apart = base.is_empty() || base.ends_with(['_', '-', ' ', '.', '/']);
    apart.then(|| (base.trim_end_matches(['_', '-', ' ', '.', '/']), number))
}

/// Whether a file, or the folder it lies in, is called like a run.
fn is_run(path: &str) -> bool {
    run_of(path).is_some()
}

/// What a path is called without its run, and the run.
fn run_of(path: &str) -> Option<(String, u64)> {
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    let own = split_run(stem(path)).map(|(base, run)| match base {
        "" => (folder.rsplit('/').next().unwrap_or(folder).to_owned(), run),
        base => (base.to_owned(), run),
    });
    own.or_else(|| split_run(folder).map(|(base, run)| (base.rsplit('/').next().unwrap_or(base).to_owned(), run)))
}

/// Tables by what belongs together, in the order of their first files.
pub(super) fn groups(tables: Vec<Table>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for table in tables {
        let kind = |group: &Group| {
            let kinds: Vec<Option<Kind>> = group.tables.iter().map(|known| relation(known, &table)).collect();
            let first = kinds[0]?;
            let fits =
                kinds.iter().all(|kind| *kind == Some(first)) && (group.tables.len() == 1 || group.kind == first);
            fits.then_some(first)
        };
        let found = groups.iter().enumerate().find_map(|(at, group)| Some((at, kind(group)?)));
        match found {
            Some((at, kind)) => {
                groups[at].kind = kind;
                groups[at].tables.push(table);
            }
            None => {
                let same = |group: &Group| {
                    let known: BTreeSet<&String> = group.tables.iter().flat_map(|table| &table.found.items).collect();
                    let shared = table.found.items.iter().filter(|item| known.contains(item)).count();
                    2 * shared > known.len().max(table.found.items.len())
                };
                let asked_in = groups.iter().position(same);
                let name = stem(&table.path).to_owned();
                groups.push(Group { tables: vec![table], name, asked_in, how: Vec::new(), kind: Kind::Configurations });
            }
        }
    }
    groups.iter_mut().for_each(Group::explain);
    groups
}

impl Group {
    fn explain(&mut self) {
        let count = self.tables.len();
        if count < 2 {
            return;
        }
        let first = &self.tables[0].path;
        self.how.push(match self.kind {
            Kind::Configurations => format!("{count} tables ask the same problems, {first} first: one experiment"),
            Kind::Runs => format!("{count} tables are runs by their names, {first} first"),
            Kind::Parts => {
                format!("{count} tables are parts of one: their names differ in numbers only, {first} first")
            }
        });
    }

    /// Configuration and run of each file, where the file does not name them itself.
    pub(super) fn arms(&self) -> Vec<(Option<String>, Option<u32>)> {
        let paths: Vec<&str> = self.tables.iter().map(|table| table.path.as_str()).collect();
        let single = self.tables[0].is_single();
        match self.kind {
            _ if !single && self.kind != Kind::Runs => vec![(None, None); paths.len()],
            Kind::Configurations if paths.len() > 1 => {
                names::arms(&paths).into_iter().map(|arm| (Some(arm), None)).collect()
            }
            Kind::Configurations | Kind::Parts => vec![(Some(self.name.clone()), None); paths.len()],
            Kind::Runs => {
                let runs: Vec<(String, u64)> = paths.iter().filter_map(|path| run_of(path)).collect();
                let mut ranks: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
                for (base, run) in &runs {
                    ranks.entry(base).or_default().insert(*run);
                }
                let rank = |(base, run): &(String, u64)| {
                    ranks.get(base.as_str()).map_or(0, |all| all.iter().take_while(|other| *other < run).count())
                };
                let named = |base: &str| if base.is_empty() { self.name.clone() } else { base.to_owned() };
                runs.iter().map(|run| (single.then(|| named(&run.0)), Some(rank(run) as u32 + 1))).collect()
            }
        }
    }

    /// Largest number of samples of a problem.
    pub(super) fn samples(&self) -> u32 {
        let most = |table: &Table| table.found.samples.values().copied().max().unwrap_or(1);
        let runs = self.arms().iter().filter_map(|(_, run)| *run).max();
        let most = self.tables.iter().map(most).max().unwrap_or(1);
        most.max(runs.unwrap_or(1)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_told_by_their_names() {
        assert_eq!(split_run("gpt-4_run2"), Some(("gpt-4", 2)));
        assert_eq!(split_run("seed-42"), Some(("", 42)));
        assert_eq!((split_run("gpt-4"), split_run("overrun2")), (None, None));
        assert_eq!(run_of("claude/run1.csv"), Some(("claude".to_owned(), 1)));
        assert_eq!(run_of("x/claude/seed_7/results.csv"), Some(("claude".to_owned(), 7)));
    }
}
