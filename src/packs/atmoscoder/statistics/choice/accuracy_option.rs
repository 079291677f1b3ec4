//! Accuracy on imported problems when an option is picked, and the published tolerance table.

use super::formats::{Formats, Model, Subset};
use crate::statistics::names::percent;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `mcq-accuracy-option`.
pub(crate) struct ChoiceAccuracyOption;

/// Tolerances of the published table.
const SWEEP: [(&str, f64); 3] = [("code_5pct", 0.05), ("code_10pct", 0.1), ("code_20pct", 0.2)];

static ABOUT: About = About {
    id: "mcq-accuracy-option",
    also: &[],
    title: "Accuracy of option answers on imported problems",
    unit: "percent",
    meaning: "How many of the imported problems a model answers with the right letter.",
    formula: "accuracy = 100 × #(score = 1) / #answers over all instances of the set.",
    source: "Rule mcq-accuracy-option of the study.",
    edge_cases: "Accuracies that a study quotes from elsewhere are not recomputed: the model is undefined here.",
    example: "633 of 670: 94.48 %.",
    keys: &[KeyDoc { key: "set", meaning: "imported set" }, KeyDoc { key: "model", meaning: "configuration key" }],
    measures: &[("accuracy", "percent with counts"), ("passed", "right answers, of all")],
};

impl Statistic for ChoiceAccuracyOption {
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
                let (accuracy, passed) = match model.option(&positions) {
                    Ok((right, all)) => (Estimate::share(right, all), Estimate::out_of(right, all)),
                    Err(reason) => (Estimate::undefined(reason.clone()), Estimate::undefined(reason)),
                };
                out.on(ABOUT.id, Basis::Records, &keys).put("accuracy", accuracy).put("passed", passed);
            }
            out.tables.push(table(&formats, &positions));
        }
        out
    }
}

fn table(formats: &Formats<'_>, positions: &[usize]) -> Table {
    let mut columns = vec![("model", Kind::Text, "")];
    columns.extend(SWEEP.iter().map(|&(name, _)| (name, Kind::Real, "percent")));
    columns.push(("option_mode", Kind::Real, "percent"));
    let title = "Imported problems: computed answers by tolerance, and option answers";
    let statistics = ["tolerance-regrade", "mcq-accuracy-option"];
    let mut table = Table::new("F6_4_tolerance_sweep", title, &statistics, &columns);
    let cell = |share: Result<(usize, usize), String>, decimals: usize| match share {
        Ok((right, all)) if all > 0 => Cell::fixed(percent(right, all), decimals),
        Ok(_) => Cell::Undefined("nothing was graded".into()),
        Err(reason) => Cell::Undefined(reason.into()),
    };
    let row = |model: &Model<'_, '_>| {
        let mut row = vec![Cell::text(model.key)];
        row.extend(SWEEP.iter().map(|&(_, tolerance)| cell(model.code_at(positions, tolerance), 1)));
        row.push(cell(model.option(positions), 2));
        row
    };
    formats.by_code_accuracy().iter().for_each(|model| table.push(row(model)));
    table
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn only_archived_options_count() {
        let out = study().compute(&ChoiceAccuracyOption);
        let csv = crate::table::to_csv(&out.tables[0]);
        assert_eq!(csv.lines().nth(1), Some("m,33.3,33.3,33.3,66.67"));
        assert_eq!(csv.lines().nth(2), Some("n,16.7,16.7,16.7,"));
        let facts = Facts::new(out.facts);
        let accuracy =
            |model| facts.get("mcq-accuracy-option", "accuracy", &[("set", "mcq"), ("model", model)]).unwrap();
        assert_eq!(accuracy("m").estimate.point(), Some(400.0 / 6.0));
        assert!(accuracy("n").estimate.point().is_none());
    }
}
