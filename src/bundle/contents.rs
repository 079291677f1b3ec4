//! From the outputs of the stages to a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::digest::Digest;
use crate::metadata::{self, ArchiveFacts, Civil, CrateVersion, Deposit, FileFact, Record, Step, TableFact, json_text};
use crate::report::{Finding, Findings, Place};
use crate::study::Identity;
use crate::tree::{Content, Tree};
use crate::world::Entry;

use super::container::LEVEL;
use super::error::{BundleError, Changed};
use super::plan::{BundlePlan, bytes_of};
use super::source::DIGESTS;

/// The study's own files: in the bundle, or vouched for by digest where they are too large to repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Archived {
    /// All files, streamed from the source that lists them.
    Files(Vec<Entry>),
    /// Path, bytes and SHA-256 of each file; the files are kept elsewhere.
    Digests(Vec<(String, u64, Digest)>),
}

impl Archived {
    /// Number of regular files and their bytes.
    fn facts(&self) -> ArchiveFacts {
        let sizes: Vec<u64> = match self {
            Self::Files(entries) => entries.iter().filter(|e| e.regular).map(|e| e.bytes).collect(),
            Self::Digests(files) => files.iter().map(|(_, bytes, _)| *bytes).collect(),
        };
        let inside = matches!(self, Self::Files(_));
        ArchiveFacts { files: sizes.len() as u64, bytes: sizes.iter().sum(), inside }
    }
}

/// Everything that goes into a bundle.
#[derive(Debug, Clone)]
pub struct BundleContents {
    /// The study.
    pub archive: Archived,
    /// Path, bytes and SHA-256 of every file as the other stages read it; what is packed must be the same.
    /// `None` when no stage read it.
    pub scanned: Option<Vec<(String, u64, Digest)>>,
    /// Ledger of verdicts, statistics, findings, claims: stored below `data/results/`.
    pub results: Tree,
    /// The rendered site: stored below `data/site/`.
    pub site: Tree,
    /// JSON Schemas of the files of a study: stored below `data/schemas/`.
    pub schemas: Tree,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// What the programs were run with: engine, versions, limits, layers of the sandbox. Nothing that
    /// differs between two runs on one machine.
    pub environment: serde_json::Value,
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
    /// Version of RO-Crate that describes the payload.
    pub ro_crate: CrateVersion,
}

/// Plans a bundle. Nothing is read from the study and nothing is written.
pub fn build(identity: &Identity, contents: BundleContents, options: &BuildOptions) -> Result<BundlePlan, BundleError> {
    let shortcomings = metadata::shortcomings(identity);
    if !shortcomings.is_empty() {
        return Err(BundleError::Identity(shortcomings));
    }
    let epoch = options.epoch.or_else(|| metadata::moment_of(&identity.date)).unwrap_or(0);
    let record = Record {
        format: Record::FORMAT,
        identity: identity.clone(),
        tool_version: contents.tool_version,
        epoch,
        steps: contents.steps,
        archive: contents.archive.facts(),
        site: !contents.site.is_empty(),
        ro_crate: options.ro_crate,
    };
    let mut plan = BundlePlan {
        name: format!("{}-{}", identity.id, identity.version),
        epoch,
        files: Vec::new(),
        info: info(&record),
        level: LEVEL,
    };
    let results = facts("results/", &contents.results);
    let tables = tables("results/", &contents.results);
    let deposit = Deposit { record, results, tables };
    plan.add_files(provenance(&deposit, &contents.lock, &contents.environment))?;
    plan.add_tree("results/", contents.results)?;
    plan.add_tree("schemas/", contents.schemas)?;
    plan.add_tree("site/", contents.site)?;
    if let Archived::Digests(files) = &contents.archive {
        plan.add_files(vec![(DIGESTS.to_owned(), digests_csv(files).into_bytes())])?;
    }
    if let Archived::Files(entries) = &contents.archive {
        plan.add_archive(&archived(entries, contents.scanned.as_deref())?);
    }
    describe(&mut plan, &deposit)?;
    plan.settle()?;
    Ok(plan)
}

