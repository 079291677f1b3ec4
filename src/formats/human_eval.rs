//! Results of human-eval and its relatives: a line per sample with its program and, mostly, its mark.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{Declared, configuration, experiment, identity, set, study};
use super::guess::{Fit, Guess, Near, Part};
use super::listing::{Listing, unpacked};
use super::objects::{each, excerpt, first, id};
use super::quiet::Quiet;
use super::sink::{Request, Sink};
use super::{About, Format, passk, problems};
use crate::archive::{Attempt, AttemptOutcome, AttemptText, Record, RunKey, Status, Verdict};
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Object, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, Experiment, FilePart, Study};

const ID: &str = "human-eval";

/// Members that hold the program, in the order in which they are looked for.
const PROGRAMS: &[&str] = &["completion", "solution", "generation"];

/// Members that name the model, where lines do.
const MODELS: &[&str] = &["model", "model_name", "model_id"];

/// Results in the form of human-eval.
pub(super) struct HumanEval;

impl Format for HumanEval {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "human-eval results",
            reads: "JSON lines with task_id, completion and, where they were judged, passed and result; a problem file \
                    with prompt, test, entry_point and canonical_solution; tables of pass@k beside them.",
            cannot_check: "Without a problem file nothing can be run again; without passed the records have no marks and \
                           are counted as not recorded.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts = Vec::new();
        let mut judged = 0;
        for path in listing.ending(&[".jsonl", ".ndjson"]) {
            if problems::is_problems(listing, path) {
                parts.push(Part { path: path.to_owned(), role: "problems", arm: None });
                continue;
            }
            let objects = listing.objects(path, 9);
            if 2 * objects.iter().filter(|object| is_sample(object)).count() <= objects.len() {
                continue;
            }
            let marked = objects.iter().any(|object| object.get("passed").is_some());
            judged += usize::from(marked);
            let role = if marked { "results" } else { "samples" };
            parts.push(Part { path: path.to_owned(), role, arm: Some(key(path)) });
        }
        let answers = parts.iter().filter(|part| part.arm.is_some()).count();
        let all = parts.len();
        for path in listing.ending(&[".csv"]).filter(|path| passk::is_summary(listing, path)) {
            parts.push(Part { path: path.to_owned(), role: "summary", arm: Some(key(path)) });
        }
        if answers == 0 {
            let tables = parts.len() - all;
            name(&mut parts);
            let reason = format!("{tables} tables of pass@k, without the samples that they count");
            return (tables > 0).then_some(Guess { format: ID, fit: Fit::Likely, reason, parts });
        }
        // A samples file is the input of its results file, which holds the same lines and the marks.
        let results: Vec<String> =
            parts.iter().filter(|part| part.role == "results").map(|part| unpacked(&part.path).to_owned()).collect();
        for part in parts.iter_mut().filter(|part| part.role == "samples") {
            let stem = unpacked(&part.path);
            if results.iter().any(|result| result.starts_with(stem)) {
                part.role = "copy";
            }
        }
        name(&mut parts);
        Some(Guess {
            format: ID,
            fit: if judged > 0 { Fit::Certain } else { Fit::Likely },
            reason: format!("{answers} files of lines with task_id and completion, {judged} of them with passed"),
            parts,
        })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let near = |path: &str| {
            let object = listing.objects(path, 1).pop()?;
            let missing: Vec<&str> =
                ["task_id", "completion"].into_iter().filter(|m| object.get(m).is_none()).collect();
            let share = 100 * (2 - missing.len()) / 2;
            let missing = missing.join(" and ");
            (share > 0).then(|| Near { format: ID, share: share as u8, path: path.to_owned(), missing })
        };
        listing.ending(&[".jsonl"]).filter_map(near).max_by_key(|near| near.share)
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let mut assumed = Vec::new();
        let mut sets: Vec<(String, String, BTreeSet<String>)> = Vec::new();
        for part in guess.parts.iter().filter(|part| part.role == "problems") {
            let ids = problems::ids(listing.source(), &part.path);
            let name = ids.first().and_then(|id| problems::family(id)).map_or_else(|| arm(&part.path), str::to_owned);
            sets.push((name, part.path.clone(), ids));
        }
        let mut by_set: BTreeMap<String, Vec<&Part>> = BTreeMap::new();
        for part in guess.parts.iter().filter(|part| matches!(part.role, "results" | "samples")) {
            let objects = listing.objects(&part.path, 50);
            let asked: Vec<String> =
                objects.iter().filter_map(|object| first(object.as_object()?, problems::IDS).and_then(id)).collect();
            let known = sets.iter().find(|(_, _, ids)| asked.iter().any(|id| ids.contains(id)));
            let name = match known {
                Some((name, ..)) => name.clone(),
                None => asked.first().and_then(|id| problems::family(id)).unwrap_or("problems").to_owned(),
            };
            by_set.entry(name).or_default().push(part);
        }
        let title = by_set.keys().cloned().collect::<Vec<_>>().join(", ");
        let about = format!("Results of {title} in the human-eval layout.");
        let mut study = study(identity(&title, &format!("{title} results"), &about));
        assumed.push("one configuration per file, named after it".to_owned());
        assumed.push("the order of the lines of a problem is the number of the sample".to_owned());
        for (name, parts) in &by_set {
            let file = sets.iter().find(|(known, ..)| known == name).map_or("", |(_, path, _)| path.as_str());
            if file.is_empty() {
                assumed.push(format!("the problems of {name} are those that records name: no problem file is here"));
            }
            study.sets.push(set(name, name, file, ID));
            study.experiments.push(declare_one(listing, guess, name, parts, &mut study.configurations));
        }
        if by_set.is_empty() {
            // Its records are nowhere; the study says so instead of missing them.
            let (name, file) = sets.first().map_or(("problems", ""), |(name, path, _)| (name.as_str(), path.as_str()));
            study.sets.push(set(name, name, file, ID));
            study.experiments.push(Experiment { optional: true, ..experiment("stated", name, ID) });
            study.study.title = "Tables of pass@k".into();
            study.study.description = "Tables of pass@k without the samples that they count.".into();
            study.study.id = "pass-at-k".into();
            assumed = vec!["one configuration per table, named after it".to_owned()];
        }
        stray_summaries(guess, &mut study);
        study.estimators = estimators(&study, listing, guess);
        Declared { study, assumed }
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        for set in request.sets.iter().filter(|set| !set.path.is_empty()) {
            problems::read(request.source, &set.path, &set.id, sink);
        }
        for experiment in &request.experiments {
            for file in &experiment.files {
                match (file.role.as_deref(), &file.configuration) {
                    (Some("summary"), Some(configuration)) => {
                        if request.selection.only.is_none() {
                            passk::read(request.source, &file.path, &experiment.id, configuration, sink);
                        }
                    }
                    (_, Some(configuration)) if !request.wants(&experiment.id, configuration) => {}
                    _ => results(request, experiment, file, sink),
                }
            }
        }
    }
}

