//! Digits that were rounded twice, and numbers that were computed from rounded ones.

use super::{About, Audit, Looked, Origin, Raised, Subject};
use crate::claims::{Part, Printed, Rounded, Verdict, rounded};

const ABOUT: About = About {
    id: "rounded-twice",
    title: "Digits that were rounded twice",
    question: "Is a wrong last digit that of a number which had been rounded before?",
    method: "For each printed number that does not follow, two things are tried: the recomputed value rounded to one \
             decimal more and then again; and, where the number is computed from several values, the same \
             computation over those values rounded to the decimals that are printed, or to one more. A number is \
             raised when one of the two gives it.",
    items: "printed numbers with a recomputed value",
    nothing: "no printed number has a recomputed value",
    code: "rounded-twice",
};

pub(super) struct RoundedTwice;

impl Audit for RoundedTwice {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn is_about_claims(&self) -> bool {
        true
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut looked = Looked::default();
        let evaluator = Rounded::new(subject.judgements, subject.sources);
        for claim in &subject.judgements.claims {
            let one_each = claim.expressions.len() == claim.parts.len();
            let mut origins = Vec::new();
            for (at, part) in claim.parts.iter().enumerate() {
                looked.checked += usize::from(part.value.is_some() && part.decimals.is_some());
                if !part.verdict.contradicts() {
                    continue;
                }
                let before = || {
                    let text = claim.expressions.get(at).filter(|_| one_each)?;
                    before(part, |decimals| evaluator.value(&claim.ledger, text, decimals))
                };
                origins.push(twice(part).or_else(before));
            }
            // What explains some of the wrong digits of a claim and not all explains none of it.
            if let (Some(Some(first)), true) = (origins.first(), origins.iter().all(Option::is_some)) {
                looked.raised.push(Raised::claim(claim, first.clone()));
            }
        }
        looked
    }
}

/// The value is rounded to a tie first, and the tie to the printed neighbour.
fn twice(part: &Part) -> Option<Origin> {
    let (value, printed, decimals) = known(part)?;
    if part.verdict != Verdict::RoundsTheOtherWay {
        return None;
    }
    let first = decimals + 1;
    fits(&printed, rounded(value, first)).then_some(Origin::RoundedTwice { first })
}

/// The values behind it were rounded first.
fn before(part: &Part, value: impl Fn(usize) -> Option<f64>) -> Option<Origin> {
    let (_, printed, decimals) = known(part)?;
    let gives = |decimals: &usize| value(*decimals).is_some_and(|value| fits(&printed, value));
    [decimals, decimals + 1].into_iter().find(gives).map(|decimals| Origin::RoundedBefore { decimals })
}

fn known(part: &Part) -> Option<(f64, Printed, usize)> {
    Some((part.value?, Printed::read(&part.printed)?, usize::try_from(part.decimals?).ok()?))
}

fn fits(printed: &Printed, value: f64) -> bool {
    let (low, high) = printed.interval();
    value >= low - 1e-9 && value <= high + 1e-9
}
