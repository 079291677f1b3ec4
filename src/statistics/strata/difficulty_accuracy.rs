//! Accuracy at each level of difficulty.

use super::groups::Group;
use crate::statistics::moments::sample_sd;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "difficulty-accuracy",
    also: &[],
    title: "Accuracy by difficulty",
    unit: "percent",
    meaning: "How a configuration holds up from easy to hard problems, on two bases: problems solved by majority of the \
              runs, and the mean of the run accuracies.",
    formula: "majority: percent = 100 × problems of the level with more than half of their runs passing / problems of the \
              level. runs: mean and sample sd over runs of 100 p / (p + f) on the level.",
    source: "Rule difficulty-accuracy of the study (basis majority-of-3).",
    edge_cases: "An incomplete configuration is undefined with \"n of m\". A run that graded nothing of a level makes its mean \
                 undefined. Problems without a difficulty are in no level.",
    example: "134 hard problems of which 131 pass in two or three runs: 97.8 percent by majority.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "difficulty", meaning: "level of difficulty" },
        KeyDoc { key: "basis", meaning: "majority-of-r (r runs) or run-mean" },
    ],
    measures: &[
        ("percent", "share solved by majority (basis majority)"),
        ("mean", "mean of the run accuracies (basis run-mean)"),
        ("sd", "sample standard deviation of the run accuracies (basis run-mean)"),
    ],
};

/// Accuracy by difficulty.
pub(in crate::statistics) struct DifficultyAccuracy;

impl Statistic for DifficultyAccuracy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let groups = evidence.by_difficulty(&board);
            for tally in &board.tallies {
                for group in &groups {
                    facts(&mut output, &board, tally, group);
                }
            }
        }
        if let Some(board) = evidence.main_board() {
            let groups = evidence.by_difficulty(&board);
            output.tables.push(strata(&board, &groups));
            output.tables.push(sizes(&groups));
        }
        output
    }
}

fn by_majority(tally: &Tally<'_>, group: &Group<'_>) -> Result<usize, String> {
    tally.complete().map(|()| group.problems.iter().filter(|&&problem| tally.solves(problem)).count())
}

fn facts(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, group: &Group<'_>) {
    let keys = [&board.keys_of(tally)[..], &[("difficulty", group.id)]].concat();
    let majority = format!("majority-of-{}", tally.expected_runs);
    let percent = match by_majority(tally, group) {
        Ok(solved) => Estimate::share(solved, group.problems.len()),
        Err(reason) => Estimate::undefined(reason),
    };
    let on = |basis| [&keys[..], &[("basis", basis)]].concat();
    output.on(ABOUT.id, Basis::Records, &on(&majority)).put("percent", percent);
    let mut facts = output.on(ABOUT.id, Basis::Records, &on("run-mean"));
    match tally.complete() {
        Ok(()) => {
            let runs = tally.run_percents(&group.problems);
            facts.put("mean", Estimate::or(tally.mean(&group.problems), "a run graded nothing of this level"));
            facts.put("sd", Estimate::or(sample_sd(&runs), "one run has no spread over runs"));
        }
        Err(reason) => {
            facts.put("mean", Estimate::undefined(reason.clone())).put("sd", Estimate::undefined(reason));
        }
    }
}

fn strata(board: &Board<'_>, groups: &[Group<'_>]) -> Table {
    let columns: Vec<_> = [("model", Kind::Text, "")]
        .into_iter()
        .chain(groups.iter().map(|group| (group.id, Kind::Real, "percent")))
        .collect();
    let title = "Problems solved by majority, by difficulty";
    let mut table = Table::new("difficulty_strata", title, &[ABOUT.id], &columns);
    for tally in board.in_order().into_iter().filter(|tally| tally.on_leaderboard()) {
        let cell = |group: &Group<'_>| match by_majority(tally, group) {
            Ok(solved) => Cell::rounded(100.0 * solved as f64 / group.problems.len() as f64, 1),
            Err(reason) => Cell::Undefined(reason.into()),
        };
        table.push([Cell::text(tally.name())].into_iter().chain(groups.iter().map(cell)).collect());
    }
    table
}

fn sizes(groups: &[Group<'_>]) -> Table {
    let columns = [("difficulty", Kind::Text, ""), ("n", Kind::Integer, "problems")];
    let mut table = Table::new("difficulty_sizes", "Problems by difficulty", &["corpus-count"], &columns);
    for group in groups {
        table.push(vec![Cell::text(group.id), Cell::count(group.problems.len())]);
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
    fn both_bases_and_the_table() {
        let problems = vec![problem("p1", "x", "low", 1), problem("p2", "x", "high", 1), problem("p3", "x", "high", 1)];
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 3)
            .run("core_code", "a", 1, "PPF")
            .run("core_code", "a", 2, "PPF")
            .run("core_code", "a", 3, "PFP");
        study.order("difficulty", &["low", "high"]);
        let output = study.compute(&DifficultyAccuracy);
        assert_eq!(to_csv(&output.tables[0]), "model,low,high\nModel a,100.0,50.0\n");
        assert_eq!(to_csv(&output.tables[1]), "difficulty,n\nlow,1\nhigh,2\n");
        let facts = Facts::new(output.facts);
        let keys =
            |basis| [("set", "core"), ("protocol", "code"), ("model", "a"), ("difficulty", "high"), ("basis", basis)];
        let get = |measure, basis| facts.get("difficulty-accuracy", measure, &keys(basis)).unwrap().estimate.clone();
        assert_eq!(get("percent", "majority-of-3"), Estimate::share(1, 2));
        assert_eq!((get("mean", "run-mean").point(), get("sd", "run-mean").point()), (Some(50.0), Some(0.0)));
    }
}
