//! Echoes by configurations that solve the original, and echoes by those that do not.

use std::collections::BTreeMap;

use super::failures::{Failures, Kind};
use super::funnel::printed;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct EchoStrict;

static ABOUT: About = About {
    id: "echo-strict",
    also: &[],
    title: "Strict echoes and attractors",
    unit: "count",
    meaning: "An echo speaks of memory only if the configuration knows the original's answer. Echoes of originals that it \
              does not solve are attractors: values that wrong reasoning leads to in both.",
    formula: "strict = echoes (see echo-taxonomy) by a configuration that majority-solves the parent; attractors = echoes - \
              strict.",
    source: "Rule echo-strict of the study.",
    edge_cases: "Undefined where echo-taxonomy is; strict and attractors then follow from a published funnel. Parents without \
                 an echo have no fact.",
    example: "173 echoes, 92 of them by configurations that solve the parent: 92 strict, 81 attractors.",
    keys: &[
        KeyDoc { key: "model", meaning: "configuration key, for its own echoes" },
        KeyDoc { key: "problem", meaning: "parent id, for its own echoes" },
    ],
    measures: &[
        ("strict", "strict echoes; also by model and by problem"),
        ("attractors", "echoes of parents that are not solved"),
        ("models", "configurations with a strict echo of a problem"),
    ],
};

impl Statistic for EchoStrict {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        if evidence.family_set(Family::Numeric).is_none() {
            return out;
        }
        match (evidence.failures(), printed(evidence)) {
            (Ok(found), _) => counts(&mut out, &found),
            (Err(_), Some([_, _, echoes, strict, _])) => {
                let attractors = echoes.saturating_sub(strict);
                out.fact(ABOUT.id, "strict", &[], Estimate::count(strict), Basis::Published);
                out.fact(ABOUT.id, "attractors", &[], Estimate::count(attractors), Basis::Published);
            }
            (Err(reason), None) => {
                for measure in ["strict", "attractors"] {
                    out.fact(ABOUT.id, measure, &[], Estimate::undefined(reason.clone()), Basis::Records);
                }
            }
        }
        out
    }
}

fn counts(out: &mut Output, found: &Failures<'_>) {
    let strict = found.strict().count();
    let attractors = found.of(Kind::Echo).count() - strict;
    out.fact(ABOUT.id, "strict", &[], Estimate::count(strict), Basis::Records);
    out.fact(ABOUT.id, "attractors", &[], Estimate::count(attractors), Basis::Records);
    for configuration in &found.configurations {
        let own = found.strict().filter(|failure| failure.configuration.key == configuration.key).count();
        out.fact(ABOUT.id, "strict", &[("model", configuration.key.as_str())], Estimate::count(own), Basis::Records);
    }
    let mut by_parent: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for failure in found.strict() {
        let models = by_parent.entry(failure.parent).or_default();
        *models.entry(failure.configuration.key.as_str()).or_default() += 1;
    }
    for (parent, models) in by_parent {
        let keys = [("problem", parent)];
        out.fact(ABOUT.id, "strict", &keys, Estimate::count(models.values().sum()), Basis::Records);
        out.fact(ABOUT.id, "models", &keys, Estimate::count(models.len()), Basis::Records);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::echo::failures::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn only_the_configuration_that_solves_the_parent_is_strict() {
        let facts = Facts::new(study().compute(&EchoStrict).facts);
        let value =
            |measure: &str, keys: &[(&str, &str)]| facts.get("echo-strict", measure, keys).unwrap().estimate.point();
        assert_eq!((value("strict", &[]), value("attractors", &[])), (Some(1.0), Some(1.0)));
        assert_eq!((value("strict", &[("model", "a")]), value("strict", &[("model", "b")])), (Some(1.0), Some(0.0)));
        assert_eq!(value("models", &[("problem", "p")]), Some(1.0));
    }
}
