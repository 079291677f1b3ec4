//! The files of a study as the stages see them: without clutter, and with pointers told from content.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};

use super::clutter::{Clutter, clutter};
use super::pointer::{LONGEST, NotFetched};
use super::{Entry, Source};

/// Something that lies in the folder and is no part of the study: a file, or a folder with all below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// Path inside the folder; a folder's ends in `/`.
    pub path: String,
    /// What it is.
    pub kind: Clutter,
    /// How many files that are.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A source seen as a study.
pub struct StudyFolder<S> {
    inner: S,
    /// Clutter that belongs to the study nevertheless; `None` when everything does.
    sifted: Option<Vec<String>>,
}

impl<S: Source> StudyFolder<S> {
    /// A folder as it lies on a disk: clutter is left out, but for the paths named (a file, or a folder
    /// with all below it).
    pub fn sifted(inner: S, include: Vec<String>) -> Self {
        let trimmed = include.into_iter().map(|path| path.trim_end_matches('/').to_owned()).collect();
        Self { inner, sifted: Some(trimmed) }
    }

    /// A deposit: every file in it belongs to the study.
    pub fn whole(inner: S) -> Self {
        Self { inner, sifted: None }
    }

    /// The clutter that `path` is, unless it was asked for.
    fn hidden(&self, path: &str) -> Option<(Clutter, usize)> {
        let include = self.sifted.as_ref()?;
        let asked =
            |name: &String| path == name || path.strip_prefix(name.as_str()).is_some_and(|r| r.starts_with('/'));
        if include.iter().any(asked) { None } else { clutter(path) }
    }

    /// What was left out, in the order of the paths.
    pub fn left_out(&self) -> io::Result<Vec<LeftOut>> {
        let mut found: BTreeMap<String, LeftOut> = BTreeMap::new();
        for entry in self.inner.entries()? {
            let Some((kind, end)) = self.hidden(&entry.path) else { continue };
            let folder = if end < entry.path.len() { "/" } else { "" };
            let path = format!("{}{folder}", &entry.path[..end]);
            let one = found.entry(path.clone()).or_insert(LeftOut { path, kind, files: 0, bytes: 0 });
            one.files += 1;
            one.bytes += entry.bytes;
        }
        Ok(found.into_values().collect())
    }
}

impl<S: Source> Source for StudyFolder<S> {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = self.inner.entries()?;
        entries.retain(|entry| self.hidden(&entry.path).is_none());
        Ok(entries)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        let mut file = self.open_as_stored(path)?;
        let mut begin = Vec::with_capacity(LONGEST + 1);
        file.by_ref().take(LONGEST as u64 + 1).read_to_end(&mut begin)?;
        match NotFetched::parse(&begin) {
            Some(pointer) => Err(pointer.into()),
            None => Ok(Box::new(Cursor::new(begin).chain(file))),
        }
    }

    fn open_as_stored(&self, path: &str) -> io::Result<Box<dyn Read + Send + '_>> {
        if self.hidden(path).is_some() {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("{path:?} is no part of the study")));
        }
        self.inner.open_as_stored(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.hidden(path).is_none() && self.inner.exists(path)
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::*;

    fn folder() -> Memory {
        Memory::default()
            .with("a.json", *b"1")
            .with(".env", *b"KEY=1")
            .with(".git/config", *b"x")
            .with(".git/objects/1", *b"xyz")
            .with("runs/._a.json", *b"x")
            .with("lfs.json", *b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n")
    }

    #[test]
    fn clutter_is_left_out_and_told_and_taken_when_asked_for() {
        let study = StudyFolder::sifted(folder(), vec![]);
        let paths = |study: &StudyFolder<Memory>| {
            study.entries().unwrap().into_iter().map(|entry| entry.path).collect::<Vec<_>>()
        };
        assert_eq!(paths(&study), ["a.json", "lfs.json"]);
        assert!(!study.exists(".env") && study.open(".env").is_err());
        let told: Vec<_> = study.left_out().unwrap().into_iter().map(|o| (o.path, o.kind, o.files, o.bytes)).collect();
        assert_eq!(
            told,
            [
                (".env".to_owned(), Clutter::Keys, 1, 5),
                (".git/".to_owned(), Clutter::VersionControl, 2, 4),
                ("runs/._a.json".to_owned(), Clutter::System, 1, 1),
            ]
        );
        let asked = StudyFolder::sifted(folder(), vec![".git/".to_owned(), ".env".to_owned()]);
        assert_eq!(paths(&asked), [".env", ".git/config", ".git/objects/1", "a.json", "lfs.json"]);
        assert_eq!(paths(&StudyFolder::whole(folder())).len(), 6);
    }

    #[test]
    fn a_pointer_is_no_content_and_is_stored_as_it_is() {
        let study = StudyFolder::whole(folder());
        let error = study.read("lfs.json").unwrap_err();
        assert_eq!(NotFetched::of(&error).unwrap().bytes, Some(7));
        let mut stored = String::new();
        study.open_as_stored("lfs.json").unwrap().read_to_string(&mut stored).unwrap();
        assert!(stored.starts_with("version "));
        assert_eq!(study.read("a.json").unwrap(), b"1");
    }
}