/// Tables of pass@k whose records are in no file of samples: their configurations are declared, and the first experiment
/// counts them again where another file holds their records.
fn stray_summaries(guess: &Guess, study: &mut Study) {
    let known: BTreeSet<String> =
        study.experiments.iter().flat_map(|e| &e.files).map(|file| file.path.clone()).collect();
    let strays: Vec<&Part> =
        guess.parts.iter().filter(|part| part.role == "summary" && !known.contains(&part.path)).collect();
    let Some(first) = study.experiments.first_mut().filter(|_| !strays.is_empty()) else { return };
    for part in strays {
        let arm = part.arm.clone().unwrap_or_default();
        if study.configurations.iter().all(|known| known.key.as_str() != arm) {
            study.configurations.push(configuration(&arm));
        }
        let (configuration, role) = (Some(ConfigKey::from(arm)), Some("summary".to_owned()));
        if first.optional {
            first.configurations.extend(configuration.clone());
        }
        first.files.push(FilePart { path: part.path.clone(), configuration, run: None, role });
    }
}

/// An experiment with its files, and the configurations they bring.
fn declare_one(
    listing: &Listing<'_>,
    guess: &Guess,
    name: &str,
    parts: &[&Part],
    configurations: &mut Vec<crate::study::Configuration>,
) -> Experiment {
    let mut experiment = experiment(&super::slug(name), name, ID);
    let mut add = |key: &str| {
        if configurations.iter().all(|known| known.key.as_str() != key) {
            configurations.push(configuration(key));
        }
    };
    for part in parts {
        let Found { models, samples } = Found::of(listing, &part.path);
        let named = models.iter().next().filter(|_| models.len() == 1).cloned();
        let key = if models.len() > 1 { None } else { named.or_else(|| part.arm.clone()) };
        if models.len() > 1 {
            models.iter().for_each(|model| add(model));
            experiment.columns.insert("configuration".to_owned(), "model".to_owned());
        }
        key.iter().for_each(|key| add(key));
        let listed = models.iter().filter(|_| models.len() > 1).chain(&key).map(|key| ConfigKey::from(key.as_str()));
        experiment.configurations.extend(listed);
        let configuration = key.as_deref().map(ConfigKey::from);
        experiment.files.push(FilePart { path: part.path.clone(), configuration, ..FilePart::default() });
        let summaries = guess.parts.iter().filter(|other| other.role == "summary" && other.arm == part.arm);
        for summary in summaries {
            let configuration = key.as_deref().map(ConfigKey::from);
            let role = Some("summary".to_owned());
            experiment.files.push(FilePart { path: summary.path.clone(), configuration, run: None, role });
        }
        experiment.runs = experiment.runs.max(samples);
    }
    experiment
}

