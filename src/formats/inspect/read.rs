//! From Inspect logs to records: one run per epoch, one judge per scorer, and the log's own numbers counted again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::header::{Header, Reduction, Scores};
use super::log::{Log, open};
use super::reduce::{metric, reduce};
use super::rules::Rule;
use super::sample::Sample;
use super::value::{Worth, judges};
use crate::archive::{
    Again, Attempt, AttemptOutcome, AttemptText, Lack, Record, Recount, RunKey, Status, Usage, Verdict,
};
use crate::corpus::Problem;
use crate::formats::{Request, Sink};
use crate::id::{ConfigKey, ProblemId};
use crate::report::{Finding, Place};
use crate::study::{Experiment, FilePart};

/// Values of one judge: by sample, of its epochs in order. `None` where the judge left it out.
type Values = BTreeMap<String, BTreeMap<u32, Option<f64>>>;

/// Reads the logs of all experiments.
pub(super) fn read(request: &Request<'_>, sink: &mut dyn Sink) {
    for experiment in &request.experiments {
        let mut first: BTreeMap<(String, String, ConfigKey), (String, BTreeMap<String, Values>)> = BTreeMap::new();
        let mut told = BTreeSet::new();
        for part in &experiment.files {
            let Some(configuration) = part.configuration.clone() else { continue };
            if !request.wants(&experiment.id, &configuration) {
                continue;
            }
            let mut findings = Vec::new();
            let log = open(request.source, &part.path, &mut |finding| findings.push(finding));
            findings.into_iter().for_each(|finding| sink.finding(finding));
            let Some(log) = log else { continue };
            sink.file(&part.path, log.stored.0, log.stored.1);
            let (run_id, task_id) = log.header.identity.clone();
            let identity = (run_id, task_id, configuration.clone());
            let known = first.get(&identity).filter(|_| !identity.0.is_empty() || !identity.1.is_empty());
            if let Some((path, values)) = known {
                sink.finding(twin(&log, part, path, values));
                continue;
            }
            let values = one(&log, experiment, &configuration, part, &mut told, sink);
            first.insert(identity, (part.path.clone(), values));
        }
    }
}

/// A log that holds an evaluation which another file holds too.
fn twin(log: &Log, part: &FilePart, path: &str, values: &BTreeMap<String, Values>) -> Finding {
    let mut own: BTreeMap<String, Values> = BTreeMap::new();
    log.samples(&mut |sample, _| {
        if let Ok(sample) = sample {
            keep(&mut own, &sample);
        }
    });
    let place = Place::file(&part.path);
    if own == *values {
        let message = format!("it holds the evaluation of {path} again, with the same scores; that file is used");
        Finding::new("same-evaluation", place, message)
    } else {
        let message = format!("it has the ids of the evaluation of {path} and other scores; that file is used");
        Finding::new("duplicate-run", place, message)
    }
}

fn keep(values: &mut BTreeMap<String, Values>, sample: &Sample) {
    for (judge, worth) in &sample.scores {
        let of_judge = values.entry(judge.clone()).or_default();
        // Of a sample that is stored twice the first counts, as its record does.
        of_judge.entry(sample.id.clone()).or_default().entry(sample.epoch).or_insert(worth.number());
    }
}

/// Reads one log; returns its values.
fn one(
    log: &Log,
    experiment: &Experiment,
    configuration: &ConfigKey,
    part: &FilePart,
    told: &mut BTreeSet<String>,
    sink: &mut dyn Sink,
) -> BTreeMap<String, Values> {
    let header = &log.header;
    let rules: BTreeMap<&str, Result<Rule, &'static str>> =
        header.scorers.iter().map(|(name, options)| (name.as_str(), Rule::of(name, Some(options)))).collect();
    let mut values = BTreeMap::new();
    let mut recorded = 0;
    log.samples(&mut |sample, place| {
        let sample = match sample {
            Ok(sample) => sample,
            Err(finding) => return sink.finding(finding),
        };
        recorded += 1;
        let id = ProblemId::from(sample.id.as_str());
        if told.insert(sample.id.clone()) {
            sink.problem(&experiment.set, problem(&sample), place.clone());
        }
        let run = part.run.unwrap_or(1).saturating_add(sample.epoch - 1);
        let key = RunKey { experiment: experiment.id.clone(), configuration: configuration.clone(), run };
        let record = record(id, &sample, header, &rules);
        let text = AttemptText {
            prompt: sample.input.as_str().into(),
            response: sample.completion.as_deref().unwrap_or_default().into(),
            ..AttemptText::default()
        };
        sink.record(key, record, &[text], place);
        keep(&mut values, &sample);
    });
    for id in header.sample_ids.iter().filter(|id| told.insert((*id).clone())) {
        sink.problem(&experiment.set, Problem::blank(ProblemId::from(id.as_str())), Place::file(&part.path));
    }
    about(header, recorded, part, sink);
    let context = Context { experiment, configuration, path: &part.path };
    for recount in context.recounts(header, &log.reductions, &values, recorded) {
        sink.recount(recount);
    }
    values
}

