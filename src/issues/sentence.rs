//! One plain sentence for an issue, made from data.

use std::collections::{BTreeMap, BTreeSet};

use super::Subject;
use super::cause::Cause;
use crate::claims::{Conflict, Judgement, Link, Shape, Verdict, recomputed};
use crate::number::grouped;
use crate::report::{Finding, code};

/// Numbers, places and sides that a sentence names; the issue lists all.
const NAMED: usize = 3;

/// Findings of one kind: what the kind means, and where.
pub(super) fn of_findings(findings: &[&Finding]) -> String {
    let first = findings[0];
    let meaning = code(first.code).map_or("", |entry| entry.meaning).trim_end_matches('.');
    if let [finding] = findings {
        let place = finding.place.to_string();
        let what = if place.is_empty() { meaning } else { &place };
        return ended(&format!("{what}: {}", finding.message));
    }
    let files: BTreeSet<&str> = findings.iter().filter_map(|finding| finding.place.file.as_deref()).collect();
    let place = match files.len() {
        0 => String::new(),
        1 => format!(" in {}", files.first().copied().unwrap_or_default()),
        n => format!(" in {n} files"),
    };
    ended(&format!("{meaning} ({} times{place})", grouped(findings.len() as u64)))
}

/// Printed numbers, what they should be, and where they stand.
pub(super) fn of_claims(subject: &Subject<'_>, claims: &[&Judgement], cause: &Cause) -> String {
    let wrong: Vec<&Judgement> = claims.iter().copied().filter(|claim| super::own(claim).contradicts()).collect();
    let Some(&lead) = wrong.first().or_else(|| claims.first()) else { return String::new() };
    let about = names(subject, &wrong);
    let place = places(&wrong);
    let added = match cause {
        Cause::Audited(origin) => format!("; {}", origin.words()),
        Cause::OtherNeighbour => "; it is rounded the other way".to_owned(),
        _ => String::new(),
    };
    let unit = if lead.unit == "percent" { " %" } else { "" };
    ended(&match (&lead.shape, wrong.as_slice()) {
        (_, []) => {
            format!("{about}: a number that its author calls wrong, {}{unit}, follows from the archive", lead.printed)
        }
        (Shape::Holds, [one]) => format!("{about}: the statement in {} does not hold", one.source),
        (Shape::Holds, many) => format!("{about}: {} statements do not hold ({place})", many.len()),
        (_, [one]) if one.verdict == Verdict::Impossible || one.parts.iter().all(|part| part.value.is_none()) => {
            let why = one.remark.as_deref().map(|text| format!(" ({text})")).unwrap_or_default();
            format!("{about}: {}{unit} is printed in {}, which no archive could give{why}", one.printed, one.source)
        }
        (_, [one]) => {
            let basis = one.basis.map_or(String::new(), |basis| format!(" from {}", basis.words()));
            format!(
                "{about}: {}{unit} is printed in {}, and {}{unit} is recomputed{basis}{added}",
                one.printed,
                one.source,
                recomputed(one)
            )
        }
        (_, many) => {
            let pair = |claim: &&Judgement| format!("{} (recomputed {})", claim.printed, recomputed(claim));
            let shown: Vec<String> = many.iter().take(NAMED).map(pair).collect();
            let (count, more) = (grouped(many.len() as u64), beyond(many.len(), "number"));
            format!("{about}: {count} printed numbers do not follow, {}{more}; in {place}{added}", shown.join(", "))
        }
    })
}

