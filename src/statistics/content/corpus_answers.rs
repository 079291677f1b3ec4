//! Statements and accepted answers of single problems.

use std::collections::BTreeMap;

use crate::corpus::Set;
use crate::grade::python;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "corpus-answers",
    also: &[],
    title: "Accepted answers of a problem",
    unit: "as the problem has it",
    meaning: "The numbers that a problem accepts, so that a paper's \"the right value is 0.7\" can be checked, and the range \
              of them over the variants of a parent.",
    formula: "answer = the accepted value read as a number; lowest and highest over the variants of a parent; chars = \
              characters (code points) of the statement.",
    source: "Rules corpus-count and graded-quantities of the study; the stored benchmark files.",
    edge_cases: "An accepted value that is no plain number is undefined. Of several accepted values of one sub-answer the \
                 first has no key alternative, the others are numbered from 2. Given for original problems and numeric \
                 variants.",
    example: "A problem that accepts 0.7 percent for sub-answer 2: answer 0.7.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "problem", meaning: "problem or variant" },
        KeyDoc { key: "parent", meaning: "parent, for the range over its variants" },
        KeyDoc { key: "sub", meaning: "key of the sub-answer" },
        KeyDoc { key: "alternative", meaning: "number of a further accepted value, from 2" },
    ],
    measures: &[
        ("answer", "accepted value"),
        ("lowest", "smallest accepted value over the variants of a parent"),
        ("highest", "largest accepted value over the variants of a parent"),
        ("chars", "characters of the statement"),
    ],
};

/// Accepted answers of a problem.
pub(in crate::statistics) struct CorpusAnswers;

impl Statistic for CorpusAnswers {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for set in &evidence.corpus.sets {
            if set.is_original() {
                lengths(&mut output, set);
                answers(&mut output, set);
            } else if set.family() == Some("numeric") {
                answers(&mut output, set);
                ranges(&mut output, set);
            }
        }
        output
    }
}

fn number(text: &str) -> Option<f64> {
    python::float(text).filter(|value| value.is_finite())
}

fn lengths(output: &mut Output, set: &Set) {
    for problem in &set.problems {
        let keys = [("set", set.id.as_str()), ("problem", problem.id.as_str())];
        output.on(ABOUT.id, Basis::Records, &keys).put("chars", Estimate::count(problem.statement.chars().count()));
    }
}

fn answers(output: &mut Output, set: &Set) {
    for problem in &set.problems {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for answer in &problem.answers {
            let count = seen.entry(&answer.sub).or_default();
            *count += 1;
            let alternative = count.to_string();
            let mut keys = vec![("set", set.id.as_str()), ("problem", problem.id.as_str()), ("sub", &answer.sub)];
            if *count > 1 {
                keys.push(("alternative", &alternative));
            }
            let value = Estimate::or(number(&answer.value), "the accepted value is no plain number");
            output.on(ABOUT.id, Basis::Records, &keys).put("answer", value);
        }
    }
}

fn ranges(output: &mut Output, set: &Set) {
    let mut ranges: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for problem in &set.problems {
        let Some(parent) = &problem.parent else { continue };
        for answer in &problem.answers {
            let Some(value) = number(&answer.value) else { continue };
            let range = ranges.entry((parent.as_str(), &answer.sub)).or_insert((value, value));
            *range = (range.0.min(value), range.1.max(value));
        }
    }
    for ((parent, sub), (lowest, highest)) in ranges {
        let keys = [("set", set.id.as_str()), ("parent", parent), ("sub", sub)];
        output
            .on(ABOUT.id, Basis::Records, &keys)
            .put("lowest", Estimate::value(lowest))
            .put("highest", Estimate::value(highest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Answer;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem, variant};

    #[test]
    fn alternatives_are_numbered_and_variants_ranged() {
        let mut core = problem("p", "x", "low", 1);
        core.statement = "µ?".into();
        core.answers.push(Answer { sub: "1".into(), value: "1e2 J".into(), unit: "J".into() });
        let mut variants = vec![variant("v1", "p", 1), variant("v2", "p", 2)];
        variants[1].answers[0].value = "-0.5".into();
        let study = Fixture::new(&[]).set("core", "problems", None, vec![core]).set(
            "numeric",
            "numeric-variants",
            Some("core"),
            variants,
        );
        let facts = Facts::new(study.compute(&CorpusAnswers).facts);
        let get = |measure, keys: &[(&str, &str)]| facts.get("corpus-answers", measure, keys).unwrap().estimate.clone();
        let keys = [("set", "core"), ("problem", "p"), ("sub", "1"), ("alternative", "2")];
        assert_eq!(get("answer", &keys[..3]), Estimate::value(1.0));
        assert_eq!(get("answer", &keys), Estimate::undefined("the accepted value is no plain number"));
        assert_eq!(get("chars", &keys[..2]), Estimate::count(2));
        let range = [("set", "numeric"), ("parent", "p"), ("sub", "1")];
        assert_eq!((get("lowest", &range).point(), get("highest", &range).point()), (Some(-0.5), Some(1.0)));
    }
}
