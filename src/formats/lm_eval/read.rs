//! From samples to records, and the numbers of the results files counted again where their samples are there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::results::{Results, Task, judge, results};
use super::samples::{Sample, exact_match, options, sample};
use super::{NUMBERS, RESULTS, SAMPLES};
use crate::archive::{Again, Attempt, AttemptOutcome, AttemptText, Coverage, Record, Recount, RunKey, Status, Verdict};
use crate::corpus::{Assembly, Problem};
use crate::formats::items::{self, Item};
use crate::formats::{Lines, Request, Sink};
use crate::id::{ConfigKey, ExperimentId, ProblemId};
use crate::json::{Object, Reader, Value};
use crate::report::{Finding, Place};
use crate::study::Experiment;

/// A results file with the configurations of its tasks.
struct File {
    results: Results,
    configs: BTreeMap<String, Value>,
}

/// Sum and number of the values of a metric under a filter.
type Sums = BTreeMap<String, (Vec<f64>, usize)>;

/// What the samples of one arm come to.
#[derive(Default)]
struct Arm {
    sums: Sums,
    documents: usize,
    /// A samples file was declared, whether or not it could be read.
    promised: bool,
}

/// Reads all experiments; a results file is read once.
pub(super) fn read(request: &Request<'_>, sink: &mut dyn Sink) {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for experiment in &request.experiments {
        for part in experiment.files.iter().filter(|part| matches!(part.role.as_deref(), Some(RESULTS | NUMBERS))) {
            if !files.contains_key(&part.path) {
                let file = open(request, &part.path, sink);
                files.insert(part.path.clone(), file);
            }
        }
    }
    let mut bare: BTreeMap<&str, usize> = BTreeMap::new();
    let sampled: BTreeSet<&str> = request.study.experiments.iter().map(|experiment| experiment.id.as_str()).collect();
    for experiment in &request.experiments {
        let mut arms: BTreeMap<&ConfigKey, Arm> = BTreeMap::new();
        let mut told = BTreeSet::new();
        for part in experiment.files.iter().filter(|part| part.role.as_deref() == Some(SAMPLES)) {
            let Some(key) = part.configuration.as_ref().filter(|key| request.wants(&experiment.id, key)) else {
                continue;
            };
            let config = experiment
                .files
                .iter()
                .filter(|other| other.configuration.as_ref() == Some(key))
                .find_map(|other| files.get(&other.path)?.configs.get(experiment.id.as_str()));
            let arm = arms.entry(key).or_default();
            arm.promised = true;
            lines(request, experiment, key, &part.path, config, arm, &mut told, sink);
        }
        for part in experiment.files.iter().filter(|part| part.role.as_deref() == Some(RESULTS)) {
            let Some(key) = part.configuration.as_ref().filter(|key| request.wants(&experiment.id, key)) else {
                continue;
            };
            let Some(task) = files.get(&part.path).and_then(|file| file.results.tasks.get(experiment.id.as_str()))
            else {
                continue;
            };
            let empty = Arm::default();
            let arm = arms.get(key).unwrap_or(&empty);
            let context = Context { task: experiment.id.clone(), key, path: &part.path };
            context.recounts(task, arm, sink);
            context.coverage(task, arm, sink);
            if !arm.promised && !task.group {
                *bare.entry(part.path.as_str()).or_default() += 1;
            }
        }
    }
    for experiment in &request.experiments {
        for part in experiment.files.iter().filter(|part| part.role.as_deref() == Some(NUMBERS)) {
            let (Some(key), Some(file)) = (&part.configuration, files.get(&part.path)) else { continue };
            let left = file.results.tasks.iter().filter(|(name, _)| !sampled.contains(name.as_str()));
            for (name, task) in left.filter(|_| request.wants(&experiment.id, key)) {
                let context = Context { task: name.as_str().into(), key, path: &part.path };
                context.recounts(task, &Arm::default(), sink);
                if !task.group {
                    *bare.entry(part.path.as_str()).or_default() += 1;
                }
            }
        }
    }
    for (path, tasks) in bare {
        let all = files.get(path).map_or(0, |file| file.results.tasks.len());
        let message = format!("{tasks} of its {all} tasks have numbers and no samples file");
        sink.finding(Finding::new("samples-absent", Place::file(path), message));
    }
}

fn open(request: &Request<'_>, path: &str, sink: &mut dyn Sink) -> File {
    let mut members = Object::default();
    items::read(request.source, path, &[], sink, &mut |_, item| {
        if let Item::Member(name, value) = item {
            members.insert(name, value);
        }
    });
    let configs = members.get("configs").and_then(Value::as_object);
    let configs = configs.into_iter().flat_map(Object::iter).map(|(task, config)| (task.to_owned(), config.clone()));
    File { results: results(&members), configs: configs.collect() }
}

