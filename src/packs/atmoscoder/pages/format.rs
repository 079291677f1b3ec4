//! Options against computed answers on the same items.

use crate::figures::{self, Slope};
use crate::number;
use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::pages::plots::{self, Plot};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source, signed};
use crate::site::view::View;
use crate::statistics::pairing::Counts;

/// The page.
pub(crate) struct Format;

/// Tables that belong here.
const STATISTICS: &[&str] = &[
    "mcq-accuracy-code",
    "mcq-accuracy-option",
    "mcq-gap",
    "mcq-crosstab",
    "mcq-rescue",
    "mcq-clean-subset",
    "mcq-defect-set",
    "mcq-audit-funnel",
    "chance-correction",
    "mcq-mechanism",
];

impl Page for Format {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "format/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Format gap"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        let present = |protocol| view.grid_of("multiple-choice", protocol).is_some_and(Grid::is_present);
        (present("option") && present("code")) || view.has_tables_of(STATISTICS)
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "The same items asked twice: once with options to choose from, once as a computation. Choosing is easier than computing; this page says by how much, and what remains when defective keys are left out.";
        let mut page = Chapter::new("Format gap", lead);
        let option = view.grid_of("multiple-choice", "option");
        let code = view.grid_of("multiple-choice", "code");
        match (option, code) {
            (Some(option), Some(code)) if option.is_present() && code.is_present() => {
                let pairs = pairs(view, option, code);
                page.add(
                    Section::new("gap", "Option against computed", "One run per arm. The last four columns count items: solved in both formats, only with options, only computed, in neither.")
                        .figure(plot(view, option, code, &pairs))
                        .sheets([sheet(view, option, code, &pairs)]),
                );
            }
            _ => {
                page.say(
                    "gap",
                    "Option against computed",
                    "This archive does not hold both formats of the same items.",
                );
            }
        }
        page.add(Section::new("tables", "Recomputed tables", "").sheets(view.tables_of(STATISTICS)));
        Ok(page.body("The same items with options and as computations: accuracies, four-way counts, rescue."))
    }
}

struct Pair<'g, 'a> {
    option: &'g GridRow<'a>,
    code: &'g GridRow<'a>,
    /// Items by what became of them with options (before) and computed (after).
    cells: Counts,
}

fn pairs<'g, 'a>(view: &View<'a>, option: &'g Grid<'a>, code: &'g Grid<'a>) -> Vec<Pair<'g, 'a>> {
    let ids: Vec<&str> = option.set.iter().flat_map(|set| set.problems.iter().map(|p| p.id.as_str())).collect();
    let of = |key: &str| {
        let (o, c) = (option.row(key)?, code.row(key)?);
        let outcomes = ids.iter().map(|id| (o.outcome(id), c.outcome(id)));
        let counted = outcomes.filter(|(a, b)| a.counted > 0 && b.counted > 0);
        let cells = counted.map(|(a, b)| (a.majority(), b.majority())).collect();
        (o.present() > 0 && c.present() > 0).then_some(Pair { option: o, code: c, cells })
    };
    view.order.iter().filter_map(|configuration| of(configuration.key.as_str())).collect()
}

fn plot(view: &View<'_>, option: &Grid<'_>, code: &Grid<'_>, pairs: &[Pair<'_, '_>]) -> Option<Plot> {
    if pairs.is_empty() {
        return None;
    }
    let rows: Vec<Slope> = pairs
        .iter()
        .filter_map(|pair| {
            Some(Slope {
                name: pair.option.configuration.name.clone(),
                left: plots::percent(pair.option.total())?,
                right: plots::percent(pair.code.total())?,
            })
        })
        .collect();
    let drawing = figures::slope("format-gap", "From options to computation", ("with options", "computed"), &rows);
    let caption = "Share of items answered correctly, in percent; each line is one configuration on the same items.";
    let source = view.with_runs(view.with_runs(Source::of_statistics(view, &["mcq-gap"]), option), code);
    Some(Plot::new(drawing, caption, source.with_file("table", "format/index.html#format-gap")))
}

/// A percentage at one decimal, or why there is none.
fn percent(value: Option<f64>, print: fn(f64, usize) -> String) -> Cell {
    value.map_or_else(|| Cell::missing("nothing was graded"), |value| Cell::number(value, print(value, 1)))
}

fn sheet(view: &View<'_>, option: &Grid<'_>, code: &Grid<'_>, pairs: &[Pair<'_, '_>]) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::num("With options", "%"),
        Head::num("Computed", "%"),
        Head::num("Gap", "points"),
        Head::num("Both", "items"),
        Head::num("Only with options", "items"),
        Head::num("Only computed", "items"),
        Head::num("Neither", "items"),
        Head::num("Rescued", "% of computed failures").explained("Items failed when computed and right with options"),
    ];
    let mut sheet = Sheet::new("format-gap", "The same items in two formats", heads);
    for pair in pairs {
        let (with, computed) = (plots::percent(pair.option.total()), plots::percent(pair.code.total()));
        let Counts { both, lost: only_option, gained: only_code, neither } = pair.cells;
        let failed = only_option + neither;
        let rescued = plots::percent((only_option, failed));
        let key = pair.option.configuration.key.as_str();
        let tally = |row: &GridRow<'_>| format!("{}/{}", row.total().0, row.total().1);
        sheet.push(vec![
            Cell::link(pair.option.configuration.name.clone(), routes::configuration(key)),
            percent(with, number::fixed).aside(tally(pair.option)),
            percent(computed, number::fixed).aside(tally(pair.code)),
            percent(with.zip(computed).map(|(with, computed)| with - computed), signed),
            Cell::count(both),
            Cell::count(only_option),
            Cell::count(only_code),
            Cell::count(neither),
            if failed == 0 { Cell::missing("no computed failure") } else { percent(rescued, number::fixed) },
        ]);
    }
    sheet.sourced(
        view.with_runs(view.with_runs(Source::of_statistics(view, &["mcq-gap", "mcq-crosstab"]), option), code),
    )
}
