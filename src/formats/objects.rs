//! JSON lines, a value at a time: a broken line costs no other and is told with its place.

use super::open::Lines;
use super::sink::Sink;
use crate::json::{Object, Reader, Value};
use crate::report::{Finding, Place};
use crate::world::Source;

/// Hands each object of a file of JSON lines to `take`, with its place; what is no object is a finding.
pub(super) fn each(
    source: &dyn Source,
    path: &str,
    sink: &mut dyn Sink,
    take: &mut dyn FnMut(Object, Place, &mut dyn Sink),
) {
    values(source, path, sink, &mut |value, place, sink| match value {
        Value::Object(object) => take(object, place, sink),
        _ => sink.finding(Finding::new("bad-record", place, "the line is no JSON object")),
    });
}

/// Hands each value of a file of JSON lines to `take`, with its place.
pub(super) fn values(
    source: &dyn Source,
    path: &str,
    sink: &mut dyn Sink,
    take: &mut dyn FnMut(Value, Place, &mut dyn Sink),
) {
    let mut lines = match Lines::open(source, path) {
        Ok(lines) => lines,
        Err(finding) => return sink.finding(finding),
    };
    let mut position = 0;
    while let Some(line) = lines.next() {
        let place = Place::file(path).with_line(line.number).with_record(position);
        position += 1;
        let mut reader = Reader::new(line.bytes);
        let value = reader.value().and_then(|value| reader.end().map(|()| value));
        for (at, repair) in reader.take_repairs().iter().enumerate() {
            // One finding per kind of damage is enough for a line.
            if at == 0 || repair.is_encoding() {
                let repair = crate::json::Repair { byte: line.byte + repair.byte, ..repair.clone() };
                sink.finding(Finding::repaired(place.clone(), &repair));
            }
        }
        match value {
            Ok(value) => take(value, place.with_byte(line.byte), sink),
            Err(fault) => {
                let place = place.with_byte(line.byte + fault.byte);
                if fault.end && !line.whole {
                    let message = format!("{}; the {} records before it were used", fault.what, position - 1);
                    sink.finding(Finding::new("torn-file", place, message));
                } else {
                    sink.finding(Finding::new("bad-record", place, fault.what));
                }
            }
        }
    }
    let (stored, broken) = lines.finish();
    if let Some(finding) = broken {
        sink.finding(finding);
    }
    if let Some((digest, bytes)) = stored {
        sink.file(path, digest, bytes);
    }
}

/// The first of some members that is there and not null.
pub(super) fn first<'o>(object: &'o Object, names: &[&str]) -> Option<&'o Value> {
    names.iter().find_map(|name| object.get(name)).filter(|value| !value.is_null())
}

/// An id as text: a text, or a number as it is written.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.literal().to_owned()),
        _ => None,
    }
}

/// A text cut to what a record keeps of it.
pub(super) fn excerpt(text: &str) -> std::sync::Arc<str> {
    let end = text.char_indices().nth(300).map_or(text.len(), |(at, _)| at);
    text[..end].into()
}
