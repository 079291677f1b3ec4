//! How many printed numbers hold, which do not, which cannot be checked, where the sources disagree.

use std::collections::BTreeMap;

use serde::Serialize;

use super::claim_rows;
use super::counts::{self, Count};
use crate::claims::{Conflict, Judgement, Judgements, Verdict};
use crate::number::grouped;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Link, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;

/// The pages: one summary, one per area.
pub(crate) struct Claims;

const ALL: &str = "claims/index.html";

#[derive(Serialize)]
struct Context {
    area: Option<String>,
    line: String,
    counts: Vec<Count>,
    areas: Option<Sheet>,
    bases: Option<Sheet>,
    missing: Option<Sheet>,
    attention: Option<Sheet>,
    errata: Option<Sheet>,
    claims: Option<Sheet>,
    tables: Option<Sheet>,
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

impl Page for Claims {
    fn template(&self) -> (&'static str, &'static str) {
        ("claims.html", include_str!("../../../templates/claims.html"))
    }

    fn section(&self) -> &'static str {
        ALL
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let areas = view.input.judgements.iter().flat_map(|j| j.summary.areas.keys()).map(|area| routes::claims(area));
        std::iter::once(ALL.to_owned()).chain(areas).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let judged = view.input.judgements;
        let area = judged.and_then(|j| j.summary.areas.keys().find(|area| routes::claims(area) == at.path));
        let context = match (judged, area) {
            (Some(judged), Some(area)) => of_area(view, judged, area),
            (Some(judged), None) => summary(view, judged),
            (None, _) => absent(view),
        };
        let title = area.map_or("Claims".to_owned(), |area| format!("Claims: {}", area.replace(['-', '_'], " ")));
        let summary = "Every printed number with its recomputation, verdict, rule and records.".to_owned();
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

fn absent(view: &View<'_>) -> Context {
    let (counts, line) = counts::claims(view);
    Context {
        area: None,
        line,
        counts,
        areas: None,
        bases: None,
        missing: None,
        attention: None,
        errata: None,
        claims: None,
        tables: None,
        conflicts: Vec::new(),
    }
}

fn summary(view: &View<'_>, judged: &Judgements) -> Context {
    let attention: Vec<&Judgement> =
        judged.claims.iter().filter(|claim| claim.verdict.contradicts() && claim.erratum.is_none()).collect();
    let errata: Vec<&Judgement> = judged.claims.iter().filter(|claim| claim.erratum.is_some()).collect();
    let rows = |id, caption: String, claims: &[&Judgement]| {
        (!claims.is_empty()).then(|| claim_rows::sheet(view, id, caption, claims, true))
    };
    Context {
        areas: Some(areas(judged)),
        bases: bases(judged),
        missing: missing(judged),
        attention: rows(
            "attention",
            format!("{} printed numbers do not follow from the archive", attention.len()),
            &attention,
        ),
        errata: rows("errata", format!("{} printed numbers are wrong and acknowledged", errata.len()), &errata),
        tables: tables(judged),
        conflicts: judged.conflicts.iter().map(|conflict| of_conflict(judged, conflict)).collect(),
        ..absent(view)
    }
}

fn of_area(view: &View<'_>, judged: &Judgements, area: &str) -> Context {
    let claims: Vec<&Judgement> = judged.claims.iter().filter(|claim| claim.area == area).collect();
    let caption = format!("{} claims about {}", grouped(claims.len() as u64), area.replace(['-', '_'], " "));
    let mut by_verdict: BTreeMap<Verdict, usize> = BTreeMap::new();
    for claim in &claims {
        *by_verdict.entry(claim.verdict).or_default() += 1;
    }
    let said: Vec<String> =
        by_verdict.iter().map(|(verdict, count)| format!("{count} {}", claim_rows::words(*verdict))).collect();
    Context {
        area: Some(area.replace(['-', '_'], " ")),
        line: format!("{}.", said.join(", ")),
        counts: Vec::new(),
        claims: Some(claim_rows::sheet(view, "claims", caption, &claims, false)),
        ..absent(view)
    }
}

fn areas(judged: &Judgements) -> Sheet {
    let mut heads = vec![Head::text("Area"), Head::num("Claims", "")];
    heads.extend(Verdict::ALL.iter().map(|verdict| Head::num(claim_rows::words(*verdict), "")));
    let mut sheet = Sheet::new("areas", "Claims by area and verdict", heads);
    for (area, verdicts) in &judged.summary.areas {
        let mut cells =
            vec![Cell::link(area.replace(['-', '_'], " "), routes::claims(area)), Cell::count(verdicts.values().sum())];
        for verdict in Verdict::ALL {
            let count = verdicts.get(&verdict).copied().unwrap_or(0);
            let class = if count > 0 && verdict.contradicts() { "num s-fail" } else { "num" };
            cells.push(Cell::count(count).classed(class));
        }
        sheet.push(cells);
    }
    sheet.sourced(Source::default().with_file("all judgements", "data/judgements.json"))
}

fn bases(judged: &Judgements) -> Option<Sheet> {
    if judged.summary.bases.is_empty() {
        return None;
    }
    let heads = vec![Head::text("The recomputed value rests on"), Head::num("Claims", ""), Head::num("Reproduced", "")];
    let mut sheet = Sheet::new("bases", "How strong the evidence is", heads);
    for (basis, verdicts) in &judged.summary.bases {
        sheet.push(vec![
            Cell::text(claim_rows::basis_words(*basis)),
            Cell::count(verdicts.values().sum()),
            Cell::count(verdicts.get(&Verdict::Reproduced).copied().unwrap_or(0)),
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

fn of_conflict(judged: &Judgements, conflict: &Conflict) -> ConflictContext {
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
        .map(|claim| Link::new(claim.id.clone(), claim_rows::href(claim)));
    ConflictContext {
        id: routes::anchor(&format!("conflict {}", conflict.id)),
        title: conflict.id.replace('-', " "),
        statement: conflict.statement.clone(),
        sides,
        resolution: conflict.resolution.clone().unwrap_or_default(),
        claims: claims.collect(),
        found: conflict.found,
    }
}
