//! The reading of a run file as bytes. Written is what run files can hold; a reading with anything else is not
//! remembered. Every member is named where it is written, so one that is added to records does not compile before
//! it stands here.

use std::sync::Arc;

use super::packed::{PackedReader, PackedWriter};
use crate::archive::hindrance::Hindrance;
use crate::archive::intern::Interner;
use crate::archive::plan::Planned;
use crate::archive::read::Reading;
use crate::archive::record::{Actual, Attempt, AttemptOutcome, Declared, Record, Run, SubAnswer, Usage};
use crate::archive::verdict::{Status, Verdict};
use crate::digest::Digest;
use crate::id::ProblemId;
use crate::report::{self, Finding, Place};

/// The bytes of a reading; `None` when it holds something that no run file says.
pub(super) fn write<T>(reading: &Reading<T>, measured: fn(&T, &mut PackedWriter)) -> Option<Vec<u8>> {
    let run = reading.run.as_ref()?;
    if run.records.len() != reading.measured.len() || !run.records.iter().all(is_plain) {
        return None;
    }
    let mut out = PackedWriter::default();
    declared(&mut out, &run.declared);
    out.number(run.bytes);
    out.list(run.records.iter().zip(&reading.measured), |out, (record, own)| {
        write_record(out, record);
        measured(own, out);
    });
    out.list(reading.literals.iter(), |out, ((id, at), digits)| {
        out.text(id.as_str());
        out.number(*at as u64);
        out.text(digits);
    });
    out.list(reading.findings.iter(), |out, Finding { severity: _, code, place, message }| {
        let Place { file, subject, record, byte, line } = place;
        out.text(code);
        out.text(message);
        for text in [file, subject] {
            out.option(text.as_deref(), PackedWriter::text);
        }
        for number in [record.map(|record| record as u64), *byte, *line] {
            out.option(number, PackedWriter::number);
        }
    });
    Some(out.finish())
}

