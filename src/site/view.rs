//! What all pages share, derived once from the input: grids of outcomes, display order, roles of the
//! experiments, typeset statements. No page changes it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::grid::{Grid, GridRow};
use super::input::{Options, SiteInput, Transcripts};
use super::sheet::{Cell, Link, Sheet};
use super::statement::{self, Statement};
use super::verdicts::Verdicts;
use super::{lookup::Lookup, routes};
use crate::archive::{Record, RunKey, Transcript};
use crate::corpus::{Problem, Set};
use crate::number;
use crate::report::Finding;
use crate::statistics::tally::Board;
use crate::statistics::{Estimate, Evidence};
use crate::study::{Configuration, Experiment};
use crate::table::Table;

/// Shared, read-only state of one rendering.
pub(crate) struct View<'a> {
    /// The input.
    pub input: &'a SiteInput<'a>,
    /// Choices of the caller.
    pub options: Options,
    /// Grids in declared order of the experiments.
    pub grids: Vec<Grid<'a>>,
    /// Configurations in display order: best first on the main experiment, the others as declared.
    pub order: Vec<&'a Configuration>,
    /// Look-ups in the facts.
    pub lookup: Lookup<'a>,
    /// Typeset statements by set position and problem position.
    statements: Vec<Vec<Statement>>,
    /// Children by parent set and parent id, as set position and problem position.
    children: BTreeMap<(&'a str, &'a str), Vec<(usize, usize)>>,
    /// Transcripts by experiment, configuration and problem.
    transcripts: Selected<'a>,
    /// Problem pages: address and position.
    problems: BTreeMap<String, (usize, usize)>,
    /// Rows of the ledger by what they are about.
    pub verdicts: Verdicts<'a>,
    /// Pages of facts by fragment identifier.
    facts: super::pages::FactPages,
    /// Claims that have a page of their own.
    pub apart: super::pages::Apart<'a>,
    /// Published tables that claims rest on.
    pub published: super::pages::published::PublishedTables<'a>,
    /// Run record pages that exist: address, and grid, row, problem id.
    records: BTreeMap<String, (usize, usize, &'a str)>,
}

impl<'a> View<'a> {
    /// Derives everything; also says which formulas had to stay source.
    pub(crate) fn new(input: &'a SiteInput<'a>, options: Options) -> (Self, Vec<Finding>) {
        let mut findings = Vec::new();
        let statements = input
            .corpus
            .sets
            .iter()
            .map(|set| {
                let typeset: Vec<Statement> =
                    set.problems.par_iter().map(|p| statement::typeset(&p.statement)).collect();
                findings.extend(typeset.iter().zip(&set.problems).filter_map(|(s, p)| s.finding(&set.path, &p.id)));
                typeset
            })
            .collect();
        let transcripts = transcripts(input);
        let boards = boards(input);
        let grids: Vec<Grid<'a>> = boards.into_iter().map(|board| grid(input, &transcripts, board)).collect();
        let lookup = Lookup::new(input.facts);
        let order = display_order(input, &grids, lookup);
        let mut view = Self {
            input,
            options,
            order,
            lookup,
            statements,
            children: children(input),
            transcripts,
            problems: problem_pages(input),
            verdicts: Verdicts::new(input.ledger),
            facts: super::pages::FactPages::of(input.facts),
            apart: input.judgements.map(super::pages::apart).unwrap_or_default(),
            published: super::pages::published::published(input),
            records: BTreeMap::new(),
            grids,
        };
        view.records = view.record_pages();
        (view, findings)
    }

    /// True when the study has problems, configurations or runs. One that consists of declared files and printed
    /// numbers has none, and no page about them.
    pub(crate) fn asks_models(&self) -> bool {
        let input = self.input;
        !input.corpus.sets.is_empty() || !input.archive.runs.is_empty() || !input.study.configurations.is_empty()
    }

    /// Run record pages to make.
    fn record_pages(&self) -> BTreeMap<String, (usize, usize, &'a str)> {
        let mut pages = BTreeMap::new();
        if self.options.transcripts == Transcripts::None {
            return pages;
        }
        for (g, grid) in self.grids.iter().enumerate() {
            for (r, row) in grid.rows.iter().enumerate() {
                let (experiment, key) = (grid.experiment.id.as_str(), row.configuration.key.as_str());
                let mut ids: BTreeSet<&'a str> =
                    row.runs.iter().flatten().flat_map(|run| run.records.iter().map(|r| r.id.as_str())).collect();
                ids.extend(self.transcripts.keys().filter(|k| k.0 == experiment && k.1 == key).map(|k| k.2));
                for id in ids.into_iter().filter(|id| self.has_page(grid, row, id)) {
                    pages.insert(routes::record(experiment, key, id), (g, r, id));
                }
            }
        }
        pages
    }

