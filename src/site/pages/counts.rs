//! Counts of verdicts and findings, as linked bars.

use serde::Serialize;

use super::claim_rows;
use crate::claims::Verdict;
use crate::number::grouped;
use crate::report::Severity;
use crate::site::view::View;

/// A count with a link, for the bars of verdicts.
#[derive(Debug, Serialize)]
pub(crate) struct Count {
    /// How many.
    pub count: usize,
    /// The same as text.
    pub shown: String,
    /// Of what.
    pub label: String,
    /// Class of the verdict.
    pub class: &'static str,
    /// Where they are listed.
    pub href: String,
}

/// Claims by verdict, and one sentence about them.
pub(crate) fn claims(view: &View<'_>) -> (Vec<Count>, String) {
    let Some(judged) = view.input.judgements else {
        return (Vec::new(), "No claims ledger was judged for this version.".to_owned());
    };
    let all = judged.claims.len();
    let counts = Verdict::ALL
        .into_iter()
        .map(|verdict| Count {
            count: judged.count(verdict),
            shown: grouped(judged.count(verdict) as u64),
            label: claim_rows::words(verdict).to_owned(),
            class: claim_rows::look(verdict).0,
            href: "claims/index.html".to_owned(),
        })
        .filter(|count| count.count > 0)
        .collect();
    let contradicted = judged.claims.iter().filter(|claim| claim.verdict.contradicts()).count();
    let acknowledged = match judged.summary.errata {
        0 => String::new(),
        1 => " (1 of these acknowledged as an erratum)".to_owned(),
        errata => format!(" ({} of these acknowledged as errata)", grouped(errata as u64)),
    };
    let line = format!(
        "Of {} printed {}, {}, {}{acknowledged}, {} cannot be checked, and for {} the sources disagree with one another.",
        grouped(all as u64),
        if all == 1 { "number" } else { "numbers" },
        many(judged.count(Verdict::Reproduced), "follows from the archive", "follow from the archive"),
        many(contradicted, "does not", "do not"),
        grouped(judged.count(Verdict::NotCheckable) as u64),
        grouped(judged.count(Verdict::ConflictingSources) as u64),
    );
    (counts, line)
}

/// A count with a word that agrees with it.
pub(crate) fn many(count: usize, one: &str, more: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { more })
}

/// Findings by gravity.
pub(crate) fn findings(view: &View<'_>) -> Vec<Count> {
    [
        (Severity::Unreadable, "unreadable", "differs"),
        (Severity::Disagrees, "disagree", "differs"),
        (Severity::Missing, "missing", "unknown"),
        (Severity::Note, "notes", "unknown"),
    ]
    .into_iter()
    .map(|(severity, label, class)| Count {
        count: view.input.findings.count(severity),
        shown: grouped(view.input.findings.count(severity) as u64),
        label: label.to_owned(),
        class,
        href: format!("verification/index.html#f-{label}"),
    })
    .filter(|count| count.count > 0)
    .collect()
}
