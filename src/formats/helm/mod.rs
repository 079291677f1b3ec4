//! Run folders of HELM: `run_spec.json`, `scenario_state.json`, `per_instance_stats.json`, `stats.json`.
//!
//! A run is one scenario asked of one model: an experiment per scenario with its arguments, a configuration per model, a
//! run per trial. See `docs/formats/helm.md`.

mod metrics;
mod read;
mod stats;

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{configuration, experiment, set};
use super::{About, Declared, Fit, Format, Guess, Listing, Part, Request, Sink, identity, study};
use crate::json::{Number, Value};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct Helm;

const ID: &str = "helm";

/// Largest run specification that is read.
const LARGEST: u64 = 64 << 20;

static ABOUT: About = About {
    title: "HELM run folders",
    reads: "Folders with `run_spec.json`, `stats.json`, and where present `scenario_state.json` (instances, requests, \
            completions) and `per_instance_stats.json` (values per instance, split, perturbation and trial).",
    cannot_check: "Metrics that need more than two texts (likelihoods, similarity, toxicity, efficiency) are not derived again; \
                   the exact matches are. Numbers made of totals are not counted again.",
};

impl Format for Helm {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts = Vec::new();
        let paths: BTreeSet<&str> = listing.entries().iter().map(|entry| entry.path.as_str()).collect();
        for path in listing.ending(&["run_spec.json"]) {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let beside = |name: &str| {
                let plain = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                paths.contains(plain.as_str()) || paths.contains(format!("{plain}.gz").as_str())
            };
            let told = ["stats.json", "per_instance_stats.json", "scenario_state.json"].into_iter().any(beside);
            if told && listing.members(path).iter().any(|name| name == "adapter_spec") {
                let path = if folder.is_empty() { String::new() } else { format!("{folder}/") };
                parts.push(Part { path, role: "run", arm: None });
            }
        }
        let reason = format!("{} folders hold run_spec.json with an adapter_spec beside stats or states", parts.len());
        (!parts.is_empty()).then_some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let mut runs: Vec<Run> = guess.parts.iter().filter_map(|part| Run::of(listing, &part.path)).collect();
        runs.sort_by(|a, b| (&a.scenario, &a.model, &a.folder).cmp(&(&b.scenario, &b.model, &b.folder)));
        declare(&runs)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        for experiment in &request.experiments {
            let mut told = BTreeSet::new();
            for part in &experiment.files {
                if let Some(key) = part.configuration.as_ref().filter(|key| request.wants(&experiment.id, key)) {
                    read::read(request, experiment, key, part, &mut told, sink);
                }
            }
        }
    }
}

/// What matters of a run for a declaration.
struct Run {
    folder: String,
    scenario: String,
    model: String,
    trials: u32,
    metrics: Vec<String>,
}

/// Names of the metrics that a specification asks for by name, in order.
fn named_metrics(spec: &Value) -> Vec<String> {
    let specs = spec.get("metric_specs").and_then(Value::as_list).unwrap_or_default();
    let names = specs.iter().filter_map(|spec| spec.get("args")?.get("names")?.as_list());
    let mut all: Vec<String> = Vec::new();
    for name in names.flatten().filter_map(Value::as_text) {
        if !all.iter().any(|known| known == name) {
            all.push(name.to_owned());
        }
    }
    all
}

