//! From a run folder to records: one per instance, perturbation and trial, with a verdict for every metric that the run
//! asks for by name, and the numbers of `stats.json` again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::metrics::{rule, score};
use super::named_metrics;
use super::stats::{Instance, Name, Perturbation, Values, value_of};
use crate::archive::{Again, Attempt, AttemptOutcome, AttemptText, Lack, Record, Recount, RunKey, Status, Verdict};
use crate::corpus::Problem;
use crate::formats::items::{self, Item};
use crate::formats::{Request, Sink};
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Number, Object, Value};
use crate::report::{Finding, Place};
use crate::study::{Experiment, FilePart};

/// Values of the named metrics of one row, in the order of the metrics.
type Scores = Vec<Option<f64>>;

/// A run while it is read.
struct Run<'a> {
    experiment: &'a Experiment,
    key: &'a ConfigKey,
    /// Number of the run that trial 0 is.
    first: u32,
    /// Metrics asked for by name, the one that decides first.
    metrics: Vec<String>,
    rows: BTreeMap<Instance, (Scores, Option<Arc<str>>)>,
    values: Values,
}

/// Path of a file of the folder, packed or not; `None` when it is absent.
fn file(request: &Request<'_>, folder: &str, name: &str) -> Option<String> {
    let plain = format!("{folder}{name}");
    let packed = format!("{plain}.gz");
    [plain, packed].into_iter().find(|path| request.source.exists(path))
}

/// Reads a run folder.
pub(super) fn read(
    request: &Request<'_>,
    experiment: &Experiment,
    key: &ConfigKey,
    part: &FilePart,
    told: &mut BTreeSet<String>,
    sink: &mut dyn Sink,
) {
    // A run is declared by its specification; the other files lie beside it.
    let folder = part.path.rfind('/').map_or("", |end| &part.path[..=end]);
    let mut spec = Object::default();
    if let Some(path) = file(request, folder, "run_spec.json") {
        items::read(request.source, &path, &[], sink, &mut |_, item| {
            if let Item::Member(name, value) = item {
                spec.insert(name, value);
            }
        });
    }
    let mut metrics = named_metrics(&Value::Object(spec));
    metrics.sort_by_key(|name| name != "exact_match");
    let mut run = Run {
        experiment,
        key,
        first: part.run.unwrap_or(1),
        metrics,
        rows: BTreeMap::new(),
        values: Values::default(),
    };
    match file(request, folder, "per_instance_stats.json") {
        Some(path) => run.per_instance(request, &path, sink),
        None => absent(folder, "per_instance_stats.json", "values of single instances", sink),
    }
    match file(request, folder, "scenario_state.json") {
        Some(path) => run.states(request, &path, told, sink),
        None => {
            absent(folder, "scenario_state.json", "instances and answers", sink);
            run.without_texts(folder, told, sink);
        }
    }
    match file(request, folder, "stats.json") {
        Some(path) => run.stats(request, &path, sink),
        None => absent(folder, "stats.json", "the numbers of the run", sink),
    }
}

fn absent(folder: &str, name: &str, what: &str, sink: &mut dyn Sink) {
    let message = format!("the run has no {name}: {what} are not archived");
    sink.finding(Finding::new("missing-file", Place::file(format!("{folder}{name}")), message));
}

