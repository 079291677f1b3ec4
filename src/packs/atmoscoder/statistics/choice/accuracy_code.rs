//! Accuracy on imported problems when the answer is computed.

use super::formats::Subset;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `mcq-accuracy-code`.
pub(crate) struct ChoiceAccuracyCode;

static ABOUT: About = About {
    id: "mcq-accuracy-code",
    also: &[],
    title: "Accuracy of computed answers on imported problems",
    unit: "percent",
    meaning: "How many of the imported multiple-choice problems a model solves when no options are shown and its program's \
              numbers are graded.",
    formula: "accuracy = 100 × passed / (passed + failed) over all instances of the set, single run, stored verdicts at the \
              study's tolerance.",
    source: "Rule mcq-accuracy-code of the study.",
    edge_cases: "One run, so there is no spread. Records with an infrastructure error leave the denominator. Undefined where the \
                 run is not archived or lacks instances.",
    example: "402 of 670 instances: 60.0 %.",
    keys: &[KeyDoc { key: "set", meaning: "imported set" }, KeyDoc { key: "model", meaning: "configuration key" }],
    measures: &[("accuracy", "percent with counts"), ("passed", "right answers, of those graded")],
};

impl Statistic for ChoiceAccuracyCode {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            let positions = formats.positions(Subset::All).unwrap_or_default();
            for model in formats.models() {
                let keys = [("set", formats.set.id.as_str()), ("model", model.key)];
                let (accuracy, passed) = match model.code(&positions) {
                    Ok((right, all)) => (Estimate::share(right, all), Estimate::out_of(right, all)),
                    Err(reason) => (Estimate::undefined(reason.clone()), Estimate::undefined(reason)),
                };
                out.on(ABOUT.id, Basis::Records, &keys).put("accuracy", accuracy).put("passed", passed);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn each_model_with_its_counts() {
        let facts = Facts::new(study().compute(&ChoiceAccuracyCode).facts);
        let passed = |model| facts.get("mcq-accuracy-code", "passed", &[("set", "mcq"), ("model", model)]).unwrap();
        assert_eq!(passed("m").estimate, Estimate::out_of(2, 6));
        assert_eq!(passed("n").estimate, Estimate::out_of(1, 6));
    }
}
