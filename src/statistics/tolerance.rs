//! Accuracy when stored answers are graded again at other tolerances.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::moments::mean;
use super::tally::{Board, RunTally, Tally};
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::archive::{Gradability, State};
use crate::grade::sweep;
use crate::number;
use crate::table::{Cell, Kind, Table};

/// The statistic `tolerance-regrade`.
pub(crate) struct Tolerance;

const ID: &str = "tolerance-regrade";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Accuracy by tolerance",
    unit: "percent",
    meaning: "How much of the accuracy depends on the width of the tolerance: every stored answer is graded again, \
              with units, at each tolerance of the sweep.",
    formula: "acc(t) = mean over runs of 100 × (records whose every sub-answer passes at t) / (records without an \
              infrastructure error). A record without graded sub-answers fails. Values of a later order-proving \
              regrade replace the stored ones, without unit.",
    source: "Offline regrade rule of the study; the relative tolerance is absolute for an expected zero.",
    edge_cases: "Undefined when a graded record has no stored sub-answers to grade again (only its verdict is \
                 archived), and when runs are missing. Units that were never stored count as empty, which can credit \
                 too much.",
    example: "A run of 4 records with relative errors 0.5 %, 3 %, 8 % and no answer: acc(1 %) = 25, acc(5 %) = 50, \
              acc(10 %) = 75.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "tolerance", meaning: "tolerance in percent" },
        KeyDoc { key: "run", meaning: "run number, for the measure run" },
    ],
    measures: &[("mean", "mean over runs"), ("run", "one run")],
};

impl Statistic for Tolerance {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let tolerances = &evidence.study.grading.sweep;
        for board in evidence.boards().filter(|board| board.experiment.choice.is_none()) {
            let mut means: BTreeMap<&str, Result<Vec<f64>, String>> = BTreeMap::new();
            for tally in &board.tallies {
                let swept = sweep_configuration(tally, tolerances);
                add_facts(&mut output, &board, tally, tolerances, &swept);
                let mean_of = |runs: &Vec<Vec<f64>>| {
                    (0..tolerances.len())
                        .filter_map(|at| mean(&runs.iter().map(|run| run[at]).collect::<Vec<_>>()))
                        .collect()
                };
                means.insert(tally.key, swept.as_ref().map(mean_of).map_err(Clone::clone));
            }
            output.tables.extend(table(evidence, &board, tolerances, &means));
        }
        output
    }
}

/// Accuracy of each run at each tolerance.
fn sweep_configuration(tally: &Tally<'_>, tolerances: &[f64]) -> Result<Vec<Vec<f64>>, String> {
    tally.complete()?;
    // In two steps: of several errors, the first run's is told.
    let runs: Vec<_> = tally.runs.par_iter().map(|run| sweep_run(run, tolerances)).collect();
    runs.into_iter().collect()
}

fn sweep_run(run: &RunTally<'_>, tolerances: &[f64]) -> Result<Vec<f64>, String> {
    let mut passed = vec![0_usize; tolerances.len()];
    let mut graded = 0_usize;
    for record in run.records.iter().flatten().filter(|record| record.state() != State::Excluded) {
        graded += 1;
        let Some(details) = &record.details else {
            if record.gradability() == Gradability::Ungradable {
                continue;
            }
            return Err("only verdicts are archived, not the answers".to_owned());
        };
        for (count, pass) in passed.iter_mut().zip(sweep(details, &record.regraded, tolerances)) {
            *count += usize::from(pass);
        }
    }
    if graded == 0 {
        return Err("nothing was graded".to_owned());
    }
    Ok(passed.into_iter().map(|count| 100.0 * count as f64 / graded as f64).collect())
}

fn add_facts(
    output: &mut Output,
    board: &Board<'_>,
    tally: &Tally<'_>,
    tolerances: &[f64],
    swept: &Result<Vec<Vec<f64>>, String>,
) {
    for (at, &tolerance) in tolerances.iter().enumerate() {
        let tolerance = percent_key(tolerance);
        let mut keys = board.keys_of(tally);
        keys.push(("tolerance", &tolerance));
        match swept {
            Ok(runs) => {
                let values: Vec<f64> = runs.iter().map(|run| run[at]).collect();
                let estimate = mean(&values).map_or_else(|| Estimate::undefined("no run"), Estimate::value);
                output.fact(ID, "mean", &keys, estimate, Basis::Records);
                for (run, value) in tally.runs.iter().zip(values) {
                    let number = run.run.key.run.to_string();
                    let keys: Vec<_> = keys.iter().copied().chain([("run", number.as_str())]).collect();
                    output.fact(ID, "run", &keys, Estimate::value(value), Basis::Records);
                }
            }
            Err(reason) => output.fact(ID, "mean", &keys, Estimate::undefined(reason), Basis::Records),
        }
    }
}

/// A tolerance as a whole percentage where it is one: 0.05 is `5`, 0.025 is `2.5`.
pub(crate) fn percent_key(tolerance: f64) -> String {
    let text = number::repr(number::round(100.0 * tolerance, 6));
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The published layout: the main set at 1, 2, 5 and 10 %, best configuration first. (The multiple-choice set
/// has its table beside the option answers.)
fn table(
    evidence: &Evidence<'_>,
    board: &Board<'_>,
    tolerances: &[f64],
    means: &BTreeMap<&str, Result<Vec<f64>, String>>,
) -> Option<Table> {
    const WANTED: [&str; 4] = ["1", "2", "5", "10"];
    evidence.main_experiment().filter(|main| main.id == board.experiment.id)?;
    let column = |percent: &str| tolerances.iter().position(|&tolerance| percent_key(tolerance) == percent);
    let positions: Vec<usize> = WANTED.into_iter().filter_map(column).collect();
    if positions.len() != WANTED.len() || !means.values().any(Result::is_ok) {
        return None;
    }
    let cells = |key: &str| -> Vec<Cell> {
        match &means[key] {
            Ok(values) => positions.iter().map(|&at| Cell::fixed(values[at], 1)).collect(),
            Err(reason) => positions.iter().map(|_| Cell::Undefined(reason.as_str().into())).collect(),
        }
    };
    let columns = [
        ("model", Kind::Text, ""),
        ("setting", Kind::Text, ""),
        ("acc_1pct", Kind::Real, "percent"),
        ("acc_2pct", Kind::Real, "percent"),
        ("acc_5pct", Kind::Real, "percent"),
        ("acc_10pct", Kind::Real, "percent"),
    ];
    let mut table = Table::new("tolerance", "Core accuracy at four tolerances", &[ID], &columns);
    for tally in board.in_order().into_iter().filter(|tally| tally.on_leaderboard()) {
        let setting = tally.configuration.map_or("", |configuration| configuration.setting());
        let mut row = vec![Cell::text(tally.name()), Cell::text(setting)];
        row.extend(cells(tally.key));
        table.push(row);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_are_named_in_percent() {
        assert_eq!([0.01, 0.05, 0.2, 0.025, 1.0].map(percent_key), ["1", "5", "20", "2.5", "100"]);
    }
}
