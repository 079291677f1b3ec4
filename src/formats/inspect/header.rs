//! What an Inspect log says about itself: the evaluation, its results, its reductions.

use crate::json::{Number, Object, Value};

/// Everything in a log but its samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Header {
    /// `success`, `error`, `cancelled` or `started`.
    pub(super) status: String,
    /// Name of the task.
    pub(super) task: String,
    /// Provider and name of the model.
    pub(super) model: String,
    /// When it began, as text; sorts by time within one time zone.
    pub(super) created: String,
    /// Ids of the evaluation; equal in two files that hold the same one.
    pub(super) identity: (String, String),
    /// Ids of the samples that were to be evaluated, where the log lists them.
    pub(super) sample_ids: Vec<String>,
    /// Size of the data set before any limit.
    pub(super) dataset_samples: Option<u64>,
    /// How often each sample was asked; 1 where the log says nothing.
    pub(super) epochs: u32,
    /// How epochs become one value; `mean` where the log says nothing.
    pub(super) reducers: Vec<String>,
    /// Scorers with their options.
    pub(super) scorers: Vec<(String, Value)>,
    /// Stored results; `None` where the evaluation never came to any.
    pub(super) results: Option<Results>,
    /// Why it ended, where it ended with an error.
    pub(super) error: Option<String>,
}

/// Stored results.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Results {
    /// Samples times epochs.
    pub(super) total: Option<u64>,
    /// Those that ended without an error.
    pub(super) completed: Option<u64>,
    /// One entry per scorer and reducer.
    pub(super) scores: Vec<Scores>,
}

/// Stored metrics of one scorer under one reducer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scores {
    /// Scorer, or the member of its values that this is about.
    pub(super) judge: String,
    /// Reducer; `None` where only one was in use.
    pub(super) reducer: Option<String>,
    /// Metrics in the order of the file.
    pub(super) metrics: Vec<(String, Number)>,
    /// Samples that have a score.
    pub(super) scored: Option<u64>,
    /// Samples that the scorer left out.
    pub(super) unscored: Option<u64>,
}

/// Values of the samples after their epochs were reduced.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reduction {
    /// Scorer.
    pub(super) scorer: String,
    /// Reducer; `None` where only one was in use.
    pub(super) reducer: Option<String>,
    /// Sample and value.
    pub(super) values: Vec<(String, Value)>,
}

/// The text of an id, which may be a number.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(_) => Some(value.python_text()),
        _ => None,
    }
}

fn text(value: Option<&Value>, member: &str) -> String {
    value.and_then(|value| value.get(member)).and_then(Value::as_text).unwrap_or_default().to_owned()
}

fn count(value: Option<&Value>, member: &str) -> Option<u64> {
    value?.get(member)?.as_number()?.as_u64()
}

