//! From score and result files to records: failures are listed, everything else has passed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{JUDGE, LEADERBOARD, Place as Placed, RESULT, SCORE, is_summary, leaderboard};
use crate::archive::{Attempt, AttemptOutcome, AttemptText, Record, Recount, RunKey, Status, Usage, Verdict};
use crate::corpus::Problem;
use crate::formats::objects::values;
use crate::formats::{Request, Sink};
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Number, Value};
use crate::report::{Finding, Place};
use crate::study::Experiment;

/// Questions of a category of which passes are inferred without a result file.
const MOST_INFERRED: u64 = 1_000_000;

/// A question's answer.
#[derive(Default)]
struct Answer {
    text: String,
    usage: Option<Usage>,
    line: usize,
}

/// A line of a score file behind the first.
struct Judged {
    status: Status,
    reason: Option<Arc<str>>,
    line: usize,
    /// Name of the question inside its prompt.
    prompt: Option<String>,
}

/// What the files of one model say of one category.
#[derive(Default)]
struct Arm {
    score: Option<String>,
    result: Option<String>,
    summary: BTreeMap<&'static str, Number>,
    judged: BTreeMap<String, Judged>,
    answers: BTreeMap<String, Answer>,
    /// Ids that are numbers count from 1 in score files and from 0 in result files.
    numbered: bool,
    /// Ids of the answers in the order of their file.
    order: Vec<String>,
}

impl Arm {
    /// In some editions score files count questions and result files name them: the failure then is the one of the
    /// question that its prompt names, else of the question at that place of the result file.
    fn join(&mut self) {
        let counted = |id: &String| id.bytes().all(|byte| byte.is_ascii_digit());
        if !self.numbered || self.answers.is_empty() || self.answers.keys().any(counted) {
            return;
        }
        let judged = std::mem::take(&mut self.judged);
        self.judged = judged
            .into_iter()
            .map(|(id, mut judged)| {
                let prompt = judged.prompt.take().filter(|name| self.answers.contains_key(name));
                let place = || self.order.get(id.parse::<usize>().ok()?.checked_sub(1)?).cloned();
                (prompt.or_else(place).unwrap_or(id), judged)
            })
            .collect();
    }
}

/// Category accuracies by edition, model and category, for the leaderboard.
pub(super) type Accuracies = BTreeMap<(String, String, String), (u64, u64)>;

/// Reads all experiments.
pub(super) fn read(request: &Request<'_>, sink: &mut dyn Sink) {
    let mut accuracies = Accuracies::new();
    for experiment in &request.experiments {
        let mut arms: BTreeMap<&ConfigKey, Arm> = BTreeMap::new();
        for part in &experiment.files {
            let Some(configuration) = part.configuration.as_ref().filter(|key| request.wants(&experiment.id, key))
            else {
                continue;
            };
            let arm = arms.entry(configuration).or_default();
            match part.role.as_deref() {
                Some(SCORE) => score(request, &part.path, arm, sink),
                Some(RESULT) => result(request, &part.path, arm, sink),
                _ => {}
            }
        }
        let mut told = BTreeSet::new();
        for (configuration, arm) in &mut arms {
            arm.join();
            let context = Context { experiment, configuration };
            context.records(arm, &mut told, sink);
            context.recounts(arm, &mut accuracies, sink);
        }
    }
    for experiment in &request.experiments {
        for part in experiment.files.iter().filter(|part| part.role.as_deref() == Some(LEADERBOARD)) {
            if request.selection.only.is_none() {
                leaderboard::read(request, experiment, &part.path, &accuracies, sink);
            }
        }
    }
}

/// Text of an id, and the number it is when it is one.
fn id(value: &Value) -> Option<(String, Option<u64>)> {
    match value {
        Value::Text(text) => Some((text.clone(), None)),
        Value::Number(number) => number.as_u64().map(|n| (n.to_string(), Some(n))),
        _ => None,
    }
}

