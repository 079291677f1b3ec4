//! Reading files of judgements and of excerpts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::annotation::{Annotations, Excerpt, Judged, Label, Replayed, Scan, Trace};
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
