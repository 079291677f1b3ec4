//! Two configurations: both, only one, neither; exact McNemar.

use serde::Serialize;

use crate::number;
use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::statistics::exact;
use crate::study::Configuration;

/// The pages: a list with a client-side comparison, and one per pair that matters.
pub(crate) struct Compare;

const ALL: &str = "compare/index.html";

#[derive(Serialize)]
struct Context {
    pairs: Option<Sheet>,
    outcomes: String,
    pair: Option<PairContext>,
}

#[derive(Serialize)]
struct PairContext {
    a: Link,
    b: Link,
    table: Sheet,
    p: String,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Group {
    title: String,
    open: bool,
    links: Vec<Link>,
}

impl Page for Compare {
    fn template(&self) -> (&'static str, &'static str) {
        ("compare.html", include_str!("../../../templates/compare.html"))
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Compare"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let pairs = pairs(view).into_iter().map(|(a, b, _)| routes::compare(a.key.as_str(), b.key.as_str()));
        std::iter::once(ALL.to_owned()).chain(pairs).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let found =
            pairs(view).into_iter().find(|(a, b, _)| routes::compare(a.key.as_str(), b.key.as_str()) == at.path);
        let outcomes = at.assets.outcomes.clone();
        let Some(((a, b, _), grid)) = found.zip(view.main()) else {
            let context = Context { pairs: Some(list(view)), outcomes, pair: None };
            let summary = "Any two configurations, problem by problem, with the exact McNemar test.".to_owned();
            return Ok(Body { title: "Compare".into(), summary, values: Values::of(&context), figures: vec![] });
        };
        let context = Context { pairs: None, outcomes, pair: pair(view, grid, a, b) };
        let title = format!("{} and {}", a.name, b.name);
        let summary = format!("{title}: problems solved by both, by one, by neither.");
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

/// Twins, and neighbours in rank.
fn pairs<'a>(view: &View<'a>) -> Vec<(&'a Configuration, &'a Configuration, &'static str)> {
    let Some(grid) = view.main() else { return Vec::new() };
    let present: Vec<&Configuration> =
        view.order.iter().copied().filter(|c| grid.row(c.key.as_str()).is_some_and(|row| row.present() > 0)).collect();
    let mut pairs: Vec<(&Configuration, &Configuration, &'static str)> = Vec::new();
    for (index, a) in present.iter().enumerate() {
        let twin = present[index + 1..].iter().find(|b| b.backbone == a.backbone && b.setting() != a.setting());
        pairs.extend(twin.map(|b| (*a, *b, "settings of one model")));
        let next = present.get(index + 1).filter(|next| twin.is_none_or(|twin| twin.key != next.key));
        pairs.extend(next.map(|b| (*a, *b, "neighbours in rank")));
    }
    pairs
}

/// Problems of both, only a, only b, neither.
fn cells<'g>(grid: &'g Grid<'_>, a: &GridRow<'_>, b: &GridRow<'_>) -> [Vec<&'g str>; 4] {
    let mut cells = [const { Vec::new() }; 4];
    for problem in grid.set.iter().flat_map(|set| &set.problems) {
        let (x, y) = (a.outcome(problem.id.as_str()), b.outcome(problem.id.as_str()));
        if x.counted > 0 && y.counted > 0 {
            let index = match (x.majority(), y.majority()) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            cells[index].push(problem.id.as_str());
        }
    }
    cells
}

fn p_value(b: usize, c: usize) -> f64 {
    exact::mcnemar(b as u32, c as u32).to_f64()
}

fn p_text(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { number::fixed(p, 4) }
}

fn list(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Pair"),
        Head::text("Why"),
        Head::num("Both", ""),
        Head::num("Only the first", ""),
        Head::num("Only the second", ""),
        Head::num("Neither", ""),
        Head::num("P", "exact McNemar"),
    ];
    let mut sheet = Sheet::new("pairs", "Pairs with a page of their own", heads).noted(
        "A problem counts as solved when most runs solve it. P values are not adjusted for the number of pairs.",
    );
    let Some(grid) = view.main() else { return sheet };
    for (a, b, why) in pairs(view) {
        let Some((x, y)) = grid.row(a.key.as_str()).zip(grid.row(b.key.as_str())) else { continue };
        let cells = cells(grid, x, y);
        let p = p_value(cells[1].len(), cells[2].len());
        sheet.push(vec![
            Cell::link(format!("{} and {}", a.name, b.name), routes::compare(a.key.as_str(), b.key.as_str())),
            Cell::text(why),
            Cell::count(cells[0].len()),
            Cell::count(cells[1].len()),
            Cell::count(cells[2].len()),
            Cell::count(cells[3].len()),
            Cell::number(p, p_text(p)),
        ]);
    }
    sheet.sourced(view.with_runs(Source::of_statistics(view, &["mcnemar-exact", "majority-of-3"]), grid))
}

fn pair(view: &View<'_>, grid: &Grid<'_>, a: &Configuration, b: &Configuration) -> Option<PairContext> {
    let (x, y) = (grid.row(a.key.as_str())?, grid.row(b.key.as_str())?);
    let cells = cells(grid, x, y);
    let heads = vec![
        Head::text("Problems"),
        Head::num(format!("{} solves", b.name), ""),
        Head::num(format!("{} does not", b.name), ""),
    ];
    let mut table = Sheet::new("four-way", "Problems, by the majority of runs", heads);
    table.push(vec![
        Cell::text(format!("{} solves", a.name)),
        Cell::count(cells[0].len()),
        Cell::count(cells[1].len()),
    ]);
    table.push(vec![
        Cell::text(format!("{} does not", a.name)),
        Cell::count(cells[2].len()),
        Cell::count(cells[3].len()),
    ]);
    let titles = ["Both".to_owned(), format!("Only {}", a.name), format!("Only {}", b.name), "Neither".to_owned()];
    let set = grid.experiment.set.as_str();
    let groups = titles.into_iter().zip(&cells).enumerate().map(|(index, (title, ids))| Group {
        title: format!("{title}: {}", ids.len()),
        open: index != 0,
        links: ids.iter().map(|id| Link::new(*id, routes::problem(set, id))).collect(),
    });
    Some(PairContext {
        a: Link::new(a.name.clone(), routes::configuration(a.key.as_str())),
        b: Link::new(b.name.clone(), routes::configuration(b.key.as_str())),
        p: p_text(p_value(cells[1].len(), cells[2].len())),
        table: table.sourced(view.with_runs(Source::of_statistics(view, &["mcnemar-exact"]), grid)),
        groups: groups.collect(),
    })
}
