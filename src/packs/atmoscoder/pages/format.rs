//! Options against computed answers on the same items.

use crate::figures::{self, Slope};
use crate::site::grid::Grid;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::pages::plots::Plot;
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::study::Configuration;

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
                let shown = configurations(view, option, code);
                page.add(
                    Section::new("gap", "Option against computed", "One run per arm. Four columns count items: solved in both formats, only with options, only computed, in neither.")
                        .figure(plot(view, option, code, &shown))
                        .sheets([sheet(view, option, code, &shown)]),
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

/// Configurations with runs of both formats, in the order of the pages.
fn configurations<'a>(view: &View<'a>, option: &Grid<'a>, code: &Grid<'a>) -> Vec<&'a Configuration> {
    let there = |grid: &Grid<'a>, key: &str| grid.row(key).is_some_and(|row| row.present() > 0);
    let both = |c: &&Configuration| there(option, c.key.as_str()) && there(code, c.key.as_str());
    view.order.iter().copied().filter(both).collect()
}

/// Keys of the facts about one configuration.
fn keys<'k>(option: &Grid<'k>, configuration: &'k Configuration) -> [(&'k str, &'k str); 2] {
    [("set", option.experiment.set.as_str()), ("model", configuration.key.as_str())]
}

fn plot(view: &View<'_>, option: &Grid<'_>, code: &Grid<'_>, shown: &[&Configuration]) -> Option<Plot> {
    let rows: Vec<Slope> = shown
        .iter()
        .filter_map(|configuration| {
            let keys = keys(option, configuration);
            Some(Slope {
                name: configuration.name.clone(),
                left: view.lookup.point("mcq-accuracy-option", "accuracy", &keys)?,
                right: view.lookup.point("mcq-accuracy-code", "accuracy", &keys)?,
            })
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let drawing = figures::slope("format-gap", "From options to computation", ("with options", "computed"), &rows);
    let caption = "Share of items answered correctly, in percent; each line is one configuration on the same items.";
    let statistics = Source::of_statistics(view, &["mcq-accuracy-option", "mcq-accuracy-code"]);
    let source = view.with_runs(view.with_runs(statistics, option), code);
    Some(Plot::new(view, drawing, caption, source.with_file("table", "format/index.html#format-gap")))
}

fn sheet(view: &View<'_>, option: &Grid<'_>, code: &Grid<'_>, shown: &[&Configuration]) -> Sheet {
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
    for configuration in shown {
        let keys = keys(option, configuration);
        sheet.push(vec![
            Cell::link(configuration.name.clone(), routes::configuration(configuration.key.as_str())),
            view.cell("mcq-accuracy-option", "accuracy", &keys, 1),
            view.cell("mcq-accuracy-code", "accuracy", &keys, 1),
            view.signed_cell("mcq-gap", "gap", &keys, 1),
            view.cell("mcq-crosstab", "both", &keys, 0),
            view.cell("mcq-crosstab", "option-only", &keys, 0),
            view.cell("mcq-crosstab", "code-only", &keys, 0),
            view.cell("mcq-crosstab", "neither", &keys, 0),
            view.cell("mcq-rescue", "rate", &keys, 1),
        ]);
    }
    let statistics = ["mcq-accuracy-option", "mcq-accuracy-code", "mcq-gap", "mcq-crosstab", "mcq-rescue"];
    let source = Source::of_statistics(view, &statistics);
    sheet.sourced(view.with_runs(view.with_runs(source, option), code))
}