/// What all lines of a document say: values and derived verdicts of every filter.
struct Document {
    values: Vec<(String, f64)>,
    again: Vec<Again>,
}

/// Reads a samples file. The lines of a document, one per filter, need not be neighbours: each filter writes all of its
/// documents. What is kept is a line without its texts, so memory follows the number of documents.
#[allow(clippy::too_many_arguments)]
fn lines(
    request: &Request<'_>,
    experiment: &Experiment,
    key: &ConfigKey,
    path: &str,
    config: Option<&Value>,
    arm: &mut Arm,
    told: &mut BTreeSet<String>,
    sink: &mut dyn Sink,
) {
    let values = all_values(request, path, config);
    let mut lines = match Lines::open(request.source, path) {
        Ok(lines) => lines,
        Err(finding) => return sink.finding(finding),
    };
    let mut seen: BTreeMap<(String, Option<String>), usize> = BTreeMap::new();
    let mut recorded: BTreeSet<String> = BTreeSet::new();
    while let Some(line) = lines.next() {
        let place = Place::file(path).with_line(line.number);
        let mut reader = Reader::new(line.bytes);
        let value = match reader.value().and_then(|value| reader.end().map(|()| value)) {
            Ok(value) => value,
            Err(fault) => {
                sink.finding(Finding::new("bad-record", place.with_byte(line.byte + fault.byte), fault.what));
                continue;
            }
        };
        if let Some(repair) = reader.take_repairs().first() {
            sink.finding(Finding::repaired(place.clone(), repair));
        }
        let read = match sample(&value) {
            Ok(read) => read,
            Err(what) => {
                sink.finding(Finding::new("bad-record", place.with_byte(line.byte), what));
                continue;
            }
        };
        let place = place.with_subject(read.id.as_str());
        if let Some(first) = seen.insert((read.id.clone(), read.filter.clone()), line.number) {
            seen.insert((read.id.clone(), read.filter.clone()), first);
            let message = format!("the document also stands in line {first} under the same filter, which is used");
            sink.finding(Finding::new("duplicate-id", place, message));
            continue;
        }
        for (metric, value) in &read.values {
            let sum = arm.sums.entry(judge(metric, read.filter.as_deref())).or_default();
            sum.0.push(*value);
            sum.1 += 1;
        }
        if !recorded.insert(read.id.clone()) {
            continue;
        }
        if told.insert(read.id.clone()) {
            let statement = read.prompt.clone();
            let tests = read.tests.clone();
            let problem = Problem { statement, tests, ..Problem::blank(ProblemId::from(read.id.as_str())) };
            sink.problem(&experiment.set, problem, place.clone());
        }
        let Some(known) = values.get(&read.id) else { continue };
        let text = AttemptText {
            prompt: read.prompt.as_str().into(),
            response: read.response.as_str().into(),
            ..AttemptText::default()
        };
        let run = RunKey { experiment: experiment.id.clone(), configuration: key.clone(), run: 1 };
        sink.record(run, record(known, &read), &[text], place);
    }
    arm.documents += recorded.len();
    let (digest, broken) = lines.finish();
    broken.into_iter().for_each(|finding| sink.finding(finding));
    if let Some((digest, bytes)) = digest {
        sink.file(path, digest, bytes);
    }
}

/// Values of all filters of each document: a first pass, so that a record can be told whole.
fn all_values(request: &Request<'_>, path: &str, config: Option<&Value>) -> BTreeMap<String, Document> {
    let mut all: BTreeMap<String, Document> = BTreeMap::new();
    let Ok(mut lines) = Lines::open(request.source, path) else { return all };
    while let Some(line) = lines.next() {
        let mut reader = Reader::new(line.bytes);
        let Ok(value) = reader.value().and_then(|value| reader.end().map(|()| value)) else { continue };
        let Ok(read) = sample(&value) else { continue };
        let judged = |metric: &str| judge(metric, read.filter.as_deref());
        let again =
            read.values.iter().filter(|(metric, value)| metric == "exact_match" && (*value == 0.0 || *value == 1.0));
        let again: Vec<Again> = again
            .map(|(metric, value)| Again {
                judge: judged(metric).into(),
                stored: *value == 1.0,
                again: exact_match(&read, options(config, metric)),
            })
            .collect();
        let values: Vec<(String, f64)> = read.values.iter().map(|(metric, value)| (judged(metric), *value)).collect();
        match all.get_mut(&read.id) {
            None => {
                all.insert(read.id, Document { values, again });
            }
            Some(known) if values.iter().all(|(judge, _)| known.values.iter().all(|(other, _)| other != judge)) => {
                known.values.extend(values);
                known.again.extend(again);
            }
            Some(_) => {}
        }
    }
    all
}