impl Run<'_> {
    fn per_instance(&mut self, request: &Request<'_>, path: &str, sink: &mut dyn Sink) {
        let (rows, values, metrics) = (&mut self.rows, &mut self.values, &self.metrics);
        items::read(request.source, path, &[], sink, &mut |sink, item| {
            let Item::Element(position, byte, value) = item else {
                return sink.finding(Finding::new("bad-run", Place::file(path), "it is not a list of instances"));
            };
            match values.add(&value) {
                Err(what) => {
                    let place = Place::file(path).with_record(position).with_byte(byte);
                    sink.finding(Finding::new("bad-record", place, what));
                }
                Ok((row, split)) => {
                    let stats = value.get("stats").and_then(Value::as_list).unwrap_or_default();
                    let of = |metric: &String| {
                        let own = |stat: &&Value| {
                            stat.get("name").and_then(|n| n.get("name")).and_then(Value::as_text) == Some(metric)
                        };
                        stats.iter().find(own).and_then(Value::as_object).and_then(value_of)
                    };
                    if rows.insert(row.clone(), (metrics.iter().map(of).collect(), split)).is_some() {
                        let place = Place::file(path).with_record(position).with_byte(byte).with_subject(&*row.id);
                        let message = "the instance has another row for the same trial and perturbation";
                        sink.finding(Finding::new("duplicate-id", place, message));
                    }
                }
            }
        });
    }

    /// Records with their texts.
    fn states(&self, request: &Request<'_>, path: &str, told: &mut BTreeSet<String>, sink: &mut dyn Sink) {
        let mut seen: BTreeSet<Instance> = BTreeSet::new();
        items::read(request.source, path, &["request_states"], sink, &mut |sink, item| {
            let Item::Element(position, byte, state) = item else { return };
            let place = Place::file(path).with_record(position);
            let instance = state.get("instance");
            let text = |name: &str| instance.and_then(|instance| instance.get(name)).and_then(Value::as_text);
            let Some(id) = text("id") else {
                return sink.finding(Finding::new(
                    "bad-record",
                    place.with_byte(byte),
                    "it has no instance with an id",
                ));
            };
            let trial = state.get("train_trial_index").and_then(Value::as_number).and_then(Number::as_u64).unwrap_or(0);
            let perturbation = Perturbation::of(instance.and_then(|instance| instance.get("perturbation")));
            let row = Instance { id: id.into(), trial, perturbation };
            // Options asked one by one are several requests about one instance; the first stands for it.
            if !seen.insert(row.clone()) {
                return;
            }
            let scores = self.rows.get(&row).map(|(scores, _)| scores);
            let split = text("split").map(Arc::from);
            self.tell_problem(&row, split.as_ref(), &statement(instance), told, place.clone(), sink);
            let completions = completions(&state);
            let first = completions.first().map(|(_, text)| *text);
            let again = self.again(&state, scores, &completions);
            let prompt = state.get("request").and_then(|request| request.get("prompt")).and_then(Value::as_text);
            let said = AttemptText {
                prompt: prompt.unwrap_or_default().into(),
                response: first.unwrap_or_default().into(),
                ..AttemptText::default()
            };
            let record = Record {
                attempts: Some(vec![Attempt {
                    outcome: if scores.is_some() { AttemptOutcome::Graded } else { AttemptOutcome::Unknown },
                    usage: None,
                    response_bytes: first.map_or(0, str::len) as u64,
                    has_reasoning: false,
                }]),
                again,
                ..self.record(&row, scores)
            };
            sink.record(self.run_of(trial), record, &[said], place);
        });
        let lost = self.rows.keys().filter(|row| !seen.contains(*row)).count();
        if lost > 0 {
            let message = format!("{lost} rows of per_instance_stats.json have no request in it");
            sink.finding(Finding::new("result-without-prediction", Place::file(path), message));
        }
    }

    fn without_texts(&self, folder: &str, told: &mut BTreeSet<String>, sink: &mut dyn Sink) {
        for (row, (scores, split)) in &self.rows {
            let place = Place::file(format!("{folder}per_instance_stats.json"));
            self.tell_problem(row, split.as_ref(), "", told, place.clone(), sink);
            sink.record(self.run_of(row.trial), self.record(row, Some(scores)), &[], place);
        }
    }

    fn run_of(&self, trial: u64) -> RunKey {
        let trial = u32::try_from(trial).unwrap_or(u32::MAX);
        RunKey {
            experiment: self.experiment.id.clone(),
            configuration: self.key.clone(),
            run: self.first.saturating_add(trial),
        }
    }

    fn tell_problem(
        &self,
        row: &Instance,
        split: Option<&Arc<str>>,
        statement: &str,
        told: &mut BTreeSet<String>,
        place: Place,
        sink: &mut dyn Sink,
    ) {
        let id = name_of(row);
        if !told.insert(id.clone()) {
            return;
        }
        let mut problem = Problem { statement: statement.to_owned(), ..Problem::blank(ProblemId::from(id)) };
        problem.labels.extend(split.map(|split| (Arc::from("split"), split.clone())));
        problem.labels.extend(row.perturbation.as_ref().map(|own| (Arc::from("perturbation"), own.key.clone())));
        problem.parent = row.perturbation.as_ref().map(|_| ProblemId::from(&*row.id));
        sink.problem(&self.experiment.set, problem, place);
    }

    fn record(&self, row: &Instance, scores: Option<&Scores>) -> Record {
        let status = |value: f64| match value {
            1.0 => Status::Pass,
            value if value > 0.0 && value < 1.0 => Status::Partial,
            _ => Status::Fail,
        };
        let named = self.metrics.iter().zip(scores.into_iter().flatten());
        let known: Vec<(&String, f64)> = named.filter_map(|(metric, value)| Some((metric, (*value)?))).collect();
        let mut verdicts: Vec<Verdict> = known
            .iter()
            .map(|(metric, value)| Verdict {
                judge: metric.as_str().into(),
                environment: None,
                status: status(*value),
                inferred: false,
            })
            .collect();
        if verdicts.is_empty() {
            let judge = self.metrics.first().map_or("", String::as_str);
            verdicts.push(Verdict {
                judge: judge.into(),
                environment: None,
                status: Status::NotGraded,
                inferred: false,
            });
        }
        let score = known.first().map(|(_, value)| *value);
        Record {
            sample: u32::try_from(row.trial).unwrap_or(u32::MAX),
            passed: score.map(|score| score == 1.0),
            score,
            verdicts,
            ..Record::blank(ProblemId::from(name_of(row)))
        }
    }

    /// The matching metrics over the stored texts.
    fn again(&self, state: &Value, scores: Option<&Scores>, completions: &[(f64, &str)]) -> Vec<Again> {
        let references = state.get("instance").and_then(|instance| instance.get("references")).and_then(Value::as_list);
        let correct = |reference: &&Value| {
            let tags = reference.get("tags").and_then(Value::as_list).unwrap_or_default();
            tags.iter().any(|tag| tag.as_text() == Some("correct"))
        };
        let output = |reference: &'_ Value| -> Option<String> {
            let output = reference.get("output")?;
            output.get("text").unwrap_or(output).as_text().map(str::to_owned)
        };
        let golds: Vec<String> = references.unwrap_or_default().iter().filter(correct).filter_map(output).collect();
        let golds: Vec<&str> = golds.iter().map(String::as_str).collect();
        let options = state.get("output_mapping").and_then(Value::as_object);
        let guesses: Vec<Option<&str>> = completions
            .iter()
            .map(|(_, text)| match options {
                None => Some(text.trim()),
                Some(options) => options.get(text.trim()).and_then(Value::as_text),
            })
            .collect();
        let named = self.metrics.iter().zip(scores.into_iter().flatten());
        let ruled = named
            .filter_map(|(metric, value)| Some((metric, (*value)?)))
            .filter(|(metric, value)| rule(metric).is_some() && (*value == 0.0 || *value == 1.0));
        ruled
            .map(|(metric, value)| Again {
                judge: metric.as_str().into(),
                stored: value == 1.0,
                again: if golds.is_empty() {
                    Err(Lack::Text("the correct references are not archived".into()))
                } else if guesses.is_empty() {
                    Err(Lack::Text("the answer is not archived".into()))
                } else {
                    let derived = score(metric, &golds, &guesses);
                    derived
                        .map(|value| value == 1.0)
                        .ok_or_else(|| Lack::Rule("the metric has no rule over texts".into()))
                },
            })
            .collect()
    }

    /// The numbers of the run against its instances.
    fn stats(&self, request: &Request<'_>, path: &str, sink: &mut dyn Sink) {
        items::read(request.source, path, &[], sink, &mut |sink, item| {
            let Item::Element(position, byte, stat) = item else {
                return sink.finding(Finding::new("bad-run", Place::file(path), "it is not a list of statistics"));
            };
            let place = Place::file(path).with_record(position);
            let Some(name) = stat.get("name").and_then(Name::of) else {
                return sink.finding(Finding::new("bad-record", place.with_byte(byte), "it has no name"));
            };
            // Nothing was counted: the mean is null, and there is nothing to compare.
            if stat.get("count").and_then(Value::as_f64) == Some(0.0) {
                return;
            }
            let Some(mean) = stat.get("mean").and_then(Value::as_number) else {
                return sink.finding(Finding::new("bad-member", place.with_byte(byte), "its mean is not a number"));
            };
            let mut stratum = BTreeMap::new();
            for (label, value) in [("split", &name.split), ("sub-split", &name.sub_split)] {
                if !value.is_empty() {
                    stratum.insert(Arc::from(label), value.clone());
                }
            }
            stratum.extend(name.perturbation.as_ref().map(|own| (Arc::from("perturbation"), own.key.clone())));
            let again = self.values.recount(&name).map_err(Into::into);
            sink.recount(Recount {
                metric: name.metric.clone(),
                judge: None,
                experiment: self.experiment.id.clone(),
                configuration: self.key.clone(),
                stratum,
                stored: mean.as_f64(),
                printed: mean.literal().into(),
                again,
                place,
            });
        });
    }
}

/// Id of the problem that a row is about: a changed instance is a problem of its own.
fn name_of(row: &Instance) -> String {
    match &row.perturbation {
        None => row.id.to_string(),
        Some(perturbation) => format!("{} [{}]", row.id, perturbation.key),
    }
}

fn statement(instance: Option<&Value>) -> String {
    let Some(input) = instance.and_then(|instance| instance.get("input")) else { return String::new() };
    input.get("text").unwrap_or(input).as_text().unwrap_or_default().to_owned()
}

/// Completions, the most likely first, as the metrics take them.
fn completions(state: &Value) -> Vec<(f64, &str)> {
    let listed = state.get("result").and_then(|result| result.get("completions")).and_then(Value::as_list);
    let mut all: Vec<(f64, &str)> = listed
        .unwrap_or_default()
        .iter()
        .filter_map(|one| {
            Some((one.get("logprob").and_then(Value::as_f64).unwrap_or(0.0), one.get("text")?.as_text()?))
        })
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all
}
