//! Verdicts that somebody stored, where a problem carries nothing to judge by.

use super::{Checks, Given, Grader, Judged, Lenses, Rule};
use crate::grade::reasons::Reason;
use crate::grade::strict::Judgement;

/// Believes what is stored and confirms nothing.
pub(super) struct Stored;

impl Grader for Stored {
    fn id(&self) -> &'static str {
        "stored"
    }

    fn lenses(&self) -> Lenses {
        Lenses {
            reference: "The stored verdict, which nothing here can repeat.",
            strict: "Undecided: the problem carries nothing that an answer could be compared with.",
        }
    }

    fn suits(&self, _: &Checks<'_>) -> bool {
        true
    }

    fn judge(&self, _: &Checks<'_>, given: &Given<'_>, _: Rule) -> Option<Judged> {
        let Given::Stored(verdict) = given else { return None };
        let strict = Judgement::Undecided(Reason::NoReference);
        Some(Judged::whole(*verdict, strict))
    }

    fn confirms(&self) -> bool {
        false
    }
}
