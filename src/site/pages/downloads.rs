//! Data files, the bundle, and how to verify it with ordinary tools.

use serde::Serialize;

use crate::markup::Html;
use crate::site::input::SiteError;
use crate::site::outside::INSIDE;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page.
pub(crate) struct Downloads;

#[derive(Serialize)]
struct Context {
    tables: Sheet,
    files: Sheet,
    bundle: String,
    folder: String,
    digest: String,
    bundle_html: Html,
}

impl Page for Downloads {
    fn template(&self) -> (&'static str, &'static str) {
        ("downloads.html", include_str!("../../../templates/downloads.html"))
    }

    fn section(&self) -> &'static str {
        "downloads/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Data, "Downloads"))
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let identity = &view.input.study.study;
        let folder = format!("{}-{}", identity.id, identity.version);
        let context = Context {
            tables: tables(view),
            files: files(at),
            bundle: format!("{folder}.zip"),
            folder,
            digest: view.input.archive_digest.to_string(),
            bundle_html: Html::trusted(INSIDE.to_owned()),
        };
        let summary = "Every table as CSV, JSON and Parquet, the ledger, the facts, the findings, and the bundle.";
        Ok(Body { title: "Downloads".into(), summary: summary.into(), values: Values::of(&context), figures: vec![] })
    }
}

fn tables(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Table"),
        Head::num("Rows", ""),
        Head::num("Columns", ""),
        Head::text("CSV"),
        Head::text("JSON"),
        Head::text("Parquet"),
    ];
    let mut sheet = Sheet::new("tables", "Recomputed tables", heads);
    sheet.filter = view.input.tables.len() > 20;
    for table in view.input.tables {
        let mut cells = vec![
            Cell::link(table.title.clone(), format!("tables/index.html#{}", routes::anchor(&table.id))),
            Cell::count(table.rows.len()),
            Cell::count(table.columns.len()),
        ];
        for extension in ["csv", "json", "parquet"] {
            cells.push(Cell::link(format!("{}.{extension}", table.id), routes::data(&table.id, extension)));
        }
        sheet.push(cells);
    }
    sheet
}

fn files(at: &At<'_>) -> Sheet {
    let heads = vec![Head::text("File"), Head::text("What it holds"), Head::num("Bytes", ""), Head::text("SHA-256")];
    let mut sheet = Sheet::new("files", "Ledger, facts, findings and outcomes", heads);
    for file in at.files {
        sheet.push(vec![
            Cell::link(file.path.clone(), file.path.clone()),
            Cell::text(file.what.clone()),
            Cell::count(file.bytes),
            Cell::text(file.digest.short(12)).classed("mono").explained(file.digest.to_string()),
        ]);
    }
    sheet
}