fn score(request: &Request<'_>, path: &str, arm: &mut Arm, sink: &mut dyn Sink) {
    arm.score = Some(path.to_owned());
    values(request.source, path, sink, &mut |value, at, sink| {
        let place = || at.clone();
        let number = at.line.unwrap_or_default() as usize;
        if is_summary(&value) && arm.summary.is_empty() {
            for name in ["accuracy", "correct_count", "total_count"] {
                let stored = value.get(name).and_then(Value::as_number).cloned();
                stored.into_iter().for_each(|stored| drop(arm.summary.insert(name, stored)));
            }
            return;
        }
        let Some((id, numeric)) = value.get("id").and_then(id) else {
            return sink.finding(Finding::new(
                "bad-record",
                place(),
                "it is neither a summary nor a question with an id",
            ));
        };
        arm.numbered |= numeric.is_some();
        let passed = value.get("valid").and_then(Value::as_bool) == Some(true);
        let reason = value.get("error_type").and_then(Value::as_text).map(Into::into);
        let status = if passed { Status::Pass } else { Status::Fail };
        if let Some(first) = arm.judged.get(&id) {
            let message = format!("question {id} is also listed in line {}, which is used", first.line);
            return sink.finding(Finding::new("counted-twice", place().with_subject(id), message));
        }
        let prompt = value.get("prompt").and_then(|prompt| prompt.get("id")).and_then(Value::as_text);
        arm.judged.insert(id, Judged { status, reason, line: number, prompt: prompt.map(str::to_owned) });
    });
}

fn result(request: &Request<'_>, path: &str, arm: &mut Arm, sink: &mut dyn Sink) {
    arm.result = Some(path.to_owned());
    values(request.source, path, sink, &mut |value, at, sink| {
        let place = || at.clone();
        let number = at.line.unwrap_or_default() as usize;
        let known = match (value.get("id").and_then(id), value.get("idx").and_then(id)) {
            // Positions count from 0 here and from 1 in score files.
            (Some((_, Some(position))), _) | (None, Some((_, Some(position)))) => Some((position + 1).to_string()),
            (Some((id, None)), _) => Some(id),
            _ => None,
        };
        let Some(id) = known else {
            return sink.finding(Finding::new("bad-record", place(), "it has neither an id nor an idx"));
        };
        let count = |name: &str| value.get(name).and_then(Value::as_number).and_then(Number::as_u64);
        let usage = count("input_token_count").zip(count("output_token_count")).map(|(prompt, completion)| Usage {
            prompt,
            completion,
            reasoning: 0,
            total: prompt.saturating_add(completion),
        });
        let answer =
            Answer { text: value.get("result").map(Value::python_text).unwrap_or_default(), usage, line: number };
        if let Some(first) = arm.answers.get(&id) {
            let message = format!("question {id} is also answered in line {}, which is used", first.line);
            return sink.finding(Finding::new("duplicate-id", place().with_subject(id), message));
        }
        arm.order.push(id.clone());
        arm.answers.insert(id, answer);
    });
}

struct Context<'a> {
    experiment: &'a Experiment,
    configuration: &'a ConfigKey,
}

