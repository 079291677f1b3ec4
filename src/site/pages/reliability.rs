//! Flips between runs, repair attempts, tolerance, units.

use super::chapter::{self, Chapter, Section};
use crate::site::grid::Grid;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The page.
pub(crate) struct Reliability;

impl Page for Reliability {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "reliability/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Reliability"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "How far a score depends on things that are not skill: the run, a second attempt, the tolerance, the way a unit is written.";
        let mut page = Chapter::new("Reliability", lead);
        match view.main().filter(|grid| grid.is_present()) {
            Some(grid) => page.add(
                Section::new(
                    "flips",
                    "From run to run",
                    "A problem flips when some runs of a configuration solve it and others do not.",
                )
                .sheets([flips(view, grid)])
                .sheets(view.tables_of(&["pass-at-k", "run-completeness"])),
            ),
            None => page.say("flips", "From run to run", "No run of the main experiment is in the archive."),
        }
        for (id, heading, text, statistics) in [
            (
                "repair",
                "Repair attempts",
                "An answer that cannot be graded is asked for again; a wrong answer is final.",
                &["repair-budget", "error-as-fail"][..],
            ),
            ("tolerance", "Tolerance", "Stored answers graded again at other tolerances.", &["tolerance-regrade"][..]),
            ("units", "Units", "Answers that pass only after their unit was converted.", &["unit-rescue"][..]),
            (
                "residual",
                "Residual failures",
                "Problems that almost no configuration solves, and the values they return.",
                &["residual-pass-count", "residual-cluster", "residual-screen", "convergent-audit", "case-count"][..],
            ),
        ] {
            page.add(Section::new(id, heading, text).sheets(view.tables_of(statistics)));
        }
        if let Some(sheet) = sweep(view) {
            page.add(
                Section::new(
                    "sweep",
                    "Both lenses at every tolerance",
                    "Passes among the records whose answers are archived.",
                )
                .sheets([sheet]),
            );
        }
        Ok(page.body("Run-to-run flips, repair attempts, tolerance sweep and unit reconciliation."))
    }
}

fn flips(view: &View<'_>, grid: &Grid<'_>) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::num("In any run", "%"),
        Head::num("In all runs", "%"),
        Head::num("Flip", "points"),
        Head::num("Problems that flip", ""),
        Head::num("SD over runs", "points"),
    ];
    let mut sheet = Sheet::new("run-flips", "Problems solved in some runs and not in others", heads);
    for configuration in &view.order {
        let Some(row) = grid.row(configuration.key.as_str()).filter(|row| row.present() > 1) else { continue };
        let keys = view.keys(grid, configuration);
        let (_, expected) = row.complete_runs();
        let k = expected.to_string();
        let of_k: Vec<(&str, &str)> = keys.iter().copied().chain([("k", k.as_str())]).collect();
        sheet.push(vec![
            Cell::link(configuration.name.clone(), routes::configuration(configuration.key.as_str())),
            view.cell("pass-at-k", "pass", &of_k, 1),
            view.cell("pass-at-k", "all", &of_k, 1),
            view.cell("pass-at-k", "flip", &of_k, 1),
            view.numerator_cell("pass-at-k", "flip", &of_k),
            view.cell("accuracy-mean-sd", "sd", &keys, 2),
        ]);
    }
    sheet.sourced(view.with_runs(Source::of_statistics(view, &["pass-at-k", "accuracy-mean-sd"]), grid))
}

fn sweep(view: &View<'_>) -> Option<Sheet> {
    let rows = &view.input.ledger.sweep;
    if rows.is_empty() {
        return None;
    }
    let heads = vec![
        Head::text("Experiment"),
        Head::num("Tolerance", "%"),
        Head::num("Graded", "records"),
        Head::num("Study's rule", "passes"),
        Head::num("Strict lens", "passes"),
        Head::num("Undecided", "strict"),
    ];
    let mut sheet = Sheet::new("lens-sweep", "Passes by tolerance and lens", heads);
    for row in rows {
        let tolerance = 100.0 * row.tolerance;
        sheet.push(vec![
            Cell::text(row.experiment.as_str()),
            Cell::number(tolerance, super::outcomes::significant(tolerance)),
            Cell::count(row.graded),
            Cell::count(row.passed),
            Cell::count(row.strict),
            Cell::count(row.strict_undecided),
        ]);
    }
    Some(sheet.sourced(Source::default().with_file("ledger", "data/ledger.json")))
}
