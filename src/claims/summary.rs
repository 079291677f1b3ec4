//! Counts by verdict.

use super::judgement::{Judgement, Summary, TableJudgement};

/// What the sources of a paper begin with, and its name among the sources.
pub(super) const PAPER: &str = "paper";

/// The paper or document that a source names: its first word, without a place inside (`paper §4.1`,
/// `docs/report.md, Material`, `README.md results table`).
pub(super) fn document(source: &str) -> &str {
    let first = source.split([' ', ',', ';', '#', '§', ':']).next().unwrap_or(source);
    let is_paper = [PAPER, "article", "manuscript", "abstract"].iter().any(|word| first.eq_ignore_ascii_case(word));
    match first {
        "" => "not stated",
        _ if is_paper => PAPER,
        other => other,
    }
}

/// Sums over all claims and rows.
pub(super) fn of(claims: &[Judgement], tables: &[TableJudgement]) -> Summary {
    let mut summary = Summary { claims: claims.len(), ..Summary::default() };
    for claim in claims {
        *summary.verdicts.entry(claim.verdict).or_insert(0) += 1;
        *summary.areas.entry(claim.area.clone()).or_default().entry(claim.verdict).or_insert(0) += 1;
        if let Some(basis) = claim.basis {
            *summary.bases.entry(basis).or_default().entry(claim.verdict).or_insert(0) += 1;
        }
        if let Some(missing) = claim.missing {
            *summary.missing.entry(missing).or_insert(0) += 1;
        }
        let source = document(&claim.source);
        match summary.sources.iter_mut().find(|(known, _)| known == source) {
            Some((_, verdicts)) => *verdicts.entry(claim.verdict).or_insert(0) += 1,
            None => summary.sources.push((source.to_owned(), [(claim.verdict, 1)].into())),
        }
        let own = claim.recomputation.unwrap_or(claim.verdict);
        summary.contradicted += usize::from(own.contradicts());
        summary.errata += usize::from(claim.erratum.is_some());
    }
    summary.sources.sort_by(|(a, _), (b, _)| (a != PAPER, a).cmp(&(b != PAPER, b)));
    for table in tables {
        for (verdict, count) in &table.verdicts {
            *summary.rows.entry(*verdict).or_insert(0) += count;
        }
    }
    summary
}
