//! Where printed sources disagree with one another: what each says, side by side.

use serde::Serialize;

use super::claim_rows;
use crate::claims::{Conflict, Judgements, Told};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;

/// The page; a study without such disagreements has none.
pub(crate) struct Conflicts;

const PATH: &str = "claims/conflicts.html";

/// Where a disagreement is shown.
pub(super) fn href(id: &str) -> String {
    format!("{PATH}#{}", anchor(id))
}

fn anchor(id: &str) -> String {
    routes::anchor(&format!("conflict {id}"))
}

/// All disagreements, a row each.
pub(super) fn list(judged: &Judgements) -> Option<Sheet> {
    let heads =
        vec![Head::text("Disagreement"), Head::text("Found by"), Head::num("Sources", ""), Head::num("Claims", "")];
    let mut sheet = Sheet::new("conflicts", "Where the sources disagree with one another", heads);
    for conflict in &judged.conflicts {
        sheet.push(vec![
            Cell::link(worded(conflict), href(&conflict.id)),
            Cell::text(if conflict.found { "this tool" } else { "the ledger" }),
            Cell::count(conflict.sides.len()),
            Cell::count(conflict.claims.len()),
        ]);
    }
    (!sheet.rows.is_empty()).then_some(sheet)
}

#[derive(Serialize)]
struct Context {
    conflicts: Vec<ConflictContext>,
}

#[derive(Serialize)]
struct ConflictContext {
    id: String,
    title: String,
    statement: String,
    sides: Sheet,
    resolution: String,
    claims: Vec<Link>,
    found: bool,
}

impl Page for Conflicts {
    fn template(&self) -> (&'static str, &'static str) {
        ("conflicts.html", include_str!("../../../templates/conflicts.html"))
    }

    fn section(&self) -> &'static str {
        "claims/index.html"
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let any = view.input.judgements.is_some_and(|judged| !judged.conflicts.is_empty());
        any.then(|| PATH.to_owned()).into_iter().collect()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let judged = view.input.judgements.iter();
        let shown =
            judged.flat_map(|judged| judged.conflicts.iter().map(|conflict| of_conflict(view, judged, conflict)));
        let values = Values::of(&Context { conflicts: shown.collect() });
        let summary = "What printed sources say about the same thing, where they disagree.".to_owned();
        Ok(Body { title: "Where the sources disagree".to_owned(), summary, values, figures: vec![] })
    }
}

fn of_conflict(view: &View<'_>, judged: &Judgements, conflict: &Conflict) -> ConflictContext {
    let mut sides = Sheet::new(
        routes::anchor(&format!("sides {}", conflict.id)),
        "What each source says",
        vec![Head::text("Source"), Head::text("Says")],
    );
    for side in &conflict.sides {
        sides.push(vec![Cell::text(side.source.clone()), Cell::text(side.says.clone())]);
    }
    if let Some(value) = conflict.settled_by {
        sides.push(vec![Cell::text("Recomputed from the archive"), Cell::text(super::outcomes::significant(value))]);
    }
    let claims = conflict
        .claims
        .iter()
        .filter_map(|id| judged.get(id))
        .map(|claim| Link::new(claim.id.clone(), claim_rows::href(view, claim)));
    ConflictContext {
        id: anchor(&conflict.id),
        title: title(conflict),
        statement: if conflict.found { conflict.statement.clone() } else { told(conflict).quoted() },
        sides,
        resolution: conflict.resolution.clone().unwrap_or_default(),
        claims: claims.collect(),
        found: conflict.found,
    }
}

/// What its author wrote about a disagreement that a ledger lists.
fn told(conflict: &Conflict) -> Told {
    Told { text: conflict.statement.clone(), by: conflict.by.clone(), about: None }
}

/// The statement, in quotation marks where a person wrote it.
fn worded(conflict: &Conflict) -> String {
    if conflict.found { conflict.statement.clone() } else { format!("\u{201c}{}\u{201d}", conflict.statement) }
}

/// The sides as a heading: `README against METHODS`.
fn title(conflict: &Conflict) -> String {
    let mut sides: Vec<&str> = conflict.sides.iter().map(|side| side.source.as_str()).collect();
    sides.dedup();
    match sides.as_slice() {
        [] => conflict.id.replace('-', " "),
        [one] => format!("{one} against itself"),
        [first, second] => format!("{first} against {second}"),
        [first, second, ..] => format!("{first} against {second} and {} more", sides.len() - 2),
    }
}
