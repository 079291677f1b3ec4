//! How many printed numbers hold, which do not, which cannot be checked, where the sources disagree.

use serde::Serialize;

use super::claim_area::{self, Place, in_full, named};
use super::claim_rows;
use super::conflicts;
use super::counts::many;
use super::counts::{self, Count};
use crate::claims::{Judgement, Judgements};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;

/// The pages: one summary, one per area, and of large areas one per source.
pub(crate) struct Claims;

const ALL: &str = "claims/index.html";

#[derive(Serialize)]
struct Context {
    /// The pages above this one.
    crumbs: Vec<Link>,
    line: String,
    counts: Vec<Count>,
    areas: Option<Sheet>,
    sources: Option<Sheet>,
    bases: Option<Sheet>,
    missing: Option<Sheet>,
    attention: Option<Sheet>,
    errata: Option<Sheet>,
    claims: Option<Sheet>,
    tables: Option<Sheet>,
    conflicts: Option<Sheet>,
}

impl Page for Claims {
    fn template(&self) -> (&'static str, &'static str) {
        ("claims.html", include_str!("../../../templates/claims.html"))
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Claims"))
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let places = claim_area::places(view).into_iter().map(|place| place.path());
        std::iter::once(ALL.to_owned()).chain(places).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let places = claim_area::places(view);
        let place = places.iter().find(|place| place.path() == at.path);
        let context = match (view.input.judgements, place) {
            (_, Some(place)) => of_place(view, place),
            (Some(judged), None) => summary(view, judged),
            (None, None) => absent(view),
        };
        let title = match place {
            Some(Place { area, source: Some(source) }) => format!("Claims: {}, {source}", named(area)),
            Some(place) => format!("Claims: {}", named(place.area)),
            None => "Claims".to_owned(),
        };
        let summary = "Every printed number with its recomputation, verdict, rule and records.".to_owned();
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

fn absent(view: &View<'_>) -> Context {
    let (counts, line) = counts::claims(view);
    Context {
        crumbs: Vec::new(),
        line,
        counts,
        areas: None,
        sources: None,
        bases: None,
        missing: None,
        attention: None,
        errata: None,
        claims: None,
        tables: None,
        conflicts: None,
    }
}

fn summary(view: &View<'_>, judged: &Judgements) -> Context {
    let attention = unacknowledged(&judged.claims.iter().collect::<Vec<_>>());
    let errata: Vec<&Judgement> = judged.claims.iter().filter(|claim| claim.erratum.is_some()).collect();
    let caption = |count: usize, one: &str, more: &str| {
        format!("{} {}", many(count, "printed number", "printed numbers"), if count == 1 { one } else { more })
    };
    Context {
        sources: claim_area::printed_in(judged),
        areas: Some(claim_area::areas(judged)),
        bases: bases(judged),
        missing: missing(judged),
        attention: short(
            view,
            "attention",
            caption(attention.len(), "does not follow from the archive", "do not follow from the archive"),
            &attention,
        ),
        errata: short(
            view,
            "errata",
            caption(errata.len(), "is wrong and acknowledged", "are wrong and acknowledged"),
            &errata,
        ),
        tables: tables(judged),
        conflicts: conflicts::list(judged),
        ..absent(view)
    }
}

/// Claims that do not follow, as rows that lead to the claims.
fn short(view: &View<'_>, id: &str, caption: String, claims: &[&Judgement]) -> Option<Sheet> {
    (!claims.is_empty()).then(|| claim_rows::sheet(view, id, caption, claims, true))
}

fn of_place(view: &View<'_>, place: &Place<'_>) -> Context {
    let claims = place.claims(view);
    let caption = format!("{} about {}", many(claims.len(), "claim", "claims"), named(place.area));
    let mut crumbs = vec![Link::new("Claims", ALL)];
    if place.source.is_some() {
        crumbs.push(Link::new(named(place.area), routes::claims(place.area)));
    }
    Context {
        crumbs,
        line: claim_area::line(view, place, &claims),
        counts: Vec::new(),
        sources: place.source.is_none().then(|| claim_area::by_source(view, place.area)).flatten(),
        claims: (!claims.is_empty()).then(|| in_full(view, caption, &claims)),
        ..absent(view)
    }
}

fn unacknowledged<'j>(claims: &[&'j Judgement]) -> Vec<&'j Judgement> {
    claims.iter().copied().filter(|claim| claim.verdict.contradicts() && claim.erratum.is_none()).collect()
}

fn bases(judged: &Judgements) -> Option<Sheet> {
    if judged.summary.bases.is_empty() {
        return None;
    }
    let heads = vec![Head::text("The recomputed value rests on"), Head::num("Claims", ""), Head::num("Agree", "")];
    let mut sheet = Sheet::new("bases", "How strong the evidence is", heads);
    for (basis, verdicts) in &judged.summary.bases {
        sheet.push(vec![
            Cell::text(basis.words()),
            Cell::count(verdicts.values().sum()),
            Cell::count(verdicts.iter().filter(|(verdict, _)| verdict.agrees()).map(|(_, count)| count).sum()),
        ]);
    }
    Some(sheet)
}

fn missing(judged: &Judgements) -> Option<Sheet> {
    if judged.summary.missing.is_empty() {
        return None;
    }
    let mut sheet = Sheet::new(
        "not-checkable",
        "Why claims cannot be checked",
        vec![Head::text("Reason"), Head::num("Claims", "")],
    );
    for (reason, count) in &judged.summary.missing {
        sheet.push(vec![Cell::text(reason.words()), Cell::count(*count)]);
    }
    Some(sheet)
}

fn tables(judged: &Judgements) -> Option<Sheet> {
    if judged.tables.is_empty() {
        return None;
    }
    let heads = vec![
        Head::text("Published table"),
        Head::text("Area"),
        Head::num("Rows", ""),
        Head::num("Cells", ""),
        Head::text("Verdict"),
        Head::text("Exceptions and remarks"),
    ];
    let mut sheet = Sheet::new("published", "Published tables, compared cell by cell", heads);
    for table in &judged.tables {
        let mut said: Vec<String> = table.remark.iter().cloned().collect();
        said.extend(table.exceptions.iter().take(5).map(|row| format!("line {}: {}", row.line, row.message)));
        if table.exceptions.len() > 5 {
            said.push(format!("and {} more", table.exceptions.len() - 5));
        }
        if table.digest_agrees == Some(false) {
            said.push("the file is not the one the ledger was written for".to_owned());
        }
        sheet.push_named(
            routes::anchor(&format!("table {}", table.id)),
            vec![
                Cell::text(table.file.clone()).classed("mono"),
                Cell::text(table.area.replace(['-', '_'], " ")),
                Cell::count(table.rows),
                Cell::count(table.cells),
                claim_rows::verdict_cell(table.verdict, false),
                Cell::text(said.join("; ")),
            ],
        );
    }
    Some(sheet)
}
