//! How nearly stronger configurations solve everything that weaker ones solve.

use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "nestedness",
    also: &[],
    title: "Nestedness of solved problems",
    unit: "percent",
    meaning: "Whether configurations differ in how far they get along one line of difficulty (100 percent) or in what \
              they can do. In a perfectly nested matrix a problem that k configurations solve is solved by the k best.",
    formula: "With configurations in order of mean accuracy and a problem that k of them solve by majority, the ideal \
              column is k solved, then unsolved. agreement = 100 × equal cells / all cells.",
    source: "Rule nestedness of the study.",
    edge_cases: "Fewer than two complete configurations: undefined. Equal mean accuracies keep the declared order.",
    example: "Two configurations and three problems, solved by (both, only the second, none): the second problem has two \
              cells out of place, 4 of 6 agree, 66.7 percent.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
    ],
    measures: &[("agreement", "cells equal to the nested ordering"), ("cells", "problems times configurations")],
};

/// Nestedness of solved problems.
pub(in crate::statistics) struct Nestedness;

impl Statistic for Nestedness {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let mut facts = output.on(ABOUT.id, Basis::Records, &board.keys());
            let tallies: Vec<&Tally<'_>> = board.standing().into_iter().map(|(tally, _)| tally).collect();
            if tallies.len() < 2 {
                let reason = format!("{} complete configurations cannot be nested", tallies.len());
                facts.put("agreement", Estimate::undefined(reason.clone())).put("cells", Estimate::undefined(reason));
                continue;
            }
            let cells = tallies.len() * board.problems.len();
            facts.put("agreement", Estimate::percent(agreeing(&board, &tallies), cells));
            facts.put("cells", Estimate::count(cells));
        }
        output
    }
}

fn agreeing(board: &Board<'_>, tallies: &[&Tally<'_>]) -> usize {
    let column = |problem: usize| {
        let solved: Vec<bool> = tallies.iter().map(|tally| tally.solves(problem)).collect();
        let best = solved.iter().filter(|&&solved| solved).count();
        solved.iter().enumerate().filter(|&(place, &solved)| solved == (place < best)).count()
    };
    (0..board.problems.len()).map(column).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn a_problem_only_the_weaker_one_solves_costs_two_cells() {
        let problems = (0..4).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        let study = Fixture::new(&[("weak", "A", true), ("strong", "B", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "weak", 1, "PFPF")
            .run("core_code", "strong", 1, "PPFP");
        let output = study.compute(&Nestedness);
        assert_eq!(output.facts[0].estimate, Estimate::percent(6, 8));
    }
}
