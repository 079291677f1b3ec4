//! Replaying whole run files: texts stream by, one configuration of one experiment after the other.

use super::super::engines;
use super::super::ledger::{Level, LevelSummary};
use super::case::{Case, NotReplayable};
use super::stage::{Replayed, batch};
use crate::archive::{self, Archive, ArchiveError};
use crate::corpus::Corpus;
use crate::engine::{Engine, EngineError};
use crate::id::{ConfigKey, ExperimentId};
use crate::report::Findings;
use crate::study::Study;
use crate::world::{Progress, Silent, Source};

/// Why whole runs cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The files cannot be listed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The engine cannot go on.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Replays every record of the runs whose attempts are archived.
///
/// `archive` is what was read before; it tells which runs hold attempts. These files are read a second
/// time, because all programs of an archive together do not fit into memory.
pub fn replay_runs(
    source: &dyn Source,
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    engines: &[&dyn Engine],
    progress: &dyn Progress,
) -> Result<(LevelSummary, Replayed, Findings), StreamError> {
    let mut summary = LevelSummary::new(Level::L2);
    let mut replayed = Replayed::default();
    let parts = parts(archive);
    let attempts: u64 = parts.iter().map(|(_, _, attempts)| attempts).sum();
    progress.begin("replaying runs", engines::work(engines, attempts as usize));
    for (experiment, configuration, _) in parts {
        let narrowed = narrowed(study, &experiment, &configuration);
        let measure = |run: &archive::RunKey, record: &archive::Record, texts: &[archive::AttemptText<'_>]| {
            Case::new(study, corpus, run, record, texts)
        };
        let (read, cases, _) = archive::read(source, &narrowed, &Silent, &measure)?;
        let mut ready = Vec::new();
        for (run, cases) in read.runs.iter().zip(cases) {
            if run.key.configuration != configuration {
                continue;
            }
            for (position, case) in cases.into_iter().enumerate() {
                match case {
                    Ok(case) => ready.push(case.at(&run.path, position)),
                    Err(NotReplayable::NoTexts) => {}
                    Err(reason) => summary.skip(reason.as_str(), 1),
                }
            }
        }
        batch(study, &ready, engines, progress, &mut summary, &mut replayed)?;
    }
    progress.finish();
    let findings = replayed.finish(&mut summary);
    Ok((summary, replayed, findings))
}

/// Experiments and configurations with archived response text, and how many attempts they hold.
fn parts(archive: &Archive) -> Vec<(ExperimentId, ConfigKey, u64)> {
    let mut parts: Vec<(ExperimentId, ConfigKey, u64)> = Vec::new();
    for run in &archive.runs {
        let attempts = run.records.iter().flat_map(|record| record.attempts.iter().flatten());
        let count = attempts.filter(|attempt| attempt.response_bytes > 0).count() as u64;
        let (experiment, configuration) = (&run.key.experiment, &run.key.configuration);
        match parts.iter_mut().find(|(e, c, _)| e == experiment && c == configuration) {
            Some(part) => part.2 += count,
            None if count > 0 => parts.push((experiment.clone(), configuration.clone(), count)),
            None => {}
        }
    }
    parts
}

/// The study reduced to one configuration of one experiment, so that only its files are read.
fn narrowed(study: &Study, experiment: &ExperimentId, configuration: &ConfigKey) -> Study {
    let mut narrowed = study.clone();
    narrowed.transcripts.clear();
    narrowed.experiments.retain(|known| known.id == *experiment);
    narrowed.configurations.retain(|known| known.key == *configuration);
    for experiment in &mut narrowed.experiments {
        experiment.configurations = vec![configuration.clone()];
    }
    narrowed
}
