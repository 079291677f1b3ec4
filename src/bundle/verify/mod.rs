//! Verifying a bundle: container, then bag, then metadata, each from the bytes of the zip alone.
//!
//! The zip is never unpacked and nothing is written. What the study inside it says (levels L1 to L6) is
//! not checked here; [`super::BundleSource`] gives the other stages the files for that.

mod bag_check;
mod descriptions;
mod stream;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::container::{Container, Limits, inspect, second_reading};
use super::error::BundleError;
use super::source;
use crate::report::{Finding, Findings, Place};
use crate::world::{Progress, Unit};

/// What was checked and what was found.
#[derive(Debug, Clone, Serialize)]
pub struct Verification {
    /// Name of the bag.
    pub name: String,
    /// Entries of the zip whose content was read and hashed.
    pub entries: u64,
    /// Payload files whose digests were compared with every manifest.
    pub payload_files: u64,
    /// Bytes of the payload.
    pub payload_bytes: u64,
    /// Fields of `bag-info.txt`, labels in lower case.
    pub info: Vec<(String, String)>,
    /// Everything that is not as it should be.
    pub findings: Findings,
}

/// Looks at the container alone: `Ok` with the findings of a harmless one, [`BundleError::Refused`] for
/// a hostile one. No content is read and nothing is written.
pub fn inspect_container(path: &Path, limits: &Limits) -> Result<Findings, BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let file = File::open(path).map_err(failed)?;
    match inspect(&file, limits).map_err(failed)? {
        Ok(inspected) => Ok(second_reading(&file, &inspected).into_iter().chain(inspected.differences).collect()),
        Err(findings) => Err(source::refused(path, findings)),
    }
}

/// Verifies the bundle at `path`.
pub fn verify(path: &Path, limits: &Limits, progress: &dyn Progress) -> Result<Verification, BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let file = File::open(path).map_err(failed)?;
    let inspected = match inspect(&file, limits).map_err(failed)? {
        Ok(inspected) => inspected,
        Err(findings) => return Err(source::refused(path, findings)),
    };
    let root = source::root_of(inspected.members.iter().map(|found| found.member.name.as_str()))
        .map_err(|finding| source::refused(path, vec![finding]))?;
    let mut findings: Findings = inspected.differences.iter().cloned().collect();
    findings.extend(second_reading(&file, &inspected));
    let container = Container::new(file, &inspected);
    progress.begin_in(Unit::Bytes, "reading the bundle", inspected.members.iter().map(|found| found.member.size).sum());
    let read = stream::read_all(&container, &root, progress, &mut findings);
    progress.finish();
    let bag = bag_check::Bag { container: &container, root: &root, read: &read };
    let info = bag.check(inspected.stamp, &mut findings);
    descriptions::check(&bag, &mut findings);
    findings.extend(checksum_beside(path));
    let payload = || inspected.members.iter().filter(|found| found.member.name.starts_with(&format!("{root}/data/")));
    Ok(Verification {
        entries: read.len() as u64,
        payload_files: payload().count() as u64,
        payload_bytes: payload().map(|found| found.member.size).sum(),
        name: root,
        info,
        findings,
    })
}

/// Compares the zip with the `.sha256` beside it, when there is one.
fn checksum_beside(path: &Path) -> Option<Finding> {
    let sidecar = super::write::sidecar_path(path);
    let mut text = Vec::new();
    File::open(&sidecar).ok()?.take(4096).read_to_end(&mut text).ok()?;
    let place = Place::file(sidecar.display().to_string());
    let expected = String::from_utf8_lossy(&text);
    let expected = expected.split_whitespace().next().and_then(crate::digest::Digest::parse);
    let Some(expected) = expected else {
        return Some(Finding::new("bag-malformed", place, "it holds no SHA-256"));
    };
    let (actual, _) = super::write::digest_file(&File::open(path).ok()?).ok()?;
    (actual != expected).then(|| Finding::new("digest-differs", place, "the zip has another SHA-256 than it says"))
}
