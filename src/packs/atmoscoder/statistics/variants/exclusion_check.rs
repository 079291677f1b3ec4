//! The paired difference without parents that may have been memorised.

use std::collections::BTreeSet;

use super::states::State;
use crate::packs::atmoscoder::family::Family;
use crate::packs::atmoscoder::statistics::echo::Leakage;
use crate::statistics::pairing::Counts;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct ExclusionCheck;

static ABOUT: About = About {
    id: "exclusion-check",
    also: &[],
    title: "Paired difference without flagged parents",
    unit: "points",
    meaning: "Whether the difference between originals and numeric variants hangs on the few parents whose old answers \
              come back. If it does not move, leakage of those parents is not what makes it.",
    formula: "delta and the exact McNemar P as in paired-delta and mcnemar-exact, over the parents that remain: all of \
              them (without = none), without those of verdict confirmed (without = confirmed), without confirmed and \
              suspect ones (without = flagged).",
    source: "Rule exclusion-check of the study.",
    edge_cases: "without = confirmed can rest on an archived mark of leaked parents; without = flagged needs echoes, \
                 hence records. Undefined for configurations that do not pass the completeness gate.",
    example: "346 parents, 9 lost and 1 gained: 2.31, P 0.021. None of the 12 confirmed parents is among them: 334 \
              parents, 2.40, the same P.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric`" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "without", meaning: "`none`, `confirmed` or `flagged`" },
    ],
    measures: &[("delta", "difference in points"), ("p", "exact McNemar P"), ("parents", "parents that remain")],
};

impl Statistic for ExclusionCheck {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let family = Family::Numeric;
        if evidence.family_set(family).is_none() {
            return out;
        }
        let states = evidence.states(family);
        let leakage = Leakage::new(evidence);
        let none = Ok((BTreeSet::new(), Basis::Records));
        let exclusions = [("none", none), ("confirmed", leakage.confirmed()), ("flagged", leakage.flagged())];
        for (without, excluded) in &exclusions {
            for configuration in evidence.leaderboard() {
                let keys = [("family", family.as_str()), ("model", configuration.key.as_str()), ("without", *without)];
                let remaining = states.as_ref().map_err(Clone::clone).and_then(|states| {
                    let (excluded, basis) = excluded.as_ref().map_err(Clone::clone)?;
                    let row = states.rows.iter().find(|(c, _)| c.key == configuration.key).map(|(_, row)| row.as_ref());
                    let row = row.ok_or("not on the leaderboard")?.map_err(Clone::clone)?;
                    let kept = states.parents.iter().zip(row).filter(|(parent, _)| !excluded.contains(*parent));
                    Ok((pairs(kept.map(|(_, &state)| state)), states.basis.max(*basis)))
                });
                let (estimates, basis) = match remaining {
                    Ok((pairs, basis)) if pairs.pairs() > 0 => {
                        let values = [Estimate::value(pairs.loss()), Estimate::value(pairs.p().to_f64())];
                        ([&values[..], &[Estimate::count(pairs.pairs())]].concat(), basis)
                    }
                    Ok((_, basis)) => (vec![Estimate::undefined("no parent remains"); 3], basis),
                    Err(reason) => (vec![Estimate::undefined(reason); 3], Basis::Records),
                };
                for (measure, estimate) in ["delta", "p", "parents"].into_iter().zip(estimates) {
                    out.fact(ABOUT.id, measure, &keys, estimate, basis);
                }
            }
        }
        out
    }
}

fn pairs(states: impl Iterator<Item = State>) -> Counts {
    states.map(|state| (state.core, state.held)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;

    #[test]
    fn confirmed_parents_leave_and_the_rest_is_tested_again() {
        let mut study = small();
        study.archive.runs.retain(|run| run.key.experiment.as_str() == "core_code");
        let table = "parent,leaked,model,state\np1,yes,a,fragile\np2,no,a,gained\np1,yes,a-r,both\np2,no,a-r,both\n";
        study.published.insert("variants_numeric_parent_states".into(), table.into());
        let facts = Facts::new(study.compute(&ExclusionCheck).facts);
        let fact = |measure: &str, without: &str| {
            let keys = [("family", "numeric"), ("model", "a"), ("without", without)];
            facts.get("exclusion-check", measure, &keys).unwrap().clone()
        };
        assert_eq!(fact("delta", "none").estimate.point(), Some(0.0));
        assert_eq!(fact("delta", "confirmed").estimate.point(), Some(-100.0));
        assert_eq!(
            (fact("parents", "confirmed").estimate.point(), fact("p", "confirmed").basis),
            (Some(1.0), Basis::States)
        );
        assert!(fact("delta", "flagged").estimate.point().is_none());
    }
}