    fn has_page(&self, grid: &Grid<'a>, row: &GridRow<'a>, id: &str) -> bool {
        let selected = self.selected(grid.experiment.id.as_str(), row.configuration.key.as_str(), id);
        let records = || row.records(id).flatten().chain(selected.iter().map(|t| &t.record));
        let texts = || {
            row.runs
                .iter()
                .flatten()
                .any(|run| run.get(id).is_some_and(|record| self.input.texts.texts(&run.key, &record.id).is_some()))
        };
        let wanted =
            self.options.transcripts == Transcripts::All || records().any(|record| record.passed != Some(true));
        wanted && (!selected.is_empty() || records().any(tells_more) || texts())
    }

    /// Transcripts of one configuration on one problem.
    fn selected<'s>(&'s self, experiment: &'s str, configuration: &'s str, id: &'s str) -> &'s [&'a Transcript] {
        self.transcripts.get(&(experiment, configuration, id)).map_or(&[], Vec::as_slice)
    }

    /// The transcript of one run, when it was selected.
    pub(crate) fn transcript(&self, key: &RunKey, id: &str) -> Option<&'a Transcript> {
        let selected = self.selected(key.experiment.as_str(), key.configuration.as_str(), id);
        selected.iter().copied().find(|transcript| transcript.key == *key)
    }

    /// Links to the selected records of a configuration, with their experiment.
    pub(crate) fn transcripts_of(&self, configuration: &str) -> Vec<(Link, String)> {
        let mut links = Vec::new();
        for (experiment, _, id) in self.transcripts.keys().filter(|key| key.1 == configuration) {
            let href = routes::record(experiment, configuration, id);
            if self.records.contains_key(&href) {
                links.push((Link::new(*id, href), (*experiment).to_owned()));
            }
        }
        links
    }

    /// Addresses of run record pages.
    pub(crate) fn record_paths(&self) -> impl Iterator<Item = &str> {
        self.records.keys().map(String::as_str)
    }

    /// What the run record page at an address shows.
    pub(crate) fn record_at(&self, path: &str) -> Option<(&Grid<'a>, &GridRow<'a>, &'a str)> {
        let (grid, row, id) = *self.records.get(path)?;
        Some((&self.grids[grid], &self.grids[grid].rows[row], id))
    }

    /// Address of a record's own page, when it has one.
    pub(crate) fn own_page(&self, grid: &Grid<'_>, configuration: &str, id: &str) -> Option<String> {
        let own = routes::record(grid.experiment.id.as_str(), configuration, id);
        self.records.contains_key(&own).then_some(own)
    }

    /// Address of the page that shows a record best: its own, or the row on the problem's page.
    pub(crate) fn record_href(&self, grid: &Grid<'_>, configuration: &str, id: &str) -> String {
        self.own_page(grid, configuration, id).unwrap_or_else(|| {
            let anchor = routes::anchor(&format!("{} {configuration}", grid.experiment.id));
            format!("{}#{anchor}", routes::problem(grid.experiment.set.as_str(), id))
        })
    }

    /// A computed value as a cell that leads to its row on the page of its statistic.
    pub(crate) fn cell(&self, statistic: &str, measure: &str, keys: &[(&str, &str)], decimals: usize) -> Cell {
        let cell = self.lookup.cell(statistic, measure, keys, decimals);
        self.to_fact(cell, statistic, measure, keys)
    }

    /// The same cell, leading to the row of a fact where there is one.
    pub(crate) fn to_fact(&self, cell: Cell, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Cell {
        // A dash says why in its title; a link on it would promise a number.
        let Some(fact) = self.lookup.fact(statistic, measure, keys).filter(|_| cell.class != "none") else {
            return cell;
        };
        let cell = cell.to(self.fact_href(fact.statistic, fact.measure, &fact.keys));
        // The address names the fact already.
        Cell { fact: String::new(), ..cell }
    }

    /// A computed count with its total, leading to its row; only the fact with exactly these keys is meant.
    pub(crate) fn count_cell(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Cell {
        let cell = self.cell(statistic, measure, keys, 0);
        match self.input.facts.get(statistic, measure, keys).map(|fact| &fact.estimate) {
            Some(Estimate::Value { count: Some((_, n)), .. }) => cell.aside(format!("of {}", number::grouped(*n))),
            _ => cell,
        }
    }

    /// The count behind a computed share, leading to its row.
    pub(crate) fn numerator_cell(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Cell {
        match self.lookup.fact(statistic, measure, keys).map(|fact| &fact.estimate) {
            Some(Estimate::Value { count: Some((k, n)), .. }) => {
                let cell = Cell::count(*k as usize).aside(format!("of {}", number::grouped(*n)));
                self.to_fact(cell, statistic, measure, keys)
            }
            Some(Estimate::Undefined(reason)) => Cell::missing(format!("undefined: {reason}")),
            _ => Cell::missing("no count is kept of it"),
        }
    }

    /// A computed difference with its sign, leading to its row.
    pub(crate) fn signed_cell(&self, statistic: &str, measure: &str, keys: &[(&str, &str)], decimals: usize) -> Cell {
        match self.lookup.point(statistic, measure, keys) {
            Some(value) => {
                let cell = Cell::number(value, super::sheet::signed(value, decimals));
                self.to_fact(cell, statistic, measure, keys)
            }
            None => self.lookup.cell(statistic, measure, keys, decimals),
        }
    }

    /// A computed P with two digits, leading to its row.
    pub(crate) fn p_cell(&self, statistic: &str, measure: &str, keys: &[(&str, &str)]) -> Cell {
        match self.lookup.point(statistic, measure, keys) {
            Some(p) => self.to_fact(Cell::number(p, super::sheet::p_text(p)), statistic, measure, keys),
            None => self.lookup.cell(statistic, measure, keys, 2),
        }
    }

    /// The ends of the interval of a computed value, leading to its row.
    pub(crate) fn interval_cell(
        &self,
        statistic: &str,
        measure: &str,
        keys: &[(&str, &str)],
        shown: impl Fn(f64) -> String,
    ) -> Cell {
        match self.lookup.interval(statistic, measure, keys) {
            Some((low, high)) => {
                let cell = Cell::number(low, format!("{} to {}", shown(low), shown(high)));
                self.to_fact(cell, statistic, measure, keys)
            }
            None => Cell::missing("no interval"),
        }
    }

    /// Address of a fact: its row on the page of its statistic.
    pub(crate) fn fact_href(&self, statistic: &str, measure: &str, keys: &crate::statistics::Keys) -> String {
        self.facts.href(statistic, measure, keys)
    }

    /// Number of pages that the values of a statistic fill.
    pub(crate) fn pages_of(&self, statistic: &str) -> usize {
        self.facts.pages(statistic)
    }

    /// Addresses of problem pages.
    pub(crate) fn problem_paths(&self) -> impl Iterator<Item = &str> {
        self.problems.keys().map(String::as_str)
    }

    /// Position of the problem whose page is at an address.
    pub(crate) fn problem_at(&self, path: &str) -> Option<(usize, usize)> {
        self.problems.get(path).copied()
    }

    /// First experiment of a set kind and protocol without a special condition.
    pub(crate) fn grid_of(&self, kind: &str, protocol: &str) -> Option<&Grid<'a>> {
        let of_kind =
            |grid: &&Grid<'_>| self.input.study.set(grid.experiment.set.as_str()).is_some_and(|s| s.kind() == kind);
        let fits = |grid: &&Grid<'_>| grid.experiment.protocol() == protocol && grid.experiment.condition.is_none();
        self.grids.iter().filter(of_kind).find(fits)
    }

    /// The grid of an experiment.
    pub(crate) fn grid(&self, experiment: &Experiment) -> Option<&Grid<'a>> {
        self.grids.iter().find(|grid| grid.experiment.id == experiment.id)
    }

    /// The experiment of the leaderboard; without one, the first with runs.
    pub(crate) fn main(&self) -> Option<&Grid<'a>> {
        self.input
            .study
            .main_experiment()
            .and_then(|main| self.grid(main))
            .or_else(|| self.grids.iter().find(|grid| grid.is_present()))
    }

    /// Typeset statement of a problem.
    pub(crate) fn statement(&self, set: usize, problem: usize) -> &Statement {
        &self.statements[set][problem]
    }

    /// Problems derived from a problem.
    pub(crate) fn children<'s>(&'s self, set: &'s str, id: &'s str) -> &'s [(usize, usize)] {
        self.children.get(&(set, id)).map_or(&[], Vec::as_slice)
    }

    /// Set and problem at a position.
    pub(crate) fn at(&self, (set, problem): (usize, usize)) -> (&'a Set, &'a Problem) {
        let set = &self.input.corpus.sets[set];
        (set, &set.problems[problem])
    }

    /// Position of a problem by set and id.
    pub(crate) fn position(&self, set: &str, id: &str) -> Option<(usize, usize)> {
        let s = self.input.corpus.sets.iter().position(|candidate| candidate.id.as_str() == set)?;
        Some((s, self.input.corpus.sets[s].position(id)?))
    }

    /// Name of a configuration on pages; the key itself when it is not declared.
    pub(crate) fn name<'s>(&'s self, key: &'s str) -> &'s str {
        self.configuration(key).map_or(key, |configuration| &configuration.name)
    }

    /// Configuration by key, name or alias.
    pub(crate) fn configuration(&self, key: &str) -> Option<&'a Configuration> {
        self.input.study.configuration_named(key)
    }

    /// Set and problem by id, in a named set or the first set that has it.
    pub(crate) fn problem_named(&self, set: Option<&str>, id: &str) -> Option<(&'a str, &'a str)> {
        let mut sets = self.input.corpus.sets.iter().filter(|s| set.is_none_or(|set| s.id.as_str() == set));
        sets.find_map(|s| Some((s.id.as_str(), s.get(id)?.id.as_str())))
    }

    /// Recomputed tables that rest on any of these statistics first of all.
    pub(crate) fn tables_of(&self, statistics: &[&str]) -> Vec<Sheet> {
        let belongs = |table: &&Table| table.statistics.first().is_some_and(|first| statistics.contains(first));
        // A larger table is described on the page of all tables and stands in the data files.
        let short = |table: &&Table| !table.rows.is_empty() && table.rows.len() * table.columns.len() <= 4000;
        self.input.tables.iter().filter(belongs).filter(short).map(|table| Sheet::of_table(self, table)).collect()
    }

    /// True when a recomputed table with rows rests on any of these statistics first of all.
    pub(crate) fn has_tables_of(&self, statistics: &[&str]) -> bool {
        let belongs = |table: &Table| table.statistics.first().is_some_and(|first| statistics.contains(first));
        self.input.tables.iter().any(|table| belongs(table) && !table.rows.is_empty())
    }

    /// Tokens per run of a configuration.
    pub(crate) fn tokens(&self, keys: &[(&str, &str)]) -> Option<f64> {
        self.lookup.point("tokens-run-mean", "total", keys)
    }
}

