//! Results and samples of lm-evaluation-harness.
//!
//! An experiment per task, a configuration per model; a results file without samples states numbers that nothing here can
//! count again. See `docs/formats/lm-eval.md`.

mod read;
mod results;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use self::results::{Results, judge};
use super::declared::{configuration, experiment, set};
use super::{About, Declared, Fit, Format, Guess, Listing, Part, Request, Sink, arms, identity, study};
use crate::json::Object;
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct LmEval;

const ID: &str = "lm-eval";

const RESULTS: &str = "results";
const SAMPLES: &str = "samples";
/// A results file of which some tasks have no samples at all.
const NUMBERS: &str = "numbers";

static ABOUT: About = About {
    title: "lm-evaluation-harness results and samples",
    reads: "`results*.json` (numbers per task, metric and filter, counts of documents) and `samples_*.jsonl` (a line per \
            document and filter), of all versions since 2022.",
    cannot_check: "Metrics are not computed again, save exact matches without options. Standard errors are not counted again. \
                   Where samples are cut or absent, numbers have no recount.",
};

impl Format for LmEval {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts = Vec::new();
        for path in listing.ending(&[".json"]) {
            let members = listing.members(path);
            let has = |name: &str| members.iter().any(|member| member == name);
            if has("results") && has("versions") && (has("config") || has("configs")) {
                parts.push(Part { path: path.to_owned(), role: RESULTS, arm: None });
            }
        }
        let found = parts.len();
        for path in listing.ending(&[".jsonl"]) {
            let named = path.rsplit('/').next().is_some_and(|name| name.contains("samples_"));
            let sample = listing.objects(path, 1).first().is_some_and(samples::is_sample);
            let pointer = listing.head(path).starts_with(b"version https://git-lfs.github.com/spec/");
            if sample || (named && pointer && found > 0) {
                parts.push(Part { path: path.to_owned(), role: SAMPLES, arm: None });
            }
        }
        let reason = format!(
            "{found} files have results, versions and config; {} have documents with filtered answers",
            parts.len() - found
        );
        (!parts.is_empty()).then_some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let of = |role: &str| {
            guess.parts.iter().filter(|part| part.role == role).map(|part| part.path.as_str()).collect::<Vec<_>>()
        };
        let results: Vec<(&str, Results)> = of(RESULTS)
            .into_iter()
            .filter_map(|path| {
                let value = listing.value(path, u64::MAX)?;
                Some((path, results::results(value.as_object().unwrap_or(&Object::default()))))
            })
            .collect();
        declare(&results, &of(SAMPLES), listing)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        read::read(request, sink);
    }
}

/// Folder of a path.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Configurations of results files: the model, where each file is of another one; else what tells their paths apart, and
/// for several files of one model in one folder the later one too, with its time.
fn owners(results: &[(&str, Results)]) -> Vec<String> {
    let models: Vec<&str> = results.iter().map(|(_, results)| results.model.as_deref().unwrap_or("")).collect();
    let distinct: BTreeSet<&str> = models.iter().copied().collect();
    if distinct.len() == models.len() && !distinct.contains("") {
        return models.into_iter().map(str::to_owned).collect();
    }
    let paths: Vec<&str> = results.iter().map(|(path, _)| *path).collect();
    arms(&paths)
}

/// The results file that samples belong to: of the same time and folder, else the only one of the folder.
fn owner(path: &str, results: &[(&str, Results)]) -> Option<usize> {
    let near: Vec<usize> = (0..results.len()).filter(|&at| folder(results[at].0) == folder(path)).collect();
    let time = samples::time_in(path);
    let same = near.iter().copied().find(|&at| time.is_some() && samples::time_in(results[at].0) == time);
    same.or_else(|| if near.len() == 1 { near.first().copied() } else { None })
}

