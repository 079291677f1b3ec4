//! One record in the upstream shape.

use super::grading::{self, Ending};
use super::items::{Item, subs};
use super::json_text::{object, real, text, whole};
use super::plays::{Play, Slot};
use super::program;
use super::prose::{SYSTEM, code_reply, direct_reply, prompt, reasoning, repair_prompt, silent_reply};
use super::runner::Runner;
use crate::grade::extract;
use crate::json::{Object, Value};
use crate::statistics::o200k::count;

/// Attempts a reply that cannot be graded may take.
const BUDGET: usize = 5;

/// A record before its programs were run.
pub(super) struct Draft<'s> {
    pub(super) slot: Slot<'s>,
    pub(super) play: Play,
    pub(super) direct: bool,
    replies: Vec<String>,
}

/// Token counts of a call or a record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tokens {
    prompt: u64,
    completion: u64,
    reasoning: u64,
}

/// A finished record with what the counts of its run need.
pub(super) struct Finished {
    pub(super) value: Value,
    pub(super) passed: bool,
    pub(super) error: bool,
    pub(super) tokens: Tokens,
}

impl<'s> Draft<'s> {
    /// Writes the replies of a play.
    pub(super) fn new(slot: Slot<'s>, play: Play, direct: bool) -> Self {
        let reply = |source: &str| code_reply(&slot, play, source);
        let replies = match play {
            Play::Failure | Play::FailureCounted => Vec::new(),
            _ if direct => vec![direct_reply(&slot, play)],
            Play::Silent => (0..BUDGET).map(|attempt| silent_reply(attempt).to_owned()).collect(),
            Play::Retry => vec![reply(&program::broken(&slot)), reply(&slot.item.programs.right)],
            Play::ClaimThenRight => {
                vec![reply(&program::broken(&slot)), code_reply(&slot, Play::Right, &slot.item.programs.right)]
            }
            _ => vec![reply(&program::source(&slot, play))],
        };
        Self { slot, play, direct, replies }
    }

    /// Programs in its replies.
    pub(super) fn programs(&self) -> impl Iterator<Item = String> {
        let replies = if self.direct { &[][..] } else { &self.replies[..] };
        replies.iter().map(|reply| extract::program(reply).to_owned()).filter(|program| !program.is_empty())
    }

    /// Grades the replies and writes the record.
    pub(super) fn finish(&self, runner: &Runner<'_>) -> Finished {
        let item = self.slot.item;
        let mut members = Object::default();
        members.insert("id".to_owned(), text(&item.id));
        let mut tokens = Tokens::default();
        let mut attempts = Vec::new();
        let mut last: Option<Ending> = None;
        for reply in &self.replies {
            let asked = match &last {
                Some(Ending::Ungradable(reason)) => repair_prompt(reason),
                _ => prompt(&self.slot, self.direct),
            };
            let outcome = if self.direct { grading::direct(item, reply) } else { grading::code(item, reply, runner) };
            attempts.push(self.attempt(&asked, reply, &outcome, &mut tokens));
            last = Some(outcome);
        }
        let (passed, error) = self.verdict(item, last, &mut members);
        if self.play == Play::Failure {
            members.insert("error".to_owned(), text("the gateway closed the connection"));
        }
        if self.play == Play::FailureCounted {
            let policy = object([
                ("error", text("the gateway closed the stream before any content arrived")),
                ("policy", text("counted as a failure: the protocol did not complete")),
            ]);
            members.insert("error_as_fail".to_owned(), policy);
        }
        members.insert("num_attempts".to_owned(), whole(attempts.len() as u64));
        members.insert("usage".to_owned(), tokens.stored());
        members.insert("attempts".to_owned(), Value::List(attempts));
        Finished { value: Value::Object(members), passed, error, tokens }
    }

    /// Verdict with what explains it; also true when an infrastructure error is stored.
    fn verdict(&self, item: &Item, last: Option<Ending>, members: &mut Object) -> (bool, bool) {
        let (passed, explanation, note) = match last {
            None => (false, None, None),
            Some(Ending::Ungradable(reason)) => (false, Some(("failed_reason", text(reason))), None),
            Some(Ending::Graded { passed, details, note }) => {
                (passed || self.play == Play::Swapped, Some(("details", details)), note)
            }
        };
        members.insert("passed".to_owned(), Value::Bool(passed));
        if let Some((name, value)) = explanation {
            members.insert(name.to_owned(), value);
        }
        if let Some(note) = note {
            members.insert("note".to_owned(), text(note));
        }
        if self.play == Play::Swapped {
            members.insert("regraded".to_owned(), reassigned(item));
        }
        (passed, self.play == Play::Failure)
    }

    fn attempt(&self, asked: &str, reply: &str, outcome: &Ending, tokens: &mut Tokens) -> Value {
        let player = self.slot.player;
        let trace = if player.reasoning { reasoning(&self.slot) } else { String::new() };
        let own = Tokens {
            prompt: count(SYSTEM) + count(asked),
            completion: count(reply),
            reasoning: if trace.is_empty() { 0 } else { count(&trace) },
        };
        tokens.add(own);
        // A provider charges for the frame of a call too, and one of them for more reasoning than it shows.
        let charged = Tokens { prompt: own.prompt + 7, reasoning: own.reasoning * player.charged / 10, ..own };
        let mut members = Object::default();
        members.insert("prompt".to_owned(), text(asked));
        if player.reasoning {
            members.insert("reasoning".to_owned(), text(trace));
        }
        members.insert("response".to_owned(), text(reply));
        let said = match outcome {
            Ending::Graded { .. } => "graded".to_owned(),
            Ending::Ungradable(reason) => format!("ungradable: {reason}"),
        };
        members.insert("outcome".to_owned(), text(said));
        members.insert("usage".to_owned(), charged.stored());
        Value::Object(members)
    }
}

/// The values that a proof of the order assigned to the subs.
fn reassigned(item: &Item) -> Value {
    let known = |sub: &str| item.right.iter().find(|(key, _, _)| key == sub).map(|(_, value, _)| *value);
    let rounded = |value: f64| super::prose::significant(value).parse().unwrap_or(value);
    let subs = subs(item);
    let values = subs.iter().filter_map(|sub| known(sub).map(|value| (&**sub, real(rounded(value)))));
    object([
        ("date", text("2026-01-02")),
        ("rule", text("the text names the quantity before each box")),
        ("previous", Value::Bool(false)),
        ("assignment", object(values)),
    ])
}

impl Tokens {
    /// Adds those of one more call.
    pub(super) fn add(&mut self, other: Self) {
        self.prompt += other.prompt;
        self.completion += other.completion;
        self.reasoning += other.reasoning;
    }

    /// In the stored form.
    pub(super) fn stored(self) -> Value {
        object([
            ("prompt_tokens", whole(self.prompt)),
            ("completion_tokens", whole(self.completion)),
            ("reasoning_tokens", whole(self.reasoning)),
            ("total_tokens", whole(self.prompt + self.completion + self.reasoning)),
        ])
    }
}
