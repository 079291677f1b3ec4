//! What it means for accuracy that some errors count as failures.

use crate::archive::Record;
use crate::statistics::tally::{Board, RunTally, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "error-as-fail",
    also: &[],
    title: "Errors that count as failures",
    unit: "percent",
    meaning: "Some records carry an error and are still marked as failures, because the model, not the infrastructure, \
              never came to an answer. This shows how many there are and what accuracy would be without them.",
    formula: "without = 100 p / (p + f - x), with p passed, f failed and x marked records of the run.",
    source: "Rule error-as-fail of the study.",
    edge_cases: "Runs without marked records have no facts of their own; the counts per experiment are given all the \
                 same. Nothing left to count: undefined.",
    example: "417 passes and 19 failures, 2 of them marked: 95.64 percent as counted, 96.08 without.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration; absent for totals" },
        KeyDoc { key: "run", meaning: "number of the run from 1; absent for totals" },
    ],
    measures: &[
        ("marked", "marked records; without model and run: of all archived runs"),
        ("problems", "distinct problems behind the marked records of all archived runs"),
        ("without", "accuracy of the run without its marked records"),
    ],
};

/// Errors that count as failures.
pub(in crate::statistics) struct ErrorAsFail;

impl Statistic for ErrorAsFail {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            for tally in &board.tallies {
                tally.runs.iter().for_each(|found| run(&mut output, &board, tally, found));
            }
            total(&mut output, &board);
        }
        output
    }
}

fn marked<'r>(run: &'r RunTally<'_>) -> impl Iterator<Item = &'r Record> {
    run.records.iter().flatten().copied().filter(|record| record.error_as_fail && record.passed != Some(true))
}

fn run(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, run: &RunTally<'_>) {
    let count = marked(run).count();
    if count == 0 {
        return;
    }
    let number = run.run.key.run.to_string();
    let mut keys = board.keys_of(tally);
    keys.push(("run", &number));
    let counts = run.counts();
    output
        .on(ABOUT.id, Basis::Records, &keys)
        .put("marked", Estimate::out_of(count, counts.failed))
        .put("without", Estimate::share(counts.passed, counts.graded() - count));
}

fn total(output: &mut Output, board: &Board<'_>) {
    let runs: Vec<&RunTally<'_>> = board.tallies.iter().flat_map(|tally| &tally.runs).collect();
    let mut facts = output.on(ABOUT.id, Basis::Records, &board.keys());
    if runs.is_empty() {
        let reason = Estimate::undefined("no run is archived");
        facts.put("marked", reason.clone()).put("problems", reason);
        return;
    }
    let ids: Vec<&str> = runs.iter().flat_map(|run| marked(run)).map(|record| record.id.as_str()).collect();
    let distinct: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    facts.put("marked", Estimate::count(ids.len())).put("problems", Estimate::count(distinct.len()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn marked_records_are_failures_and_can_be_left_out() {
        let problems = (0..6).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        let mut study = Fixture::new(&[("m", "M", true)])
            .set("core", "problems", None, problems)
            .experiment("core_direct", "core", "direct", 1)
            .run("core_direct", "m", 1, "PPPEEF");
        study.archive.runs[0].records[3].error_as_fail = true;
        let facts = Facts::new(study.compute(&ErrorAsFail).facts);
        let keys = [("set", "core"), ("protocol", "direct"), ("model", "m"), ("run", "1")];
        assert_eq!(facts.get("error-as-fail", "without", &keys).unwrap().estimate, Estimate::share(3, 4));
        assert_eq!(facts.get("error-as-fail", "marked", &keys[..2]).unwrap().estimate, Estimate::count(1));
    }
}
