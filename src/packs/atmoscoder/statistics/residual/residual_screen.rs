//! Failures that a formal slip would explain: order, sign, scale.

use super::seen::{Seen, records};
use crate::archive::{Actual, SubAnswer};
use crate::grade::units::TABLE;
use crate::grade::{decide, python, regrade};
use crate::statistics::tally::Board;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "residual-screen",
    also: &[],
    title: "Screen for formal slips",
    unit: "records",
    meaning: "Before a failure counts as one of science, three formal explanations are tried: the right values in another \
              order, right values with a wrong sign, right values in another scale. A problem survives when none of its \
              failed records is explained.",
    formula: "order: some assignment of the returned values to the sub-answers passes them all. sign: every sub-answer \
              passes with its value or with its negative. scale: the wrong sub-answers share one factor (returned / accepted, \
              within the tolerance) that is a power of ten from 1e-12 to 1e12 or the ratio of two units of one dimension.",
    source: "Rule residual-screen of AtmosCoder-Bench in its operational form; its second and third test are made by people.",
    edge_cases: "Only failed records with a number for every sub-answer are screened; a problem without one is not listed. An \
                 accepted zero has no scale. Explanations are tried independently, so one record can have several.",
    example: "Accepted 2 and 5, returned 5 and 2: explained by order.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "problem", meaning: "problem; absent for totals" },
    ],
    measures: &[
        ("screened", "failed records with all values; without problem: problems with such records"),
        ("order", "of them explained by another order"),
        ("sign", "of them explained by signs"),
        ("scale", "of them explained by a factor"),
        (
            "survives",
            "1 when no failed record is explained; without problem: how many problems survive, out of those screened",
        ),
    ],
};

/// Screen for formal slips.
pub(crate) struct ResidualScreen;

impl Statistic for ResidualScreen {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let factors = factors();
        for board in evidence.boards().filter(|board| board.set.is_some_and(|set| set.kind() == "problems")) {
            screen(&mut output, &board, &factors, evidence.study.grading.tolerance);
        }
        output
    }
}

fn screen(output: &mut Output, board: &Board<'_>, factors: &[f64], tolerance: f64) {
    let (mut screened, mut surviving) = (0, 0);
    for problem in 0..board.problems.len() {
        let failed = records(board, problem).filter(Seen::failed);
        let answers: Vec<Vec<Answered<'_>>> = failed.filter_map(|seen| numbers(seen.details()?)).collect();
        if answers.is_empty() {
            continue;
        }
        let count = |test: &dyn Fn(&[Answered<'_>]) -> bool| answers.iter().filter(|answers| test(answers)).count();
        let order = count(&|answers| explained_by_order(answers, tolerance));
        let sign = count(&|answers| explained_by_sign(answers, tolerance));
        let scale = count(&|answers| explained_by_scale(answers, factors, tolerance));
        let survives = order + sign + scale == 0;
        screened += 1;
        surviving += usize::from(survives);
        output
            .on(ABOUT.id, Basis::Records, &[&board.keys()[..], &[("problem", board.problems[problem])]].concat())
            .put("screened", Estimate::count(answers.len()))
            .put("order", Estimate::out_of(order, answers.len()))
            .put("sign", Estimate::out_of(sign, answers.len()))
            .put("scale", Estimate::out_of(scale, answers.len()))
            .put("survives", Estimate::count(usize::from(survives)));
    }
    let mut facts = output.on(ABOUT.id, Basis::Records, &board.keys());
    if screened == 0 {
        let reason = Estimate::undefined("no failed record tells its answers");
        facts.put("screened", reason.clone()).put("survives", reason);
    } else {
        facts.put("screened", Estimate::count(screened)).put("survives", Estimate::out_of(surviving, screened));
    }
}

/// A sub-answer with its number and unit.
struct Answered<'a> {
    detail: &'a SubAnswer,
    value: f64,
}

impl Answered<'_> {
    fn unit(&self) -> &str {
        self.detail.actual_unit.as_deref().unwrap_or("")
    }
}

/// The sub-answers of a record when every one has a finite number.
fn numbers(details: &[SubAnswer]) -> Option<Vec<Answered<'_>>> {
    let answered = |detail| match detail {
        &SubAnswer { actual: Actual::Number(value), .. } if value.is_finite() => Some(Answered { detail, value }),
        _ => None,
    };
    let all: Option<Vec<Answered<'_>>> = details.iter().map(answered).collect();
    all.filter(|all| !all.is_empty())
}

fn passes(detail: &SubAnswer, value: f64, unit: &str, tolerance: f64) -> bool {
    decide(regrade::accepted(detail), value, unit, tolerance).is_ok_and(|step| step.is_some())
}

