//! Every instance by both formats: right in both, in one, in none.

use super::formats::{Formats, Subset};
use crate::statistics::pairing::Counts;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// The statistic `mcq-crosstab`.
pub(crate) struct ChoiceCrosstab;

/// Measures with the outcome they count: option, then computed.
const CELLS: [(&str, (bool, bool)); 4] =
    [("both", (true, true)), ("option-only", (true, false)), ("code-only", (false, true)), ("neither", (false, false))];

static ABOUT: About = About {
    id: "mcq-crosstab",
    also: &[],
    title: "Outcomes of both formats",
    unit: "count",
    meaning: "Whether the option format adds to what a model can compute or replaces it: a pure addition leaves hardly any instance that \
              is right only when computed.",
    formula: "Per instance: both, option-only, code-only or neither, by the two stored verdicts; share = 100 × option-only / instances.",
    source: "Rule mcq-crosstab of the study.",
    edge_cases: "Instances that one format excludes for an infrastructure error are in no cell. Undefined where a format is missing.",
    example: "395 both, 238 option-only, 7 code-only, 30 neither of 670.",
    keys: &[
        KeyDoc { key: "set", meaning: "imported set" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "subset", meaning: "`clean` or `defective`; absent for all instances" },
    ],
    measures: &[
        ("both", "right in both formats"),
        ("option-only", "right by letter only"),
        ("code-only", "right when computed only"),
        ("neither", "right in neither"),
        ("share", "option-only, percent of the instances"),
    ],
};

impl Statistic for ChoiceCrosstab {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for formats in evidence.formats() {
            for model in formats.models() {
                for subset in [Subset::All, Subset::Clean, Subset::Defective] {
                    let keys = [("set", formats.set.id.as_str()), ("model", model.key), ("subset", subset.as_str())];
                    let keys = if subset == Subset::All { &keys[..2] } else { &keys[..] };
                    let verdicts = formats.positions(subset).and_then(|positions| model.verdicts(&positions));
                    let mut writer = out.on(ABOUT.id, Basis::Records, keys);
                    match verdicts {
                        Ok(verdicts) => {
                            let counts: Counts = verdicts.iter().map(|v| (v.1, v.2)).collect();
                            let cells = [counts.both, counts.lost, counts.gained, counts.neither];
                            for ((measure, _), count) in CELLS.into_iter().zip(cells) {
                                writer.put(measure, Estimate::out_of(count, counts.pairs()));
                            }
                            writer.put("share", Estimate::percent(counts.lost, counts.pairs()));
                        }
                        Err(reason) => {
                            for measure in ["both", "option-only", "code-only", "neither", "share"] {
                                writer.put(measure, Estimate::undefined(reason.clone()));
                            }
                        }
                    }
                }
            }
            out.tables.push(table(&formats));
        }
        out
    }
}

/// Models by computed accuracy, instances in file order.
fn table(formats: &Formats<'_>) -> Table {
    let columns =
        [("id", Kind::Text, ""), ("defective", Kind::Text, ""), ("model", Kind::Text, ""), ("state", Kind::Text, "")];
    let title = "Every instance by both formats";
    let mut table = Table::new("F20_mcq_verdicts", title, &["mcq-crosstab", "mcq-defect-set"], &columns);
    let all = formats.positions(Subset::All).unwrap_or_default();
    let defective = formats.positions(Subset::Defective);
    for model in formats.by_code_accuracy() {
        for (at, option, code) in model.verdicts(&all).unwrap_or_default() {
            let state = CELLS.iter().find(|(_, cell)| *cell == (option, code)).map_or("", |(word, _)| word);
            let defective = match &defective {
                Ok(defective) => Cell::text(if defective.binary_search(&at).is_ok() { "yes" } else { "no" }),
                Err(reason) => Cell::Undefined(reason.as_str().into()),
            };
            table.push(vec![Cell::text(formats.id(at)), defective, Cell::text(model.name()), Cell::text(state)]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::audit::tests::study;
    use super::*;
    use crate::statistics::Facts;

    #[test]
    fn four_cells_and_their_subsets() {
        let out = study().compute(&ChoiceCrosstab);
        let facts = Facts::new(out.facts);
        let value = |measure, more: &[(&str, &str)]| {
            let keys: Vec<_> = [("set", "mcq"), ("model", "m")].into_iter().chain(more.iter().copied()).collect();
            facts.get("mcq-crosstab", measure, &keys).unwrap().estimate.clone()
        };
        // Option P P P F P F against computed P F F F U P.
        let all = ["both", "option-only", "code-only", "neither"].map(|measure| value(measure, &[]).point().unwrap());
        assert_eq!(all, [1.0, 3.0, 1.0, 1.0]);
        assert_eq!(value("share", &[("subset", "defective")]), Estimate::percent(1, 2));
        assert_eq!(value("code-only", &[("subset", "clean")]), Estimate::out_of(1, 4));
        let csv = crate::table::to_csv(&out.tables[0]);
        assert_eq!(csv.lines().nth(3), Some("T2_1,yes,Model m,option-only"));
        assert_eq!(csv.lines().count(), 7);
    }
}
