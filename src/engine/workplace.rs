//! The empty working directory of a worker, and those that killed runs left behind.
//!
//! A directory is locked as long as its worker is wanted. The lock goes with the process, however it ends,
//! so a directory that can be locked belongs to nobody; unlike a process number, that also holds across
//! containers that share a temporary folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// Beginning of the name of every such directory.
const PREFIX: &str = "repro-empty-";

/// An empty directory of our own; removed when dropped.
#[derive(Debug)]
pub(super) struct Workplace {
    folder: TempDir,
    _lock: File,
}

impl Workplace {
    /// Makes and locks one in the temporary folder of this system.
    pub(super) fn new() -> io::Result<Self> {
        let mut last = None;
        // Between making and locking it another run may sweep it away; then another one is made.
        for _ in 0..3 {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
            match File::open(folder.path()).and_then(|lock| lock.try_lock().map(|()| lock).map_err(io::Error::from)) {
                Ok(lock) if folder.path().is_dir() => return Ok(Self { folder, _lock: lock }),
                Ok(_) => {}
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| io::Error::other("the temporary folder is being cleared")))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the directories in `folder` that no running process holds. What is not empty, not ours by name or
/// not removable stays; nothing depends on success.
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        if let Ok(lock) = File::open(&path)
            && lock.try_lock().is_ok()
        {
            // Only an empty directory can be removed this way.
            let _ = fs::remove_dir(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            path
        };
        let [left, held, full, other] = ["repro-empty-a", "repro-empty-b", "repro-empty-c", "another"].map(place);
        fs::create_dir(full.join("inside")).unwrap();
        let lock = File::open(&held).unwrap();
        lock.try_lock().unwrap();
        sweep(folder.path());
        assert_eq!([left, held.clone(), full, other].map(|path| path.is_dir()), [false, true, true, true]);
        drop(lock);
        sweep(folder.path());
        assert!(!held.is_dir());
        sweep(&folder.path().join("missing"));
    }

    #[test]
    fn a_place_is_not_swept_while_it_is_held() {
        let place = Workplace::new().unwrap();
        sweep(place.path().parent().unwrap());
        assert!(place.path().is_dir());
    }
}
