//! How far the answers of variants lie from those of their originals.

use super::pairing::Pairing;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};

/// See [`ABOUT`].
pub(crate) struct EchoDiscriminative;

static ABOUT: About = About {
    id: "echo-discriminative",
    also: &[],
    title: "Subs that tell a variant from its original",
    unit: "percent",
    meaning: "Where a remembered answer would be visible: sub-answers whose value changes by more than 5 % between an \
              original and its variant. A variant without one cannot show an echo.",
    formula: "For a sub that both have, with values v of the variant and p of the original: gap = 100 × |v - p| / max(|p|, \
              1e-12); the sub is discriminative when gap > 5. smallest and median are over all discriminative subs of all \
              variants.",
    source: "Rule echo-discriminative of the study.",
    edge_cases: "Of several accepted values of a sub the last counts; values that are no numbers do not. From the problem \
                 files alone, so it is defined without any run. Undefined without a discriminative sub.",
    example: "Original 10, variant 12: gap 20 %. Original 10, variant 10.5: gap 5 %, not discriminative.",
    keys: &[KeyDoc { key: "family", meaning: "`numeric`" }],
    measures: &[
        ("smallest", "smallest gap of a discriminative sub, percent"),
        ("median", "median gap, percent"),
        ("subs", "discriminative subs of all variants"),
        ("variants", "variants that have a parent"),
        ("silent-variants", "variants without a discriminative sub"),
    ],
};

impl Statistic for EchoDiscriminative {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let Some(declared) = evidence.family_set(Family::Numeric) else { return out };
        let parents = declared.parents.as_ref().and_then(|set| evidence.corpus.set(set.as_str()));
        let (Some(set), Some(parents)) = (evidence.corpus.set(declared.id.as_str()), parents) else { return out };
        let pairings: Vec<Pairing<'_>> = set
            .problems
            .iter()
            .filter_map(|variant| Some(Pairing::new(parents.get(variant.parent.as_ref()?.as_str())?, variant)))
            .collect();
        let gaps: Vec<f64> = pairings.iter().flat_map(Pairing::gaps).map(|gap| 100.0 * gap).collect();
        let silent = pairings.iter().filter(|pairing| pairing.telling.is_empty()).count();
        let keys = [("family", Family::Numeric.as_str())];
        let or_none = |value: Option<f64>| {
            value.map_or_else(|| Estimate::undefined("no sub tells a variant from its original"), Estimate::value)
        };
        for (measure, estimate) in [
            ("smallest", or_none(moments::extremes(&gaps).map(|(smallest, _)| smallest))),
            ("median", or_none(moments::median(&gaps))),
            ("subs", Estimate::count(gaps.len())),
            ("variants", Estimate::count(pairings.len())),
            ("silent-variants", Estimate::count(silent)),
        ] {
            out.fact(ABOUT.id, measure, &keys, estimate, Basis::Records);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::echo::failures::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn gaps_of_a_small_study() {
        let facts = Facts::new(study().compute(&EchoDiscriminative).facts);
        let value = |measure| {
            facts.get("echo-discriminative", measure, &[("family", "numeric")]).unwrap().estimate.point().unwrap()
        };
        // Sub 1 doubles in each of five variants; sub 2 moves by 1 %.
        assert_eq!(
            ["smallest", "median", "subs", "variants", "silent-variants"].map(value),
            [100.0, 100.0, 5.0, 5.0, 0.0]
        );
    }
}
