//! Executed programs against prose.

use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The page.
pub(crate) struct Protocols;

/// Tables that belong here.
const STATISTICS: &[&str] =
    &["protocol-gap", "spend-quantiles", "token-bins", "prompt-delta", "cross-accuracy", "scaffold-delta"];

impl Page for Protocols {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "protocols/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Protocols"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        gap(view).is_some() || view.has_tables_of(&["protocol-gap", "prompt-delta", "cross-accuracy", "scaffold-delta"])
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "The same problems answered by writing a program and by reasoning in prose: accuracy, tokens, and answers that could not be graded at all.";
        let mut page = Chapter::new("Protocols", lead);
        match gap(view) {
            Some(sheet) => page.add(
                Section::new(
                    "gap",
                    "Programs against prose",
                    "A gap is resolved when it exceeds the scatter of both arms over runs.",
                )
                .sheets([sheet]),
            ),
            None => page.say(
                "gap",
                "Programs against prose",
                "This archive holds no complete pair of runs under both protocols, so the gap cannot be recomputed.",
            ),
        }
        page.add(
            Section::new("tables", "Recomputed tables", "Protocols, prompts, scaffolding and other fields.")
                .sheets(view.tables_of(STATISTICS)),
        );
        Ok(page.body("Executed programs against prose: accuracy, scatter, tokens, completion failures."))
    }
}

fn gap(view: &View<'_>) -> Option<Sheet> {
    let (code, direct) = (view.grid_of("problems", "code")?, view.grid_of("problems", "direct")?);
    let heads = vec![
        Head::text("Configuration"),
        Head::num("Programs", "%"),
        Head::num("Prose", "%"),
        Head::num("Gap", "points"),
        Head::num("Scatter", "points"),
    ];
    let mut sheet = Sheet::new("protocol-gap", "Accuracy under both protocols", heads);
    for configuration in &view.order {
        let key = configuration.key.as_str();
        let cell = |measure| view.cell("protocol-gap", measure, &[("model", key)], 1);
        if view.lookup.point("protocol-gap", "gap", &[("model", key)]).is_none() {
            continue;
        }
        let mean = |grid| view.cell("accuracy-mean-sd", "mean", &view.keys(grid, configuration), 1);
        sheet.push(vec![
            Cell::link(configuration.name.clone(), routes::configuration(key)),
            mean(code),
            mean(direct),
            cell("gap"),
            cell("noise"),
        ]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(Source::of_statistics(view, &["protocol-gap", "accuracy-mean-sd"])))
}
