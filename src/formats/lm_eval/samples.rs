//! One line of `samples_*.jsonl`: a document under one filter, with the answer and a value per metric.

use super::super::problems::problem;
use crate::archive::Lack;
use crate::corpus::Tests;
use crate::json::Value;

/// A document under one filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    /// Position in the data set.
    pub(super) id: String,
    /// Filter; `None` in files from before filters.
    pub(super) filter: Option<String>,
    /// What was asked.
    pub(super) prompt: String,
    /// What came back, filtered.
    pub(super) response: String,
    /// The expected answer, where it is a text.
    pub(super) target: Option<String>,
    /// Filtered answers, where they are texts.
    pub(super) answers: Vec<String>,
    /// Metric and value; metrics whose values are lists or texts are left out.
    pub(super) values: Vec<(String, f64)>,
    /// Tests that the document holds, for tasks whose answers are programs.
    pub(super) tests: Option<Tests>,
}

/// Members of a line that are no metric.
const DESCRIPTION: &[&str] = &["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"];

/// Reads a line; `Err` says why it is none.
pub(super) fn sample(value: &Value) -> Result<Sample, &'static str> {
    let members = value.as_object().ok_or("it is not an object")?;
    let id = match members.get("doc_id") {
        Some(id @ Value::Number(_)) => id.python_text(),
        Some(Value::Text(id)) => id.clone(),
        _ => return Err("it has no doc_id"),
    };
    let number = |name: &str| match members.get(name) {
        Some(Value::Bool(flag)) => Some(f64::from(u8::from(*flag))),
        other => other.and_then(Value::as_f64),
    };
    let named = members.get("metrics").and_then(Value::as_list);
    let values = match named {
        Some(named) => {
            named.iter().filter_map(Value::as_text).filter_map(|name| Some((name.to_owned(), number(name)?))).collect()
        }
        // Files from before 2024 do not say which members are metrics.
        None => members
            .iter()
            .filter(|(name, _)| !DESCRIPTION.contains(name) && !name.ends_with("_hash"))
            .filter_map(|(name, _)| Some((name.to_owned(), number(name)?)))
            .collect(),
    };
    let filtered = members.get("filtered_resps");
    let answers: Vec<String> = match filtered {
        Some(Value::List(items)) => items.iter().filter_map(|item| item.as_text().map(str::to_owned)).collect(),
        Some(Value::Text(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    let target = match members.get("target") {
        Some(Value::Text(target)) => Some(target.clone()),
        Some(target @ Value::Number(_)) => Some(target.python_text()),
        _ => None,
    };
    // Of several answers a value is a share, and no single program has it.
    let single = match filtered {
        Some(Value::List(items)) => match items.as_slice() {
            [Value::Text(_)] => true,
            [Value::List(inner)] => inner.len() == 1,
            _ => false,
        },
        Some(Value::Text(_)) => true,
        _ => false,
    };
    let document = members.get("doc").and_then(Value::as_object).filter(|_| single);
    let tests = document.and_then(|document| problem(&id, document).tests).filter(|tests| !tests.code.is_empty());
    Ok(Sample {
        tests,
        id,
        filter: members.get("filter").and_then(Value::as_text).map(str::to_owned),
        prompt: members.get("arguments").and_then(first_text).unwrap_or_default(),
        response: filtered
            .map(|filtered| first_text(filtered).unwrap_or_else(|| filtered.python_text()))
            .unwrap_or_default(),
        target,
        answers,
        values,
    })
}

/// The first text anywhere inside, in the order of the file.
fn first_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::List(items) => items.iter().find_map(first_text),
        Value::Object(members) => members.iter().find_map(|(_, member)| first_text(member)),
        _ => None,
    }
}

