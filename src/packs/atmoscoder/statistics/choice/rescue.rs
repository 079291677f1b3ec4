//! Computed failures that the option format credits.

use super::formats::{Model, Subset};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `mcq-rescue`.
pub(crate) struct ChoiceRescue;

static ABOUT: About = About {
    id: "mcq-rescue",
    also: &[],
    title: "Rescued failures",
    unit: "percent",
    meaning: "Of the problems that a model gets wrong when it has to compute, how many it gets right when it may pick an option.",
    formula: "rescued = instances right by letter and wrong when computed; failures = instances wrong when computed; rate = 100 × rescued / \
              failures.",
    source: "Rule mcq-rescue of the study.",
    edge_cases: "Over instances that both formats graded. Undefined without a failure, and where a format is missing. The sum over models has \
                 no model key and is over the models with both formats.",
    example: "238 of 268 computed failures: 88.8 %.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "model", meaning: "configuration key; absent for the sum over models" },
        KeyDoc { key: "subset", meaning: "`clean` or `defective`; absent for all instances" },
    ],
    measures: &[
        ("rate", "percent with counts"),
        ("rescued", "rescued failures, of all failures"),
        ("failures", "computed failures"),
    ],
};

impl Statistic for ChoiceRescue {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            let set = ("set", formats.set.id.as_str());
            for subset in [Subset::All, Subset::Clean, Subset::Defective] {
                let subset_key = ("subset", subset.as_str());
                let positions = formats.positions(subset);
                let mut sum: Option<(usize, usize)> = None;
                for model in formats.models() {
                    let found = positions.clone().and_then(|positions| rescued(&model, &positions));
                    if let Ok((rescued, failed)) = found {
                        let (r, f) = sum.unwrap_or_default();
                        sum = Some((r + rescued, f + failed));
                    }
                    let keys = [set, ("model", model.key), subset_key];
                    put(&mut out, if subset == Subset::All { &keys[..2] } else { &keys }, found);
                }
                let keys = [set, subset_key];
                let sum = sum.ok_or_else(|| "no model has both formats".to_owned());
                put(&mut out, if subset == Subset::All { &keys[..1] } else { &keys }, sum);
            }
        }
        out
    }
}

fn put(out: &mut Output, keys: &[(&str, &str)], found: Result<(usize, usize), String>) {
    let mut writer = out.on(ABOUT.id, Basis::Records, keys);
    match found {
        Ok((rescued, failed)) => {
            writer.put("rate", Estimate::percent(rescued, failed));
            writer.put("rescued", Estimate::out_of(rescued, failed));
            writer.put("failures", Estimate::count(failed));
        }
        Err(reason) => {
            for measure in ["rate", "rescued", "failures"] {
                writer.put(measure, Estimate::undefined(reason.clone()));
            }
        }
    }
}

/// Rescued and all computed failures of a model.
pub(super) fn rescued(model: &Model<'_, '_>, positions: &[usize]) -> Result<(usize, usize), String> {
    let verdicts = model.verdicts(positions)?;
    let failed = verdicts.iter().filter(|(_, _, code)| !code);
    let rescued = failed.clone().filter(|(_, option, _)| *option).count();
    Ok((rescued, failed.count()))
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn rescues_by_model_and_in_sum() {
        let facts = Facts::new(study().compute(&ChoiceRescue).facts);
        let value = |measure, keys: &[(&str, &str)]| facts.get("mcq-rescue", measure, keys).unwrap().estimate.clone();
        assert_eq!(value("rate", &[("set", "mcq"), ("model", "m")]), Estimate::percent(3, 4));
        assert_eq!(value("rescued", &[("set", "mcq"), ("subset", "clean")]), Estimate::out_of(2, 2));
        assert!(value("rate", &[("set", "mcq"), ("model", "n")]).point().is_none());
    }
}
