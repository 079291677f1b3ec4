//! Graders: one file for each kind of check that a problem can carry.
//!
//! A [`Grader`] says of an answer what the study's own rule says (reference lens) and what a careful scientist
//! would want (strict lens). The registry is [`ALL`]; a new kind of check is one file and one line in it. Nothing
//! here runs a program: a grader whose answers are programs is handed what ran.

mod literal;
mod numeric;
mod option;
mod stored;
mod tested;

use super::reasons::Reason;
use super::strict::Judgement;
use super::tested::{Calls, End, Failed, Plan};
use crate::corpus::{Answer, Choice, Problem, Tests};
use crate::json::Value;

/// What a problem accepts.
#[derive(Debug, Clone, Copy)]
pub struct Checks<'a> {
    /// Accepted values with units.
    pub answers: &'a [Answer],
    /// Test code.
    pub tests: Option<&'a Tests>,
    /// Options with a key.
    pub choice: Option<&'a Choice>,
}

impl<'a> Checks<'a> {
    /// Those of a problem.
    pub fn of(problem: &'a Problem) -> Self {
        Self { answers: &problem.answers, tests: problem.tests.as_ref(), choice: problem.choice.as_ref() }
    }
}

/// What there is of an answer.
#[derive(Debug, Clone, Copy)]
pub enum Given<'a> {
    /// Entries that a function returned.
    Returned(&'a [(String, Value)]),
    /// A program that ran under its tests.
    Ran {
        /// What had to run.
        plan: &'a Plan,
        /// How program and tests ended as one text.
        script: End,
        /// What the calls returned.
        calls: Calls<'a>,
    },
    /// Text: a literal, or the letter of an option.
    Text(&'a str),
    /// Only the verdict that somebody stored.
    Stored(Option<bool>),
}

/// The study's rule, as far as graders need it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Relative tolerance of numbers.
    pub tolerance: f64,
}

/// What both lenses say.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Reference lens; `None` where nothing is known.
    pub reference: Option<bool>,
    /// Strict lens.
    pub strict: Judgement,
    /// Why the two differ, when they do.
    pub difference: Option<Reason>,
    /// What does not hold, where one thing can be named.
    pub failed: Option<Failed>,
}

/// The two lenses of a grader, each in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lenses {
    /// The study's own rule.
    pub reference: &'static str,
    /// The stricter one.
    pub strict: &'static str,
}

/// One kind of check.
pub trait Grader: Sync {
    /// Stable kebab-case id.
    fn id(&self) -> &'static str;

    /// What its two lenses do.
    fn lenses(&self) -> Lenses;

    /// True when a problem carries checks of this kind.
    fn suits(&self, checks: &Checks<'_>) -> bool;

    /// Judges an answer; `None` when what is given is of another kind.
    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, rule: Rule) -> Option<Judged>;
}

/// Every grader, most particular first; the last suits everything.
pub const ALL: &[&dyn Grader] =
    &[&literal::Literal, &tested::Tested, &option::Option, &numeric::Numeric, &stored::Stored];

/// The grader of a problem.
pub fn of(checks: &Checks<'_>) -> &'static dyn Grader {
    ALL.iter().copied().find(|grader| grader.suits(checks)).unwrap_or(&stored::Stored)
}

/// Grader by id.
pub fn find(id: &str) -> Option<&'static dyn Grader> {
    ALL.iter().copied().find(|grader| grader.id() == id)
}

/// The difference of two plain verdicts, where the strict lens gives its reason.
fn difference(reference: Option<bool>, strict: Judgement) -> Option<Reason> {
    match (reference, strict) {
        (Some(true), Judgement::Fail(reason)) => Some(reason),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::corpus::Assembly;

    fn problem() -> Problem {
        Problem::blank("p".into())
    }

    fn tests(assembly: Assembly) -> Tests {
        Tests { prompt: "".into(), entry_point: "f".into(), code: "3".into(), assembly, reference: None }
    }

    #[test]
    fn every_grader_says_what_its_lenses_do() {
        let mut seen = BTreeSet::new();
        for grader in ALL {
            assert!(seen.insert(grader.id()) && find(grader.id()).is_some());
            let lenses = grader.lenses();
            assert!(lenses.reference.ends_with('.') && lenses.strict.ends_with('.'), "{}", grader.id());
        }
        assert!(find("nobody").is_none());
    }

    #[test]
    fn a_problem_has_the_grader_of_its_checks() {
        let id = |problem: &Problem| of(&Checks::of(problem)).id();
        assert_eq!(id(&problem()), "stored");
        let answer = Answer { sub: "1".into(), value: "42".into(), unit: "K".into() };
        assert_eq!(id(&Problem { answers: vec![answer], ..problem() }), "numeric");
        assert_eq!(id(&Problem { tests: Some(tests(Assembly::Body)), ..problem() }), "tests");
        assert_eq!(id(&Problem { tests: Some(tests(Assembly::Assertion)), ..problem() }), "literal");
        let choice = Choice { template: "t".into(), options: Vec::new(), key: Some("B".into()) };
        assert_eq!(id(&Problem { choice: Some(choice), ..problem() }), "option");
    }

    #[test]
    fn each_judges_what_is_its_own_and_nothing_else() {
        let rule = Rule { tolerance: 0.05 };
        let judge = |problem: &Problem, given: Given<'_>| {
            let checks = Checks::of(problem);
            of(&checks).judge(&checks, &given, rule)
        };
        let answer = Answer { sub: "1".into(), value: "42".into(), unit: "".into() };
        let numeric = Problem { answers: vec![answer], ..problem() };
        let returned = [("1".to_owned(), Value::Number(crate::json::Number::from_f64(43.0)))];
        let judged = judge(&numeric, Given::Returned(&returned)).unwrap();
        // 43 is within five percent of 42, and no count that is 42.
        assert_eq!((judged.reference, judged.strict), (Some(true), Judgement::Fail(Reason::IntegerAnswer)));
        assert!(judge(&numeric, Given::Text("42")).is_none());
        let literal = Problem { tests: Some(tests(Assembly::Assertion)), ..problem() };
        let say = |text| judge(&literal, Given::Text(text)).map(|judged| (judged.reference, judged.strict));
        assert_eq!(say("3.0"), Some((Some(true), Judgement::Pass)));
        assert_eq!(say("'3'"), Some((Some(false), Judgement::Fail(Reason::AssertionFails))));
        assert_eq!(say("three"), Some((None, Judgement::Undecided(Reason::TestsNotSplit))));
        let choice = Choice { template: "t".into(), options: Vec::new(), key: Some("B".into()) };
        let option = Problem { choice: Some(choice), ..problem() };
        assert_eq!(judge(&option, Given::Text("B")).unwrap().reference, Some(true));
        assert_eq!(judge(&option, Given::Text("Both")).unwrap().reference, Some(false));
        let stored = judge(&problem(), Given::Stored(Some(true))).unwrap();
        assert_eq!((stored.reference, stored.strict), (Some(true), Judgement::Undecided(Reason::NoReference)));
    }
}
