//! Options with a key.

use super::{Checks, Given, Grader, Judged, Lenses, Rule};
use crate::grade::reasons::Reason;
use crate::grade::strict::Judgement;

/// Compares the letter that was read from an answer with the key.
pub(super) struct Option;

impl Grader for Option {
    fn id(&self) -> &'static str {
        "option"
    }

    fn lenses(&self) -> Lenses {
        let same = "The letter that the answer names is the key.";
        Lenses { reference: same, strict: same }
    }

    fn suits(&self, checks: &Checks<'_>) -> bool {
        checks.choice.is_some()
    }

    fn judge(&self, checks: &Checks<'_>, given: &Given<'_>, _: Rule) -> std::option::Option<Judged> {
        let Given::Text(letter) = given else { return None };
        let Some(key) = checks.choice?.key.as_deref() else {
            let strict = Judgement::Undecided(Reason::NoReference);
            return Some(Judged { reference: None, strict, difference: None, failed: None });
        };
        let right = letter.trim() == key.trim();
        let strict = if right { Judgement::Pass } else { Judgement::Fail(Reason::OtherOption) };
        Some(Judged { reference: Some(right), strict, difference: None, failed: None })
    }
}
