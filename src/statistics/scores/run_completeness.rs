//! Which runs are there, and whether they know every problem.

use crate::statistics::tally::Board;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "run-completeness",
    also: &[],
    title: "Completeness of runs",
    unit: "runs",
    meaning: "What the other statistics could use: runs archived out of runs expected, and whether a configuration passes \
              the gate for a rank and the stricter gate for robustness analyses.",
    formula: "complete: every expected run is there and has a record of every problem. flawless: complete, and in every \
              run exactly the problems of the set, without infrastructure errors and with a verdict each.",
    source: "Completeness gate of the study (archive schema).",
    edge_cases: "An experiment without any run still has its expected number. Runs with a number beyond the expected ones \
                 enter no statistic and are counted here.",
    example: "Two of three expected runs: runs 2 of 3, complete 0, flawless 0.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration; absent for counts over all expected configurations" },
    ],
    measures: &[
        ("runs", "runs archived, out of those expected"),
        ("surplus", "runs with a number that is not expected"),
        ("complete", "1 where the configuration can be ranked; without a model: how many, out of those expected"),
        ("flawless", "1 where robustness analyses accept it; without a model: how many, out of those expected"),
        ("records", "records of the archived runs; without a model: of all of them"),
    ],
};

/// Completeness of runs.
pub(in crate::statistics) struct RunCompleteness;

impl Statistic for RunCompleteness {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            by_configuration(&mut output, &board);
            total(&mut output, &board);
        }
        output
    }
}

fn by_configuration(output: &mut Output, board: &Board<'_>) {
    for tally in &board.tallies {
        let records: usize = tally.runs.iter().map(|run| run.run.records.len()).sum();
        output
            .on(ABOUT.id, Basis::Records, &board.keys_of(tally))
            .put("runs", Estimate::out_of(tally.runs.len(), tally.expected_runs))
            .put("surplus", Estimate::count(tally.surplus_runs))
            .put("complete", Estimate::count(usize::from(tally.complete().is_ok())))
            .put("flawless", Estimate::count(usize::from(tally.flawless().is_ok())))
            .put("records", Estimate::count(records));
    }
}

fn total(output: &mut Output, board: &Board<'_>) {
    let tallies = &board.tallies;
    let runs: usize = tallies.iter().map(|tally| tally.runs.len()).sum();
    let expected: usize = tallies.iter().map(|tally| tally.expected_runs).sum();
    let records: usize = tallies.iter().flat_map(|tally| &tally.runs).map(|run| run.run.records.len()).sum();
    let complete = tallies.iter().filter(|tally| tally.complete().is_ok()).count();
    let flawless = tallies.iter().filter(|tally| tally.flawless().is_ok()).count();
    output
        .on(ABOUT.id, Basis::Records, &board.keys())
        .put("runs", Estimate::out_of(runs, expected))
        .put("surplus", Estimate::count(tallies.iter().map(|tally| tally.surplus_runs).sum()))
        .put("complete", Estimate::out_of(complete, tallies.len()))
        .put("flawless", Estimate::out_of(flawless, tallies.len()))
        .put("records", Estimate::count(records));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn the_two_gates_differ_in_errors() {
        let study = Fixture::new(&[("a", "A", true), ("b", "B", false), ("c", "C", false)])
            .set("core", "problems", None, vec![problem("p", "c", "low", 1), problem("q", "c", "low", 1)])
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PF")
            .run("core_code", "b", 1, "PE")
            .run("core_code", "b", 2, "PP");
        let facts = Facts::new(study.compute(&RunCompleteness).facts);
        let keys = [("set", "core"), ("protocol", "code"), ("model", "b")];
        let get =
            |measure, keys: &[(&str, &str)]| facts.get("run-completeness", measure, keys).unwrap().estimate.clone();
        assert_eq!(get("complete", &keys), Estimate::count(1));
        assert_eq!(get("flawless", &keys), Estimate::count(0));
        assert_eq!(get("surplus", &keys), Estimate::count(1));
        assert_eq!(get("complete", &keys[..2]), Estimate::out_of(2, 3));
        assert_eq!(get("runs", &keys[..2]), Estimate::out_of(2, 3));
    }
}
