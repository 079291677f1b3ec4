//! One page per declared comparison: what changed for the same problems between two arms, and which items moved.

use std::collections::BTreeMap;

use super::chapter::{self, Chapter, Section};
use super::plots::Plot;
use crate::figures::{self, Forest, Slope};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source, signed};
use crate::site::view::View;
use crate::study::{Comparison, Matching};
use crate::table;

/// The list of comparisons, and each of them.
pub(crate) struct Comparisons;

/// Address of the list.
const ALL: &str = "comparisons/index.html";

/// The statistic behind these pages.
const STATISTIC: &str = "comparison";

/// Most configurations that a slope figure keeps apart.
const MOST_LINES: usize = 24;

/// Most items that a page lists; the data file has all of them.
const LISTED: usize = 400;

impl Page for Comparisons {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Comparisons"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        !view.input.study.comparisons.is_empty()
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let own = view.input.study.comparisons.iter().map(|comparison| routes::comparison(&comparison.id));
        std::iter::once(ALL.to_owned()).chain(own).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let all = &view.input.study.comparisons;
        if at.path == ALL {
            return Ok(list(view, all));
        }
        let own = all.iter().find(|comparison| routes::comparison(&comparison.id) == at.path);
        own.map(|comparison| page(view, comparison)).ok_or_else(|| SiteError::NoSuchPage(at.path.to_owned()))
    }
}

fn list(view: &View<'_>, all: &[Comparison]) -> Body {
    let lead = "What changes when the same problems are asked, answered or judged in another way. Each comparison has \
                two arms over matched problems; its page names every problem that moved.";
    let mut chapter = Chapter::new("Comparisons", lead);
    let heads = vec![
        Head::text("Comparison"),
        Head::text("Before"),
        Head::text("After"),
        Head::num("Configurations", ""),
        Head::num("Below 0.05", "adjusted P"),
        Head::num("P", "sign flip over items"),
    ];
    let mut sheet = Sheet::new("comparisons", "Declared comparisons", heads);
    for comparison in all {
        let rows = rows(view, comparison);
        sheet.push(vec![
            Cell::link(comparison.title.clone(), routes::comparison(&comparison.id)),
            Cell::text(comparison.before.name()),
            Cell::text(comparison.after.name()),
            Cell::count(rows.len()),
            Cell::count(rows.iter().filter(|row| row.holm.is_some_and(|p| p < 0.05)).count()),
            view.cell(STATISTIC, "sign-flip", &[("comparison", &comparison.id)], 4),
        ]);
    }
    let source = Source::of_statistics(view, &[STATISTIC]);
    chapter.add(Section::new("list", "All comparisons", "").sheets([sheet.sourced(source)]));
    chapter.body("Two arms over the same problems: what was lost, what was gained, and whether it could be chance.")
}

/// A configuration of a comparison with a difference.
struct PairRow<'a> {
    key: &'a str,
    before: f64,
    after: f64,
    difference: f64,
    interval: Option<(f64, f64)>,
    holm: Option<f64>,
}

fn rows<'a>(view: &View<'a>, comparison: &Comparison) -> Vec<PairRow<'a>> {
    let of = |key: &'a str| {
        let keys = [("comparison", comparison.id.as_str()), ("model", key)];
        let point = |measure| view.input.facts.get(STATISTIC, measure, &keys).and_then(|fact| fact.estimate.point());
        Some(PairRow {
            key,
            before: point("before")?,
            after: point("after")?,
            difference: point("difference")?,
            interval: view.lookup.interval(STATISTIC, "difference", &keys),
            holm: point("holm"),
        })
    };
    view.order.iter().filter_map(|configuration| of(configuration.key.as_str())).collect()
}

fn page(view: &View<'_>, comparison: &Comparison) -> Body {
    let (before, after) = (comparison.before.name(), comparison.after.name());
    let matched = match comparison.matching {
        Matching::Id => "the same problems",
        Matching::Parent => "problems and what derives from them",
    };
    let lead = format!(
        "Two arms over {matched}: {before} (before) and {after} (after). Several verdicts of a problem become one by \
         the rule “{}”. A positive difference means that more is solved after.",
        comparison.reduce.as_str()
    );
    let mut chapter = Chapter::new(&comparison.title, lead);
    let rows = rows(view, comparison);
    if rows.is_empty() {
        let why = "No configuration has verdicts of both arms in this archive; the list of reasons follows.";
        chapter.say("absent", "Nothing to compare", why);
    } else {
        let text = "P values are exact, and adjusted for the number of tests in the declared family. The bootstrap draws items, with all runs of each.";
        let figures = [slope(view, comparison, &rows), Some(forest(view, comparison, &rows))];
        chapter.add(
            Section::new("difference", "Difference", text)
                .figure(figures.into_iter().flatten())
                .sheets([sheet(view, comparison)]),
        );
    }
    if let Some(split) = strata(view, comparison) {
        chapter.add(
            Section::new("strata", "By label", "The same difference inside each group of problems.").sheets([split]),
        );
    }
    chapter
        .add(Section::new("moved", "What moved", "Every problem behind the counts.").sheets(moved(view, comparison)));
    chapter.body(&format!("{before} against {after} on matched problems: lost, gained, exact tests."))
}

