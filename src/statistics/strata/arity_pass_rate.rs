//! Whether problems that ask for several quantities are harder.

use super::groups::Group;
use crate::number;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "arity-pass-rate",
    also: &[],
    title: "Pass rate by number of sub-answers",
    unit: "percent",
    meaning: "A problem is passed only when all of its quantities are right, so problems that ask for more should be passed \
              less often. Within one level of difficulty this shows by how much.",
    formula: "rate(p) = passes of p / graded measurements of p, over all complete configurations and their runs; \
              mean = mean of 100 rate(p) over the problems of a cell (difficulty, number of distinct sub-answers: 1, 2, 3+), \
              added in file order with a compensated sum.",
    source: "Rule arity-pass-rate of the study. One published cell (high, 2) prints 69.8 only with a compensated sum.",
    edge_cases: "Cells without problems are left out. A problem without a graded measurement is left out of its cell, whose n \
                 then says so. No complete configuration: undefined. Alternatives of one sub-answer count once.",
    example: "Two problems with 48 and 24 passes of 48: mean 75.0.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "difficulty", meaning: "level of difficulty" },
        KeyDoc { key: "subs", meaning: "distinct sub-answers: 1, 2 or 3+" },
    ],
    measures: &[("mean", "mean pass rate of the problems"), ("n", "problems of the cell that were graded")],
};

const BUCKETS: [&str; 3] = ["1", "2", "3+"];

/// Pass rate by number of sub-answers.
pub(in crate::statistics) struct ArityPassRate;

impl Statistic for ArityPassRate {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            for Rate { difficulty, subs, n, mean } in cells(&board, &evidence.by_difficulty(&board)) {
                let keys = [&board.keys()[..], &[("difficulty", difficulty), ("subs", subs)]].concat();
                output
                    .on(ABOUT.id, Basis::Records, &keys)
                    .put("n", Estimate::count(n))
                    .put("mean", Estimate::or(mean, "no complete configuration graded these problems"));
            }
        }
        if let Some(board) = evidence.main_board() {
            output.tables.push(table(&board, &evidence.by_difficulty(&board)));
        }
        output
    }
}

/// A cell that holds problems.
struct Rate<'a> {
    difficulty: &'a str,
    subs: &'static str,
    /// Graded problems.
    n: usize,
    /// Mean of their pass rates in percent.
    mean: Option<f64>,
}

fn cells<'a>(board: &Board<'a>, groups: &[Group<'a>]) -> Vec<Rate<'a>> {
    let tallies: Vec<&Tally<'_>> = board.standing().into_iter().map(|(tally, _)| tally).collect();
    let mut cells = Vec::new();
    for group in groups {
        for (index, bucket) in BUCKETS.into_iter().enumerate() {
            let subs =
                |problem: usize| board.set.and_then(|set| set.get(board.problems[problem])).map(|p| p.subs().len());
            let fits = |&&problem: &&usize| subs(problem).is_some_and(|subs| subs.clamp(1, 3) == index + 1);
            let problems: Vec<usize> = group.problems.iter().filter(fits).copied().collect();
            if !problems.is_empty() {
                let (n, mean) = mean_rate(&tallies, &problems);
                cells.push(Rate { difficulty: group.id, subs: bucket, n, mean });
            }
        }
    }
    cells
}

fn mean_rate(tallies: &[&Tally<'_>], problems: &[usize]) -> (usize, Option<f64>) {
    let rate = |problem: usize| {
        let graded: usize = tallies.iter().map(|tally| tally.graded(problem)).sum();
        let passes: usize = tallies.iter().map(|tally| tally.passes(problem)).sum();
        (graded > 0).then(|| passes as f64 / graded as f64)
    };
    let rates: Vec<f64> = problems.iter().filter_map(|&problem| rate(problem)).collect();
    let mean = (!rates.is_empty()).then(|| 100.0 * number::sum(rates.iter().copied()) / rates.len() as f64);
    (rates.len(), mean)
}

fn table(board: &Board<'_>, groups: &[Group<'_>]) -> Table {
    let columns = [
        ("difficulty", Kind::Text, ""),
        ("subs", Kind::Text, ""),
        ("n_problems", Kind::Integer, "problems"),
        ("mean_pass_pct", Kind::Real, "percent"),
    ];
    let title = "Mean pass rate by difficulty and number of sub-answers";
    let mut table = Table::new("arity", title, &[ABOUT.id], &columns);
    for Rate { difficulty, subs, n, mean } in cells(board, groups) {
        let mean = mean.map_or_else(
            || Cell::Undefined("no complete configuration graded these problems".into()),
            |mean| Cell::rounded(mean, 1),
        );
        table.push(vec![Cell::text(difficulty), Cell::text(subs), Cell::count(n), mean]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::table::to_csv;

    #[test]
    fn problems_count_the_same_whatever_their_measurements() {
        let problems = vec![
            problem("p1", "x", "low", 1),
            problem("p2", "x", "low", 1),
            problem("p3", "x", "low", 5),
            problem("p4", "x", "high", 2),
        ];
        let study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "a", 1, "PPPE")
            .run("core_code", "a", 2, "PEFE");
        let text = "difficulty,subs,n_problems,mean_pass_pct\nhigh,2,0,\nlow,1,2,100.0\nlow,3+,1,50.0\n";
        assert_eq!(to_csv(&study.compute(&ArityPassRate).tables[0]), text);
    }
}