/// Whether the values, each with its unit, can be assigned one to one so that every sub-answer passes
/// (augmenting paths, so that 14 sub-answers cost no more than a few hundred comparisons).
fn explained_by_order(answers: &[Answered<'_>], tolerance: f64) -> bool {
    let fits = |sub: &Answered<'_>, value: &Answered<'_>| passes(sub.detail, value.value, value.unit(), tolerance);
    let edges: Vec<Vec<bool>> =
        answers.iter().map(|sub| answers.iter().map(|value| fits(sub, value)).collect()).collect();
    let mut owner: Vec<Option<usize>> = vec![None; answers.len()];
    (0..answers.len()).all(|sub| augment(sub, &edges, &mut owner, &mut vec![false; answers.len()]))
}

fn augment(sub: usize, edges: &[Vec<bool>], owner: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for value in 0..owner.len() {
        if edges[sub][value] && !std::mem::replace(&mut tried[value], true) {
            let free = owner[value].is_none_or(|other| augment(other, edges, owner, tried));
            if free {
                owner[value] = Some(sub);
                return true;
            }
        }
    }
    false
}

fn explained_by_sign(answers: &[Answered<'_>], tolerance: f64) -> bool {
    answers.iter().all(|a| [a.value, -a.value].into_iter().any(|value| passes(a.detail, value, a.unit(), tolerance)))
}

fn explained_by_scale(answers: &[Answered<'_>], factors: &[f64], tolerance: f64) -> bool {
    let right = |a: &&Answered<'_>| passes(a.detail, a.value, a.unit(), tolerance);
    let wrong: Vec<&Answered<'_>> = answers.iter().filter(|a| !right(a)).collect();
    let by = |factor: f64| {
        wrong.iter().all(|a| {
            let near = |expected: f64| expected != 0.0 && (a.value / (expected * factor) - 1.0).abs() <= tolerance;
            regrade::accepted(a.detail).filter_map(|accepted| python::float(accepted.value)).any(near)
        })
    };
    !wrong.is_empty() && factors.iter().any(|&factor| by(factor))
}

/// Powers of ten and ratios of two units of one dimension, without 1, sorted.
fn factors() -> Vec<f64> {
    let powers = (-12..=12).map(|power: i32| 10_f64.powi(power));
    let ratios = TABLE.iter().flat_map(|a| TABLE.iter().filter(|b| a.0 == b.0).map(|b| a.1 / b.1));
    let mut factors: Vec<f64> = powers.chain(ratios).filter(|&factor| factor != 1.0).collect();
    factors.sort_by(f64::total_cmp);
    factors.dedup();
    factors
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn details(pairs: &[(f64, f64)]) -> Vec<SubAnswer> {
        let detail = |(index, (expected, actual)): (usize, &(f64, f64))| SubAnswer {
            sub: index.to_string().into(),
            expected: [crate::number::repr(*expected).into()].into(),
            expected_units: None,
            actual: Actual::Number(*actual),
            actual_unit: None,
            passed: false,
        };
        pairs.iter().enumerate().map(detail).collect()
    }

    fn explanations(pairs: &[(f64, f64)]) -> [bool; 3] {
        let details = details(pairs);
        let answers = numbers(&details).unwrap();
        [
            explained_by_order(&answers, 0.05),
            explained_by_sign(&answers, 0.05),
            explained_by_scale(&answers, &factors(), 0.05),
        ]
    }

    #[test]
    fn each_slip_is_seen_for_what_it_is() {
        assert_eq!(explanations(&[(2.0, 5.0), (5.0, 2.0)]), [true, false, false]);
        assert_eq!(explanations(&[(2.0, -2.0), (5.0, 5.0)]), [false, true, false]);
        assert_eq!(explanations(&[(2.0, 2000.0), (5.0, 5000.0)]), [false, false, true]);
        assert_eq!(explanations(&[(2.0, 7200.0), (5.0, 5.0)]), [false, false, true]);
        assert_eq!(explanations(&[(2.0, 3.0)]), [false, false, false]);
        // One value cannot stand for two sub-answers.
        assert_eq!(explanations(&[(2.0, 2.0), (2.0, 7.0)]), [false, false, false]);
        assert!(numbers(&[]).is_none());
    }

    proptest! {
        #[test]
        fn matching_agrees_with_trying_all_orders(pairs in prop::collection::vec((1_u8..4, 1_u8..4), 1..6)) {
            let pairs: Vec<(f64, f64)> = pairs.iter().map(|&(e, a)| (f64::from(e), f64::from(a))).collect();
            // Slow: a permutation exists exactly when both sides hold the same values equally often.
            let sorted = |side: fn(&(f64, f64)) -> f64| {
                let mut values: Vec<f64> = pairs.iter().map(side).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            prop_assert_eq!(explanations(&pairs)[0], sorted(|p| p.0) == sorted(|p| p.1));
        }
    }
}