impl Context<'_> {
    fn records(&self, arm: &Arm, told: &mut BTreeSet<String>, sink: &mut dyn Sink) {
        let total = arm.summary.get("total_count").and_then(Number::as_u64);
        let mut ids: BTreeSet<String> = arm.answers.keys().cloned().collect();
        let path = arm.score.as_ref().or(arm.result.as_ref()).cloned().unwrap_or_default();
        if ids.is_empty() {
            match total {
                Some(total) if total > MOST_INFERRED => {
                    let message = format!("total_count is {total}, and no result file names the questions");
                    return sink.finding(Finding::new("bad-member", Place::file(&path), message));
                }
                Some(total) if arm.numbered || arm.judged.is_empty() => {
                    ids = (1..=total).map(|position| position.to_string()).collect();
                }
                Some(total) => ids = named(&arm.judged, total),
                None => {}
            }
            ids.extend(arm.judged.keys().cloned());
        }
        let outside: BTreeSet<&str> = arm.judged.keys().filter(|id| !ids.contains(*id)).map(String::as_str).collect();
        for id in &outside {
            let message = "the score file lists a question that the result file does not hold";
            let place = Place::file(&path).with_line(arm.judged[*id].line).with_subject(*id);
            sink.finding(Finding::new("outside-benchmark", place, message));
        }
        for id in &ids {
            if told.insert(id.clone()) {
                sink.problem(&self.experiment.set, Problem::blank(ProblemId::from(id.as_str())), Place::file(&path));
            }
            let answer = arm.answers.get(id);
            let text = AttemptText {
                response: answer.map(|answer| answer.text.as_str()).unwrap_or_default().into(),
                ..AttemptText::default()
            };
            let record = record(id, arm, answer);
            let texts = if record.attempts.is_some() { vec![text] } else { Vec::new() };
            let line = arm.judged.get(id).map(|judged| judged.line).or_else(|| answer.map(|answer| answer.line));
            let place = Place::file(&path);
            let place = line.into_iter().fold(place, Place::with_line);
            let key =
                RunKey { experiment: self.experiment.id.clone(), configuration: self.configuration.clone(), run: 1 };
            sink.record(key, record, &texts, place);
        }
    }

    /// The three stored numbers: questions, those that are not failures, and their share.
    fn recounts(&self, arm: &Arm, accuracies: &mut Accuracies, sink: &mut dyn Sink) {
        let Some(path) = &arm.score else { return };
        let stored_total = arm.summary.get("total_count").and_then(Number::as_u64);
        let failures = arm.judged.values().filter(|judged| judged.status == Status::Fail).count();
        let total = if arm.answers.is_empty() { None } else { Some(arm.answers.len()) };
        let over = total.or(stored_total.map(|total| total as usize));
        let lacking = || Arc::from("the result file that names the questions is not archived");
        for (name, stored) in &arm.summary {
            let correct = over.map(|over| over.saturating_sub(failures));
            let again = match *name {
                "total_count" => total.map(|total| total as f64).ok_or_else(lacking),
                "correct_count" => correct.map(|correct| correct as f64).ok_or_else(lacking),
                _ => correct
                    .zip(over.filter(|over| *over > 0))
                    .map(|(correct, over)| correct as f64 / over as f64)
                    .ok_or_else(lacking),
            };
            sink.recount(Recount {
                metric: (*name).into(),
                judge: None,
                experiment: self.experiment.id.clone(),
                configuration: self.configuration.clone(),
                stratum: BTreeMap::new(),
                stored: stored.as_f64(),
                printed: stored.literal().into(),
                again: again.map(|value| (value, over.unwrap_or(0))),
                place: Place::file(path).with_line(1),
            });
        }
        if let (Some(place), Some(over)) = (Placed::of(path), over) {
            let correct = over.saturating_sub(failures) as u64;
            accuracies.insert((place.edition, place.model, place.category), (correct, over as u64));
        }
    }
}

/// Ids of questions that are named `<category>_<position>`, as far as the failures show that they are.
fn named(judged: &BTreeMap<String, Judged>, total: u64) -> BTreeSet<String> {
    let split = |id: &String| id.rsplit_once('_').and_then(|(stem, n)| Some((stem.to_owned(), n.parse::<u64>().ok()?)));
    let all: Option<Vec<(String, u64)>> = judged.keys().map(split).collect();
    match all {
        Some(all) if all.iter().all(|(stem, n)| *stem == all[0].0 && *n < total) => {
            (0..total).map(|position| format!("{}_{position}", all[0].0)).collect()
        }
        _ => BTreeSet::new(),
    }
}

fn record(id: &str, arm: &Arm, answer: Option<&Answer>) -> Record {
    let judged = arm.judged.get(id);
    let (status, inferred) = match judged {
        Some(judged) => (judged.status, false),
        None if arm.score.is_some() => (Status::Pass, true),
        None => (Status::NotGraded, false),
    };
    let usage = answer.and_then(|answer| answer.usage);
    Record {
        passed: status.passed(),
        verdicts: vec![Verdict { judge: JUDGE.into(), environment: None, status, inferred }],
        failed_reason: judged.and_then(|judged| judged.reason.clone()),
        usage,
        attempts: answer.map(|answer| {
            vec![Attempt {
                outcome: if arm.score.is_some() { AttemptOutcome::Graded } else { AttemptOutcome::Unknown },
                usage,
                response_bytes: answer.text.len() as u64,
                has_reasoning: false,
            }]
        }),
        ..Record::blank(ProblemId::from(id))
    }
}
