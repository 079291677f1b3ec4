//! Sources that disagree: those the ledger lists, and those found by comparing what is printed.

use std::collections::{BTreeMap, BTreeSet};

use super::judgement::{Judgement, Verdict};
use super::ledger::{Compare, Conflict, Ledger, Side};
use crate::report::{Finding, Place};

/// Marks the claims concerned and returns all conflicts of the ledger, listed ones first.
///
/// A claim of a listed conflict gets the verdict `conflicting-sources`; what its recomputation says stays
/// beside it. In a conflict that was found here, the verdict stays where a recomputation settles it.
pub(super) fn settle(ledger: &Ledger, judged: &mut [Judgement], findings: &mut Vec<Finding>) -> Vec<Conflict> {
    let found = disagreements(judged);
    let position: BTreeMap<String, usize> = judged.iter().enumerate().map(|(at, j)| (j.id.clone(), at)).collect();
    for conflict in &ledger.conflicts {
        for id in &conflict.claims {
            match position.get(id) {
                Some(&at) => listed(&mut judged[at], &conflict.id),
                None => findings.push(Finding::new(
                    "bad-ledger",
                    Place::file(&ledger.file).with_subject(&conflict.id),
                    format!("`claims`: no claim is called `{id}`"),
                )),
            }
        }
    }
    for conflict in &found {
        for id in &conflict.claims {
            if let Some(&at) = position.get(id) {
                noticed(&mut judged[at], conflict);
            }
        }
    }
    let of_ledger = |mut conflict: Conflict| {
        conflict.ledger.clone_from(&ledger.file);
        conflict.by = ledger.author.clone().filter(|_| !conflict.found);
        conflict
    };
    ledger.conflicts.iter().cloned().chain(found).map(of_ledger).collect()
}

fn listed(judgement: &mut Judgement, conflict: &str) {
    if judgement.verdict != Verdict::ConflictingSources {
        judgement.recomputation = Some(judgement.verdict);
        judgement.verdict = Verdict::ConflictingSources;
    }
    judgement.conflicts.push(conflict.to_owned());
}

fn noticed(judgement: &mut Judgement, conflict: &Conflict) {
    if judgement.verdict == Verdict::NotCheckable && conflict.settled_by.is_none() {
        judgement.recomputation = Some(Verdict::NotCheckable);
        judgement.verdict = Verdict::ConflictingSources;
    }
    judgement.conflicts.push(conflict.id.clone());
}

/// Printed numbers that rest on the same expression and exclude one another.
fn disagreements(judged: &[Judgement]) -> Vec<Conflict> {
    let mut groups: BTreeMap<(&str, &str), Vec<(usize, usize)>> = BTreeMap::new();
    for (at, judgement) in judged.iter().enumerate().filter(|(_, judgement)| judgement.compare == Compare::Equal) {
        // Only where each number has its own expression is it known what is compared with what.
        if judgement.expressions.len() == judgement.parts.len() {
            for (part, text) in judgement.expressions.iter().enumerate() {
                if !text.is_empty() && !judgement.is_of_own_counts(part) {
                    groups.entry((text, &judgement.unit)).or_default().push((at, part));
                }
            }
        }
    }
    groups.into_iter().filter_map(|((text, _), members)| disagreement(judged, text, &members)).collect()
}

fn disagreement(judged: &[Judgement], text: &str, members: &[(usize, usize)]) -> Option<Conflict> {
    let intervals: Vec<(f64, f64)> = members.iter().filter_map(|&(at, part)| judged[at].parts[part].interval).collect();
    if intervals.len() != members.len() || !intervals.iter().any(|a| intervals.iter().any(|b| excludes(*a, *b))) {
        return None;
    }
    // A recomputed value settles which of them is wrong, and each wrong one is told where it is judged.
    if members.iter().any(|&(at, part)| judged[at].parts[part].value.is_some()) {
        return None;
    }
    let sides = sides(judged, members);
    let first = members.first().map(|&(at, _)| judged[at].id.as_str()).unwrap_or_default();
    let claims: BTreeSet<String> = members.iter().map(|&(at, _)| judged[at].id.clone()).collect();
    Some(Conflict {
        id: format!("printed-{first}"),
        kind: "printed".into(),
        statement: format!("Numbers that exclude one another are printed for the same value, {text}."),
        sides,
        claims: claims.into_iter().collect(),
        resolution: None,
        found: true,
        ledger: String::new(),
        by: None,
        settled_by: None,
    })
}

/// The sides of a conflict: numbers that print the same value at several precisions stand on one side, with
/// every place that prints them.
fn sides(judged: &[Judgement], members: &[(usize, usize)]) -> Vec<Side> {
    let mut ordered: Vec<(usize, usize)> = members.to_vec();
    let width = |&(at, part): &(usize, usize)| judged[at].parts[part].interval.map_or(0.0, |(low, high)| high - low);
    // The most precise number of a side speaks for it.
    ordered.sort_by(|a, b| width(a).total_cmp(&width(b)).then(a.cmp(b)));
    let mut sides: Vec<((f64, f64), String, BTreeSet<String>)> = Vec::new();
    for (at, part) in ordered {
        let (judgement, part) = (&judged[at], &judged[at].parts[part]);
        let Some(interval) = part.interval else { continue };
        let mut places: BTreeSet<String> = judgement.also.iter().cloned().collect();
        places.insert(judgement.source.clone());
        match sides.iter_mut().find(|(known, ..)| !excludes(*known, interval)) {
            Some((_, says, known)) => {
                if !says.split(", also ").any(|text| text == part.printed) {
                    says.push_str(&format!(", also {}", part.printed));
                }
                known.append(&mut places);
            }
            None => sides.push((interval, part.printed.clone(), places)),
        }
    }
    sides.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let side = |(_, says, places): (_, String, BTreeSet<String>)| Side {
        source: places.into_iter().collect::<Vec<_>>().join("; "),
        says,
    };
    sides.into_iter().map(side).collect()
}

/// No value prints like both.
fn excludes(a: (f64, f64), b: (f64, f64)) -> bool {
    a.1 < b.0 - 1e-9 || b.1 < a.0 - 1e-9
}