fn declare(results: &[(&str, Results)], sample_paths: &[&str], listing: &Listing<'_>) -> Declared {
    let names = owners(results);
    let mut declared =
        study(identity("lm-eval-results", "lm-evaluation-harness results", "Results of the lm-evaluation-harness."));
    // Samples by task and configuration; results by task.
    let mut tasks: BTreeMap<String, (Vec<FilePart>, BTreeSet<String>)> = BTreeMap::new();
    let part = |path: &str, key: &str, role: &str| FilePart {
        path: path.to_owned(),
        configuration: Some(key.into()),
        run: None,
        role: Some(role.to_owned()),
    };
    let mut keys: Vec<String> = Vec::new();
    for ((path, read), name) in results.iter().zip(&names) {
        for task in read.tasks.keys() {
            let known = tasks.entry(task.clone()).or_default();
            known.0.push(part(path, name, RESULTS));
            known.1.insert(name.clone());
        }
        if !keys.contains(name) {
            keys.push(name.clone());
        }
    }
    let mut judges: Vec<String> = Vec::new();
    for path in sample_paths {
        let task = samples::task_of(path).unwrap_or("samples").to_owned();
        let named =
            || folder(path).rsplit('/').next().filter(|name| !name.is_empty()).map(|name| name.replacen("__", "/", 1));
        let key = match owner(path, results) {
            Some(at) => names[at].clone(),
            None => named().unwrap_or_else(|| "model".to_owned()),
        };
        let known = tasks.entry(task).or_default();
        known.0.push(part(path, &key, SAMPLES));
        known.1.insert(key.clone());
        if !keys.contains(&key) {
            keys.push(key);
        }
        if let Some(Ok(first)) = listing.objects(path, 1).first().map(samples::sample) {
            judges.extend(first.values.iter().map(|(metric, _)| judge(metric, first.filter.as_deref())));
        }
    }
    // Tasks of which only numbers are archived are one part of the study: there is nothing else to say of each.
    let sampled = |files: &[FilePart]| files.iter().any(|file| file.role.as_deref() == Some(SAMPLES));
    let bare = tasks.values().any(|(files, _)| !sampled(files));
    for (task, (files, owners)) in tasks {
        if !sampled(&files) {
            continue;
        }
        declared.sets.push(set(&task, &task, "", ID));
        let mut own = experiment(&task, &task, ID);
        own.labels = label("protocol", "direct");
        own.samples = false;
        own.condition = Some(task.clone());
        own.files = files;
        own.configurations = owners.iter().map(|key| key.as_str().into()).collect();
        declared.experiments.push(own);
    }
    if bare {
        declared.sets.push(set("numbers", "Tasks without samples", "", ID));
        let mut own = experiment("numbers", "numbers", ID);
        own.labels = label("protocol", "direct");
        own.condition = Some("numbers".to_owned());
        own.optional = true;
        own.files = results.iter().zip(&names).map(|((path, _), name)| part(path, name, NUMBERS)).collect();
        own.configurations = names.iter().collect::<BTreeSet<_>>().into_iter().map(|key| key.as_str().into()).collect();
        declared.experiments.push(own);
    }
    declared.configurations = keys.iter().map(|key| configuration(key)).collect();
    let stated = results.iter().flat_map(|(_, read)| read.tasks.values()).flat_map(|task| &task.stated);
    judges.extend(stated.map(|one| judge(&one.metric, one.filter.as_deref())));
    let mut seen = BTreeSet::new();
    judges.retain(|judge| seen.insert(judge.clone()));
    declared.judges = judges
        .iter()
        .enumerate()
        .map(|(at, id)| Judge { id: id.clone(), title: id.clone(), headline: at == 0, rule: None })
        .collect();
    declared.estimators =
        vec![Estimator { id: "mean".to_owned(), kind: EstimatorKind::Score, k: None, headline: true }];
    let assumed =
        vec!["the first metric under the first filter of a task decides whether an answer is right".to_owned()];
    Declared { study: declared, assumed }
}
