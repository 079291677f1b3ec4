//! Streaming a run file: `{"metrics": {...}, "results": [...]}`, the members in any order.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::intern::Interner;
use super::notes::Notes;
use super::plan::{Planned, configuration};
use super::read::{Measure, Reading};
use super::record::{Declared, Record, Run, TextsWanted};
use super::verdict::{Status, Verdict};
use super::wire;
use crate::id::ProblemId;
use crate::json::{Keys, Number, Repeat, Value};
use crate::report::{Finding, Place};
use crate::study::Study;
use crate::world::{Source, Stop, Tee, Window};

/// The piece of a run file that is being read, with the digest of all that passed.
type Piece<'s> = Window<Tee<Box<dyn Read + Send + 's>>>;

/// What one file brought.
struct Gathered<T> {
    texts: TextsWanted,
    metrics: Option<Value>,
    has_results: bool,
    records: Vec<(Record, T)>,
    literals: Vec<((ProblemId, usize), Box<str>)>,
    /// Position and verdict of the first record of each id.
    seen: BTreeMap<ProblemId, (usize, Option<bool>)>,
    /// Position of the next record.
    position: usize,
}

impl<T> Gathered<T> {
    /// Begins a list of records, forgetting an earlier one.
    fn restart(&mut self) {
        self.has_results = true;
        self.records.clear();
        self.literals.clear();
        self.seen.clear();
        self.position = 0;
    }
}

/// Reads one run file.
pub(super) fn read<T>(
    source: &dyn Source,
    study: &Study,
    planned: &Planned,
    texts: TextsWanted,
    intern: &mut Interner,
    measure: Measure<'_, T>,
) -> Reading<T> {
    let mut notes = Notes::new(&planned.path);
    let Some(mut window) = open(source, planned, &mut notes) else {
        return Reading::nothing(notes.finish());
    };
    let mut gathered = Gathered {
        texts,
        metrics: None,
        has_results: false,
        records: Vec::new(),
        literals: Vec::new(),
        seen: BTreeMap::new(),
        position: 0,
    };
    match members(&mut window, planned, intern, measure, &mut gathered, &mut notes) {
        Ok(()) => {}
        Err(Stop::Fault(fault)) => notes.torn(gathered.position, &fault),
        Err(Stop::Io(error)) => notes.push(Finding::unread(notes.place(), &error)),
    }
    if !gathered.has_results && gathered.metrics.is_none() && !planned.declared {
        notes.clear();
        notes.say("not-a-run", "it has neither metrics nor results");
        return Reading::nothing(notes.finish());
    }
    finish(gathered, window, study, planned, notes)
}

/// Opens a run; what stops that is said.
fn open<'s>(source: &'s dyn Source, planned: &Planned, notes: &mut Notes<'_>) -> Option<Piece<'s>> {
    let opened = source.open(&planned.path).map_err(Stop::Io).and_then(|input| Window::new(Tee::new(input)));
    match opened {
        Ok(window) if window.is_empty() => notes.say("empty-file", "the run holds no bytes"),
        Ok(window) => return Some(window),
        Err(Stop::Io(error)) => notes.push(Finding::unread(notes.place(), &error)),
        Err(Stop::Fault(fault)) => {
            notes.push(Finding::new("not-utf8", notes.place().with_byte(fault.byte), fault.what));
        }
    }
    None
}

