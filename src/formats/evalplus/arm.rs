//! One results file: verdicts of both test suites, programs, and stored pass@k.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::human_eval::attempt;
use super::super::open::{Broken, Steps, document};
use super::super::passk;
use super::super::sink::{Request, Sink};
use crate::archive::{AttemptText, Denominator, Record, RunKey, Scale, Status, StoredSummary, Verdict};
use crate::corpus::Assembly;
use crate::digest::Digest;
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Fault, Kind, Reader, Repair, Value};
use crate::report::{Finding, Place};
use crate::study::{EstimatorKind, Experiment, FilePart};

/// Words for a verdict, of all versions.
fn status(word: &str) -> Option<Status> {
    Some(match word {
        "pass" | "passed" | "success" => Status::Pass,
        "fail" | "failed" => Status::Fail,
        "timeout" | "timed out" => Status::Timeout,
        _ => return None,
    })
}

/// One results file while it is read.
pub(super) struct Arm<'a> {
    pub(super) request: &'a Request<'a>,
    experiment: &'a Experiment,
    configuration: &'a ConfigKey,
    pub(super) path: &'a str,
    /// Digests of the programs beside their verdicts, by problem and sample, for comparison with a samples file.
    pub(super) texts: BTreeMap<(String, u32), Digest>,
    /// The first thing that was repaired in the text; one is enough to tell.
    repaired: Option<Repair>,
}

/// Verdicts of the old schema, by problem in sample order.
pub(super) type Verdicts = BTreeMap<String, Vec<[Option<Status>; 2]>>;

/// A sample of the new schema as it is stored.
#[derive(Default)]
struct Stored {
    /// Words of the base and the extended tests.
    marks: [Option<String>; 2],
    text: Option<(String, Assembly)>,
    /// Problem that the sample says it is of.
    named: Option<String>,
}

impl Stored {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut stored = Self::default();
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            match (&*key, reader.kind()?) {
                ("base_status" | "status", Kind::Text) => stored.marks[0] = Some(reader.text()?.into_owned()),
                ("plus_status", Kind::Text) => stored.marks[1] = Some(reader.text()?.into_owned()),
                ("solution", Kind::Text) => stored.text = Some((reader.text()?.into_owned(), Assembly::WholeFile)),
                ("completion", Kind::Text) => stored.text = Some((reader.text()?.into_owned(), Assembly::Body)),
                ("task_id", Kind::Text) => stored.named = Some(reader.text()?.into_owned()),
                _ => {
                    reader.skip()?;
                }
            }
        }
        Ok(stored)
    }
}

impl<'a> Arm<'a> {
    /// Nothing is read yet.
    pub(super) fn new(
        request: &'a Request<'a>,
        experiment: &'a Experiment,
        configuration: &'a ConfigKey,
        path: &'a str,
    ) -> Self {
        Self { request, experiment, configuration, path, texts: BTreeMap::new(), repaired: None }
    }

    /// Reads the file, and the samples file that belongs to it.
    pub(super) fn read(mut self, samples: Option<&FilePart>, sink: &mut dyn Sink) {
        let mut steps = match Steps::open(self.request.source, self.path) {
            Ok(steps) => steps,
            Err(finding) => return sink.finding(finding),
        };
        let mut old = Verdicts::new();
        let result = self.document(&mut steps, &mut old, sink);
        if let Some(repair) = &self.repaired {
            sink.finding(Finding::repaired(Place::file(self.path), repair));
        }
        match result {
            Ok(()) => {}
            Err(Broken::File(finding)) => sink.finding(finding),
            Err(Broken::Text(fault)) => {
                sink.finding(Finding::torn(Place::file(self.path), &fault, "the samples before it were used"));
            }
        }
        if let Some((digest, bytes)) = steps.finish() {
            sink.file(self.path, digest, bytes);
        }
        match samples {
            Some(samples) if !old.is_empty() => self.joined(samples, &old, sink),
            Some(samples) => self.compared(samples, sink),
            None => {
                for (id, verdicts) in old {
                    let place = Place::file(self.path).with_subject(id.as_str());
                    verdicts.iter().for_each(|&marks| self.emit(&id, marks, None, place.clone(), sink));
                }
            }
        }
    }

