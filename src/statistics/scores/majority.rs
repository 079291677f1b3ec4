//! Solved by majority of the runs.

use std::collections::BTreeSet;

use crate::statistics::names::file_order;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "majority-of-3",
    also: &["majority"],
    title: "Problems solved by majority of the runs",
    unit: "percent",
    meaning: "A verdict per problem instead of per run: a configuration solves a problem when more than half of its runs \
              pass. Robustness analyses start from it, because one lucky or unlucky run does not turn it.",
    formula: "solved(p) = passes of p > r / 2 (2 of 3); percent = 100 × solved problems / problems of the set. With the \
              keys family and parents: over the problems that have variants of that family.",
    source: "Rule majority-of-3 of the study.",
    edge_cases: "An incomplete configuration is undefined with \"n of m\". A run that ended in an infrastructure error is \
                 no pass. An even number of runs needs more than half.",
    example: "436 problems of which 430 pass in two or three runs: 98.6 percent, 6 missed.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "family", meaning: "family of variants, where only parents of that family are counted" },
        KeyDoc { key: "parents", meaning: "number of those parents" },
    ],
    measures: &[("percent", "share of problems solved by majority"), ("missed", "problems not solved by majority")],
};

/// Problems solved by majority of the runs.
pub(in crate::statistics) struct Majority;

impl Statistic for Majority {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let families = families(evidence, &board);
            for tally in &board.tallies {
                facts(&mut output, tally, &board.keys_of(tally), &board.all());
                for (family, parents) in &families {
                    let count = parents.len().to_string();
                    let mut keys = board.keys_of(tally);
                    keys.extend([("family", *family), ("parents", count.as_str())]);
                    facts(&mut output, tally, &keys, parents);
                }
            }
        }
        output.tables.extend(evidence.main_board().map(|board| table(evidence, &board)));
        output
    }
}

fn facts(output: &mut Output, tally: &Tally<'_>, keys: &[(&str, &str)], problems: &[usize]) {
    let mut facts = output.on(ABOUT.id, Basis::Records, keys);
    if let Err(reason) = tally.complete() {
        facts.put("percent", Estimate::undefined(reason.clone())).put("missed", Estimate::undefined(reason));
        return;
    }
    let solved = problems.iter().filter(|&&problem| tally.solves(problem)).count();
    facts.put("percent", Estimate::share(solved, problems.len()));
    facts.put("missed", Estimate::out_of(problems.len() - solved, problems.len()));
}

/// Problems of the board that have variants, by family of variants.
fn families<'a>(evidence: &Evidence<'a>, board: &Board<'a>) -> Vec<(&'a str, Vec<usize>)> {
    let mut families = Vec::new();
    for set in &evidence.corpus.sets {
        let Some(family) = set.family() else { continue };
        if set.parents.as_ref() != Some(&board.experiment.set) {
            continue;
        }
        let parents: BTreeSet<_> = set.problems.iter().filter_map(|variant| variant.parent.as_ref()).collect();
        families.push((family, board.positions(|problem| parents.contains(&problem.id))));
    }
    families
}

fn table(evidence: &Evidence<'_>, board: &Board<'_>) -> Table {
    let mut tallies: Vec<&Tally<'_>> = board.leaderboard().collect();
    tallies.sort_by(|a, b| file_order(a.key, b.key));
    let columns =
        [("id", Kind::Text, ""), ("difficulty", Kind::Text, ""), ("solved_by", Kind::Integer, "configurations")];
    let columns: Vec<_> =
        columns.into_iter().chain(tallies.iter().map(|tally| (tally.name(), Kind::Integer, ""))).collect();
    let title = "Problems by configuration: 1 where solved by majority; most solved first, then by difficulty";
    let mut table = Table::new("solve_matrix", title, &[ABOUT.id], &columns);
    let counted: Vec<&Tally<'_>> = tallies.iter().copied().filter(|tally| tally.complete().is_ok()).collect();
    let solved_by = |problem: usize| counted.iter().filter(|tally| tally.solves(problem)).count();
    let mut rows: Vec<(usize, &str, usize)> = evidence
        .by_difficulty(board)
        .iter()
        .flat_map(|group| group.problems.iter().map(|&problem| (problem, group.id, solved_by(problem))))
        .collect();
    // Stable: within a count the levels stay in order, and within a level the problems.
    rows.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
    for (problem, difficulty, count) in rows {
        let mut row = vec![Cell::text(board.problems[problem]), Cell::text(difficulty), Cell::count(count)];
        row.extend(tallies.iter().map(|tally| match tally.complete() {
            Ok(()) => Cell::count(usize::from(tally.solves(problem))),
            Err(reason) => Cell::Undefined(reason.into()),
        }));
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};
    use crate::table::to_csv;

    fn study() -> Fixture {
        let problems = vec![
            problem("p2", "c", "low", 1),
            problem("p1", "c", "high", 1),
            problem("p3", "c", "low", 1),
            problem("p4", "c", "high", 1),
        ];
        Fixture::new(&[("m.x", "M", false), ("m-reasoning", "M", true)])
            .set("core", "problems", None, problems)
            .set("numeric", "numeric-variants", Some("core"), vec![variant("v1", "p2", 1), variant("v2", "p1", 1)])
            .experiment("core_code", "core", "code", 3)
            .run("core_code", "m.x", 1, "PPFF")
            .run("core_code", "m.x", 2, "PFPF")
            .run("core_code", "m.x", 3, "FFPE")
            .run("core_code", "m-reasoning", 1, "FFPP")
            .run("core_code", "m-reasoning", 2, "FFPP")
            .run("core_code", "m-reasoning", 3, "FFPP")
    }

    #[test]
    fn two_of_three_runs_decide_and_families_count_their_parents_only() {
        let facts = Facts::new(study().compute(&Majority).facts);
        let keys = [("set", "core"), ("protocol", "code"), ("model", "m.x")];
        let percent = |keys: &[(&str, &str)]| facts.get("majority-of-3", "percent", keys).unwrap().estimate.clone();
        assert_eq!(percent(&keys), Estimate::share(2, 4));
        let parents = [keys[0], keys[1], keys[2], ("family", "numeric"), ("parents", "2")];
        assert_eq!(percent(&parents), Estimate::share(1, 2));
    }

    #[test]
    fn the_matrix_lists_by_solvers_then_by_difficulty() {
        let mut study = study();
        study.order("difficulty", &["low", "high"]);
        let text = "id,difficulty,solved_by,Model m-reasoning,Model m.x\np3,low,2,1,1\np2,low,1,0,1\n\
                    p4,high,1,1,0\np1,high,0,0,0\n";
        assert_eq!(to_csv(&study.compute(&Majority).tables[0]), text);
    }
}
