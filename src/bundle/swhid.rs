//! Software Heritage identifiers (ISO/IEC 18670, version 1.2) of files and of the payload.
//!
//! They are hashes of Git objects, so `git hash-object` and `git write-tree` give the same ones, and no
//! service is needed. SHA-1 underlies them: they identify, the manifests prove.

use std::collections::BTreeMap;

use sha1::{Digest as _, Sha1};

use super::bag::hex;

/// Identifier of a content, from its hash as a blob.
pub(super) fn content(blob: &[u8; 20]) -> String {
    format!("swh:1:cnt:{}", hex(blob))
}

/// Identifier of a folder, from paths below it and hashes of their contents. All files have mode 100644;
/// a path twice, or a file that is also a folder, cannot be and takes the last.
pub(super) fn directory<'a>(files: impl IntoIterator<Item = (&'a str, [u8; 20])>) -> String {
    let mut root = Folder::default();
    files.into_iter().for_each(|(path, blob)| root.add(path, blob));
    format!("swh:1:dir:{}", hex(&root.tree()))
}

/// Hash of a blob.
pub(super) fn blob(content: &[u8]) -> [u8; 20] {
    Sha1::new_with_prefix(format!("blob {}\0", content.len())).chain_update(content).finalize().into()
}

enum Child {
    File([u8; 20]),
    Folder(Folder),
}

/// Children under the key by which Git sorts them: folders as if their name ended in `/`.
#[derive(Default)]
struct Folder(BTreeMap<String, Child>);

impl Folder {
    fn add(&mut self, path: &str, blob: [u8; 20]) {
        let Some((folder, rest)) = path.split_once('/') else {
            self.0.insert(path.to_owned(), Child::File(blob));
            return;
        };
        let child = self.0.entry(format!("{folder}/")).or_insert_with(|| Child::Folder(Self::default()));
        if let Child::Folder(folder) = child {
            folder.add(rest, blob);
        }
    }

    /// Hash of the tree object.
    fn tree(&self) -> [u8; 20] {
        let mut body = Vec::new();
        for (key, child) in &self.0 {
            let (mode, hash) = match child {
                Child::File(blob) => ("100644", *blob),
                Child::Folder(folder) => ("40000", folder.tree()),
            };
            body.extend_from_slice(format!("{mode} {}\0", key.trim_end_matches('/')).as_bytes());
            body.extend_from_slice(&hash);
        }
        Sha1::new_with_prefix(format!("tree {}\0", body.len())).chain_update(body).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_what_git_hash_object_says() {
        for (text, expected) in [
            ("hello\n", "swh:1:cnt:ce013625030ba8dba906f756967f9e9ca394464a"),
            ("", "swh:1:cnt:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"),
        ] {
            assert_eq!(content(&blob(text.as_bytes())), expected);
        }
    }

    #[test]
    fn folders_are_what_git_write_tree_says() {
        // Names that sort otherwise as files than as folders: `a-c`, `a.b`, `a/`.
        let files = [("a/x", "hello\n"), ("a.b", ""), ("a-c", "z"), ("a/sub/y", "q")];
        let hashed = files.map(|(path, text)| (path, blob(text.as_bytes())));
        assert_eq!(directory(hashed), "swh:1:dir:d89c5269d06241c9507334ba2221d1686307fae4");
        assert_eq!(directory([]), "swh:1:dir:4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }
}
