//! What a repository will do with a bundle, and what to upload so that it survives.
//!
//! Limits as the repositories stated them in 2026; they are facts about others and may change, so each
//! is a note, never an error.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::container::{Aside, Input, Limits, Stamp, Writer, pack_all};
use super::error::BundleError;
use super::source::{MOST, open_container};
use crate::report::{Finding, Findings, Place};

const GB: u64 = 1_000_000_000;

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

impl Repository {
    /// All, with the word of the command line.
    pub const ALL: [(&'static str, Self); 4] =
        [("zenodo", Self::Zenodo), ("dataverse", Self::Dataverse), ("osf", Self::Osf), ("figshare", Self::Figshare)];

    /// The repository of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, repository)| *repository)
    }
}

/// What to know before an upload.
#[derive(Debug, Clone, Serialize)]
pub struct Advice {
    /// Bytes of the zip.
    pub bytes: u64,
    /// Entries of the zip.
    pub entries: u64,
    /// What the repository does, as notes.
    pub findings: Findings,
    /// Files of the bundle to put beside it (paths inside the bag), because the repository shows them.
    pub beside: Vec<String>,
    /// True when the zip has to go inside another one ([`wrap`]).
    pub wrap: bool,
}

/// Says what `repository` will do with the bundle at `path`. Nothing is written or sent.
pub fn advise(repository: Repository, path: &Path) -> Result<Advice, BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    let (container, root) = open_container(path, &Limits::default())?;
    let entries = container.members().len() as u64;
    let notes = match repository {
        Repository::Zenodo => zenodo(bytes, entries),
        Repository::Dataverse => vec![
            "it unpacks an uploaded zip of up to about 1,000 files and renames clashes, and the bag would be lost: \
             upload the outer zip, whose unpacking gives this file back whole"
                .to_owned(),
        ],
        Repository::Osf => osf(bytes),
        Repository::Figshare => vec![limit(bytes, 20 * GB, "20 GB per file on free accounts")],
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let note = |message: String| Finding::new("repository-limit", Place::file(&name), message);
    let shown = ["data/README.md", "data/ro-crate-metadata.json", "data/metadata/zenodo.json"];
    let wanted = if repository == Repository::Zenodo { &shown[..] } else { &shown[..2] };
    let present = |short: &&&str| container.members().contains_key(&format!("{root}/{short}"));
    Ok(Advice {
        bytes,
        entries,
        findings: notes.into_iter().map(note).collect(),
        beside: wanted.iter().filter(present).map(|short| (*short).to_owned()).collect(),
        wrap: repository == Repository::Dataverse,
    })
}

fn zenodo(bytes: u64, entries: u64) -> Vec<String> {
    let mut notes = vec![
        limit(bytes, 50 * GB, "50 GB per file and record"),
        "it never reads metadata inside a zip: paste metadata/zenodo.json into the form, or send it".to_owned(),
    ];
    if entries > 1000 {
        notes.push(format!(
            "its preview lists the first 1,000 of {entries} entries; README, descriptions and results are among them"
        ));
    }
    notes
}

fn osf(bytes: u64) -> Vec<String> {
    let mut notes = vec![limit(bytes, 5 * GB, "5 GB per file"), limit(bytes, 50 * GB, "50 GB per public project")];
    if bytes > 5 * GB {
        notes.push("deposit the archive elsewhere and bundle its digests instead, or split the study".to_owned());
    }
    notes
}

fn limit(bytes: u64, most: u64, rule: &str) -> String {
    let fits = if bytes <= most { "fits" } else { "does NOT fit" };
    format!("{rule}: {} bytes, it {fits}", crate::number::grouped(bytes))
}

/// Writes files of the bag beside the bundle, for repositories that show them. Returns their paths.
pub fn write_beside(path: &Path, inside: &[String], folder: &Path) -> Result<Vec<PathBuf>, BundleError> {
    let (container, root) = open_container(path, &Limits::default())?;
    let mut written = Vec::new();
    for short in inside {
        let content = container
            .read(&format!("{root}/{short}"), MOST)
            .map_err(|error| BundleError::Read { path: path.display().to_string(), error })?;
        let target = folder.join(short.rsplit('/').next().unwrap_or(short));
        crate::world::disk::write_file(&target, &content)
            .map_err(|error| BundleError::Write { path: target.display().to_string(), error })?;
        written.push(target);
    }
    Ok(written)
}

/// A file on disk as the one thing to pack.
struct Whole(PathBuf, u64);

impl Input for Whole {
    fn bytes(&self) -> u64 {
        self.1
    }

    fn open(&self) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(File::open(&self.0)?))
    }
}

/// Puts the bundle at `path` into an outer zip at `target`, for repositories that unpack what they get.
/// Unpacking the outer one gives the bundle back byte for byte.
pub fn wrap(path: &Path, target: &Path) -> Result<(), BundleError> {
    let read = |error| BundleError::Read { path: path.display().to_string(), error };
    let failed = |error| BundleError::Write { path: target.display().to_string(), error };
    let whole = Whole(path.to_owned(), std::fs::metadata(path).map_err(read)?.len());
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let aside = Aside::new(target).map_err(failed)?;
    // No moment of its own: the stamps inside are those of the bundle.
    let mut writer = Writer::new(aside.file(), Stamp::of_epoch(0));
    writer.expect([(name, whole.1)]);
    pack_all(&[&whole], &mut writer, &|_| {}).map_err(|problem| match problem.file {
        Some(_) => read(problem.error),
        None => failed(problem.error),
    })?;
    writer.finish().map_err(failed)?;
    drop(writer);
    aside.commit().map_err(failed)
}
