//! How variants were certified.

use std::collections::BTreeMap;

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "k2-distribution",
    also: &[],
    title: "Certification of variants",
    unit: "variants",
    meaning: "The answer of a variant comes from its parent's solver; other models solved it independently. The stored verdict \
              says how many of them agreed.",
    formula: "n = variants with the verdict; share = 100 n / variants; two-model = share with a verdict that begins with \
              PASS_K2, one-model = share with any PASS.",
    source: "Rule k2-distribution of AtmosCoder-Bench; the stored member k2.",
    edge_cases: "Variants without a verdict are counted under the verdict (none). A set in which no variant has one gives no \
                 facts.",
    example: "1651 + 8 + 6 of 1730 variants begin with PASS_K2: two-model 96.2.",
    keys: &[
        KeyDoc { key: "set", meaning: "set of variants" },
        KeyDoc { key: "verdict", meaning: "stored verdict; absent for shares over verdicts" },
    ],
    measures: &[
        ("n", "variants with the verdict"),
        ("share", "percent of the set"),
        ("two-model", "share backed by two models"),
        ("one-model", "share backed by at least one model"),
    ],
};

/// Certification of variants.
pub(crate) struct K2Distribution;

impl Statistic for K2Distribution {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let variants = |kind| matches!(kind, "numeric-variants" | "paraphrase-variants");
        for set in evidence.corpus.sets.iter().filter(|set| variants(set.kind())) {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for variant in &set.problems {
                let verdict = variant.extra.get("k2").and_then(|verdict| verdict.as_text());
                *counts.entry(verdict.unwrap_or("(none)")).or_default() += 1;
            }
            if counts.keys().all(|&verdict| verdict == "(none)") {
                continue;
            }
            let n = set.problems.len();
            for (&verdict, &count) in &counts {
                output
                    .on(ABOUT.id, Basis::Records, &[("set", set.id.as_str()), ("verdict", verdict)])
                    .put("n", Estimate::out_of(count, n))
                    .put("share", Estimate::percent(count, n));
            }
            let beginning = |start: &str| counts.iter().filter(|(v, _)| v.starts_with(start)).map(|(_, c)| c).sum();
            output
                .on(ABOUT.id, Basis::Records, &[("set", set.id.as_str())])
                .put("two-model", Estimate::percent(beginning("PASS_K2"), n))
                .put("one-model", Estimate::percent(beginning("PASS"), n));
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Object, Value};
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, variant};

    #[test]
    fn verdicts_are_counted_as_stored() {
        let mut variants = vec![variant("v1", "p", 1), variant("v2", "p", 2), variant("v3", "p", 3)];
        for (variant, verdict) in variants.iter_mut().zip(["PASS_K2_UNITSIGN", "PASS_K1"]) {
            let member = ("k2".to_owned(), Value::Text(verdict.to_owned()));
            variant.extra = Value::Object([member].into_iter().collect::<Object>());
        }
        let study = Fixture::new(&[]).set("numeric", "numeric-variants", None, variants);
        let facts = Facts::new(study.compute(&K2Distribution).facts);
        let get =
            |measure, keys: &[(&str, &str)]| facts.get("k2-distribution", measure, keys).unwrap().estimate.clone();
        assert_eq!(get("two-model", &[("set", "numeric")]), Estimate::percent(1, 3));
        assert_eq!(get("one-model", &[("set", "numeric")]), Estimate::percent(2, 3));
        assert_eq!(get("n", &[("set", "numeric"), ("verdict", "(none)")]), Estimate::out_of(1, 3));
    }
}
