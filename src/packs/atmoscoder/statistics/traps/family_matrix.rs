//! Solve rate of trap families per configuration.

use super::family_pool::pools;
use super::setup::Traps;
use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};
use crate::table::{Cell, Kind, Table};

/// The statistic `trap-family-matrix`.
pub(crate) struct TrapFamilyMatrix;

/// Key of the row over all configurations, as published.
const POOLED: &str = "__pooled__";

static ABOUT: About = About {
    id: "trap-family-matrix",
    also: &[],
    title: "Solve rate of trap families per configuration",
    unit: "percent",
    meaning: "Which shortcuts a configuration resists.",
    formula: "rate = 100 × passed / graded over the runs and traps of a family; overall = mean of run accuracies on all traps \
              (see trap-accuracy). The row `__pooled__` has the rates of trap-family-pool and, as overall, the mean of the \
              configurations' overall.",
    source: "Rule trap-family-matrix of the study.",
    edge_cases: "Configurations without all runs are undefined and not in the pooled row.",
    example: "5 traps × 3 runs, 12 passed: 80.0 %.",
    keys: &[
        KeyDoc { key: "set", meaning: "trap set" },
        KeyDoc { key: "model", meaning: "configuration key, or `__pooled__`" },
        KeyDoc { key: "family", meaning: "trap family, for rate" },
    ],
    measures: &[("rate", "percent with counts"), ("overall", "accuracy on all traps, percent")],
};

impl Statistic for TrapFamilyMatrix {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for traps in evidence.traps() {
            let set = ("set", traps.set.id.as_str());
            for tally in &traps.board.tallies {
                let model = ("model", tally.key);
                let overall = traps.mean(tally).map_or_else(Estimate::undefined, Estimate::value);
                out.fact(ABOUT.id, "overall", &[set, model], overall, Basis::Records);
                for (family, members) in traps.families() {
                    let counts = tally.counts_of(&members);
                    let rate = match tally.complete() {
                        Ok(()) => Estimate::percent(counts.passed, counts.graded()),
                        Err(reason) => Estimate::undefined(reason),
                    };
                    out.fact(ABOUT.id, "rate", &[set, model, ("family", family)], rate, Basis::Records);
                }
            }
            let model = ("model", POOLED);
            let means: Vec<f64> = traps.complete().filter_map(|tally| traps.mean(tally).ok()).collect();
            let mean = Estimate::or(moments::mean(&means), "no configuration has all its runs");
            out.fact(ABOUT.id, "overall", &[set, model], mean.clone(), Basis::Records);
            for pool in pools(&traps) {
                let keys = [set, model, ("family", pool.family)];
                out.fact(ABOUT.id, "rate", &keys, Estimate::percent(pool.passed, pool.graded), Basis::Records);
            }
            out.tables.push(table(&traps, &mean));
        }
        out
    }
}

/// Families as columns, hardest first; configurations by their overall rate, descending.
fn table(traps: &Traps<'_>, pooled: &Estimate) -> Table {
    let pools = pools(traps);
    let mut columns = vec![("model", Kind::Text, ""), ("overall", Kind::Real, "percent")];
    columns.extend(pools.iter().map(|pool| (pool.family, Kind::Real, "percent")));
    let title = "Solve rate of trap families by configuration";
    let mut table = Table::new("F6_1b_matrix", title, &["trap-family-matrix", "trap-family-pool"], &columns);
    let cell = |estimate: Estimate| match estimate {
        Estimate::Value { value, .. } => Cell::fixed(value, 1),
        Estimate::Undefined(reason) => Cell::Undefined(reason.into()),
    };
    let families = traps.families();
    let mut rows: Vec<(&Tally<'_>, f64)> =
        traps.complete().filter_map(|tally| Some((tally, traps.mean(tally).ok()?))).collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (tally, overall) in rows {
        let mut row = vec![Cell::text(tally.key), Cell::fixed(overall, 1)];
        row.extend(pools.iter().map(|pool| {
            let members = families.iter().find(|(name, _)| *name == pool.family);
            let counts = tally.counts_of(members.map_or(&[][..], |(_, members)| members));
            cell(Estimate::percent(counts.passed, counts.graded()))
        }));
        table.push(row);
    }
    let mut row = vec![Cell::text(POOLED), cell(pooled.clone())];
    row.extend(pools.iter().map(|pool| cell(Estimate::percent(pool.passed, pool.graded))));
    table.push(row);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::study;

    #[test]
    fn rows_and_the_pooled_row() {
        let out = study().compute(&TrapFamilyMatrix);
        let csv = crate::table::to_csv(&out.tables[0]);
        let rows = "m-r,66.7,50.0,100.0\nm,33.3,33.3,33.3\n__pooled__,50.0,41.7,66.7\n";
        assert_eq!(csv, format!("model,overall,edge,sign\n{rows}"));
    }
}
