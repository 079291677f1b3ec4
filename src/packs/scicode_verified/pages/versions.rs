//! Original against corrected: scores, flips, re-grading, environments, the log.

use crate::packs::scicode_verified::applies;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::view::View;

/// The page.
pub(super) struct Versions;

/// Statistics whose tables stand here, with heading and sentence.
const PARTS: &[(&str, &str, &str, &[&str])] = &[
    (
        "scores",
        "How do scores change?",
        "Each model has one run per version; steps with given code have no verdict and are in no denominator.",
        &["version-scores"],
    ),
    (
        "flips",
        "Which steps turn?",
        "Steps from pass to fail stand beside those from fail to pass. P is the exact McNemar test of the two counts; the study itself tests nothing here.",
        &["step-flips"],
    ),
    (
        "environments",
        "What does a second environment rescue?",
        "An environment that was not tried is no failure of it, so only rescues by the second one can be seen.",
        &["environment-rescue"],
    ),
    (
        "log",
        "What did the first pass find?",
        "Added up by field and by problem; where the two sums differ both are shown.",
        &["cleaning-log"],
    ),
];

impl Page for Versions {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "before-and-after/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Before and after"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        applies(&view.input.archive.materials) && PARTS.iter().any(|(.., ids)| view.has_tables_of(ids))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "What models solve on the original data, on the corrected data, and when the same outputs are graded by the corrected tests.";
        let mut page = Chapter::new("Before and after", lead);
        for (id, heading, text, statistics) in PARTS {
            page.add(Section::new(id, heading, *text).sheets(view.tables_of(statistics)));
        }
        Ok(page.body("Scores, flips, re-grading and environments, before and after the correction."))
    }
}
