//! Derived problems that accept the answer of the problem they derive from.

use super::{About, Audit, Looked, Raised, Subject};
use crate::corpus::{Answer, Problem};
use crate::grade::{self, Accepted, python};

const ABOUT: About = About {
    id: "parent-answers",
    title: "Variants that accept the original answer",
    question: "Can a derived problem be solved by reciting the answer of the problem it derives from?",
    method: "The accepted answers of the original are graded by the study's own rule against those of the derived \
             problem. One whose answers are the same by design (the question in other words) is not meant; one with \
             answers of its own that still accepts the old ones cannot tell computing from remembering.",
    items: "derived problems with answers of their own",
    nothing: "no problem that derives from another has answers of its own",
    code: "parent-answer-passes",
};

pub(super) struct Parents;

impl Audit for Parents {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut looked = Looked::default();
        for set in &subject.corpus.sets {
            let Some(parents) = set.parents.as_ref().and_then(|id| subject.corpus.set(id.as_str())) else { continue };
            for problem in &set.problems {
                let Some(parent) = problem.parent.as_ref().and_then(|id| parents.get(id.as_str())) else { continue };
                if problem.choice.is_some() || problem.answers.is_empty() || same(problem, parent) {
                    continue;
                }
                let Some(given) = given(parent) else { continue };
                if given.len() != problem.subs().len() {
                    continue;
                }
                looked.checked += 1;
                if passes(problem, &given, subject.study.grading.tolerance) {
                    let first = |answers: &[Answer]| {
                        answers
                            .first()
                            .map_or_else(String::new, |a| format!("{} {}", a.value, a.unit).trim_end().to_owned())
                    };
                    let (old, own) = (first(&parent.answers), first(&problem.answers));
                    let several = if given.len() > 1 { " (and so for every part)" } else { "" };
                    let says = format!("the answer of {}, {old}, passes where {own} is the answer{several}", parent.id);
                    looked.raised.push(Raised::problem(set, problem.id.as_str(), says));
                }
            }
        }
        looked.by_origin(subject)
    }
}

/// True when the two accept the same values: then the old answer is the right one.
fn same(problem: &Problem, parent: &Problem) -> bool {
    let values = |problem: &Problem| {
        let mut values: Vec<Option<u64>> = problem.answers.iter().map(|a| number(a).map(f64::to_bits)).collect();
        values.sort_unstable();
        values
    };
    values(problem) == values(parent)
}

fn number(answer: &Answer) -> Option<f64> {
    python::float(python::strip(&answer.value)).filter(|value| value.is_finite())
}

/// The first accepted value of every part with its unit.
fn given(parent: &Problem) -> Option<Vec<(&str, f64, &str)>> {
    let first = |sub: &str| parent.answers.iter().find(|answer| &*answer.sub == sub);
    let of = |sub| first(sub).and_then(|answer| Some((&*answer.sub, number(answer)?, &*answer.unit)));
    parent.subs().into_iter().map(of).collect()
}

fn passes(problem: &Problem, given: &[(&str, f64, &str)], tolerance: f64) -> bool {
    problem.subs().into_iter().enumerate().all(|(at, sub)| {
        let named = given.iter().find(|(key, ..)| *key == sub).or_else(|| given.get(at));
        let Some((_, value, unit)) = named else { return false };
        let answers = problem.answers.iter().filter(|answer| &*answer.sub == sub);
        let accepted = answers.map(|answer| Accepted { value: &answer.value, unit: &answer.unit });
        matches!(grade::decide(accepted, *value, unit, tolerance), Ok(Some(_)))
    })
}
