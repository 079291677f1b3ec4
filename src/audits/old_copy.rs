//! Copies of one number in several documents of which one is old.

use std::collections::BTreeMap;

use super::{About, Audit, Looked, Origin, Raised, Subject};
use crate::claims::{Compare, Judgement, Shape};

const ABOUT: About = About {
    id: "old-copies",
    title: "Old copies of a number",
    question: "Where several places print the same value, does one of them still print an old one?",
    method: "Printed numbers that rest on the same expression are held against one another. One that does not follow is \
             raised when another place prints what does.",
    items: "values that are printed in several places",
    nothing: "no value is printed in several places",
    code: "old-copy",
};

pub(super) struct OldCopy;

impl Audit for OldCopy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn is_about_claims(&self) -> bool {
        true
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut groups: BTreeMap<(&[String], &str), Vec<&Judgement>> = BTreeMap::new();
        for claim in &subject.judgements.claims {
            let comparable = claim.compare == Compare::Equal && matches!(claim.shape, Shape::Value | Shape::List);
            // Inputs belong to one claim, so equal words about them are not the same value.
            let own = (0..claim.expressions.len())
                .any(|part| claim.expressions[part].is_empty() || claim.is_of_own_counts(part));
            if comparable && !own && !claim.expressions.is_empty() {
                groups.entry((&claim.expressions, &claim.unit)).or_default().push(claim);
            }
        }
        let mut looked = Looked::default();
        for claims in groups.into_values() {
            let several = claims.iter().any(|claim| claim.source != claims[0].source);
            if !several {
                continue;
            }
            looked.checked += 1;
            let verdict = |claim: &Judgement| claim.recomputation.unwrap_or(claim.verdict);
            let Some(current) = claims.iter().find(|claim| verdict(claim).agrees()) else { continue };
            for old in claims.iter().filter(|claim| verdict(claim).contradicts() && claim.source != current.source) {
                let (current, place) = (current.printed.clone(), current.source.clone());
                looked.raised.push(Raised::claim(old, Origin::OldCopy { current, place }));
            }
        }
        looked
    }
}