impl Run {
    fn of(listing: &Listing<'_>, folder: &str) -> Option<Self> {
        let packed = listing.entries().iter().any(|entry| entry.path == format!("{folder}run_spec.json.gz"));
        let path = if packed { format!("{folder}run_spec.json.gz") } else { format!("{folder}run_spec.json") };
        let spec = listing.value(&path, LARGEST)?;
        let adapter = spec.get("adapter_spec");
        let text = |name: &str| adapter.and_then(|adapter| adapter.get(name)).and_then(Value::as_text);
        let name = spec.get("name").and_then(Value::as_text).unwrap_or("scenario");
        let model = text("model").or_else(|| text("model_deployment")).map(str::to_owned);
        let trials = adapter.and_then(|adapter| adapter.get("num_train_trials")).and_then(Value::as_number);
        Some(Self {
            folder: folder.to_owned(),
            scenario: scenario(name),
            model: model.or_else(|| argument(name, "model")).unwrap_or_else(|| "model".to_owned()),
            trials: trials.and_then(Number::as_u64).and_then(|n| u32::try_from(n).ok()).unwrap_or(1).clamp(1, 10_000),
            metrics: named_metrics(&spec),
        })
    }
}

/// Name of a run without the arguments that name the model.
fn scenario(name: &str) -> String {
    let Some((scenario, arguments)) = name.split_once(':') else { return name.to_owned() };
    let kept: Vec<&str> = arguments
        .split(',')
        .filter(|argument| !argument.starts_with("model=") && !argument.starts_with("model_deployment="))
        .collect();
    if kept.is_empty() { scenario.to_owned() } else { format!("{scenario}:{}", kept.join(",")) }
}

fn argument(name: &str, wanted: &str) -> Option<String> {
    let (_, arguments) = name.split_once(':')?;
    arguments.split(',').find_map(|argument| argument.strip_prefix(wanted)?.strip_prefix('=')).map(str::to_owned)
}

fn declare(runs: &[Run]) -> Declared {
    let mut groups: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    runs.iter().for_each(|run| groups.entry(&run.scenario).or_default().push(run));
    let mut declared = study(identity("helm-runs", "HELM runs", "Runs of the Holistic Evaluation of Language Models."));
    let mut keys = BTreeSet::new();
    for (scenario, members) in &groups {
        declared.sets.push(set(scenario, scenario, "", ID));
        let mut own = experiment(scenario, scenario, ID);
        own.labels = label("protocol", "direct");
        own.condition = (groups.len() > 1).then(|| (*scenario).to_owned());
        let mut next: BTreeMap<&str, u32> = BTreeMap::new();
        for run in members {
            let first = next.entry(&run.model).or_insert(1);
            own.files.push(FilePart {
                path: format!("{}run_spec.json", run.folder),
                configuration: Some(run.model.as_str().into()),
                run: Some(*first),
                role: Some("run".to_owned()),
            });
            *first += run.trials;
            own.runs = own.runs.max(*first - 1);
            if keys.insert(run.model.clone()) {
                declared.configurations.push(configuration(&run.model));
            }
        }
        own.configurations = next.keys().map(|model| (*model).into()).collect();
        declared.experiments.push(own);
    }
    let mut judges: Vec<&str> = Vec::new();
    for name in runs.iter().flat_map(|run| &run.metrics) {
        if !judges.contains(&name.as_str()) {
            judges.push(name);
        }
    }
    // An exact match is what everybody means by right; it comes first where it is among the metrics.
    judges.sort_by_key(|name| *name != "exact_match");
    declared.judges = judges
        .iter()
        .enumerate()
        .map(|(at, name)| Judge { id: (*name).to_owned(), title: (*name).to_owned(), headline: at == 0, rule: None })
        .collect();
    declared.estimators =
        vec![Estimator { id: "mean".to_owned(), kind: EstimatorKind::Score, k: None, headline: true }];
    let assumed =
        vec!["exact_match decides whether an answer is right, where the run has it, else its first metric".to_owned()];
    Declared { study: declared, assumed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_a_run_without_its_model() {
        assert_eq!(
            scenario("mmlu:subject=philosophy,method=joint,model=openai_gpt2"),
            "mmlu:subject=philosophy,method=joint"
        );
        assert_eq!(scenario("narrative_qa:model=openai_gpt2"), "narrative_qa");
        assert_eq!(scenario("plain"), "plain");
        assert_eq!(argument("a:b=1,model=x_y", "model").as_deref(), Some("x_y"));
    }
}
