//! Every rule: list of statistics and of finding codes.

use serde::Serialize;

use super::survival;
use crate::report::{CODES, Severity};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page.
pub(crate) struct Methods;

#[derive(Serialize)]
struct Context {
    statistics: Sheet,
    codes: Sheet,
    grading: Vec<(String, String)>,
    choices: Option<Sheet>,
}

impl Page for Methods {
    fn template(&self) -> (&'static str, &'static str) {
        ("methods.html", include_str!("../../../templates/methods.html"))
    }

    fn section(&self) -> &'static str {
        "methods/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Methods, "Methods"))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let survival = view.input.survival;
        let choices = survival::has_content(survival).then(|| survival::choices(survival));
        let context = Context { statistics: statistics(view), codes: codes(), grading: grading(view), choices };
        let summary =
            "Every statistic with formula, source, edge cases and a worked example, and what each finding means.";
        Ok(Body { title: "Methods".into(), summary: summary.into(), values: Values::of(&context), figures: vec![] })
    }
}

fn statistics(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Statistic"),
        Head::text("Id"),
        Head::text("Unit"),
        Head::text("What it answers"),
        Head::num("Values", ""),
    ];
    let mut sheet = Sheet::new("statistics", "Statistics", heads);
    sheet.filter = true;
    for statistic in &view.input.registry.statistics {
        let about = statistic.about();
        let values = view.input.facts.iter().filter(|fact| fact.statistic == about.id).count();
        sheet.push(vec![
            Cell::link(about.title, routes::method(about.id)),
            Cell::text(about.id).classed("mono"),
            Cell::text(about.unit),
            Cell::text(about.meaning),
            Cell::count(values),
        ]);
    }
    sheet
}

fn codes() -> Sheet {
    let heads = vec![Head::text("Code"), Head::text("Gravity"), Head::text("Meaning"), Head::text("Remedy")];
    let mut sheet = Sheet::new("codes", "Findings", heads);
    for entry in CODES {
        let gravity = match entry.severity {
            Severity::Note => "note",
            Severity::Missing => "missing",
            Severity::Disagrees => "disagrees",
            Severity::Unreadable => "unreadable",
        };
        sheet.push_named(
            format!("code-{}", entry.code),
            vec![Cell::text(entry.code), Cell::text(gravity), Cell::text(entry.meaning), Cell::text(entry.remedy)],
        );
    }
    sheet
}

fn grading(view: &View<'_>) -> Vec<(String, String)> {
    let grading = &view.input.study.grading;
    let percent = |share: f64| {
        format!("{} %", crate::number::repr(crate::number::round(100.0 * share, 6)).trim_end_matches(".0"))
    };
    vec![
        ("Relative tolerance".into(), percent(grading.tolerance)),
        ("Tolerances of the sweep".into(), grading.sweep.iter().map(|t| percent(*t)).collect::<Vec<_>>().join(", ")),
        ("Tolerance of a captured shortcut".into(), percent(grading.capture)),
        ("CPU seconds per program".into(), grading.cpu_seconds.to_string()),
    ]
}
