//! Both formats on instances with sound templates and on the others.

use super::formats::Subset;
use super::gap::share;
use crate::statistics::published::Grid;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

/// The statistic `mcq-clean-subset`.
pub(crate) struct ChoiceCleanSubset;

static ABOUT: About = About {
    id: "mcq-clean-subset",
    also: &[],
    title: "Accuracy without condemned templates",
    unit: "percent",
    meaning: "Whether the format gap is an artefact of wrong keys: both accuracies on the instances that remain when condemned templates \
              go, and on the condemned ones themselves.",
    formula: "code-clean, option-clean: accuracies on instances of templates that are not condemned (see mcq-defect-set); code-defective, \
              option-defective: on the others; gain = clean - all; gap-clean = option-clean - code-clean.",
    source: "Rule mcq-clean-subset of the study.",
    edge_cases: "Undefined without an audit, without instances of a kind, and where a format is missing. The gain of a model without archived \
                 runs follows from the published comparison of formats (basis `published`).",
    example: "60.0 % computed on 670 instances, 78.3 % on the 480 clean ones: gain 18.3 points.",
    keys: &[KeyDoc { key: "set", meaning: "imported set" }, KeyDoc { key: "model", meaning: "configuration key" }],
    measures: &[
        ("code-clean", "computed accuracy on clean instances"),
        ("option-clean", "option accuracy on clean instances"),
        ("code-defective", "computed accuracy on condemned instances"),
        ("option-defective", "option accuracy on condemned instances"),
        ("code-gain", "computed accuracy on clean minus all instances, points"),
        ("option-gain", "option accuracy on clean minus all instances, points"),
        ("gap-clean", "option minus computed accuracy on clean instances, points"),
    ],
};

impl Statistic for ChoiceCleanSubset {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let printed = Grid::read(evidence, "F7_mcq_inflation");
        for formats in evidence.formats() {
            let [all, clean, defective] =
                [Subset::All, Subset::Clean, Subset::Defective].map(|subset| formats.positions(subset));
            for model in formats.models() {
                let keys = [("set", formats.set.id.as_str()), ("model", model.key)];
                let code =
                    |positions: &Result<Vec<usize>, String>| model.code(positions.as_ref().map_err(Clone::clone)?);
                let option =
                    |positions: &Result<Vec<usize>, String>| model.option(positions.as_ref().map_err(Clone::clone)?);
                let counted = |share: Result<(usize, usize), String>| match share {
                    Ok((right, all)) => Estimate::percent(right, all),
                    Err(reason) => Estimate::undefined(reason),
                };
                let difference = |a: Result<(usize, usize), String>, b: Result<(usize, usize), String>| {
                    let difference = || Ok::<_, String>(share(a?)? - share(b?)?);
                    difference().map_or_else(Estimate::undefined, Estimate::value)
                };
                out.on(ABOUT.id, Basis::Records, &keys)
                    .put("code-clean", counted(code(&clean)))
                    .put("option-clean", counted(option(&clean)))
                    .put("code-defective", counted(code(&defective)))
                    .put("option-defective", counted(option(&defective)))
                    .put("option-gain", difference(option(&clean), option(&all)))
                    .put("gap-clean", difference(option(&clean), code(&clean)));
                let gain = difference(code(&clean), code(&all));
                let quoted = || printed_gain(printed.as_ref(), model.name());
                let (gain, basis) = match gain {
                    Estimate::Undefined(reason) => quoted()
                        .map_or((Estimate::Undefined(reason), Basis::Records), |gain| {
                            (Estimate::value(gain), Basis::Published)
                        }),
                    gain @ Estimate::Value { .. } => (gain, Basis::Records),
                };
                out.fact(ABOUT.id, "code-gain", &keys, gain, basis);
            }
        }
        out
    }
}

/// Clean minus all from the published comparison, whose column names end in numbers of instances.
fn printed_gain(printed: Option<&Grid>, name: &str) -> Option<f64> {
    let printed = printed?;
    let row = (0..printed.len()).find(|&row| printed.cell(row, "model") == Some(name))?;
    let value = |start: &str| printed.number(row, printed.columns().find(|column| column.starts_with(start))?);
    Some(value("code_clean")? - value("code_all")?)
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn clean_and_condemned_instances() {
        let mut study = study();
        study.archive.runs.retain(|run| run.key.configuration.as_str() == "m");
        let text = "model,code_all6,code_clean4\nModel n,53.0,70.4\n";
        study.published.insert("F7_mcq_inflation".into(), text.into());
        let facts = Facts::new(study.compute(&ChoiceCleanSubset).facts);
        let fact =
            |measure, model| facts.get("mcq-clean-subset", measure, &[("set", "mcq"), ("model", model)]).unwrap();
        assert_eq!(fact("code-clean", "m").estimate, Estimate::percent(2, 4));
        assert_eq!(fact("option-defective", "m").estimate, Estimate::percent(1, 2));
        assert!((fact("code-gain", "m").estimate.point().unwrap() - (50.0 - 200.0 / 6.0)).abs() < 1e-12);
        let quoted = fact("code-gain", "n");
        assert!((quoted.estimate.point().unwrap() - 17.4).abs() < 1e-9 && quoted.basis == Basis::Published);
    }
}
