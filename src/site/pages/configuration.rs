//! Everything of one configuration.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::archive::{Gradability, Record, State};
use crate::corpus::Problem;
use crate::number;
use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::study::Configuration;

/// The pages.
pub(crate) struct ConfigurationPage;

#[derive(Serialize)]
struct Context {
    model: String,
    setting: String,
    key: String,
    lower_bound: bool,
    leaderboard: bool,
    twin: Option<Link>,
    printed: Option<String>,
    runs: Sheet,
    kinds: Option<Sheet>,
    categories: Option<Sheet>,
    failures: Vec<Sheet>,
    transcripts: Vec<(Link, String)>,
}

impl Page for ConfigurationPage {
    fn template(&self) -> (&'static str, &'static str) {
        ("configuration.html", include_str!("../../../templates/configuration.html"))
    }

    fn section(&self) -> &'static str {
        "configs/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        view.input.study.configurations.iter().map(|c| routes::configuration(c.key.as_str())).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let mut all = view.input.study.configurations.iter();
        let found = all.find(|c| routes::configuration(c.key.as_str()) == at.path);
        let configuration = found.ok_or_else(|| SiteError::NoSuchPage(at.path.to_owned()))?;
        let grids: Vec<(&Grid<'_>, &GridRow<'_>)> = view
            .grids
            .iter()
            .filter_map(|grid| Some((grid, grid.row(configuration.key.as_str()).filter(|row| row.present() > 0)?)))
            .collect();
        let context = Context {
            model: configuration.backbone.clone(),
            setting: configuration.setting().to_owned(),
            key: configuration.key.to_string(),
            lower_bound: configuration.tokens_are_lower_bound,
            leaderboard: configuration.leaderboard,
            twin: view
                .input
                .study
                .twin(configuration)
                .map(|c| Link::new(c.name.clone(), routes::configuration(c.key.as_str()))),
            printed: view.main().and_then(|grid| view.headline(grid, configuration)).map(|h| h.printed()),
            runs: runs(view, configuration, &grids),
            kinds: (!grids.is_empty()).then(|| kinds(view, &grids)),
            categories: view.main().and_then(|grid| categories(view, grid, configuration)),
            failures: grids.iter().filter_map(|(grid, row)| failures(view, grid, row)).collect(),
            transcripts: view.transcripts_of(configuration.key.as_str()),
        };
        let summary =
            format!("Everything recorded of {}: runs, failures by kind and category, records.", configuration.name);
        Ok(Body { title: configuration.name.clone(), summary, values: Values::of(&context), figures: vec![] })
    }
}

fn runs(view: &View<'_>, configuration: &Configuration, grids: &[(&Grid<'_>, &GridRow<'_>)]) -> Sheet {
    let heads = vec![
        Head::text("Experiment"),
        Head::num("Run", ""),
        Head::num("Passed", "of counted"),
        Head::num("Accuracy", "%"),
        Head::num("Not counted", ""),
        Head::text("File"),
        Head::text("SHA-256"),
    ];
    let mut sheet = Sheet::new("runs", format!("Runs of {}", configuration.name), heads);
    for (grid, row) in grids {
        for (position, run) in row.runs.iter().enumerate() {
            let mut cells = vec![Cell::text(grid.experiment.id.as_str()), Cell::count(position + 1)];
            match run {
                Some(run) => {
                    let number = run.key.run.to_string();
                    let keys = view.keys_of_run(grid, configuration, &number);
                    let cell = |measure, decimals| view.lookup.cell("accuracy-run", measure, &keys, decimals);
                    let of = row.counts(run.key.run).map_or(String::new(), |counts| format!("of {}", counts.graded()));
                    let passed = match cell("passed", 0) {
                        passed if passed.class == "none" => passed,
                        passed => to_failures(passed, grid, row).aside(of),
                    };
                    let share = match cell("percent", 1) {
                        share if share.class == "none" => share,
                        share => to_failures(share, grid, row),
                    };
                    cells.extend([
                        passed,
                        share,
                        view.cell("accuracy-run", "excluded", &keys, 0),
                        Cell::text(run.path.clone()).classed("mono"),
                        Cell::text(run.digest.short(12)).classed("mono").explained(run.digest.to_string()),
                    ]);
                }
                None => cells.extend((0..5).map(|_| Cell::missing("this run is not in the archive"))),
            }
            sheet.push(cells);
        }
    }
    sheet.sourced(Source::of_statistics(view, &["accuracy-run"]))
}

/// The cell, leading to the problems that failed in an experiment, or to all its problems where none did.
fn to_failures(cell: Cell, grid: &Grid<'_>, row: &GridRow<'_>) -> Cell {
    let Some(set) = grid.set else { return cell };
    let failed = set.problems.iter().map(|problem| row.outcome(problem.id.as_str())).any(|o| o.counted > o.passed);
    let page = routes::configuration(row.configuration.key.as_str());
    if failed {
        cell.to(format!("{page}#{}", failures_id(grid)))
    } else {
        cell.to(routes::problem_set(set.id.as_str()))
    }
}

