//! An engine that executes nothing: it gives back what parts hold.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::gather::{Parts, outcome};
use crate::digest::Digest;
use crate::engine::cache::{Cache, Cached, key};
use crate::engine::contract::{Engine, EngineError, Identity, Tally};
use crate::engine::outcome::Outcome;
use crate::engine::program::{Limits, Program};
use crate::engine::twice::Twice;
use crate::world::Progress;

/// An engine of parts. It passes for the engine that made them and counts as executed what it gives back, so a
/// verification on top of it says what one machine would have said.
pub struct Recorded {
    identity: Identity,
    outcomes: BTreeMap<Digest, Vec<u8>>,
    executed: AtomicU64,
}

impl Recorded {
    /// The engines of parts as a verification takes them: each behind a cache that remembers nothing from
    /// earlier, and with its second execution where there was one.
    pub fn engines(parts: Parts) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let once = parts.header.once;
        let cache = Arc::new(Cache::passing()?);
        let mut engines = parts.into_engines().into_iter().map(|(identity, outcomes)| {
            let recorded = Self { identity, outcomes, executed: AtomicU64::new(0) };
            Box::new(Cached::new(Box::new(recorded), Arc::clone(&cache))) as Box<dyn Engine>
        });
        let mut all: Vec<Box<dyn Engine>> = Vec::new();
        while let Some(first) = engines.next() {
            all.push(match if once { None } else { engines.next() } {
                Some(second) => Box::new(Twice::new(first, second)),
                None => first,
            });
        }
        Ok(all)
    }
}

impl Engine for Recorded {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run_each(
        &self,
        programs: &[Program],
        limits: &Limits,
        progress: &dyn Progress,
        done: &(dyn Fn(usize, &Outcome) + Sync),
    ) -> Result<Vec<Outcome>, EngineError> {
        let mut outcomes = Vec::with_capacity(programs.len());
        for (index, program) in programs.iter().enumerate() {
            let key = key(&self.identity, program, limits);
            let held = self.outcomes.get(&key).and_then(|body| outcome(&key, body));
            let held = held.ok_or_else(|| EngineError::NotInParts { program: program.digest() })?;
            self.executed.fetch_add(1, Ordering::Relaxed);
            done(index, &held);
            progress.advance(1);
            outcomes.push(held);
        }
        Ok(outcomes)
    }

    fn tally(&self) -> Tally {
        Tally { executed: self.executed.load(Ordering::Relaxed), ..Tally::default() }
    }
}
