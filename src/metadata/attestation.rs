//! What was recomputed, as an in-toto Statement v1 with SLSA provenance v1.
//!
//! Unsigned, and labelled so by the absence of an envelope: it says what the tool did, not who vouches.

use serde_json::{Value, json};

use super::deposit::{Deposit, FileFact, tool_id};
use crate::digest::Digest;

/// The statement about the result files; `None` without results, because a statement needs a subject.
pub fn attestation(deposit: &Deposit, lock: &Digest) -> Option<Value> {
    let subject = |file: &FileFact| Some(json!({"name": file.path, "digest": {"sha256": file.digest?}}));
    let subjects: Vec<Value> = deposit.results.iter().filter_map(subject).collect();
    if subjects.is_empty() {
        return None;
    }
    let (identity, version) = (deposit.identity(), &deposit.record.tool_version);
    let steps: Vec<&str> = deposit.record.steps.iter().map(|step| step.id.as_str()).collect();
    Some(json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:repro:recomputation:1",
                "externalParameters": {"study": identity.id, "version": identity.version},
                "internalParameters": {"steps": steps},
                "resolvedDependencies": [{
                    "uri": "provenance/Cargo.lock",
                    "digest": {"sha256": lock},
                }],
            },
            "runDetails": {"builder": {"id": tool_id(version), "version": {"repro": version}}},
        },
    }))
}
