//! Accuracy within each category.

use super::groups::Group;
use crate::statistics::moments::sample_sd;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "category-accuracy",
    also: &[],
    title: "Accuracy by category",
    unit: "percent",
    meaning: "Where a configuration is strong and where it is weak, with the spread of each cell over runs: cells of small \
              categories move a lot from run to run.",
    formula: "For each run 100 p / (p + f) over the problems of the category; mean and sample sd (divisor r - 1) over the r \
              runs; pooled over all runs with Wilson's interval (z = 1.96).",
    source: "Rule category-accuracy of the study.",
    edge_cases: "An incomplete configuration is undefined with \"n of m\". A run that graded nothing of a category makes the \
                 cell undefined. One run: no sd. Problems without a category are in no cell.",
    example: "25 radiation problems, passed 25, 25 and 24 in three runs: mean 98.67, sd 2.31.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
        KeyDoc { key: "category", meaning: "category" },
    ],
    measures: &[
        ("mean", "mean of the run accuracies in the category"),
        ("sd", "sample standard deviation of the run accuracies"),
        ("pooled", "passes over graded records of all runs"),
        ("n", "problems of the category"),
    ],
};

/// Accuracy by category.
pub(in crate::statistics) struct CategoryAccuracy;

impl Statistic for CategoryAccuracy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let groups = evidence.by_category(&board);
            for tally in &board.tallies {
                for group in &groups {
                    facts(&mut output, &board, tally, group);
                }
            }
        }
        if let Some(board) = evidence.main_board() {
            let groups = evidence.by_category(&board);
            output.tables.push(matrix(&board, &groups));
            output.tables.push(sizes(&groups));
        }
        output
    }
}

fn facts(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, group: &Group<'_>) {
    let keys = [&board.keys_of(tally)[..], &[("category", group.id)]].concat();
    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
    facts.put("n", Estimate::count(group.problems.len()));
    if let Err(reason) = tally.complete() {
        for measure in ["mean", "sd", "pooled"] {
            facts.put(measure, Estimate::undefined(reason.clone()));
        }
        return;
    }
    let counts = tally.counts_of(&group.problems);
    facts.put("mean", Estimate::or(tally.mean(&group.problems), "a run graded nothing of this category"));
    facts.put("sd", Estimate::or(sample_sd(&tally.run_percents(&group.problems)), "one run has no spread over runs"));
    facts.put("pooled", Estimate::share(counts.passed, counts.graded()));
}

fn matrix(board: &Board<'_>, groups: &[Group<'_>]) -> Table {
    let all = board.all();
    let mut names = vec!["model".to_owned()];
    for short in groups.iter().map(|group| group.short).chain(["overall"]) {
        names.extend([format!("{short}_mean"), format!("{short}_sd")]);
    }
    let kinds = |(at, name): (usize, &'_ String)| match at {
        0 => (name.clone(), Kind::Text, ""),
        at if at % 2 == 1 => (name.clone(), Kind::Real, "percent"),
        _ => (name.clone(), Kind::Real, "points"),
    };
    let columns: Vec<_> = names.iter().enumerate().map(kinds).collect();
    let columns: Vec<_> = columns.iter().map(|(name, kind, unit)| (name.as_str(), *kind, *unit)).collect();
    let title = "Accuracy by category, mean and sample SD over runs";
    let mut table = Table::new("category_matrix", title, &[ABOUT.id, "accuracy-mean-sd"], &columns);
    for tally in board.in_order().into_iter().filter(|tally| tally.on_leaderboard()) {
        let mut row = vec![Cell::text(tally.name())];
        for problems in groups.iter().map(|group| &group.problems).chain([&all]) {
            row.extend(cells(tally, problems));
        }
        table.push(row);
    }
    table
}

fn cells(tally: &Tally<'_>, problems: &[usize]) -> [Cell; 2] {
    if let Err(reason) = tally.complete() {
        return [(); 2].map(|()| Cell::Undefined(reason.as_str().into()));
    }
    let cell = |value: Option<f64>, reason: &str| {
        value.map_or_else(|| Cell::Undefined(reason.into()), |value| Cell::fixed(value, 4))
    };
    [
        cell(tally.mean(problems), "a run graded nothing here"),
        cell(sample_sd(&tally.run_percents(problems)), "one run has no spread over runs"),
    ]
}

fn sizes(groups: &[Group<'_>]) -> Table {
    let columns = [("category", Kind::Text, ""), ("n", Kind::Integer, "problems")];
    let mut table = Table::new("category_sizes", "Problems by category", &["corpus-count"], &columns);
    for group in groups {
        table.push(vec![Cell::text(group.short), Cell::count(group.problems.len())]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::table::to_csv;

    fn study() -> Fixture {
        let problems = vec![problem("p1", "x", "low", 1), problem("p2", "y", "low", 1), problem("p3", "x", "low", 1)];
        Fixture::new(&[("a", "A", true), ("b", "B", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "a", 1, "PPF")
            .run("core_code", "a", 2, "PEP")
            .run("core_code", "b", 1, "PPP")
    }

    #[test]
    fn a_cell_is_the_mean_over_runs_and_says_what_is_missing() {
        let facts = Facts::new(study().compute(&CategoryAccuracy).facts);
        let get = |model: &str, category: &str, measure| {
            let keys = [("set", "core"), ("protocol", "code"), ("model", model), ("category", category)];
            facts.get("category-accuracy", measure, &keys).unwrap().estimate.clone()
        };
        assert_eq!(get("a", "x", "mean").point(), Some(75.0));
        assert_eq!(get("a", "y", "mean"), Estimate::undefined("a run graded nothing of this category"));
        assert_eq!(get("a", "y", "pooled"), Estimate::share(1, 1));
        assert_eq!(get("b", "x", "mean"), Estimate::undefined("1 of 2 runs"));
    }

    #[test]
    fn declared_categories_come_first_under_their_short_names() {
        let mut study = study();
        study.order("category", &["y"]);
        study.study.strata[0].names.insert("y".into(), "Y".into());
        let output = study.compute(&CategoryAccuracy);
        assert_eq!(to_csv(&output.tables[1]), "category,n\nY,1\nx,2\n");
        let text = "model,Y_mean,Y_sd,x_mean,x_sd,overall_mean,overall_sd\n\
                    Model a,,,75.0000,35.3553,83.3333,23.5702\nModel b,,,,,,\n";
        assert_eq!(to_csv(&output.tables[0]), text);
    }
}
