//! A source held in memory, for tests and for generated studies.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::{Entry, Source};

/// Files by path.
#[derive(Debug, Clone, Default)]
pub struct Memory(BTreeMap<String, Vec<u8>>);

impl Memory {
    /// Adds or replaces a file.
    #[must_use]
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.to_owned(), content.into());
        self
    }
}

impl Source for Memory {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let entry = |(path, content): (&String, &Vec<u8>)| Entry {
            path: path.clone(),
            bytes: content.len() as u64,
            regular: true,
        };
        Ok(self.0.iter().map(entry).collect())
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        match self.0.get(path) {
            Some(content) => Ok(Box::new(content.as_slice())),
            None => Err(io::Error::new(io::ErrorKind::NotFound, path.to_owned())),
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn name(&self) -> &'static str {
        "(memory)"
    }
}
