//! An engine that remembers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::folder::{Cache, Origin};
use super::recorder::Recorder;
use crate::digest::Digest;
use crate::engine::contract::{Engine, EngineError, Identity, Tally};
use crate::engine::outcome::Outcome;
use crate::engine::program::{Limits, Program};
use crate::world::Progress;

/// Looks every program up before it is run, and remembers each outcome as soon as it is final: equal
/// programs are executed once, and an interrupted or killed run goes on where it stopped.
pub struct Cached {
    inner: Box<dyn Engine>,
    cache: Arc<Cache>,
    recorder: Option<Arc<Recorder>>,
    repeated: AtomicU64,
    remembered: AtomicU64,
}

/// Digest of everything that can change an outcome.
pub(in crate::engine) fn key(identity: &Identity, program: &Program, limits: &Limits) -> Digest {
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

impl Cached {
    /// Wraps an engine; several engines may share one open cache.
    pub fn new(inner: Box<dyn Engine>, cache: Arc<Cache>) -> Self {
        Self { inner, cache, recorder: None, repeated: AtomicU64::new(0), remembered: AtomicU64::new(0) }
    }

    /// The same engine, with a list of what it was asked.
    #[must_use]
    pub fn recorded_by(self, recorder: Arc<Recorder>) -> Self {
        Self { recorder: Some(recorder), ..self }
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
        let keys: Vec<Digest> =
            programs.par_iter().map(|program| key(self.inner.identity(), program, limits)).collect();
        let remembered: Vec<Option<(Outcome, Origin)>> = keys.par_iter().map(|key| self.cache.find(key)).collect();
        let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(programs.len());
        // Indices of the first program of each missing key; the same program is run once.
        let mut missing: Vec<usize> = Vec::new();
        let mut first: BTreeMap<&Digest, usize> = BTreeMap::new();
        let mut repeated: Vec<(usize, usize)> = Vec::new();
        for (index, (key, found)) in keys.iter().zip(remembered).enumerate() {
            match &found {
                Some((outcome, origin)) => {
                    let count = match origin {
                        Origin::Earlier => &self.remembered,
                        Origin::Here => &self.repeated,
                    };
                    count.fetch_add(1, Ordering::Relaxed);
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
            outcomes.push(found.map(|(outcome, _)| outcome));
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
            self.repeated.fetch_add(1, Ordering::Relaxed);
            if let Some(outcome) = &outcomes[index] {
                done(index, outcome);
            }
            progress.advance(1);
        }
        // Every slot was filled by one of the loops above.
        let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
        if let Some(recorder) = &self.recorder {
            recorder.record(&keys, &outcomes);
        }
        Ok(outcomes)
    }

    fn tally(&self) -> Tally {
        let (repeated, remembered) = (self.repeated.load(Ordering::Relaxed), self.remembered.load(Ordering::Relaxed));
        self.inner.tally() + Tally { repeated, remembered, executed: 0 }
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
        assert_eq!(first.tally(), Tally { executed: 2, repeated: 1, remembered: 0 }, "the repeated program runs once");
        first.run(&programs[..1], &Limits::default(), &Silent).unwrap();
        assert_eq!(first.tally().repeated, 2, "also in a later batch");
        let second = open("fake");
        assert_eq!(second.run(&programs, &Limits::default(), &Silent).unwrap(), outcomes);
        assert_eq!(second.tally(), Tally { executed: 0, repeated: 0, remembered: 3 });
        let other = Limits { cpu_seconds: 3, ..Limits::default() };
        second.run(&programs[..1], &other, &Silent).unwrap();
        assert_eq!(second.tally().executed, 1);
        let stranger = open("another engine");
        stranger.run(&programs[..1], &Limits::default(), &Silent).unwrap();
        assert_eq!(stranger.tally().executed, 1);
    }
}