fn problem(sample: &Sample) -> Problem {
    Problem { statement: sample.input.clone(), ..Problem::blank(ProblemId::from(sample.id.as_str())) }
}

/// What the state of a log and the number of its samples say.
fn about(header: &Header, recorded: u64, part: &FilePart, sink: &mut dyn Sink) {
    if header.status != "success" {
        let why = header.error.as_deref().map(|error| format!(": {error}")).unwrap_or_default();
        let message = format!("the evaluation is stored with the status {:?}{why}", header.status);
        sink.finding(Finding::new("evaluation-unfinished", Place::file(&part.path), message));
    }
    let results = header.results.as_ref();
    if let Some(total) = results.and_then(|results| results.total).filter(|total| *total > recorded) {
        let message = format!("its results are about {total} samples, and it holds {recorded}");
        sink.finding(Finding::new("missing-records", Place::file(&part.path), message));
    }
    let unscored = header.scorers.is_empty() || results.is_some_and(|results| results.scores.is_empty());
    if unscored && recorded > 0 && results.is_some() {
        let message = format!("none of its {recorded} samples was judged");
        sink.finding(Finding::new("not-judged", Place::file(&part.path), message));
    }
}

fn record(
    id: ProblemId,
    sample: &Sample,
    header: &Header,
    rules: &BTreeMap<&str, Result<Rule, &'static str>>,
) -> Record {
    let verdict =
        |judge: &str, status: Status| Verdict { judge: judge.into(), environment: None, status, inferred: false };
    let mut verdicts: Vec<Verdict> =
        sample.scores.iter().map(|(judge, worth)| verdict(judge, worth.status())).collect();
    if verdicts.is_empty() {
        let names = header.scorers.iter().map(|(name, _)| name.as_str());
        verdicts = names.map(|judge| verdict(judge, Status::NotGraded)).collect();
    }
    if verdicts.is_empty() {
        verdicts.push(verdict("", Status::NotGraded));
    }
    let judged = !sample.scores.is_empty();
    let first = sample.scores.first().map(|(_, worth)| *worth);
    let usage =
        sample.tokens.map(|[prompt, completion, reasoning, total]| Usage { prompt, completion, reasoning, total });
    let error: Option<Arc<str>> = sample.error.as_deref().map(Into::into);
    Record {
        sample: sample.epoch - 1,
        // Partial credit is not a pass; its score is kept beside it.
        passed: match first.map(Worth::status) {
            Some(Status::Partial) => Some(false),
            Some(status) => status.passed(),
            None => None,
        },
        score: first.and_then(Worth::number),
        verdicts,
        // An error that a scorer looked past excludes nothing.
        failed_reason: error.clone().filter(|_| judged),
        error: error.filter(|_| !judged),
        usage,
        attempts: Some(vec![Attempt {
            outcome: if judged { AttemptOutcome::Graded } else { AttemptOutcome::Unknown },
            usage,
            response_bytes: sample.completion.as_ref().map_or(0, String::len) as u64,
            has_reasoning: false,
        }]),
        again: sample.scores.iter().filter_map(|(judge, worth)| again(judge, *worth, sample, rules)).collect(),
        ..Record::blank(id)
    }
}

/// The verdict by the scorer's rule over the stored texts.
fn again(
    judge: &str,
    worth: Worth,
    sample: &Sample,
    rules: &BTreeMap<&str, Result<Rule, &'static str>>,
) -> Option<Again> {
    let stored = worth.number().filter(|number| *number == 0.0 || *number == 1.0)? == 1.0;
    let derived = match (rules.get(judge)?, &sample.completion) {
        (Err(reason), _) => Err(Lack::Rule((*reason).into())),
        (Ok(_), None) => Err(Lack::Text("the answer is not archived".into())),
        (Ok(_), _) if sample.targets.is_empty() => Err(Lack::Text("the target is not archived".into())),
        (Ok(rule), Some(answer)) => {
            let targets: Vec<&str> = sample.targets.iter().map(String::as_str).collect();
            rule.grade(answer, &targets, sample.choices).map_err(|reason| Lack::Rule(reason.into()))
        }
    };
    Some(Again { judge: judge.into(), stored, again: derived })
}

/// Whose numbers are counted again.
struct Context<'a> {
    experiment: &'a Experiment,
    configuration: &'a ConfigKey,
    path: &'a str,
}

