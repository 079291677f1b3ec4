//! Trajectories of tau-bench: a list of trials, each with a reward; 1 is a pass. tau2-bench writes one document with the
//! tasks, what was asked of whom, and the trials as `simulations`.
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
use crate::json::{Number, Reader, Value};
use crate::report::{Finding, Place};
use crate::study::{Estimator, EstimatorKind, FilePart, Judge, label};

/// The format.
pub(super) struct TauBench;

const ID: &str = "tau-bench";

/// Name of the one judge.
const JUDGE: &str = "reward";

static ABOUT: About = About {
    title: "tau-bench trajectories",
    reads: "Lists of trials with task, trial, reward, conversation and the actions expected; documents of tau2-bench with \
            info, tasks and simulations.",
    cannot_check: "Rewards are not derived again: that needs the databases and the tools of the domain. The conversation is \
                   kept as text.",
};

/// The member of a document of tau2-bench that holds the trials.
const TRIALS: &str = "simulations";

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
        let mut paths = lists::files(listing, is_trial);
        paths.extend(listing.ending(&[".json"]).filter(|path| Head::of(listing, path).is_some()));
        let names = names(listing, &paths);
        lists::guess(ID, "trials", &paths, names, "trials with task_id, trial, reward and conversation")
    }

    fn declare(&self, listing: &Listing<'_>, guess: &Guess) -> Declared {
        declare(listing, &guess.parts)
    }

    fn read(&self, request: &Request<'_>, sink: &mut dyn Sink) {
        lists::read(request, sink, read);
    }
}

/// What the beginning of a document of tau2-bench says.
struct Head {
    domain: Option<String>,
    model: Option<String>,
}

impl Head {
    fn of(listing: &Listing<'_>, path: &str) -> Option<Self> {
        let head = listing.head(path);
        let mut reader = Reader::new(&head);
        reader.begin_object().ok()?;
        while let Some(key) = reader.next_key().ok()? {
            if key != "info" {
                reader.skip().ok()?;
                continue;
            }
            let info = reader.value().ok()?;
            let text = |part: &str, name: &str| Some(info.get(part)?.get(name)?.as_text()?.to_owned());
            info.get("agent_info")?;
            let domain = text("environment_info", "domain_name");
            return Some(Self { domain, model: text("agent_info", "llm") });
        }
        None
    }
}

/// Names of configurations: the model where documents say it and no two of a domain say the same, else what tells the paths
/// apart.
fn names(listing: &Listing<'_>, paths: &[&str]) -> Vec<String> {
    let stated: Vec<Option<(String, Option<String>)>> =
        paths.iter().map(|path| Head::of(listing, path).and_then(|head| Some((head.model?, head.domain)))).collect();
    let unique = stated.iter().flatten().collect::<BTreeSet<_>>().len() == paths.len();
    match stated.into_iter().map(|one| one.map(|(model, _)| model)).collect::<Option<Vec<String>>>() {
        Some(models) if unique => models,
        _ => arms(paths),
    }
}

fn is_trial(value: &Value) -> bool {
    ["task_id", "reward", "trial"].iter().all(|name| value.get(name).is_some())
}

/// Domains of the benchmark are told by the names of files; files of one domain are one experiment.
fn declare(listing: &Listing<'_>, parts: &[Part]) -> Declared {
    let mut groups: BTreeMap<String, Vec<(&Part, u32)>> = BTreeMap::new();
    let mut by_name = false;
    for part in parts {
        let stated = Head::of(listing, &part.path).and_then(|head| head.domain);
        by_name |= stated.is_none();
        let named =
            || ["airline", "retail", "telecom"].into_iter().find(|domain| part.path.contains(domain)).unwrap_or(ID);
        let domain = stated.unwrap_or_else(|| named().to_owned());
        let mut trials = BTreeSet::new();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        items::look(listing.source(), &part.path, &[TRIALS], &mut |item| {
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
        own.condition = (groups.len() > 1).then(|| domain.clone());
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
    let assumed =
        if by_name { "the domain is what the name of a file says" } else { "the domain is what a document says" };
    Declared { study: declared, assumed: vec![assumed.to_owned()] }
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
    let mut statements: BTreeMap<String, String> = BTreeMap::new();
    items::read(request.source, path, &[TRIALS], sink, &mut |sink, item| {
        let (position, byte, value) = match item {
            Item::Element(position, byte, value) => (position, byte, value),
            Item::Member(name, tasks) if name == "tasks" => {
                statements = tasks.as_list().unwrap_or_default().iter().filter_map(asked_of).collect();
                return;
            }
            Item::Member(name, _) if ["info", "timestamp"].contains(&name.as_str()) => return,
            Item::Member(..) => {
                return sink.finding(Finding::new("bad-run", Place::file(path), "it is not a list of trials"));
            }
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
            let problem = match statements.get(&id) {
                Some(statement) => Problem { statement: statement.clone(), ..Problem::blank(id.as_str().into()) },
                None => problem(&id, &value),
            };
            sink.problem(&experiment.set, problem, place.clone());
        }
        let reward = value.get("reward_info").and_then(|info| info.get("reward")).or_else(|| value.get("reward"));
        let reward = reward.filter(|reward| !reward.is_null());
        if reward.is_some_and(|reward| reward.as_f64().is_none()) {
            sink.finding(Finding::new("bad-member", place.clone().with_byte(byte), "its reward is not a number"));
        }
        let (record, response) = record(&id, trial as u32, reward.and_then(Value::as_f64), &value);
        let text = AttemptText { response: response.into(), ..AttemptText::default() };
        let run = RunKey { experiment: experiment.id.clone(), configuration: key.clone(), run: trial as u32 + 1 };
        sink.record(run, record, &[text], place);
    });
}

/// Id of a task of tau2-bench and what its user is told.
fn asked_of(value: &Value) -> Option<(String, String)> {
    let told = value.get("user_scenario").and_then(|scenario| scenario.get("instructions"));
    let parts = ["reason_for_call", "known_info", "task_instructions"];
    let text = match told {
        Some(Value::Text(text)) => text.clone(),
        Some(told) => parts.iter().filter_map(|name| told.get(name)?.as_text()).collect::<Vec<_>>().join("\n"),
        None => String::new(),
    };
    Some((value.get("id").and_then(task)?, text))
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
    let turns = value.get("traj").or_else(|| value.get("messages")).and_then(Value::as_list).unwrap_or_default();
    let spoken = turns.iter().filter(|turn| turn.get("role").and_then(Value::as_text) == Some("assistant"));
    let said: Vec<&str> = spoken.filter_map(|turn| turn.get("content").and_then(Value::as_text)).collect();
    let response = said.join("\n\n");
    let record = Record { score: reward, ..lists::judged(id, trial, JUDGE, status, &response) };
    (record, response)
}