/// Puts the run together.
fn finish<T>(
    mut gathered: Gathered<T>,
    window: Piece<'_>,
    study: &Study,
    planned: &Planned,
    mut notes: Notes<'_>,
) -> Reading<T> {
    let mut tee = window.into_inner();
    // That a file cannot be read to its end has been told; its digest is then that of what was read.
    let _ = io::copy(&mut tee, &mut io::sink());
    let (digest, bytes) = tee.so_far();
    if !gathered.has_results {
        notes.say("bad-run", "there is no list \"results\"");
    }
    if !planned.declared {
        let message = format!("run {} of {} is not declared", planned.key.run, planned.key.configuration);
        notes.say("unexpected-run", message);
    }
    let metrics = gathered.metrics.unwrap_or(Value::Null);
    identity(&metrics, planned, study, &mut notes);
    gathered.records.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    let (mut records, measured): (Vec<Record>, Vec<T>) = gathered.records.into_iter().unzip();
    if let Some(message) = unjudged(&mut records) {
        notes.say("not-recorded", message);
    }
    let run = Run {
        key: planned.key.clone(),
        path: planned.path.clone(),
        digest,
        bytes,
        declared: declared(&metrics),
        records,
    };
    Reading { run: Some(run), measured, literals: gathered.literals, findings: notes.finish() }
}

/// A run in which nobody judged anything is one of answers: its records say so and enter no rate. A single verdict that
/// is missing among others is a fault instead, and counts as a failure.
fn unjudged(records: &mut [Record]) -> Option<String> {
    let open = |record: &Record| record.passed.is_none() && record.error.is_none() && record.details.is_none();
    if records.is_empty() || !records.iter().all(open) {
        return None;
    }
    for record in records.iter_mut() {
        let (judge, status) = ("".into(), Status::NotGraded);
        record.verdicts.push(Verdict { judge, environment: None, status, inferred: false });
    }
    Some(format!("none of the {} records has a verdict; they enter no rate", records.len()))
}

fn members<T>(
    window: &mut Piece<'_>,
    planned: &Planned,
    intern: &mut Interner,
    measure: Measure<'_, T>,
    gathered: &mut Gathered<T>,
    notes: &mut Notes<'_>,
) -> Result<(), Stop> {
    window.step(|reader, _| reader.begin_object())?;
    let mut keys = Keys::default();
    let next = |window: &mut Piece<'_>| {
        window.step(|reader, base| Ok(reader.next_key()?.map(|key| (key.into_owned(), base + reader.position()))))
    };
    while let Some((key, byte)) = next(window)? {
        if keys.add(key.clone().into()) {
            notes.repeated(&Place::file(&planned.path), 0, &[Repeat { byte, key: key.clone() }]);
        }
        match key.as_str() {
            "metrics" => {
                let (metrics, base, repeats) =
                    window.step(|reader, base| Ok((reader.value()?, base, reader.take_repeats())))?;
                notes.repeated(&Place::file(&planned.path).with_subject("metrics"), base, &repeats);
                gathered.metrics = Some(metrics);
            }
            "results" => {
                window.step(|reader, _| reader.begin_list())?;
                // Of two lists the last counts, as it did for the study's programs.
                gathered.restart();
                while record(window, planned, intern, measure, gathered, notes)? {
                    gathered.position += 1;
                }
            }
            _ => {
                window.step(|reader, _| reader.skip().map(drop))?;
                notes.unknown(vec![key]);
            }
        }
    }
    window.step(|reader, _| reader.end())
}

