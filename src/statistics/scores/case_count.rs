//! Passing runs of single problems.

use crate::statistics::tally::{Board, RunOutcome, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "case-count",
    also: &["residual-pass-count"],
    title: "Passing runs of a problem",
    unit: "runs",
    meaning: "What a single problem did, for the cases that a paper tells: in how many of its measurements it was passed, \
              by configuration and run by run.",
    formula: "passes = number of passing runs, out of the runs in which the problem was graded; without a model over all \
              configurations of the leaderboard.",
    source: "Rules case-count and residual-pass-count of the study.",
    edge_cases: "No graded run: undefined. Counts by configuration are given for original problems and sets labelled `per-problem`, counts by run \
                 for original problems; the table of outcomes holds every run of the main experiment.",
    example: "16 configurations with three runs each: 2 passes of 48 measurements.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "problem", meaning: "problem" },
        KeyDoc { key: "model", meaning: "configuration; absent for all of the leaderboard" },
        KeyDoc { key: "run", meaning: "number of the run from 1" },
    ],
    measures: &[
        ("passes", "passing runs, out of the runs in which the problem was graded"),
        ("passed", "1 where this run passed, 0 where it failed"),
    ],
};

/// Passing runs of a problem.
pub(in crate::statistics) struct CaseCount;

impl Statistic for CaseCount {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            // Nothing to say about the problems of an experiment without runs.
            if board.tallies.iter().any(|tally| !tally.runs.is_empty()) {
                (0..board.problems.len()).for_each(|problem| facts(&mut output, &board, problem));
            }
        }
        output.tables.extend(evidence.main_board().map(|board| table(&board)));
        output
    }
}

fn passes(passes: usize, graded: usize) -> Estimate {
    if graded == 0 { Estimate::undefined("no run graded it") } else { Estimate::out_of(passes, graded) }
}

fn facts(output: &mut Output, board: &Board<'_>, problem: usize) {
    let mut keys = board.keys();
    keys.push(("problem", board.problems[problem]));
    let passing = board.leaderboard().map(|tally| tally.passes(problem)).sum();
    let total = passes(passing, board.leaderboard().map(|tally| tally.graded(problem)).sum());
    output.on(ABOUT.id, Basis::Records, &keys).put("passes", total);
    let Some(set) = board.set.filter(|set| set.is_original() || set.labels.contains_key("per-problem")) else { return };
    for tally in board.tallies.iter().filter(|tally| !tally.runs.is_empty()) {
        let keys = [&keys[..], &[("model", tally.key)]].concat();
        output.on(ABOUT.id, Basis::Records, &keys).put("passes", passes(tally.passes(problem), tally.graded(problem)));
        for run in tally.runs.iter().filter(|_| set.is_original()) {
            let number = run.run.key.run.to_string();
            let passed = match run.outcomes[problem] {
                RunOutcome::Pass => Estimate::count(1),
                RunOutcome::Fail => Estimate::count(0),
                RunOutcome::Excluded => Estimate::undefined("the run ended in an infrastructure error"),
                RunOutcome::Absent => Estimate::undefined("the run has no record of it"),
            };
            output.on(ABOUT.id, Basis::Records, &[&keys[..], &[("run", &number)]].concat()).put("passed", passed);
        }
    }
}

fn table(board: &Board<'_>) -> Table {
    let columns = [
        ("id", Kind::Text, ""),
        ("category", Kind::Text, ""),
        ("difficulty", Kind::Text, ""),
        ("model", Kind::Text, ""),
        ("run", Kind::Integer, ""),
        ("passed", Kind::Integer, ""),
        ("excluded", Kind::Integer, ""),
    ];
    let title = "Outcome of every run of the leaderboard on every problem";
    let mut table = Table::new("run_outcomes", title, &[ABOUT.id], &columns);
    let mut order: Vec<usize> = board.all();
    order.sort_by_key(|&problem| board.problems[problem]);
    let mut tallies: Vec<&Tally<'_>> = board.leaderboard().collect();
    tallies.sort_by_key(|tally| (tally.name(), tally.key));
    let label =
        |text: Option<std::sync::Arc<str>>| text.map_or_else(|| Cell::Undefined("not stored".into()), Cell::Text);
    let labels: Vec<[Cell; 3]> = board
        .problems
        .iter()
        .map(|&id| {
            let problem = board.set.and_then(|set| set.get(id));
            let category = problem.and_then(|problem| problem.category.clone());
            let difficulty = problem.and_then(|problem| problem.difficulty.clone());
            [Cell::text(id), label(category), label(difficulty)]
        })
        .collect();
    for tally in tallies {
        let name = Cell::text(tally.name());
        for run in &tally.runs {
            for &problem in order.iter().filter(|&&problem| run.outcomes[problem] != RunOutcome::Absent) {
                let flag = |outcome| Cell::count(usize::from(run.outcomes[problem] == outcome));
                let mut row = labels[problem].to_vec();
                row.extend([name.clone(), Cell::count(run.run.key.run as usize)]);
                row.extend([flag(RunOutcome::Pass), flag(RunOutcome::Excluded)]);
                table.push(row);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::table::to_csv;

    #[test]
    fn counts_by_problem_model_and_run() {
        let problems = vec![problem("p2", "c", "low", 1), problem("p1", "d", "high", 1)];
        let study = Fixture::new(&[("a", "A", true), ("b", "B", false), ("-off", "C", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "a", 1, "PP")
            .run("core_code", "a", 2, "EF")
            .run("core_code", "b", 1, "FP")
            .run("core_code", "off", 1, "PP");
        let output = study.compute(&CaseCount);
        let text = "id,category,difficulty,model,run,passed,excluded\np1,d,high,Model a,1,1,0\np2,c,low,Model a,1,1,0\n\
                    p1,d,high,Model a,2,0,0\np2,c,low,Model a,2,0,1\np1,d,high,Model b,1,1,0\np2,c,low,Model b,1,0,0\n";
        assert_eq!(to_csv(&output.tables[0]), text);
        let facts = Facts::new(output.facts);
        let keys = [("set", "core"), ("protocol", "code"), ("problem", "p2"), ("model", "a"), ("run", "2")];
        let get = |measure, keys: &[(&str, &str)]| facts.get("case-count", measure, keys).unwrap().estimate.clone();
        assert_eq!(get("passes", &keys[..3]), Estimate::out_of(1, 2));
        assert_eq!(get("passes", &keys[..4]), Estimate::out_of(1, 1));
        assert_eq!(get("passed", &keys), Estimate::undefined("the run ended in an infrastructure error"));
    }
}
