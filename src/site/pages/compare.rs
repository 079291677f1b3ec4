//! Two configurations: their difference with interval and P, and the problems behind it.

use serde::Serialize;

use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet, Source, p_equals, points, signed};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::statistics::Fact;
use crate::study::Configuration;

/// The pages: a list with a client-side comparison, and one per pair that matters.
pub(crate) struct Compare;

const ALL: &str = "compare/index.html";

const STATISTIC: &str = "pair-difference";

/// Longer lists of problems are folded.
const OPEN: usize = 60;

/// Which interval is recommended, and why.
const WHY: &str = "Judge by this interval and by the P of Holm: both compare each problem with itself, so what is hard for \
                   both takes nothing from either. Two intervals of the leaderboard that overlap do not say that two \
                   configurations are equal.";

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
    says: String,
    difference: Sheet,
    table: Sheet,
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
        let pairs = pairs(view).into_iter().map(|(a, b)| routes::compare(a.key.as_str(), b.key.as_str()));
        std::iter::once(ALL.to_owned()).chain(pairs).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let found = pairs(view).into_iter().find(|(a, b)| routes::compare(a.key.as_str(), b.key.as_str()) == at.path);
        let outcomes = at.assets.outcomes.clone();
        let Some(((a, b), grid)) = found.zip(view.main()) else {
            let context = Context { pairs: Some(list(view)), outcomes, pair: None };
            let summary =
                "Any two configurations, problem by problem; pairs with their difference and its interval.".to_owned();
            return Ok(Body { title: "Compare".into(), summary, values: Values::of(&context), figures: vec![] });
        };
        let context = Context { pairs: None, outcomes, pair: pair(view, grid, a, b) };
        let title = format!("{} and {}", a.name, b.name);
        let summary = format!("{title}: problems solved by both, by one, by neither.");
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

/// The pairs that the statistic compares, in the order of the leaderboard.
fn pairs<'a>(view: &View<'a>) -> Vec<(&'a Configuration, &'a Configuration)> {
    let place = |key: &str| view.order.iter().position(|configuration| configuration.key.as_str() == key);
    let of_fact = |fact: &&'a Fact| Some((place(fact.keys.get("a")?)?, place(fact.keys.get("b")?)?));
    let mut places: Vec<(usize, usize)> =
        view.input.facts.select(STATISTIC, "difference", &[]).iter().filter_map(of_fact).collect();
    places.sort_unstable();
    places.into_iter().map(|(a, b)| (view.order[a], view.order[b])).collect()
}

/// Keys of the facts about a pair.
fn keys<'k>(grid: &'k Grid<'_>, a: &'k Configuration, b: &'k Configuration) -> Vec<(&'k str, &'k str)> {
    let mut keys = vec![("set", grid.experiment.set.as_str()), ("a", a.key.as_str()), ("b", b.key.as_str())];
    keys.extend(grid.experiment.distinguishing());
    keys
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

fn difference(view: &View<'_>, keys: &[(&str, &str)]) -> [Cell; 4] {
    [
        view.signed_cell(STATISTIC, "difference", keys, 1),
        view.interval_cell(STATISTIC, "difference", keys, |end| signed(end, 1)),
        view.p_cell(STATISTIC, "p", keys),
        view.p_cell(STATISTIC, "holm", keys),
    ]
}

fn difference_heads() -> [Head; 4] {
    [
        Head::num("Difference", "points")
            .explained("Accuracy of the first minus that of the second, over the same problems"),
        Head::num("95 % interval", "points").explained(WHY),
        Head::num("P", "randomisation").explained("Exact randomisation test over problems, for this pair alone"),
        Head::num("P", "Holm").explained("The same P adjusted for all pairs of this table: the one to judge by"),
    ]
}