/// Reads the members `status`, `eval`, `results` and `error` of a log. Scorers that `eval` does not list (logs
/// before 2025) are taken from the results, which state their parameters.
pub(super) fn header(members: &Object) -> Header {
    let eval = members.get("eval");
    let dataset = eval.and_then(|eval| eval.get("dataset"));
    let config = eval.and_then(|eval| eval.get("config"));
    let list = |value: Option<&Value>| value.and_then(Value::as_list).unwrap_or_default().to_vec();
    let results = members.get("results").filter(|results| !results.is_null());
    let mut scorers: Vec<(String, Value)> = list(eval.and_then(|eval| eval.get("scorers")))
        .iter()
        .map(|scorer| (text(Some(scorer), "name"), scorer.get("options").cloned().unwrap_or(Value::Null)))
        .collect();
    for score in list(results.and_then(|results| results.get("scores"))) {
        let name = text(Some(&score), "scorer");
        if scorers.iter().all(|(known, _)| *known != name) {
            scorers.push((name, score.get("params").cloned().unwrap_or(Value::Null)));
        }
    }
    let reducers = match config.and_then(|config| config.get("epochs_reducer")) {
        Some(Value::Text(reducer)) => vec![reducer.clone()],
        Some(Value::List(reducers)) => reducers.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Header {
        status: members.get("status").and_then(Value::as_text).unwrap_or_default().to_owned(),
        task: text(eval, "task"),
        model: text(eval, "model"),
        created: text(eval, "created"),
        identity: (text(eval, "run_id"), text(eval, "task_id")),
        sample_ids: list(dataset.and_then(|dataset| dataset.get("sample_ids"))).iter().filter_map(id).collect(),
        dataset_samples: count(dataset, "samples"),
        epochs: count(config, "epochs").and_then(|epochs| u32::try_from(epochs).ok()).unwrap_or(1).max(1),
        reducers: if reducers.is_empty() { vec!["mean".to_owned()] } else { reducers },
        scorers,
        results: results.map(self::results),
        error: members.get("error").filter(|error| !error.is_null()).map(|error| {
            error.get("message").and_then(Value::as_text).map_or_else(|| error.python_text(), str::to_owned)
        }),
    }
}

fn results(value: &Value) -> Results {
    let scores = value.get("scores").and_then(Value::as_list).unwrap_or_default();
    Results {
        total: count(Some(value), "total_samples"),
        completed: count(Some(value), "completed_samples"),
        scores: scores.iter().filter_map(self::scores).collect(),
    }
}

fn scores(value: &Value) -> Option<Scores> {
    let (name, scorer) = (text(Some(value), "name"), text(Some(value), "scorer"));
    let metrics = value.get("metrics")?.as_object()?.iter();
    Some(Scores {
        judge: if name == scorer || scorer.is_empty() { name } else { format!("{scorer}/{name}") },
        reducer: value.get("reducer").and_then(Value::as_text).map(str::to_owned),
        metrics: metrics
            .filter_map(|(key, metric)| Some((key.to_owned(), metric.get("value")?.as_number()?.clone())))
            .collect(),
        scored: count(Some(value), "scored_samples"),
        unscored: count(Some(value), "unscored_samples"),
    })
}

/// Reads `reductions` (or `sample_reductions` of logs before 2025).
pub(super) fn reductions(value: &Value) -> Vec<Reduction> {
    let one = |value: &Value| {
        let samples = value.get("samples")?.as_list()?.iter();
        Some(Reduction {
            scorer: text(Some(value), "scorer"),
            reducer: value.get("reducer").and_then(Value::as_text).map(str::to_owned),
            values: samples
                .filter_map(|sample| Some((id(sample.get("sample_id")?)?, sample.get("value")?.clone())))
                .collect(),
        })
    };
    value.as_list().unwrap_or_default().iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn read(text: &str) -> Value {
        Reader::new(text.as_bytes()).value().unwrap()
    }

    #[test]
    fn a_header_says_what_was_evaluated_and_what_came_out() {
        let value = read(
            r#"{"status": "success", "eval": {"task": "t", "model": "p/m", "created": "2025", "run_id": "r", "task_id": "i",
            "dataset": {"samples": 100, "sample_ids": [1, "two"]}, "config": {"epochs": 2, "epochs_reducer": ["mean", "pass_at_2"]},
            "scorers": [{"name": "match", "options": {"location": "any"}}]},
            "results": {"total_samples": 4, "completed_samples": 3, "scores": [{"name": "match", "scorer": "match",
            "reducer": "pass_at_2", "scored_samples": 2, "unscored_samples": 0, "metrics": {"accuracy": {"value": 0.5}}},
            {"name": "style", "scorer": "panel", "metrics": {}}]}}"#,
        );
        let header = header(value.as_object().unwrap());
        assert_eq!(
            (header.sample_ids, header.epochs, header.dataset_samples),
            (vec!["1".into(), "two".into()], 2, Some(100))
        );
        let results = header.results.unwrap();
        assert_eq!((results.total, results.completed), (Some(4), Some(3)));
        assert_eq!(results.scores[0].metrics[0].1.literal(), "0.5");
        assert_eq!(results.scores[1].judge, "panel/style");
        assert_eq!(header.scorers.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["match", "panel"]);
    }

    #[test]
    fn an_empty_log_has_one_epoch_and_the_mean() {
        let header = header(read("{\"results\": null, \"error\": {\"message\": \"boom\"}}").as_object().unwrap());
        assert_eq!((header.epochs, header.reducers, header.results), (1, vec!["mean".to_owned()], None));
        assert_eq!(header.error.as_deref(), Some("boom"));
        let kept = reductions(&read(r#"[{"scorer": "s", "samples": [{"sample_id": 3, "value": 0.5}, {"value": 1}]}]"#));
        assert_eq!(kept[0].values.len(), 1);
    }
}
