//! The trap gap, families, capture, and the atlas.

use serde::Serialize;

use crate::archive::State;
use crate::figures::{self, Atlas, Mark};
use crate::number;
use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::{outcomes, plots};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page.
pub(crate) struct Traps;

/// Tables that belong here.
const STATISTICS: &[&str] = &[
    "trap-gap",
    "trap-accuracy",
    "trap-control",
    "trap-family-pool",
    "trap-family-matrix",
    "trap-capture",
    "trap-separation",
];

#[derive(Serialize)]
struct Context {
    summary: Option<Sheet>,
    figure: Option<plots::Plot>,
    list: Option<Sheet>,
    tables: Vec<Sheet>,
}

impl Page for Traps {
    fn template(&self) -> (&'static str, &'static str) {
        ("traps.html", include_str!("../templates/traps.html"))
    }

    fn section(&self) -> &'static str {
        "traps/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Traps"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.input.corpus.sets.iter().flat_map(|set| &set.problems).any(|problem| problem.shortcut.is_some())
            || view.has_tables_of(STATISTICS)
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let grid = view.grid_of("traps", "code");
        let figure = grid.and_then(|grid| atlas(view, grid));
        let figures = plots::files(figure.iter());
        let context = Context {
            summary: grid.map(|grid| summary(view, grid)),
            figure,
            list: grid.and_then(|grid| list(view, grid)),
            tables: view.tables_of(STATISTICS),
        };
        let summary = "Problems with a planted shortcut: who falls for it, in which family, and how often.";
        Ok(Body { title: "Traps".into(), summary: summary.into(), values: Values::of(&context), figures })
    }
}

/// Rows with at least one run, in display order.
fn rows<'g, 'a>(view: &View<'a>, grid: &'g Grid<'a>) -> Vec<&'g GridRow<'a>> {
    view.order.iter().filter_map(|c| grid.row(c.key.as_str())).filter(|row| row.present() > 0).collect()
}

fn summary(view: &View<'_>, grid: &Grid<'_>) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::num("Traps solved", "% ± sd"),
        Head::num("Parents solved", "%").explained("Accuracy on the problems the traps were derived from"),
        Head::num("Trap gap", "points")
            .explained("Share of traps failed among those whose parent passed in the same run, mean over runs"),
        Head::num("Captured runs", "of failed").explained("Failed runs that return the planted shortcut's values"),
    ];
    let mut sheet = Sheet::new("trap-summary", "Traps by configuration", heads);
    let capture = view.input.study.grading.capture;
    for row in rows(view, grid) {
        let configuration = row.configuration;
        let model = [("model", configuration.key.as_str())];
        let solved = match view.headline(grid, configuration) {
            Some(h) => Cell::number(h.mean, number::fixed(h.mean, 1))
                .aside(h.sd.map_or(String::new(), |sd| format!("± {}", number::fixed(sd, 1)))),
            None => view.cell("trap-accuracy", "mean", &model, 1),
        };
        let (mut captured, mut failed) = (0, 0);
        for record in row.runs.iter().flatten().flat_map(|run| &run.records).filter(|r| r.state() == State::Fail) {
            failed += 1;
            let trap = grid.set.and_then(|set| set.get(record.id.as_str())).and_then(|p| p.shortcut.as_ref());
            captured += usize::from(trap.is_some_and(|trap| outcomes::captured(record, trap, capture)));
        }
        sheet.push(vec![
            Cell::link(configuration.name.clone(), routes::configuration(configuration.key.as_str())),
            solved,
            view.cell("trap-control", "mean", &model, 1),
            view.cell("trap-gap", "gap", &model, 1),
            Cell::count(captured).aside(format!("of {failed}")),
        ]);
    }
    let source = Source::of_statistics(view, &["trap-accuracy", "trap-control", "trap-gap", "trap-capture"]);
    sheet.sourced(view.with_runs(source, grid))
}

