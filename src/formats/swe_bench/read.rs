//! From reports and predictions to records: one for every instance of the benchmark and every arm.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::algebra::{benchmark, check, ids, states};
use super::predictions::{Predictions, prediction};
use super::report::{Group, Report, layout, report};
use super::{JUDGE, files};
use crate::archive::{Again, Attempt, AttemptOutcome, AttemptText, Coverage, Record, Recount, RunKey, Status, Verdict};
use crate::corpus::Problem;
use crate::formats::items::{self, Item};
use crate::formats::objects::values;
use crate::formats::{Lines, Request, Sink};
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Object, Reader, Value};
use crate::report::{Finding, Place};
use crate::study::{Experiment, FilePart};

/// Everything of one arm.
#[derive(Default)]
struct Arm {
    report: Option<(String, Report)>,
    instances: Option<(String, Report)>,
    predictions: Option<(String, Predictions)>,
}

/// Reads all experiments.
pub(super) fn read(request: &Request<'_>, sink: &mut dyn Sink) {
    for experiment in &request.experiments {
        let mut arms: BTreeMap<&ConfigKey, Arm> = BTreeMap::new();
        for part in &experiment.files {
            let Some(configuration) = &part.configuration else { continue };
            // Reports of other arms may be needed to know the benchmark; patches are not.
            let patches = part.role.as_deref() == Some(files::PREDICTIONS);
            if patches && !request.wants(&experiment.id, configuration) {
                continue;
            }
            load(arms.entry(configuration).or_default(), part, request, sink);
        }
        let mut known = dataset(request, experiment, sink);
        if known.is_none() {
            known = benchmark(arms.values().filter_map(|arm| arm.report.as_ref().map(|(_, report)| report)));
            let named = || arms.values().flat_map(|arm| arm.report.iter().chain(&arm.instances));
            let problems: BTreeSet<String> = match &known {
                Some(known) => known.clone(),
                None => {
                    let listed = named().flat_map(|(_, report)| report.groups.values().flatten().cloned());
                    let predicted = arms.values().filter_map(|arm| arm.predictions.as_ref());
                    listed.chain(predicted.flat_map(|(_, p)| p.first.keys().cloned())).collect()
                }
            };
            if known.is_none() && !arms.is_empty() {
                let message = format!("{} instances are named, and no file says whether these are all", problems.len());
                let place = Place::subject(experiment.id.as_str());
                sink.finding(Finding::new("unknown-benchmark", place, message));
            }
            let path = named().next().map_or("", |(path, _)| path.as_str()).to_owned();
            for id in &problems {
                sink.problem(&experiment.set, problem(id), Place::file(&path));
            }
            known = known.or(Some(problems));
        }
        let known = known.unwrap_or_default();
        for (configuration, arm) in &arms {
            if request.wants(&experiment.id, configuration) {
                Context { experiment, configuration, benchmark: &known }.tell(arm, sink);
            }
        }
    }
}

/// A problem of which the repository is known by its id: `owner__name-number`.
fn problem(id: &str) -> Problem {
    let mut problem = Problem::blank(ProblemId::from(id));
    if let Some((repository, _)) = id.rsplit_once('-') {
        problem.labels.insert("repository".into(), repository.replacen("__", "/", 1).into());
    }
    problem
}

fn load(arm: &mut Arm, part: &FilePart, request: &Request<'_>, sink: &mut dyn Sink) {
    let path = part.path.as_str();
    match part.role.as_deref() {
        Some(files::PREDICTIONS) => {
            let kept = arm.predictions.get_or_insert_with(|| (path.to_owned(), Predictions::default()));
            predictions(path, request, &mut kept.1, sink);
        }
        Some(files::INSTANCES) => {
            let kept = arm.instances.get_or_insert_with(|| (path.to_owned(), Report::default()));
            let listed = request.source.entries().unwrap_or_default();
            let inside = |entry: &crate::world::Entry| {
                let name = entry.path.strip_prefix(path).unwrap_or_default();
                entry.regular
                    && name.starts_with('/')
                    && (name.ends_with("/report.json") || name.ends_with("/report.json.gz"))
            };
            let paths: Vec<String> = if !path.ends_with(".json") && !path.ends_with(".json.gz") {
                listed.into_iter().filter(inside).map(|entry| entry.path).collect()
            } else {
                vec![path.to_owned()]
            };
            for path in paths {
                items::read(request.source, &path, &[], sink, &mut |_, item| {
                    if let Item::Member(id, value) = item {
                        kept.1.instance(&id, &value);
                    }
                });
            }
        }
        _ => {
            let mut members = Object::default();
            items::read(request.source, path, &[], sink, &mut |_, item| {
                if let Item::Member(name, value) = item {
                    members.insert(name, value);
                }
            });
            match layout(&members) {
                Some(layout) if arm.report.is_none() => arm.report = Some((path.to_owned(), report(&members, layout))),
                Some(_) => {
                    let message = "another report of the same configuration was read before and is used";
                    sink.finding(Finding::new("duplicate-run", Place::file(path), message));
                }
                None if !members.is_empty() => {
                    sink.finding(Finding::new("bad-run", Place::file(path), "it has no list of resolved instances"));
                }
                None => {}
            }
        }
    }
}

