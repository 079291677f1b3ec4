//! The claims of an area: together on its page, or, when they are many, on a page for each source that
//! prints them.

use std::collections::BTreeMap;

use super::claim_rows;
use crate::claims::{Judgement, Judgements, Verdict};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// Most claims that stand together on the page of an area.
const TOGETHER: usize = 200;

/// A page of claims: an area, or what one source says of it.
pub(super) struct Place<'v> {
    pub(super) area: &'v str,
    pub(super) source: Option<&'v str>,
}

impl<'v> Place<'v> {
    /// Address of the page.
    pub(super) fn path(&self) -> String {
        match self.source {
            Some(source) => routes::claims_of(self.area, source),
            None => routes::claims(self.area),
        }
    }

    /// Claims that stand here.
    pub(super) fn claims(&self, judged: &'v Judgements) -> Vec<&'v Judgement> {
        let here = |claim: &&Judgement| claim.area == self.area && self.source.is_none_or(|s| claim.source == s);
        judged.claims.iter().filter(here).collect()
    }
}

/// All pages of claims, by area and then by source.
pub(super) fn places(judged: &Judgements) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    for area in judged.summary.areas.keys() {
        places.push(Place { area, source: None });
        if is_large(judged, area) {
            places.extend(sources(judged, area).into_keys().map(|source| Place { area, source: Some(source) }));
        }
    }
    places
}

/// The page on which a claim is shown in full.
pub(super) fn path_of(judged: Option<&Judgements>, claim: &Judgement) -> String {
    let large = judged.is_some_and(|judged| is_large(judged, &claim.area));
    Place { area: &claim.area, source: large.then_some(&claim.source) }.path()
}

/// True for an area whose claims do not stand on one page.
pub(super) fn is_large(judged: &Judgements, area: &str) -> bool {
    judged.summary.areas.get(area).is_some_and(|verdicts| verdicts.values().sum::<usize>() > TOGETHER)
}

type Counted = BTreeMap<Verdict, usize>;

fn sources<'v>(judged: &'v Judgements, area: &str) -> BTreeMap<&'v str, Counted> {
    let mut sources: BTreeMap<&str, Counted> = BTreeMap::new();
    for claim in judged.claims.iter().filter(|claim| claim.area == area) {
        *sources.entry(claim.source.as_str()).or_default().entry(claim.verdict).or_default() += 1;
    }
    sources
}

/// Areas with their claims by verdict.
pub(super) fn areas(judged: &Judgements) -> Sheet {
    let rows = judged.summary.areas.iter().map(|(area, verdicts)| (named(area), routes::claims(area), verdicts));
    counted(("areas", "Claims by area and verdict", "Area"), rows)
}

/// Sources of an area with their claims by verdict.
pub(super) fn by_source(judged: &Judgements, area: &str) -> Sheet {
    let sources = sources(judged, area);
    let row = |(source, verdicts)| (str::to_owned(source), routes::claims_of(area, source), verdicts);
    counted(("sources", "Claims by source and verdict", "Source"), sources.iter().map(|(&s, v)| row((s, v))))
}

fn counted<'c>(
    (id, caption, head): (&str, &str, &str),
    rows: impl Iterator<Item = (String, String, &'c Counted)>,
) -> Sheet {
    let mut heads = vec![Head::text(head), Head::num("Claims", "")];
    heads.extend(Verdict::ALL.iter().map(|verdict| Head::num(claim_rows::words(*verdict), "")));
    let mut sheet = Sheet::new(id, caption, heads);
    for (name, href, verdicts) in rows {
        let mut cells = vec![Cell::link(name, href), Cell::count(verdicts.values().sum())];
        for verdict in Verdict::ALL {
            let count = verdicts.get(&verdict).copied().unwrap_or(0);
            let class = if count > 0 && verdict.contradicts() { "num s-fail" } else { "num" };
            cells.push(Cell::count(count).classed(class));
        }
        sheet.push(cells);
    }
    sheet.sourced(Source::default().with_file("all judgements", "data/judgements.json"))
}

/// Claims in full.
pub(super) fn in_full(view: &View<'_>, caption: String, claims: &[&Judgement]) -> Sheet {
    claim_rows::sheet(view, "claims", caption, claims, false)
}

/// The name of an area for people.
pub(super) fn named(area: &str) -> String {
    area.replace(['-', '_'], " ")
}

/// Claims by verdict, as a sentence.
pub(super) fn line(claims: &[&Judgement]) -> String {
    let mut by_verdict = Counted::new();
    for claim in claims {
        *by_verdict.entry(claim.verdict).or_default() += 1;
    }
    let said: Vec<String> =
        by_verdict.iter().map(|(verdict, count)| format!("{count} {}", claim_rows::words(*verdict))).collect();
    format!("{}.", said.join(", "))
}
