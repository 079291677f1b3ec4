//! What a repository will do with a bundle, and what to upload so that it survives.
//!
//! Limits as the repositories stated them in 2026; they are facts about others and may change, so each
//! is a note. Only what does not fit by any way known here is more than that.

mod adapt;

use std::path::Path;

use serde::Serialize;

use super::container::{Container, Limits};
use super::error::BundleError;
use super::source::open_container;
use crate::number::grouped;
use crate::report::{Finding, Findings, Place};

pub use adapt::{Adapted, adapt, split, wrap, write_beside};

const GB: u64 = 1_000_000_000;

/// Tables that are put beside the zip for a repository that shows them; records there hold 100 files.
const TABLES: usize = 60;

/// A repository that is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repository {
    /// Zenodo.
    Zenodo,
    /// A Dataverse installation.
    Dataverse,
    /// Open Science Framework.
    Osf,
    /// figshare.
    Figshare,
}

/// What a repository takes, in bytes and entries; `None` where it states no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// Largest file.
    pub file: Option<u64>,
    /// All files of a record or project together.
    pub total: Option<u64>,
    /// Entries of a zip that its preview lists.
    pub listed: Option<u64>,
    /// Entries up to which it unpacks an uploaded zip.
    pub unpacked: Option<u64>,
}

impl Repository {
    /// All, with the word of the command line.
    pub const ALL: [(&'static str, Self); 4] =
        [("zenodo", Self::Zenodo), ("dataverse", Self::Dataverse), ("osf", Self::Osf), ("figshare", Self::Figshare)];

    /// The repository of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, repository)| *repository)
    }

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, repository)| *repository == self).map_or("", |(word, _)| word)
    }

    /// What it takes by default, without asking for more.
    pub const fn capacity(self) -> Capacity {
        let none = Capacity { file: None, total: None, listed: None, unpacked: None };
        match self {
            Self::Zenodo => Capacity { file: Some(50 * GB), total: Some(50 * GB), listed: Some(1000), unpacked: None },
            // The size of an upload is set by each installation.
            Self::Dataverse => Capacity { unpacked: Some(1000), ..none },
            Self::Osf => Capacity { file: Some(5 * GB), total: Some(50 * GB), ..none },
            Self::Figshare => Capacity { file: Some(20 * GB), total: Some(20 * GB), ..none },
        }
    }
}

/// How the zip gets into a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Upload {
    /// As it is.
    Whole,
    /// Inside an outer zip, which the repository takes off.
    Wrapped,
    /// Cut into this many parts of at most so many bytes, which are joined after the download.
    Parts {
        /// Bytes of a part; the last may be shorter.
        bytes: u64,
        /// How many.
        count: u64,
    },
    /// Not at all.
    Refused,
}

/// What to know before an upload.
#[derive(Debug, Clone, Serialize)]
pub struct Advice {
    /// Bytes of the zip.
    pub bytes: u64,
    /// Entries of the zip.
    pub entries: u64,
    /// What the repository does: notes, and more than notes where the zip cannot get in.
    pub findings: Findings,
    /// Files of the bundle to put beside it (paths inside the bag), because the repository shows them.
    pub beside: Vec<String>,
    /// How it gets in.
    pub upload: Upload,
}

/// Says what `repository` will do with the bundle at `path`. Nothing is written or sent.
pub fn advise(repository: Repository, path: &Path) -> Result<Advice, BundleError> {
    advise_within(repository, repository.capacity(), path)
}

/// The same for a repository of another capacity than by default.
pub fn advise_within(repository: Repository, capacity: Capacity, path: &Path) -> Result<Advice, BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    let (container, root) = open_container(path, &Limits::default())?;
    let entries = container.members().len() as u64;
    let upload = upload(repository, capacity, bytes);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let note = |message: String| Finding::new("repository-limit", Place::file(&name), message);
    let mut findings: Findings =
        notes(repository, capacity, upload, bytes, &order(&container, &root)).into_iter().map(note).collect();
    if upload == Upload::Refused {
        let most = capacity.total.or(capacity.file).unwrap_or_default();
        let message = format!(
            "{} bytes do not fit into the {} of {}, whole or in parts: ask it for more room, deposit elsewhere, or \
             bundle digests instead of the study's files (--archive digests) and keep the files elsewhere",
            grouped(bytes),
            grouped(most),
            repository.word()
        );
        findings.push(Finding::new("repository-refuses", Place::file(&name), message));
    }
    Ok(Advice { bytes, entries, findings, beside: beside(repository, &container, &root), upload })
}

