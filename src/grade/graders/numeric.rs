//! Numbers with units.

use super::{Checks, Given, Grader, Judged, Lenses, Rule, difference};
use crate::grade::{reference, strict};

/// Compares returned values with accepted values.
pub(super) struct Numeric;

impl Grader for Numeric {
    fn id(&self) -> &'static str {
        "numeric"
    }

    fn lenses(&self) -> Lenses {
        Lenses {
            reference: "Bare numbers within the tolerance, then numbers after conversion of their units, as the study's rule does it.",
            strict: "Numbers in the accepted unit, without floors, with units that mean the same quantity.",
        }
    }

    fn suits(&self, checks: &Checks<'_>) -> bool {
        !checks.answers.is_empty()
    }

    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, rule: Rule) -> Option<Judged> {
        let Given::Returned(returned) = given else { return None };
        let reference = Some(reference::verify(checks.answers, returned, rule.tolerance).passed);
        let strict = strict::verify(checks.answers, returned, rule.tolerance).judgement;
        Some(Judged { reference, strict, difference: difference(reference, strict), failed: None })
    }
}