/// Reads the next record; false at the end of the list.
fn record<T>(
    window: &mut Piece<'_>,
    planned: &Planned,
    intern: &mut Interner,
    measure: Measure<'_, T>,
    gathered: &mut Gathered<T>,
    notes: &mut Notes<'_>,
) -> Result<bool, Stop> {
    let (seen, texts) = (&gathered.seen, gathered.texts);
    let step = window.step(|reader, base| {
        if !reader.next_item()? {
            return Ok(None);
        }
        reader.kind()?;
        let begin = base + reader.position();
        let stored = wire::record(reader, intern, texts)?;
        // The texts live only here; a record that is not used is not measured.
        let measured = match &stored.record {
            Ok(record) if !seen.contains_key(&record.id) => Some(measure(&planned.key, record, &stored.texts)),
            _ => None,
        };
        let rest = (stored.literals, stored.faults, stored.unknown);
        Ok(Some((begin, base, stored.record, measured, rest, (reader.take_repairs(), reader.take_repeats()))))
    })?;
    let Some((begin, base, record, measured, (literals, faults, unknown), (repairs, repeats))) = step else {
        return Ok(false);
    };
    // Most records have nothing to say; only the others need a place.
    let position = gathered.position;
    let here = || Place::file(&planned.path).with_record(position);
    let place = |record: &Record| here().with_subject(record.id.as_str());
    if !(faults.is_empty() && repairs.is_empty() && repeats.is_empty()) {
        let place = record.as_ref().map_or_else(|_| here(), place);
        notes.record(&place, base, &faults, &repairs);
        notes.repeated(&place, base, &repeats);
    }
    notes.unknown(unknown);
    match (record, measured) {
        (Err(reason), _) => notes.push(Finding::new("bad-record", here().with_byte(begin), reason)),
        (Ok(record), None) => {
            let first = gathered.seen.get(&record.id).copied().unwrap_or_default();
            let message = duplicate(first, record.passed);
            notes.push(Finding::new("duplicate-id", place(&record).with_byte(begin), message));
        }
        (Ok(record), Some(measured)) => {
            gathered.seen.insert(record.id.clone(), (gathered.position, record.passed));
            gathered.literals.extend(literals.into_iter().map(|(at, digits)| ((record.id.clone(), at), digits)));
            gathered.records.push((record, measured));
        }
    }
    Ok(true)
}

/// What is said of a repeated id: the rule and both verdicts.
pub(super) fn duplicate(first: (usize, Option<bool>), again: Option<bool>) -> String {
    let verdict = |passed: Option<bool>| match passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "without a verdict",
    };
    format!("record {} ({}) is used, this one ({}) is not", first.0, verdict(first.1), verdict(again))
}

/// Compares what the file says of itself with what its path says.
fn identity(metrics: &Value, planned: &Planned, study: &Study, notes: &mut Notes<'_>) {
    let key = &planned.key;
    let text = |member: &str| metrics.get(member).and_then(Value::as_text);
    if let Some(model) = text("model") {
        let known = configuration(model, study).map_or(model, crate::id::ConfigKey::as_str);
        if known != key.configuration.as_str() {
            notes.say(
                "identity-differs",
                format!("its metrics name the configuration {model:?}, its path {}", key.configuration),
            );
        }
    }
    if let Some(experiment) = text("exp_id").filter(|id| *id != key.experiment.as_str()) {
        notes.say(
            "identity-differs",
            format!("its metrics name the experiment {experiment:?}, its path {}", key.experiment),
        );
    }
    let run = metrics.get("run").and_then(Value::as_number).map(Number::as_f64);
    if let Some(run) = run.filter(|run| *run != f64::from(key.run)) {
        notes.say("identity-differs", format!("its metrics name run {run}, its path run {}", key.run));
    }
}

fn declared(metrics: &Value) -> Declared {
    let count = |member: &str| metrics.get(member).and_then(Value::as_number).and_then(Number::as_u64);
    let real = |member: &str| metrics.get(member).and_then(Value::as_f64);
    let text = |member: &str| metrics.get(member).and_then(Value::as_text).map(str::to_owned);
    Declared {
        total: count("total"),
        passed: count("passed"),
        failed: count("failed"),
        errors: count("errors"),
        accuracy: real("accuracy"),
        tolerance: real("tolerance"),
        model_id: text("model_id"),
        system: text("system"),
        provenance: text("provenance"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::State;

    #[test]
    fn a_run_that_nobody_judged_enters_no_rate_and_a_missing_verdict_among_others_fails() {
        let mut records = vec![Record::blank("a".into()), Record::blank("b".into())];
        assert!(unjudged(&mut records).is_some_and(|message| message.contains("none of the 2 records")));
        assert!(records.iter().all(|record| record.state() == State::Excluded));
        let right = Record { passed: Some(true), ..Record::blank("a".into()) };
        let mut mixed = vec![right, Record::blank("b".into())];
        assert_eq!(unjudged(&mut mixed), None);
        assert_eq!(mixed[1].state(), State::Fail);
    }
}
