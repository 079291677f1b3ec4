//! Counts of verdicts and findings, as linked bars.

use serde::Serialize;

use super::claim_rows;
use crate::claims::{Reconciliation, Verdict};
use crate::issues::Effect;
use crate::number::grouped;
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
    let part = |(verdict, label, count): (Verdict, String, usize)| Count {
        count,
        shown: grouped(count as u64),
        label,
        class: claim_rows::look(verdict).0,
        href: "claims/index.html".to_owned(),
    };
    (sums.parts().into_iter().map(part).collect(), sums.sentence())
}

/// A count with a word that agrees with it.
pub(crate) fn many(count: usize, one: &str, more: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { more })
}

/// Issues by what they change.
pub(crate) fn issues(view: &View<'_>) -> Vec<Count> {
    let count = |effect: Effect| {
        let count = view.input.issues.that_change(effect).count();
        Count {
            count,
            shown: grouped(count as u64),
            label: effect.words(count).to_owned(),
            class: match effect {
                Effect::Wording => "erratum",
                Effect::Unchecked | Effect::Remark => "unknown",
                _ => "differs",
            },
            href: super::found::href(effect),
        }
    };
    Effect::ALL.into_iter().map(count).filter(|count| count.count > 0).collect()
}
