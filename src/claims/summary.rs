//! Counts by verdict.

use super::judgement::{Judgement, Summary, TableJudgement};

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
        let own = claim.recomputation.unwrap_or(claim.verdict);
        summary.contradicted += usize::from(own.contradicts());
        summary.errata += usize::from(claim.erratum.is_some());
    }
    for table in tables {
        for (verdict, count) in &table.verdicts {
            *summary.rows.entry(*verdict).or_insert(0) += count;
        }
    }
    summary
}
