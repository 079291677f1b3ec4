//! Counts of verdicts and findings, as linked bars.

use std::collections::BTreeMap;

use serde::Serialize;

use super::claim_rows;
use crate::claims::{Basis, Judgements, Verdict};
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
    let sums = Reconciliation::of(judged);
    let counts = sums.parts().into_iter().filter(|count| count.count > 0).collect();
    (counts, sums.sentence())
}

/// What became of all printed numbers, split so that the parts add up to the whole: what agrees by what it
/// rests on, strongest first, and everything else by verdict.
struct Reconciliation {
    all: usize,
    /// Numbers that agree, by verdict and basis.
    agree: BTreeMap<(Verdict, Basis), usize>,
    /// The others, by verdict.
    others: BTreeMap<Verdict, usize>,
    errata: usize,
}

impl Reconciliation {
    fn of(judged: &Judgements) -> Self {
        let mut sums =
            Self { all: judged.claims.len(), agree: [].into(), others: [].into(), errata: judged.summary.errata };
        for claim in &judged.claims {
            match claim.basis.filter(|_| claim.verdict.agrees()) {
                Some(basis) => *sums.agree.entry((claim.verdict, basis)).or_insert(0) += 1,
                None => *sums.others.entry(claim.verdict).or_insert(0) += 1,
            }
        }
        sums
    }

    fn parts(&self) -> Vec<Count> {
        let part = |count: usize, verdict: Verdict, label: String| Count {
            count,
            shown: grouped(count as u64),
            label,
            class: claim_rows::look(verdict).0,
            href: "claims/index.html".to_owned(),
        };
        let agree = self.agree.iter().map(|(&(verdict, basis), &count)| {
            let label = match verdict {
                Verdict::SameByConstruction => claim_rows::words(verdict).to_owned(),
                Verdict::Consistent => format!("fit {}", fitting(basis)),
                _ => format!("follow from {}", claim_rows::basis_words(basis)),
            };
            part(count, verdict, label)
        });
        let others =
            self.others.iter().map(|(&verdict, &count)| part(count, verdict, claim_rows::words(verdict).into()));
        agree.chain(others).collect()
    }

    fn sentence(&self) -> String {
        let agree = |verdict: Verdict| self.agree.iter().filter(move |((of, _), _)| *of == verdict);
        let sum = |verdict: Verdict| agree(verdict).map(|(_, count)| count).sum::<usize>();
        let by_basis = |verdict: Verdict, words: fn(Basis) -> &'static str| {
            let parts: Vec<String> = agree(verdict)
                .map(|((_, basis), &count)| format!("{} from {}", grouped(count as u64), words(*basis)))
                .collect();
            if parts.len() > 1 { format!(" ({})", parts.join(", ")) } else { String::new() }
        };
        let other = |verdict: Verdict| self.others.get(&verdict).copied().unwrap_or(0);
        let wrong: usize =
            self.others.iter().filter(|(verdict, _)| verdict.contradicts()).map(|(_, count)| count).sum();
        let acknowledged = match self.errata {
            0 => String::new(),
            1 => " (1 of these acknowledged as an erratum)".to_owned(),
            errata => format!(" ({} of these acknowledged as errata)", grouped(errata as u64)),
        };
        let mut parts = vec![
            many(sum(Verdict::Reproduced), "follows from the archive", "follow from the archive")
                + &by_basis(Verdict::Reproduced, claim_rows::basis_words),
        ];
        if sum(Verdict::Consistent) > 0 {
            let count = sum(Verdict::Consistent);
            parts.push(many(count, "fits other printed numbers and no more", "fit other printed numbers and no more"));
        }
        if sum(Verdict::SameByConstruction) > 0 {
            let count = sum(Verdict::SameByConstruction);
            parts.push(many(
                count,
                "is compared with what was made from it",
                "are compared with what was made from them",
            ));
        }
        parts.push(many(wrong, "does not follow", "do not follow") + &acknowledged);
        parts.push(format!("{} cannot be checked", grouped(other(Verdict::NotCheckable) as u64)));
        parts.push(format!(
            "for {} the sources disagree with one another",
            grouped(other(Verdict::ConflictingSources) as u64)
        ));
        let noun = if self.all == 1 { "number" } else { "numbers" };
        let last = parts.pop().unwrap_or_default();
        format!("Of {} printed {noun}, {}, and {last}.", grouped(self.all as u64), parts.join(", "))
    }
}

/// What a number fits that rests on nothing stronger than other printed numbers.
const fn fitting(basis: Basis) -> &'static str {
    match basis {
        Basis::Rebuilt => "runs rebuilt from published tables",
        Basis::Counts => "counts printed beside them",
        _ => "other published tables",
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole_and_the_sentence_says_each() {
        let sums = Reconciliation {
            all: 100,
            agree: [
                ((Verdict::Reproduced, Basis::Records), 40),
                ((Verdict::Reproduced, Basis::Execution), 3),
                ((Verdict::SameByConstruction, Basis::Rebuilt), 2),
                ((Verdict::Consistent, Basis::Rebuilt), 20),
                ((Verdict::Consistent, Basis::Published), 5),
            ]
            .into(),
            others: [(Verdict::NotCheckable, 24), (Verdict::ConflictingSources, 1), (Verdict::Differs, 5)].into(),
            errata: 0,
        };
        assert_eq!(sums.parts().iter().map(|part| part.count).sum::<usize>(), sums.all);
        assert_eq!(
            sums.sentence(),
            "Of 100 printed numbers, 43 follow from the archive (40 from records of the archive, 3 from programs \
             executed by this tool), 25 fit other printed numbers and no more, 2 are compared with what was made from \
             them, 5 do not follow, 24 cannot be checked, and for 1 the sources disagree with one another."
        );
    }
}