/// Predictions as lines, a list or an object by id.
fn predictions(path: &str, request: &Request<'_>, kept: &mut Predictions, sink: &mut dyn Sink) {
    let mut add = |read: Result<_, &str>, place: Place, sink: &mut dyn Sink| match read {
        Ok(prediction) => kept.add(prediction),
        Err(reason) => sink.finding(Finding::new("bad-record", place, reason)),
    };
    if !path.strip_suffix(".gz").unwrap_or(path).ends_with(".jsonl") {
        items::read(request.source, path, &[], sink, &mut |sink, item| match item {
            Item::Member(id, value) => {
                add(prediction(Some(&id), &value), Place::file(path).with_subject(id.as_str()), sink);
            }
            Item::Element(position, byte, value) => {
                add(prediction(None, &value), Place::file(path).with_record(position).with_byte(byte), sink);
            }
        });
        return;
    }
    values(request.source, path, sink, &mut |value, place, sink| add(prediction(None, &value), place, sink));
}

/// Instances of the data set, where one is archived: its problems, and their ids.
fn dataset(request: &Request<'_>, experiment: &Experiment, sink: &mut dyn Sink) -> Option<BTreeSet<String>> {
    let set = request.study.sets.iter().find(|set| set.id == experiment.set)?;
    let mut known = BTreeSet::new();
    let told = request.sets.iter().any(|asked| asked.id == set.id);
    for part in &set.files {
        let mut row = |value: &Value, place: Place, sink: &mut dyn Sink| {
            let text = |name: &str| value.get(name).and_then(Value::as_text);
            let Some(id) = text("instance_id") else {
                return sink.finding(Finding::new("bad-problem", place, "it has no instance_id"));
            };
            known.insert(id.to_owned());
            if told {
                let statement = text("problem_statement").unwrap_or_default().to_owned();
                sink.problem(&set.id, Problem { statement, ..problem(id) }, place);
            }
        };
        let path = part.path.as_str();
        if path.strip_suffix(".gz").unwrap_or(path).ends_with(".jsonl") {
            let Ok(mut lines) = Lines::open(request.source, path) else { continue };
            while let Some(line) = lines.next() {
                let place = Place::file(path).with_line(line.number).with_byte(line.byte);
                match Reader::new(line.bytes).value() {
                    Ok(value) => row(&value, place, sink),
                    Err(fault) => sink.finding(Finding::new("bad-problem", place, fault.what)),
                }
            }
            if let (Some((digest, bytes)), broken) = lines.finish() {
                sink.file(path, digest, bytes);
                broken.into_iter().for_each(|finding| sink.finding(finding));
            }
        } else {
            items::read(request.source, path, &[], sink, &mut |sink, item| {
                if let Item::Element(position, _, value) = item {
                    row(&value, Place::file(path).with_record(position), sink);
                }
            });
        }
    }
    (!known.is_empty()).then_some(known)
}

struct Context<'a> {
    experiment: &'a Experiment,
    configuration: &'a ConfigKey,
    benchmark: &'a BTreeSet<String>,
}

