//! Claims as rows: what is printed, what was recomputed, the verdict, and how it came about.

use crate::claims::{Judgement, Link as Support, Part, Told, Verdict};
use crate::markup::{Html, escape};
use crate::number;
use crate::site::sheet::{Cell, Head, Sheet, Source, p_text};
use crate::site::units::{grouped, with_unit};
use crate::site::view::View;
use crate::site::{marks, routes};

use super::claim_area::Place;
use super::outcomes::significant;
use super::published;
use super::survival;

/// Most places of a claim that are quoted.
const MOST_PLACES: usize = 4;

/// Where a claim is shown in full.
pub(crate) fn href(view: &View<'_>, claim: &Judgement) -> String {
    format!("{}#{}", Place::of(view, claim).path(), anchor(claim))
}

fn anchor(claim: &Judgement) -> String {
    routes::anchor(&format!("{} {}", claim.ledger, claim.id))
}

/// Class and sign of a verdict.
pub(crate) const fn look(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Reproduced => ("agrees", "✓"),
        Verdict::SameByConstruction => ("unknown", "="),
        Verdict::Consistent => ("consistent", "∼"),
        Verdict::NotCheckable => ("unknown", "?"),
        Verdict::ConflictingSources => ("erratum", "≠"),
        Verdict::RoundsTheOtherWay => ("rounding", "≈"),
        Verdict::Differs | Verdict::Impossible => ("differs", "✗"),
    }
}

/// Verdict as a cell.
pub(crate) fn verdict_cell(verdict: Verdict, erratum: bool) -> Cell {
    let (class, sign) = look(verdict);
    let words = verdict.words();
    let more = if erratum { " <span class=\"mark erratum\">erratum</span>" } else { "" };
    Cell::html(Html::trusted(format!("<span class=\"mark {class}\">{sign} {words}</span>{more}")), words)
}

/// Claims as a table. In a short table every claim leads to its row on the page of its area.
pub(crate) fn sheet(view: &View<'_>, id: &str, caption: String, claims: &[&Judgement], short: bool) -> Sheet {
    let mut heads = vec![Head::text("Claim")];
    heads.extend(short.then(|| Head::text("Area")));
    heads.extend([Head::text("Verdict"), Head::text("Printed"), Head::text("Recomputed")]);
    // A page of one source names it above the table.
    let one_source = !short && claims.iter().all(|claim| claim.source == claims[0].source);
    let survives = claims.iter().any(|claim| survival::conclusion(view, claim).is_some());
    heads.extend(
        survives.then(|| {
            Head::num("Other choices", "").explained("Combinations of defensible choices under which it holds")
        }),
    );
    heads.extend((!one_source).then(|| Head::text("Source")));
    heads.extend((!short).then(|| Head::text("How")));
    let mut sheet = Sheet::new(id, caption, heads);
    sheet.filter = claims.len() > 8;
    for claim in claims {
        let mut cells = vec![if short { linked(view, claim) } else { name(claim) }];
        cells.extend(short.then(|| Cell::text(claim.area.replace(['-', '_'], " "))));
        cells.extend([
            verdict_cell(claim.verdict, claim.erratum.is_some()),
            Cell::text(printed(claim)),
            Cell::text(recomputed(claim)),
        ]);
        cells.extend(survives.then(|| survival::conclusion(view, claim).map_or_else(Cell::default, survival::cell)));
        let source = || Cell::html(breakable(&claim.source), claim.source.clone()).classed("place");
        cells.extend((!one_source).then(source));
        cells.extend((!short).then(|| Cell::html(how(view, claim), "").classed("why")));
        if short {
            sheet.push(cells);
        } else {
            sheet.push_named(anchor(claim), cells);
        }
    }
    sheet.sourced(Source::default().with_file("all judgements", "data/judgements.json"))
}

/// A place that may break after a slash or an underscore and nowhere inside a word.
fn breakable(place: &str) -> Html {
    let parts: Vec<String> = place.split_inclusive(['/', '_']).map(escape).collect();
    Html::trusted(parts.join("<wbr>"))
}