/// The reading in the bytes; `None` when they are not whole.
pub(super) fn read<T>(
    bytes: &[u8],
    planned: &Planned,
    digest: Digest,
    intern: &mut Interner,
    measured: fn(&mut PackedReader<'_>) -> Option<T>,
) -> Option<Reading<T>> {
    let mut from = PackedReader::new(bytes, |text| intern.text(text))?;
    let declared = read_declared(&mut from)?;
    let bytes = from.number()?;
    let both = from.list(|from| Some((read_record(from, intern)?, measured(from)?)))?;
    let (records, measured) = both.into_iter().unzip();
    let literals = from.list(|from| {
        let key = (ProblemId::from(from.text()?), from.number()? as usize);
        Some((key, Box::from(&*from.text()?)))
    })?;
    let findings = from.list(|from| {
        let code = report::code(&from.text()?)?.code;
        let message = from.text()?.to_string();
        let mut text = || from.option(PackedReader::text).map(|text| text.map(|text| text.to_string()));
        let (file, subject) = (text()?, text()?);
        let record = from.option(PackedReader::number)?.map(|record| record as usize);
        let (byte, line) = (from.option(PackedReader::number)?, from.option(PackedReader::number)?);
        Some(Finding::new(code, Place { file, subject, record, byte, line }, message))
    })?;
    let run = Run { key: planned.key.clone(), path: planned.path.clone(), digest, bytes, declared, records };
    from.is_at_end().then_some(Reading { run: Some(run), measured, literals, findings })
}

/// True for a record that a run file can hold.
fn is_plain(record: &Record) -> bool {
    record.sample == 0
        && record.assembly.is_none()
        && record.again.is_empty()
        && (record.verdicts.is_empty() || record.verdicts == [not_graded()])
}

/// The one verdict that reading a run file adds.
fn not_graded() -> Verdict {
    Verdict { judge: "".into(), environment: None, status: Status::NotGraded, inferred: false }
}

fn declared(out: &mut PackedWriter, declared: &Declared) {
    let Declared { total, passed, failed, errors, accuracy, tolerance, model_id, system, provenance } = declared;
    for count in [total, passed, failed, errors] {
        out.option(*count, PackedWriter::number);
    }
    for real in [accuracy, tolerance] {
        out.option(*real, PackedWriter::real);
    }
    for text in [model_id, system, provenance] {
        out.option(text.as_deref(), PackedWriter::text);
    }
}

fn read_declared(from: &mut PackedReader<'_>) -> Option<Declared> {
    let [total, passed, failed, errors] = [(); 4].map(|()| from.option(PackedReader::number));
    let [accuracy, tolerance] = [(); 2].map(|()| from.option(PackedReader::real));
    let [model_id, system, provenance] =
        [(); 3].map(|()| from.option(PackedReader::text).map(|text| text.map(|text| text.to_string())));
    Some(Declared {
        total: total?,
        passed: passed?,
        failed: failed?,
        errors: errors?,
        accuracy: accuracy?,
        tolerance: tolerance?,
        model_id: model_id?,
        system: system?,
        provenance: provenance?,
    })
}

fn write_record(out: &mut PackedWriter, record: &Record) {
    let Record {
        id,
        sample: _,
        passed,
        verdicts,
        score,
        labels,
        assembly: _,
        again: _,
        details,
        details_from,
        num_attempts,
        failed_reason,
        error,
        error_as_fail,
        regraded,
        usage,
        legacy_tokens,
        note,
        attempts,
    } = record;
    out.text(id.as_str());
    out.option(*passed, PackedWriter::flag);
    out.flag(!verdicts.is_empty());
    out.option(*score, PackedWriter::real);
    out.list(labels.iter(), |out, (label, value)| {
        out.text(label);
        out.text(value);
    });
    out.option(details.as_ref(), |out, details| out.list(details.iter(), write_detail));
    for text in [details_from, failed_reason, error, note] {
        out.option(text.as_deref(), PackedWriter::text);
    }
    out.option(num_attempts.map(u64::from), PackedWriter::number);
    out.flag(*error_as_fail);
    out.list(regraded.iter(), |out, (sub, value)| {
        out.text(sub);
        out.real(*value);
    });
    out.option(*usage, write_usage);
    out.option(*legacy_tokens, PackedWriter::number);
    out.option(attempts.as_ref(), |out, attempts| out.list(attempts.iter(), write_attempt));
}

fn read_record(from: &mut PackedReader<'_>, intern: &mut Interner) -> Option<Record> {
    let id = ProblemId::from(from.text()?);
    let passed = from.option(PackedReader::flag)?;
    let verdicts = if from.flag()? { vec![not_graded()] } else { Vec::new() };
    let score = from.option(PackedReader::real)?;
    let labels = from.list(|from| Some((from.text()?, from.text()?)))?.into_iter().collect();
    let details = from.option(|from| from.list(|from| read_detail(from, intern)))?;
    let [details_from, failed_reason, error, note] = [(); 4].map(|()| from.option(PackedReader::text));
    let num_attempts = match from.option(PackedReader::number)? {
        Some(number) => Some(u32::try_from(number).ok()?),
        None => None,
    };
    let error_as_fail = from.flag()?;
    let regraded = from.list(|from| Some((from.text()?, from.real()?)))?.into_iter().collect();
    let usage = from.option(read_usage)?;
    let legacy_tokens = from.option(PackedReader::number)?;
    let attempts = from.option(|from| from.list(read_attempt))?;
    Some(Record {
        passed,
        verdicts,
        score,
        labels,
        details,
        details_from: details_from?,
        num_attempts,
        failed_reason: failed_reason?,
        error: error?,
        error_as_fail,
        regraded,
        usage,
        legacy_tokens,
        note: note?,
        attempts,
        ..Record::blank(id)
    })
}

fn write_detail(out: &mut PackedWriter, detail: &SubAnswer) {
    let SubAnswer { sub, expected, expected_units, actual, actual_unit, passed } = detail;
    out.text(sub);
    out.list(expected.iter(), |out, text| out.text(text));
    out.option(expected_units.as_ref(), |out, units| out.list(units.iter(), |out, text| out.text(text)));
    match actual {
        Actual::Missing => out.number(0),
        Actual::Number(value) => {
            out.number(1);
            out.real(*value);
        }
        Actual::Text(text) => {
            out.number(2);
            out.text(text);
        }
    }
    out.option(actual_unit.as_deref(), PackedWriter::text);
    out.flag(*passed);
}

fn read_detail(from: &mut PackedReader<'_>, intern: &mut Interner) -> Option<SubAnswer> {
    let sub = from.text()?;
    let mut list = |from: &mut PackedReader<'_>| -> Option<Arc<[Arc<str>]>> {
        let texts = from.list(PackedReader::text)?;
        Some(intern.list(&texts))
    };
    let expected = list(from)?;
    let expected_units = from.option(list)?;
    let actual = match from.number()? {
        0 => Actual::Missing,
        1 => Actual::Number(from.real()?),
        2 => Actual::Text(from.text()?),
        _ => return None,
    };
    Some(SubAnswer {
        sub,
        expected,
        expected_units,
        actual,
        actual_unit: from.option(PackedReader::text)?,
        passed: from.flag()?,
    })
}

fn write_usage(out: &mut PackedWriter, usage: Usage) {
    let Usage { prompt, completion, reasoning, total } = usage;
    [prompt, completion, reasoning, total].into_iter().for_each(|count| out.number(count));
}

fn read_usage(from: &mut PackedReader<'_>) -> Option<Usage> {
    let [prompt, completion, reasoning, total] = [(); 4].map(|()| from.number());
    Some(Usage { prompt: prompt?, completion: completion?, reasoning: reasoning?, total: total? })
}

fn write_attempt(out: &mut PackedWriter, attempt: &Attempt) {
    let Attempt { outcome, usage, response_bytes, has_reasoning } = attempt;
    match outcome {
        AttemptOutcome::Graded => out.number(0),
        AttemptOutcome::Unknown => out.number(1),
        AttemptOutcome::Ungradable(reason, hindrance) => {
            out.number(2);
            out.text(reason);
            let place = Hindrance::ALL.iter().position(|known| known == hindrance);
            out.number(place.unwrap_or_default() as u64);
        }
    }
    out.option(*usage, write_usage);
    out.number(*response_bytes);
    out.flag(*has_reasoning);
}

fn read_attempt(from: &mut PackedReader<'_>) -> Option<Attempt> {
    let outcome = match from.number()? {
        0 => AttemptOutcome::Graded,
        1 => AttemptOutcome::Unknown,
        2 => AttemptOutcome::Ungradable(from.text()?, *Hindrance::ALL.get(usize::try_from(from.number()?).ok()?)?),
        _ => return None,
    };
    let usage = from.option(read_usage)?;
    Some(Attempt { outcome, usage, response_bytes: from.number()?, has_reasoning: from.flag()? })
}
