//! Exact McNemar test of lost against gained parents.

use crate::statistics::{About, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct McnemarExact;

static ABOUT: About = About {
    id: "mcnemar-exact",
    also: &[],
    title: "Exact McNemar test",
    unit: "p",
    meaning: "Probability of a split between lost and gained parents at least as uneven as the observed one, if \
              a discordant parent were as likely to be lost as gained. Not adjusted for several \
              configurations; that adjustment is a statistic of its own (Holm).",
    formula: "b lost, c gained, m = b + c: P = min(1, 2 Σ_{i=0}^{min(b,c)} C(m, i) / 2^m). Computed as a fraction \
              of whole numbers and rounded once to the nearest double.",
    source: "McNemar 1947 in its exact two-sided binomial form; rule mcnemar-exact of the study.",
    edge_cases: "m = 0 gives exactly 1; b = c gives 1. Undefined where paired-delta is.",
    example: "b = 9, c = 1: P = 2 × (1 + 10) / 2^10 = 11/512 = 0.021484375.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[("p", "two-sided P, not adjusted"), ("smallest", "smallest P of a family")],
};

impl Statistic for McnemarExact {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for pairs in evidence.pairs() {
            for (configuration, counts) in &pairs.rows {
                let p = match counts {
                    Ok(counts) => Estimate::value(counts.p().to_f64()),
                    Err(reason) => Estimate::undefined(reason.clone()),
                };
                out.fact(ABOUT.id, "p", &pairs.keys(configuration), p, pairs.basis);
            }
            let smallest = pairs.known().map(|(_, counts)| counts.p().to_f64()).min_by(f64::total_cmp);
            let smallest = smallest.map_or_else(|| Estimate::undefined("no configuration was tested"), Estimate::value);
            out.fact(ABOUT.id, "smallest", &[("family", pairs.family.as_str())], smallest, pairs.basis);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;

    #[test]
    fn one_lost_and_one_gained_says_nothing() {
        let facts = Facts::new(small().compute(&McnemarExact).facts);
        let p = |model| facts.get("mcnemar-exact", "p", &[("family", "numeric"), ("model", model)]).unwrap();
        assert_eq!((p("a").estimate.point(), p("a-r").estimate.point()), (Some(1.0), Some(1.0)));
        assert_eq!(
            facts.get("mcnemar-exact", "smallest", &[("family", "numeric")]).unwrap().estimate.point(),
            Some(1.0)
        );
    }
}
