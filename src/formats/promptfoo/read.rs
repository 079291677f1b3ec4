//! From result files to records: one per test, column and repetition, and the counts of the file again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::JUDGE;
use super::assertions::verdict;
use crate::archive::{
    Again, Attempt, AttemptOutcome, AttemptText, Lack, Record, Recount, RunKey, Status, Usage, Verdict,
};
use crate::corpus::Problem;
use crate::formats::items::{self, Item};
use crate::formats::{Request, Sink};
use crate::id::{ConfigKey, ProblemId};
use crate::json::{Number, Value};
use crate::report::{Finding, Place};
use crate::study::Experiment;
use crate::world::Source;

/// The list of rows.
const ROWS: &str = "results.results";

/// Columns of a file.
pub(super) struct Columns {
    /// Name by position.
    pub(super) names: BTreeMap<u64, String>,
    /// How often the most repeated test was asked.
    pub(super) repeats: u32,
}

/// Name of a provider: its label, else its id.
fn provider(row: &Value) -> Option<&str> {
    match row.get("provider")? {
        Value::Text(id) => Some(id),
        provider => {
            let text = |name: &str| provider.get(name).and_then(Value::as_text).filter(|text| !text.is_empty());
            text("label").or_else(|| text("id"))
        }
    }
}

fn position(row: &Value, member: &str) -> Option<u64> {
    row.get(member).and_then(Value::as_number).and_then(Number::as_u64)
}

/// Names for the columns of a file: the provider, with the number of the prompt where a provider has several.
pub(super) fn columns(source: &dyn Source, path: &str) -> Columns {
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    let mut asked: BTreeMap<(u64, String), u32> = BTreeMap::new();
    let mut tests = Tests::default();
    items::look(source, path, &[ROWS], &mut |item| {
        if let Item::Element(_, _, row) = item {
            let column = position(&row, "promptIdx").unwrap_or(0);
            seen.entry(column).or_insert_with(|| provider(&row).unwrap_or("provider").to_owned());
            *asked.entry((column, tests.id(&row))).or_default() += 1;
        }
    });
    let several = |name: &String| seen.values().filter(|other| *other == name).count() > 1;
    let names = seen
        .iter()
        .map(|(column, name)| {
            let name = if several(name) { format!("{name} (prompt {})", column + 1) } else { name.clone() };
            (*column, name)
        })
        .collect();
    Columns { names, repeats: asked.values().copied().max().unwrap_or(1) }
}

/// Ids of tests: their number, or the order in which their variables first appear.
#[derive(Default)]
struct Tests(BTreeMap<String, usize>);

impl Tests {
    fn id(&mut self, row: &Value) -> String {
        if let Some(number) = position(row, "testIdx") {
            return number.to_string();
        }
        let next = self.0.len();
        let vars = row.get("vars").map(Value::python_text).unwrap_or_default();
        self.0.entry(vars).or_insert(next).to_string()
    }
}

/// Sums of one column.
#[derive(Default)]
struct Sums {
    numbers: BTreeMap<&'static str, f64>,
    rows: usize,
}

impl Sums {
    fn add(&mut self, name: &'static str, value: f64) {
        *self.numbers.entry(name).or_default() += value;
    }
}

