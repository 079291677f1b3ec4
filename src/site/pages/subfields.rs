//! Category by configuration, difficulty, hardest problems.

use serde::Serialize;

use super::plots;
use crate::number;
use crate::site::grid::Grid;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page.
pub(crate) struct Subfields;

/// Tables that belong here.
const STATISTICS: &[&str] = &[
    "category-accuracy",
    "category-macro",
    "category-correlation",
    "difficulty-accuracy",
    "difficulty-tiers",
    "arity-pass-rate",
    "solved-by-n",
    "reasoning-lift",
    "accuracy-spread",
];

/// How many of the hardest problems are listed.
const HARDEST: usize = 40;

#[derive(Serialize)]
struct Context {
    figure: Option<plots::Plot>,
    categories: Option<Sheet>,
    hardest: Option<Sheet>,
    tables: Vec<Sheet>,
}

impl Page for Subfields {
    fn template(&self) -> (&'static str, &'static str) {
        ("subfields.html", include_str!("../../../templates/subfields.html"))
    }

    fn section(&self) -> &'static str {
        "subfields/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Subfields"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let figure = plots::categories(view);
        let figures = plots::files(figure.iter());
        let context = Context {
            figure,
            categories: view.main().and_then(|grid| categories(view, grid)),
            hardest: view.main().and_then(|grid| hardest(view, grid)),
            tables: view.tables_of(STATISTICS),
        };
        let summary = "Accuracy by subfield and difficulty, and the problems that fewest configurations solve.";
        Ok(Body { title: "Subfields".into(), summary: summary.into(), values: Values::of(&context), figures })
    }
}

fn categories(view: &View<'_>, grid: &Grid<'_>) -> Option<Sheet> {
    let categories = view.categories(grid);
    if categories.is_empty() {
        return None;
    }
    let configurations: Vec<_> =
        view.order.iter().filter_map(|c| grid.row(c.key.as_str())).filter(|row| row.present() > 0).collect();
    let mut heads = vec![Head::text("Subfield"), Head::num("Problems", "")];
    heads.extend(configurations.iter().map(|row| Head::num(row.configuration.name.clone(), "%")));
    let mut sheet =
        Sheet::new("by-subfield", "Mean accuracy by subfield, with the standard deviation over runs", heads);
    for (category, ids) in categories {
        let mut cells = vec![Cell::text(category.replace('_', " ")), Cell::count(ids.len())];
        for row in &configurations {
            let href = format!("{}#categories", routes::configuration(row.configuration.key.as_str()));
            cells.push(match view.category_mean(grid, row, category) {
                Some(mean) => {
                    let sd = view.category_sd(grid, row, category);
                    let cell = Cell::number(mean, number::fixed(mean, 1)).to(href);
                    let cell = view.category_fact("mean", grid, row, category).map_or(cell.clone(), |f| cell.about(f));
                    sd.map_or(cell.clone(), |sd| cell.aside(format!("± {}", number::fixed(sd, 1))))
                }
                None => Cell::missing("not computed: runs are missing"),
            });
        }
        sheet.push_named(routes::anchor(category), cells);
    }
    Some(sheet.sourced(view.with_runs(Source::of_statistics(view, &["category-accuracy"]), grid)))
}

fn hardest(view: &View<'_>, grid: &Grid<'_>) -> Option<Sheet> {
    let set = grid.set?;
    if !grid.is_present() {
        return None;
    }
    let heads = vec![
        Head::text("Problem"),
        Head::text("Subfield"),
        Head::text("Difficulty"),
        Head::num("Solved by", "configurations"),
        Head::num("Runs passed", ""),
    ];
    let caption = format!("The {HARDEST} problems with the fewest passed runs");
    let mut sheet = Sheet::new("hardest", caption, heads);
    for position in view.hardest_first(grid).into_iter().take(HARDEST) {
        let problem = &set.problems[position];
        let mut keys = vec![("set", set.id.as_str()), ("problem", problem.id.as_str())];
        keys.extend(grid.experiment.distinguishing());
        let word = |value: &Option<std::sync::Arc<str>>| {
            value.as_ref().map_or(Cell::missing("not stated"), |text| Cell::text(text.replace('_', " ")))
        };
        sheet.push(vec![
            Cell::link(problem.id.as_str(), routes::problem(set.id.as_str(), problem.id.as_str())),
            word(&problem.category),
            word(&problem.difficulty),
            view.count_cell("solved-by-n", "configurations", &keys),
            view.count_cell("case-count", "passes", &keys),
        ]);
    }
    Some(sheet.sourced(view.with_runs(Source::of_statistics(view, &["solved-by-n", "case-count"]), grid)))
}