fn failures_id(grid: &Grid<'_>) -> String {
    routes::anchor(&format!("failed {}", grid.experiment.id))
}

/// Kind of a failed record.
fn kind(record: &Record, problem: Option<&Problem>, capture: f64) -> &'static str {
    if problem.and_then(|p| p.shortcut.as_ref()).is_some_and(|way| super::outcomes::captured(record, way, capture)) {
        return "took the planted shortcut";
    }
    match record.gradability() {
        Gradability::Graded => "wrong answer",
        Gradability::Ungradable => "no gradable answer",
        Gradability::Unknown => "failed, only the verdict is archived",
    }
}

fn kinds(view: &View<'_>, grids: &[(&Grid<'_>, &GridRow<'_>)]) -> Sheet {
    let capture = view.input.study.grading.capture;
    let heads = vec![Head::text("Experiment"), Head::text("Outcome"), Head::num("Records", "")];
    let mut sheet = Sheet::new("kinds", "Outcomes by kind, over all runs", heads);
    for (grid, row) in grids {
        let mut counts: BTreeMap<(u8, &str), usize> = BTreeMap::new();
        for record in row.runs.iter().flatten().flat_map(|run| &run.records) {
            let problem = grid.set.and_then(|set| set.get(record.id.as_str()));
            let key = match record.state() {
                State::Pass => (0, "passed"),
                State::Fail => (1, kind(record, problem, capture)),
                State::Excluded => (2, "infrastructure error, not counted"),
            };
            *counts.entry(key).or_default() += 1;
        }
        for ((order, name), count) in counts {
            let records = Cell::count(count);
            let records = if order == 1 { to_failures(records, grid, row) } else { records };
            sheet.push(vec![Cell::text(grid.experiment.id.as_str()), Cell::text(name), records]);
        }
    }
    sheet
}

fn categories(view: &View<'_>, grid: &Grid<'_>, configuration: &Configuration) -> Option<Sheet> {
    let row = grid.row(configuration.key.as_str()).filter(|row| row.present() > 0)?;
    let categories = view.categories(grid);
    if categories.is_empty() {
        return None;
    }
    let heads = vec![
        Head::text("Category"),
        Head::num("Problems", ""),
        Head::num("Accuracy", "%"),
        Head::num("Failed runs", ""),
    ];
    let mut sheet = Sheet::new("categories", "By category", heads);
    for (category, ids) in categories {
        let failed: u32 = ids.iter().map(|id| row.outcome(id)).map(|o| o.counted - o.passed).sum();
        let accuracy = match view.category_mean(grid, row, category) {
            Some(mean) => Cell::number(mean, number::fixed(mean, 1)),
            None => Cell::missing("not computed"),
        };
        sheet.push(vec![
            Cell::link(category.replace('_', " "), format!("subfields/index.html#{}", routes::anchor(category))),
            Cell::count(ids.len()),
            view.to_fact(
                accuracy,
                "category-accuracy",
                "mean",
                &[("model", configuration.key.as_str()), ("category", category)],
            ),
            to_failures(Cell::count(failed as usize), grid, row),
        ]);
    }
    Some(sheet.sourced(Source::of_statistics(view, &["category-accuracy"])))
}

/// Problems that failed in at least one run, most failures first.
fn failures(view: &View<'_>, grid: &Grid<'_>, row: &GridRow<'_>) -> Option<Sheet> {
    let set = grid.set?;
    let capture = view.input.study.grading.capture;
    let mut failed: Vec<(u32, usize, &Problem)> = Vec::new();
    for (position, problem) in set.problems.iter().enumerate() {
        let outcome = row.outcome(problem.id.as_str());
        if outcome.counted > outcome.passed {
            failed.push((outcome.counted - outcome.passed, position, problem));
        }
    }
    if failed.is_empty() {
        return None;
    }
    failed.sort_by_key(|(count, position, _)| (std::cmp::Reverse(*count), *position));
    let heads = vec![
        Head::text("Problem"),
        Head::text("Category"),
        Head::text("Difficulty"),
        Head::num("Failed runs", ""),
        Head::text("How"),
    ];
    let caption = format!("Problems failed in {}: {}", grid.experiment.id, failed.len());
    let mut sheet = Sheet::new(failures_id(grid), caption, heads);
    sheet.filter = failed.len() > 20;
    for (count, _, problem) in failed {
        let id = problem.id.as_str();
        let mut how: Vec<&str> = row
            .records(id)
            .flatten()
            .filter(|record| record.state() == State::Fail)
            .map(|record| kind(record, Some(problem), capture))
            .collect();
        how.dedup();
        let text = |value: &Option<std::sync::Arc<str>>| {
            value.as_ref().map_or(Cell::missing("not stated"), |v| Cell::text(v.replace('_', " ")))
        };
        let counted = row.outcome(id).counted;
        sheet.push(vec![
            Cell::link(id, view.record_href(grid, row.configuration.key.as_str(), id)),
            text(&problem.category),
            text(&problem.difficulty),
            Cell::count(count as usize).aside(format!("of {counted}")),
            Cell::text(how.join(", ")),
        ]);
    }
    Some(sheet)
}