/// Reads a file.
pub(super) fn read(request: &Request<'_>, experiment: &Experiment, path: &str, sink: &mut dyn Sink) {
    let known = columns(request.source, path);
    let mut tests = Tests::default();
    let mut told = BTreeSet::new();
    let mut sums: BTreeMap<u64, Sums> = BTreeMap::new();
    let mut stated: Vec<(String, Value)> = Vec::new();
    items::read(request.source, path, &[ROWS], sink, &mut |sink, item| {
        let (at, byte, row) = match item {
            Item::Element(at, byte, row) => (at, byte, row),
            Item::Member(name, value) => {
                if ["results.prompts", "results.stats"].contains(&name.as_str()) {
                    stated.push((name, value));
                }
                return;
            }
        };
        let place = Place::file(path).with_record(at);
        let passed = row.get("success").and_then(Value::as_bool);
        if row.as_object().is_none() || (passed.is_none() && row.get("success").is_some_and(|v| !v.is_null())) {
            return sink.finding(Finding::new("bad-record", place.with_byte(byte), "it is no row with a success"));
        }
        let column = position(&row, "promptIdx").unwrap_or(0);
        let Some(key) = known.names.get(&column).map(|name| ConfigKey::from(name.as_str())) else { return };
        let id = tests.id(&row);
        let sample = sink.sample(&experiment.id, &key, &id);
        if told.insert(id.clone()) {
            sink.problem(&experiment.set, problem(&id, &row), place.clone());
        }
        count(sums.entry(column).or_default(), &row, passed);
        if request.wants(&experiment.id, &key) {
            let response = answer(&row).unwrap_or_default();
            let prompt =
                row.get("prompt").and_then(|prompt| prompt.get("raw")).and_then(Value::as_text).unwrap_or_default();
            let text =
                AttemptText { prompt: prompt.into(), response: response.as_str().into(), ..AttemptText::default() };
            let run = RunKey { experiment: experiment.id.clone(), configuration: key, run: sample + 1 };
            sink.record(run, record(&id, sample, &row, passed), &[text], place);
        }
    });
    for (name, value) in &stated {
        if name == "results.stats" {
            let mut all = Sums::default();
            for own in sums.values() {
                own.numbers.iter().for_each(|(name, number)| all.add(name, *number));
                all.rows += own.rows;
            }
            recounts(experiment, path, "all columns", value, STATS, &all, sink);
        } else {
            for (column, prompt) in value.as_list().unwrap_or_default().iter().enumerate() {
                let Some(metrics) = prompt.get("metrics") else { continue };
                let empty = Sums::default();
                let own = sums.get(&(column as u64)).unwrap_or(&empty);
                let name = known.names.get(&(column as u64)).map_or("column", String::as_str);
                recounts(experiment, path, name, metrics, METRICS, own, sink);
            }
        }
    }
}

/// Members of `stats`, and what of a row they add up.
const STATS: &[(&str, &str)] = &[("successes", "pass"), ("failures", "fail"), ("errors", "error")];

/// Members of a column's `metrics`.
const METRICS: &[(&str, &str)] = &[
    ("testPassCount", "pass"),
    ("testFailCount", "fail"),
    ("testErrorCount", "error"),
    ("assertPassCount", "assert-pass"),
    ("assertFailCount", "assert-fail"),
    ("score", "score"),
    ("totalLatencyMs", "latency"),
    ("cost", "cost"),
];

fn is_error(row: &Value) -> bool {
    let reason = row.get("failureReason").and_then(Value::as_f64);
    let graded = row.get("gradingResult").is_some_and(|grading| !grading.is_null());
    let error = row.get("error").is_some_and(|error| !error.is_null());
    reason == Some(2.0) || (reason.is_none() && error && !graded)
}

fn count(sums: &mut Sums, row: &Value, passed: Option<bool>) {
    sums.rows += 1;
    let kind = match passed {
        Some(true) => "pass",
        _ if is_error(row) => "error",
        _ => "fail",
    };
    sums.add(kind, 1.0);
    let number = |name: &str| row.get(name).and_then(Value::as_f64);
    for (member, name) in [("score", "score"), ("latencyMs", "latency"), ("cost", "cost")] {
        sums.add(name, number(member).unwrap_or(0.0));
    }
    for component in components(row) {
        let passed = component.get("pass").and_then(Value::as_bool) == Some(true);
        sums.add(if passed { "assert-pass" } else { "assert-fail" }, 1.0);
    }
}

fn components(row: &Value) -> &[Value] {
    let grading = row.get("gradingResult").and_then(|grading| grading.get("componentResults"));
    grading.and_then(Value::as_list).unwrap_or_default()
}

