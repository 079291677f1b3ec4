//! An engine for tests of other modules: a table of canned outcomes, no process, no interpreter.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::contract::{Engine, EngineError, Identity, Tally};
use super::outcome::{Outcome, Status};
use super::program::{Limits, Program};
use super::sandbox::{Layers, SandboxLevel};
use crate::digest::Digest;
use crate::json::{Number, Object, Value};
use crate::world::Progress;

/// Answers by program; what is not in the table has no `solve`, or the outcome given for all others.
#[derive(Debug)]
pub struct Fake {
    identity: Identity,
    table: BTreeMap<Digest, Outcome>,
    otherwise: Outcome,
    executed: AtomicU64,
}

impl Fake {
    /// An engine that calls itself `name` and knows no program yet.
    pub fn new(name: &str) -> Self {
        let identity = Identity {
            engine: name.to_owned(),
            version: "fake 1".to_owned(),
            float_sum: "compensated".to_owned(),
            level: SandboxLevel::Full,
            layers: Layers::default(),
            revision: Digest::of(name.as_bytes()),
        };
        Self { identity, table: BTreeMap::new(), otherwise: Outcome::of(Status::NoSolve), executed: AtomicU64::new(0) }
    }

    /// An engine that passes for the one of that identity; behind a cache it shows that nothing was run.
    pub fn like(identity: &Identity) -> Self {
        Self { identity: identity.clone(), ..Self::new("like") }
    }

    /// Adds the outcome of a program.
    #[must_use]
    pub fn with(mut self, program: &Program, outcome: Outcome) -> Self {
        self.table.insert(program.digest(), outcome);
        self
    }

    /// The outcome of every program that is not in the table.
    #[must_use]
    pub fn otherwise(mut self, outcome: Outcome) -> Self {
        self.otherwise = outcome;
        self
    }
}

/// An `ok` outcome holding `{sub: {"value": value, "unit": unit}}`, values as Python literals.
pub fn answers(entries: &[(&str, &str, &str)]) -> Outcome {
    let entry = |&(sub, value, unit): &(&str, &str, &str)| {
        let object: Object = [
            ("value".to_owned(), Value::Number(Number::from_literal(value))),
            ("unit".to_owned(), Value::Text(unit.to_owned())),
        ]
        .into_iter()
        .collect();
        (sub.to_owned(), Value::Object(object))
    };
    Outcome::returning(entries.iter().map(entry).collect())
}

impl Engine for Fake {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run_each(
        &self,
        programs: &[Program],
        _: &Limits,
        progress: &dyn Progress,
        done: &(dyn Fn(usize, &Outcome) + Sync),
    ) -> Result<Vec<Outcome>, EngineError> {
        let mut outcomes = Vec::with_capacity(programs.len());
        for (index, program) in programs.iter().enumerate() {
            let outcome = self.table.get(&program.digest()).cloned();
            let outcome = outcome.unwrap_or_else(|| self.otherwise.clone());
            done(index, &outcome);
            progress.advance(1);
            self.executed.fetch_add(1, Ordering::Relaxed);
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    fn tally(&self) -> Tally {
        Tally { executed: self.executed.load(Ordering::Relaxed), ..Tally::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Silent;

    #[test]
    fn the_table_answers_and_the_rest_has_no_solve() {
        let known = Program::new("known");
        let fake = Fake::new("fake").with(&known, answers(&[("1", "19.75", "K")]));
        let outcomes = fake.run(&[Program::new("other"), known], &Limits::default(), &Silent).unwrap();
        assert_eq!(outcomes[0].status, Status::NoSolve);
        assert_eq!(outcomes[1].returned[0].1.get("value").and_then(Value::as_f64), Some(19.75));
        assert_eq!(fake.tally().executed, 2);
    }
}
