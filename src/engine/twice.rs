//! The determinism check: two executions under another hash seed, directory and clock.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::contract::{Engine, EngineError, Identity, Tally};
use super::outcome::{Outcome, Status};
use super::program::{Limits, Program};
use crate::json::Value;
use crate::syntax;
use crate::world::Progress;

/// Runs every program on two engines that should agree to the last digit: the same interpreter with
/// another hash seed and another working directory, later. Where they differ the outcome is
/// `nondeterministic`, never a coin toss.
///
/// A program of which nothing but its text decides the outcome ([`crate::syntax::repeats`]) is executed once: a
/// second execution could only cost time.
pub struct Twice {
    first: Box<dyn Engine>,
    second: Box<dyn Engine>,
    settled: AtomicU64,
}

impl Twice {
    /// Pairs two engines of one identity but for the seed.
    pub fn new(first: Box<dyn Engine>, second: Box<dyn Engine>) -> Self {
        Self { first, second, settled: AtomicU64::new(0) }
    }
}

impl Engine for Twice {
    fn identity(&self) -> &Identity {
        self.first.identity()
    }

    fn run_each(
        &self,
        programs: &[Program],
        limits: &Limits,
        progress: &dyn Progress,
        done: &(dyn Fn(usize, &Outcome) + Sync),
    ) -> Result<Vec<Outcome>, EngineError> {
        let repeats: Vec<bool> = programs.par_iter().map(|program| syntax::repeats(&program.source)).collect();
        let first = self.first.run(programs, limits, progress)?;
        let settled: Vec<bool> =
            repeats.iter().zip(&first).map(|(repeats, one)| *repeats && !shows_address(one)).collect();
        let again: Vec<Program> = programs
            .iter()
            .zip(&settled)
            .filter(|(_, settled)| !**settled)
            .map(|(program, _)| program.clone())
            .collect();
        let second = self.second.run(&again, limits, progress)?;
        let count = (programs.len() - again.len()) as u64;
        self.settled.fetch_add(count, Ordering::Relaxed);
        progress.advance(count);
        let mut second = second.iter();
        let mut outcomes = Vec::with_capacity(programs.len());
        for (index, (one, settled)) in first.into_iter().zip(settled).enumerate() {
            let outcome = match if settled { None } else { second.next() } {
                Some(other) => agreed(one, other),
                None => one,
            };
            done(index, &outcome);
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    fn settled(&self) -> u64 {
        self.settled.load(Ordering::Relaxed)
    }

    fn single(&self) -> Option<&dyn Engine> {
        Some(&*self.first)
    }

    fn tally(&self) -> Tally {
        self.first.tally() + self.second.tally()
    }
}

/// True for an outcome whose texts may hold an address, as the text of a function or an object does.
fn shows_address(outcome: &Outcome) -> bool {
    fn holds(value: &Value) -> bool {
        match value {
            Value::Text(text) => text.contains("0x"),
            Value::List(items) => items.iter().any(holds),
            Value::Object(members) => members.iter().any(|(key, item)| key.contains("0x") || holds(item)),
            _ => false,
        }
    }
    outcome.returned.iter().any(|(key, value)| key.contains("0x") || holds(value))
}

/// The first outcome if the second says the same. Printed output and the texts of exceptions may
/// differ (they name addresses and times); what is graded may not.
///
/// Where the clock ended one of the two there is one outcome only, and one is not enough to agree: a program
/// may answer once and sleep the other time. That is no disagreement either; it is a timeout of the clock,
/// from which no verdict follows and which is never remembered.
fn agreed(first: Outcome, second: &Outcome) -> Outcome {
    if first.by_clock != second.by_clock {
        let ended = if first.by_clock { second } else { &first };
        let message =
            format!("undecided: one execution ran into the clock, the other ended as {}", ended.status.name());
        return Outcome { message, by_clock: true, ..Outcome::of(Status::Timeout) };
    }
    let kinds = |outcome: &Outcome| match &outcome.status {
        Status::Error { kind, .. } => (outcome.status.name(), kind.clone()),
        _ => (outcome.status.name(), String::new()),
    };
    // Compared as text: NaN equals NaN here, and -0.0 differs from 0.0.
    let returned = |outcome: &Outcome| format!("{:?}", outcome.returned);
    if kinds(&first) == kinds(second) && returned(&first) == returned(second) {
        return first;
    }
    let told = |outcome: &Outcome| match &outcome.status {
        Status::Ok => returned(outcome).chars().take(200).collect::<String>(),
        _ => outcome.message.clone(),
    };
    let message = format!("two executions disagree: {} / {}", told(&first), told(second));
    Outcome { message, stdout: first.stdout, stderr: first.stderr, ..Outcome::of(Status::Nondeterministic) }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{Fake, answers};
    use super::*;
    use crate::world::Silent;

    #[test]
    fn what_its_text_decides_is_executed_once() {
        let computes = Program::new("def solve(x=2.0):\n    return {'1': x}\n");
        let shows = Program::new("def solve(x=3.0):\n    return {'1': solve}\n");
        let asks = Program::new("import time\ndef solve():\n    return {'1': time.time()}\n");
        let address = Outcome::returning(vec![("1".to_owned(), Value::Text("<function solve at 0x7f>".into()))]);
        let fake = |value: &str| {
            Box::new(
                Fake::new("fake")
                    .with(&computes, answers(&[("1", value, "")]))
                    .with(&shows, address.clone())
                    .with(&asks, answers(&[("1", value, "")])),
            )
        };
        let twice = Twice::new(fake("1"), fake("2"));
        let programs = [computes.clone(), shows.clone(), asks.clone()];
        let outcomes = twice.run(&programs, &Limits::default(), &Silent).unwrap();
        let names: Vec<_> = outcomes.iter().map(|outcome| outcome.status.name()).collect();
        assert_eq!(names, ["ok", "ok", "nondeterministic"]);
        assert_eq!((twice.settled(), twice.tally().executed), (1, 5));
    }

    #[test]
    fn what_differs_between_two_executions_is_nondeterministic() {
        let [same, nan, zero, other] =
            ["same", "nan", "zero", "other"].map(|name| Program::new(format!("import time\n{name}\n")));
        let fake = |value: &str, zero_value: &str| {
            Fake::new("fake")
                .with(&same, answers(&[("1", "2.5", "K")]))
                .with(&nan, answers(&[("1", "NaN", "")]))
                .with(&zero, answers(&[("1", zero_value, "")]))
                .with(&other, answers(&[("1", value, "")]))
        };
        let twice = Twice::new(Box::new(fake("1", "0.0")), Box::new(fake("2", "-0.0")));
        let outcomes = twice.run(&[same, nan, zero, other], &Limits::default(), &Silent).unwrap();
        let names: Vec<_> = outcomes.iter().map(|outcome| outcome.status.name()).collect();
        assert_eq!(names, ["ok", "ok", "nondeterministic", "nondeterministic"]);
        assert!(outcomes[3].returned.is_empty() && outcomes[3].message.contains(" / "));
    }

    #[test]
    fn one_outcome_is_not_two_that_agree() {
        let slow = || Outcome { by_clock: true, ..Outcome::of(Status::Timeout) };
        let ok = || answers(&[("1", "2.5", "K")]);
        for undecided in [agreed(slow(), &ok()), agreed(ok(), &slow()), agreed(slow(), &slow())] {
            assert!(undecided.status == Status::Timeout && undecided.by_clock && undecided.returned.is_empty());
        }
        assert_eq!(agreed(ok(), &slow()).message, "undecided: one execution ran into the clock, the other ended as ok");
        assert_eq!(agreed(Outcome::of(Status::Timeout), &ok()).status, Status::Nondeterministic);
    }
}