fn upload(repository: Repository, capacity: Capacity, bytes: u64) -> Upload {
    let fits = |most: Option<u64>| most.is_none_or(|most| bytes <= most);
    match capacity.file {
        _ if !fits(capacity.total) => Upload::Refused,
        _ if repository == Repository::Dataverse => Upload::Wrapped,
        Some(most) if bytes > most => Upload::Parts { bytes: most, count: bytes.div_ceil(most.max(1)) },
        _ => Upload::Whole,
    }
}

/// Names in the order of the zip, without the folder of the bag.
fn order<'a>(container: &'a Container, root: &str) -> Vec<&'a str> {
    let mut names: Vec<(u64, &str)> =
        container.members().iter().map(|(name, found)| (found.data, &name[root.len() + 1..])).collect();
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name).collect()
}

fn notes(repository: Repository, capacity: Capacity, upload: Upload, bytes: u64, order: &[&str]) -> Vec<String> {
    let mut notes = Vec::new();
    let limit = |most: Option<u64>, of: &str| {
        let fits = |most| if bytes <= most { "fits" } else { "does NOT fit" };
        most.map(|most| format!("{} bytes per {of}: {} bytes, it {}", grouped(most), grouped(bytes), fits(most)))
    };
    notes.extend(limit(capacity.file, "file"));
    match repository {
        Repository::Zenodo => {
            notes.extend(limit(capacity.total, "record"));
            notes.push("it never reads metadata inside a zip: paste zenodo.json into the form, or send it".to_owned());
            notes.push("it shows README.md and CSV files that lie beside the zip, so upload those too".to_owned());
        }
        Repository::Dataverse => {
            notes.push(format!(
                "it unpacks an uploaded zip of up to about {} entries and renames clashes, and the bag would be lost \
                 (this one has {}): upload the outer zip, whose unpacking gives this file back whole",
                grouped(capacity.unpacked.unwrap_or_default()),
                grouped(order.len() as u64)
            ));
            notes.push("how large an upload may be is set by each installation; ask yours".to_owned());
        }
        Repository::Osf => {
            notes.extend(limit(capacity.total, "public project"));
            notes.extend(limit(Some(5 * GB), "private project"));
        }
        Repository::Figshare => notes.extend(limit(capacity.total, "free account")),
    }
    if let Upload::Parts { count, .. } = upload {
        notes.push(format!("upload the {count} parts; JOIN.txt beside them says how they become the bundle again"));
    }
    notes.extend(capacity.listed.and_then(|listed| preview(listed, order)));
    notes
}

/// What the preview of a zip leaves out.
fn preview(listed: u64, order: &[&str]) -> Option<String> {
    let entries = order.len() as u64;
    if entries <= listed {
        return None;
    }
    let is_explaining = |name: &&&str| {
        let below = name.strip_prefix("data/").unwrap_or("");
        !name.starts_with("data/") || !below.contains('/') || below.starts_with("results/")
    };
    // The digests of the compressed entries stand last, because they are known last.
    let counted = order.iter().filter(|name| **name != "zip-records.txt");
    let hidden = counted.skip(listed as usize).filter(is_explaining).count();
    let what = match hidden {
        0 => "README, manifests, descriptions and results are among them".to_owned(),
        count => format!("{} files that explain it or hold results are not among them", grouped(count as u64)),
    };
    Some(format!("its preview lists the first {} of {} entries; {what}", grouped(listed), grouped(entries)))
}

/// Files to put beside the zip.
fn beside(repository: Repository, container: &Container, root: &str) -> Vec<String> {
    let mut wanted = vec!["data/README.md".to_owned(), "data/ro-crate-metadata.json".to_owned()];
    if repository == Repository::Zenodo {
        wanted.push("data/metadata/zenodo.json".to_owned());
        let prefix = format!("{root}/");
        let table = |name: &str| name.starts_with("data/results/") && name.ends_with(".csv");
        let below = container.members().keys().filter_map(|name| name.strip_prefix(&prefix));
        wanted.extend(below.filter(|name| table(name)).take(TABLES).map(str::to_owned));
    }
    wanted.retain(|short| container.members().contains_key(&format!("{root}/{short}")));
    wanted
}
