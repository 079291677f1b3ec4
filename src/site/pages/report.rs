//! What a reviewer can attach: the report, on a page and as a file.

use serde::Serialize;

use crate::review::{self, Block, Review};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::templates::Values;
use crate::site::view::View;

/// Address of the report as Markdown.
pub(crate) const MARKDOWN: &str = "data/report.md";

/// The page.
pub(crate) struct Report;

#[derive(Serialize)]
struct Context {
    verdict: String,
    sections: Vec<Section>,
    markdown: &'static str,
    command: String,
}

#[derive(Serialize)]
struct Section {
    heading: String,
    blocks: Vec<Part>,
}

/// A block as the template takes it: one of its members is filled.
#[derive(Serialize, Default)]
struct Part {
    text: String,
    list: Vec<String>,
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    commands: String,
}

/// The report on the study of a view.
pub(crate) fn of(view: &View<'_>) -> Review {
    let input = view.input;
    let none = crate::claims::Judgements::default();
    review::of(&review::Subject {
        study: input.study,
        archive: input.archive,
        ledger: input.ledger,
        judgements: input.judgements.unwrap_or(&none),
        survival: input.survival,
        findings: input.findings,
        issues: input.issues,
        computed: (input.facts.iter().filter(|fact| fact.estimate.point().is_some()).count(), input.tables.len()),
        digest: input.archive_digest,
        tool: input.tool,
    })
}

impl Page for Report {
    fn template(&self) -> (&'static str, &'static str) {
        ("report.html", include_str!("../../../templates/report.html"))
    }

    fn section(&self) -> &'static str {
        "report/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Report"))
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let review = of(view);
        let identity = &view.input.study.study;
        let sections = review.sections.into_iter().map(|section| Section {
            heading: section.heading,
            blocks: section.blocks.into_iter().map(part).collect(),
        });
        let context = Context {
            verdict: review.verdict,
            sections: sections.collect(),
            markdown: MARKDOWN,
            command: format!("repro report {}-{}.zip --out report.md", identity.id, identity.version),
        };
        let summary = "What was checked, what holds, what does not, what could not be checked; and the same by the questions of review forms.";
        Ok(Body {
            title: "Report for reviewers".into(),
            summary: summary.into(),
            values: Values::of(&context),
            figures: vec![],
        })
    }
}

fn part(block: Block) -> Part {
    match block {
        Block::Text(text) => Part { text, ..Part::default() },
        Block::List(list) => Part { list, ..Part::default() },
        Block::Table(heads, rows) => Part { heads, rows, ..Part::default() },
        Block::Commands(lines) => Part { commands: lines.join("\n"), ..Part::default() },
    }
}
