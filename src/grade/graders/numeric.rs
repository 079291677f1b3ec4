//! Numbers with units.

use super::{Checks, Given, Grader, Judged, Lenses, Rule};
use crate::grade::{reference, regrade, strict};

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

    fn reads(&self, checks: &Checks<'_>) -> bool {
        checks.answers.is_empty() || checks.answers.iter().any(|answer| reference::is_number(&answer.value))
    }

    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, rule: Rule) -> Option<Judged> {
        let tolerance = rule.tolerance;
        let (reference, strict) = match given {
            Given::Returned(returned) => {
                let reference = reference::verify(checks.answers, returned, tolerance);
                (reference, strict::verify(checks.answers, returned, tolerance))
            }
            Given::Prose { returned, response } => {
                let reference = reference::verify(checks.answers, returned, tolerance);
                (reference, strict::prose(checks.answers, response, tolerance))
            }
            Given::Recorded { details, assigned } => {
                let reference = regrade::regrade(details, assigned, tolerance);
                (reference, strict::regrade(details, assigned, tolerance))
            }
            _ => return None,
        };
        Some(Judged::of_parts(reference, strict))
    }

    fn has_tolerance(&self) -> bool {
        true
    }
}
