//! The page of this study.

use super::applies;
use crate::site::Page;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::view::View;

/// Pages, in the order of the navigation.
pub(super) const ALL: &[&dyn Page] = &[&Limits];

/// Rejection and calculation at the limit.
struct Limits;

/// Statistics whose tables stand here, with heading and sentence.
const PARTS: &[(&str, &str, &str, &[&str])] = &[
    (
        "verdicts",
        "Who rejects, who solves, who does not answer?",
        "Calls without an answer stay in the denominator and have a column of their own; the second table is the same without them.",
        &["limit-verdicts"],
    ),
    (
        "contrasts",
        "What does another prompt change?",
        "The pairs behind each P, the exact fraction, and the adjusted value within its declared family of tests.",
        &["limit-contrasts"],
    ),
    (
        "capability",
        "Can the model find the limit when asked?",
        "A probe passes below half the margin of its item; nine of ten must pass.",
        &["probe-capability"],
    ),
    (
        "margins",
        "How far from the limit are the items?",
        "Flawed items lie above it, valid ones below.",
        &["signed-margins"],
    ),
    ("coding", "Does a person agree with the rule?", "", &["coder-agreement"]),
    (
        "inventory",
        "Which calls are there?",
        "The first call marked final counts; later ones are kept and not used.",
        &["call-inventory"],
    ),
];

impl Page for Limits {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "limits/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Limits"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        applies(&view.input.archive.materials) && PARTS.iter().any(|(.., ids)| view.has_tables_of(ids))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "Items lie on both sides of a certified limit. A model either solves an item or declines it; a flawed item should be declined, a valid one solved.";
        let mut page = Chapter::new("Limits", lead);
        for (id, heading, text, statistics) in PARTS {
            page.add(Section::new(id, heading, *text).sheets(view.tables_of(statistics)));
        }
        Ok(page.body("Rejection of flawed items and false alarms on valid ones, with every call without an answer."))
    }
}