fn recounts(
    experiment: &Experiment,
    path: &str,
    column: &str,
    stated: &Value,
    members: &[(&'static str, &str)],
    sums: &Sums,
    sink: &mut dyn Sink,
) {
    for (member, name) in members {
        let Some(stored) = stated.get(member).and_then(Value::as_number) else { continue };
        let again = if sums.rows == 0 {
            Err(Arc::from("no row of the column is in the file"))
        } else {
            Ok((sums.numbers.get(name).copied().unwrap_or(0.0), sums.rows))
        };
        sink.recount(Recount {
            metric: (*member).into(),
            judge: None,
            experiment: experiment.id.clone(),
            configuration: column.into(),
            stratum: BTreeMap::new(),
            stored: stored.as_f64(),
            printed: stored.literal().into(),
            again,
            place: Place::file(path),
        });
    }
}

fn problem(id: &str, row: &Value) -> Problem {
    let case = row.get("testCase");
    let description = case.and_then(|case| case.get("description")).and_then(Value::as_text);
    let vars = row.get("vars").and_then(Value::as_object).map(|vars| {
        vars.iter().map(|(name, value)| format!("{name}: {}", value.python_text())).collect::<Vec<_>>().join("\n")
    });
    let statement: Vec<String> = description.map(str::to_owned).into_iter().chain(vars).collect();
    Problem { statement: statement.join("\n\n"), ..Problem::blank(ProblemId::from(id)) }
}

/// The answer as text; another value as JSON reads in Python.
fn answer(row: &Value) -> Option<String> {
    let output = row.get("response")?.get("output").filter(|output| !output.is_null())?;
    Some(output.python_text())
}

fn record(id: &str, sample: u32, row: &Value, passed: Option<bool>) -> Record {
    let answer = answer(row);
    let error = is_error(row);
    let status = match passed {
        Some(true) => Status::Pass,
        _ if error && answer.is_none() => Status::NotAnswered,
        _ if error => Status::NotGraded,
        Some(false) => Status::Fail,
        None => Status::NotGraded,
    };
    let said = row.get("error").and_then(Value::as_text).map(Into::into);
    let usage = row.get("response").and_then(|response| response.get("tokenUsage")).map(|usage| {
        let count = |name: &str| position(usage, name).unwrap_or(0);
        Usage { prompt: count("prompt"), completion: count("completion"), reasoning: 0, total: count("total") }
    });
    let plain = row.get("response").and_then(|response| response.get("output")).and_then(Value::as_text);
    let again = components(row).iter().filter_map(|component| {
        let stored = component.get("pass").and_then(Value::as_bool)?;
        let assertion = component.get("assertion").filter(|assertion| !assertion.is_null())?;
        let kind = assertion.get("type").and_then(Value::as_text).unwrap_or("assertion");
        let again = match plain {
            None => Err(Lack::Text("the answer is not stored as a text".into())),
            Some(answer) => verdict(assertion, answer).map_err(|reason| Lack::Rule(reason.into())),
        };
        Some(Again { judge: kind.into(), stored, again })
    });
    Record {
        sample,
        passed: status.passed(),
        score: row.get("score").and_then(Value::as_f64),
        verdicts: vec![Verdict { judge: JUDGE.into(), environment: None, status, inferred: false }],
        failed_reason: if error { None } else { said.clone() },
        error: if error { said.or_else(|| Some("an error without a text".into())) } else { None },
        usage,
        attempts: Some(vec![Attempt {
            outcome: if passed.is_some() && !error { AttemptOutcome::Graded } else { AttemptOutcome::Unknown },
            usage,
            response_bytes: answer.map_or(0, |answer| answer.len() as u64),
            has_reasoning: false,
        }]),
        again: again.collect(),
        ..Record::blank(ProblemId::from(id))
    }
}