/// `exact_match` without options that change the texts: the answer is the target, or is not. `None` where an option of
/// the task does, as far as its configuration tells.
pub(super) fn exact_match(sample: &Sample, options: Option<&Value>) -> Result<bool, Lack> {
    let changed = options.and_then(Value::as_object).is_some_and(|options| {
        options.iter().any(|(name, value)| match name {
            "metric" | "aggregation" | "higher_is_better" => false,
            _ => !matches!(value, Value::Bool(false) | Value::Null),
        })
    });
    if changed {
        return Err(Lack::Rule("the task changes case, punctuation or more before it compares".into()));
    }
    match (sample.answers.as_slice(), &sample.target) {
        ([answer], Some(target)) => Ok(answer == target),
        ([], _) => Err(Lack::Text("the answer is not archived as a text".into())),
        (_, None) => Err(Lack::Text("the target is not archived as a text".into())),
        _ => Err(Lack::Rule("several answers are reduced to one".into())),
    }
}

/// Configuration of a metric of a task.
pub(super) fn options<'c>(config: Option<&'c Value>, metric: &str) -> Option<&'c Value> {
    let list = config?.get("metric_list")?.as_list()?;
    list.iter().find(|one| one.get("metric").and_then(Value::as_text) == Some(metric))
}

/// The name of a task in a file name: `samples_<task>_<time>.jsonl`.
pub(super) fn task_of(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let name = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".jsonl")?;
    let rest = name.split_once("samples_").map(|(_, rest)| rest)?;
    Some(rest.strip_suffix(time_of(rest).unwrap_or("")).unwrap_or(rest).trim_end_matches('_'))
}

/// The time at the end of a name without its ending: what joins results and samples.
pub(super) fn time_of(name: &str) -> Option<&str> {
    let (_, time) = name.rsplit_once('_')?;
    let digits = time.bytes().filter(u8::is_ascii_digit).count();
    (digits >= 14 && time.contains('T')).then_some(time)
}

/// The time in the name of a results or samples file.
pub(super) fn time_in(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    time_of(name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".json"))?)
}

/// True for a line of such a file.
pub(super) fn is_sample(value: &Value) -> bool {
    value.get("doc_id").is_some() && (value.get("filtered_resps").is_some() || value.get("resps").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn value(text: &str) -> Value {
        Reader::new(text.as_bytes()).value().unwrap()
    }

    #[test]
    fn a_line_is_a_document_under_a_filter() {
        let line = r#"{"doc_id": 3, "doc": {}, "target": "7", "arguments": {"gen_args_0": {"arg_0": "Q?", "arg_1": {}}},
            "resps": [["x 7"]], "filtered_resps": ["7"], "filter": "strict", "metrics": ["exact_match", "bleu"],
            "exact_match": 1.0, "bleu": ["7", "8"], "prompt_hash": "aa"}"#;
        let read = sample(&value(line)).unwrap();
        assert_eq!((read.id.as_str(), read.filter.as_deref(), read.prompt.as_str()), ("3", Some("strict"), "Q?"));
        assert_eq!((read.response.as_str(), &*read.values), ("7", &[("exact_match".to_owned(), 1.0)][..]));
        assert_eq!(exact_match(&read, Some(&value(r#"{"metric": "exact_match", "ignore_case": false}"#))), Ok(true));
        assert!(exact_match(&read, Some(&value(r#"{"ignore_case": true}"#))).is_err());
        let old = sample(&value(r#"{"doc_id": 0, "acc": 1, "acc_norm": false, "doc_hash": "x"}"#)).unwrap();
        assert_eq!(old.values, [("acc".to_owned(), 1.0), ("acc_norm".to_owned(), 0.0)]);
        assert!(sample(&value("{\"doc\": 1}")).is_err());
    }

    #[test]
    fn names_of_files_tell_task_and_time() {
        let path = "m/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl";
        assert_eq!((task_of(path), time_in(path)), (Some("math_perturbed_full"), Some("2026-01-21T03-44-18.458309")));
        assert_eq!(time_in("results_2026-01-21T03-44-18.458309.json"), Some("2026-01-21T03-44-18.458309"));
        assert_eq!((task_of("samples_arc_easy.jsonl"), time_in("results.json")), (Some("arc_easy"), None));
    }
}
