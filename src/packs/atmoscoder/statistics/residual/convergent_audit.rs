//! Wrong values that many configurations share.

use std::collections::BTreeSet;

use super::seen::{Seen, records};
use crate::archive::Actual;
use crate::grade::{plain, regrade};
use crate::statistics::tally::Board;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "convergent-audit",
    also: &[],
    title: "Convergent failures",
    unit: "loci",
    meaning: "When many different configurations fail a problem with the same value, the reference deserves a second look: \
              either they share a misreading, or they are right.",
    formula: "For every failed record the first wrong sub-answer that has a number. Per (problem, sub-answer): the value v \
              around which most configurations lie within 2 % (|w - v| ≤ 0.02 |v|) makes a cluster, which is taken out, and so \
              on. A cluster of 6 or more configurations whose centre is further than the tolerance from every accepted value \
              is a locus. narrow = configurations within 0.2 % of the centre.",
    source: "Rule convergent-audit of AtmosCoder-Bench (6 configurations, 2 %, counts quoted at 0.2 %).",
    edge_cases: "Of centres with equally many configurations the smallest value is taken. Where a failed record does not tell its \
                 answer, the totals are undefined and say how many do; problems whose failures all tell theirs are still \
                 audited.",
    example: "Eleven configurations return 0.006 where 0.012 is accepted: one locus with 11 configurations.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "problem", meaning: "problem; absent for totals" },
        KeyDoc { key: "sub", meaning: "key of the sub-answer" },
        KeyDoc { key: "locus", meaning: "number of the locus on this sub-answer, most configurations first" },
    ],
    measures: &[
        ("loci", "loci over all problems"),
        ("problems", "problems with at least one locus"),
        ("configurations", "configurations that share the value within 2 percent"),
        ("narrow", "configurations that share it within 0.2 percent"),
        ("value", "centre of the cluster"),
    ],
};

const CLOSE: f64 = 0.02;
const NARROW: f64 = 0.002;
const SHARED_BY: usize = 6;

/// Convergent failures.
pub(crate) struct ConvergentAudit;

/// A shared wrong value.
#[derive(Debug, Clone, PartialEq)]
struct Locus {
    centre: f64,
    configurations: usize,
    narrow: usize,
}

impl Statistic for ConvergentAudit {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        if let Some(board) = evidence.main_board() {
            audit(&mut output, &board, evidence.study.grading.tolerance);
        }
        output
    }
}

fn audit(output: &mut Output, board: &Board<'_>, tolerance: f64) {
    let (mut loci, mut problems, mut failed, mut untold) = (0, 0, 0, 0);
    for problem in 0..board.problems.len() {
        let seen: Vec<Seen<'_, '_>> = records(board, problem).filter(Seen::failed).collect();
        let hidden = seen.iter().filter(|seen| seen.untold()).count();
        failed += seen.len();
        untold += hidden;
        if hidden == 0 {
            let found = of_problem(output, board, problem, &seen, tolerance);
            loci += found;
            problems += usize::from(found > 0);
        }
    }
    let reason = match (failed, untold) {
        (0, _) => Some("no record failed".to_owned()),
        (_, 0) => None,
        (failed, untold) => Some(format!("{} of {failed} failed records tell their answers", failed - untold)),
    };
    let estimate = |count: usize| reason.clone().map_or_else(|| Estimate::count(count), Estimate::undefined);
    output.on(ABOUT.id, Basis::Records, &board.keys()).put("loci", estimate(loci)).put("problems", estimate(problems));
}

