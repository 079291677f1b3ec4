//! Parents held at stricter thresholds than a majority of their variants.

use super::layout::FAMILIES;
use crate::packs::atmoscoder::family::Family;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// See [`ABOUT`].
pub(crate) struct ThresholdAccuracy;

/// Measures by the number of variants that must be solved.
const THRESHOLDS: [(&str, usize); 3] = [("k3", 3), ("k4", 4), ("k5", 5)];

static ABOUT: About = About {
    id: "threshold-accuracy",
    also: &[],
    title: "Parents with at least three, four or all five variants solved",
    unit: "percent",
    meaning: "How quickly accuracy falls when a parent must be solved in more of its variants. A large fall means \
              that success depends on which numbers or words were drawn.",
    formula: "k3, k4, k5 = 100 × #(parents with at least 3, 4, 5 majority-solved variants) / n.",
    source: "Rule threshold-accuracy of the study.",
    edge_cases: "k3 equals variant-majority-5 when every parent has five variants, and is taken from archived \
                 states or from a published table where runs are missing; k4 and k5 need runs. A parent with \
                 fewer than k variants cannot reach k.",
    example: "436 parents, 409 of them with all five rewordings solved: k5 = 93.8 %.",
    keys: &[
        KeyDoc { key: "family", meaning: "`numeric` or `paraphrase`" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[
        ("k3", "percent with at least three variants solved"),
        ("k4", "percent with at least four"),
        ("k5", "percent with all five"),
    ],
};

impl Statistic for ThresholdAccuracy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for family in FAMILIES.into_iter().filter(|&family| evidence.family_set(family).is_some()) {
            match evidence.layout(family) {
                Ok(layout) => {
                    let states = evidence.states_of(&layout);
                    for (configuration, row) in &states.rows {
                        let keys = [("family", family.as_str()), ("model", configuration.key.as_str())];
                        for (measure, k) in THRESHOLDS {
                            let estimate = match row {
                                Ok(row) => Estimate::percent(reaching(row, k), row.len()),
                                Err(reason) => Estimate::undefined(reason.clone()),
                            };
                            out.fact(ABOUT.id, measure, &keys, estimate, Basis::Records);
                        }
                    }
                }
                Err(missing) => without_runs(&mut out, evidence, family, &missing),
            }
        }
        out
    }
}

fn reaching(row: &[super::states::State], k: usize) -> usize {
    row.iter().filter(|state| state.solved.is_some_and(|(solved, _)| solved >= k)).count()
}

/// The majority of five is three, so held parents are all that can be said.
fn without_runs(out: &mut Output, evidence: &Evidence<'_>, family: Family, missing: &str) {
    for pairs in evidence.pairs().into_iter().filter(|pairs| pairs.family == family) {
        for (configuration, counts) in &pairs.rows {
            let keys = pairs.keys(configuration);
            let held = match counts {
                Ok(counts) => Estimate::percent(counts.after(), counts.pairs()),
                Err(reason) => Estimate::undefined(reason.clone()),
            };
            out.fact(ABOUT.id, "k3", &keys, held, pairs.basis);
            for measure in ["k4", "k5"] {
                out.fact(ABOUT.id, measure, &keys, Estimate::undefined(missing), Basis::Records);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::variants::states::tests::small;
    use crate::statistics::Facts;

    #[test]
    fn thresholds_are_at_least_and_need_runs() {
        let mut study = small();
        let value = |facts: &Facts, measure: &str, model: &str| {
            facts
                .get("threshold-accuracy", measure, &[("family", "numeric"), ("model", model)])
                .unwrap()
                .estimate
                .clone()
        };
        let facts = Facts::new(study.compute(&ThresholdAccuracy).facts);
        assert_eq!(value(&facts, "k3", "a-r"), Estimate::percent(1, 2));
        assert_eq!(value(&facts, "k4", "a-r"), Estimate::percent(0, 2));

        study.archive.runs.retain(|run| run.key.experiment.as_str() == "core_code");
        let table = "parent,model,state\np1,a,both\np2,a,gained\n";
        study.published.insert("variants_numeric_parent_states".into(), table.into());
        let facts = Facts::new(study.compute(&ThresholdAccuracy).facts);
        assert_eq!(value(&facts, "k3", "a"), Estimate::percent(2, 2));
        assert_eq!(value(&facts, "k5", "a"), Estimate::undefined("no run of numeric_code is archived"));
    }
}