fn atlas(view: &View<'_>, grid: &Grid<'_>) -> Option<plots::Plot> {
    let set = grid.set?;
    let rows = rows(view, grid);
    if rows.is_empty() {
        return None;
    }
    let capture = view.input.study.grading.capture;
    let mut groups: Vec<(String, Vec<(String, Vec<Vec<Mark>>)>)> = Vec::new();
    let mut problems: Vec<_> = set.problems.iter().filter_map(|p| Some((p.shortcut.as_ref()?, p))).collect();
    problems.sort_by(|a, b| (&a.0.family, &a.1.id).cmp(&(&b.0.family, &b.1.id)));
    for (trap, problem) in problems {
        let mark = |record: Option<&crate::archive::Record>| match record.map(|r| (r, r.state())) {
            None | Some((_, State::Excluded)) => Mark::Absent,
            Some((_, State::Pass)) => Mark::Solved,
            Some((record, State::Fail)) if outcomes::captured(record, trap, capture) => Mark::Captured,
            Some((_, State::Fail)) => Mark::Failed,
        };
        let marks = rows.iter().map(|row| row.records(problem.id.as_str()).map(mark).collect()).collect();
        let name = problem.id.as_str().trim_start_matches("trap_").trim_end_matches("_gen").to_owned();
        match groups.last_mut().filter(|(family, _)| **family == *trap.family) {
            Some((_, traps)) => traps.push((name, marks)),
            None => groups.push((trap.family.to_string(), vec![(name, marks)])),
        }
    }
    let columns = rows.iter().map(|row| row.configuration.name.clone()).collect();
    let drawing = figures::atlas("trap-atlas", "Trap atlas", &Atlas { columns, groups });
    let caption = "Every trap by configuration and run, in families; one mark per run.";
    let source = Source::of_statistics(view, &["trap-capture"]).with_file("table", "traps/index.html#trap-list");
    Some(plots::Plot::new(view, drawing, caption, view.with_runs(source, grid)))
}

fn list(view: &View<'_>, grid: &Grid<'_>) -> Option<Sheet> {
    let set = grid.set?;
    let heads = vec![
        Head::text("Trap"),
        Head::text("Family"),
        Head::text("Parent"),
        Head::num("Separation", "%").explained("Distance of the shortcut's value from the answer"),
        Head::num("Solved", "runs"),
        Head::num("Captured", "runs"),
        Head::text("Shortcut"),
    ];
    let mut sheet = Sheet::new("trap-list", "Every trap beside its parent", heads);
    sheet.filter = true;
    let capture = view.input.study.grading.capture;
    for problem in &set.problems {
        let Some(trap) = &problem.shortcut else { continue };
        let id = problem.id.as_str();
        let records =
            || grid.rows.iter().flat_map(|row| row.records(id).flatten()).filter(|r| r.state() != State::Excluded);
        let counted = records().count();
        let parent = problem
            .parent
            .as_ref()
            .and_then(|parent| view.problem_named(set.parents.as_ref().map(crate::id::SetId::as_str), parent.as_str()));
        sheet.push_named(
            routes::anchor(id),
            vec![
                Cell::link(id, format!("{}#shortcut", routes::problem(set.id.as_str(), id))),
                Cell::text(trap.family.replace('_', " ")),
                parent.map_or(Cell::missing("parent is not in the archive"), |(set, id)| {
                    Cell::link(id, routes::problem(set, id))
                }),
                trap.separation
                    .map_or(Cell::missing("not stored"), |s| Cell::number(100.0 * s, number::fixed(100.0 * s, 1))),
                Cell::count(records().filter(|r| r.state() == State::Pass).count()).aside(format!("of {counted}")),
                Cell::count(records().filter(|r| outcomes::captured(r, trap, capture)).count()),
                Cell::text(trap.words.clone()),
            ],
        );
    }
    Some(sheet.sourced(view.with_runs(Source::of_statistics(view, &["trap-capture", "trap-separation"]), grid)))
}
