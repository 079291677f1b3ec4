//! Writing outputs: whole or not at all, under one mode, exchanged by one rename.
//!
//! What is written stands aside first, in a folder that is nobody's output. The exchange is one system call
//! where the file system has it (`renameat2`, `RENAME_EXCHANGE`): at every moment either the old output
//! stands or the new one. Where it has not, the old one is kept beside until the new one stands, and is put
//! back when that fails.

#![allow(clippy::disallowed_methods, reason = "this module is the door to the disk")]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Source;
use crate::tree::{Content, Tree};

/// Mode of every folder written here, whatever the umask: a web server has to read what is published.
const FOLDER: u32 = 0o755;
/// Mode of every file.
const FILE: u32 = 0o644;

/// Names that begin like this lie aside; earlier versions put such folders beside their outputs.
const ASIDE: [&str; 2] = [".writing-", ".replaced-"];

/// Creates a folder and those above it that are missing, all readable.
pub fn create_folders(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists()).collect();
    fs::create_dir_all(folder)?;
    missing.into_iter().try_for_each(|created| readable(created, FOLDER))
}

fn readable(path: &Path, mode: u32) -> io::Result<()> {
    super::system::set_mode(path, mode)
}

/// Writes bytes aside and renames, so a reader sees the old file or the new one.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = parent(path);
    create_folders(folder)?;
    let mut aside = tempfile::Builder::new().prefix(ASIDE[0]).tempfile_in(folder)?;
    aside.write_all(bytes)?;
    aside.as_file().sync_all()?;
    readable(aside.path(), FILE)?;
    aside.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a tree into `folder`, which appears complete or not at all; what was there is replaced whole.
pub fn write_tree(folder: &Path, tree: &Tree, inputs: &dyn Source) -> io::Result<()> {
    create_folders(parent(folder))?;
    let aside = tempfile::Builder::new().prefix(ASIDE[0]).tempdir_in(parent(folder))?;
    let new = aside.path().join("new");
    fill(&new, tree, inputs)?;
    exchange(&new, folder)
}

/// Writes a tree into a folder that does not exist yet.
pub fn fill(folder: &Path, tree: &Tree, inputs: &dyn Source) -> io::Result<()> {
    create_folders(folder)?;
    for (path, content) in tree.iter() {
        let target = folder.join(path);
        create_folders(parent(&target))?;
        match content {
            Content::Bytes(bytes) => fs::write(&target, bytes)?,
            Content::Input { path, .. } => {
                io::copy(&mut inputs.open_as_stored(path)?, &mut File::create(&target)?)?;
            }
        }
        readable(&target, FILE)?;
    }
    readable(folder, FOLDER)
}

/// Puts `new` in the place of `old`, which may not exist yet; afterwards `new` names what stood there. Both
/// are on one file system. After an error everything is as it was.
pub fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    create_folders(parent(old))?;
    if fs::symlink_metadata(old).is_err() {
        return fs::rename(new, old);
    }
    match exchange_at_once(new, old) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => exchange_in_steps(new, old),
        exchanged => exchanged,
    }
}

/// The exchange as one system call, where system and file system have it.
#[cfg(target_os = "linux")]
fn exchange_at_once(new: &Path, old: &Path) -> io::Result<()> {
    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    match renameat2(AT_FDCWD, new, AT_FDCWD, old, RenameFlags::RENAME_EXCHANGE) {
        Err(Errno::EINVAL | Errno::ENOSYS | Errno::EOPNOTSUPP) => Err(io::ErrorKind::Unsupported.into()),
        exchanged => Ok(exchanged?),
    }
}

/// The exchange as one system call: not on this system.
#[cfg(not(target_os = "linux"))]
fn exchange_at_once(_new: &Path, _old: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The same in three renames, for file systems that cannot do it in one.
fn exchange_in_steps(new: &Path, old: &Path) -> io::Result<()> {
    let kept = tempfile::Builder::new().prefix(ASIDE[1]).tempdir_in(parent(new))?;
    let kept = kept.path().join("old");
    fs::rename(old, &kept)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&kept, old)?;
        return Err(error);
    }
    fs::rename(&kept, new)
}

