//! Reading files of judgements and of excerpts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::annotation::{Annotations, Excerpt, Judged, Label, Replayed, Reviewed, Scan, Trace};
use super::record::RunKey;
use crate::id::{ConfigKey, ExperimentId, ProblemId};
use crate::json::{Number, Value};
use crate::report::{Finding, Place};

/// Adds a file of judgements: `{"metrics", "records", "missing"}`.
pub(super) fn judgements(path: &str, root: &Value, into: &mut Annotations, findings: &mut Vec<Finding>) {
    let metrics = root.get("metrics").cloned().unwrap_or(Value::Null);
    into.scans.push(Scan {
        path: path.to_owned(),
        scanned: count(&metrics, "responses_scanned"),
        scanned_by_protocol: counts(metrics.get("responses_scanned_per_mode")),
        configurations: list(&metrics, "configurations_scanned").iter().map(|v| v.python_text().into()).collect(),
        flagged: count(&metrics, "flagged"),
        annotator_table: counts(metrics.get("annotator_table")),
        missing: root.get("missing").and_then(Value::as_text).map(str::to_owned),
        stated: metrics,
    });
    entries(path, root, "records", findings, |record| {
        Some(Judged {
            key: key(record)?,
            id: ProblemId::from(record.get("id")?.as_text()?),
            protocol: shared(record, "mode").unwrap_or_default(),
            trace: shared(record, "trace"),
            signature: shared(record, "signature")?,
            matched: shared(record, "matched_phrase"),
            claim_kind: shared(record, "claim_kind"),
            attempts_with_claim: list(record, "attempts_with_claim").iter().filter_map(position).collect(),
            claimed: shared(record, "claimed_as_listed"),
            graded_attempt: record.get("graded_attempt").and_then(position),
            record_passed: record.get("record_passed").and_then(Value::as_bool),
            entered_score: record.get("claim_entered_score").and_then(Value::as_bool),
            annotators: ["annotator_A", "annotator_B"].map(|member| label(record, member)),
            review: label(record, "human_review"),
            verdict: label(record, "final"),
            superseded: record.get("superseded_measurement").and_then(Value::as_bool) == Some(true),
        })
    })
    .for_each(|judged| into.judged.push(judged));
}

/// Adds a file of excerpts: `{"metrics", "results"}`.
pub(super) fn traces(path: &str, root: &Value, into: &mut Annotations, findings: &mut Vec<Finding>) {
    entries(path, root, "results", findings, |record| {
        Some(Trace {
            name: shared(record, "trace")?,
            key: key(record)?,
            id: ProblemId::from(record.get("id")?.as_text()?),
            excerpts: list(record, "attempts").iter().filter_map(excerpt).collect(),
            replay: list(record, "stated_replay").iter().filter_map(replayed).collect(),
        })
    })
    .for_each(|trace| into.traces.push(trace));
}

/// Adds a review: every object with an `id` in a list of a document of any shape.
pub(super) fn reviews(path: &str, root: &Value, into: &mut Annotations, findings: &mut Vec<Finding>) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let file: Arc<str> = name.strip_suffix(".json").unwrap_or(name).into();
    let before = into.reviewed.len();
    let mut open = vec![("", root)];
    while let Some((name, value)) = open.pop() {
        if let Some(object) = value.as_object() {
            // Pushed backwards, so that members come off in the order of the file.
            let members: Vec<_> = object.iter().collect();
            open.extend(members.into_iter().rev());
        }
        for entry in value.as_list().unwrap_or_default() {
            let Some(id) = entry.get("id").and_then(Value::as_text) else { continue };
            let numbers = |member: &str| {
                let values = entry.get(member).filter(|value| !value.is_null())?.as_list()?;
                Some(values.iter().filter_map(Value::as_f64).collect())
            };
            into.reviewed.push(Reviewed {
                file: file.clone(),
                list: name.into(),
                id: ProblemId::from(id),
                verdict: shared(entry, "verdict"),
                stored: numbers("stored").unwrap_or_default(),
                official: numbers("official"),
            });
        }
    }
    if into.reviewed.len() == before {
        findings.push(Finding::new("bad-run", Place::file(path), "no list in it has entries with an id"));
    }
}

