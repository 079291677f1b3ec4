//! Selected records with their texts, and what people judged about them. These files are small and are
//! kept whole.

use super::annotation::Annotations;
use super::annotation_file;
use super::intern::Interner;
use super::notes::Notes;
use super::record::{AttemptText, RunKey, TextsWanted, Transcript};
use super::wire::{self, Origin, Stored};
use crate::id::{ConfigKey, ExperimentId};
use crate::json::{Fault, Keys, Reader, foreign_encoding};
use crate::report::{Finding, Findings, Place};
use crate::study::{Study, TranscriptKind, Transcripts};
use crate::world::Source;

/// Reads all declared files of selected records and judgements.
pub(super) fn read(source: &dyn Source, study: &Study, findings: &mut Findings) -> (Vec<Transcript>, Annotations) {
    let mut transcripts = Vec::new();
    let mut annotations = Annotations::default();
    for declared in &study.transcripts {
        if !source.exists(&declared.path) {
            let code = if declared.optional { "optional-absent" } else { "missing-file" };
            findings.push(Finding::new(code, Place::file(&declared.path), "a file of selected records is absent"));
            continue;
        }
        let mut notes = Notes::new(&declared.path);
        match source.read(&declared.path) {
            Err(error) => notes.push(Finding::unread(notes.place(), &error)),
            Ok(bytes) if bytes.is_empty() => notes.say("empty-file", "the selected records hold no bytes"),
            Ok(bytes) => match foreign_encoding(&bytes) {
                Some(fault) => notes.push(Finding::new("not-utf8", notes.place().with_byte(fault.byte), fault.what)),
                None => file(declared, &bytes, &mut transcripts, &mut annotations, &mut notes),
            },
        }
        findings.extend(notes.finish());
    }
    (transcripts, annotations)
}

fn file(
    declared: &Transcripts,
    bytes: &[u8],
    transcripts: &mut Vec<Transcript>,
    annotations: &mut Annotations,
    notes: &mut Notes<'_>,
) {
    if declared.kind == TranscriptKind::Records {
        let before = transcripts.len();
        if let Err(fault) = records(&declared.path, bytes, transcripts, notes) {
            notes.torn(transcripts.len() - before, &fault);
        }
        return;
    }
    let mut reader = Reader::new(bytes);
    match reader.value().and_then(|value| reader.end().map(|()| value)) {
        Err(fault) => notes.torn(0, &fault),
        Ok(root) => {
            let mut findings = Vec::new();
            let read = match declared.kind {
                TranscriptKind::Annotations => annotation_file::judgements,
                TranscriptKind::Traces => annotation_file::traces,
                TranscriptKind::Records | TranscriptKind::Reviews => annotation_file::reviews,
            };
            read(&declared.path, &root, annotations, &mut findings);
            for finding in findings {
                notes.push(finding);
            }
            notes.record(&notes.place(), 0, &[], &reader.take_repairs());
            notes.repeated(&notes.place(), 0, &reader.take_repeats());
        }
    }
}

fn records(path: &str, bytes: &[u8], into: &mut Vec<Transcript>, notes: &mut Notes<'_>) -> Result<(), Fault> {
    let mut intern = Interner::default();
    let mut reader = Reader::new(bytes);
    let mut found = false;
    reader.begin_object()?;
    let mut keys = Keys::default();
    let before = into.len();
    while let Some(key) = reader.next_member(&mut keys)? {
        notes.repeated(&notes.place(), 0, &reader.take_repeats());
        if key != "results" {
            reader.skip()?;
            continue;
        }
        // Of two lists the last counts, as it does in Python.
        into.truncate(before);
        found = true;
        reader.begin_list()?;
        let mut position = 0;
        while reader.next_item()? {
            reader.kind()?;
            let byte = reader.position();
            let Stored { record, texts, origin, faults, unknown, .. } =
                wire::record(&mut reader, &mut intern, TextsWanted::All)?;
            let place = notes.place().with_record(position);
            notes.record(&place, 0, &faults, &reader.take_repairs());
            notes.repeated(&place, 0, &reader.take_repeats());
            notes.unknown(unknown);
            let record = record.and_then(|record| match run_key(&origin) {
                Some(key) => Ok((key, record)),
                None => Err("it does not say its exp_id and model".to_owned()),
            });
            match record {
                Err(reason) => notes.push(Finding::new("bad-record", place.with_byte(byte), reason)),
                Ok((key, record)) => {
                    let texts = texts.into_iter().map(AttemptText::into_owned).collect();
                    into.push(Transcript { path: path.to_owned(), position, key, record, texts });
                }
            }
            position += 1;
        }
    }
    if !found {
        notes.say("bad-run", "there is no list \"results\"");
    }
    reader.end()
}

fn run_key(origin: &Origin) -> Option<RunKey> {
    Some(RunKey {
        experiment: ExperimentId::from(origin.experiment.clone()?),
        configuration: ConfigKey::from(origin.configuration.clone()?),
        run: origin.run.and_then(|run| u32::try_from(run).ok()).unwrap_or(1),
    })
}