fn list(view: &View<'_>) -> Sheet {
    let mut heads = vec![Head::text("Pair"), Head::text("Why")];
    heads.extend(difference_heads());
    heads.extend(["Both", "Only the first", "Only the second", "Neither"].map(|text| Head::num(text, "problems")));
    let note = "The last four columns take a problem as solved when most runs solve it.";
    let mut sheet = Sheet::new("pairs", "Pairs with a page of their own", heads).noted(note);
    let Some(grid) = view.main() else { return sheet };
    for (a, b) in pairs(view) {
        let keys = keys(grid, a, b);
        let why = if a.backbone == b.backbone { "settings of one model" } else { "neighbours in rank" };
        let mut cells = vec![
            Cell::link(format!("{} and {}", a.name, b.name), routes::compare(a.key.as_str(), b.key.as_str())),
            Cell::text(why),
        ];
        cells.extend(difference(view, &keys));
        cells.extend(["both", "only-a", "only-b", "neither"].map(|measure| view.cell(STATISTIC, measure, &keys, 0)));
        sheet.push(cells);
    }
    sheet.sourced(view.with_runs(Source::of_statistics(view, &[STATISTIC]), grid))
}

fn pair(view: &View<'_>, grid: &Grid<'_>, a: &Configuration, b: &Configuration) -> Option<PairContext> {
    let (x, y) = (grid.row(a.key.as_str())?, grid.row(b.key.as_str())?);
    let keys = keys(grid, a, b);
    let mut heads = vec![Head::text("First minus second")];
    heads.extend(difference_heads());
    let mut paired = Sheet::new("difference", "Difference in accuracy", heads).noted(WHY);
    let mut cells_of_pair = vec![Cell::text(format!("{} minus {}", a.name, b.name))];
    cells_of_pair.extend(difference(view, &keys));
    paired.push(cells_of_pair);
    let heads = vec![
        Head::text("Problems"),
        Head::num(format!("{} solves", b.name), ""),
        Head::num(format!("{} does not", b.name), ""),
    ];
    let count = |measure| view.cell(STATISTIC, measure, &keys, 0);
    let mut table = Sheet::new("four-way", "Problems, by the majority of runs", heads);
    table.push(vec![Cell::text(format!("{} solves", a.name)), count("both"), count("only-a")]);
    table.push(vec![Cell::text(format!("{} does not", a.name)), count("only-b"), count("neither")]);
    let titles = ["Both".to_owned(), format!("Only {}", a.name), format!("Only {}", b.name), "Neither".to_owned()];
    let set = grid.experiment.set.as_str();
    let cells = cells(grid, x, y);
    let counts = ["both", "only-a", "only-b", "neither"].map(|measure| count(measure).text);
    let groups = titles.iter().zip(&counts).zip(&cells).enumerate().map(|(index, ((title, count), ids))| Group {
        title: format!("{title}: {count}"),
        open: index != 0 && ids.len() <= OPEN,
        links: ids.iter().map(|id| Link::new(*id, routes::problem(set, id))).collect(),
    });
    let source = || view.with_runs(Source::of_statistics(view, &[STATISTIC]), grid);
    Some(PairContext {
        a: Link::new(a.name.clone(), routes::configuration(a.key.as_str())),
        b: Link::new(b.name.clone(), routes::configuration(b.key.as_str())),
        says: says(view, &keys, a, b),
        difference: paired.sourced(source()),
        table: table.sourced(source()),
        groups: groups.collect(),
    })
}

/// What the difference comes to, in words that go no further than the test.
fn says(view: &View<'_>, keys: &[(&str, &str)], a: &Configuration, b: &Configuration) -> String {
    let point = |measure| view.lookup.point(STATISTIC, measure, keys);
    let Some(difference) = point("difference") else {
        return format!("{} and {} have no graded problem in common.", a.name, b.name);
    };
    let (first, second) = if difference < 0.0 { (b, a) } else { (a, b) };
    let by = points(difference.abs());
    match point("holm") {
        Some(_) if difference == 0.0 => format!("{} and {} solve equally many.", a.name, b.name),
        Some(p) if p < 0.05 => format!(
            "{} is {by} ahead of {}; a difference of this size is not put down to chance ({} after adjustment).",
            first.name,
            second.name,
            p_equals(p)
        ),
        Some(p) => format!(
            "{} is {by} ahead of {}, which chance alone can bring about ({} after adjustment).",
            first.name,
            second.name,
            p_equals(p)
        ),
        None => format!("{} is {by} ahead of {}.", first.name, second.name),
    }
}
