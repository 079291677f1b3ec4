//! What was recorded: runs, records, attempts and sub-answers, as stored and never judged here.
//!
//! Text (prompts, responses, reasoning) is too large to keep; it streams by once, next to the compact
//! [`Record`] it belongs to, and whoever needs something from it measures it then.

mod record;

pub use record::{
    Actual, Archive, Attempt, AttemptOutcome, AttemptText, Declared, Gradability, Record, Run, RunKey, State,
    SubAnswer, Transcript, Usage,
};