/// Statement as a link to its row, and why it does not follow.
fn linked(view: &View<'_>, claim: &Judgement) -> Cell {
    let why = [why(view, claim), origin(claim).to_owned()].into_iter().filter(|text| !text.is_empty());
    let more: String = why.map(|text| format!("<small class=\"below\">{}</small>", escape(&text))).collect();
    let html = format!("<a href=\"../{}\">{}</a>{more}", escape(&href(view, claim)), escape(&claim.statement));
    Cell::html(Html::trusted(html), claim.id.clone()).classed("claim")
}

/// Statement with its permanent address.
fn name(claim: &Judgement) -> Cell {
    let anchor = anchor(claim);
    let html = format!(
        "{} <a class=\"here\" href=\"#{anchor}\"><small>{}</small></a>{}",
        escape(&claim.statement),
        escape(&claim.id),
        match origin(claim) {
            "" => String::new(),
            origin => format!("<small class=\"below\">{origin}</small>"),
        }
    );
    Cell::html(Html::trusted(html), claim.id.clone()).classed("claim")
}

/// Who says what a claim is about, where that is no author.
const fn origin(claim: &Judgement) -> &'static str {
    if claim.found.is_some() { "bound by words, not by an author" } else { "" }
}

fn printed(claim: &Judgement) -> String {
    with_unit(&claim.printed, &claim.unit)
}

fn recomputed(claim: &Judgement) -> String {
    let is_p = matches!(claim.unit.as_str(), "p" | "P");
    let parts: Vec<String> = claim.parts.iter().filter_map(|one| part(one, &claim.unit, is_p)).collect();
    parts.join(", ")
}

fn part(part: &Part, unit: &str, is_p: bool) -> Option<String> {
    if let Some(word) = &part.word {
        return Some(word.clone());
    }
    if let Some((low, high)) = part.between {
        return Some(with_unit(&format!("{} to {}", grouped(&significant(low)), grouped(&significant(high))), unit));
    }
    let value = part.value?;
    let text = match part.decimals {
        _ if is_p => p_text(value),
        // One digit more than printed shows which way a number rounds.
        Some(decimals) if decimals >= 0 => {
            let text = number::fixed(value, decimals as usize + 1);
            if value.fract() == 0.0 && decimals == 0 { number::fixed(value, 0) } else { text }
        }
        _ => significant(value),
    };
    let text = with_unit(&grouped(&text), unit);
    let named = if part.name.is_empty() { text } else { format!("{} {text}", part.name) };
    Some(match part.count {
        Some((k, n)) => format!("{named} ({} of {})", number::grouped(k), number::grouped(n)),
        None => named,
    })
}

/// One line: why a claim has its verdict. Words of people are quotations with their name.
fn why(view: &View<'_>, claim: &Judgement) -> String {
    let missing = claim.missing.map(|missing| missing.words().to_owned());
    let erratum = claim.erratum.as_ref().map(|text| {
        let ledgers = view.input.judgements.iter().flat_map(|judged| &judged.ledgers);
        let by = ledgers.filter(|ledger| ledger.file == claim.ledger).find_map(|ledger| ledger.author.clone());
        Told { text: text.clone(), by, about: None }.quoted()
    });
    let told = claim.explanation.as_ref().map(Told::quoted);
    // Readings stand one by one below.
    let reason = claim.reason.clone().filter(|_| claim.readings.is_empty());
    let said = [erratum, told, reason.or(missing), claim.remark.clone()];
    let said = said.into_iter().flatten();
    said.reduce(|all, more| format!("{all}{} {more}", if all.ends_with('.') { "" } else { ";" })).unwrap_or_default()
}