/// Removes what earlier runs that were killed left in a folder. Only a run that holds the lock of the
/// output may do so.
pub fn sweep(folder: &Path) {
    for child in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = child.file_name();
        let name = name.to_string_lossy();
        let left = ASIDE.iter().any(|prefix| name.starts_with(prefix))
            || (name.starts_with('.') && (name.ends_with(".zip.staged") || name.ends_with(".zip.sha256.writing")));
        if left {
            // What cannot be removed does no harm here.
            let _ =
                if child.path().is_dir() { fs::remove_dir_all(child.path()) } else { fs::remove_file(child.path()) };
        }
    }
}

/// A folder that only one run writes to at a time. The lock is the kernel's, on the folder itself: it leaves
/// no file and ends with the process.
#[derive(Debug)]
pub struct Held {
    folder: PathBuf,
    /// Folders that were created for this run and are removed again when nothing was written.
    created: Vec<PathBuf>,
    _lock: File,
}

impl Held {
    /// Takes the lock of a folder, which is created when it is missing; `ResourceBusy` when another run has
    /// it.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let missing = named.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists());
        let created: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        create_folders(named)?;
        let lock = File::open(named)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another run is writing into it"));
            }
            // A file system without locks: outputs still appear whole.
            Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
        // A file without a name: it proves that files can be written, and is never seen.
        tempfile::tempfile_in(named)?;
        Ok(Self { folder: named.to_owned(), created, _lock: lock })
    }

    /// A folder for work in progress inside the locked one, of this run alone; it is removed with the value.
    pub fn aside(&self) -> io::Result<tempfile::TempDir> {
        tempfile::Builder::new().prefix(ASIDE[0]).tempdir_in(&self.folder)
    }

    /// The locked folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Innermost first; a folder that holds something stays.
        for folder in &self.created {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::*;

    fn tree(path: &str) -> Tree {
        let mut tree = Tree::default();
        tree.add(path, *b"1").unwrap();
        tree
    }

    #[test]
    fn a_tree_replaces_the_old_one_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("site");
        write_tree(&target, &tree("a/old.html"), &Memory::default()).unwrap();
        write_tree(&target, &tree("b/new.html"), &Memory::default()).unwrap();
        assert!(!target.join("a").exists() && target.join("b/new.html").exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_exchange_keeps_both_sides_in_one_step_and_in_several() {
        for exchange in [exchange, exchange_in_steps] {
            let folder = tempfile::tempdir().unwrap();
            let (new, old) = (folder.path().join("new"), folder.path().join("old"));
            fs::write(&new, "n").unwrap();
            fs::write(&old, "o").unwrap();
            exchange(&new, &old).unwrap();
            assert_eq!((fs::read(&old).unwrap(), fs::read(&new).unwrap()), (b"n".to_vec(), b"o".to_vec()));
            assert!(exchange(&folder.path().join("gone"), &old).is_err());
            assert_eq!(fs::read(&old).unwrap(), b"n", "an error lost what stood there");
        }
    }

    #[test]
    fn a_folder_is_held_by_one_run_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/b");
        let held = Held::new(&out).unwrap();
        assert_eq!(Held::new(&out).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(held);
        assert!(!folder.path().join("a").exists(), "an empty folder was left");
        let held = Held::new(&out).unwrap();
        fs::write(out.join("x"), "1").unwrap();
        drop(held);
        assert!(out.join("x").exists());
        fs::write(folder.path().join("file"), "1").unwrap();
        assert!(Held::new(&folder.path().join("file/x")).is_err());
    }

    #[test]
    fn left_overs_are_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for path in [".writing-a/x", ".replaced-b/old/x", ".t-1.zip.staged/t-1.zip", "1.0/index.html", ".nojekyll"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "1").unwrap();
        }
        sweep(folder.path());
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".nojekyll", "1.0"]);
    }

    #[test]
    fn every_file_and_folder_has_one_mode() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        write_file(&folder.path().join("a/b/c"), b"1").unwrap();
        write_tree(&folder.path().join("d/e"), &tree("f/g"), &Memory::default()).unwrap();
        for (path, mode) in
            [("a", FOLDER), ("a/b", FOLDER), ("a/b/c", FILE), ("d/e", FOLDER), ("d/e/f", FOLDER), ("d/e/f/g", FILE)]
        {
            let found = fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
            assert_eq!(found, mode, "{path}");
        }
    }
}
