//! How many quantities are graded.

use crate::corpus::{Problem, Set};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "graded-quantities",
    also: &[],
    title: "Graded quantities",
    unit: "quantities",
    meaning: "How many numbers a set asks for. A sub-answer that accepts several values is stored as several entries: \
              counting entries counts it several times, counting distinct sub-answers counts what is graded.",
    formula: "quantities = Σ over problems of entries, or of distinct sub-answer keys; single and multi = problems with one, \
              and with two or more of them; largest = most of them in one problem; labelled = problems whose distinct keys, \
              in order, are not 1, 2, ..., N.",
    source: "Rule graded-quantities of the study, which counts entries; grading goes by distinct keys.",
    edge_cases: "A declared set whose file is not there is undefined; the total over a corpus then is, too. A set without \
                 problems has no shares.",
    example: "Two problems, one with keys a and b where b accepts two values, one with key 1: entries 4, distinct 3.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "basis", meaning: "entries or distinct" },
        KeyDoc { key: "problem", meaning: "problem, for the count of one problem" },
    ],
    measures: &[
        ("quantities", "graded quantities"),
        ("single", "problems that ask for one, out of all"),
        ("single-share", "the same in percent"),
        ("multi", "problems that ask for two or more, out of all"),
        ("multi-share", "the same in percent"),
        ("largest", "most quantities of one problem"),
        ("labelled", "problems whose keys are not 1 to N (without basis)"),
    ],
};

/// Graded quantities.
pub(in crate::statistics) struct GradedQuantities;

/// A basis of counting: its name, and how many quantities a problem has on it.
type Counting = (&'static str, fn(&Problem) -> usize);

const BASES: [Counting; 2] =
    [("entries", |problem| problem.answers.len()), ("distinct", |problem| problem.subs().len())];

impl Statistic for GradedQuantities {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for declared in &evidence.study.sets {
            let set = evidence.corpus.set(declared.id.as_str());
            for (basis, quantities) in BASES {
                let keys = [("set", declared.id.as_str()), ("basis", basis)];
                if let Some(set) = set {
                    facts(&mut output, set, &keys, quantities);
                } else {
                    let reason = format!("the file of set {} is not there", declared.id);
                    output.on(ABOUT.id, Basis::Records, &keys).put("quantities", Estimate::undefined(reason));
                }
            }
            if let Some(set) = set {
                let labelled = set.problems.iter().filter(|problem| labelled(problem)).count();
                output
                    .on(ABOUT.id, Basis::Records, &[("set", set.id.as_str())])
                    .put("labelled", Estimate::out_of(labelled, set.problems.len()));
            }
        }
        output
    }
}

fn facts(output: &mut Output, set: &Set, keys: &[(&str, &str)], quantities: fn(&Problem) -> usize) {
    let counts: Vec<usize> = set.problems.iter().map(quantities).collect();
    let n = counts.len();
    let single = counts.iter().filter(|&&count| count == 1).count();
    let multi = counts.iter().filter(|&&count| count > 1).count();
    let largest = counts.iter().max().map(|&count| count as f64);
    output
        .on(ABOUT.id, Basis::Records, keys)
        .put("quantities", Estimate::count(counts.iter().sum()))
        .put("single", Estimate::out_of(single, n))
        .put("single-share", Estimate::percent(single, n))
        .put("multi", Estimate::out_of(multi, n))
        .put("multi-share", Estimate::percent(multi, n))
        .put("largest", Estimate::or(largest, "the set has no problems"));
    if !set.is_original() {
        return;
    }
    for (problem, count) in set.problems.iter().zip(counts) {
        let keys = [keys, &[("problem", problem.id.as_str())]].concat();
        output.on(ABOUT.id, Basis::Records, &keys).put("quantities", Estimate::count(count));
    }
}

fn labelled(problem: &Problem) -> bool {
    problem.subs().iter().enumerate().any(|(index, sub)| *sub != (index + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Answer;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn entries_and_distinct_sub_answers_differ() {
        let answer = |sub: &str| Answer { sub: sub.into(), value: "1".into(), unit: "m".into() };
        let mut several = problem("p1", "x", "low", 1);
        several.answers = vec![answer("a"), answer("b"), answer("b")];
        let study = Fixture::new(&[]).set("core", "problems", None, vec![several, problem("p2", "x", "low", 1)]);
        let facts = Facts::new(study.compute(&GradedQuantities).facts);
        let get =
            |measure, keys: &[(&str, &str)]| facts.get("graded-quantities", measure, keys).unwrap().estimate.clone();
        let keys = |basis| [("set", "core"), ("basis", basis)];
        assert_eq!(get("quantities", &keys("entries")), Estimate::count(4));
        assert_eq!(get("quantities", &keys("distinct")), Estimate::count(3));
        assert_eq!(get("multi-share", &keys("distinct")), Estimate::percent(1, 2));
        assert_eq!(get("labelled", &[("set", "core")]), Estimate::out_of(1, 2));
    }
}
