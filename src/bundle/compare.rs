//! What a deposit says, compared with what follows from its study: every file that the tool makes, byte by
//! byte, and every file that nothing makes.

use std::collections::BTreeSet;
use std::path::Path;

use super::bag::Algorithm;
use super::error::BundleError;
use super::plan::{BundlePlan, NAMES};
use super::source::{BundleSource, MOST, open_container};
use super::write::RECORDS;
use crate::bundle::Limits;
use crate::report::{Finding, Place};
use crate::tree::Content;
use crate::world::Source;

/// How much was compared, and what differs.
#[derive(Debug, Default)]
pub struct Compared {
    /// Files of the tool's own making that were compared.
    pub files: usize,
    /// Those below `site/`.
    pub pages: usize,
    /// A finding for each file that is not what follows.
    pub findings: Vec<Finding>,
}

/// Compares the bundle at `path` with the plan that its study gives. `skip` names files below `data/` that
/// cannot be made again from what is inside.
pub fn compare(plan: &BundlePlan, path: &Path, skip: &dyn Fn(&str) -> bool) -> Result<Compared, BundleError> {
    let payload = BundleSource::open_payload(path)?;
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let mut compared = Compared::default();
    let mut planned: BTreeSet<&str> = BTreeSet::from([NAMES.trim_start_matches("data/")]);
    for file in &plan.files {
        let below = file.path.strip_prefix("data/").unwrap_or(&file.path);
        planned.insert(below);
        let Content::Bytes(made) = &file.content else { continue };
        if skip(below) {
            continue;
        }
        compared.files += 1;
        compared.pages += usize::from(below.starts_with("site/"));
        let place = Place::file(format!("data/{below}"));
        if !payload.exists(below) {
            let message = "it follows from the study and is not in the deposit";
            compared.findings.push(Finding::new("deposit-differs", place, message));
            continue;
        }
        // What is longer than it may be differs; nothing of that size is read.
        let entry_bytes = payload.size(below).unwrap_or_default();
        if entry_bytes > MOST.max(2 * made.len() as u64) {
            let message = format!("it has {entry_bytes} bytes, {} follow from the study", made.len());
            compared.findings.push(Finding::new("deposit-differs", place, message));
            continue;
        }
        let said = payload.read(below).map_err(failed)?;
        if said != **made {
            compared.findings.push(differs(place, &said, made));
        }
    }
    for entry in payload.entries().map_err(failed)? {
        if !planned.contains(entry.path.as_str()) && !skip(&entry.path) {
            let place = Place::file(format!("data/{}", entry.path));
            let message = "it is in the deposit and neither a file of the study nor anything that follows from it";
            compared.findings.push(Finding::new("deposit-differs", place, message));
        }
    }
    compared.findings.extend(tags(plan, path)?);
    Ok(compared)
}

/// Files beside the payload that are no part of a bag as it is written, and fields that are not.
fn tags(plan: &BundlePlan, path: &Path) -> Result<Vec<Finding>, BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let (container, root) = open_container(path, &Limits::default())?;
    let known: Vec<&str> = ["bagit.txt", "bag-info.txt", RECORDS]
        .into_iter()
        .chain(Algorithm::ALL.iter().flat_map(|algorithm| [algorithm.manifest(), algorithm.tag_manifest()]))
        .collect();
    let mut findings = Vec::new();
    for name in container.members().keys() {
        let below = name.strip_prefix(&format!("{root}/")).unwrap_or(name);
        if !below.starts_with("data/") && !known.contains(&below) {
            let message = "it stands beside the payload, and no bag of this tool has such a file";
            findings.push(Finding::new("deposit-differs", Place::file(below), message));
        }
    }
    let info = format!("{root}/bag-info.txt");
    let text = container.read(&info, MOST).map_err(failed)?;
    let said = super::bag::read_info(&String::from_utf8_lossy(&text)).unwrap_or_default();
    // These are made from the payload and were checked with it.
    let of_payload = |label: &str| matches!(label, "external-identifier" | "payload-oxum");
    let said: BTreeSet<(String, String)> = said.into_iter().filter(|(label, _)| !of_payload(label)).collect();
    let made: BTreeSet<(String, String)> = super::bag::read_info(&super::bag::info_text(&plan.info))
        .unwrap_or_default()
        .into_iter()
        .filter(|(label, _)| !of_payload(label))
        .collect();
    for (label, value) in said.symmetric_difference(&made) {
        let message = format!("{label}: {value:?} is only on one side of what it says and what follows from the study");
        findings.push(Finding::new("deposit-differs", Place::file("bag-info.txt"), message));
    }
    Ok(findings)
}

/// The first line on which two texts differ, with a piece of both.
fn differs(place: Place, said: &[u8], made: &[u8]) -> Finding {
    let at = said.iter().zip(made).position(|(a, b)| a != b).unwrap_or(said.len().min(made.len()));
    let line = memchr::memchr_iter(b'\n', &said[..at]).count() + 1;
    let piece = |bytes: &[u8]| {
        let start = bytes[..at.min(bytes.len())]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |end| end + 1)
            .max(at.saturating_sub(30));
        let end = bytes.len().min(at + 40);
        let text = String::from_utf8_lossy(bytes.get(start..end).unwrap_or_default()).into_owned();
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    let message = format!("it says {:?} where {:?} follows from the study", piece(said), piece(made));
    Finding::new("deposit-differs", place.with_line(line), message)
}
