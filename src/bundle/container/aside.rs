//! The file a bundle is written to before it takes the place of the old one.
//!
//! It lies beside the target under a fixed hidden name, so that a killed run leaves at most one such
//! file and the next run takes it over. A lock keeps two runs apart; the kernel drops it with the
//! process. The target changes by one rename, after the data are on the disk.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::world::system;

/// A locked, empty file beside the target.
#[derive(Debug)]
pub(crate) struct Aside {
    file: File,
    path: PathBuf,
    target: PathBuf,
    kept: bool,
}

impl Aside {
    /// Opens the file for `target`, creating folders above it as needed.
    pub(crate) fn new(target: &Path) -> io::Result<Self> {
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
        let path = folder.join(format!(".{}.writing", name.to_string_lossy()));
        let file = lock(&path)?;
        file.set_len(0)?;
        Ok(Self { file, path, target: target.to_owned(), kept: false })
    }

    /// The file to write to.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in the place of the target.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        system::set_mode(&self.path, 0o644)?;
        self.file.sync_all()?;
        std::fs::rename(&self.path, &self.target)?;
        self.kept = true;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        system::sync_folder(folder)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.kept {
            // The lock is still held, so no other run uses this file.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Opens and locks `path`; makes sure that what was locked is still what the name leads to, because
/// the former holder may just have renamed it to its target.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.try_lock().is_err() {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing this bundle"));
        }
        let (ours, named) = (file.metadata()?, std::fs::symlink_metadata(path));
        if named.is_ok_and(|named| named.is_file() && system::identity(&named) == system::identity(&ours)) {
            return Ok(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_second_writer_is_refused_and_an_abandoned_file_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x.zip");
        let first = Aside::new(&target).unwrap();
        first.file().write_all(b"half").unwrap();
        assert_eq!(Aside::new(&target).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        std::fs::File::create(folder.path().join(".x.zip.writing")).unwrap().write_all(b"left over").unwrap();
        let again = Aside::new(&target).unwrap();
        again.file().write_all(b"new").unwrap();
        again.commit().unwrap();
        assert_eq!(std::fs::metadata(&target).unwrap().len(), 3);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
