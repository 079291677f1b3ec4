//! Folders on disk as a read-only source, and files that a user names.

#![allow(clippy::disallowed_methods, reason = "this module is the door to the disk")]

use std::fs;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::watched::Watched;
use super::{Entry, Source};

pub use super::output::{write_file, write_tree};

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
        let children = match fs::read_dir(folder) {
            // One folder that nobody may look into costs no other; it is told by whoever reads the list.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && !prefix.is_empty() => {
                found.push(Entry { path: prefix.to_owned(), bytes: 0, regular: false });
                return Ok(());
            }
            children => children?,
        };
        for child in children {
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

/// Whole content of a file that the user named on the command line. A pipe or a device is refused: it could
/// block for ever.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    fs::read(path)
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
}
