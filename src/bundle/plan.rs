//! What goes into a bundle, under which names, in which order; nothing is read or written yet.

use std::collections::BTreeSet;

use crate::digest::Digest;
use crate::slug::{self, LONGEST_PATH};
use crate::tree::{Content, Tree};

use super::error::BundleError;

/// The index of stored names.
pub(super) const NAMES: &str = "data/metadata/names.csv";
/// Where the study's files are.
pub(super) const ARCHIVE: &str = "data/archive/";

/// A file of the payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlannedFile {
    /// Path below the folder of the bag.
    pub(super) path: String,
    /// Path inside the study, for files of the archive.
    pub(super) original: Option<String>,
    /// Where the bytes come from.
    pub(super) content: Content,
    /// SHA-256 that the other stages saw, where they saw one.
    pub(super) expected: Option<Digest>,
}

/// A bundle that is ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundlePlan {
    /// Name of the bag's folder and of the zip: `ID-VERSION`.
    pub(super) name: String,
    /// Moment of all time stamps, seconds since 1970.
    pub(super) epoch: i64,
    /// The payload in the order of the zip, without the index of names.
    pub(super) files: Vec<PlannedFile>,
    /// Fields of `bag-info.txt` that are known before anything is read.
    pub(super) info: Vec<(&'static str, String)>,
    /// Deflate level, 0 (store) to 9.
    pub(super) level: u32,
}

impl BundlePlan {
    /// Name of the folder in the zip; the zip is usually called the same with `.zip`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same plan at another deflate level, 0 to 9: other bytes of the zip, the same payload. Levels
    /// stand for what another version of the compressor may do.
    #[must_use]
    pub fn with_level(self, level: u32) -> Self {
        Self { level: level.min(9), ..self }
    }

    /// Number of payload files, the index of names included.
    pub fn files(&self) -> usize {
        self.files.len() + 1
    }

    /// Bytes of the payload without the index of names.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| bytes_of(&file.content)).sum()
    }

    /// Files of the study whose stored name is not their own: original, stored.
    pub fn renamed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|file| {
            let original = file.original.as_deref()?;
            (file.path.strip_prefix(ARCHIVE) != Some(original)).then_some((original, file.path.as_str()))
        })
    }

    /// Adds files of the tool's own making below `data/folder/`.
    pub(super) fn add_tree(&mut self, folder: &str, tree: Tree) -> Result<(), BundleError> {
        tree.iter().try_for_each(|(path, content)| self.add(format!("data/{folder}{path}"), content.clone()))
    }

    /// Adds files of the tool's own making by path below `data/`.
    pub(super) fn add_files(&mut self, files: Vec<(String, Vec<u8>)>) -> Result<(), BundleError> {
        let mut files = files.into_iter();
        files.try_for_each(|(path, content)| self.add(format!("data/{path}"), Content::Bytes(content.into())))
    }

    fn add(&mut self, path: String, content: Content) -> Result<(), BundleError> {
        if !path.split('/').all(slug::is_safe) || self.full_len(&path) > LONGEST_PATH {
            return Err(BundleError::Name(path));
        }
        self.files.push(PlannedFile { path, original: None, content, expected: None });
        Ok(())
    }

    /// Adds files of the study; names that cannot be stored are changed.
    pub(super) fn add_archive(&mut self, files: &[(String, u64, Option<Digest>)]) {
        let paths: Vec<&str> = files.iter().map(|(path, ..)| path.as_str()).collect();
        let room = LONGEST_PATH - self.full_len(ARCHIVE);
        for (stored, (path, bytes, expected)) in slug::stored_paths(&paths, room).into_iter().zip(files) {
            self.files.push(PlannedFile {
                path: format!("{ARCHIVE}{stored}"),
                original: Some(path.clone()),
                content: Content::Input { path: path.clone(), bytes: *bytes },
                expected: *expected,
            });
        }
    }

    /// Brings the files into their final order and makes sure that no two share a name.
    pub(super) fn settle(&mut self) -> Result<(), BundleError> {
        self.files.sort_by(|a, b| (rank(&a.path), &a.path).cmp(&(rank(&b.path), &b.path)));
        let mut seen = BTreeSet::from([NAMES.to_owned()]);
        match self.files.iter().find(|file| !seen.insert(file.path.to_ascii_lowercase())) {
            Some(file) => Err(BundleError::Taken(file.path.clone())),
            None => Ok(()),
        }
    }

    fn full_len(&self, path: &str) -> usize {
        self.name.len() + 1 + path.len()
    }
}

/// What matters stands first, because repositories list only the first entries of a zip: the files
/// about the bundle, its metadata, provenance and results, then the study, then the site.
fn rank(path: &str) -> u8 {
    let below = path.strip_prefix("data/").unwrap_or(path);
    match below.split_once('/').map(|(folder, _)| folder) {
        None => 0,
        Some("metadata") => 1,
        Some("provenance") => 2,
        Some("results") => 3,
        Some("schemas") => 4,
        Some("archive") => 5,
        Some(_) => 6,
    }
}

/// Size of a content.
pub(super) fn bytes_of(content: &Content) -> u64 {
    match content {
        Content::Bytes(bytes) => bytes.len() as u64,
        Content::Input { bytes, .. } => *bytes,
    }
}
