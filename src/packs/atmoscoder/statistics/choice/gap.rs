//! What picking an option earns beyond computing the answer, and the published comparison of formats.

use super::formats::{Formats, Model, Subset};
use crate::statistics::names::percent;
use crate::statistics::published::Grid;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `mcq-gap`.
pub(crate) struct ChoiceGap;

static ABOUT: About = About {
    id: "mcq-gap",
    also: &[],
    title: "Format gap",
    unit: "points",
    meaning: "How many points of accuracy the option format adds on the same problems: recognition, elimination and luck on top \
              of being able to compute the answer.",
    formula: "gap = option accuracy - computed accuracy, in points, both over all instances; with subset clean over the instances \
              on sound templates only.",
    source: "Rule mcq-gap of the study.",
    edge_cases: "Undefined where either format is missing. Where a model's runs are not archived but the published tolerance table has \
                 both of its numbers, the gap of those is given (basis `published`).",
    example: "94.48 % by letter, 60.00 % computed: 34.5 points.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "subset", meaning: "`clean` or `defective`; absent for all instances" },
    ],
    measures: &[("gap", "option minus computed accuracy, points")],
};

impl Statistic for ChoiceGap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        let printed = Grid::read(evidence, "F6_4_tolerance_sweep");
        for formats in evidence.formats() {
            for model in formats.models() {
                let keys = [("set", formats.set.id.as_str()), ("model", model.key)];
                for subset in [Subset::All, Subset::Clean, Subset::Defective] {
                    let (estimate, basis) =
                        match (gap(&formats, &model, subset), printed_gap(printed.as_ref(), model.key)) {
                            (Ok(gap), _) => (Estimate::value(gap), Basis::Records),
                            (Err(_), Some(gap)) if subset == Subset::All => (Estimate::value(gap), Basis::Published),
                            (Err(reason), _) => (Estimate::undefined(reason), Basis::Records),
                        };
                    let more = [keys[0], keys[1], ("subset", subset.as_str())];
                    let keys = if subset == Subset::All { &keys[..] } else { &more[..] };
                    out.fact(ABOUT.id, "gap", keys, estimate, basis);
                }
            }
            out.tables.push(table(&formats));
        }
        out
    }
}

/// Option minus computed accuracy on a subset.
pub(super) fn gap(formats: &Formats<'_>, model: &Model<'_, '_>, subset: Subset) -> Result<f64, String> {
    let positions = formats.positions(subset)?;
    Ok(share(model.option(&positions)?)? - share(model.code(&positions)?)?)
}

/// A share in percent.
pub(super) fn share((right, all): (usize, usize)) -> Result<f64, String> {
    if all == 0 { Err("nothing was graded".into()) } else { Ok(percent(right, all)) }
}

fn printed_gap(printed: Option<&Grid>, key: &str) -> Option<f64> {
    let printed = printed?;
    let row = (0..printed.len()).find(|&row| printed.cell(row, "model") == Some(key))?;
    Some(printed.number(row, "option_mode")? - printed.number(row, "code_5pct")?)
}

/// One row per model, by computed accuracy.
fn table(formats: &Formats<'_>) -> Table {
    let all = formats.positions(Subset::All).unwrap_or_default();
    let clean = formats.positions(Subset::Clean);
    let (n, m) = (all.len(), clean.as_ref().map_or(0, Vec::len));
    let percents =
        [format!("option_all{n}"), format!("option_clean{m}"), format!("code_all{n}"), format!("code_clean{m}")];
    let deltas = [format!("delta_all{n}"), format!("delta_clean{m}")];
    let mut columns = vec![("model", Kind::Text, ""), ("option_source", Kind::Text, "")];
    columns.extend(percents.iter().map(|name| (name.as_str(), Kind::Real, "percent")));
    columns.extend(deltas.iter().map(|name| (name.as_str(), Kind::Real, "points")));
    columns.push(("rescue_correct", Kind::Integer, "instances"));
    columns.push(("rescue_total", Kind::Integer, "instances"));
    columns.push(("rescue_pct", Kind::Real, "percent"));
    let title = "Option answers against computed answers on the same problems";
    let statistics = ["mcq-accuracy-option", "mcq-accuracy-code", "mcq-gap", "mcq-clean-subset", "mcq-rescue"];
    let mut table = Table::new("F7_mcq_inflation", title, &statistics, &columns);
    for model in formats.by_code_accuracy() {
        let option = |positions: &Vec<usize>| share(model.option(positions)?);
        let code = |positions: &Vec<usize>| share(model.code(positions)?);
        let sound =
            |format: &dyn Fn(&Vec<usize>) -> Result<f64, String>| clean.as_ref().map_err(Clone::clone).and_then(format);
        let cell = |value: Result<f64, String>| match value {
            Ok(value) => Cell::fixed(value, 1),
            Err(reason) => Cell::Undefined(reason.into()),
        };
        let source = if model.has_option() {
            Cell::text("in-house")
        } else {
            Cell::Undefined("no option answers are archived".into())
        };
        let mut row = vec![Cell::text(model.name()), source];
        row.extend([option(&all), sound(&option), code(&all), sound(&code)].map(cell));
        row.extend([Subset::All, Subset::Clean].map(|subset| cell(gap(formats, &model, subset))));
        row.extend(match super::rescue::rescued(&model, &all) {
            Ok((rescued, failed)) => [Cell::count(rescued), Cell::count(failed), cell(share((rescued, failed)))],
            Err(reason) => [(); 3].map(|()| Cell::Undefined(reason.as_str().into())),
        });
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn gaps_and_the_table_of_formats() {
        let mut study = study();
        let text = "model,code_5pct,code_10pct,code_20pct,option_mode\nn,53.0,54.6,55.7,88.51\nm,1.0,1.0,1.0,99.0\n";
        study.published.insert("F6_4_tolerance_sweep".into(), text.into());
        let out = study.compute(&ChoiceGap);
        let facts = Facts::new(out.facts);
        let fact = |model, more: &[(&str, &str)]| {
            let keys: Vec<_> = [("set", "mcq"), ("model", model)].into_iter().chain(more.iter().copied()).collect();
            facts.get("mcq-gap", "gap", &keys).unwrap().clone()
        };
        let own = fact("m", &[]);
        assert!((own.estimate.point().unwrap() - 200.0 / 6.0).abs() < 1e-12 && own.basis == Basis::Records);
        assert_eq!(fact("m", &[("subset", "clean")]).estimate.point(), Some(25.0));
        let quoted = fact("n", &[]);
        assert!((quoted.estimate.point().unwrap() - 35.51).abs() < 1e-9 && quoted.basis == Basis::Published);
        let csv = crate::table::to_csv(&out.tables[0]);
        let lines: Vec<&str> = csv.lines().collect();
        assert!(
            lines[0].starts_with("model,option_source,option_all6,option_clean4,code_all6,code_clean4,delta_all6,")
        );
        assert_eq!(lines[1], "Model m,in-house,66.7,75.0,33.3,50.0,33.3,25.0,3,4,75.0");
        assert_eq!(lines[2], "Model n,,,,16.7,25.0,,,,,");
    }
}
