//! A source with a few files that stand beside it, as if they were in it: a benchmark that several folders of results
//! share.

use std::io::{self, Read};

use super::{Entry, Source};

/// Files of one source, and some of another.
pub struct Beside<A, B> {
    inside: A,
    outside: B,
    names: Vec<String>,
}

impl<A: Source, B: Source> Beside<A, B> {
    /// Adds those files of `outside` that are called so and that `inside` does not hold itself.
    pub fn new(inside: A, outside: B, names: &[&str]) -> Self {
        let wanted = |name: &&&str| !inside.exists(name) && outside.exists(name);
        let names = names.iter().filter(wanted).map(|name| (*name).to_owned()).collect();
        Self { inside, outside, names }
    }

    /// Names of the files that were added.
    pub fn added(&self) -> &[String] {
        &self.names
    }

    fn is_outside(&self, path: &str) -> bool {
        self.names.iter().any(|name| name == path)
    }
}

impl<A: Source, B: Source> Source for Beside<A, B> {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = self.inside.entries()?;
        for name in &self.names {
            let mut bytes = 0;
            let mut file = self.outside.open(name)?;
            bytes += io::copy(&mut file, &mut io::sink())?;
            entries.push(Entry { path: name.clone(), bytes, regular: true });
        }
        entries.sort();
        Ok(entries)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        if self.is_outside(path) { self.outside.open(path) } else { self.inside.open(path) }
    }

    fn exists(&self, path: &str) -> bool {
        self.is_outside(path) || self.inside.exists(path)
    }

    fn name(&self) -> &str {
        self.inside.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    #[test]
    fn what_is_inside_wins_and_what_is_beside_is_listed() {
        let inside = Memory::default().with("b", "own");
        let outside = Memory::default().with("a", "aa").with("b", "other").with("c", "c");
        let both = Beside::new(inside, outside, &["a", "b", "x"]);
        assert_eq!(both.added(), ["a"]);
        let listed: Vec<_> = both.entries().unwrap().into_iter().map(|entry| (entry.path, entry.bytes)).collect();
        assert_eq!(listed, [("a".to_owned(), 2), ("b".to_owned(), 3)]);
        assert_eq!((both.read("a").unwrap(), both.read("b").unwrap()), (b"aa".to_vec(), b"own".to_vec()));
        assert!(!both.exists("c") && both.exists("a"));
    }
}