impl Context<'_> {
    /// Findings, recounts, coverage and records of one arm.
    fn tell(&self, arm: &Arm, sink: &mut dyn Sink) {
        let main = arm.report.as_ref().or(arm.instances.as_ref());
        if let Some((path, report)) = main {
            check(report, path, Some(self.benchmark)).into_iter().for_each(|finding| sink.finding(finding));
            self.counts(report, path).into_iter().for_each(|recount| sink.recount(recount));
        }
        if let (Some((_, report)), Some((path, instances))) = (&arm.report, &arm.instances) {
            compare(report, instances, path).into_iter().for_each(|finding| sink.finding(finding));
        }
        if let Some((path, predictions)) = &arm.predictions {
            let report = main.map(|(_, report)| report);
            predictions.check(path, report, Some(self.benchmark)).into_iter().for_each(|finding| sink.finding(finding));
        }
        let empty = Report::default();
        let report = main.map_or(&empty, |(_, report)| report);
        let path = main.map_or_else(|| arm.predictions.as_ref().map_or("", |(path, _)| path), |(path, _)| path);
        self.coverage(report, arm.predictions.as_ref().map(|(_, predictions)| predictions), sink);
        let states = states(report);
        let derived = arm.instances.as_ref().map(|(_, report)| &report.derived);
        for id in self.benchmark {
            let patch = arm.predictions.as_ref().and_then(|(_, predictions)| predictions.first.get(id));
            let status = match (states.get(id.as_str()), patch) {
                (Some(status), _) => *status,
                (None, Some(patch)) if patch.patch.is_empty() => Status::Empty,
                (None, Some(_)) => Status::NotGraded,
                (None, None) => Status::NotAnswered,
            };
            let record = record(id, status, patch.map(|patch| patch.patch.len()), derived.and_then(|d| d.get(id)));
            let text = AttemptText {
                response: patch.map(|patch| patch.patch.as_str()).unwrap_or_default().into(),
                ..AttemptText::default()
            };
            let texts = if record.attempts.is_some() { vec![text] } else { Vec::new() };
            let key =
                RunKey { experiment: self.experiment.id.clone(), configuration: self.configuration.clone(), run: 1 };
            sink.record(key, record, &texts, Place::file(path).with_subject(id.as_str()));
        }
    }

    /// Stored counts against the number of distinct ids in their lists, and the stated size against the benchmark.
    fn counts(&self, report: &Report, path: &str) -> Vec<Recount> {
        let recount = |count: &super::report::Count| {
            let again = match count.group {
                Some(group) if report.groups.contains_key(&group) => Ok(ids(report, group).len()),
                Some(_) => Err(Arc::from("the list that it counts is not in the report")),
                None if self.benchmark.is_empty() => Err(Arc::from("the instances of the benchmark are not known")),
                None => Ok(self.benchmark.len()),
            };
            Recount {
                metric: count.member.into(),
                judge: None,
                experiment: self.experiment.id.clone(),
                configuration: self.configuration.clone(),
                stratum: BTreeMap::new(),
                stored: count.value.as_f64(),
                printed: count.value.literal().into(),
                again: again.map(|number| (number as f64, number)),
                place: Place::file(path),
            }
        };
        report.counts.iter().map(recount).collect()
    }

    fn coverage(&self, report: &Report, predictions: Option<&Predictions>, sink: &mut dyn Sink) {
        let inside = |ids: &BTreeSet<&str>| ids.iter().filter(|id| self.benchmark.contains(**id)).count() as u64;
        let mut submitted = ids(report, Group::Submitted);
        if report.groups.is_empty() {
            submitted
                .extend(predictions.into_iter().flat_map(|predictions| predictions.first.keys().map(String::as_str)));
        }
        let judged: BTreeSet<&str> = [Group::Resolved, Group::Unresolved, Group::Empty, Group::Error, Group::Timeout]
            .into_iter()
            .flat_map(|group| ids(report, group))
            .collect();
        let declared = self.benchmark.len() as u64;
        let recorded = inside(&judged);
        sink.coverage(Coverage {
            experiment: self.experiment.id.clone(),
            configuration: self.configuration.clone(),
            run: None,
            declared: Some(declared),
            submitted: Some(inside(&submitted)),
            recorded,
            absent: Some(declared - recorded),
        });
    }
}

/// Verdicts of the report against those stored with single instances.
fn compare(report: &Report, instances: &Report, path: &str) -> Vec<Finding> {
    let (whole, single) = (states(report), states(instances));
    let mut findings = Vec::new();
    for (id, status) in &single {
        let Some(other) = whole.get(id) else { continue };
        if (*status == Status::Pass) != (*other == Status::Pass) {
            let message =
                format!("the report of the run says {}, that of the instance {}", other.as_str(), status.as_str());
            findings.push(Finding::new("verdict-contradicted", Place::file(path).with_subject(*id), message));
        }
    }
    findings
}

fn record(id: &str, status: Status, patch: Option<usize>, derived: Option<&bool>) -> Record {
    // The benchmark is the denominator: what was not handed in is not resolved.
    let passed = if status == Status::NotAnswered { Some(false) } else { status.passed() };
    let reason = match status {
        Status::Empty => Some("the patch is empty"),
        Status::Error => Some("the harness could not evaluate it"),
        Status::Timeout => Some("its tests did not end in time"),
        Status::NotAnswered => Some("nothing was handed in"),
        _ => None,
    };
    let again =
        derived.map(|derived| Again { judge: JUDGE.into(), stored: status == Status::Pass, again: Ok(*derived) });
    let attempt = |bytes: usize| Attempt {
        outcome: AttemptOutcome::Unknown,
        usage: None,
        response_bytes: bytes as u64,
        has_reasoning: false,
    };
    Record {
        passed,
        verdicts: vec![Verdict { judge: JUDGE.into(), environment: None, status, inferred: false }],
        failed_reason: reason.map(Into::into),
        attempts: patch.map(|bytes| vec![attempt(bytes)]),
        again: again.into_iter().collect(),
        ..Record::blank(ProblemId::from(id))
    }
}
