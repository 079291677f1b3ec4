//! Reading everything that was recorded: files in parallel, records streamed, texts shown once.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::intern::Interner;
use super::memory::Memory;
use super::plan::{Layout, Planned, plan};
use super::record::{Archive, AttemptText, Record, Run, RunKey, TextsWanted};
use super::{evaluation, materials, run_file, transcript_file};
use crate::id::{ConfigKey, ExperimentId, ProblemId};
use crate::report::{Finding, Findings};
use crate::study::Study;
use crate::world::{Progress, Source, Unit};

/// What is asked of the texts of a record while they stream by. It sees each used record once, in no
/// particular order, from several threads.
pub type Measure<'m, T> = &'m (dyn Fn(&RunKey, &Record, &[AttemptText<'_>]) -> T + Sync);

/// Why an archive cannot be read at all. What is wrong inside it are findings.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The files could not be listed.
    #[error("the files of {name} cannot be listed: {error}")]
    Listing {
        /// Name of the source as the user typed it.
        name: String,
        /// What happened.
        error: std::io::Error,
    },
}

/// What one file brought.
pub(super) struct Reading<T> {
    pub(super) run: Option<Run>,
    pub(super) measured: Vec<T>,
    pub(super) literals: Vec<((ProblemId, usize), Box<str>)>,
    pub(super) findings: Vec<Finding>,
}

impl<T> Reading<T> {
    /// A file that is no run.
    pub(super) fn nothing(findings: Vec<Finding>) -> Self {
        Self { run: None, measured: Vec::new(), literals: Vec::new(), findings }
    }
}

/// Which part of an archive is read.
#[derive(Clone, Copy, Default)]
pub struct Selection<'s> {
    /// Texts that measuring looks at.
    pub texts: TextsWanted,
    /// Runs of one experiment and configuration only, without the selected records; `None` for everything.
    pub only: Option<(&'s ExperimentId, &'s ConfigKey)>,
}

/// Reads the whole archive of a study with all texts; see [`read_selected`].
pub fn read<T: Send>(
    source: &dyn Source,
    study: &Study,
    progress: &dyn Progress,
    measure: Measure<'_, T>,
) -> Result<(Archive, Vec<Vec<T>>, Findings), ArchiveError> {
    read_selected(source, study, Selection::default(), progress, measure)
}

/// Reads an archive or a part of it.
///
/// Returns the archive, the measurements (by run in the order of `archive.runs`, by record in the order
/// of `run.records`) and what there is to say about the files. Each file is read once, in pieces: memory
/// is bounded by the largest record, not by the largest file. The result does not depend on the number
/// of threads.
pub fn read_selected<T: Send>(
    source: &dyn Source,
    study: &Study,
    selection: Selection<'_>,
    progress: &dyn Progress,
    measure: Measure<'_, T>,
) -> Result<(Archive, Vec<Vec<T>>, Findings), ArchiveError> {
    read_remembering(source, study, selection, progress, measure, None)
}

/// The same; run files whose bytes were read before, and of which a memory is given, are hashed and not read.
pub fn read_remembering<T: Send>(
    source: &dyn Source,
    study: &Study,
    selection: Selection<'_>,
    progress: &dyn Progress,
    measure: Measure<'_, T>,
    memory: Option<&Memory<'_, T>>,
) -> Result<(Archive, Vec<Vec<T>>, Findings), ArchiveError> {
    let entries = source.entries().map_err(|error| ArchiveError::Listing { name: source.name().to_owned(), error })?;
    let mut findings = Findings::default();
    let mut planned = plan(&entries, study, &mut findings);
    if let Some((experiment, configuration)) = selection.only {
        planned.retain(|file| file.key.experiment == *experiment && file.key.configuration == *configuration);
    }
    progress.begin_in(Unit::Bytes, "reading runs", planned.iter().map(|file| file.bytes).sum());
    let readings = read_all(source, study, &planned, selection.texts, progress, (measure, memory));
    progress.finish();
    let mut archive = Archive::default();
    if selection.only.is_none() {
        (archive.transcripts, archive.annotations) = transcript_file::read(source, study, &mut findings);
        archive.materials = materials::read(source, study, &entries, &mut findings);
    }
    let mut measured = Vec::with_capacity(readings.len());
    for reading in readings {
        findings.extend(reading.findings);
        let Some(run) = reading.run else { continue };
        for ((id, position), digits) in reading.literals {
            archive.literals.insert((run.key.clone(), id, position), digits);
        }
        archive.runs.push(run);
        measured.push(reading.measured);
    }
    Ok((archive, measured, findings))
}

/// Reads the files, largest first so that no thread is left with a large one at the end, and returns them
/// in the planned order, which is that of the keys.
fn read_all<T: Send>(
    source: &dyn Source,
    study: &Study,
    planned: &[Planned],
    texts: TextsWanted,
    progress: &dyn Progress,
    (measure, memory): (Measure<'_, T>, Option<&Memory<'_, T>>),
) -> Vec<Reading<T>> {
    let interners: Mutex<Vec<Interner>> = Mutex::default();
    let mut order: Vec<usize> = (0..planned.len()).collect();
    order.sort_by_key(|&position| std::cmp::Reverse(planned[position].bytes));
    let mut readings: Vec<(usize, Reading<T>)> = order
        .into_par_iter()
        .with_max_len(1)
        .map(|position| {
            let file = &planned[position];
            let spare = interners.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut intern = spare.unwrap_or_default();
            let known = memory.and_then(|memory| memory.find(source, file, &mut intern));
            let reading = known.unwrap_or_else(|| {
                let reading = match file.layout {
                    Layout::RunFile => run_file::read(source, study, file, texts, &mut intern, measure),
                    Layout::EvaluationLines => evaluation::read(source, file, &mut intern, measure),
                };
                memory.into_iter().for_each(|memory| memory.keep(file, &reading));
                reading
            });
            interners.lock().unwrap_or_else(PoisonError::into_inner).push(intern);
            progress.advance(file.bytes);
            (position, reading)
        })
        .collect();
    readings.sort_by_key(|(position, _)| *position);
    readings.into_iter().map(|(_, reading)| reading).collect()
}
