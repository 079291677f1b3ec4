//! Folders on disk: a read-only source, and writing a [`Tree`] whole or not at all.

#![allow(clippy::disallowed_methods, reason = "this module is the door to the disk")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::watched::Watched;
use super::{Entry, Source};
use crate::tree::{Content, Tree};

/// A folder as input.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    name: String,
}

impl Folder {
    /// A folder that exists; nothing is read yet.
    pub fn new(root: &Path) -> io::Result<Self> {
        if !fs::metadata(root)?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
        }
        Ok(Self { root: root.to_owned(), name: root.display().to_string() })
    }

    fn walk(folder: &Path, prefix: &str, found: &mut Vec<Entry>) -> io::Result<()> {
        for child in fs::read_dir(folder)? {
            let child = child?;
            let Ok(name) = child.file_name().into_string() else {
                let lossy = child.file_name().to_string_lossy().into_owned();
                found.push(Entry { path: format!("{prefix}{lossy}"), bytes: 0, regular: false });
                continue;
            };
            let path = format!("{prefix}{name}");
            let metadata = fs::symlink_metadata(child.path())?;
            if metadata.is_dir() {
                Self::walk(&child.path(), &format!("{path}/"), found)?;
            } else {
                found.push(Entry { path, bytes: metadata.len(), regular: metadata.is_file() });
            }
        }
        Ok(())
    }

    /// Path on disk of a source path; refuses anything that could leave the folder.
    fn locate(&self, path: &str) -> io::Result<PathBuf> {
        let sound = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !sound {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{path:?} is not a path inside the study"),
            ));
        }
        let mut full = self.root.clone();
        for part in path.split('/') {
            full.push(part);
            if fs::symlink_metadata(&full)?.is_symlink() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{path:?} is a symbolic link")));
            }
        }
        Ok(full)
    }
}

impl Source for Folder {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut found = Vec::new();
        Self::walk(&self.root, "", &mut found)?;
        found.sort();
        Ok(found)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        let full = self.locate(path)?;
        if !fs::symlink_metadata(&full)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{path:?} is not a regular file")));
        }
        Ok(Box::new(BufReader::with_capacity(1 << 16, Watched::open(full)?)))
    }

    fn exists(&self, path: &str) -> bool {
        self.locate(path).is_ok_and(|full| full.is_file())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Whole content of a file that the user named on the command line.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// Writes bytes aside and renames, so a reader sees the old file or the new one.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut aside = tempfile::NamedTempFile::new_in(folder)?;
    aside.write_all(bytes)?;
    aside.as_file().sync_all()?;
    make_readable(aside.path())?;
    aside.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a tree into `folder`, which appears complete or not at all; an existing folder is replaced
/// by one rename at the end and removed afterwards.
pub fn write_tree(folder: &Path, tree: &Tree, inputs: &dyn Source) -> io::Result<()> {
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let aside = tempfile::Builder::new().prefix(".writing-").tempdir_in(parent)?;
    let mut folders = BTreeSet::new();
    for (path, content) in tree.iter() {
        let target = aside.path().join(path);
        if let Some(above) = target.parent() {
            fs::create_dir_all(above)?;
            folders.extend(above.ancestors().take_while(|above| *above != aside.path()).map(Path::to_owned));
        }
        match content {
            Content::Bytes(bytes) => fs::write(&target, bytes)?,
            Content::Input { path, .. } => {
                io::copy(&mut inputs.open(path)?, &mut File::create(&target)?)?;
            }
        }
        make_readable(&target)?;
    }
    folders.iter().try_for_each(|folder| make_readable(folder))?;
    make_readable(aside.path())?;
    let ready = aside.keep();
    if folder.exists() {
        let old = tempfile::Builder::new().prefix(".replaced-").tempdir_in(parent)?;
        fs::rename(folder, old.path().join("old"))?;
    }
    fs::rename(&ready, folder)
}

/// Temporary files are private; what is published should be readable by a web server.
fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = if path.is_dir() { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_listed_but_never_opened() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.json"), "1").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
        let source = Folder::new(folder.path()).unwrap();
        let entries = source.entries().unwrap();
        assert_eq!(
            entries.iter().map(|e| (e.path.as_str(), e.regular)).collect::<Vec<_>>(),
            [("a.json", true), ("link", false)]
        );
        assert!(source.open("link").is_err() && source.open("../x").is_err() && source.open("/etc/passwd").is_err());
    }

    #[test]
    fn a_tree_replaces_the_old_one_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("site");
        let mut tree = Tree::default();
        tree.add("a/old.html", *b"1").unwrap();
        write_tree(&target, &tree, &super::super::memory::Memory::default()).unwrap();
        let mut tree = Tree::default();
        tree.add("b/new.html", *b"2").unwrap();
        write_tree(&target, &tree, &super::super::memory::Memory::default()).unwrap();
        assert!(!target.join("a").exists() && target.join("b/new.html").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
