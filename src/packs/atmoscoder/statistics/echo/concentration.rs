//! On how few parents the echoes fall.

use std::collections::BTreeMap;

use super::failures::Kind;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct EchoConcentration;

/// Parents that count as the most echoed.
const TOP: usize = 5;

static ABOUT: About = About {
    id: "echo-concentration",
    also: &[],
    title: "Concentration of echoes",
    unit: "percent",
    meaning: "Whether echoes are spread over the set or belong to a few well-known problems.",
    formula: "parents = #(parents with at least one echo) of all parents; top5 = 100 × echoes of the five most echoed parents / \
              echoes.",
    source: "Rule echo-concentration of the study.",
    edge_cases: "All echoes count, strict or not. With fewer than five echoed parents top5 is 100. Undefined without an echo, \
                 and where echo-taxonomy is undefined.",
    example: "173 echoes on 49 of 346 parents, 92 of them on five: top5 = 53 %.",
    keys: &[KeyDoc { key: "problem", meaning: "parent id, for its echoes" }],
    measures: &[
        ("parents", "parents with an echo, of all parents"),
        ("top5", "echoes on the five most echoed parents, percent"),
        ("echoes", "echoes of one parent"),
    ],
};

impl Statistic for EchoConcentration {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        if evidence.family_set(Family::Numeric).is_none() {
            return out;
        }
        let found = match evidence.failures() {
            Ok(found) => found,
            Err(reason) => {
                for measure in ["parents", "top5"] {
                    out.fact(ABOUT.id, measure, &[], Estimate::undefined(reason.clone()), Basis::Records);
                }
                return out;
            }
        };
        let mut by_parent: BTreeMap<&str, usize> = BTreeMap::new();
        found.of(Kind::Echo).for_each(|failure| *by_parent.entry(failure.parent).or_default() += 1);
        for (parent, echoes) in &by_parent {
            out.fact(ABOUT.id, "echoes", &[("problem", parent)], Estimate::count(*echoes), Basis::Records);
        }
        let (with, all) = (by_parent.len(), found.parents.len());
        let parents = Estimate::Value { value: with as f64, count: Some((with as u64, all as u64)), interval: None };
        out.fact(ABOUT.id, "parents", &[], parents, Basis::Records);
        let mut counts: Vec<usize> = by_parent.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let top = counts.iter().take(TOP).sum();
        out.fact(ABOUT.id, "top5", &[], Estimate::percent(top, counts.iter().sum()), Basis::Records);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::echo::failures::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn one_echoed_parent_holds_all() {
        let facts = Facts::new(study().compute(&EchoConcentration).facts);
        let parents = facts.get("echo-concentration", "parents", &[]).unwrap();
        assert_eq!(parents.estimate, Estimate::Value { value: 1.0, count: Some((1, 1)), interval: None });
        assert_eq!(facts.get("echo-concentration", "top5", &[]).unwrap().estimate, Estimate::percent(2, 2));
    }
}
