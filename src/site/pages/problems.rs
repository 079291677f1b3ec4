//! Lists of problems: one page for all sets, one per set.

use serde::Serialize;

use crate::corpus::Set;
use crate::site::grid::Grid;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::study::Given;

/// The pages.
pub(crate) struct Problems;

const ALL: &str = "problems/index.html";

#[derive(Serialize)]
struct Context {
    sheet: Sheet,
    set: Option<String>,
    kind: String,
}

impl Page for Problems {
    fn template(&self) -> (&'static str, &'static str) {
        ("problems.html", include_str!("../../../templates/problems.html"))
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Browse, "Problems"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let sets = view.input.corpus.sets.iter().map(|set| routes::problem_set(set.id.as_str()));
        std::iter::once(ALL.to_owned()).chain(sets).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let set = view.input.corpus.sets.iter().find(|set| routes::problem_set(set.id.as_str()) == at.path);
        let context = Context {
            sheet: set.map_or_else(|| sets(view), |set| problems(view, set)),
            set: set.map(|set| set.title.clone()),
            kind: set.map_or_else(String::new, |set| kind_words(set.kind())),
        };
        let title = set.map_or("Problems".to_owned(), |set| set.title.clone());
        let summary = "Problems with their answers, solvers and outcomes.".to_owned();
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

fn sets(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Set"),
        Head::text("Kind"),
        Head::num("Problems", ""),
        Head::num("With solver", ""),
        Head::text("File"),
        Head::text("SHA-256"),
    ];
    let mut sheet = Sheet::new("sets", "Problem sets of this study", heads);
    for declared in &view.input.study.sets {
        match view.input.corpus.set(declared.id.as_str()) {
            Some(set) => sheet.push(vec![
                Cell::link(set.title.clone(), routes::problem_set(set.id.as_str())),
                Cell::text(kind_words(set.kind())),
                Cell::count(set.problems.len()),
                Cell::count(set.problems.iter().filter(|problem| problem.solver.is_some()).count()),
                Cell::text(set.path.clone()).classed("mono"),
                Cell::text(set.digest.short(12)).classed("mono"),
            ]),
            None => sheet.push(vec![
                Cell::text(declared.title.clone()),
                Cell::text(kind_words(declared.kind())),
                Cell::missing("the file is not in the archive"),
                Cell::missing("the file is not in the archive"),
                Cell::text(declared.path.clone()).classed("mono"),
                Cell::text("not in the archive"),
            ]),
        }
    }
    sheet
}

/// Grids that asked a set, with at least one run.
pub(crate) fn grids<'v, 'a>(view: &'v View<'a>, set: &Set) -> Vec<&'v Grid<'a>> {
    view.grids.iter().filter(|grid| grid.experiment.set == set.id && grid.is_present()).collect()
}

fn problems(view: &View<'_>, set: &Set) -> Sheet {
    let grids = grids(view, set);
    let has = |pick: fn(&crate::corpus::Problem) -> bool| set.problems.iter().any(pick);
    let (category, difficulty, parent) =
        (has(|p| p.category.is_some()), has(|p| p.difficulty.is_some()), has(|p| p.parent.is_some()));
    let mut heads = vec![Head::text("Problem")];
    heads.extend(category.then(|| Head::text("Category")));
    heads.extend(difficulty.then(|| Head::text("Difficulty")));
    heads.extend(parent.then(|| Head::text("Derived from")));
    heads.push(Head::num("Answers", "").explained("Distinct sub-answers, all of which must be right"));
    for grid in &grids {
        heads.push(
            Head::num(format!("Solved by, {}", words(grid)), "of configurations")
                .explained("Complete configurations of the leaderboard that solve it in most of their runs"),
        );
        heads.push(Head::num("Runs passed", ""));
    }
    let mut sheet = Sheet::new("problems", set.title.clone(), heads);
    sheet.filter = true;
    for problem in &set.problems {
        let mut cells = vec![Cell::link(problem.id.as_str(), routes::problem(set.id.as_str(), problem.id.as_str()))];
        let text = |value: &Option<std::sync::Arc<str>>| match value {
            Some(value) => Cell::text(value.replace('_', " ")),
            None => Cell::missing("not stated"),
        };
        cells.extend(category.then(|| text(&problem.category)));
        cells.extend(difficulty.then(|| text(&problem.difficulty)));
        cells.extend(parent.then(|| parent_cell(view, set, problem)));
        cells.push(Cell::count(problem.subs().len()));
        for grid in &grids {
            cells.extend(solved(view, grid, problem.id.as_str()));
        }
        sheet.push(cells);
    }
    let source = Source::default().with_input(set.path.clone(), set.digest);
    sheet.sourced(grids.iter().fold(source, |source, grid| {
        source.with_file(format!("outcomes {}", grid.experiment.id), super::super::data::outcome_path(grid))
    }))
}

/// Kind of a set in words.
fn kind_words(kind: &str) -> String {
    if kind.is_empty() { "problems".to_owned() } else { kind.replace('-', " ") }
}

/// What an experiment is called next to others of its set.
pub(crate) fn words(grid: &Grid<'_>) -> String {
    let mut words = vec![match grid.experiment.given() {
        Given::Program => "programs",
        Given::Prose => "prose",
        Given::Option => "options",
    }];
    let labels = grid.experiment.distinguishing().filter(|(name, _)| *name != "protocol");
    words.extend(labels.map(|(_, text)| text));
    words.join(", ")
}

fn parent_cell(view: &View<'_>, set: &Set, problem: &crate::corpus::Problem) -> Cell {
    let Some(parent) = &problem.parent else { return Cell::missing("not derived") };
    match view.problem_named(set.parents.as_ref().map(crate::id::SetId::as_str), parent.as_str()) {
        Some((set, id)) => Cell::link(parent.as_str(), routes::problem(set, id)),
        None => Cell::text(parent.as_str()),
    }
}

/// By how many configurations it is solved, and passing runs over all of them.
fn solved(view: &View<'_>, grid: &Grid<'_>, id: &str) -> [Cell; 2] {
    let mut keys = vec![("set", grid.experiment.set.as_str()), ("problem", id)];
    keys.extend(grid.experiment.distinguishing());
    [view.count_cell("solved-by-n", "configurations", &keys), view.count_cell("case-count", "passes", &keys)]
}
