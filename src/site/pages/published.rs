//! Tables that the study published and claims are judged against, as they stand in the archive: a chain that ends in
//! one of their cells leads to its row.

use std::collections::{BTreeMap, BTreeSet};

use super::chapter::{self, Chapter, Section};
use crate::claims::Link;
use crate::site::input::{SiteError, SiteInput};
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::units::grouped;
use crate::site::view::View;
use crate::statistics::Keys;
use crate::table::read_csv;

/// How a claim names a cell of a published table: this, then the name of the table.
const SOURCE: &str = "published:";

/// A published table, read.
pub(crate) struct Published {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The published tables that claims rest on, by name.
pub(crate) type PublishedTables<'a> = BTreeMap<&'a str, Published>;

/// Reads the tables that claims rest on.
pub(crate) fn published<'a>(input: &SiteInput<'a>) -> PublishedTables<'a> {
    let claims = input.judgements.iter().flat_map(|judged| &judged.claims);
    let names: BTreeSet<&str> =
        claims.flat_map(|claim| &claim.links).filter_map(|link| link.source.strip_prefix(SOURCE)).collect();
    let tables = input.published.iter().filter(|(name, _)| names.contains(name.as_str()));
    let read = |(name, text): (&'a String, &'a String)| {
        let (header, rows) = read_csv(text).ok()?;
        Some((name.as_str(), Published { header, rows }))
    };
    tables.filter_map(read).collect()
}

impl Published {
    /// The row that has these texts in these columns; names of configurations count as the configurations they name.
    fn row(&self, view: &View<'_>, keys: &Keys) -> Option<usize> {
        let columns: Vec<(usize, &str)> = keys
            .iter()
            .map(|(key, value)| Some((self.header.iter().position(|name| name == key)?, value.as_str())))
            .collect::<Option<_>>()?;
        let same = |cell: &str, value: &str| {
            cell == value || view.configuration(cell).is_some_and(|named| named.key.as_str() == value)
        };
        let fits =
            |row: &Vec<String>| columns.iter().all(|(at, value)| row.get(*at).is_some_and(|cell| same(cell, value)));
        self.rows.iter().position(fits)
    }
}

/// Address of what a claim rests on: the cell's row, or the whole table where no single row is named. `None` when no
/// readable table of that name is in the archive.
pub(crate) fn href(view: &View<'_>, link: &Link) -> Option<String> {
    let name = link.source.strip_prefix(SOURCE)?;
    let row = view.published.get(name)?.row(view, &link.keys);
    let anchor = row.map_or_else(String::new, |row| format!("#row-{}", row + 1));
    Some(format!("{}{anchor}", routes::published(name)))
}

/// What a cell is called: the table, its column and the row.
pub(crate) fn label(link: &Link) -> String {
    let name = link.source.strip_prefix(SOURCE).unwrap_or(&link.source);
    let keys: Vec<&str> = link.keys.values().map(String::as_str).collect();
    format!("published table {name}, {} {}", link.measure, keys.join(" ")).trim_end().to_owned()
}

/// The pages.
pub(crate) struct PublishedPages;

impl Page for PublishedPages {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "published/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Published tables"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        !view.published.is_empty()
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let tables = view.published.keys().map(|name| routes::published(name));
        std::iter::once(self.section().to_owned()).chain(tables).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let found = view.published.iter().find(|(name, _)| routes::published(name) == at.path);
        let Some((name, table)) = found else { return Ok(list(view)) };
        let lead = "The table as the study published it. Its values were read, not recomputed; claims that rest on them fit other printed numbers and no more.";
        let mut page = Chapter::new(&format!("Published table {name}"), lead);
        page.add(Section::new("rows", "As published", place(view, name)).sheets([sheet(view, name, table)]));
        Ok(page.body("A table of the archive as it was published, with the rows that claims rest on."))
    }
}

/// Where a table stands in the archive.
fn place(view: &View<'_>, name: &str) -> String {
    let declared = view.input.study.published.iter().find(|table| table.stem() == name);
    match declared.map(|table| &table.path) {
        Some(path) => format!("The file is {path} of the archive."),
        None => String::new(),
    }
}

fn list(view: &View<'_>) -> Body {
    let heads = vec![Head::text("Table"), Head::num("Rows", ""), Head::num("Claims that rest on it", "")];
    let mut sheet = Sheet::new("tables", "Published tables that claims rest on", heads);
    for (name, table) in &view.published {
        let claims = view.input.judgements.iter().flat_map(|judged| &judged.claims);
        let rest = |link: &Link| link.source.strip_prefix(SOURCE) == Some(*name);
        let count = claims.filter(|claim| claim.links.iter().any(rest)).count();
        sheet.push(vec![Cell::link(*name, routes::published(name)), Cell::count(table.rows.len()), Cell::count(count)]);
    }
    let lead = "Some printed numbers can only be compared with a table that the study published, because what the table was computed from is not archived. These are those tables.";
    let mut page = Chapter::new("Published tables", lead);
    page.add(Section::new("list", "Tables", "").sheets([sheet]));
    page.body("Published tables of the archive that claims are compared with.")
}

fn sheet(view: &View<'_>, name: &str, table: &Published) -> Sheet {
    let heads = table.header.iter().map(|column| {
        let is_number = |row: &Vec<String>, at: usize| row[at].is_empty() || row[at].parse::<f64>().is_ok();
        let at = table.header.iter().position(|other| other == column).unwrap_or(0);
        let number = !table.rows.is_empty() && table.rows.iter().all(|row| is_number(row, at));
        if number { Head::num(column.replace('_', " "), "") } else { Head::text(column.replace('_', " ")) }
    });
    let mut sheet =
        Sheet::new("published", format!("{name}, {} rows", grouped(&table.rows.len().to_string())), heads.collect());
    sheet.filter = table.rows.len() > 20;
    for (number, row) in table.rows.iter().enumerate() {
        let cell = |text: &String| match (text.parse::<f64>(), view.configuration(text)) {
            (Ok(value), _) if value.is_finite() => Cell::number(value, grouped(text)),
            (_, Some(named)) => Cell::link(named.name.clone(), routes::configuration(named.key.as_str())),
            _ if text.is_empty() => Cell::missing("empty in the published table"),
            _ => Cell::text(text.trim_matches('_').replace('_', " ")),
        };
        sheet.push_named(format!("row-{}", number + 1), row.iter().map(cell).collect());
    }
    sheet
}
