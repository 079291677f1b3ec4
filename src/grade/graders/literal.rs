//! Answers that are expressions of Python, compared with a stored literal.

use super::{Checks, Given, Grader, Judged, Lenses, Rule, tested};
use crate::corpus::Assembly;
use crate::grade::reasons::Reason;
use crate::grade::strict::Judgement;
use crate::grade::tested::{Calls, End, Plan};

/// Compares a literal with a literal; a call, where the answer is one, has to run.
pub(super) struct Literal;

impl Grader for Literal {
    fn id(&self) -> &'static str {
        "literal"
    }

    fn lenses(&self) -> Lenses {
        Lenses {
            reference: "The stored literal and the answer are compared by the assertion that the benchmark runs.",
            strict: "Both are read as literals and compared as plain data; a call of the given function is made in its own process.",
        }
    }

    fn suits(&self, checks: &Checks<'_>) -> bool {
        checks.tests.is_some_and(|tests| tests.assembly == Assembly::Assertion)
    }

    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, rule: Rule) -> Option<Judged> {
        let Given::Text(text) = given else { return tested::Tested.judge(checks, given, rule) };
        let plan = Plan::new(checks.tests?, text, None);
        if plan.has_calls() || plan.assertions.split.is_empty() {
            let strict = Judgement::Undecided(Reason::TestsNotSplit);
            return Some(Judged::whole(None, strict));
        }
        // Between two literals the assertion says what the comparison says.
        let tested = plan.judge(End::Unknown, Calls::Unknown);
        let reference = Some(tested.strict == Judgement::Pass);
        Some(Judged { failed: tested.failed, ..Judged::whole(reference, tested.strict) })
    }
}