/// The regular files, each with the digest that the other stages saw. A file that came or went since is
/// an error: results and archive would speak of different studies.
fn archived(
    entries: &[Entry],
    scanned: Option<&[(String, u64, Digest)]>,
) -> Result<Vec<(String, u64, Option<Digest>)>, BundleError> {
    let regular = entries.iter().filter(|entry| entry.regular);
    let Some(scanned) = scanned else {
        return Ok(regular.map(|entry| (entry.path.clone(), entry.bytes, None)).collect());
    };
    let mut seen: BTreeMap<&str, Digest> = scanned.iter().map(|(path, _, digest)| (path.as_str(), *digest)).collect();
    let mut files = Vec::new();
    for entry in regular {
        let Some(digest) = seen.remove(entry.path.as_str()) else {
            let error = Changed("it was not there then").into();
            return Err(BundleError::Input { path: entry.path.clone(), error });
        };
        files.push((entry.path.clone(), entry.bytes, Some(digest)));
    }
    match seen.keys().next() {
        None => Ok(files),
        Some(&path) => {
            let now = entries.iter().find(|entry| entry.path == path);
            let error = match now {
                None => io::Error::new(io::ErrorKind::NotFound, "it disappeared since the study was read"),
                Some(_) => io::Error::new(io::ErrorKind::InvalidInput, "it became a link or a special file"),
            };
            Err(BundleError::Input { path: path.to_owned(), error })
        }
    }
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

/// Adds the description files; everything else must be in the plan already.
pub(super) fn describe(plan: &mut BundlePlan, deposit: &Deposit) -> Result<(), BundleError> {
    let below: Vec<&str> = plan.files.iter().filter_map(|file| file.path.strip_prefix("data/")).collect();
    let mut folders: BTreeSet<String> =
        below.iter().filter_map(|path| path.split_once('/').map(|(folder, _)| format!("{folder}/"))).collect();
    // The index of names is always there.
    folders.insert("metadata/".to_owned());
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let provenance: Vec<FileFact> = plan
        .files
        .iter()
        .filter_map(|file| Some((file.path.strip_prefix("data/")?, file)))
        .filter(|(path, _)| path.starts_with("provenance/"))
        .map(|(path, file)| FileFact { path: path.to_owned(), bytes: bytes_of(&file.content), digest: None })
        .collect();
    plan.add_files(metadata::descriptions(deposit, &folders, &provenance))
}

/// The provenance files.
fn provenance(deposit: &Deposit, lock: &str, environment: &serde_json::Value) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("provenance/Cargo.lock", lock.as_bytes().to_vec()),
        ("provenance/environment.json", json_text(environment)),
    ];
    let components = metadata::cyclonedx(lock, &deposit.record.tool_version);
    files.extend(components.map(|components| ("provenance/sbom.cdx.json", json_text(&components))));
    let statement = metadata::attestation(deposit, &Digest::of(lock.as_bytes()));
    files.extend(statement.map(|statement| ("provenance/recompute.intoto.json", json_text(&statement))));
    files.into_iter().map(|(path, content)| (path.to_owned(), content)).collect()
}

fn facts(folder: &str, tree: &Tree) -> Vec<FileFact> {
    let fact = |(path, content): (&str, &Content)| FileFact {
        path: format!("{folder}{path}"),
        bytes: bytes_of(content),
        digest: match content {
            Content::Bytes(bytes) => Some(Digest::of(bytes)),
            Content::Input { .. } => None,
        },
    };
    tree.iter().map(fact).collect()
}

fn tables(folder: &str, tree: &Tree) -> Vec<TableFact> {
    let csv = tree.iter().filter(|(path, _)| path.ends_with(".csv"));
    csv.filter_map(|(path, _)| TableFact::read(&format!("{folder}{path}"), tree.bytes(path)?)).collect()
}

fn digests_csv(files: &[(String, u64, Digest)]) -> String {
    let row =
        |(path, bytes, digest): &(String, u64, Digest)| format!("{},{bytes},{digest}\n", metadata::csv_field(path));
    "path,bytes,sha256\n".to_owned() + &files.iter().map(row).collect::<String>()
}

/// Fields of `bag-info.txt` that are known now.
pub(super) fn info(record: &Record) -> Vec<(&'static str, String)> {
    let identity = &record.identity;
    let mut fields = Vec::new();
    fields.extend(identity.publisher.clone().map(|publisher| ("Source-Organization", publisher)));
    fields.extend(identity.authors.iter().map(|author| ("Contact-Name", metadata::plain_name(author))));
    fields.push(("External-Description", identity.title.clone()));
    // Of a year alone no day is made up.
    if !(identity.date.len() == 4 && metadata::moment_of(&identity.date) == Some(record.epoch)) {
        fields.push(("Bagging-Date", Civil::of_epoch(record.epoch).date()));
    }
    fields.push(("Internal-Sender-Identifier", format!("{} {}", identity.id, identity.version)));
    fields.push(("Bag-Software-Agent", format!("repro {}", record.tool_version)));
    fields.push(("Source-Date-Epoch", record.epoch.to_string()));
    fields.extend(identity.doi.iter().map(|doi| ("External-Identifier", format!("doi:{doi}"))));
    fields
}