/// True when a record holds anything beyond its verdict.
fn tells_more(record: &Record) -> bool {
    record.details.is_some() || record.attempts.is_some() || record.error.is_some() || record.failed_reason.is_some()
}

type Selected<'a> = BTreeMap<(&'a str, &'a str, &'a str), Vec<&'a Transcript>>;

fn transcripts<'a>(input: &'a SiteInput<'a>) -> Selected<'a> {
    let mut transcripts: Selected<'a> = BTreeMap::new();
    for transcript in &input.archive.transcripts {
        let key = &transcript.key;
        let key = (key.experiment.as_str(), key.configuration.as_str(), transcript.record.id.as_str());
        transcripts.entry(key).or_default().push(transcript);
    }
    transcripts
}

/// Of duplicate ids in a set, the first has the page.
fn problem_pages(input: &SiteInput<'_>) -> BTreeMap<String, (usize, usize)> {
    let mut pages = BTreeMap::new();
    for (s, set) in input.corpus.sets.iter().enumerate() {
        for (p, problem) in set.problems.iter().enumerate() {
            pages.entry(routes::problem(set.id.as_str(), problem.id.as_str())).or_insert((s, p));
        }
    }
    pages
}

/// The boards of all experiments, laid out by the statistics.
fn boards<'a>(input: &'a SiteInput<'a>) -> Vec<Board<'a>> {
    static NOTHING: BTreeMap<String, String> = BTreeMap::new();
    let (study, corpus, archive, ledger) = (input.study, input.corpus, input.archive, input.ledger);
    let evidence = Evidence { study, corpus, archive, readings: &[], ledger, published: &NOTHING, boards: None };
    study.experiments.par_iter().map(|experiment| evidence.board(experiment)).collect()
}

