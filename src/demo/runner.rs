//! Executing programs once each and remembering what they returned.

use std::collections::BTreeMap;

use super::study::DemoError;
use crate::engine::{Engine, Limits, Program, Status};
use crate::json::Value;
use crate::world::Progress;

/// Entries of a returned mapping, in its order.
pub(super) type Returned = Vec<(String, Value)>;

/// An engine with a memory.
pub(super) struct Runner<'e> {
    engine: &'e dyn Engine,
    progress: &'e dyn Progress,
    /// By source: what came back, or why nothing did.
    known: BTreeMap<String, Result<Returned, String>>,
}

impl<'e> Runner<'e> {
    /// Nothing was run yet.
    pub(super) fn new(engine: &'e dyn Engine, progress: &'e dyn Progress) -> Self {
        Self { engine, progress, known: BTreeMap::new() }
    }

    /// Runs what was not run before.
    pub(super) fn run(&mut self, sources: impl IntoIterator<Item = String>) -> Result<(), DemoError> {
        let mut new: Vec<String> = sources.into_iter().filter(|source| !self.known.contains_key(source)).collect();
        new.sort();
        new.dedup();
        let programs: Vec<Program> = new.iter().map(|source| Program::new(source.as_str())).collect();
        self.progress.begin("running the programs of the example study", programs.len() as u64);
        let outcomes = self.engine.run(&programs, &Limits::default(), self.progress);
        self.progress.finish();
        for (source, outcome) in new.into_iter().zip(outcomes?) {
            let result = match outcome.status {
                Status::Ok => Ok(outcome.returned),
                Status::Error { kind, message } => Err(format!("{kind}: {message}")),
                status => Err(status.name().to_owned()),
            };
            self.known.insert(source, result);
        }
        Ok(())
    }

    /// What a program returned; `Err` is the reason why it returned nothing.
    pub(super) fn returned(&self, source: &str) -> Result<&Returned, &str> {
        match self.known.get(source) {
            Some(Ok(returned)) => Ok(returned),
            Some(Err(reason)) => Err(reason),
            None => Err("it was not run"),
        }
    }

    /// What a program of the written part returned; it must return something.
    pub(super) fn must(&self, id: &str, source: &str) -> Result<&Returned, DemoError> {
        self.returned(source).map_err(|reason| DemoError::Solver { id: id.to_owned(), reason: reason.to_owned() })
    }
}

/// Value and unit of an entry `{"value", "unit"}`.
pub(super) fn quantity(entry: &Value) -> Option<(f64, &str)> {
    Some((entry.get("value")?.as_f64()?, entry.get("unit")?.as_text()?))
}