fn record(known: &Document, read: &Sample) -> Record {
    let status = |value: f64| match value {
        1.0 => Status::Pass,
        value if value > 0.0 && value < 1.0 => Status::Partial,
        _ => Status::Fail,
    };
    let mut verdicts: Vec<Verdict> = known
        .values
        .iter()
        .map(|(judge, value)| Verdict {
            judge: judge.as_str().into(),
            environment: None,
            status: status(*value),
            inferred: false,
        })
        .collect();
    let score = known.values.first().map(|(_, value)| *value);
    if verdicts.is_empty() {
        verdicts.push(Verdict { judge: "".into(), environment: None, status: Status::NotGraded, inferred: false });
    }
    Record {
        passed: score.map(|score| score == 1.0),
        score,
        verdicts,
        attempts: Some(vec![Attempt {
            outcome: if score.is_some() { AttemptOutcome::Graded } else { AttemptOutcome::Unknown },
            usage: None,
            response_bytes: read.response.len() as u64,
            has_reasoning: false,
        }]),
        // The filter of such tasks puts the program together.
        assembly: read.tests.as_ref().map(|_| Assembly::WholeFile),
        again: known.again.clone(),
        ..Record::blank(ProblemId::from(read.id.as_str()))
    }
}

struct Context<'a> {
    /// Task, which is the experiment.
    task: ExperimentId,
    key: &'a ConfigKey,
    path: &'a str,
}

impl Context<'_> {
    fn recounts(&self, task: &Task, arm: &Arm, sink: &mut dyn Sink) {
        for stated in &task.stated {
            let id = judge(&stated.metric, stated.filter.as_deref());
            let again = match arm.sums.get(&id) {
                _ if task.group => Err("the number is made of those of several tasks".to_owned()),
                None if arm.promised && arm.documents > 0 => {
                    Err("the samples have no single value of the metric".to_owned())
                }
                None => Err("the samples of the task are not archived".to_owned()),
                Some((values, n)) => match task.effective {
                    Some(effective) if (*n as u64) < effective => {
                        Err(format!("only {n} of {effective} documents are archived"))
                    }
                    _ => Ok((crate::number::sum(values.iter().copied()) / *n as f64, *n)),
                },
            };
            let again = match again {
                // A mean of values is all that can be said; perplexities and their kind are made otherwise.
                Ok(_) if !averaged(&stated.metric) => Err("the metric is not a mean over documents".to_owned()),
                other => other,
            };
            sink.recount(Recount {
                metric: id.as_str().into(),
                judge: None,
                experiment: self.task.clone(),
                configuration: self.key.clone(),
                stratum: BTreeMap::new(),
                stored: stated.value.as_f64(),
                printed: stated.value.literal().into(),
                again: again.map_err(Arc::from),
                place: Place::file(self.path).with_subject(self.task.as_str()),
            });
        }
    }

    /// Documents of the data set, those evaluated, and those with a line.
    fn coverage(&self, task: &Task, arm: &Arm, sink: &mut dyn Sink) {
        let recorded = arm.documents as u64;
        if let Some(effective) = task.effective.filter(|effective| arm.promised && recorded < *effective) {
            let message =
                format!("{} of {effective} evaluated documents have no line in a samples file", effective - recorded);
            let place = Place::file(self.path).with_subject(self.task.as_str());
            sink.finding(Finding::new("samples-absent", place, message));
        }
        if let (Some(original), Some(effective)) = (task.original, task.effective)
            && effective < original
        {
            let message = format!("{effective} of {original} documents of the data set were evaluated");
            let place = Place::file(self.path).with_subject(self.task.as_str());
            sink.finding(Finding::new("part-of-data-set", place, message));
        }
        sink.coverage(Coverage {
            experiment: self.task.clone(),
            configuration: self.key.clone(),
            run: None,
            declared: task.original.or(task.effective),
            submitted: task.effective,
            recorded,
            absent: task.original.or(task.effective).map(|all| all.saturating_sub(recorded)),
        });
    }
}

/// Whether the number of a task is the mean of its documents' values.
fn averaged(metric: &str) -> bool {
    !["perplexity", "ppl", "bits_per_byte", "bleu", "chrf", "ter", "f1", "mcc", "rouge", "brier"]
        .iter()
        .any(|other| metric.contains(other))
}
