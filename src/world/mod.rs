//! The only way to the outside: reading inputs, writing outputs, showing progress.
//!
//! Everything below `cli` sees the outside through the two traits here, so every stage can run in
//! memory and be compared by value. Inputs are read only; outputs are written aside and renamed.

mod beside;
mod changed;
mod clutter;
pub mod disk;
pub mod memory;
mod only;
pub mod output;
mod pointer;
mod study_folder;
pub mod system;
mod tee;
mod watched;
mod window;

use std::io::{self, Read};

pub use beside::Beside;
pub use changed::ChangedWhileRead;
pub use clutter::{Clutter, clutter};
pub use only::Only;
pub use pointer::NotFetched;
pub use study_folder::{LeftOut, StudyFolder};
pub use tee::Tee;
pub use window::{Stop, Window};

/// A file of an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Path inside the source, `/`-separated. A folder that could not be listed is one entry that is not
    /// regular and whose path ends in `/`.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// False for what exists but is not a regular file (a link, a socket); such entries are never
    /// opened.
    pub regular: bool,
}

/// A read-only set of files: a folder, a bundle, or a map in memory.
pub trait Source: Sync {
    /// All files below the root, sorted by path bytes.
    fn entries(&self) -> io::Result<Vec<Entry>>;

    /// Opens a regular file for streaming. A file that is altered before its end has been read gives an
    /// error that carries [`ChangedWhileRead`], where the source can tell.
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>>;

    /// The bytes of a regular file whatever they stand for, to hash or to copy them. A source that tells
    /// pointers to content from content (see [`NotFetched`]) does so in `open` and not here.
    fn open_as_stored(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        self.open(path)
    }

    /// Whole content of a regular file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// True when `path` is a regular file of the source.
    fn exists(&self, path: &str) -> bool;

    /// What to call this source in messages (a path as the user typed it).
    fn name(&self) -> &str;
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        (**self).entries()
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        (**self).open(path)
    }

    fn open_as_stored(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        (**self).open_as_stored(path)
    }

    fn exists(&self, path: &str) -> bool {
        (**self).exists(path)
    }

    fn name(&self) -> &str {
        (**self).name()
    }
}

/// What the work of a stage is counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, shown as kB, MB, GB.
    Bytes,
    /// Files.
    Files,
    /// Executions of programs, pages, or whatever else the name of the stage says.
    #[default]
    Items,
}

/// Progress of a long stage. All methods may be called from several threads.
pub trait Progress: Sync {
    /// A stage begins; `total` items are expected.
    fn begin(&self, stage: &str, total: u64) {
        self.begin_in(Unit::Items, stage, total);
    }
    /// A stage begins whose work is counted in a unit.
    fn begin_in(&self, unit: Unit, stage: &str, total: u64);
    /// `units` more are done.
    fn advance(&self, units: u64);
    /// The stage is over.
    fn finish(&self);
}

/// No progress at all (`--quiet`, tests).
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin_in(&self, _: Unit, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
}
