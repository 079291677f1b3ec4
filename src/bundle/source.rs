//! A bundle as an input: the study inside it is read in place, streaming, without unpacking.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::container::{Container, Limits, inspect};
use super::error::BundleError;
use super::plan::{ARCHIVE, NAMES};
use crate::digest::Digest;
use crate::report::{Finding, Findings, Place};
use crate::world::{Entry, Source};

/// The list of digests of a study that is not inside, below `data/`.
pub(super) const DIGESTS: &str = "metadata/archive.csv";

/// Most bytes that a file about the bundle itself may have before it is not loaded.
pub(super) const MOST: u64 = 512 << 20;

/// Files of a bundle under the names they had.
#[derive(Debug)]
pub struct BundleSource {
    container: Container,
    name: String,
    root: String,
    /// Visible path to entry name and size.
    files: BTreeMap<String, (String, u64)>,
}

impl BundleSource {
    /// The study in the bundle, under its original names. The container is inspected first and refused
    /// when it is hostile.
    pub fn open(path: &Path) -> Result<Self, BundleError> {
        let (container, root) = open_container(path, &Limits::default())?;
        let mut files = below(&container, &format!("{root}/{ARCHIVE}"));
        let renamed = read_names(&container, &root)
            .map_err(|error| BundleError::Read { path: path.display().to_string(), error })?;
        for (stored, original) in renamed {
            let Some(short) = stored.strip_prefix(ARCHIVE) else { continue };
            if let Some(file) = files.remove(short) {
                files.insert(original, file);
            }
        }
        Ok(Self { container, name: path.display().to_string(), root, files })
    }

    /// The whole payload (`data/`), under the names in the zip.
    pub fn open_payload(path: &Path) -> Result<Self, BundleError> {
        let (container, root) = open_container(path, &Limits::default())?;
        let files = below(&container, &format!("{root}/data/"));
        Ok(Self { container, name: path.display().to_string(), root, files })
    }
}

impl BundleSource {
    /// Bytes of a file as the headers say it.
    pub(super) fn size(&self, path: &str) -> Option<u64> {
        self.files.get(path).map(|(_, bytes)| *bytes)
    }

    /// Stored paths of the study's files with the names they had.
    pub(super) fn names(&self) -> io::Result<Vec<(String, String)>> {
        read_names(&self.container, &self.root)
    }
}

/// Path, bytes and SHA-256 of the study's files, for a bundle that holds these instead of the files; `None`
/// for one that holds the files.
pub fn digests_inside(path: &Path) -> Result<Option<Vec<(String, u64, Digest)>>, BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let payload = BundleSource::open_payload(path)?;
    if !payload.exists(DIGESTS) {
        return Ok(None);
    }
    let broken = || io::Error::new(io::ErrorKind::InvalidData, format!("{DIGESTS} is not a list of digests"));
    let text = payload.read(DIGESTS).map_err(failed)?;
    let rows = std::str::from_utf8(&text).ok().and_then(|text| crate::metadata::read_csv(text).ok());
    let file = |row: Vec<String>| match <[String; 3]>::try_from(row) {
        Ok([path, bytes, digest]) => Some((path, bytes.parse().ok()?, Digest::parse(&digest)?)),
        Err(_) => None,
    };
    let files = rows.and_then(|rows| rows.into_iter().skip(1).map(file).collect::<Option<Vec<_>>>());
    files.ok_or_else(|| failed(broken())).map(Some)
}

/// Files below a prefix, by their path behind it.
fn below(container: &Container, prefix: &str) -> BTreeMap<String, (String, u64)> {
    let visible = |(name, found): (&String, &super::container::Found)| {
        name.strip_prefix(prefix).map(|path| (path.to_owned(), (name.clone(), found.member.size)))
    };
    container.members().iter().filter_map(visible).collect()
}

/// Stored paths of the index with their original names; empty without an index.
pub(super) fn read_names(container: &Container, root: &str) -> io::Result<Vec<(String, String)>> {
    let name = format!("{root}/{NAMES}");
    if !container.members().contains_key(&name) {
        return Ok(Vec::new());
    }
    let text = String::from_utf8(container.read(&name, MOST)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the index of names is not UTF-8"))?;
    let rows = crate::metadata::read_csv(&text).unwrap_or_default();
    Ok(rows.into_iter().skip(1).filter_map(|row| Some((row.first()?.clone(), row.get(1)?.clone()))).collect())
}

/// Opens, inspects and returns a container with the name of its one top folder.
pub(super) fn open_container(path: &Path, limits: &Limits) -> Result<(Container, String), BundleError> {
    let failed = |error| BundleError::Read { path: path.display().to_string(), error };
    let file = File::open(path).map_err(failed)?;
    let inspected = match inspect(&file, limits).map_err(failed)? {
        Ok(inspected) => inspected,
        Err(findings) => return Err(refused(path, findings)),
    };
    let root = root_of(inspected.members.iter().map(|found| found.member.name.as_str()))
        .map_err(|finding| refused(path, vec![finding]))?;
    Ok((Container::new(file, &inspected), root))
}

pub(super) fn refused(path: &Path, findings: Vec<Finding>) -> BundleError {
    BundleError::Refused { path: path.display().to_string(), findings: findings.into_iter().collect::<Findings>() }
}

/// The one folder that holds everything.
pub(super) fn root_of<'a>(names: impl Iterator<Item = &'a str>) -> Result<String, Finding> {
    let mut root: Option<&str> = None;
    for name in names {
        let first = name.split_once('/').map(|(first, _)| first);
        if first.is_none() || root.is_some_and(|root| Some(root) != first) {
            let place = Place::file(name.escape_default().to_string());
            return Err(Finding::new("bag-malformed", place, "it stands outside the one folder of the bag"));
        }
        root = first;
    }
    root.map(str::to_owned).ok_or_else(|| Finding::new("bag-malformed", Place::default(), "the zip is empty"))
}

impl Source for BundleSource {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let entry =
            |(path, (_, bytes)): (&String, &(String, u64))| Entry { path: path.clone(), bytes: *bytes, regular: true };
        Ok(self.files.iter().map(entry).collect())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        match self.files.get(path) {
            Some((name, _)) => Ok(Box::new(self.container.open(name)?)),
            None => Err(io::Error::new(io::ErrorKind::NotFound, path.to_owned())),
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    fn name(&self) -> &str {
        &self.name
    }
}
