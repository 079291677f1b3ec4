//! Replaying whole run files: texts stream by, one configuration of one experiment after the other.

use rayon::prelude::*;

use super::super::engines;
use super::super::ladder::{Level, LevelSummary};
use super::super::share::Share;
use super::super::unchecked::Unchecked;
use super::super::whole::{Means, Subject};
use super::case::{Case, NotReplayable};
use super::stage::{Replayed, batch};
use super::tested::{self, Prepared, tests_of};
use crate::archive::{Archive, ArchiveError, AttemptText, Record, Run, RunKey, Selection, TextsWanted};
use crate::corpus::Corpus;
use crate::engine::EngineError;
use crate::id::{ConfigKey, ExperimentId};
use crate::report::Findings;
use crate::study::Study;
use crate::world::{Progress, Silent};

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
/// The archive is what was read before; it tells which runs hold attempts. These files are read a second
/// time, because all programs of an archive together do not fit into memory.
pub fn replay_runs(
    subject: Subject<'_>,
    progress: &dyn Progress,
) -> Result<(LevelSummary, Replayed, Findings), StreamError> {
    replay_runs_of_share(subject, None, progress)
}

/// The same for a share of the work; `None` is all of it.
pub(in crate::verify) fn replay_runs_of_share(
    subject: Subject<'_>,
    share: Option<&Share>,
    progress: &dyn Progress,
) -> Result<(LevelSummary, Replayed, Findings), StreamError> {
    let Subject { source, study, corpus, archive, means } = subject;
    let Means { engines, graders, formats } = means;
    let mut summary = LevelSummary::new(Level::L2);
    let mut replayed = Replayed::default();
    let mine = |run: &RunKey, record: &Record| share.is_none_or(|share| share.has_answers(run, &record.id));
    let parts = parts(study, corpus, archive, &mine);
    textless(study, corpus, archive, &parts, &mut summary);
    if engines.is_empty() {
        not_executed(study, corpus, archive, &parts, &mut summary);
        return Ok((summary, replayed, Findings::default()));
    }
    let attempts: u64 = parts.iter().map(|(_, _, attempts)| attempts).sum();
    progress.begin("replaying runs", engines::work(engines, attempts as usize));
    for (experiment, configuration, _) in parts {
        if has_no_check(study, corpus, &experiment) {
            let of_part = |run: &&Run| run.key.experiment == experiment && run.key.configuration == configuration;
            for record in archive.runs.iter().filter(of_part).flat_map(|run| &run.records) {
                summary.skip(NotReplayable::NoRule, attempts_of(record));
            }
            continue;
        }
        let measure = |run: &RunKey, record: &Record, texts: &[AttemptText<'_>]| {
            mine(run, record).then(|| Prepared::new(graders, study, corpus, run, record, texts))
        };
        let selection = Selection { texts: TextsWanted::Responses, only: Some((&experiment, &configuration)) };
        let (read, cases, _) = formats.read_selected(source, study, selection, &Silent, &measure)?;
        let (mut ready, mut tested) = (Vec::new(), Vec::new());
        for (run, cases) in read.runs.iter().zip(cases) {
            let tolerance = super::super::tolerance(study, archive, &run.key);
            for (position, (record, case)) in run.records.iter().zip(cases).enumerate() {
                match case {
                    None => {}
                    Some(Ok(Prepared::Valued(case))) => ready.push(case.graded_at(tolerance).at(&run.path, position)),
                    Some(Ok(Prepared::Tested(case))) => tested.push(case.at(&run.path, position)),
                    Some(Err(reason)) => summary.skip(reason, attempts_of(record)),
                }
            }
        }
        batch(study, &ready, engines, progress, &mut summary, &mut replayed)?;
        tested::batch(study, &tested, engines, progress, &mut summary, &mut replayed)?;
    }
    progress.finish();
    let findings = replayed.finish(&mut summary);
    Ok((summary, replayed, findings))
}

/// Nothing in the archive says what a right answer of the experiment is: its texts need not be read again.
fn has_no_check(study: &Study, corpus: &Corpus, experiment: &ExperimentId) -> bool {
    let Some(declared) = study.experiments.iter().find(|e| e.id == *experiment && e.format.is_some()) else {
        return false;
    };
    let set = corpus.set(declared.set.as_str());
    set.is_some_and(|set| set.problems.iter().all(|problem| problem.answers.is_empty() && problem.tests.is_none()))
}

/// Experiments and configurations with archived response text, and how many attempts they hold. A record that
/// tests judge counts as one; whether its text is there is seen when it is read.
fn parts(
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    mine: &dyn Fn(&RunKey, &Record) -> bool,
) -> Vec<(ExperimentId, ConfigKey, u64)> {
    let mut parts: Vec<(ExperimentId, ConfigKey, u64)> = Vec::new();
    for run in &archive.runs {
        let answers = |record: &Record| {
            let attempts = record.attempts.iter().flatten().filter(|attempt| attempt.response_bytes > 0).count();
            attempts.max(usize::from(tests_of(study, corpus, &run.key, record).is_some()))
        };
        let count = run.records.iter().filter(|record| mine(&run.key, record)).map(answers).sum::<usize>() as u64;
        let (experiment, configuration) = (&run.key.experiment, &run.key.configuration);
        match parts.iter_mut().find(|(e, c, _)| e == experiment && c == configuration) {
            Some(part) => part.2 += count,
            None if count > 0 => parts.push((experiment.clone(), configuration.clone(), count)),
            None => {}
        }
    }
    parts
}

/// Attempts that a record counts for: one at least, so that none is in no count.
fn attempts_of(record: &Record) -> usize {
    record.attempts.as_ref().map_or(1, |attempts| attempts.len().max(1))
}

/// Counts the records of runs that hold no response at all.
fn textless(
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    parts: &[(ExperimentId, ConfigKey, u64)],
    summary: &mut LevelSummary,
) {
    let with_texts = |key: &RunKey| parts.iter().any(|(e, c, _)| *e == key.experiment && *c == key.configuration);
    for run in archive.runs.iter().filter(|run| !with_texts(&run.key)) {
        for record in &run.records {
            if let Err(reason) = Case::ground(study, corpus, &run.key, record, false) {
                summary.skip(reason, attempts_of(record));
            }
        }
    }
}

/// Counts what an engine would have replayed, without reading any text again.
fn not_executed(
    study: &Study,
    corpus: &Corpus,
    archive: &Archive,
    parts: &[(ExperimentId, ConfigKey, u64)],
    summary: &mut LevelSummary,
) {
    let replayed = |key: &RunKey| parts.iter().any(|(e, c, _)| *e == key.experiment && *c == key.configuration);
    let count = |run: &Run| {
        let mut summary = LevelSummary::new(Level::L2);
        for record in &run.records {
            let attempts = record.attempts.as_deref().unwrap_or_default();
            let tested = tests_of(study, corpus, &run.key, record).is_some();
            let answered = tested || attempts.iter().any(|attempt| attempt.response_bytes > 0);
            match Case::ground(study, corpus, &run.key, record, answered) {
                Ok(_) => summary.skip(Unchecked::NoEngine, attempts.len().max(usize::from(tested))),
                Err(reason) => summary.skip(reason, attempts_of(record)),
            }
        }
        summary
    };
    let counted: Vec<LevelSummary> = archive.runs.par_iter().filter(|run| replayed(&run.key)).map(count).collect();
    counted.iter().for_each(|run| summary.add(run));
}
