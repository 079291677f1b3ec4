//! What an engine was asked, for a part of a verification that another machine goes on with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::folder::Cache;
use crate::digest::Digest;
use crate::engine::contract::Identity;
use crate::engine::outcome::Outcome;

/// The list of everything that one engine was asked. Outcomes stay in the cache, so the list is short; those that
/// no cache keeps are kept here.
#[derive(Debug)]
pub struct Recorder {
    identity: Identity,
    cache: Arc<Cache>,
    asked: Mutex<BTreeMap<Digest, Option<Outcome>>>,
}

impl Recorder {
    /// An empty list for the engine of this identity, whose outcomes go to this cache.
    pub fn new(identity: Identity, cache: Arc<Cache>) -> Self {
        Self { identity, cache, asked: Mutex::default() }
    }

    /// Whose outcomes these are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    pub(super) fn record(&self, keys: &[Digest], outcomes: &[Outcome]) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, outcome) in keys.iter().zip(outcomes) {
            if !asked.contains_key(key) {
                let kept = (outcome.by_clock || self.cache.get(key).is_none()).then(|| outcome.clone());
                asked.insert(*key, kept);
            }
        }
    }

    /// Everything that was asked with its outcome, sorted by key.
    pub fn outcomes(&self) -> Vec<(Digest, Outcome)> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            |(key, kept): (&Digest, &Option<Outcome>)| Some((*key, kept.clone().or_else(|| self.cache.get(key))?));
        asked.iter().filter_map(found).collect()
    }
}
