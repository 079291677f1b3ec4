//! Logs of Inspect evaluations, `.eval` (a zip) and `.json`.
//!
//! An evaluation is one task asked of one model: an experiment per task and list of samples, a configuration per
//! model, a run per epoch. See `docs/formats/inspect.md`.

mod container;
mod directory;
mod header;
mod log;
mod read;
mod reduce;
mod rules;
mod sample;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use self::log::Log;
use super::declared::{configuration, experiment, set};
use super::{About, Declared, Fit, Format, Guess, Listing, Part, Request, Sink, identity, study};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct Inspect;

const ID: &str = "inspect";

static ABOUT: About = About {
    title: "Inspect evaluation logs",
    reads: "`.eval` files (deflate and zstd entries) and `.json` logs: samples with epochs, scores of every scorer, \
            results and reductions.",
    cannot_check: "Scores given by a model or by code cannot be derived again, and tools and sandboxes are not replayed; \
                   `match`, `includes` and `choice` are graded again where answer and target are stored.",
};

impl Format for Inspect {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let zips = listing.ending(&[".eval"]).filter(|path| directory::is_container(&listing.head(path)));
        let documents = listing.ending(&[".json"]).filter(|path| {
            let members = listing.members(path);
            ["status", "eval"].iter().all(|wanted| members.iter().any(|name| name == wanted))
        });
        let mut paths: Vec<&str> = zips.chain(documents).collect();
        paths.sort_unstable();
        let parts: Vec<Part> =
            paths.iter().map(|path| Part { path: (*path).to_owned(), role: "log", arm: None }).collect();
        let reason = format!("{} files are logs with `status` and `eval`, or zips that end with .eval", parts.len());
        (!parts.is_empty()).then_some(Guess { format: ID, fit: Fit::Certain, reason, parts })
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        let mut logs: Vec<Known> = Vec::new();
        for part in &guess.parts {
            // What is wrong with a log is told when it is read.
            if let Some(log) = log::open(listing.source(), &part.path, &mut |_| {}) {
                logs.push(Known::of(&part.path, &log));
            }
        }
        logs.sort_by(|a, b| (&a.task, &a.created, &a.path).cmp(&(&b.task, &b.created, &b.path)));
        declare(&logs)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        read::read(request, sink);
    }
}

/// What matters of a log for a declaration.
struct Known {
    path: String,
    task: String,
    model: String,
    created: String,
    identity: (String, String),
    items: Vec<String>,
    /// It holds at least one sample.
    recorded: bool,
    /// Number of samples its results are about, for logs without any.
    total: Option<u64>,
    epochs: u32,
    judges: Vec<String>,
    reducers: Vec<String>,
}

impl Known {
    fn of(path: &str, log: &Log) -> Self {
        let header = &log.header;
        let mut judges: Vec<String> = header.scorers.iter().map(|(name, _)| name.clone()).collect();
        if let Some(results) = &header.results {
            judges.extend(results.scores.iter().map(|scores| scores.judge.clone()));
        }
        let named = |text: &str, otherwise: &str| if text.is_empty() { otherwise.to_owned() } else { text.to_owned() };
        Self {
            path: path.to_owned(),
            task: named(&header.task, "task"),
            model: named(&header.model, "model"),
            created: header.created.clone(),
            identity: header.identity.clone(),
            items: log.items(),
            recorded: log.has_samples(),
            total: header.results.as_ref().and_then(|results| results.total),
            epochs: header.epochs,
            judges,
            reducers: header.reducers.clone(),
        }
    }
}

/// Logs that asked the same samples of one task are one experiment; a model's logs of it are its runs, in the order
/// in which they began.
fn declare(logs: &[Known]) -> Declared {
    let mut groups: BTreeMap<(&str, &[String], Option<u64>), Vec<&Known>> = BTreeMap::new();
    for log in logs {
        let total = log.total.filter(|_| log.items.is_empty());
        groups.entry((log.task.as_str(), log.items.as_slice(), total)).or_default().push(log);
    }
    let mut declared = study(identity("inspect-evaluations", "Inspect evaluations", "Evaluations logged by Inspect."));
    let mut keys = BTreeSet::new();
    let mut ids = BTreeSet::new();
    let tasks: Vec<&str> = groups.keys().map(|(task, ..)| *task).collect();
    for ((task, items, total), members) in &groups {
        let alone = tasks.iter().filter(|other| *other == task).count() == 1;
        let size = total.unwrap_or(items.len() as u64);
        let name = if alone {
            (*task).to_owned()
        } else {
            format!("{task} ({size} {})", if size == 1 { "sample" } else { "samples" })
        };
        let id = (1..=u32::MAX)
            .map(|n| if n == 1 { name.clone() } else { format!("{name} {n}") })
            .find(|id| ids.insert(id.clone()))
            .unwrap_or(name);
        declared.sets.push(set(&id, &id, "", ID));
        let mut own = experiment(&id, &id, ID);
        own.labels = label("protocol", "direct");
        own.condition = (groups.len() > 1).then(|| id.clone());
        let mut next: BTreeMap<&str, u32> = BTreeMap::new();
        let mut seen: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
        for log in members {
            let key = (log.identity.0.as_str(), log.identity.1.as_str(), log.model.as_str());
            let twin = seen.get(&key).copied().filter(|_| !key.0.is_empty() || !key.1.is_empty());
            let run = twin.unwrap_or_else(|| {
                let next = next.entry(&log.model).or_insert(1);
                let run = *next;
                *next += log.epochs;
                run
            });
            seen.insert(key, run);
            own.runs = own.runs.max(run + log.epochs - 1);
            own.files.push(FilePart {
                path: log.path.clone(),
                configuration: Some(log.model.as_str().into()),
                run: Some(run),
                role: None,
            });
            if keys.insert(log.model.clone()) {
                declared.configurations.push(configuration(&log.model));
            }
        }
        // Logs without samples keep their numbers only; that is told where they are read.
        own.optional = !members.iter().any(|log| log.recorded);
        own.configurations = next.keys().map(|model| (*model).into()).collect();
        declared.experiments.push(own);
    }
    let mut judges: Vec<&str> = Vec::new();
    for judge in logs.iter().flat_map(|log| &log.judges) {
        if !judge.is_empty() && !judges.contains(&judge.as_str()) {
            judges.push(judge);
        }
    }
    declared.judges = judges
        .iter()
        .enumerate()
        .map(|(at, judge)| Judge { id: (*judge).to_owned(), title: (*judge).to_owned(), headline: at == 0, rule: None })
        .collect();
    declared.estimators =
        vec![Estimator { id: "mean".to_owned(), kind: EstimatorKind::Score, k: None, headline: true }];
    let mut assumed =
        vec!["the first scorer of a log decides whether a sample passed; partial credit is no pass".to_owned()];
    if logs.iter().any(|log| log.reducers != ["mean"]) {
        assumed.push(
            "statistics over epochs take means; the reducers of the logs are used for their own numbers".to_owned(),
        );
    }
    Declared { study: declared, assumed }
}
