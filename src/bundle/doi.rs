//! Writing the DOI into a bundle that was built before the DOI existed.
//!
//! Only descriptions and the bag's own book-keeping change; every other file of the payload keeps its
//! bytes, and the result is the bundle that would have been built with the DOI in `study.toml`. (Pages
//! of the site inside are payload; they are not rendered again.)

use std::collections::BTreeMap;
use std::path::Path;

use super::container::{LEVEL, Limits};
use super::contents::{describe, info};
use super::error::BundleError;
use super::plan::{BundlePlan, NAMES, PlannedFile};
use super::source::{BundleSource, MOST};
use super::verify::verify;
use super::write::{Written, write};
use crate::metadata::{DESCRIPTIONS, Deposit, FileFact, Record, TableFact};
use crate::report::Severity;
use crate::study::Identity;
use crate::tree::Content;
use crate::world::{Progress, Source};

/// Rewrites the bundle at `path` with a DOI (`10.PREFIX/SUFFIX`). A bundle that does not verify is left
/// alone.
pub fn set_doi(path: &Path, doi: &str, progress: &dyn Progress) -> Result<Written, BundleError> {
    let doi = crate::study::doi(doi).ok_or_else(|| BundleError::Doi(doi.to_owned()))?;
    let verification = verify(path, &Limits::default(), progress)?;
    if verification.findings.worst().is_some_and(|worst| worst >= Severity::Missing) {
        let name = path.display().to_string();
        return Err(BundleError::Refused { path: name, findings: verification.findings });
    }
    let payload = BundleSource::open_payload(path)?;
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let mut record: Record = serde_json::from_slice(&payload.read("metadata/record.json").map_err(failed)?)
        .map_err(|error| failed(error.into()))?;
    record.identity.doi = Some(doi.to_owned());
    let plan = plan(&payload, record).map_err(failed)??;
    write(&plan, &payload, path, progress)
}

/// What the record of the bundle at `path` says the study is; `None` when it cannot be read.
pub fn identity_of(path: &Path) -> Option<Identity> {
    let text = BundleSource::open_payload(path).ok()?.read("metadata/record.json").ok()?;
    Some(serde_json::from_slice::<Record>(&text).ok()?.identity)
}

/// The DOI in the record of the bundle at `path`; `None` when it has none or cannot be read.
pub fn doi_of(path: &Path) -> Option<String> {
    identity_of(path)?.doi
}

/// The plan of the same payload with new descriptions.
fn plan(payload: &BundleSource, record: Record) -> std::io::Result<Result<BundlePlan, BundleError>> {
    let originals: BTreeMap<String, String> = payload.names()?.into_iter().collect();
    let mut plan = BundlePlan {
        name: format!("{}-{}", record.identity.id, record.identity.version),
        epoch: record.epoch,
        files: Vec::new(),
        info: info(&record),
        level: LEVEL,
    };
    let mut deposit = Deposit { record, results: Vec::new(), tables: Vec::new() };
    for entry in payload.entries()? {
        let path = format!("data/{}", entry.path);
        if path == NAMES || DESCRIPTIONS.contains(&entry.path.as_str()) {
            continue;
        }
        if entry.path.starts_with("results/") {
            deposit.results.push(FileFact { path: entry.path.clone(), bytes: entry.bytes, digest: None });
            if entry.path.ends_with(".csv") && entry.bytes <= MOST {
                deposit.tables.extend(TableFact::read(&entry.path, &payload.read(&entry.path)?));
            }
        }
        let original = originals.get(&path).cloned();
        plan.files.push(PlannedFile {
            path,
            original,
            content: Content::Input { path: entry.path, bytes: entry.bytes },
            expected: None,
        });
    }
    Ok(describe(&mut plan, &deposit).and_then(|()| plan.settle()).map(|()| plan))
}
