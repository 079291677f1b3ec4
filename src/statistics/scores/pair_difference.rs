//! Two configurations over the same problems, for the pairs that readers ask about.

use std::collections::BTreeSet;

use crate::statistics::holm::adjusted;
use crate::statistics::interval::paired_mean;
use crate::statistics::pairing::Counts;
use crate::statistics::sign_flip;
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "pair-difference",
    also: &["pair"],
    title: "Two configurations over the same problems",
    unit: "points",
    meaning: "Whether one configuration of the main experiment is better than another. Both answered the same problems, so \
              each problem is compared with itself: what is hard for both takes nothing from either. Pairs are the \
              settings of one model and neighbours in rank.",
    formula: "d(p) = share of the graded runs of a that pass problem p, minus the same share of b; difference = 100 × mean \
              of d over the problems that both have a graded run of; interval = difference ± t(n - 1, 0.975) × 100 × s / √n \
              with s the standard deviation of d over n problems. p: share of the sign patterns of d whose |sum| is at \
              least the observed one (exact, by counting). holm: p after Holm's adjustment over all pairs of this \
              statistic. The four counts take a problem as solved when most runs solve it; the table gives them for every \
              two configurations, with the exact P of McNemar's test on the two that differ, unadjusted.",
    source: "Interval of a paired mean (Student 1908) with problems as the sampled units; randomisation test (Fisher \
             1935); Holm (1979); McNemar (1947).",
    edge_cases: "Fewer than two problems, or the same difference on all of them: no interval. Numbers too large to be \
                 counted exactly: p is undefined, and holm is taken over the others. Runs that ended in an infrastructure \
                 error are not graded.",
    example: "Of four problems a solves all and b all but one: difference 25.0 points, p = 1.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "a", meaning: "the configuration that stands higher on the leaderboard" },
        KeyDoc { key: "b", meaning: "the other one" },
    ],
    measures: &[
        ("difference", "mean of a minus mean of b in points, with the interval over problems"),
        ("p", "exact P of the difference"),
        ("holm", "the same P adjusted for the number of pairs"),
        ("both", "problems that most runs of both solve, out of those compared"),
        ("only-a", "problems that only a solves"),
        ("only-b", "problems that only b solves"),
        ("neither", "problems that neither solves"),
    ],
};

/// The table of every two configurations.
pub(crate) const EVERY_PAIR: &str = "pairs_solved";

/// Two configurations over the same problems.
pub(in crate::statistics) struct PairDifference;

impl Statistic for PairDifference {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let Some(board) = evidence.main_board() else { return output };
        let found: Vec<(Pair<'_, '_>, Result<f64, String>)> = pairs(&board)
            .into_iter()
            .map(|(a, b)| {
                let pair = Pair::of(&board, a, b);
                let p = sign_flip::p(&pair.whole);
                (pair, p)
            })
            .collect();
        let known: Vec<f64> = found.iter().filter_map(|(_, p)| p.as_ref().ok().copied()).collect();
        let mut holm = adjusted(&known).into_iter();
        for (pair, p) in &found {
            let keys = [&board.keys()[..], &[("a", pair.a.key), ("b", pair.b.key)]].concat();
            let Counts { both, lost, gained, neither } = pair.solved;
            let of = |count: usize| Estimate::out_of(count, pair.solved.pairs());
            output
                .on(ABOUT.id, Basis::Records, &keys)
                .put("difference", pair.difference())
                .put("p", p.clone().map_or_else(Estimate::undefined, Estimate::value))
                .put(
                    "holm",
                    match p {
                        Ok(_) => Estimate::or(holm.next(), "no P to adjust"),
                        Err(reason) => Estimate::undefined(reason.clone()),
                    },
                )
                .put("both", of(both))
                .put("only-a", of(lost))
                .put("only-b", of(gained))
                .put("neither", of(neither));
        }
        output.tables.extend(every_pair(&board));
        output
    }
}

