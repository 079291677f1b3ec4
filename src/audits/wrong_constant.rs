//! Accepted answers that a plausible wrong constant passes.

use super::{About, Audit, Looked, Raised, Subject};
use crate::corpus::Answer;
use crate::grade::{self, Accepted, python};
use crate::number;

const ABOUT: About = About {
    id: "wrong-constants",
    title: "Wrong constants that pass",
    question: "Does a check accept an answer that is wrong by a factor of 2, 10 or 1000, or by a confused unit?",
    method: "Each accepted value is multiplied by the factors that programs commonly get wrong: 2, 10, 60 and 1000 and \
             their inverses; for angles the step between degree and radian, for shares the step between percent and \
             fraction. The result, in the unit of the answer, is graded by the study's own rule against that answer \
             alone. An answer of zero is left out, because every factor leaves it as it is.",
    items: "accepted numbers other than zero",
    nothing: "no problem accepts a number",
    code: "wrong-constant-passes",
};

/// Factors that programs get wrong, with the words for them.
const FACTORS: &[(f64, &str)] = &[
    (2.0, "twice the answer"),
    (0.5, "half the answer"),
    (10.0, "ten times the answer"),
    (0.1, "a tenth of the answer"),
    (60.0, "sixty times the answer"),
    (1.0 / 60.0, "a sixtieth of the answer"),
    (1000.0, "a thousand times the answer"),
    (0.001, "a thousandth of the answer"),
];

/// Factors for answers of some units.
const OF_UNITS: &[(&[&str], f64, &str)] = &[
    (&["deg", "degree", "degrees", "°"], std::f64::consts::PI / 180.0, "the answer in radians"),
    (&["rad", "radian", "radians"], 180.0 / std::f64::consts::PI, "the answer in degrees"),
    (&["%", "percent"], 0.01, "the answer as a fraction"),
    (&["fraction", "ratio"], 100.0, "the answer in percent"),
];

pub(super) struct WrongConstant;

impl Audit for WrongConstant {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let tolerance = subject.study.grading.tolerance;
        let mut looked = Looked::default();
        for set in &subject.corpus.sets {
            for problem in set.problems.iter().filter(|problem| problem.choice.is_none()) {
                for answer in &problem.answers {
                    let value = python::float(python::strip(&answer.value));
                    let Some(value) = value.filter(|value| value.is_finite() && *value != 0.0) else { continue };
                    looked.checked += 1;
                    let passing = passing(answer, value, tolerance);
                    if let Some((wrong, _)) = passing.first() {
                        let verb = if passing.len() == 1 { "passes" } else { "pass" };
                        let unit = if answer.unit.is_empty() { String::new() } else { format!(" {}", answer.unit) };
                        let says = format!(
                            "{} {verb}; {}{unit} is accepted where {}{unit} is the answer",
                            listed(&passing),
                            number::general(*wrong, 4),
                            answer.value
                        );
                        looked.raised.push(Raised::problem(set, problem.id.as_str(), says));
                    }
                }
            }
        }
        looked.by_origin(subject)
    }
}

/// The wrong values that pass, with what they are.
fn passing(answer: &Answer, value: f64, tolerance: f64) -> Vec<(f64, &'static str)> {
    let unit = answer.unit.trim().to_lowercase();
    let own = OF_UNITS.iter().filter(|(units, ..)| units.contains(&unit.as_str()));
    let all = FACTORS.iter().copied().chain(own.map(|(_, factor, words)| (*factor, *words)));
    let accepted = || std::iter::once(Accepted { value: &answer.value, unit: &answer.unit });
    let passes = |wrong: f64| {
        (wrong - value).abs() > tolerance * value.abs()
            && matches!(grade::decide(accepted(), wrong, &answer.unit, tolerance), Ok(Some(_)))
    };
    all.map(|(factor, words)| (value * factor, words)).filter(|(wrong, _)| passes(*wrong)).collect()
}

/// `half the answer, twice the answer and a tenth of the answer`.
fn listed(passing: &[(f64, &'static str)]) -> String {
    let words: Vec<&str> = passing.iter().map(|(_, words)| *words).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}
