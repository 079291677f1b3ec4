//! Notes that the study's reader of boxed answers left on records, held against the archived texts.
//!
//! The note counts boxes, numbers and units of a response. It decides nothing, but an edited note hides what
//! a response held; it is checked while the texts stream by, before anything is executed.

use crate::archive::{Archive, AttemptOutcome, AttemptText, Record, RunKey};
use crate::corpus::Corpus;
use crate::grade::boxed::Boxes;
use crate::report::{Finding, Place};
use crate::statistics::Readings;
use crate::study::{Given, Study};

/// The note that the reader would leave on a record, where the stored one is another.
pub(super) fn expected(study: &Study, run: &RunKey, record: &Record, texts: &[AttemptText<'_>]) -> Option<String> {
    let stored = record.note.as_deref()?;
    let experiment = study.experiments.iter().find(|experiment| experiment.id == run.experiment)?;
    if experiment.given() != Given::Prose || texts.iter().all(|text| text.response.is_empty()) {
        return None;
    }
    let attempts = record.attempts.as_deref().unwrap_or_default();
    let graded = attempts.iter().rposition(|attempt| attempt.outcome == AttemptOutcome::Graded);
    let text = graded.and_then(|graded| texts.get(graded)).or_else(|| texts.last())?;
    let boxes = Boxes::read(&text.response, need(stored).unwrap_or(0));
    let found = boxes.map_or_else(|reason| reason.to_string(), |boxes| boxes.note());
    (found != stored).then_some(found)
}

/// The number of answers that a note says are needed.
fn need(note: &str) -> Option<usize> {
    note.split(' ').find_map(|word| word.strip_prefix("need="))?.parse().ok()
}

/// Notes that the texts, or the number of asked quantities, do not bear out.
pub(super) fn told(study: &Study, corpus: &Corpus, archive: &Archive, readings: &[Vec<Readings>]) -> Vec<Finding> {
    let tell = |place: Place, record: &Record, found: &str| {
        let stored = record.note.as_deref().unwrap_or_default();
        let message = format!("the note says {stored:?}, {found}");
        Finding::new("note-differs", place.with_subject(record.id.as_str()), message)
    };
    let asked = |run: &RunKey, record: &Record| {
        let stated = need(record.note.as_deref()?)?;
        let experiment = study.experiments.iter().find(|experiment| experiment.id == run.experiment)?;
        let asked = corpus.set(experiment.set.as_str())?.get(record.id.as_str())?.subs().len();
        (asked != stated && asked > 0).then(|| format!("the problem asks for {asked}"))
    };
    let differs = |run: &RunKey, record: &Record, found: Option<&str>| {
        found.map(|found| format!("the text gives {found:?}")).or_else(|| asked(run, record))
    };
    let of_runs = archive.runs.iter().zip(readings).flat_map(|(run, readings)| {
        let told = run
            .records
            .iter()
            .zip(readings)
            .filter_map(|(record, read)| Some((record, differs(&run.key, record, read.note.as_deref())?)));
        told.map(|(record, found)| tell(Place::file(&run.path), record, &found))
    });
    let selected = archive.transcripts.iter().filter_map(|selected| {
        let found = expected(study, &selected.key, &selected.record, &selected.texts);
        let found = differs(&selected.key, &selected.record, found.as_deref())?;
        Some(tell(Place::file(&selected.path).with_record(selected.position), &selected.record, &found))
    });
    of_runs.chain(selected).collect()
}
