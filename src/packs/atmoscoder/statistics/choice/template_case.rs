//! One template at a time: how many of its instances each format gets right.

use std::collections::BTreeSet;

use super::audit::template;
use super::formats::{Formats, Model};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `mcq-template-case`.
pub(crate) struct ChoiceTemplateCase;

static ABOUT: About = About {
    id: "mcq-template-case",
    also: &[],
    title: "Single templates",
    unit: "count",
    meaning: "Templates that reward recognition and refuse computation: many instances right by letter, none when computed.",
    formula: "option, code = right answers among the instances of a template, by format; pooled = 100 × right computed answers / graded ones \
              over all declared models.",
    source: "Rule mcq-template-case of the study.",
    edge_cases: "A format that is not archived for a model is undefined. pooled needs the computed answers of every declared model.",
    example: "Ten instances, nine right by letter, none computed: 9 of 10 and 0 of 10.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "problem", meaning: "template" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[
        ("option", "instances right by letter, of all"),
        ("code", "instances right when computed, of those graded"),
        ("pooled", "computed answers of all models that are right, percent with counts"),
    ],
};

impl Statistic for ChoiceTemplateCase {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            let names: BTreeSet<&str> = formats.set.problems.iter().filter_map(template).collect();
            let models = formats.models();
            for name in names {
                one(&mut out, &formats, &models, name);
            }
        }
        out
    }
}

fn one(out: &mut Output, formats: &Formats<'_>, models: &[Model<'_, '_>], name: &str) {
    let positions = formats.instances_of(name);
    let keys = [("set", formats.set.id.as_str()), ("problem", name)];
    let counted = |share: Result<(usize, usize), String>| match share {
        Ok((right, all)) => Estimate::out_of(right, all),
        Err(reason) => Estimate::undefined(reason),
    };
    let mut pooled: Result<(usize, usize), String> = Ok((0, 0));
    for model in models {
        let code = model.code(&positions);
        pooled = match (pooled, code.clone()) {
            (Ok((right, all)), Ok((r, a))) => Ok((right + r, all + a)),
            (Ok(_), Err(reason)) => Err(format!("{}: {reason}", model.key)),
            (Err(reason), _) => Err(reason),
        };
        out.on(ABOUT.id, Basis::Records, &[keys[0], keys[1], ("model", model.key)])
            .put("option", counted(model.option(&positions)))
            .put("code", counted(code));
    }
    let pooled = match pooled {
        Ok((right, all)) => Estimate::percent(right, all),
        Err(reason) => Estimate::undefined(reason),
    };
    out.fact(ABOUT.id, "pooled", &keys, pooled, Basis::Records);
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn instances_of_one_template() {
        let facts = Facts::new(study().compute(&ChoiceTemplateCase).facts);
        let value =
            |measure, keys: &[(&str, &str)]| facts.get("mcq-template-case", measure, keys).unwrap().estimate.clone();
        let keys = [("set", "mcq"), ("problem", "T1")];
        assert_eq!(value("pooled", &keys), Estimate::percent(1, 4));
        let m = [keys[0], keys[1], ("model", "m")];
        assert_eq!((value("option", &m), value("code", &m)), (Estimate::out_of(2, 2), Estimate::out_of(1, 2)));
        assert!(value("option", &[keys[0], keys[1], ("model", "n")]).point().is_none());
    }
}
