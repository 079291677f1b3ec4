//! Against the version before: what flipped, moved, appeared, went.

use super::chapter::{self, Chapter, Section};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::view::View;

/// The page.
pub(crate) struct Changes;

impl Page for Changes {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "changes/index.html"
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let Some(changes) = view.input.changes else {
            let page = Chapter::new(
                "Changes",
                "No other version of this study was given to compare this one with, so there is nothing to list here.",
            );
            return Ok(page.body("Changes against the version before."));
        };
        let total: usize = changes.groups.iter().map(|group| group.rows.len()).sum();
        let lead = match total {
            0 => format!("Nothing differs from version {}.", changes.against),
            _ => format!("Against version {}: {total} differences.", changes.against),
        };
        let mut page = Chapter::new("Changes", lead);
        for group in &changes.groups {
            let heads = vec![
                Head::text("What"),
                Head::text(format!("Version {}", changes.against)),
                Head::text("This version"),
            ];
            let id = routes::anchor(&format!("changes {}", group.title));
            let mut sheet = Sheet::new(id, format!("{}: {}", group.title, group.rows.len()), heads);
            sheet.filter = group.rows.len() > 20;
            for [what, before, after] in &group.rows {
                sheet.push(vec![Cell::text(what.clone()), Cell::text(before.clone()), Cell::text(after.clone())]);
            }
            page.add(
                Section::new(section_id(&group.title), &group.title, "")
                    .sheets((!group.rows.is_empty()).then_some(sheet)),
            );
        }
        Ok(page.body("Changes against the version before: records, statistics, claims, problems."))
    }
}

/// Fragment of a group; the four kinds that a comparison has.
fn section_id(title: &str) -> &'static str {
    match title.split_whitespace().next().unwrap_or_default().to_lowercase().as_str() {
        "records" => "records",
        "statistics" => "statistics",
        "claims" => "claims",
        "problems" => "problems",
        _ => "others",
    }
}
