//! The paired difference of the same backbone with and without a reasoning phase.

use crate::statistics::{About, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct TwinShift;

static ABOUT: About = About {
    id: "twins",
    also: &[],
    title: "Paired difference of reasoning twins",
    unit: "points",
    meaning: "Whether a reasoning phase makes a model more or less sensitive to changed numbers or words: the paired \
              difference of both settings of one backbone.",
    formula: "nonreasoning, reasoning = delta of paired-delta for the two configurations of a backbone; difference = \
              reasoning - nonreasoning; larger = twins whose reasoning configuration has the larger delta.",
    source: "Rule paired-delta of the study, applied to its twins.",
    edge_cases: "Only backbones with exactly one configuration of each setting on the leaderboard. Equal deltas do not \
                 count as larger. Undefined where either delta is.",
    example: "-1.45 without and 2.31 with reasoning: difference 3.76 points.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "backbone", meaning: "name of the backbone" },
    ],
    measures: &[
        ("nonreasoning", "delta without reasoning, points"),
        ("reasoning", "delta with reasoning, points"),
        ("difference", "reasoning minus nonreasoning, points"),
        ("larger", "twins with the larger delta under reasoning, of all twins"),
    ],
};

impl Statistic for TwinShift {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let twins = evidence.study.twins();
        for pairs in evidence.pairs() {
            let delta = |key: &crate::id::ConfigKey| {
                let row = pairs.rows.iter().find(|(c, _)| c.key == *key).map(|(_, counts)| counts.clone());
                row.unwrap_or_else(|| Err("not on the leaderboard".into()))
                    .map(crate::statistics::pairing::Counts::loss)
            };
            let (mut larger, mut compared) = (0, 0);
            for pair in &twins {
                let (plain, reasoning) = (delta(&pair.plain.key), delta(&pair.reasoning.key));
                let difference = reasoning.clone().and_then(|reasoning| Ok((reasoning, plain.clone()?)));
                if let Ok((reasoning, plain)) = difference {
                    compared += 1;
                    larger += u64::from(reasoning > plain);
                }
                let keys = [("family", pairs.family.as_str()), ("backbone", crate::statistics::names::backbone(pair))];
                let estimate = |value: Result<f64, String>| value.map_or_else(Estimate::undefined, Estimate::value);
                let difference = difference.map(|(reasoning, plain)| reasoning - plain);
                for (measure, value) in [("nonreasoning", plain), ("reasoning", reasoning), ("difference", difference)]
                {
                    out.fact(ABOUT.id, measure, &keys, estimate(value), pairs.basis);
                }
            }
            if compared > 0 {
                let estimate =
                    Estimate::Value { value: larger as f64, count: Some((larger, compared)), interval: None };
                out.fact(ABOUT.id, "larger", &[("family", pairs.family.as_str())], estimate, pairs.basis);
            }
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
    fn a_pair_without_difference_is_not_larger() {
        let facts = Facts::new(small().compute(&TwinShift).facts);
        let keys = [("family", "numeric"), ("backbone", "Model a")];
        assert_eq!(facts.get("twins", "difference", &keys).unwrap().estimate.point(), Some(0.0));
        let larger = facts.get("twins", "larger", &[("family", "numeric")]).unwrap();
        assert_eq!(larger.estimate, Estimate::Value { value: 0.0, count: Some((0, 1)), interval: None });
    }
}