fn grid<'a>(input: &'a SiteInput<'a>, transcripts: &Selected<'a>, board: Board<'a>) -> Grid<'a> {
    let (study, experiment) = (input.study, board.experiment);
    let at = Arc::new(board.problems.iter().enumerate().map(|(at, &id)| (id, at)).collect());
    let mut tallies = board.tallies;
    let expected = |c: &&Configuration| study.expects(experiment, c);
    let found = |c: &&Configuration| {
        let selected = transcripts.keys().any(|key| key.0 == experiment.id.as_str() && key.1 == c.key.as_str());
        selected || input.archive.runs_of(experiment.id.as_str(), c.key.as_str()).next().is_some()
    };
    let rows = study.configurations.iter().filter(|c| expected(c) || found(c)).map(|configuration| {
        let runs: Vec<_> = input.archive.runs_of(experiment.id.as_str(), configuration.key.as_str()).collect();
        let selected = transcripts
            .iter()
            .filter(|(key, _)| key.0 == experiment.id.as_str() && key.1 == configuration.key.as_str());
        let numbers =
            selected.flat_map(|(_, list)| list.iter().map(|t| t.key.run)).chain(runs.iter().map(|run| run.key.run));
        // A run number is data: an absurd one must not make an absurd table.
        let last = numbers.filter(|number| *number <= 1000).max().unwrap_or(0).max(experiment.runs);
        let runs = (1..=last).map(|number| runs.iter().copied().find(|run| run.key.run == number)).collect();
        GridRow {
            configuration,
            runs,
            tally: tallies.iter().position(|t| t.key == configuration.key.as_str()).map(|at| tallies.swap_remove(at)),
            at: Arc::clone(&at),
        }
    });
    Grid { experiment, set: input.corpus.set(experiment.set.as_str()), rows: rows.collect() }
}

