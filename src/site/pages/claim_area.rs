//! The claims of an area: together on its page, or, when they are many, those of each source that prints
//! many of them on a page of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::claim_rows;
use super::counts::many;
use crate::claims::{Judgement, Judgements, Verdict};
use crate::number::grouped;
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// Most claims that stand together on the page of an area, whatever their sources.
const TOGETHER: usize = 200;

/// Most claims of one source that stand among others in an area of more.
const AMONG_OTHERS: usize = 40;

/// Area and source of the claims that have a page of their own.
pub(crate) type Apart<'a> = BTreeSet<(&'a str, &'a str)>;

/// Which claims have a page of their own.
pub(crate) fn apart(judged: &Judgements) -> Apart<'_> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for claim in &judged.claims {
        *counts.entry((&claim.area, &claim.source)).or_default() += 1;
    }
    let all = |area| judged.summary.areas.get(area).map_or(0, |verdicts| verdicts.values().sum::<usize>());
    counts.retain(|(area, _), count| *count > AMONG_OTHERS && all(*area) > TOGETHER);
    counts.into_keys().collect()
}

/// A page of claims: an area, or what one source says of it.
pub(super) struct Place<'v> {
    pub(super) area: &'v str,
    pub(super) source: Option<&'v str>,
}

impl<'v> Place<'v> {
    /// The page on which a claim is shown in full.
    pub(super) fn of(view: &View<'v>, claim: &'v Judgement) -> Self {
        let apart = view.apart.contains(&(claim.area.as_str(), claim.source.as_str()));
        Place { area: &claim.area, source: apart.then_some(&claim.source) }
    }

    /// Address of the page.
    pub(super) fn path(&self) -> String {
        match self.source {
            Some(source) => routes::claims_of(self.area, source),
            None => routes::claims(self.area),
        }
    }

    /// Claims that stand here.
    pub(super) fn claims(&self, view: &View<'v>) -> Vec<&'v Judgement> {
        let judged = view.input.judgements.iter().flat_map(|judged| &judged.claims);
        judged.filter(|claim| claim.area == self.area && Self::of(view, claim).source == self.source).collect()
    }
}

/// All pages of claims.
pub(super) fn places<'v>(view: &View<'v>) -> Vec<Place<'v>> {
    let areas = view.input.judgements.iter().flat_map(|judged| judged.summary.areas.keys());
    let areas = areas.map(|area| Place { area, source: None });
    areas.chain(view.apart.iter().map(|&(area, source)| Place { area, source: Some(source) })).collect()
}

type Counted = BTreeMap<Verdict, usize>;

fn by_verdict(claims: &[&Judgement]) -> Counted {
    let mut counted = Counted::new();
    for claim in claims {
        *counted.entry(claim.verdict).or_default() += 1;
    }
    counted
}

/// Areas with their claims by verdict.
pub(super) fn areas(judged: &Judgements) -> Sheet {
    let rows = judged.summary.areas.iter().map(|(area, verdicts)| (named(area), routes::claims(area), verdicts));
    counted(("areas", "Claims by area and verdict", "Area"), rows)
}

/// Claims by what prints them: the paper first, then the documents by name.
pub(super) fn printed_in(judged: &Judgements) -> Option<Sheet> {
    let sources = &judged.summary.sources;
    let rows = sources.iter().map(|(source, verdicts)| (source.clone(), String::new(), verdicts));
    (sources.len() > 1)
        .then(|| counted(("printed-in", "Claims by paper and document, and verdict", "Printed in"), rows))
}

/// Sources of an area whose claims stand elsewhere, by verdict.
pub(super) fn by_source(view: &View<'_>, area: &str) -> Option<Sheet> {
    let here = view.apart.iter().filter(|(of, _)| *of == area);
    let counted_of = |&(area, source): &(&str, &str)| {
        let place = Place { area, source: Some(source) };
        (source.to_owned(), place.path(), by_verdict(&place.claims(view)))
    };
    let rows: Vec<(String, String, Counted)> = here.map(counted_of).collect();
    let rows_of = || rows.iter().map(|(source, path, verdicts)| (source.clone(), path.clone(), verdicts));
    let labels = ("sources", "Claims on pages of their own, by source and verdict", "Source");
    (!rows.is_empty()).then(|| counted(labels, rows_of()))
}

fn counted<'c>(
    (id, caption, head): (&str, &str, &str),
    rows: impl Iterator<Item = (String, String, &'c Counted)>,
) -> Sheet {
    let rows: Vec<(String, String, &Counted)> = rows.collect();
    // A verdict that nothing here has is no column.
    let occurs = |verdict: &Verdict| rows.iter().any(|(_, _, verdicts)| verdicts.contains_key(verdict));
    let verdicts_here: Vec<Verdict> = Verdict::ALL.into_iter().filter(occurs).collect();
    let mut heads = vec![Head::text(head), Head::num("Claims", "")];
    heads.extend(verdicts_here.iter().map(|verdict| Head::num(capital(verdict.words()), "")));
    let mut sheet = Sheet::new(id, caption, heads);
    for (name, href, verdicts) in rows {
        let first = if href.is_empty() { Cell::text(name) } else { Cell::link(name, href) };
        let mut cells = vec![first, Cell::count(verdicts.values().sum())];
        for &verdict in &verdicts_here {
            let count = verdicts.get(&verdict).copied().unwrap_or(0);
            let class = if count > 0 && verdict.contradicts() { "num s-fail" } else { "num" };
            cells.push(Cell::count(count).classed(class));
        }
        sheet.push(cells);
    }
    sheet.sourced(Source::default().with_file("all judgements", "data/judgements.json"))
}

/// The text with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Claims in full.
pub(super) fn in_full(view: &View<'_>, caption: String, claims: &[&Judgement]) -> Sheet {
    claim_rows::sheet(view, "claims", caption, claims, false)
}

/// The name of an area for people.
pub(super) fn named(area: &str) -> String {
    area.replace(['-', '_'], " ")
}

/// Claims by verdict, as a sentence: of the whole area on its page, of the source on its.
pub(super) fn line(view: &View<'_>, place: &Place<'_>, here: &[&Judgement]) -> String {
    let all = view.input.judgements.iter().flat_map(|judged| &judged.claims);
    let all: Vec<&Judgement> = all.filter(|claim| claim.area == place.area).collect();
    let counted = by_verdict(if place.source.is_some() { here } else { &all });
    let verdict = |(verdict, count): (&Verdict, &usize)| match verdict {
        Verdict::ConflictingSources => many(*count, "on which sources disagree", "on which sources disagree"),
        Verdict::RoundsTheOtherWay => many(*count, "rounds the other way", "round the other way"),
        Verdict::Differs => many(*count, "differs", "differ"),
        verdict => format!("{} {}", grouped(*count as u64), verdict.words()),
    };
    let said: Vec<String> = counted.iter().map(verdict).collect();
    let elsewhere = match place.source {
        None if all.len() > here.len() => {
            format!(
                " {} of them stand with their sources, {} below.",
                grouped((all.len() - here.len()) as u64),
                grouped(here.len() as u64)
            )
        }
        _ => String::new(),
    };
    format!("{}.{elsewhere}", said.join(", "))
}
