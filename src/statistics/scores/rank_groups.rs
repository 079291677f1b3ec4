//! Ranks that a paired test cannot tell apart, as groups.

use crate::statistics::exact::mcnemar;
use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "rank-groups",
    also: &["tie-groups"],
    title: "Ranks that a test cannot tell apart",
    unit: "rank",
    meaning: "Which places of a leaderboard are resolved. Configurations of one group solve so nearly the same problems \
              that the difference in rank may be chance.",
    formula: "In the order of the ranks, the first configuration leads group 1. Each next one is held against the leader of \
              the group: b problems that only the leader solves by majority of its runs, c that only the other solves; P of \
              the exact two-sided McNemar test. P >= 0.05 keeps it in the group, a smaller P makes it the leader of the next.",
    source: "McNemar (1947) in the binomial form of Liddell (1983), as for the paired comparisons of the study. Grouping by \
             the leader is this tool's rule; P values are not adjusted for the number of comparisons.",
    edge_cases: "Only complete configurations of the leaderboard are in a group. Without problems that only one of the two \
                 solves, P is 1.",
    example: "The second solves 3 problems that the leader does not, the leader 5 that the second does not: P = 0.73, one \
              group.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
    ],
    measures: &[
        ("group", "number of the group, from 1"),
        ("p", "P of the test against the leader of the group; for a leader, against the leader before"),
    ],
};

/// Significance below which two configurations are told apart.
const LEVEL: f64 = 0.05;

/// The statistic `rank-groups`.
pub(in crate::statistics) struct RankGroups;

impl Statistic for RankGroups {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn orders(&self) -> &'static [&'static str] {
        &["group"]
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let mut leader: Option<&Tally<'_>> = None;
            let mut group = 0;
            for (tally, _) in board.standing() {
                let p = leader.map(|leader| paired(leader, tally, board.problems.len()));
                if p.is_none_or(|p| p < LEVEL) {
                    group += 1;
                    leader = Some(tally);
                }
                let mut facts = output.on(ABOUT.id, Basis::Records, &board.keys_of(tally));
                facts.put("group", Estimate::count(group));
                facts.put("p", Estimate::or(p, "the first of all is held against nobody"));
            }
        }
        output
    }
}

/// P of the exact McNemar test on problems solved by majority.
fn paired(a: &Tally<'_>, b: &Tally<'_>, problems: usize) -> f64 {
    let only = |x: &Tally<'_>, y: &Tally<'_>| {
        let count = (0..problems).filter(|&problem| x.solves(problem) && !y.solves(problem)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    mcnemar(only(a, b), only(b, a)).to_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn a_group_ends_where_the_test_tells_its_leader_apart() {
        let ids: Vec<String> = (0..12).map(|n| format!("p{n:02}")).collect();
        let problems = ids.iter().map(|id| problem(id, "c", "low", 1)).collect();
        let study = Fixture::new(&[("a", "A", true), ("b", "B", true), ("c", "C", true), ("d", "D", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PPPPPPPPPPFF")
            // Two fewer than a: b = 2, c = 0, P = 0.5.
            .run("core_code", "b", 1, "PPPPPPPPFFFF")
            // Six fewer than a and none more: P = 2 / 2^6 = 0.03125.
            .run("core_code", "c", 1, "PPPPFFFFFFFF")
            // Eight fewer than a, but held against c: P = 1.
            .run("core_code", "d", 1, "PPPFFFFFFFFF");
        let output = RankGroups.compute(&study.evidence());
        let value = |measure: &str, model: &str| {
            let of = |fact: &&crate::statistics::Fact| fact.measure == measure && fact.keys["model"] == model;
            output.facts.iter().find(of).unwrap().estimate.point()
        };
        let groups = ["a", "b", "c", "d"].map(|model| value("group", model).unwrap());
        assert_eq!(groups, [1.0, 1.0, 2.0, 2.0]);
        assert_eq!(["a", "b", "c", "d"].map(|model| value("p", model)), [None, Some(0.5), Some(0.031_25), Some(1.0)]);
    }
}
