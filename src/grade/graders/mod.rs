//! Graders: one file for each kind of check that a problem can carry.
//!
//! A [`Grader`] says of an answer what the study's own rule says (reference lens) and what a careful scientist
//! would want (strict lens). The registry is [`ALL`]; a new kind of check is one file and one line in it. Nothing
//! here runs a program: a grader whose answers are programs is handed what ran.

mod exact;
mod literal;
mod numeric;
mod option;
mod stored;
mod tested;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::outcome::Grade;
use super::reasons::Reason;
use super::strict::{Judgement, StrictGrade};
use super::tested::{Calls, End, Failed, Plan};
use crate::archive::SubAnswer;
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
    /// None: what is judged holds what it was compared with.
    pub const NONE: Self = Self { answers: &[], tests: None, choice: None };

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
    /// Entries that were read from marked places of a text, and the text.
    Prose {
        /// What was read.
        returned: &'a [(String, Value)],
        /// Where it was read.
        response: &'a str,
    },
    /// Values that are stored with a record, beside what each of them was compared with.
    Recorded {
        /// Values and accepted answers, by sub.
        details: &'a [SubAnswer],
        /// Values that a later regrade gave to subs.
        assigned: &'a BTreeMap<Arc<str>, f64>,
    },
    /// A program that ran under its tests.
    Ran {
        /// What had to run.
        plan: &'a Plan,
        /// How program and tests ended as one text.
        script: End,
        /// What the calls returned.
        calls: Calls<'a>,
    },
    /// Text: a literal, or a response that names an option.
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
    /// Marks of the parts, where answers have parts.
    pub parts: Option<Parts>,
}

/// Marks of the parts of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// Reference lens.
    pub reference: Grade,
    /// Strict lens.
    pub strict: StrictGrade,
}

impl Judged {
    /// From the marks of parts.
    fn of_parts(reference: Grade, strict: StrictGrade) -> Self {
        let (passed, judgement) = (Some(reference.passed), strict.judgement);
        let difference = difference(passed, judgement);
        let parts = Some(Parts { reference, strict });
        Self { reference: passed, strict: judgement, difference, failed: None, parts }
    }

    /// Of an answer as a whole.
    fn whole(reference: Option<bool>, strict: Judgement) -> Self {
        Self { reference, strict, difference: difference(reference, strict), failed: None, parts: None }
    }

    /// Of an answer of a kind that its grader does not judge.
    pub fn nothing() -> Self {
        Self::whole(None, Judgement::Undecided(Reason::NoReference))
    }

    /// The marks of its parts; an answer that has none has no mark.
    pub fn into_parts(self) -> Parts {
        self.parts.unwrap_or_else(|| Parts {
            reference: Grade { passed: self.reference == Some(true), ..Grade::empty() },
            strict: StrictGrade { judgement: self.strict, subs: Vec::new() },
        })
    }
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

    /// Whether what a problem accepts is of a form that this grader compares with; where it is not, no answer is
    /// judged, and none is called wrong.
    fn reads(&self, _checks: &Checks<'_>) -> bool {
        true
    }

    /// Judges an answer; `None` when what is given is of another kind.
    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, rule: Rule) -> Option<Judged>;

    /// True when its verdict depends on a tolerance, so that other tolerances can be tried.
    fn has_tolerance(&self) -> bool {
        false
    }

    /// False for one that only repeats what is stored.
    fn confirms(&self) -> bool {
        true
    }
}

impl fmt::Debug for dyn Grader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl PartialEq for dyn Grader {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

/// Every grader, most particular first. Of those that only a declaration chooses none suits any checks; the last suits
/// all.
pub const ALL: &[&dyn Grader] =
    &[&literal::Literal, &tested::Tested, &option::Option, &exact::Exact, &numeric::Numeric, &stored::Stored];

/// The graders that a verification knows: those of here, and those of packs.
#[derive(Debug, Clone, Copy)]
pub struct Graders<'r>(pub &'r [&'static dyn Grader]);

impl Graders<'static> {
    /// Those of here alone.
    pub const CORE: Self = Self(ALL);
}

impl Graders<'_> {
    /// The grader that a declaration names, else the first that suits the checks of a problem.
    pub fn of(self, declared: Option<&str>, checks: &Checks<'_>) -> &'static dyn Grader {
        let suits = || self.0.iter().copied().find(|grader| grader.suits(checks));
        declared.and_then(|id| self.find(id)).or_else(suits).unwrap_or(&stored::Stored)
    }

    /// The grader of values that are stored beside what they were compared with: the one that a declaration names, else
    /// the one of numbers.
    pub fn of_recorded(self, declared: Option<&str>) -> &'static dyn Grader {
        declared.and_then(|id| self.find(id)).unwrap_or(&numeric::Numeric)
    }

    /// Grader by id.
    pub fn find(self, id: &str) -> Option<&'static dyn Grader> {
        self.0.iter().copied().find(|grader| grader.id() == id)
    }
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
            assert!(seen.insert(grader.id()) && Graders::CORE.find(grader.id()).is_some());
            let lenses = grader.lenses();
            assert!(lenses.reference.ends_with('.') && lenses.strict.ends_with('.'), "{}", grader.id());
        }
        assert!(Graders::CORE.find("nobody").is_none());
    }

    #[test]
    fn a_problem_has_the_grader_of_its_checks() {
        let id = |problem: &Problem| Graders::CORE.of(None, &Checks::of(problem)).id();
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
            Graders::CORE.of(None, &checks).judge(&checks, &given, rule)
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
        assert_eq!(judge(&option, Given::Text("The answer is (C).")).unwrap().reference, Some(false));
        assert_eq!(judge(&option, Given::Text("neither of them")).unwrap().reference, None);
        let stored = judge(&problem(), Given::Stored(Some(true))).unwrap();
        assert_eq!((stored.reference, stored.strict), (Some(true), Judgement::Undecided(Reason::NoReference)));
    }
}