/// Rule, expressions, interval and supporting facts.
fn how(view: &View<'_>, claim: &Judgement) -> Html {
    let mut out = String::new();
    let why = why(view, claim);
    if !why.is_empty() {
        out.push_str(&format!("<span>{}</span> ", escape(&why)));
    }
    let mut lines: Vec<String> = Vec::new();
    let mut last = String::new();
    // Several values of one name stand under it once.
    let mut line = |name: &str, html: String| {
        let term = if last == name { String::new() } else { format!("<dt>{name}</dt>") };
        name.clone_into(&mut last);
        lines.push(format!("{term}<dd>{html}</dd>"));
    };
    for spot in claim.places.iter().take(MOST_PLACES) {
        let known = view.input.documents.iter().any(|(path, _)| *path == spot.document);
        let href = format!("../{}#{}", routes::document(&spot.document), marks::anchor(spot.byte));
        let place =
            if known { format!("<a href=\"{href}\">{}</a>", escape(&spot.document)) } else { escape(&spot.document) };
        line("Stands in", format!("{place}, line {}: <q>{}</q>", spot.line, escape(&spot.text)));
    }
    if let Some(found) = &claim.found {
        let words: Vec<String> = found.words.iter().map(|word| format!("<q>{}</q>", escape(word))).collect();
        line(
            "Bound by",
            format!("its words, not by an author ({} confidence): {}", escape(&found.confidence), words.join(", ")),
        );
    }
    if !claim.rule.is_empty() {
        line("Rule", link_method(view, &claim.rule));
    }
    for reading in &claim.readings {
        line(
            "Could mean",
            format!("{}: {} ({})", escape(&reading.name), escape(&reading.value), reading.verdict.words()),
        );
    }
    for expression in &claim.expressions {
        line("Expression", format!("<code>{}</code>", escape(expression)));
    }
    for part in claim.parts.iter().filter(|part| part.interval.is_some() && part.value.is_some()) {
        let (low, high) = part.interval.unwrap_or_default();
        line("Prints like it", format!("{} to {}", escape(&significant(low)), escape(&significant(high))));
    }
    if let Some(basis) = claim.basis {
        line("Rests on", basis.words().to_owned());
    }
    let shown: Vec<String> = claim.links.iter().take(3).map(|link| support(view, claim, link)).collect();
    if !shown.is_empty() {
        let more = claim.facts_used.saturating_sub(shown.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        line("Facts", format!("{}{more}", shown.join(", ")));
    }
    if let Some(conclusion) = survival::conclusion(view, claim) {
        line("Other choices", escape(&conclusion.sentence));
    }
    if !claim.also.is_empty() {
        line("Also printed in", escape(&claim.also.join("; ")));
    }
    for conflict in &claim.conflicts {
        let known = view.input.judgements.is_some_and(|j| j.conflicts.iter().any(|c| c.id == *conflict));
        let name = escape(&conflict.replace('-', " "));
        line(
            "Conflict",
            if known { format!("<a href=\"../{}\">{name}</a>", super::conflicts::href(conflict)) } else { name },
        );
    }
    if !lines.is_empty() {
        out.push_str(&format!("<details><summary>how</summary><dl>{}</dl></details>", lines.concat()));
    }
    Html::trusted(out)
}

fn link_method(view: &View<'_>, rule: &str) -> String {
    match view.method_of(rule) {
        Some(id) => format!("<a href=\"../{}\">{}</a>", routes::method(id), escape(rule)),
        None => escape(rule),
    }
}

fn support(view: &View<'_>, claim: &Judgement, link: &Support) -> String {
    if link.source == "claim" {
        let claims = view.input.judgements.iter().flat_map(|judged| &judged.claims);
        let other = claims.filter(|other| other.ledger == claim.ledger).find(|other| other.id == link.measure);
        let text = format!("claim {}", escape(&link.measure));
        return match other {
            Some(other) => format!("<a href=\"../{}\">{text}</a>", escape(&href(view, other))),
            None => text,
        };
    }
    let keys: Vec<&str> = link.keys.values().map(String::as_str).collect();
    let text = escape(format!("{} {} {}", link.source, link.measure, keys.join(" ")).trim());
    let Some(id) = view.method_of(&link.source) else {
        // A cell of a table that the study brings: no statistic stands behind it.
        let label = escape(&published::label(link));
        return match published::href(view, link) {
            Some(href) => format!("<a href=\"../{href}\">{label}</a>"),
            None => format!("{label} (no such table could be read from the archive)"),
        };
    };
    format!("<a href=\"../{}\">{text}</a>", view.fact_href(id, &link.measure, &link.keys))
}
