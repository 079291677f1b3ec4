//! `results*.json` of lm-evaluation-harness: a number per task, metric and filter, and how many documents it is about.
//!
//! Metrics are members called `metric,filter` since 2023 and `metric` before. A standard error may be `"N/A"`; it is not
//! counted again, for it depends on bootstraps and on groups.

use std::collections::BTreeMap;

use crate::json::{Number, Object, Value};

/// A number of a task.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stated {
    /// Metric.
    pub(super) metric: String,
    /// Filter; `None` in files from before filters.
    pub(super) filter: Option<String>,
    /// Value.
    pub(super) value: Number,
}

/// What a file says of one task.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Task {
    /// Numbers in the order of the file.
    pub(super) stated: Vec<Stated>,
    /// Documents of the data set.
    pub(super) original: Option<u64>,
    /// Documents that were evaluated.
    pub(super) effective: Option<u64>,
    /// True for a group of tasks, whose numbers are made of those of its tasks.
    pub(super) group: bool,
    /// How often each document was asked.
    pub(super) repeats: u32,
}

/// A results file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Results {
    /// Model.
    pub(super) model: Option<String>,
    /// Tasks by name.
    pub(super) tasks: BTreeMap<String, Task>,
}

/// Name of the judge of a metric under a filter, as the file has it.
pub(super) fn judge(metric: &str, filter: Option<&str>) -> String {
    filter.map_or_else(|| metric.to_owned(), |filter| format!("{metric},{filter}"))
}

/// Members of a task that are no metric.
fn is_description(name: &str) -> bool {
    matches!(name, "alias" | "samples" | "sample_len" | "sample_count" | "name") || {
        let metric = name.split(',').next().unwrap_or(name);
        metric.ends_with("_stderr")
    }
}

/// Reads the members of a file.
pub(super) fn results(members: &Object) -> Results {
    let mut tasks = BTreeMap::new();
    let part = |name: &str| members.get(name).and_then(Value::as_object);
    let groups = part("group_subtasks");
    for (name, value) in part("results").into_iter().flat_map(Object::iter) {
        let Some(stated) = value.as_object() else { continue };
        let mut task = Task { repeats: 1, ..Task::default() };
        for (key, value) in stated.iter().filter(|(key, _)| !is_description(key)) {
            let Some(value) = value.as_number() else { continue };
            let (metric, filter) = match key.split_once(',') {
                Some((metric, filter)) => (metric, Some(filter.to_owned())),
                None => (key, None),
            };
            task.stated.push(Stated { metric: metric.to_owned(), filter, value: value.clone() });
        }
        let counts = part("n-samples").and_then(|counts| counts.get(name));
        let count = |which: &str| counts.and_then(|counts| counts.get(which)).and_then(Value::as_number)?.as_u64();
        (task.original, task.effective) = (count("original"), count("effective"));
        let below = groups.and_then(|groups| groups.get(name)).and_then(Value::as_list);
        task.group = below.is_some_and(|tasks| !tasks.is_empty());
        let repeats = part("configs").and_then(|configs| configs.get(name)).and_then(|config| config.get("repeats"));
        let repeats = repeats.and_then(Value::as_number).and_then(Number::as_u64);
        task.repeats = repeats.and_then(|repeats| u32::try_from(repeats).ok()).unwrap_or(1).max(1);
        tasks.insert(name.to_owned(), task);
    }
    Results { model: model(members), tasks }
}

/// `model_name`, or what the arguments of the model say, or its kind.
fn model(members: &Object) -> Option<String> {
    let text =
        |value: Option<&Value>| value.and_then(Value::as_text).filter(|text| !text.is_empty()).map(str::to_owned);
    let config = members.get("config");
    let member = |name: &str| config.and_then(|config| config.get(name));
    let argument = |arguments: &str| {
        let find = |wanted: &str| {
            arguments
                .split(',')
                .find_map(|argument| argument.trim().strip_prefix(wanted)?.strip_prefix('=').map(str::to_owned))
        };
        find("pretrained").or_else(|| find("model")).or_else(|| find("path"))
    };
    let of_arguments = match member("model_args") {
        Some(Value::Text(arguments)) => argument(arguments),
        Some(Value::Object(arguments)) => text(arguments.get("pretrained")).or_else(|| text(arguments.get("model"))),
        _ => None,
    };
    text(members.get("model_name")).or(of_arguments).or_else(|| text(member("model")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn of(text: &str) -> Results {
        results(Reader::new(text.as_bytes()).value().unwrap().as_object().unwrap())
    }

    #[test]
    fn numbers_have_metric_and_filter_and_know_their_documents() {
        let read =
            of(r#"{"results": {"gsm8k": {"alias": "x", "exact_match,strict": 0.5, "exact_match_stderr,strict": "N/A",
            "exact_match,flexible": 0.75, "bleu,none": "N/A"}, "group": {"acc,none": 0.5}},
            "group_subtasks": {"group": ["gsm8k"], "gsm8k": []}, "configs": {"gsm8k": {"repeats": 4}},
            "n-samples": {"gsm8k": {"original": 1319, "effective": 8}}, "config": {"model": "hf",
            "model_args": "pretrained=a/b,dtype=float"}}"#);
        let task = &read.tasks["gsm8k"];
        let named: Vec<String> = task.stated.iter().map(|s| judge(&s.metric, s.filter.as_deref())).collect();
        assert_eq!(named, ["exact_match,strict", "exact_match,flexible"]);
        assert_eq!((task.original, task.effective, task.repeats, task.group), (Some(1319), Some(8), 4, false));
        assert!(read.tasks["group"].group);
        assert_eq!(read.model.as_deref(), Some("a/b"));
    }

    #[test]
    fn files_from_before_filters_have_bare_metrics() {
        let read =
            of(r#"{"results": {"wsc": {"acc": 0.5, "acc_stderr": 0.1, "acc_norm": 0.25}}, "versions": {"wsc": 0}}"#);
        let named: Vec<&str> = read.tasks["wsc"].stated.iter().map(|s| s.metric.as_str()).collect();
        assert_eq!((named, read.model), (vec!["acc", "acc_norm"], None));
    }
}
