//! An engine that remembers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::folder::Cache;
use crate::digest::Digest;
use crate::engine::contract::{Engine, EngineError, Identity, Tally};
use crate::engine::outcome::Outcome;
use crate::engine::program::{Limits, Program};
use crate::world::Progress;

/// Looks every program up before it is run, and remembers each outcome as soon as it is final, so
/// that an interrupted or killed run goes on where it stopped.
pub struct Cached {
    inner: Box<dyn Engine>,
    cache: Arc<Cache>,
    remembered: AtomicU64,
}

impl Cached {
    /// Wraps an engine; several engines may share one open cache.
    pub fn new(inner: Box<dyn Engine>, cache: Arc<Cache>) -> Self {
        Self { inner, cache, remembered: AtomicU64::new(0) }
    }

    /// Digest of everything that can change an outcome.
    fn key(&self, program: &Program, limits: &Limits) -> Digest {
        let identity = self.inner.identity();
        let layers = identity.layers.names();
        let limits = serde_json::to_vec(limits).unwrap_or_default();
        Digest::of_parts([
            identity.engine.as_bytes(),
            identity.version.as_bytes(),
            identity.revision.as_bytes(),
            layers.as_bytes(),
            &limits,
            program.digest().as_bytes(),
        ])
    }
}

impl Engine for Cached {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn run_each(
        &self,
        programs: &[Program],
        limits: &Limits,
        progress: &dyn Progress,
        done: &(dyn Fn(usize, &Outcome) + Sync),
    ) -> Result<Vec<Outcome>, EngineError> {
        let keys: Vec<Digest> = programs.par_iter().map(|program| self.key(program, limits)).collect();
        let remembered: Vec<Option<Outcome>> = keys.par_iter().map(|key| self.cache.get(key)).collect();
        let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(programs.len());
        // Indices of the first program of each missing key; the same program is run once.
        let mut missing: Vec<usize> = Vec::new();
        let mut first: BTreeMap<&Digest, usize> = BTreeMap::new();
        let mut repeated: Vec<(usize, usize)> = Vec::new();
        for (index, (key, found)) in keys.iter().zip(remembered).enumerate() {
            match &found {
                Some(outcome) => {
                    self.remembered.fetch_add(1, Ordering::Relaxed);
                    done(index, outcome);
                    progress.advance(1);
                }
                None => match first.get(key) {
                    Some(&earlier) => repeated.push((index, earlier)),
                    None => {
                        first.insert(key, index);
                        missing.push(index);
                    }
                },
            }
            outcomes.push(found);
        }
        let batch: Vec<Program> = missing.iter().map(|&index| programs[index].clone()).collect();
        let trouble = Mutex::new(None);
        let fresh = self.inner.run_each(&batch, limits, progress, &|at, outcome| {
            let index = missing[at];
            if let Err(error) = self.cache.put(&keys[index], outcome) {
                trouble.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
            }
            done(index, outcome);
        })?;
        if let Some(error) = trouble.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Err(error);
        }
        for (index, outcome) in missing.into_iter().zip(fresh) {
            outcomes[index] = Some(outcome);
        }
        for (index, earlier) in repeated {
            let same = outcomes[earlier].clone();
            outcomes[index] = same;
            self.remembered.fetch_add(1, Ordering::Relaxed);
            if let Some(outcome) = &outcomes[index] {
                done(index, outcome);
            }
            progress.advance(1);
        }
        // Every slot was filled by one of the loops above.
        Ok(outcomes.into_iter().flatten().collect())
    }

    fn tally(&self) -> Tally {
        Tally { remembered: self.remembered.load(Ordering::Relaxed), ..self.inner.tally() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::{Fake, answers};
    use crate::world::Silent;

    #[test]
    fn the_second_run_executes_nothing_and_other_limits_execute_again() {
        let folder = tempfile::tempdir().unwrap();
        let programs = ["a", "b", "a"].map(Program::new);
        let open = |name: &str| {
            let fake = Fake::new(name).with(&programs[0], answers(&[("1", "42", "")]));
            Cached::new(Box::new(fake), Arc::new(Cache::open(folder.path()).unwrap()))
        };
        let first = open("fake");
        let outcomes = first.run(&programs, &Limits::default(), &Silent).unwrap();
        assert_eq!(first.tally(), Tally { executed: 2, remembered: 1 }, "the repeated program runs once");
        let second = open("fake");
        assert_eq!(second.run(&programs, &Limits::default(), &Silent).unwrap(), outcomes);
        assert_eq!(second.tally(), Tally { executed: 0, remembered: 3 });
        let other = Limits { cpu_seconds: 3, ..Limits::default() };
        second.run(&programs[..1], &other, &Silent).unwrap();
        assert_eq!(second.tally().executed, 1);
        let stranger = open("another engine");
        stranger.run(&programs[..1], &Limits::default(), &Silent).unwrap();
        assert_eq!(stranger.tally().executed, 1);
    }
}
