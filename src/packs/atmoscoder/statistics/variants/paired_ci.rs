//! Analytic interval of a paired difference.

use crate::statistics::{About, Estimate, Evidence, Interval, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct PairedCi;

static ABOUT: About = About {
    id: "paired-ci",
    also: &[],
    title: "Interval of the paired difference",
    unit: "points",
    meaning: "The range of differences between originals and variants that the observed pairs are compatible \
              with, at 95 %.",
    formula: "With b lost and c gained of n parents: SE = √((b + c)/n² - (b - c)²/n³), a negative radicand \
              counts as 0; low, high = delta ± 1.96 × SE, in points (100 × the fraction).",
    source: "Rule paired-ci of the study; Wald interval of paired proportions (Agresti 2013, equation 11.2) with \
             the rounded normal quantile.",
    edge_cases: "b + c = 0 gives an interval of width 0, which says that no pair differed, not that nothing is \
                 uncertain. Ends are not cut at ±100. Undefined where paired-delta is.",
    example: "b = 9, c = 1, n = 346: SE = √(10/346² - 64/346³) = 0.905 points; 2.31 ± 1.77 = [0.54, 4.09].",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[("low", "lower end, points"), ("high", "upper end, points"), ("width", "high - low, points")],
};

impl Statistic for PairedCi {
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
                let estimates = match counts {
                    Ok(counts) => {
                        let Interval { low, high, .. } = counts.wald();
                        [low, high, high - low].map(Estimate::value)
                    }
                    Err(reason) => [(); 3].map(|()| Estimate::undefined(reason.clone())),
                };
                for (measure, estimate) in ["low", "high", "width"].into_iter().zip(estimates) {
                    out.fact(ABOUT.id, measure, &pairs.keys(configuration), estimate, pairs.basis);
                }
            }
        }
        out
    }
}
