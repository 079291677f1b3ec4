//! Where readings of run files are remembered: beside the executions, a file each.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::args::EngineArgs;
use super::engines;
use crate::archive::Store;
use crate::digest::Digest;
use crate::world::disk::read_file;

/// Folder below that of the cache.
const BELOW: &str = "readings";
/// What the files are called after.
const EXTENSION: &str = "reading";

/// A folder of readings.
pub(super) struct Readings {
    folder: PathBuf,
}

impl Readings {
    /// The folder that belongs to a cache of executions; `None` where nothing is to be remembered.
    pub(super) fn of(arguments: &EngineArgs) -> Option<Self> {
        (!arguments.no_cache).then(|| Self { folder: engines::folder(arguments.cache_dir.as_ref()).join(BELOW) })
    }

    fn file(&self, name: &Digest) -> PathBuf {
        self.folder.join(format!("{name}.{EXTENSION}"))
    }
}

impl Store for Readings {
    fn get(&self, name: &Digest) -> Option<Vec<u8>> {
        read_file(&self.file(name)).ok()
    }

    fn put(&self, name: &Digest, bytes: &[u8]) {
        // A folder that cannot be written keeps nothing; whatever is missing is read from the study.
        let kept = std::fs::create_dir_all(&self.folder).and_then(|()| {
            let mut aside = tempfile::NamedTempFile::new_in(&self.folder)?;
            aside.write_all(bytes)?;
            aside.persist(self.file(name)).map_err(|error| error.error)
        });
        drop(kept);
    }
}

/// Digest of this program: another build may read something else. `None` where the program cannot be read, and then
/// nothing is remembered.
pub(super) fn maker() -> Option<Digest> {
    let program = std::env::current_exe().ok()?;
    Digest::of_reader(&mut std::fs::File::open(program).ok()?).ok()
}

/// Number and bytes of the readings in the folder of a cache.
pub(super) fn size(cache: &Path) -> (u64, u64) {
    files(cache).filter_map(|path| path.metadata().ok()).fold((0, 0), |(n, bytes), file| (n + 1, bytes + file.len()))
}

/// Removes them.
pub(super) fn clear(cache: &Path) -> std::io::Result<()> {
    files(cache).try_for_each(std::fs::remove_file)
}

fn files(cache: &Path) -> impl Iterator<Item = PathBuf> {
    let children = std::fs::read_dir(cache.join(BELOW)).into_iter().flatten().flatten();
    children.map(|child| child.path()).filter(|path| path.extension().is_some_and(|word| word == EXTENSION))
}
