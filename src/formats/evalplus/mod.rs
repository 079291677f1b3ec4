//! EvalPlus results: verdicts of the base tests and of the extended ones, in two schemas.
//!
//! New: `{date, hash, eval: {task: [{solution, base_status, plus_status, ...}]}}`. Old: `{date, hash, eval: {task:
//! {nfiles, base: [[status, details]], plus: [...]}}}`, with the programs in a samples file beside it. A sample passes the
//! extended tests only when it passes the base tests too. BigCodeBench writes the new schema with one suite, `status`, and its
//! pass@k into a file beside it.

mod arm;
mod recognise;
mod samples;

use std::collections::BTreeMap;

use self::arm::Arm;
use self::recognise::{Suites, first_id, is_samples, is_summary, most_samples, stem, suites};
use super::declared::{Declared, compare_judges, configuration, experiment, identity, set, study};
use super::guess::{Fit, Guess, Near, Part};
use super::listing::Listing;
use super::sink::{Request, Sink};
use super::{About, Format, names, problems};
use crate::id::ConfigKey;
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge};

const ID: &str = "evalplus";

/// Results of EvalPlus, both schemas.
pub(super) struct EvalPlus;

impl Format for EvalPlus {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &About {
            title: "EvalPlus results",
            reads: "*_eval_results.json in both schemas, with the samples file beside it; base and extended verdicts of \
                    every sample, and stored pass_at_k; results of BigCodeBench, which have one suite.",
            cannot_check: "The extended tests are not stored, only a hash of them, so their verdicts are counted and not \
                           executed again; base verdicts are, where a problem file is beside.",
        }
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let mut parts: Vec<Part> = Vec::new();
        for path in listing.ending(&[".json"]) {
            if suites(listing, path).is_some() {
                parts.push(Part { path: path.to_owned(), role: "results", arm: Some(stem(path)) });
            }
        }
        if parts.is_empty() {
            return None;
        }
        let results: Vec<String> = parts.iter().filter_map(|part| part.arm.clone()).collect();
        for path in listing.ending(&[".json"]).filter(|path| is_summary(listing, path)) {
            let stem = stem(path);
            if results.contains(&stem) {
                parts.push(Part { path: path.to_owned(), role: "summary", arm: Some(stem) });
            }
        }
        for path in listing.ending(&[".jsonl"]) {
            let stem = stem(path);
            if problems::is_problems(listing, path) {
                parts.push(Part { path: path.to_owned(), role: "problems", arm: None });
            } else if results.contains(&stem) && is_samples(listing, path) {
                parts.push(Part { path: path.to_owned(), role: "samples", arm: Some(stem) });
            }
        }
        let reason = format!("{} files with eval and verdicts of its tests", results.len());
        Some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn near(&self, listing: &Listing<'_>) -> Option<Near> {
        let near = |path: &str| {
            let members = listing.members(path);
            let missing = if members.iter().any(|name| name == "eval") {
                "base_status, base or status inside eval"
            } else if members.iter().any(|name| name == "hash") && members.iter().any(|name| name == "date") {
                "the member eval"
            } else {
                return None;
            };
            Some(Near { format: ID, share: 60, path: path.to_owned(), missing: missing.to_owned() })
        };
        listing.ending(&[".json"]).find_map(near)
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let results: Vec<&Part> = guess.parts.iter().filter(|part| part.role == "results").collect();
        let two = results.iter().any(|part| suites(listing, &part.path) == Some(Suites::Two));
        let mut assumed = vec!["one configuration per results file, named after it".to_owned()];
        if two {
            assumed.push("the base tests are the headline; plus means base and plus".to_owned());
        }
        let mut by_set: BTreeMap<String, Vec<&Part>> = BTreeMap::new();
        for part in results {
            let family = first_id(listing, &part.path).and_then(|id| problems::family(&id).map(str::to_owned));
            by_set.entry(family.unwrap_or_else(|| "problems".to_owned())).or_default().push(part);
        }
        let title = by_set.keys().cloned().collect::<Vec<_>>().join(", ");
        let about = format!("EvalPlus results of {title}: base and extended tests.");
        let mut study = study(identity(&title, &format!("{title} results (EvalPlus)"), &about));
        for (name, parts) in &by_set {
            let beside = guess.parts.iter().filter(|part| part.role == "problems").find(|part| {
                let ids = problems::ids(listing.source(), &part.path);
                ids.first().and_then(|id| problems::family(id)) == Some(name)
            });
            if beside.is_none() {
                assumed.push(format!("the problems of {name} are those that results name: no problem file is here"));
            }
            study.sets.push(set(name, name, beside.map_or("", |part| &part.path), ID));
            let mut experiment = experiment(&super::slug(name), name, ID);
            let stems: Vec<&str> = parts.iter().filter_map(|part| part.arm.as_deref()).collect();
            for (part, arm) in parts.iter().zip(names::arms(&stems)) {
                experiment.runs = experiment.runs.max(most_samples(listing, &part.path));
                let arm = &arm;
                if study.configurations.iter().all(|known| known.key.as_str() != arm) {
                    study.configurations.push(configuration(arm));
                }
                experiment.configurations.push(ConfigKey::from(arm.as_str()));
                let configuration = Some(ConfigKey::from(arm.as_str()));
                let file = |path: &str, role: Option<&str>| FilePart {
                    path: path.to_owned(),
                    configuration: configuration.clone(),
                    run: None,
                    role: role.map(str::to_owned),
                };
                experiment.files.push(file(&part.path, None));
                let samples = guess.parts.iter().find(|other| other.role == "samples" && other.arm == part.arm);
                experiment.files.extend(samples.map(|samples| file(&samples.path, Some("samples"))));
                let summary = guess.parts.iter().find(|other| other.role == "summary" && other.arm == part.arm);
                experiment.files.extend(summary.map(|summary| file(&summary.path, Some("summary"))));
            }
            study.experiments.push(experiment);
        }
        let judge = |id: &str, title: &str, headline, rule: &str| Judge {
            id: id.to_owned(),
            title: title.to_owned(),
            headline,
            rule: Some(rule.to_owned()),
        };
        study.judges = if two {
            vec![
                judge("base", "Base tests", true, "base_status is pass"),
                judge("plus", "Base and extended tests", false, "base_status and plus_status are pass"),
            ]
        } else {
            vec![judge("base", "Tests", true, "status is pass")]
        };
        let most = study.experiments.iter().map(|experiment| experiment.runs).max().unwrap_or(1);
        let ks = [1, 10, 100].into_iter().filter(|k| *k <= most);
        study.estimators = ks
            .map(|k| Estimator {
                id: format!("pass-at-{k}"),
                kind: EstimatorKind::PassAtK,
                k: Some(k),
                headline: k == 1,
            })
            .collect();
        compare_judges(&mut study);
        Declared { study, assumed }
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        for set in request.sets.iter().filter(|set| !set.path.is_empty()) {
            problems::read(request.source, &set.path, &set.id, sink);
        }
        for experiment in &request.experiments {
            for file in experiment.files.iter().filter(|file| file.role.is_none()) {
                let Some(configuration) = &file.configuration else {
                    let message = "its configuration is not declared, and the file does not name one";
                    sink.finding(Finding::new("bad-run", Place::file(&file.path), message));
                    continue;
                };
                if request.wants(&experiment.id, configuration) {
                    let samples = experiment.files.iter().find(|other| {
                        other.role.as_deref() == Some("samples") && other.configuration.as_ref() == Some(configuration)
                    });
                    Arm::new(request, experiment, configuration, &file.path).read(samples, sink);
                    let beside = experiment.files.iter().find(|other| {
                        other.role.as_deref() == Some("summary") && other.configuration.as_ref() == Some(configuration)
                    });
                    if let Some(summary) = beside.filter(|_| request.selection.only.is_none()) {
                        Arm::new(request, experiment, configuration, &summary.path).stated(sink);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
