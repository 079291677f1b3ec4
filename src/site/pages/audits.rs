//! Audits that need no ledger: what each looked at and raised, one page each.

use super::chapter::{self, Chapter, Section};
use crate::audits::{About, Audited, Raised};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The pages: one list, and one page for each audit that looked at anything.
pub(crate) struct Audits;

const ALL: &str = "audits/index.html";

/// Rows shown on a page; the data file has all.
const MOST: usize = 300;

/// Address of the page of an audit.
pub(super) fn href(about: &About) -> String {
    format!("audits/{}.html", about.id)
}

fn with_content<'v>(view: &View<'v>) -> impl Iterator<Item = &'v Audited> {
    view.input.audits.iter().filter(|audited| audited.looked.checked > 0)
}

impl Page for Audits {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Audits"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        with_content(view).next().is_some()
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        std::iter::once(ALL.to_owned()).chain(with_content(view).map(|audited| href(audited.about))).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        Ok(match with_content(view).find(|audited| href(audited.about) == at.path) {
            Some(audited) => of_audit(view, audited),
            None => list(view),
        })
    }
}

fn list(view: &View<'_>) -> Body {
    let lead = "Checks that need no ledger of claims: they look at accepted answers, stored programs, documents and printed numbers as they are. What an audit raises is a reason to look, not a verdict.";
    let mut page = Chapter::new("Audits", lead);
    let heads = vec![Head::text("Audit"), Head::text("Question"), Head::num("Looked at", ""), Head::num("Raised", "")];
    let mut sheet = Sheet::new("audits", "Audits, with how much each looked at", heads);
    for audited in view.input.audits {
        let about = audited.about;
        let has_page = audited.looked.checked > 0;
        let nothing = || Cell::missing(format!("Not checkable: {}", about.nothing));
        let count = |count: usize| if has_page { Cell::count(count) } else { nothing() };
        sheet.push(vec![
            if has_page { Cell::link(about.title, href(about)) } else { Cell::text(about.title) },
            Cell::text(about.question),
            count(audited.looked.checked).explained(about.items),
            count(audited.looked.raised.len()),
        ]);
    }
    let source = Source::default().with_file("audits", "data/audits.json");
    page.add(Section::new("list", "What was looked at", "").sheets([sheet.sourced(source)]));
    let idle: Vec<&Audited> = view.input.audits.iter().filter(|audited| audited.looked.checked == 0).collect();
    if !idle.is_empty() {
        let said: Vec<String> = idle.iter().map(|a| format!("{}: {}.", a.about.title, a.about.nothing)).collect();
        page.say("idle", "Not checkable here", said.join(" "));
    }
    page.body("Checks that need no ledger, with how much each looked at and what it raised.")
}

fn of_audit(view: &View<'_>, audited: &Audited) -> Body {
    let about = audited.about;
    let mut page = Chapter::new(about.title, about.question);
    page.say("how", "How it looks", about.method);
    page.say("seen", "What it saw", audited.line());
    let raised = &audited.looked.raised;
    if !raised.is_empty() {
        let heads = vec![Head::text("Where"), Head::text("What was seen")];
        let mut sheet = Sheet::new("raised", format!("{} raised", crate::number::grouped(raised.len() as u64)), heads);
        for one in raised.iter().take(MOST) {
            sheet.push(vec![place(view, one), Cell::text(one.says.clone())]);
        }
        sheet.filter = raised.len() > 10;
        if raised.len() > MOST {
            sheet.note = format!("The first {MOST} are shown; the data file holds all.");
        }
        let remedy = crate::report::code(about.code).map_or("", |entry| entry.remedy);
        let source = Source::default().with_file("audits", "data/audits.json");
        page.add(Section::new("found", "What it raised", remedy).sheets([sheet.sourced(source)]));
    }
    page.body(about.question)
}

/// Where something was raised, as a link where there is a page.
fn place(view: &View<'_>, raised: &Raised) -> Cell {
    let subject = raised.place.subject.as_deref().unwrap_or_default();
    if let Some(set) = raised.set.as_deref() {
        return match view.position(set, subject) {
            Some(_) => Cell::link(subject, routes::problem(set, subject)),
            None => Cell::text(format!("{subject}, {set}")),
        };
    }
    let file = raised.place.file.as_deref().unwrap_or_default();
    let claim = view.input.judgements.and_then(|judged| {
        raised.origin.as_ref()?;
        judged.claims.iter().find(|claim| claim.ledger == file && claim.id == subject)
    });
    match claim {
        Some(claim) => Cell::link(claim.statement.clone(), super::claim_rows::href(view, claim)),
        None => Cell::text(raised.place.to_string()),
    }
}
