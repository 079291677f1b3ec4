//! Every recomputed table.

use serde::Serialize;

use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Head, Link, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::table::Table;

/// The page.
pub(crate) struct Tables;

/// A longer table is described here and shown in its data files, or on the page it belongs to.
const MOST: usize = 60;

#[derive(Serialize)]
struct Context {
    contents: Vec<Link>,
    tables: Vec<Sheet>,
}

impl Page for Tables {
    fn template(&self) -> (&'static str, &'static str) {
        ("tables.html", include_str!("../../../templates/tables.html"))
    }

    fn section(&self) -> &'static str {
        "tables/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Data, "All tables"))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let context = Context {
            contents: view
                .input
                .tables
                .iter()
                .map(|table| Link::new(table.title.clone(), format!("tables/index.html#{}", routes::anchor(&table.id))))
                .collect(),
            tables: view.input.tables.iter().map(|table| sheet(view, table)).collect(),
        };
        let summary = "Every table that was recomputed, with its sources and data files.";
        Ok(Body { title: "All tables".into(), summary: summary.into(), values: Values::of(&context), figures: vec![] })
    }
}

fn sheet(view: &View<'_>, table: &Table) -> Sheet {
    if table.rows.len() <= MOST {
        return Sheet::of_table(view, table);
    }
    let heads = vec![Head::text("Column"), Head::text("Unit")];
    let note = format!("{} rows: see the data files.", crate::number::grouped(table.rows.len() as u64));
    let mut sheet = Sheet::new(routes::anchor(&table.id), table.title.clone(), heads).noted(note);
    for column in &table.columns {
        sheet.push(vec![
            crate::site::sheet::Cell::text(column.name.clone()),
            crate::site::sheet::Cell::text(column.unit),
        ]);
    }
    sheet.sourced(Source::of_table(view, table))
}