/// Facts of the loci of one problem; returns how many there are.
fn of_problem(output: &mut Output, board: &Board<'_>, problem: usize, seen: &[Seen<'_, '_>], tolerance: f64) -> usize {
    let mut wrong: Vec<(&str, Vec<(&str, f64)>)> = Vec::new();
    for seen in seen {
        let first = seen.details().into_iter().flatten().find(|detail| !detail.passed);
        let Some((detail, Actual::Number(value))) = first.map(|detail| (detail, &detail.actual)) else { continue };
        let answer = (seen.tally.key, *value);
        match wrong.iter_mut().find(|(sub, _)| *sub == &*detail.sub) {
            Some((_, answers)) => answers.push(answer),
            None => wrong.push((&detail.sub, vec![answer])),
        }
    }
    let mut count = 0;
    for (sub, answers) in wrong {
        let near_accepted = |value: f64| {
            let details = seen.iter().filter_map(Seen::details).flatten().find(|detail| &*detail.sub == sub);
            details.is_some_and(|detail| {
                regrade::accepted(detail)
                    .any(|a| plain(a.value, value).is_ok_and(|distance| distance.within(tolerance)))
            })
        };
        for (index, locus) in loci(answers).into_iter().filter(|locus| !near_accepted(locus.centre)).enumerate() {
            let number = (index + 1).to_string();
            let own = [("problem", board.problems[problem]), ("sub", sub), ("locus", number.as_str())];
            output
                .on(ABOUT.id, Basis::Records, &[&board.keys()[..], &own].concat())
                .put("configurations", Estimate::count(locus.configurations))
                .put("narrow", Estimate::count(locus.narrow))
                .put("value", Estimate::value(locus.centre));
            count += 1;
        }
    }
    count
}

/// Clusters of six or more configurations, largest first; answers are `(configuration, value)`.
fn loci(mut answers: Vec<(&str, f64)>) -> Vec<Locus> {
    answers.retain(|(_, value)| value.is_finite());
    answers.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(b.0)));
    let sharing = |answers: &[(&str, f64)], centre: f64, width: f64| -> usize {
        let near = answers.iter().filter(|(_, value)| (value - centre).abs() <= width * centre.abs());
        near.map(|(key, _)| *key).collect::<BTreeSet<_>>().len()
    };
    let mut found = Vec::new();
    loop {
        let mut best: Option<(usize, f64)> = None;
        for &(_, centre) in &answers {
            let configurations = sharing(&answers, centre, CLOSE);
            if best.is_none_or(|(most, _)| configurations > most) {
                best = Some((configurations, centre));
            }
        }
        let Some((configurations, centre)) = best.filter(|&(most, _)| most >= SHARED_BY) else { return found };
        let narrow = sharing(&answers, centre, NARROW);
        answers.retain(|(_, value)| (value - centre).abs() > CLOSE * centre.abs());
        found.push(Locus { centre, configurations, narrow });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn configurations_count_once_and_clusters_are_taken_out() {
        let keys = ["a", "b", "c", "d", "e", "f", "g"];
        let mut answers: Vec<(&str, f64)> = keys[..6].iter().map(|key| (*key, 10.0)).collect();
        answers.extend([("a", 10.05), ("g", 10.1), ("g", 50.0), ("a", 50.0), ("a", f64::NAN)]);
        assert_eq!(loci(answers), [Locus { centre: 10.0, configurations: 7, narrow: 6 }]);
        assert!(loci(keys[..5].iter().map(|key| (*key, 10.0)).collect()).is_empty());
    }

    #[test]
    fn verdicts_without_answers_make_the_totals_undefined() {
        let keys = ["a", "b", "c", "d", "e", "f"];
        let configurations = keys.map(|key| (key, key, true));
        let mut study = Fixture::new(&configurations)
            .set("core", "problems", None, vec![problem("p", "x", "low", 1), problem("q", "x", "low", 1)])
            .experiment("core_code", "core", "code", 1);
        for key in keys {
            study = study.run("core_code", key, 1, "FF");
        }
        let facts = |study: &Fixture| Facts::new(study.compute(&ConvergentAudit).facts);
        let all = facts(&study);
        let board = [("set", "core"), ("protocol", "code")];
        assert_eq!(all.get("convergent-audit", "loci", &board).unwrap().estimate, Estimate::count(2));
        study.archive.runs[0].records[1].details = None;
        let some = facts(&study);
        let reason = Estimate::undefined("11 of 12 failed records tell their answers");
        assert_eq!(some.get("convergent-audit", "loci", &board).unwrap().estimate, reason);
        let locus = [board[0], board[1], ("problem", "p"), ("sub", "1"), ("locus", "1")];
        assert_eq!(some.get("convergent-audit", "configurations", &locus).unwrap().estimate, Estimate::count(6));
    }
}
