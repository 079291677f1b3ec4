//! What the judgements have to say in the one list of findings.

use std::collections::BTreeMap;

use super::judgement::{Judgement, Judgements, Verdict};
use super::ledger::Conflict;
use crate::number;
use crate::report::{Finding, Place};

/// Adds the findings of all claims, tables and conflicts.
pub(super) fn collect(judgements: &mut Judgements) {
    let mut findings = std::mem::take(&mut judgements.findings);
    let mut missing: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for claim in &judgements.claims {
        findings.extend(of_claim(claim));
        if claim.verdict == Verdict::NotCheckable && claim.erratum.is_none() {
            let reason = claim.reason.as_deref().unwrap_or("unknown");
            missing.entry((&claim.ledger, reason)).or_default().push(&claim.id);
        }
    }
    for ((ledger, reason), ids) in missing {
        findings.push(Finding::new("claim-not-checkable", Place::file(ledger), not_checkable(reason, &ids)));
    }
    findings.extend(judgements.conflicts.iter().map(of_conflict));
    for table in judgements.tables.iter().filter(|table| table.unreadable) {
        let place = Place::file(&table.file).with_subject(&table.id);
        findings.push(Finding::new("unreadable-table", place, table.remark.clone().unwrap_or_default()));
    }
    for table in judgements.tables.iter().filter(|table| !table.unreadable) {
        for (verdict, rows) in table.verdicts.iter().filter(|(_, rows)| **rows > 0) {
            let place = Place::file(&table.ledger).with_subject(&table.id);
            let text = format!("{rows} of {} rows of {}: {}", table.rows, table.file, verdict.as_str());
            match verdict {
                agrees if agrees.agrees() => {}
                Verdict::NotCheckable => {
                    let why = table.remark.as_deref().unwrap_or("no recomputed table");
                    findings.push(Finding::new("claim-not-checkable", place, format!("{text} ({why})")));
                }
                _ => findings.push(Finding::new("table-differs", place, text)),
            }
        }
        if table.digest_agrees == Some(false) {
            let place = Place::file(&table.file).with_subject(&table.id);
            findings.push(Finding::new("digest-differs", place, "the file is not the one that the ledger names"));
        }
    }
    judgements.findings = findings;
}

fn not_checkable(reason: &str, ids: &[&str]) -> String {
    let shown: Vec<&str> = ids.iter().take(3).copied().collect();
    let more = if ids.len() > 3 { ", ..." } else { "" };
    let noun = if ids.len() == 1 { "claim" } else { "claims" };
    format!("{} {noun} ({}{more}): {reason}", ids.len(), shown.join(", "))
}

fn of_claim(claim: &Judgement) -> Option<Finding> {
    let place = Place::file(&claim.ledger).with_subject(&claim.id);
    let own = claim.recomputation.unwrap_or(claim.verdict);
    if let Some(reason) = &claim.erratum {
        let holds = own.agrees();
        let (code, text) = if holds {
            ("erratum-holds", format!("printed {} does follow: {}", claim.printed, recomputed(claim)))
        } else {
            ("claim-erratum", format!("printed {}, recomputed {}: {reason}", claim.printed, recomputed(claim)))
        };
        return Some(Finding::new(code, place, text));
    }
    let code = match claim.verdict {
        Verdict::Differs => "claim-differs",
        Verdict::RoundsTheOtherWay => "claim-rounds",
        Verdict::Impossible => "claim-impossible",
        // Conflicts have findings of their own; a number that differs from the table that prints it too has none.
        Verdict::ConflictingSources if claim.conflicts.is_empty() => "claim-conflict",
        Verdict::Reproduced
        | Verdict::SameByConstruction
        | Verdict::Consistent
        | Verdict::NotCheckable
        | Verdict::ConflictingSources => return None,
    };
    // What a person says about it stands with the claim and is no finding of this tool.
    let why = claim.remark.as_ref().map(|text| format!(" ({text})")).unwrap_or_default();
    let origin = if claim.found.is_some() { "; bound by words, not by an author" } else { "" };
    Some(Finding::new(code, place, format!("printed {}, recomputed {}{why}{origin}", claim.printed, recomputed(claim))))
}

/// Recomputed values in print order, one digit more than printed; a P with two significant digits. (The
/// JSON has full precision.)
pub fn recomputed(claim: &Judgement) -> String {
    let text = |part: &super::judgement::Part| match (part.value, &part.word) {
        (Some(value), _) if part.decimals.is_none() => if value == 0.0 { "does not hold" } else { "holds" }.to_owned(),
        (Some(value), _) if value.fract() == 0.0 && value.abs() < 1e15 => number::fixed(value, 0),
        (Some(value), _) if matches!(claim.unit.as_str(), "p" | "P") => number::general(value, 2),
        (Some(value), _) => shown(value, part.decimals.unwrap_or(0)),
        (None, Some(word)) => word.clone(),
        (None, None) => "-".to_owned(),
    };
    if claim.parts.is_empty() {
        return "-".to_owned();
    }
    claim.parts.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A value with one digit more than the print it is held against.
fn shown(value: f64, decimals: i32) -> String {
    let text = number::fixed(value, usize::try_from(decimals.max(0)).unwrap_or(0) + 1);
    // What would print as zero keeps its magnitude.
    if value != 0.0 && text.bytes().all(|b| matches!(b, b'0' | b'.' | b'-')) { number::general(value, 2) } else { text }
}

fn of_conflict(conflict: &Conflict) -> Finding {
    let sides: Vec<String> = conflict.sides.iter().map(|side| format!("{}: {}", side.source, side.says)).collect();
    let statement = conflict.statement.trim_end_matches('.');
    // What a ledger lists is put in its author's words.
    let statement =
        if conflict.found { statement.to_owned() } else { format!("listed as \u{201c}{statement}\u{201d}") };
    let text = format!("{statement} [{}]", sides.join(" | "));
    Finding::new("claim-conflict", Place::file(&conflict.ledger).with_subject(&conflict.id), text)
}
