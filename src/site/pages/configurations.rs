//! List of configurations.

use serde::Serialize;

use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page.
pub(crate) struct Configurations;

#[derive(Serialize)]
struct Context {
    sheet: Sheet,
}

impl Page for Configurations {
    fn template(&self) -> (&'static str, &'static str) {
        ("configurations.html", include_str!("../../../templates/configurations.html"))
    }

    fn section(&self) -> &'static str {
        "configs/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Browse, "Configurations"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let context = Context { sheet: sheet(view) };
        let summary = "Every configuration: a model with its setting, and the runs archived for it.";
        Ok(Body {
            title: "Configurations".into(),
            summary: summary.into(),
            values: Values::of(&context),
            figures: vec![],
        })
    }
}

fn sheet(view: &View<'_>) -> Sheet {
    let grids: Vec<_> = view.grids.iter().filter(|grid| grid.is_present()).collect();
    let mut heads = vec![Head::text("Configuration"), Head::text("Model"), Head::text("Setting"), Head::text("Key")];
    heads.extend(grids.iter().map(|grid| Head::num(grid.experiment.id.as_str(), "runs")));
    let mut sheet = Sheet::new("configurations", "Configurations and their archived runs", heads);
    for configuration in &view.order {
        let mut cells = vec![
            Cell::link(configuration.name.clone(), routes::configuration(configuration.key.as_str())),
            Cell::text(configuration.backbone.clone()),
            Cell::text(configuration.setting()),
            Cell::text(configuration.key.as_str()).classed("mono"),
        ];
        for grid in &grids {
            cells.push(match grid.row(configuration.key.as_str()) {
                Some(row) if row.present() == row.runs.len() => Cell::count(row.present()),
                Some(row) => Cell::count(row.present()).aside(format!("of {}", row.runs.len())),
                None => Cell::missing("not asked in this experiment"),
            });
        }
        sheet.push(cells);
    }
    sheet
}
