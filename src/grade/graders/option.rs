//! Options with a key.

use super::{Checks, Given, Grader, Judged, Lenses, Rule};
use crate::grade::option;
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
        let Given::Text(response) = given else { return None };
        let undecided = |reason| Some(Judged::whole(None, Judgement::Undecided(reason)));
        let choice = checks.choice?;
        let Some(key) = choice.key.as_deref().and_then(|key| option::key(key, &choice.options)) else {
            return undecided(Reason::NoReference);
        };
        // Where the options were not imported, there are four as a rule.
        let options = if choice.options.is_empty() { 4 } else { choice.options.len() };
        let Some(letter) = option::letter(response, options) else { return undecided(Reason::NotReturned) };
        let strict = if letter == key { Judgement::Pass } else { Judgement::Fail(Reason::OtherOption) };
        Some(Judged::whole(Some(letter == key), strict))
    }
}