/// pass@k for the k that summaries state; without summaries pass@1 alone.
fn estimators(study: &Study, listing: &Listing<'_>, guess: &Guess) -> Vec<Estimator> {
    let mut ks: BTreeSet<u32> = BTreeSet::from([1]);
    for part in guess.parts.iter().filter(|part| part.role == "summary") {
        let head = listing.head(&part.path);
        let line = String::from_utf8_lossy(head.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
        ks.extend(line.trim().split(',').filter_map(passk::k_of));
    }
    let most = study.experiments.iter().map(|experiment| experiment.runs).max().unwrap_or(1);
    if most >= 10 && ks.len() == 1 {
        ks.insert(10);
    }
    ks.into_iter()
        .map(|k| Estimator { id: format!("pass-at-{k}"), kind: EstimatorKind::PassAtK, k: Some(k), headline: k == 1 })
        .collect()
}

/// Whether a line is a sample and nothing more particular: results of papers carry their problem with them.
fn is_sample(object: &Value) -> bool {
    let has = |name: &str| object.get(name).is_some();
    let text = |name: &str| object.get(name).is_some_and(|value| value.as_text().is_some());
    has("task_id") && (text("completion") || has("passed") && text("solution")) && !has("test") && !has("is_solved")
}

/// What a pass over a file of samples finds. The whole file is looked at, because lines of one problem may stand far
/// apart, and another model may follow the first.
#[derive(Default)]
struct Found {
    /// Models that lines name.
    models: BTreeSet<String>,
    /// The largest number of lines of one problem and model.
    samples: u32,
}

impl Found {
    fn of(listing: &Listing<'_>, path: &str) -> Self {
        let mut found = Self::default();
        let mut counts: BTreeMap<(Option<String>, String), u32> = BTreeMap::new();
        each(listing.source(), path, &mut Quiet, &mut |object, _, _| {
            let model = first(&object, MODELS).and_then(Value::as_text);
            if let Some(model) = model.filter(|model| !found.models.contains(*model)) {
                found.models.insert(model.to_owned());
            }
            if let Some(id) = first(&object, problems::IDS).and_then(id) {
                let count = counts.entry((model.map(str::to_owned), id)).or_default();
                *count += 1;
                found.samples = found.samples.max(*count);
            }
        });
        found
    }
}

/// Folder and name of a configuration: results and summaries of one have the same.
fn key(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{}", arm(path)),
        None => arm(path),
    }
}

