//! What slow reference versions need of a record as it stands in its file, past every reader of this tool
//! but the JSON one.

use std::collections::BTreeMap;

use repro::json::Value;

use crate::synthetic::Synthetic;

/// Records of a run file by id.
pub(crate) type Run = BTreeMap<String, Value>;

/// Configurations of the leaderboard, in the generator's words.
pub(crate) const LEADERBOARD: [&str; 16] = [
    "gpt55-reasoning",
    "gemini-3.1-pro",
    "kimi-k2.6-reasoning",
    "deepseek-v4-pro-reasoning",
    "qwen3.5-397b-reasoning",
    "deepseek-v4-flash-reasoning",
    "gpt55",
    "qwen3.5-397b",
    "kimi-k2.6",
    "qwen3.6-27b-reasoning",
    "deepseek-v4-pro",
    "deepseek-v4-flash",
    "qwen3.6-27b",
    "qwen3.5-9b-reasoning",
    "qwen3.5-9b",
    "qwen-2.5-72b",
];

/// The three runs of a configuration.
pub(crate) fn runs(synthetic: &Synthetic, experiment: &str, model: &str) -> Vec<Run> {
    let run = |number: u32| {
        let path = format!("{experiment}/{model}.run{number}");
        synthetic.run(&path).unwrap_or_else(|| panic!("no run {path}"))
    };
    (1..=3).map(run).collect()
}

/// Problems of a benchmark file by id.
pub(crate) fn problems(synthetic: &Synthetic, file: &str) -> Run {
    let file = synthetic.json(&format!("benchmark/{file}")).unwrap();
    let problems = file.as_list().unwrap().iter();
    problems.map(|problem| (crate::synthetic::text(problem, "id"), problem.clone())).collect()
}

fn truthy(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(Value::Text(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

/// Outside every denominator.
pub(crate) fn excluded(record: &Value) -> bool {
    truthy(record.get("error")) && !truthy(record.get("error_as_fail"))
}

/// Counted as a failure although no answer came back.
pub(crate) fn error_as_fail(record: &Value) -> bool {
    truthy(record.get("error_as_fail"))
}

/// Passed, and in the denominator.
pub(crate) fn passed(record: &Value) -> bool {
    !excluded(record) && record.get("passed").and_then(Value::as_bool) == Some(true)
}

/// Failed, and in the denominator.
pub(crate) fn failed(record: &Value) -> bool {
    !excluded(record) && !passed(record)
}

/// Failed without a gradable answer.
pub(crate) fn ungradable(record: &Value) -> bool {
    failed(record) && record.get("details").is_none()
}

/// A list member; empty when it is absent.
pub(crate) fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_list).unwrap_or_default()
}

/// A number member; 0 when it is absent.
pub(crate) fn number(value: &Value, member: &str) -> f64 {
    value.get(member).and_then(Value::as_f64).unwrap_or(0.0)
}

/// Percentage of the records for which something holds, of those in the denominator.
pub(crate) fn percent(run: &Run, holds: impl Fn(&Value) -> bool) -> f64 {
    let graded: Vec<&Value> = run.values().filter(|record| !excluded(record)).collect();
    100.0 * graded.iter().filter(|record| holds(record)).count() as f64 / graded.len() as f64
}

/// Plain mean.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean of something over runs.
pub(crate) fn over_runs(runs: &[Run], value: impl Fn(&Run) -> f64) -> f64 {
    mean(&runs.iter().map(value).collect::<Vec<_>>())
}

/// Sample standard deviation.
pub(crate) fn sd(values: &[f64]) -> f64 {
    let center = mean(values);
    (values.iter().map(|value| (value - center).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}

/// Asserts that a fact has a value.
pub(crate) fn close(found: Option<f64>, expected: f64, what: &str) {
    let found = found.unwrap_or_else(|| panic!("{what} is undefined"));
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found} for {expected}");
}