/// Reads each entry of a list; what cannot be read is named.
fn entries<T>(
    path: &str,
    root: &Value,
    member: &str,
    findings: &mut Vec<Finding>,
    read: impl Fn(&Value) -> Option<T>,
) -> std::vec::IntoIter<T> {
    let mut found = Vec::new();
    match root.get(member).and_then(Value::as_list) {
        None => findings.push(Finding::new("bad-run", Place::file(path), format!("there is no list {member:?}"))),
        Some(records) => {
            for (position, record) in records.iter().enumerate() {
                match read(record) {
                    Some(entry) => found.push(entry),
                    None => findings.push(Finding::new(
                        "bad-record",
                        Place::file(path).with_record(position),
                        "it lacks exp_id, model, id or what it is about",
                    )),
                }
            }
        }
    }
    found.into_iter()
}

fn key(record: &Value) -> Option<RunKey> {
    Some(RunKey {
        experiment: ExperimentId::from(record.get("exp_id")?.as_text()?),
        configuration: ConfigKey::from(record.get("model")?.as_text()?),
        run: record.get("run").and_then(position).and_then(|run| u32::try_from(run).ok()).unwrap_or(1),
    })
}

fn excerpt(attempt: &Value) -> Option<Excerpt> {
    Some(Excerpt {
        attempt: position(attempt.get("index")?)?,
        text: attempt.get("response")?.as_text()?.to_owned(),
        elided: attempt.get("response_elided").and_then(Value::as_bool) == Some(true),
    })
}

fn replayed(value: &Value) -> Option<Replayed> {
    Some(Replayed {
        key: shared(value, "key")?,
        value: value.get("value")?.python_text().into(),
        unit: shared(value, "unit").unwrap_or_default(),
    })
}

fn label(record: &Value, member: &str) -> Option<Label> {
    record.get(member)?.as_text().map(Label::read)
}

fn shared(value: &Value, member: &str) -> Option<Arc<str>> {
    value.get(member)?.as_text().map(Arc::from)
}

fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_list).unwrap_or_default()
}

fn position(value: &Value) -> Option<usize> {
    value.as_number().and_then(Number::as_u64).and_then(|n| usize::try_from(n).ok())
}

fn count(value: &Value, member: &str) -> Option<u64> {
    value.get(member)?.as_number()?.as_u64()
}

fn counts(value: Option<&Value>) -> BTreeMap<String, u64> {
    let members = value.and_then(Value::as_object).into_iter().flat_map(crate::json::Object::iter);
    members.filter_map(|(key, value)| Some((key.to_owned(), value.as_number()?.as_u64()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    #[test]
    fn a_review_may_have_any_shape() {
        let text = r#"{"total": 3, "passes": {"one": {"removed": [{"id": "a", "reason": "x"}, {"id": "b"}]},
            "two": {"removed": [{"id": "c"}], "kept": ["d"]}}, "checked": [{"id": "a", "stored": [1.5, 2], "official": null}]}"#;
        let (mut into, mut findings) = (Annotations::default(), Vec::new());
        reviews("x/_manifest.json", &Reader::new(text.as_bytes()).value().unwrap(), &mut into, &mut findings);
        let listed: Vec<_> = into.reviewed.iter().map(|r| (&*r.list, r.id.as_str(), r.stored.len())).collect();
        assert_eq!(listed, [("removed", "a", 0), ("removed", "b", 0), ("removed", "c", 0), ("checked", "a", 2)]);
        assert!(into.reviewed.iter().all(|r| &*r.file == "_manifest" && r.official.is_none()));
        assert!(findings.is_empty());
        reviews("y.json", &Reader::new(b"[]").value().unwrap(), &mut into, &mut findings);
        assert_eq!(findings.len(), 1);
    }
}
