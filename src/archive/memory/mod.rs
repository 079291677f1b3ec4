//! What run files said, remembered by the digest of their bytes.
//!
//! Reading a run file takes its JSON apart and looks at every text. When the same bytes come again, under the same
//! declaration, the outcome is known: the file is hashed, which its digest needs anyway, and its records are taken
//! from a store. What is remembered is never an answer by itself: a file whose bytes are others, a record that does
//! not check, anything that cannot be written exactly is read again.

mod coding;
mod packed;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::intern::Interner;
use super::plan::Planned;
use super::read::Reading;
use super::record::RunKey;
use crate::digest::{Digest, Hasher};
use crate::id::ExperimentId;
use crate::study::Study;
use crate::world::Source;

pub use packed::{PackedReader, PackedWriter};

/// Where readings are kept. A store that fails keeps nothing: a reading that is not found is made again.
pub trait Store: Sync {
    /// What was kept under a name.
    fn get(&self, name: &Digest) -> Option<Vec<u8>>;
    /// Keeps bytes under a name, in place of what was there.
    fn put(&self, name: &Digest, bytes: &[u8]);
}

/// How measurements of texts are written and read.
#[derive(Debug, Clone, Copy)]
pub struct Codec<T> {
    /// Writes one.
    pub write: fn(&T, &mut PackedWriter),
    /// Reads one; `None` when the bytes are none.
    pub read: fn(&mut PackedReader<'_>) -> Option<T>,
}

/// The readings of one study.
pub struct Memory<'m, T> {
    store: &'m dyn Store,
    codec: Codec<T>,
    /// Digest by experiment of everything outside a file that decides what is read from it.
    about: BTreeMap<ExperimentId, Digest>,
    remembered: AtomicU64,
}

impl<'m, T> Memory<'m, T> {
    /// Readings in a store. `maker` names the program that reads and what it measures; the declaration of the study
    /// is taken as far as it decides what is read.
    pub fn new(store: &'m dyn Store, codec: Codec<T>, maker: &Digest, study: &Study) -> Self {
        let json = |value: serde_json::Result<Vec<u8>>| value.unwrap_or_default();
        let shared = [json(serde_json::to_vec(&study.configurations)), json(serde_json::to_vec(&study.grading))];
        let about = study.experiments.iter().map(|experiment| {
            // How many runs are expected decides nothing about one of them.
            let own = crate::study::Experiment { runs: 0, configurations: Vec::new(), ..experiment.clone() };
            let set = study.sets.iter().find(|set| set.id == experiment.set);
            let own = [json(serde_json::to_vec(&own)), json(serde_json::to_vec(&set))];
            let parts = std::iter::once(maker.as_bytes().as_slice());
            let digest = Digest::of_parts(parts.chain(shared.iter().chain(&own).map(Vec::as_slice)));
            (experiment.id.clone(), digest)
        });
        let about = about.collect();
        Self { store, codec, about, remembered: AtomicU64::new(0) }
    }

    /// How many files were not read, because their reading was remembered.
    pub fn remembered(&self) -> u64 {
        self.remembered.load(Ordering::Relaxed)
    }

    fn name(&self, planned: &Planned) -> Option<Digest> {
        let RunKey { experiment, configuration, run } = &planned.key;
        Some(Digest::of_parts([
            self.about.get(experiment)?.as_bytes().as_slice(),
            planned.path.as_bytes(),
            configuration.as_str().as_bytes(),
            &run.to_le_bytes(),
            &planned.bytes.to_le_bytes(),
            &[u8::from(planned.declared)],
        ]))
    }

    /// The reading of a file if the bytes of the file are those that were read then. A file of which nothing is
    /// known is not hashed: whoever reads it does that in the same pass.
    pub(super) fn find(&self, source: &dyn Source, planned: &Planned, intern: &mut Interner) -> Option<Reading<T>> {
        let kept = self.store.get(&self.name(planned)?)?;
        let (digest, rest) = kept.split_at_checked(32)?;
        let (body, check) = rest.split_at_checked(rest.len().checked_sub(32)?)?;
        if Digest::of(body).as_bytes() != check || digest_of(source, &planned.path)?.as_bytes() != digest {
            return None;
        }
        let digest = Digest::from_bytes(digest.try_into().ok()?);
        let reading = coding::read(body, planned, digest, intern, self.codec.read)?;
        self.remembered.fetch_add(1, Ordering::Relaxed);
        Some(reading)
    }

    /// Keeps a reading, if it is of the whole file and can be written exactly.
    pub(super) fn keep(&self, planned: &Planned, reading: &Reading<T>) {
        let Some(run) = reading.run.as_ref().filter(|run| run.bytes == planned.bytes) else { return };
        let Some((name, body)) = self.name(planned).zip(coding::write(reading, self.codec.write)) else { return };
        let check = Digest::of(&body);
        let parts = [run.digest.as_bytes().as_slice(), &body, check.as_bytes()];
        self.store.put(&name, &parts.concat());
    }
}

fn digest_of(source: &dyn Source, path: &str) -> Option<Digest> {
    let mut file = source.open(path).ok()?;
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hasher.finish()),
            count => hasher.update(&buffer[..count]),
        }
    }
}

#[cfg(test)]
mod tests;
