//! Trajectories of tau-bench: a list of trials, each with a reward; 1 is a pass.
//!
//! Trials of a task are its samples, so pass^k, the probability that all of k trials pass, is a mean over tasks of
//! C(c, k)/C(n, k). See `docs/formats/tau-bench.md`.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{configuration, experiment, set};
use super::items::{self, Item};
use super::lists::{self, Asked};
use super::{About, Declared, Format, Guess, Listing, Part, Request, Sink, arms, identity, study};
use crate::archive::{AttemptText, Record, RunKey, Status};
use crate::corpus::Problem;
use crate::id::ProblemId;
use crate::json::{Number, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct TauBench;

const ID: &str = "tau-bench";

/// Name of the one judge.
const JUDGE: &str = "reward";

static ABOUT: About = About {
    title: "tau-bench trajectories",
    reads: "Lists of trials with task, trial, reward, conversation and the actions expected.",
    cannot_check: "Rewards are not derived again: that needs the databases and the tools of the domain. The conversation is \
                   kept as text.",
};

/// Largest number of trials of a task; a trial is a run, and no study has more.
const MOST_TRIALS: u64 = 10_000;

impl Format for TauBench {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, listing: &Listing<'_>) -> Option<Guess> {
        let paths = lists::files(listing, is_trial);
        let names = arms(&paths);
        lists::guess(ID, "trials", &paths, names, "trials with task_id, trial, reward and traj")
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        declare(listing, &guess.parts)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        lists::read(request, sink, read);
    }
}

fn is_trial(value: &Value) -> bool {
    ["task_id", "reward", "trial"].iter().all(|name| value.get(name).is_some())
}

/// Domains of the benchmark are told by the names of files; files of one domain are one experiment.
fn declare(listing: &Listing<'_>, parts: &[Part]) -> Declared {
    let mut groups: BTreeMap<&str, Vec<(&Part, u32)>> = BTreeMap::new();
    for part in parts {
        let arm = part.arm.as_deref().unwrap_or(ID);
        let domain = ["airline", "retail", "telecom"].into_iter().find(|domain| arm.contains(domain)).unwrap_or(ID);
        let mut trials = BTreeSet::new();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        items::look(listing.source(), &part.path, &[], &mut |item| {
            if let Item::Element(_, _, value) = item {
                trials.extend(value.get("trial").and_then(Value::as_number).and_then(Number::as_u64));
                if let Some(id) = value.get("task_id").and_then(task) {
                    *counts.entry(id).or_default() += 1;
                }
            }
        });
        let most = trials.last().map_or(0, |last| last.saturating_add(1)).min(MOST_TRIALS) as u32;
        let most = most.max(counts.values().copied().max().unwrap_or(1)).min(MOST_TRIALS as u32);
        groups.entry(domain).or_default().push((part, most));
    }
    let mut declared = study(identity(ID, "tau-bench", "Trials of agents that talk to users and call tools."));
    let mut keys = BTreeSet::new();
    let mut most = 1;
    for (domain, members) in &groups {
        declared.sets.push(set(domain, domain, "", ID));
        let mut own = experiment(domain, domain, ID);
        own.labels = label("protocol", "direct");
        own.condition = (groups.len() > 1).then(|| (*domain).to_owned());
        for (part, trials) in members {
            let arm = part.arm.as_deref().unwrap_or(ID);
            own.runs = own.runs.max(*trials);
            own.files.push(FilePart {
                path: part.path.clone(),
                configuration: Some(arm.into()),
                run: None,
                role: None,
            });
            own.configurations.push(arm.into());
            if keys.insert(arm.to_owned()) {
                declared.configurations.push(configuration(arm));
            }
        }
        most = most.max(own.runs);
        declared.experiments.push(own);
    }
    declared.judges = vec![Judge {
        id: JUDGE.to_owned(),
        title: "Reward".to_owned(),
        headline: true,
        rule: Some("The database ends as it should and the user was told what was asked: a reward of 1.".to_owned()),
    }];
    declared.estimators = (1..=most.min(8))
        .map(|k| Estimator { id: format!("pass^{k}"), kind: EstimatorKind::PassHatK, k: Some(k), headline: k == 1 })
        .collect();
    Declared { study: declared, assumed: vec!["the domain is what the name of a file says".to_owned()] }
}

/// Id of a task, which is a number.
fn task(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(_) => Some(value.python_text()),
        _ => None,
    }
}

fn read(asked: Asked<'_, '_>, sink: &mut dyn Sink) {
    let Asked { request, experiment, key, path, told } = asked;
    items::read(request.source, path, &[], sink, &mut |sink, item| {
        let Item::Element(position, byte, value) = item else {
            return sink.finding(Finding::new("bad-run", Place::file(path), "it is not a list of trials"));
        };
        let place = Place::file(path).with_record(position);
        let Some(id) = value.get("task_id").and_then(task) else {
            return sink.finding(Finding::new("bad-record", place.with_byte(byte), "it has no task_id"));
        };
        let trial = match value.get("trial") {
            None | Some(Value::Null) => u64::from(sink.sample(&experiment.id, key, &id)),
            Some(trial) => match trial.as_number().and_then(Number::as_u64).filter(|trial| *trial < MOST_TRIALS) {
                Some(trial) => trial,
                None => {
                    let what = "its trial is no number from 0";
                    return sink.finding(Finding::new("bad-record", place.with_byte(byte), what));
                }
            },
        };
        if told.insert(id.clone()) {
            sink.problem(&experiment.set, problem(&id, &value), place.clone());
        }
        let reward = value.get("reward").filter(|reward| !reward.is_null());
        if reward.is_some_and(|reward| reward.as_f64().is_none()) {
            sink.finding(Finding::new("bad-member", place.clone().with_byte(byte), "its reward is not a number"));
        }
        let (record, response) = record(&id, trial as u32, reward.and_then(Value::as_f64), &value);
        let text = AttemptText { response: response.into(), ..AttemptText::default() };
        let run = RunKey { experiment: experiment.id.clone(), configuration: key.clone(), run: trial as u32 + 1 };
        sink.record(run, record, &[text], place);
    });
}

fn problem(id: &str, value: &Value) -> Problem {
    let instruction = value.get("info").and_then(|info| info.get("task")).and_then(|task| task.get("instruction"));
    let statement = instruction.and_then(Value::as_text).unwrap_or_default().to_owned();
    Problem { statement, ..Problem::blank(ProblemId::from(id)) }
}

fn record(id: &str, trial: u32, reward: Option<f64>, value: &Value) -> (Record, String) {
    let status = match reward {
        Some(1.0) => Status::Pass,
        Some(reward) if reward > 0.0 && reward < 1.0 => Status::Partial,
        Some(_) => Status::Fail,
        None => Status::NotGraded,
    };
    let turns = value.get("traj").and_then(Value::as_list).unwrap_or_default();
    let spoken = turns.iter().filter(|turn| turn.get("role").and_then(Value::as_text) == Some("assistant"));
    let said: Vec<&str> = spoken.filter_map(|turn| turn.get("content").and_then(Value::as_text)).collect();
    let response = said.join("\n\n");
    let record = Record { score: reward, ..lists::judged(id, trial, JUDGE, status, &response) };
    (record, response)
}
