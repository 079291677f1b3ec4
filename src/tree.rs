//! An ordered map from relative path to content: what the site and the bundle produce.
//!
//! Output is first complete in memory (or points at an input file that is too large for that), then
//! written whole by [`crate::world`]. Paths are checked when they enter, so no page, figure or model
//! name can place a file outside the output folder.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the bytes of an output file come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Bytes made by the tool.
    Bytes(Arc<[u8]>),
    /// A file of the study's input, copied without loading it.
    Input {
        /// Path inside the study source.
        path: String,
        /// Size in bytes as listed.
        bytes: u64,
    },
}

/// A set of output files in path order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree(BTreeMap<String, Content>);

/// A path that may not become a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// Absolute, empty component, `.` or `..`, backslash, control character.
    #[error("{0:?} cannot be the path of an output file")]
    Path(String),
    /// Two outputs under names that are equal on a disk that ignores case.
    #[error("two output files would be called {0:?}")]
    Taken(String),
}

impl Tree {
    /// Adds a file of the tool's own making.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<(), TreeError> {
        self.insert(path.into(), Content::Bytes(bytes.into().into()))
    }

    /// Gives a file that is there already other bytes.
    pub fn replace(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), TreeError> {
        let content = self.0.get_mut(path).ok_or_else(|| TreeError::Path(path.to_owned()))?;
        *content = Content::Bytes(bytes.into().into());
        Ok(())
    }

    /// Adds a file that is copied from the study source.
    pub fn add_input(&mut self, path: impl Into<String>, from: impl Into<String>, bytes: u64) -> Result<(), TreeError> {
        self.insert(path.into(), Content::Input { path: from.into(), bytes })
    }

    fn insert(&mut self, path: String, content: Content) -> Result<(), TreeError> {
        let sound = !path.is_empty()
            && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
            && !path.chars().any(|c| c == '\\' || c.is_control());
        if !sound {
            return Err(TreeError::Path(path));
        }
        if self.0.contains_key(&path) {
            return Err(TreeError::Taken(path));
        }
        self.0.insert(path, content);
        Ok(())
    }

    /// Moves all files of `other` under `folder/`.
    pub fn graft(&mut self, folder: &str, other: Tree) -> Result<(), TreeError> {
        other.0.into_iter().try_for_each(|(path, content)| self.insert(format!("{folder}/{path}"), content))
    }

    /// Content at a path.
    pub fn get(&self, path: &str) -> Option<&Content> {
        self.0.get(path)
    }

    /// Bytes at a path, if the tool made them.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.0.get(path) {
            Some(Content::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Files in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Content)> {
        self.0.iter().map(|(path, content)| (path.as_str(), content))
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True without files.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leaves_the_tree() {
        let mut tree = Tree::default();
        for path in ["", "/a", "a//b", "../a", "a/..", "a\\b", "a\nb", "."] {
            assert_eq!(tree.add(path, *b"x"), Err(TreeError::Path(path.into())), "{path:?}");
        }
        tree.add("a/b.html", *b"x").unwrap();
        assert_eq!(tree.add("a/b.html", *b"y"), Err(TreeError::Taken("a/b.html".into())));
        tree.replace("a/b.html", *b"z").unwrap();
        assert_eq!(tree.bytes("a/b.html"), Some(&b"z"[..]));
        assert_eq!(tree.replace("c.html", *b"z"), Err(TreeError::Path("c.html".into())));
    }
}