/// Configurations as the main board has them: by rank, then the others of the leaderboard, then those off it by
/// their mean; without a value last, equal ones as declared. All of it is read off facts.
fn display_order<'a>(input: &'a SiteInput<'a>, grids: &[Grid<'a>], lookup: Lookup<'a>) -> Vec<&'a Configuration> {
    let mut order: Vec<&Configuration> = input.study.configurations.iter().collect();
    let main = input.study.main_experiment();
    let main = grids.iter().find(|grid| main.is_some_and(|main| main.id == grid.experiment.id));
    let value = |configuration: &Configuration, measure: &str| {
        let experiment = main?.experiment;
        let keys = keys_of(experiment, configuration);
        lookup.point("accuracy-mean-sd", measure, &keys)
    };
    order.sort_by_cached_key(|configuration| {
        let rank = value(configuration, "rank").map_or(u64::MAX, |rank| rank as u64);
        // On the grid on which the ranks are equal; negative so that the larger mean comes first.
        let mean = value(configuration, "mean").map_or(i64::MAX, |mean| -(mean * 1e9).round() as i64);
        (!configuration.leaderboard, rank, mean)
    });
    order
}

/// Keys under which facts of an experiment and configuration are filed.
pub(super) fn keys_of<'k>(experiment: &'k Experiment, configuration: &'k Configuration) -> Vec<(&'k str, &'k str)> {
    let mut keys = vec![("model", configuration.key.as_str()), ("set", experiment.set.as_str())];
    keys.extend(experiment.distinguishing());
    keys
}

fn children<'a>(input: &'a SiteInput<'a>) -> BTreeMap<(&'a str, &'a str), Vec<(usize, usize)>> {
    let mut children: BTreeMap<(&str, &str), Vec<(usize, usize)>> = BTreeMap::new();
    for (s, set) in input.corpus.sets.iter().enumerate() {
        let Some(parents) = &set.parents else { continue };
        for (p, problem) in set.problems.iter().enumerate() {
            if let Some(parent) = &problem.parent {
                children.entry((parents.as_str(), parent.as_str())).or_default().push((s, p));
            }
        }
    }
    children
}