/// Turns keys into names: the last part where that tells them apart, else what tells the whole keys apart.
fn name(parts: &mut [Part]) {
    let keys: BTreeSet<String> = parts.iter().filter_map(|part| part.arm.clone()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let short: Vec<String> = keys.iter().map(|key| key.rsplit('/').next().unwrap_or(key).to_owned()).collect();
    let unique = short.iter().collect::<BTreeSet<_>>().len() == short.len();
    let names = if unique { short } else { super::names::whole(&keys) };
    let named: BTreeMap<String, String> = keys.iter().map(|key| (*key).to_owned()).zip(names).collect();
    for part in parts {
        part.arm = part.arm.take().and_then(|key| named.get(&key).cloned());
    }
}

/// Name of a configuration from the name of its file: `samples_X.jsonl_results.jsonl` is X.
fn arm(path: &str) -> String {
    let file = unpacked(path);
    let mut name = file.rsplit('/').next().unwrap_or(file);
    for ending in [".csv", ".jsonl", ".ndjson", "_passk_results", "_results", ".jsonl"] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    let short = name.strip_prefix("samples_").unwrap_or(name);
    if short.is_empty() { name.to_owned() } else { short.to_owned() }
}

/// Reads one file of samples.
fn results(request: &Request<'_>, experiment: &Experiment, file: &FilePart, sink: &mut dyn Sink) {
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    let mut unjudged = 0usize;
    each(request.source, &file.path, sink, &mut |object, place, sink| {
        let model = first(&object, MODELS).and_then(Value::as_text);
        let configuration = match (&file.configuration, model) {
            (Some(configuration), model) => {
                let alias = |name: &str| {
                    let known = request.study.configurations.iter().find(|c| c.key == *configuration);
                    known.is_some_and(|c| c.name == name || c.aliases.iter().any(|alias| alias == name))
                };
                if let Some(model) = model.filter(|model| *model != configuration.as_str() && !alias(model)) {
                    *others.entry(model.to_owned()).or_default() += 1;
                }
                configuration.clone()
            }
            (None, Some(model)) => ConfigKey::from(model),
            (None, None) => {
                return sink.finding(Finding::new("bad-record", place, "it names no model, and neither does its file"));
            }
        };
        if !request.wants(&experiment.id, &configuration) {
            return;
        }
        let Some(id) = first(&object, problems::IDS).and_then(id) else {
            return sink.finding(Finding::new("bad-record", place, "it has no task_id"));
        };
        let place = place.with_subject(id.as_str());
        let sample = sink.sample(&experiment.id, &configuration, &id);
        let mut record = Record { sample, ..Record::blank(ProblemId::from(id)) };
        let status = mark(&object, &mut record, &place, sink);
        unjudged += usize::from(status == Status::NotGraded);
        record.verdicts.push(Verdict { judge: "".into(), environment: None, status, inferred: false });
        let program = first(&object, PROGRAMS).and_then(Value::as_text);
        record.attempts = program.map(|program| vec![attempt(program, record.passed)]);
        let texts: Vec<AttemptText<'_>> = program
            .map(|program| AttemptText { response: program.into(), ..AttemptText::default() })
            .into_iter()
            .collect();
        let run = file.run.unwrap_or(sample + 1);
        sink.record(RunKey { experiment: experiment.id.clone(), configuration, run }, record, &texts, place);
    });
    for (model, lines) in others {
        let configuration = file.configuration.as_ref().map_or("", ConfigKey::as_str);
        let message = format!("{lines} lines say they are of {model}, the study says the file is of {configuration}");
        sink.finding(Finding::new("identity-differs", Place::file(&file.path), message));
    }
    if unjudged > 0 {
        let message = format!("{unjudged} records hold a program and no verdict; they enter no rate");
        sink.finding(Finding::new("not-recorded", Place::file(&file.path), message));
    }
}

/// The mark of a line into its record.
fn mark(object: &Object, record: &mut Record, place: &Place, sink: &mut dyn Sink) -> Status {
    record.passed = match object.get("passed") {
        Some(Value::Bool(passed)) => Some(*passed),
        None | Some(Value::Null) => None,
        Some(_) => {
            sink.finding(Finding::new("bad-member", place.clone(), "its passed is neither true nor false"));
            None
        }
    };
    let result = object.get("result").and_then(Value::as_text);
    let said = result.map(|text| match text.trim() {
        "passed" => Status::Pass,
        "timed out" | "timeout" => Status::Timeout,
        _ => Status::Fail,
    });
    record.failed_reason = result
        .filter(|_| said != Some(Status::Pass))
        .map(|text| excerpt(text.strip_prefix("failed:").unwrap_or(text).trim()))
        .filter(|text| !text.is_empty());
    if let (Some(passed), Some(said)) = (record.passed, said)
        && said.passed() != Some(passed)
    {
        let message = format!("passed is {passed} and result is {:?}; passed is used", result.unwrap_or_default());
        sink.finding(Finding::new("marks-differ", place.clone(), message));
    }
    match (record.passed, said) {
        (Some(true), _) => Status::Pass,
        (Some(false), Some(Status::Timeout)) => Status::Timeout,
        (Some(false), _) => Status::Fail,
        (None, _) => Status::NotGraded,
    }
}

/// One call with a program as its answer.
pub(super) fn attempt(program: &str, passed: Option<bool>) -> Attempt {
    let outcome = if passed.is_some() { AttemptOutcome::Graded } else { AttemptOutcome::Unknown };
    Attempt { outcome, usage: None, response_bytes: program.len() as u64, has_reasoning: false }
}

#[cfg(test)]
mod tests;
