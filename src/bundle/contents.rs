//! From the outputs of the stages to a plan.

use crate::digest::Digest;
use crate::metadata::{self, Civil};
use crate::report::{Finding, Findings, Place};
use crate::study::Identity;
use crate::tree::Tree;
use crate::world::Entry;

use super::error::BundleError;
use super::plan::BundlePlan;

/// The study's own files: in the bundle, or vouched for by digest where they are too large to repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Archived {
    /// All files, streamed from the source that lists them.
    Files(Vec<Entry>),
    /// Path, bytes and SHA-256 of each file; the files are kept elsewhere.
    Digests(Vec<(String, u64, Digest)>),
}

/// Everything that goes into a bundle.
#[derive(Debug, Clone)]
pub struct BundleContents {
    /// The study.
    pub archive: Archived,
    /// Ledger of verdicts, statistics, findings, claims: stored below `data/results/`.
    pub results: Tree,
    /// The rendered site: stored below `data/site/`.
    pub site: Tree,
    /// JSON Schemas of the results: stored below `data/schemas/`.
    pub schemas: Tree,
    /// Version of this tool.
    pub tool_version: String,
    /// Text of the lock file the tool was built from.
    pub lock: String,
}

/// Choices of the build.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BuildOptions {
    /// Seconds since 1970 for all time stamps (`SOURCE_DATE_EPOCH`); else midnight of the study's date.
    pub epoch: Option<i64>,
}

/// Plans a bundle. Nothing is read from the study and nothing is written.
pub fn build(identity: &Identity, contents: BundleContents, options: &BuildOptions) -> Result<BundlePlan, BundleError> {
    let shortcomings = metadata::shortcomings(identity);
    if !shortcomings.is_empty() {
        return Err(BundleError::Identity(shortcomings));
    }
    let epoch = options.epoch.or_else(|| metadata::epoch_of(&identity.date)).unwrap_or(0);
    let mut plan = BundlePlan {
        name: format!("{}-{}", identity.id, identity.version),
        epoch,
        files: Vec::new(),
        info: info(identity, &contents.tool_version, epoch),
    };
    plan.add_tree("results/", contents.results)?;
    plan.add_tree("schemas/", contents.schemas)?;
    plan.add_tree("site/", contents.site)?;
    if let Archived::Files(entries) = &contents.archive {
        let regular = entries.iter().filter(|entry| entry.regular);
        plan.add_archive(&regular.map(|entry| (entry.path.clone(), entry.bytes)).collect::<Vec<_>>());
    }
    plan.settle()?;
    Ok(plan)
}

/// What a reader should know about how the study's files are stored: links that are left out, names
/// that changed.
pub fn storage_findings(contents: &BundleContents, plan: &BundlePlan) -> Findings {
    let mut findings = Findings::default();
    if let Archived::Files(entries) = &contents.archive {
        for entry in entries.iter().filter(|entry| !entry.regular) {
            let message = "it is a link or a special file and is not in the bundle";
            findings.push(Finding::new("not-followed", Place::file(&entry.path), message));
        }
    }
    for (original, stored) in plan.renamed() {
        findings.push(Finding::new("name-changed", Place::file(original), format!("it is stored as {stored}")));
    }
    findings
}

/// Fields of `bag-info.txt` that are known now.
fn info(identity: &Identity, tool_version: &str, epoch: i64) -> Vec<(&'static str, String)> {
    let mut fields = Vec::new();
    fields.extend(identity.publisher.clone().map(|publisher| ("Source-Organization", publisher)));
    fields.extend(identity.authors.iter().map(|author| ("Contact-Name", metadata::plain_name(author))));
    fields.push(("External-Description", identity.title.clone()));
    fields.push(("Bagging-Date", Civil::of_epoch(epoch).date()));
    fields.push(("Internal-Sender-Identifier", format!("{} {}", identity.id, identity.version)));
    fields.push(("Bag-Software-Agent", format!("repro {tool_version}")));
    fields.push(("Source-Date-Epoch", epoch.to_string()));
    fields.extend(identity.doi.iter().map(|doi| ("External-Identifier", format!("doi:{doi}"))));
    fields
}
