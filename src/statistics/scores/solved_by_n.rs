//! By how many configurations a problem is solved.

use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "solved-by-n",
    also: &[],
    title: "Configurations that solve a problem",
    unit: "configurations",
    meaning: "How hard a problem is for the whole field: the number of leaderboard configurations that solve it by \
              majority of their runs. Problems that all or none solve do not tell configurations apart.",
    formula: "configurations(p) = number of complete configurations with more than half of their runs passing p; \
              problems(n) = number of problems p with configurations(p) = n; at-most(n) likewise with ≤ n.",
    source: "Rule solved-by-n of the study.",
    edge_cases: "Incomplete configurations are not counted, and the total says how many were. No complete configuration: \
                 undefined.",
    example: "147 of 436 problems are solved by all 16 configurations: 33.7 percent.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "problem", meaning: "problem, for the count of one problem" },
        KeyDoc { key: "solved_by", meaning: "number of configurations, for counts of problems" },
    ],
    measures: &[
        ("configurations", "complete configurations that solve the problem, out of all complete ones"),
        ("problems", "problems solved by exactly this number, out of all"),
        ("at-most", "problems solved by this number or fewer, out of all"),
        ("all", "share of problems solved by every complete configuration, in percent"),
        ("none", "problems solved by no complete configuration"),
    ],
};

/// Configurations that solve a problem.
pub(in crate::statistics) struct SolvedByN;

impl Statistic for SolvedByN {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        evidence.boards().for_each(|board| facts(&mut output, &board));
        output.tables.extend(evidence.main_board().map(|board| table(&board)));
        output
    }
}

/// Complete configurations of the leaderboard, and by how many of them each problem is solved.
fn solvers(board: &Board<'_>) -> (usize, Vec<usize>) {
    let tallies: Vec<&Tally<'_>> = board.leaderboard().filter(|tally| tally.complete().is_ok()).collect();
    let solved_by = |problem: usize| tallies.iter().filter(|tally| tally.solves(problem)).count();
    (tallies.len(), (0..board.problems.len()).map(solved_by).collect())
}

fn facts(output: &mut Output, board: &Board<'_>) {
    let (of, solved_by) = solvers(board);
    let (keys, n) = (board.keys(), solved_by.len());
    if of == 0 {
        let reason = Estimate::undefined("no configuration of the leaderboard is complete");
        output.on(ABOUT.id, Basis::Records, &keys).put("all", reason.clone()).put("none", reason);
        return;
    }
    for (problem, &count) in board.problems.iter().zip(&solved_by) {
        let keys = [&keys[..], &[("problem", problem)]].concat();
        output.on(ABOUT.id, Basis::Records, &keys).put("configurations", Estimate::out_of(count, of));
    }
    for level in 0..=of {
        let text = level.to_string();
        let keys = [&keys[..], &[("solved_by", &text)]].concat();
        let exactly = solved_by.iter().filter(|&&count| count == level).count();
        let at_most = solved_by.iter().filter(|&&count| count <= level).count();
        let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
        facts.put("problems", Estimate::out_of(exactly, n)).put("at-most", Estimate::out_of(at_most, n));
    }
    let all = solved_by.iter().filter(|&&count| count == of).count();
    let none = solved_by.iter().filter(|&&count| count == 0).count();
    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
    facts.put("all", Estimate::percent(all, n)).put("none", Estimate::out_of(none, n));
}

fn table(board: &Board<'_>) -> Table {
    let (of, solved_by) = solvers(board);
    let count = format!("solved_by_n_of_{of}");
    let columns =
        [("id", Kind::Text, ""), ("difficulty", Kind::Text, ""), (count.as_str(), Kind::Integer, "configurations")];
    let title = "Configurations that solve a problem by majority, hardest first";
    let mut table = Table::new("discrimination", title, &[ABOUT.id], &columns);
    let mut rows: Vec<(usize, usize)> = solved_by.into_iter().enumerate().collect();
    rows.sort_by_key(|&(_, count)| count);
    for (problem, count) in rows {
        let id = board.problems[problem];
        let difficulty = board.set.and_then(|set| set.get(id)?.difficulty.clone());
        let difficulty = difficulty.map_or_else(|| Cell::Undefined("no difficulty is stored".into()), Cell::Text);
        let count = if of == 0 { Cell::Undefined("no configuration is complete".into()) } else { Cell::count(count) };
        table.push(vec![Cell::text(id), difficulty, count]);
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
    fn incomplete_configurations_are_not_counted() {
        let problems = (0..3).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        let study = Fixture::new(&[("a", "A", true), ("b", "B", false), ("c", "C", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPF")
            .run("core_code", "b", 1, "PFF")
            .run("core_code", "c", 1, "PP-");
        let output = study.compute(&SolvedByN);
        assert_eq!(to_csv(&output.tables[0]), "id,difficulty,solved_by_n_of_2\np2,low,0\np1,low,1\np0,low,2\n");
        let facts = Facts::new(output.facts);
        let keys = [("set", "core"), ("protocol", "code"), ("solved_by", "1")];
        assert_eq!(facts.get("solved-by-n", "at-most", &keys).unwrap().estimate, Estimate::out_of(2, 3));
        assert_eq!(facts.get("solved-by-n", "all", &keys[..2]).unwrap().estimate, Estimate::percent(1, 3));
    }
}