fn slope(view: &View<'_>, comparison: &Comparison, rows: &[PairRow<'_>]) -> Option<Plot> {
    if rows.len() > MOST_LINES {
        return None;
    }
    let lines: Vec<Slope> = rows
        .iter()
        .map(|row| Slope { name: view.name(row.key).to_owned(), left: row.before, right: row.after })
        .collect();
    let (before, after) = (comparison.before.name(), comparison.after.name());
    let drawing =
        figures::slope(&format!("comparison-{}-slope", comparison.id), &comparison.title, (&before, &after), &lines);
    Some(Plot::new(
        view,
        drawing,
        "Share solved on both sides, in percent; one line per configuration.",
        source(view, comparison),
    ))
}

fn forest(view: &View<'_>, comparison: &Comparison, rows: &[PairRow<'_>]) -> Plot {
    let line = |row: &PairRow<'_>| {
        let p = row.holm.map_or("–".to_owned(), crate::site::sheet::p_text);
        let ends =
            row.interval.map_or(String::new(), |(low, high)| format!(" [{}, {}]", signed(low, 1), signed(high, 1)));
        Forest {
            name: view.name(row.key).to_owned(),
            value: row.difference,
            interval: row.interval,
            printed: format!("{}{ends}  P {p}", signed(row.difference, 1)),
            strong: row.holm.is_some_and(|p| p < 0.05),
        }
    };
    let lines: Vec<Forest> = rows.iter().map(line).collect();
    let id = format!("comparison-{}", comparison.id);
    let drawing = figures::forest(&id, &comparison.title, "points", ("solved less after", "solved more after"), &lines);
    let caption = "Difference of the shares solved, after minus before, with its 95 % interval; P adjusted by Holm's \
                   method. Marked where it is below 0.05.";
    let resolved = rows.iter().filter(|row| row.holm.is_some_and(|p| p < 0.05)).count();
    let what = match (resolved, rows.len()) {
        (0, _) => "No difference is larger than chance can bring about.".to_owned(),
        (n, all) if n == all => "Every difference is larger than chance can bring about.".to_owned(),
        (n, all) => format!("{n} of {all} differences are larger than chance can bring about."),
    };
    Plot::new(view, drawing, caption, source(view, comparison)).saying(what)
}

fn source(view: &View<'_>, comparison: &Comparison) -> Source {
    Source::of_statistics(view, &[STATISTIC])
        .with_file("table", format!("{}#pairs", routes::comparison(&comparison.id)))
}

fn sheet(view: &View<'_>, comparison: &Comparison) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::num("Before", "%"),
        Head::num("After", "%"),
        Head::num("Difference", "points"),
        Head::num("95 % interval", "Wald"),
        Head::num("95 % interval", "bootstrap"),
        Head::num("Both", "items"),
        Head::num("Lost", "items"),
        Head::num("Gained", "items"),
        Head::num("Neither", "items"),
        Head::num("P", "exact"),
        Head::num("P", "Holm"),
        Head::num("Unmatched", "items").explained("Items with a verdict on one side only; they enter nothing"),
    ];
    let mut sheet = Sheet::new("pairs", format!("{}: matched items", comparison.title), heads);
    for configuration in &view.order {
        let keys = [("comparison", comparison.id.as_str()), ("model", configuration.key.as_str())];
        if view.input.facts.get(STATISTIC, "difference", &keys).is_none() {
            continue;
        }
        let cell = |measure, decimals| view.cell(STATISTIC, measure, &keys, decimals);
        let interval = |measure| match view.lookup.interval(STATISTIC, measure, &keys) {
            Some((low, high)) => Cell::number(low, format!("{} to {}", signed(low, 2), signed(high, 2))),
            None => Cell::missing("no interval"),
        };
        let difference = view.lookup.point(STATISTIC, "difference", &keys);
        sheet.push(vec![
            Cell::link(view.name(configuration.key.as_str()), routes::configuration(configuration.key.as_str())),
            cell("before", 1),
            cell("after", 1),
            difference.map_or_else(|| cell("difference", 2), |points| Cell::number(points, signed(points, 2))),
            interval("difference"),
            interval("bootstrap"),
            cell("both", 0),
            cell("lost", 0),
            cell("gained", 0),
            cell("neither", 0),
            cell("p", 4),
            cell("holm", 4),
            cell("unmatched", 0),
        ]);
    }
    sheet.sourced(Source::of_statistics(view, &[STATISTIC]))
}