    fn document(&mut self, steps: &mut Steps<'_>, old: &mut Verdicts, sink: &mut dyn Sink) -> Result<(), Broken> {
        steps.step(|reader, _| reader.begin_object())?;
        while let Some(key) = next_key(steps)? {
            match (key.as_str(), steps.step(|reader, _| reader.kind())?) {
                ("eval", Kind::Object) => {
                    steps.step(|reader, _| reader.begin_object())?;
                    while let Some(id) = next_key(steps)? {
                        match steps.step(|reader, _| reader.kind())? {
                            Kind::List => self.task(&id, steps, sink)?,
                            Kind::Object => self.old_task(&id, steps, old, sink)?,
                            _ => {
                                steps.step(|reader, _| reader.skip().map(drop))?;
                                let place = Place::file(self.path).with_subject(id);
                                sink.finding(Finding::new("bad-record", place, "its verdicts are no list"));
                            }
                        }
                    }
                }
                ("pass_at_k", Kind::Object) => {
                    let stored = steps.step(|reader, _| reader.value())?;
                    self.summaries(&stored, sink);
                }
                _ => steps.step(|reader, _| reader.skip().map(drop))?,
            }
        }
        steps.step(|reader, _| reader.end())
    }

    /// Samples of a problem in the new schema.
    fn task(&mut self, id: &str, steps: &mut Steps<'_>, sink: &mut dyn Sink) -> Result<(), Broken> {
        steps.step(|reader, _| reader.begin_list())?;
        let sample = |reader: &mut Reader<'_>, base: usize| {
            if !reader.next_item()? {
                return Ok(None);
            }
            let object = reader.kind()? == Kind::Object;
            let byte = base + reader.position();
            let stored = if object { Some(Stored::read(reader)?) } else { reader.skip().map(|_| None)? };
            Ok(Some((byte, stored, reader.take_repairs())))
        };
        while let Some((byte, stored, repairs)) = steps.step(sample)? {
            let place = Place::file(self.path).with_subject(id).with_byte(byte);
            if self.repaired.is_none() {
                self.repaired = repairs.into_iter().next();
            }
            let Some(Stored { marks: [base, plus], text, named }) = stored else {
                sink.finding(Finding::new("bad-record", place, "a sample is no object"));
                continue;
            };
            if let Some(named) = named.filter(|named| named != id) {
                let message = format!("the sample says of itself that it is of {named}; the key is used");
                sink.finding(Finding::new("identity-differs", place.clone(), message));
            }
            let mut mark = |word: Option<String>| word.and_then(|word| self.word(&word, &place, sink));
            let marks = [mark(base), mark(plus)];
            self.emit(id, marks, text.as_ref().map(|(text, assembly)| (&**text, *assembly)), place, sink);
        }
        Ok(())
    }

    /// Verdicts of a problem in the old schema.
    fn old_task(&self, id: &str, steps: &mut Steps<'_>, old: &mut Verdicts, sink: &mut dyn Sink) -> Result<(), Broken> {
        let place = Place::file(self.path).with_subject(id);
        let stored = steps.step(|reader, _| reader.value())?;
        let list = |name: &str| stored.get(name).and_then(Value::as_list).unwrap_or_default();
        let mut word = |value: Option<&Value>| {
            let text = value.and_then(|value| value.as_text().or_else(|| value.as_list()?.first()?.as_text()))?;
            self.word(text, &place, sink)
        };
        let (base, plus) = (list("base"), list("plus"));
        let marks: Vec<_> =
            (0..base.len().max(plus.len())).map(|at| [word(base.get(at)), word(plus.get(at))]).collect();
        let stated = stored.get("nfiles").and_then(Value::as_number).and_then(crate::json::Number::as_u64);
        if stated.is_some_and(|stated| stated != marks.len() as u64) {
            let message = format!("nfiles is {}, and {} verdicts are there", stated.unwrap_or_default(), marks.len());
            sink.finding(Finding::new("metrics-differ", place, message));
        }
        old.insert(id.to_owned(), marks);
        Ok(())
    }

    fn word(&self, word: &str, place: &Place, sink: &mut dyn Sink) -> Option<Status> {
        let status = status(word);
        if status.is_none() {
            let message = format!("{word:?} is no verdict that EvalPlus writes");
            sink.finding(Finding::new("bad-member", place.clone(), message));
        }
        status
    }

    pub(super) fn emit(
        &mut self,
        id: &str,
        [base, plus]: [Option<Status>; 2],
        text: Option<(&str, Assembly)>,
        place: Place,
        sink: &mut dyn Sink,
    ) {
        let sample = sink.sample(&self.experiment.id, self.configuration, id);
        let mut record = Record { sample, ..Record::blank(ProblemId::from(id)) };
        let verdict =
            |judge: &str, status, inferred| Verdict { judge: judge.into(), environment: None, status, inferred };
        let base = base.unwrap_or(Status::NotGraded);
        record.passed = base.passed();
        record.verdicts.push(verdict("base", base, false));
        // A sample that fails the base tests fails both, whatever the extended ones say.
        let (both, inferred) = match (base, plus) {
            (Status::Pass, plus) => (plus.unwrap_or(Status::NotGraded), false),
            (Status::NotGraded, _) => (Status::NotGraded, false),
            (base, plus) => (base, plus.is_none_or(|plus| plus == Status::Pass)),
        };
        if self.request.study.judges.iter().any(|judge| judge.id == "plus") {
            record.verdicts.push(verdict("plus", both, inferred));
        }
        record.assembly = text.map(|(_, assembly)| assembly);
        record.attempts = text.map(|(text, _)| vec![attempt(text, record.passed)]);
        if let Some((text, _)) = text {
            self.texts.insert((id.to_owned(), sample), Digest::of(text.as_bytes()));
        }
        let texts: Vec<AttemptText<'_>> =
            text.map(|(text, _)| AttemptText { response: text.into(), ..AttemptText::default() }).into_iter().collect();
        let (experiment, configuration) = (self.experiment.id.clone(), self.configuration.clone());
        sink.record(RunKey { experiment, configuration, run: sample + 1 }, record, &texts, place);
    }

    /// Stored pass@k of a file of its own, which knows one suite.
    pub(super) fn stated(&self, sink: &mut dyn Sink) {
        match document(self.request.source, self.path) {
            Err(finding) => sink.finding(finding),
            Ok(document) => {
                sink.file(self.path, document.digest, document.size);
                match Reader::new(&document.bytes).value() {
                    Ok(stored) => self.summaries(&stored, sink),
                    Err(fault) => sink.finding(Finding::torn(Place::file(self.path), &fault, "nothing of it was used")),
                }
            }
        }
    }

    /// `pass_at_k: {base: {"pass@1": x}, plus: {...}}`, which later versions write; `{"pass@1": x}` where there is one suite.
    fn summaries(&self, stored: &Value, sink: &mut dyn Sink) {
        for judge in ["base", "plus"] {
            let whole = stored.as_object().filter(|_| judge == "base" && stored.get(judge).is_none());
            let members = stored.get(judge).and_then(Value::as_object).or(whole);
            for (name, value) in members.into_iter().flat_map(crate::json::Object::iter) {
                let (Some(k), Some(number)) = (passk::k_of(name), value.as_number()) else { continue };
                sink.summary(StoredSummary {
                    metric: format!("{judge} {name}").into(),
                    estimator: EstimatorKind::PassAtK,
                    k: Some(k),
                    judge: Some(judge.into()),
                    experiment: self.experiment.id.clone(),
                    configuration: self.configuration.clone(),
                    run: None,
                    stratum: BTreeMap::new(),
                    denominator: Denominator::Recorded,
                    scale: Scale::Fraction,
                    value: number.as_f64(),
                    printed: Arc::from(number.literal()),
                    place: Place::file(self.path).with_subject(name),
                });
            }
        }
    }
}

fn next_key(steps: &mut Steps<'_>) -> Result<Option<String>, Broken> {
    steps.step(|reader, _| Ok(reader.next_key()?.map(std::borrow::Cow::into_owned)))
}
