//! Predictions: one patch per instance, as lines, as a list, or as an object by instance id; and what they say
//! against the report of the same arm.

use std::collections::{BTreeMap, BTreeSet};

use super::algebra::{about, ids};
use super::report::{Group, Report};
use crate::json::Value;
use crate::report::{Finding, Place};

/// One prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prediction {
    /// Instance.
    pub(super) id: String,
    /// `model_name_or_path`.
    pub(super) model: Option<String>,
    /// The patch; empty for one that is blank or null.
    pub(super) patch: String,
}

/// Reads one prediction; `key` is the member it stood under, where predictions are an object.
pub(super) fn prediction(key: Option<&str>, value: &Value) -> Result<Prediction, &'static str> {
    if value.as_object().is_none() {
        return Err("it is not an object");
    }
    let text = |name: &str| value.get(name).and_then(Value::as_text);
    let id = text("instance_id").or(key).ok_or("it has no instance_id")?;
    let patch = value.get("model_patch").or_else(|| value.get("prediction")).ok_or("it has no model_patch")?;
    let patch = match patch {
        Value::Text(patch) => patch.as_str(),
        Value::Null => "",
        _ => return Err("its model_patch is not a text"),
    };
    Ok(Prediction {
        id: id.to_owned(),
        model: text("model_name_or_path").map(str::to_owned),
        patch: if patch.trim().is_empty() { String::new() } else { patch.to_owned() },
    })
}

/// True for a value that is a prediction.
pub(super) fn is_prediction(value: &Value) -> bool {
    value.get("instance_id").is_some() && (value.get("model_patch").is_some() || value.get("prediction").is_some())
}

/// The predictions of one arm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Predictions {
    /// First prediction of each instance.
    pub(super) first: BTreeMap<String, Prediction>,
    /// Instances with more than one.
    pub(super) repeated: BTreeSet<String>,
}

impl Predictions {
    /// Adds one.
    pub(super) fn add(&mut self, prediction: Prediction) {
        if self.first.contains_key(&prediction.id) {
            self.repeated.insert(prediction.id);
        } else {
            self.first.insert(prediction.id.clone(), prediction);
        }
    }

    /// Instances whose patch is empty.
    fn empty(&self) -> BTreeSet<&str> {
        self.first.values().filter(|p| p.patch.is_empty()).map(|p| p.id.as_str()).collect()
    }

    /// What the predictions say by themselves and against the report of their arm.
    pub(super) fn check(
        &self,
        path: &str,
        report: Option<&Report>,
        benchmark: Option<&BTreeSet<String>>,
    ) -> Vec<Finding> {
        let place = || Place::file(path);
        let stored: BTreeSet<&str> = self.first.keys().map(String::as_str).collect();
        let repeated = self.repeated.iter().map(String::as_str).collect();
        let mut findings: Vec<Finding> = Vec::new();
        findings.extend(about("counted-twice", place(), &repeated, "predicted twice; the first patch is used"));
        let Some(report) = report else {
            findings.extend(about("empty-patch", place(), &self.empty(), "predicted with an empty patch"));
            if let Some(benchmark) = benchmark {
                let foreign = stored.iter().copied().filter(|id| !benchmark.contains(*id)).collect();
                findings.extend(about("outside-benchmark", place(), &foreign, "not part of the benchmark"));
            }
            return findings;
        };
        let group = |group| ids(report, group);
        let judged: BTreeSet<&str> = [Group::Resolved, Group::Unresolved, Group::Empty, Group::Error, Group::Timeout]
            .into_iter()
            .flat_map(group)
            .collect();
        let submitted: BTreeSet<&str> = group(Group::Submitted).union(&judged).copied().collect();
        let unjudged: BTreeSet<&str> = stored.difference(&submitted).copied().collect();
        findings.extend(about("prediction-without-result", place(), &unjudged, "predicted here and not in the report"));
        // A harness lists what it was not given a patch for as empty; the archive need not hold a line for it.
        let absent: BTreeSet<&str> =
            submitted.difference(&stored).copied().filter(|id| !group(Group::Empty).contains(id)).collect();
        let resolved = absent.intersection(&group(Group::Resolved)).count();
        let what = format!("in the report without a stored prediction ({resolved} of them resolved)");
        findings.extend(about("result-without-prediction", place(), &absent, &what));
        let empty = self.empty();
        let filled: BTreeSet<&str> = empty
            .intersection(&group(Group::Resolved).union(&group(Group::Unresolved)).copied().collect())
            .copied()
            .collect();
        findings.extend(about("report-contradiction", place(), &filled, "judged although the stored patch is empty"));
        let lost: BTreeSet<&str> =
            group(Group::Empty).intersection(&stored).copied().filter(|id| !empty.contains(id)).collect();
        findings.extend(about("report-contradiction", place(), &lost, "reported as empty although a patch is stored"));
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::swe_bench::report::{Layout, report};
    use crate::json::Reader;

    fn value(text: &str) -> Value {
        Reader::new(text.as_bytes()).value().unwrap()
    }

    #[test]
    fn a_prediction_is_read_with_and_without_its_key() {
        let read = |key, text: &str| prediction(key, &value(text));
        let one = read(None, r#"{"instance_id": "a", "model_name_or_path": "m", "model_patch": "diff"}"#).unwrap();
        assert_eq!((one.id.as_str(), one.model.as_deref(), one.patch.as_str()), ("a", Some("m"), "diff"));
        assert_eq!(read(Some("k"), r#"{"model_patch": null}"#).unwrap().patch, "");
        assert_eq!(read(Some("k"), r#"{"model_patch": " \n"}"#).unwrap().patch, "");
        assert!(read(None, r#"{"model_patch": "x"}"#).is_err());
        assert!(read(Some("k"), r#"{"model_patch": 3}"#).is_err());
        assert!(read(Some("k"), "[]").is_err());
    }

    #[test]
    fn predictions_and_report_are_compared_both_ways() {
        let mut predictions = Predictions::default();
        for (id, patch) in [("a", "d"), ("a", "e"), ("b", ""), ("n", "d"), ("e", "d")] {
            let text = format!(r#"{{"instance_id": "{id}", "model_patch": "{patch}"}}"#);
            predictions.add(prediction(None, &value(&text)).unwrap());
        }
        let text = value(
            r#"{"submitted_ids": ["a", "b", "c", "d", "e"], "resolved_ids": ["a", "c"], "unresolved_ids": ["b"],
            "empty_patch_ids": ["d", "e"]}"#,
        );
        let report = report(text.as_object().unwrap(), Layout::Schema2);
        let found: Vec<_> =
            predictions.check("p.jsonl", Some(&report), None).into_iter().map(|f| (f.code, f.message)).collect();
        assert_eq!(
            found,
            [
                ("counted-twice", "1 instance is predicted twice; the first patch is used: a".to_owned()),
                ("prediction-without-result", "1 instance is predicted here and not in the report: n".to_owned()),
                (
                    "result-without-prediction",
                    "1 instance is in the report without a stored prediction (1 of them resolved): c".to_owned()
                ),
                ("report-contradiction", "1 instance is judged although the stored patch is empty: b".to_owned()),
                ("report-contradiction", "1 instance is reported as empty although a patch is stored: e".to_owned()),
            ]
        );
        let alone: Vec<_> = predictions.check("p.jsonl", None, None).into_iter().map(|f| f.code).collect();
        assert_eq!(alone, ["counted-twice", "empty-patch"]);
    }
}