/// A disagreement of sources, with what the recomputation says where it says anything.
pub(super) fn of_conflict(conflict: &Conflict, wrong: &[&Judgement]) -> String {
    let side = |side: &crate::claims::Side| format!("{}: \u{201c}{}\u{201d}", side.source, side.says);
    let sides: Vec<String> = conflict.sides.iter().take(NAMED).map(side).collect();
    let more = beyond(conflict.sides.len(), "source");
    let settled = match wrong {
        [] => String::new(),
        wrong => {
            let pairs: Vec<String> =
                wrong.iter().take(NAMED).map(|c| format!("{} for {}", recomputed(c), c.printed)).collect();
            format!("; recomputed: {}{}", pairs.join(", "), beyond(wrong.len(), "number"))
        }
    };
    if sides.is_empty() {
        // Without its sides, all that is known of it are its author's words, and they are quoted.
        let words = conflict.statement.trim().trim_end_matches('.');
        return ended(&format!("Sources are said to disagree: \u{201c}{words}\u{201d}{settled}"));
    }
    ended(&format!("Sources disagree ({}{more}){settled}", sides.join("; ")))
}

/// ` and 4 more numbers` beyond those named.
fn beyond(count: usize, noun: &str) -> String {
    match count.saturating_sub(NAMED) {
        0 => String::new(),
        1 => format!(", and 1 more {noun}"),
        n => format!(", and {} more {noun}s", grouped(n as u64)),
    }
}

/// Where claims are printed, the first places by name.
fn places(claims: &[&Judgement]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for claim in claims {
        for place in std::iter::once(&claim.source).chain(&claim.also) {
            if !place.is_empty() && !all.contains(&place.as_str()) {
                all.push(place);
            }
        }
    }
    let shown: Vec<&str> = all.iter().take(NAMED).copied().collect();
    format!("{}{}", shown.join(", "), beyond(all.len(), "place"))
}

/// What claims are about: the names of the statistics they rest on, with the keys that all their facts share.
fn names(subject: &Subject<'_>, claims: &[&Judgement]) -> String {
    let mut titles: Vec<String> = Vec::new();
    let links = || claims.iter().flat_map(|claim| &claim.links);
    for link in links() {
        let title = title(subject, link);
        if !title.is_empty() && !titles.contains(&title) {
            titles.push(title);
        }
    }
    if titles.is_empty() {
        let areas: BTreeSet<String> = claims.iter().map(|claim| claim.area.replace(['-', '_'], " ")).collect();
        return capital(&areas.into_iter().collect::<Vec<_>>().join(", "));
    }
    let mut shared: Option<BTreeMap<&String, &String>> = None;
    for link in links().filter(|link| link.source != "claim") {
        let keys: BTreeMap<&String, &String> = link.keys.iter().collect();
        shared = Some(match shared {
            None => keys,
            Some(known) => known.into_iter().filter(|(key, value)| keys.get(key) == Some(value)).collect(),
        });
    }
    let shown = |value: &String| {
        let configuration = subject.study.configuration(value).map(|configuration| configuration.name.clone());
        configuration.unwrap_or_else(|| value.clone())
    };
    let keys: Vec<String> =
        shared.unwrap_or_default().into_values().map(shown).filter(|text| !text.is_empty()).collect();
    let count = titles.len();
    titles.truncate(2);
    let name = if count > 2 { format!("{} and others", titles.join(", ")) } else { titles.join(" and ") };
    let keys = if keys.is_empty() { String::new() } else { format!(" ({})", keys.join(", ")) };
    format!("{}{keys}", capital(&name))
}

fn title(subject: &Subject<'_>, link: &Link) -> String {
    if let Some(table) = link.source.strip_prefix("published:") {
        return format!("published table {table}");
    }
    let about = subject.known.iter().map(|statistic| statistic.about()).find(|about| about.id == link.source);
    about.map_or_else(String::new, |about| about.title.to_owned())
}

/// The text with a capital letter, unless it begins with a path or an id, which are as they are.
fn capital(text: &str) -> String {
    let first = text.split([' ', ',', ':']).next().unwrap_or_default();
    if first.contains(['/', '_', '.', '-']) {
        return text.to_owned();
    }
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// The text as a sentence.
fn ended(text: &str) -> String {
    let text = capital(text.trim());
    if text.ends_with(['.', '!', '?', '\u{201d}']) { text } else { format!("{text}.") }
}
