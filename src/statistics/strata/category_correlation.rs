//! Whether categories are hard because their problems are.

use super::category_macro::means;
use super::groups::Group;
use crate::statistics::correlation::{pearson, spearman};
use crate::statistics::moments::mean;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "category-correlation",
    also: &[],
    title: "Category accuracy against the share of hard problems",
    unit: "r",
    meaning: "How much of the differences between categories the share of problems at the highest difficulty explains.",
    formula: "Pearson's r over categories between x = problems of the highest difficulty / problems, and y = mean over the \
              complete configurations of the category accuracy (mean over runs). majority: y from problems solved by \
              majority instead. spearman: r of the average ranks.",
    source: "Rule category-correlation of the study.",
    edge_cases: "Fewer than two categories, or all with the same share or accuracy: undefined. The highest difficulty is the \
                 last declared one that occurs.",
    example: "Ten categories of the core set: r = -0.4895 (-0.528 by majority).",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
    ],
    measures: &[
        ("r", "Pearson's r, accuracy as mean over runs"),
        ("majority", "Pearson's r, accuracy by majority"),
        ("spearman", "Spearman's rho, accuracy as mean over runs"),
        ("categories", "number of categories"),
    ],
};

/// Category accuracy against the share of hard problems.
pub(in crate::statistics) struct CategoryCorrelation;

impl Statistic for CategoryCorrelation {
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
            if let Some(hardest) = evidence.by_difficulty(&board).last().filter(|_| !groups.is_empty()) {
                facts(&mut output, &board, &groups, hardest);
            }
        }
        output
    }
}

fn facts(output: &mut Output, board: &Board<'_>, groups: &[Group<'_>], hardest: &Group<'_>) {
    let tallies: Vec<&Tally<'_>> = board.standing().into_iter().map(|(tally, _)| tally).collect();
    let hard =
        |group: &Group<'_>| group.problems.iter().filter(|&&problem| hardest.problems.contains(&problem)).count();
    let shares: Vec<f64> = groups.iter().map(|group| hard(group) as f64 / group.problems.len() as f64).collect();
    let by_runs: Result<Vec<f64>, String> =
        groups.iter().map(|group| means(&tallies, group).map(|means| mean(&means).unwrap_or_default())).collect();
    let by_majority: Vec<f64> = groups.iter().map(|group| solved(&tallies, group)).collect();
    let reason = by_runs.as_ref().err().map_or("the categories do not differ", String::as_str);
    let of = |correlation: fn(&[f64], &[f64]) -> Option<f64>, values: &[f64]| {
        let value = by_runs.as_ref().ok().and_then(|_| correlation(&shares, values));
        Estimate::or(value, reason)
    };
    let accuracies = by_runs.as_deref().unwrap_or_default();
    output
        .on(ABOUT.id, Basis::Records, &board.keys())
        .put("r", of(pearson, accuracies))
        .put("majority", of(pearson, &by_majority))
        .put("spearman", of(spearman, accuracies))
        .put("categories", Estimate::count(groups.len()));
}

/// Share of (configuration, problem) cells of a group that are solved by majority.
fn solved(tallies: &[&Tally<'_>], group: &Group<'_>) -> f64 {
    let solved = |tally: &&Tally<'_>| group.problems.iter().filter(|&&problem| tally.solves(problem)).count();
    tallies.iter().map(solved).sum::<usize>() as f64 / (tallies.len().max(1) * group.problems.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn harder_categories_with_lower_accuracy_correlate_negatively() {
        let levels = ["low", "low", "low", "high", "high", "high"];
        let categories = ["x", "x", "y", "y", "z", "z"];
        let problems = (0..6).map(|i| problem(&format!("p{i}"), categories[i], levels[i], 1)).collect();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPFFF");
        study.order("difficulty", &["low", "high"]);
        let facts = Facts::new(study.compute(&CategoryCorrelation).facts);
        let keys = [("set", "core"), ("protocol", "code")];
        let r = facts.get("category-correlation", "r", &keys).unwrap().estimate.point().unwrap();
        assert!((r + 1.0).abs() < 1e-12);
    }
}
