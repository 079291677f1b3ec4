//! How stronger and weaker configurations lose accuracy on hard problems.

use super::groups::Group;
use crate::statistics::moments::{mean, sample_sd};
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "difficulty-tiers",
    also: &[],
    title: "Penalty of hard problems by tier of configurations",
    unit: "points",
    meaning: "Whether weaker configurations lose more on hard problems, and lose it unevenly over categories. \
              Configurations are put into four tiers by mean accuracy.",
    formula: "penalty = mean over the tier of (accuracy at the highest difficulty - accuracy at the lowest); spread = sample \
              sd over categories of the mean over the tier of the accuracy on the category's problems of the highest \
              difficulty. Accuracies are means over runs.",
    source: "Rule difficulty-tiers of the study.",
    edge_cases: "Four tiers of equal size; what does not divide by four goes to the upper tiers. Fewer than four complete \
                 configurations or two levels: undefined. Categories without problems of the highest difficulty are left out \
                 of the spread. Equal means keep the declared order.",
    example: "A tier with 97.8 and 91.0 on hard problems against 100 on easy ones: penalty -5.6.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "tier", meaning: "1 (strongest) to 4; absent for moved" },
    ],
    measures: &[
        ("penalty", "accuracy at the highest difficulty minus at the lowest, mean over the tier"),
        ("spread", "sample standard deviation over categories of the tier's accuracy on hard problems"),
        ("n", "configurations of the tier"),
        (
            "moved",
            "configurations on the other side of the border between tiers 1 and 2 when ordered by majority instead",
        ),
    ],
};

const TIERS: usize = 4;

/// Penalty of hard problems by tier of configurations.
pub(in crate::statistics) struct DifficultyTiers;

impl Statistic for DifficultyTiers {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let levels = evidence.by_difficulty(&board);
            if let [lowest, .., highest] = levels.as_slice() {
                facts(&mut output, evidence, &board, lowest, highest);
            }
        }
        output
    }
}

/// Splits a ranking into tiers, strongest first.
fn tiers<T: Copy>(ranking: &[T]) -> Vec<Vec<T>> {
    let (size, more) = (ranking.len() / TIERS, ranking.len() % TIERS);
    let mut rest = ranking;
    let mut take = |tier: usize| {
        let (head, tail) = rest.split_at(size + usize::from(tier < more));
        rest = tail;
        head.to_vec()
    };
    (0..TIERS).map(&mut take).collect()
}

fn facts(output: &mut Output, evidence: &Evidence<'_>, board: &Board<'_>, low: &Group<'_>, high: &Group<'_>) {
    let standing: Vec<&Tally<'_>> = board.standing().into_iter().map(|(tally, _)| tally).collect();
    let categories = evidence.by_category(board);
    let hard: Vec<Vec<usize>> = categories
        .iter()
        .map(|group| group.problems.iter().copied().filter(|problem| high.problems.contains(problem)).collect())
        .filter(|problems: &Vec<usize>| !problems.is_empty())
        .collect();
    let few = format!("{} complete configurations do not make four tiers", standing.len());
    let enough = standing.len() >= TIERS;
    for (index, tier) in tiers(&standing).into_iter().enumerate() {
        let number = (index + 1).to_string();
        let keys = [&board.keys()[..], &[("tier", &number)]].concat();
        let over = |problems: &[usize]| {
            let means: Option<Vec<f64>> = tier.iter().map(|tally| tally.mean(problems)).collect();
            means.filter(|_| enough).and_then(|means| mean(&means))
        };
        let penalty = over(&high.problems).zip(over(&low.problems)).map(|(high, low)| high - low);
        let by_category: Option<Vec<f64>> = hard.iter().map(|problems| over(problems)).collect();
        let reason = if enough { "a run graded nothing of a level or category" } else { few.as_str() };
        output
            .on(ABOUT.id, Basis::Records, &keys)
            .put("penalty", Estimate::or(penalty, reason))
            .put("spread", Estimate::or(by_category.and_then(|values| sample_sd(&values)), reason))
            .put("n", Estimate::count(tier.len()));
    }
    let moved = enough.then(|| moved(board, &standing) as f64);
    output.on(ABOUT.id, Basis::Records, &board.keys()).put("moved", Estimate::or(moved, &few));
}

/// Configurations that enter or leave the first tier when problems solved by majority decide the order.
fn moved(board: &Board<'_>, standing: &[&Tally<'_>]) -> usize {
    let solved = |tally: &Tally<'_>| (0..board.problems.len()).filter(|&problem| tally.solves(problem)).count();
    let mut other = standing.to_vec();
    other.sort_by_key(|tally| std::cmp::Reverse(solved(tally)));
    let first = |ranking: &[&Tally<'_>]| -> Vec<String> {
        tiers(ranking).swap_remove(0).into_iter().map(|tally| tally.key.to_owned()).collect()
    };
    let (before, after) = (first(standing), first(&other));
    let gone = before.iter().filter(|key| !after.contains(key)).count();
    gone + after.iter().filter(|key| !before.contains(key)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn tiers_take_what_does_not_divide_from_the_top() {
        assert_eq!(tiers(&[1, 2, 3, 4, 5, 6]), [vec![1, 2], vec![3, 4], vec![5], vec![6]]);
        assert_eq!(tiers(&[1, 2]), [vec![1], vec![2], vec![], vec![]]);
    }

    #[test]
    fn the_penalty_is_the_loss_on_hard_problems() {
        let problems = vec![
            problem("e1", "x", "easy", 1),
            problem("e2", "y", "easy", 1),
            problem("h1", "x", "hard", 1),
            problem("h2", "y", "hard", 1),
        ];
        let study = Fixture::new(&[("a", "A", true), ("b", "B", true), ("c", "C", true), ("d", "D", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "d", 1, "PPPP")
            .run("core_code", "a", 1, "PPPF")
            .run("core_code", "b", 1, "PPFF")
            .run("core_code", "c", 1, "PFFF");
        let facts = Facts::new(study.compute(&DifficultyTiers).facts);
        let keys = |tier| [("set", "core"), ("protocol", "code"), ("tier", tier)];
        let get = |measure, tier| facts.get("difficulty-tiers", measure, &keys(tier)).unwrap().estimate.point();
        assert_eq!(["1", "2", "3", "4"].map(|tier| get("penalty", tier)), [0.0, -50.0, -100.0, -50.0].map(Some));
        assert_eq!(get("spread", "2"), Some(0.5_f64.sqrt() * 100.0));
    }
}
