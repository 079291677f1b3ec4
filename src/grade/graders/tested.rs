//! Programs under tests.

use super::{Checks, Given, Grader, Judged, Lenses, Rule};

/// Judges how a program and its tests ended.
pub(super) struct Tested;

impl Grader for Tested {
    fn id(&self) -> &'static str {
        "tests"
    }

    fn lenses(&self) -> Lenses {
        Lenses {
            reference: "Program and test code run as one text in one process; right when it ends without an exception.",
            strict: "Calls with literal arguments run in the program's process, and what they return is compared outside it as plain data.",
        }
    }

    fn suits(&self, checks: &Checks<'_>) -> bool {
        checks.tests.is_some()
    }

    fn judge(&self, _: &Checks<'_>, given: &Given<'_>, _: Rule) -> Option<Judged> {
        let Given::Ran { plan, script, calls } = given else { return None };
        let tested = plan.judge(*script, *calls);
        let crate::grade::tested::Tested { reference, strict, difference, failed } = tested;
        Some(Judged { reference, strict, difference, failed, parts: None })
    }
}