impl Context<'_> {
    fn recounts(
        &self,
        header: &Header,
        reductions: &[Reduction],
        values: &BTreeMap<String, Values>,
        recorded: u64,
    ) -> Vec<Recount> {
        let mut all = Vec::new();
        let Some(results) = &header.results else { return all };
        for (name, stored) in [("total_samples", results.total), ("completed_samples", results.completed)] {
            // Samples that are absent are told once, as absent.
            if let Some(stored) = stored.filter(|stored| recorded >= *stored && recorded > 0) {
                let again = if name == "total_samples" || recorded == stored {
                    Ok((recorded as f64, recorded as usize))
                } else {
                    Err("samples with errors are retried, and the log keeps the last state only".into())
                };
                all.push(self.recount(name, None, stored as f64, &stored.to_string(), again));
            }
        }
        for scores in &results.scores {
            let again = self.reduced(scores, header, reductions, values, recorded);
            for (name, stored) in &scores.metrics {
                let value = match &again {
                    Err(reason) => Err(reason.clone()),
                    Ok(values) => match metric(name, values) {
                        Some(value) => Ok((value, values.len())),
                        None => Err("the metric is not one that follows from the values alone".into()),
                    },
                };
                let label = scores.reducer.as_ref().map_or(name.clone(), |reducer| format!("{name}/{reducer}"));
                all.push(self.recount(&label, Some(&scores.judge), stored.as_f64(), stored.literal(), value));
            }
        }
        for reduction in reductions {
            all.extend(self.reduction(reduction, header, values));
        }
        all
    }

    /// Values of the samples of a judge after reduction; from the stored reductions where the samples are absent.
    fn reduced(
        &self,
        scores: &Scores,
        header: &Header,
        reductions: &[Reduction],
        values: &BTreeMap<String, Values>,
        recorded: u64,
    ) -> Result<Vec<f64>, Arc<str>> {
        let reducer = scores.reducer.as_deref().unwrap_or(&header.reducers[0]);
        if let Some(of_judge) = values.get(&scores.judge) {
            let total = header.results.as_ref().and_then(|results| results.total);
            if total.is_some_and(|total| total > recorded) {
                return Err("not all samples that it is made of are in the log".into());
            }
            return Ok(of_judge.values().filter_map(|epochs| reduce(reducer, &known(epochs))).collect());
        }
        let same = |reduction: &&Reduction| {
            scores.judge.starts_with(&reduction.scorer) && reduction.reducer.as_deref().is_none_or(|own| own == reducer)
        };
        let Some(kept) = reductions.iter().find(same) else {
            return Err("neither the samples nor their reductions are in the log".into());
        };
        let of_judge = kept.values.iter().flat_map(|(_, value)| judges(&kept.scorer, value));
        Ok(of_judge.filter(|(judge, _)| *judge == scores.judge).filter_map(|(_, worth)| worth.number()).collect())
    }

    /// Stored reductions of single samples, one recount for all that agree and one for each that does not.
    fn reduction(&self, reduction: &Reduction, header: &Header, values: &BTreeMap<String, Values>) -> Vec<Recount> {
        let reducer = reduction.reducer.as_deref().unwrap_or(&header.reducers[0]);
        let mut all = Vec::new();
        for (id, stored) in &reduction.values {
            for (judge, worth) in judges(&reduction.scorer, stored) {
                let epochs = values.get(&judge).and_then(|of_judge| of_judge.get(id));
                let (Some(epochs), Some(stored)) = (epochs, worth.number()) else { continue };
                let known = known(epochs);
                let again = reduce(reducer, &known).map(|value| (value, known.len()));
                let again = again.ok_or_else(|| Arc::from(format!("the reducer {reducer} is not known")));
                let mut recount = self.recount("reduction", Some(&judge), stored, &crate::number::repr(stored), again);
                recount.place = recount.place.with_subject(id.as_str());
                recount.stratum.insert("sample".into(), id.as_str().into());
                all.push(recount);
            }
        }
        all
    }

    fn recount(
        &self,
        name: &str,
        judge: Option<&str>,
        stored: f64,
        printed: &str,
        again: Result<(f64, usize), Arc<str>>,
    ) -> Recount {
        Recount {
            metric: name.into(),
            judge: judge.map(Into::into),
            experiment: self.experiment.id.clone(),
            configuration: self.configuration.clone(),
            stratum: BTreeMap::new(),
            stored,
            printed: printed.into(),
            again,
            place: Place::file(self.path),
        }
    }
}

/// Values of the epochs that were judged, in order.
fn known(epochs: &BTreeMap<u32, Option<f64>>) -> Vec<f64> {
    epochs.values().copied().flatten().collect()
}