/// Differences inside each group of problems.
fn strata(view: &View<'_>, comparison: &Comparison) -> Option<Sheet> {
    let heads = vec![
        Head::text("Configuration"),
        Head::text("Label"),
        Head::text("Value"),
        Head::num("Pairs", "items"),
        Head::num("Before", "%"),
        Head::num("After", "%"),
        Head::num("Difference", "points"),
    ];
    let mut sheet = Sheet::new("by-label", format!("{}: by label", comparison.title), heads);
    sheet.filter = true;
    let facts = view.input.facts.select(STATISTIC, "difference", &[("comparison", comparison.id.as_str())]);
    for fact in facts {
        let key = |name: &str| fact.keys.get(name).map(String::as_str);
        let (Some(model), Some(stratum), Some(value)) = (key("model"), key("stratum"), key("value")) else { continue };
        let keys = [("comparison", comparison.id.as_str()), ("model", model), ("stratum", stratum), ("value", value)];
        let cell = |measure, decimals| view.cell(STATISTIC, measure, &keys, decimals);
        let named = view.input.study.strata(stratum).map_or(value, |strata| strata.name(value));
        sheet.push(vec![
            Cell::link(view.name(model), routes::configuration(model)),
            Cell::text(stratum),
            Cell::text(named),
            cell("pairs", 0),
            cell("before", 1),
            cell("after", 1),
            cell("difference", 1),
        ]);
    }
    (!sheet.rows.is_empty()).then_some(sheet)
}

/// Who moved: by item, the configurations that lost and gained it, with links to both sides.
fn moved(view: &View<'_>, comparison: &Comparison) -> Option<Sheet> {
    let table = view.input.tables.iter().find(|table| table.id == "comparisons_moved")?;
    let text = |cell: &table::Cell| match cell {
        table::Cell::Text(text) => text.to_string(),
        _ => String::new(),
    };
    let mut items: BTreeMap<String, [Vec<String>; 2]> = BTreeMap::new();
    for row in table.rows.iter().filter(|row| text(&row[0]) == comparison.id) {
        let side = usize::from(text(&row[3]) == "gained");
        items.entry(text(&row[2])).or_default()[side].push(view.name(&text(&row[1])).to_owned());
    }
    let mut items: Vec<_> = items.into_iter().collect();
    // Most moved first; equal numbers by id.
    items.sort_by_key(|(_, sides)| std::cmp::Reverse(sides[0].len() + sides[1].len()));
    let set_of = |experiment: &str| view.input.study.experiment(experiment).map(|experiment| experiment.set.as_str());
    let sets = [set_of(comparison.before.experiment.as_str()), set_of(comparison.after.experiment.as_str())];
    let heads = vec![
        Head::text("Item"),
        Head::num("Lost", ""),
        Head::num("Gained", ""),
        Head::text("Lost by"),
        Head::text("Gained by"),
    ];
    let all = items.len();
    let mut sheet = Sheet::new("moved-items", format!("{}: items that moved", comparison.title), heads);
    sheet.filter = true;
    for (item, [lost, gained]) in items.into_iter().take(LISTED) {
        let known = sets.into_iter().flatten().find_map(|set| view.problem_named(Some(set), &item));
        sheet.push(vec![
            known.map_or_else(|| Cell::text(item.clone()), |(set, id)| Cell::link(id, routes::problem(set, id))),
            Cell::count(lost.len()),
            Cell::count(gained.len()),
            Cell::text(lost.join(", ")),
            Cell::text(gained.join(", ")),
        ]);
    }
    if sheet.rows.is_empty() {
        return None;
    }
    if all > LISTED {
        sheet = sheet.noted(format!("The {LISTED} items that moved most of {all}; the data file has every one."));
    }
    Some(sheet.sourced(Source::of_table(view, table)))
}