/// Every two configurations in the order of the board, by the problems that most runs of them solve; none where
/// fewer than two have runs.
fn every_pair(board: &Board<'_>) -> Option<Table> {
    let columns = [
        ("a", Kind::Text, ""),
        ("b", Kind::Text, ""),
        ("both", Kind::Integer, "problems"),
        ("only_a", Kind::Integer, "problems"),
        ("only_b", Kind::Integer, "problems"),
        ("neither", Kind::Integer, "problems"),
        ("p", Kind::Real, ""),
    ];
    let title = "Every two configurations: problems solved by both, by one, by neither, with the exact P of McNemar";
    let mut table = Table::new(EVERY_PAIR, title, &[ABOUT.id], &columns);
    let order: Vec<&Tally<'_>> = board.in_order().into_iter().filter(|tally| !tally.runs.is_empty()).collect();
    for (at, &a) in order.iter().enumerate() {
        for &b in &order[at + 1..] {
            let solved: Counts = compared(board, a, b).into_iter().map(|at| (a.solves(at), b.solves(at))).collect();
            let p = match solved.pairs() {
                0 => Cell::Undefined("the two have no graded problem in common".into()),
                _ => Cell::full(solved.p().to_f64()),
            };
            let counts = [solved.both, solved.lost, solved.gained, solved.neither].map(Cell::count);
            table.push([vec![Cell::text(a.key), Cell::text(b.key)], counts.into(), vec![p]].concat());
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Positions of the problems that both have a graded run of.
fn compared(board: &Board<'_>, a: &Tally<'_>, b: &Tally<'_>) -> Vec<usize> {
    (0..board.problems.len()).filter(|&at| a.graded(at) > 0 && b.graded(at) > 0).collect()
}

/// Settings of one model, and neighbours in the order of the board. The one that stands higher comes first.
fn pairs<'b, 'a>(board: &'b Board<'a>) -> Vec<(&'b Tally<'a>, &'b Tally<'a>)> {
    let order: Vec<&Tally<'_>> = board.in_order().into_iter().filter(|tally| !tally.runs.is_empty()).collect();
    let twin = |a: &Tally<'_>, b: &Tally<'_>| match (a.configuration, b.configuration) {
        (Some(a), Some(b)) => a.backbone == b.backbone && a.setting() != b.setting(),
        _ => false,
    };
    let mut pairs = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, &a) in order.iter().enumerate() {
        let of_model = order[at + 1..].iter().copied().find(|b| twin(a, b));
        for b in of_model.into_iter().chain(order.get(at + 1).copied()) {
            if seen.insert((a.key, b.key)) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

struct Pair<'b, 'a> {
    a: &'b Tally<'a>,
    b: &'b Tally<'a>,
    /// Differences of shares by problem.
    shares: Vec<f64>,
    /// The same as whole numbers of one common unit.
    whole: Vec<i64>,
    solved: Counts,
}

impl<'b, 'a> Pair<'b, 'a> {
    fn of(board: &Board<'_>, a: &'b Tally<'a>, b: &'b Tally<'a>) -> Self {
        let compared = compared(board, a, b);
        let graded = |tally: &Tally<'_>, at: usize| tally.graded(at) as i64;
        // Shares of two and of three runs are both whole sixths.
        let unit = compared.iter().fold(1, |unit, &at| lcm(lcm(unit, graded(a, at)), graded(b, at)));
        let share = |tally: &Tally<'_>, at: usize| tally.passes(at) as i64 * (unit / graded(tally, at));
        let whole: Vec<i64> = compared.iter().map(|&at| share(a, at) - share(b, at)).collect();
        let shares = whole.iter().map(|&difference| difference as f64 / unit as f64).collect();
        let solved = compared.iter().map(|&at| (a.solves(at), b.solves(at))).collect();
        Self { a, b, shares, whole, solved }
    }

    fn difference(&self) -> Estimate {
        let Some(mean) = moments::mean(&self.shares) else {
            return Estimate::undefined("the two have no graded problem in common");
        };
        let estimate = Estimate::value(100.0 * mean);
        match paired_mean(&self.shares) {
            Some(interval) => estimate.within(interval.scaled(100.0)),
            None => estimate,
        }
    }
}

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    fn study() -> Fixture {
        let problems = (0..8).map(|n| problem(&format!("p{n}"), "c", "low", 1)).collect();
        Fixture::new(&[("a", "A", true), ("b", "B", true), ("c", "C", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "a", 1, "PPPPPPPF")
            .run("core_code", "a", 2, "PPPPPPFF")
            .run("core_code", "b", 1, "PPPFFFFF")
            .run("core_code", "b", 2, "PPFFFFFE")
            .run("core_code", "c", 1, "FFFFFFFF")
            .run("core_code", "c", 2, "FFFFFFFF")
    }

    #[test]
    fn each_problem_is_compared_with_itself() {
        let output = PairDifference.compute(&study().evidence());
        let fact = |measure: &str, a: &str, b: &str| {
            let of =
                |fact: &&crate::statistics::Fact| fact.measure == measure && fact.keys["a"] == a && fact.keys["b"] == b;
            output.facts.iter().find(of).unwrap().estimate.clone()
        };
        // By hand: differences of the shares are 0, 0, 1/2, 1, 1, 1, 1/2, 0; their mean is 1/2.
        assert_eq!(fact("difference", "a", "b").point(), Some(50.0));
        // Variance 1.5/7 of eight: standard error 0.163663; t(7, 0.975) = 2.364624.
        let Estimate::Value { interval: Some(interval), .. } = fact("difference", "a", "b") else { panic!() };
        assert!((interval.low - 11.300).abs() < 0.001 && (interval.high - 88.700).abs() < 0.001, "{interval:?}");
        // Five problems differ, all in one direction: 2 of 2^5 patterns.
        assert_eq!(fact("p", "a", "b").point(), Some(0.0625));
        // b against c: 1, 1, 1/2 and nothing else: 2 of 2^3; twice the smaller, and never less than it.
        assert_eq!(fact("p", "b", "c").point(), Some(0.25));
        assert_eq!([fact("holm", "a", "b").point(), fact("holm", "b", "c").point()], [Some(0.125), Some(0.25)]);
        // Solved by both runs: a six, b two of them.
        let counts = ["both", "only-a", "only-b", "neither"].map(|measure| fact(measure, "a", "b").point().unwrap());
        assert_eq!(counts, [2.0, 4.0, 0.0, 2.0]);
    }

    #[test]
    fn every_two_have_a_row_with_the_same_counts() {
        let output = PairDifference.compute(&study().evidence());
        // Four against none: 2 of 2^4 patterns. Six: 2 of 2^6. Two: 2 of 2^2.
        let text = "a,b,both,only_a,only_b,neither,p\na,b,2,4,0,2,0.125\na,c,0,6,0,2,0.03125\nb,c,0,2,0,6,0.5\n";
        assert_eq!(crate::table::to_csv(&output.tables[0]), text);
    }
}
