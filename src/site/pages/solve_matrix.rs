//! All problems by all configurations.

use super::chapter::{self, Chapter, Section};
use super::plots;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::view::View;

/// The page.
pub(crate) struct SolveMatrix;

impl Page for SolveMatrix {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "matrix/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Browse, "Solve matrix"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "Every problem by every configuration. A perfectly nested benchmark would show one clean staircase: whoever solves a hard problem solves all easier ones.";
        let mut page = Chapter::new("Solve matrix", lead);
        match plots::matrix(view) {
            Some(figure) => page.add(Section::new("all", "All problems", "").figure([figure])),
            None => page.say("all", "All problems", "No run of the main experiment is in the archive."),
        }
        page.add(Section::new("tables", "Recomputed tables", "").sheets(view.tables_of(&[
            "nestedness",
            "solved-by-n",
            "majority-of-3",
        ])));
        Ok(page.body("All problems by all configurations, shaded by the number of runs that solved each."))
    }
}
