//! Option answers: one line of JSON per problem with a score; 1 is right.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::intern::Interner;
use super::notes::Notes;
use super::plan::Planned;
use super::read::{Measure, Reading};
use super::record::{Attempt, AttemptOutcome, AttemptText, Declared, Record, Run};
use super::run_file::duplicate;
use crate::digest::Digest;
use crate::id::ProblemId;
use crate::json::{Fault, Keys, Kind, Reader, Repair, Repeat, foreign_encoding};
use crate::report::Finding;
use crate::world::Source;

/// Reads one file of option answers. Lines stand alone: a broken one costs no other.
pub(super) fn read<T>(
    source: &dyn Source,
    planned: &Planned,
    intern: &mut Interner,
    measure: Measure<'_, T>,
) -> Reading<T> {
    let mut notes = Notes::new(&planned.path);
    let bytes = match source.read(&planned.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            notes.push(Finding::unread(notes.place(), &error));
            return Reading::nothing(notes.finish());
        }
    };
    if bytes.is_empty() {
        notes.say("empty-file", "the option answers hold no bytes");
        return Reading::nothing(notes.finish());
    }
    if let Some(fault) = foreign_encoding(&bytes) {
        notes.push(Finding::new("not-utf8", notes.place().with_byte(fault.byte), fault.what));
        return Reading::nothing(notes.finish());
    }
    if !planned.declared {
        notes.say("unexpected-run", format!("{} is not declared for this experiment", planned.key.configuration));
    }
    let mut records: Vec<(Record, T)> = Vec::new();
    let mut seen: BTreeMap<ProblemId, (usize, Option<bool>)> = BTreeMap::new();
    let mut position = 0;
    let mut provenance: Option<String> = None;
    for (number, begin, text) in lines(&bytes) {
        let place = notes.place().with_record(position).with_line(number);
        position += 1;
        let (line, repairs, repeats) = match line(text, intern) {
            Ok(read) => read,
            Err(fault) => {
                notes.push(Finding::new("bad-record", place.with_byte(begin + fault.byte), fault.what));
                continue;
            }
        };
        if let Some(text) = &line.provenance {
            provenance.get_or_insert_with(|| text.to_string());
        }
        let Some(id) = line.id else {
            notes.push(Finding::new("bad-record", place.with_byte(begin), "it has no id that is a text"));
            continue;
        };
        let place = place.with_subject(id.as_str());
        notes.record(&place, begin, &[], &repairs);
        notes.repeated(&place, begin, &repeats);
        if line.right.is_none() {
            notes.push(Finding::new("bad-member", place.clone().with_byte(begin), "score is not a number"));
        }
        if let Some(first) = seen.get(&id) {
            notes.push(Finding::new("duplicate-id", place.with_byte(begin), duplicate(*first, line.right)));
            continue;
        }
        seen.insert(id.clone(), (position - 1, line.right));
        let record = Record {
            passed: line.right,
            attempts: line.response.as_deref().map(|response| vec![attempt(response)]),
            ..Record::blank(id)
        };
        let texts: Vec<_> =
            line.response.map(|response| AttemptText { response, ..AttemptText::default() }).into_iter().collect();
        let measured = measure(&planned.key, &record, &texts);
        records.push((record, measured));
    }
    records.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    let (records, measured) = records.into_iter().unzip();
    let run = Run {
        key: planned.key.clone(),
        path: planned.path.clone(),
        digest: Digest::of(&bytes),
        bytes: bytes.len() as u64,
        declared: Declared { provenance, ..Declared::default() },
        records,
    };
    Reading { run: Some(run), measured, literals: Vec::new(), findings: notes.finish() }
}

/// Lines that hold something, with their number from 1 and their offset.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, usize, &[u8])> {
    let skip = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut offset = skip;
    bytes[skip..].split(|byte| *byte == b'\n').enumerate().filter_map(move |(number, line)| {
        let begin = offset;
        offset += line.len() + 1;
        (!line.trim_ascii().is_empty()).then_some((number + 1, begin, line))
    })
}

fn attempt(response: &str) -> Attempt {
    Attempt {
        outcome: AttemptOutcome::Graded,
        usage: None,
        response_bytes: response.len() as u64,
        has_reasoning: false,
    }
}

struct Line<'a> {
    id: Option<ProblemId>,
    /// `None` when there is no score.
    right: Option<bool>,
    response: Option<Cow<'a, str>>,
    provenance: Option<Cow<'a, str>>,
}

fn line<'a>(text: &'a [u8], intern: &mut Interner) -> Result<(Line<'a>, Vec<Repair>, Vec<Repeat>), Fault> {
    let mut reader = Reader::new(text);
    let mut line = Line { id: None, right: None, response: None, provenance: None };
    reader.begin_object()?;
    let mut keys = Keys::default();
    while let Some(key) = reader.next_member(&mut keys)? {
        match (&*key, reader.kind()?) {
            ("id", Kind::Text) => line.id = Some(ProblemId::from(intern.text(&reader.text()?))),
            ("score", Kind::Number) => line.right = Some(reader.number()?.as_f64() == 1.0),
            ("score", Kind::Bool) => line.right = Some(reader.boolean()?),
            ("response", Kind::Text) => line.response = Some(reader.text()?),
            ("provenance", Kind::Text) => line.provenance = Some(reader.text()?),
            _ => {
                reader.skip()?;
            }
        }
    }
    reader.end()?;
    Ok((line, reader.take_repairs(), reader.take_repeats()))
}
