//! One file of a source, as if it were alone.

use std::io::{self, Read};

use super::{Entry, Source};

/// A source that shows one file.
pub struct Only<S> {
    inside: S,
    path: String,
}

impl<S: Source> Only<S> {
    /// Shows this file and nothing else.
    pub fn new(inside: S, path: &str) -> Self {
        Self { inside, path: path.to_owned() }
    }
}

impl<S: Source> Source for Only<S> {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        Ok(self.inside.entries()?.into_iter().filter(|entry| entry.path == self.path).collect())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        self.inside.open(path)
    }

    fn exists(&self, path: &str) -> bool {
        path == self.path && self.inside.exists(path)
    }

    fn name(&self) -> &str {
        self.inside.name()
    }
}
