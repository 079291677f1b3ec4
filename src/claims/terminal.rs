//! Judgements as lines of a table for the terminal. Nothing here prints.

use super::findings::recomputed;
use super::judgement::{Judgement, Judgements, Told, Verdict};

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Verdict.
    pub verdict: Verdict,
    /// Claim.
    pub id: String,
    /// As printed, with its unit.
    pub printed: String,
    /// Recomputed value, one digit more than printed; `-` without one.
    pub recomputed: String,
    /// What it rests on; empty without a value.
    pub basis: &'static str,
    /// Explanation, erratum, reason or remark: what a reader needs next.
    pub note: String,
    /// Where it stands in a document, and the sentence; empty when no document was searched.
    pub place: String,
    /// The words by which it was bound, when no author did it.
    pub words: Vec<String>,
}

/// Lines of all claims that have one of these verdicts, gravest first, then by id.
pub fn lines(judgements: &Judgements, verdicts: &[Verdict]) -> Vec<Line> {
    let mut chosen: Vec<&Judgement> =
        judgements.claims.iter().filter(|claim| verdicts.contains(&claim.verdict)).collect();
    chosen.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| (&a.ledger, &a.id).cmp(&(&b.ledger, &b.id))));
    chosen.into_iter().map(line).collect()
}

fn line(claim: &Judgement) -> Line {
    let erratum = claim.erratum.as_ref().map(|reason| format!("acknowledged as an erratum: \u{201c}{reason}\u{201d}"));
    let told = claim.explanation.as_ref().map(Told::quoted);
    let note = erratum.or(told).or_else(|| claim.remark.clone());
    let unit = if claim.unit.is_empty() { String::new() } else { format!(" {}", claim.unit) };
    Line {
        verdict: claim.verdict,
        id: claim.id.clone(),
        printed: format!("{}{unit}", claim.printed),
        recomputed: recomputed(claim),
        basis: claim.basis.map_or("", super::judgement::Basis::as_str),
        note: note.or_else(|| claim.reason.clone()).unwrap_or_default(),
        place: claim.places.first().map_or_else(String::new, |spot| {
            format!("{}, line {}: \u{201c}{}\u{201d}", spot.document, spot.line, spot.text)
        }),
        words: claim.found.as_ref().map_or_else(Vec::new, |found| found.words.clone()),
    }
}
