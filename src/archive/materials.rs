//! Files that the analyses of a study read whole, by the part they play.

use std::collections::BTreeMap;

use crate::digest::{Digest, md5};
use crate::report::{Finding, Findings, Place};
use crate::study::{Study, StudyFile};
use crate::world::{Entry, Source};

/// A file with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    /// Path inside the study.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Declared files by role; the files of a role are sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Materials {
    files: BTreeMap<String, Vec<Material>>,
    /// Member by which the problems in the files of a role are known.
    problems: BTreeMap<String, String>,
}

impl Materials {
    /// Files of a role; none where the study declares or holds none.
    pub fn all(&self, role: &str) -> &[Material] {
        self.files.get(role).map_or(&[], Vec::as_slice)
    }

    /// The file of a role that has one.
    pub fn one(&self, role: &str) -> Option<&Material> {
        self.all(role).first()
    }

    /// Roles with at least one file.
    pub fn roles(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Files of problems, with their role and the member by which their problems are known.
    pub fn of_problems(&self) -> impl Iterator<Item = (&str, &str, &Material)> {
        self.problems
            .iter()
            .flat_map(|(role, member)| self.all(role).iter().map(move |file| (role.as_str(), member.as_str(), file)))
    }

    /// Says by which member the problems in the files of a role are known.
    pub fn know_problems_by(&mut self, role: &str, member: &str) {
        self.problems.insert(role.to_owned(), member.to_owned());
    }

    /// True without files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Adds a file to a role.
    pub fn add(&mut self, role: &str, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        let files = self.files.entry(role.to_owned()).or_default();
        files.push(Material { path: path.into(), bytes: bytes.into() });
        files.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

/// Reads the declared files and compares them with the checksums that the study pins.
pub(super) fn read(source: &dyn Source, study: &Study, entries: &[Entry], findings: &mut Findings) -> Materials {
    let mut materials = Materials::default();
    for file in &study.files {
        if let Some(member) = &file.problems {
            materials.know_problems_by(&file.role, member);
        }
        let below = |entry: &&Entry| entry.regular && entry.path.starts_with(&file.path);
        let paths: Vec<&str> = if file.path.ends_with('/') {
            entries.iter().filter(below).map(|entry| entry.path.as_str()).collect()
        } else {
            vec![&file.path]
        };
        if paths.is_empty() && !file.optional {
            findings.push(Finding::new("missing-file", Place::file(&file.path), "the folder holds no file"));
        }
        for path in paths {
            match source.read(path) {
                Ok(bytes) => {
                    findings.extend(pinned(file, path, &bytes));
                    materials.add(&file.role, path, bytes);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    if !file.optional {
                        findings.push(Finding::new("missing-file", Place::file(path), error.to_string()));
                    }
                }
                Err(error) => findings.push(Finding::new("unreadable-file", Place::file(path), error.to_string())),
            }
        }
    }
    materials
}

fn pinned(file: &StudyFile, path: &str, bytes: &[u8]) -> Option<Finding> {
    let wrong = |algorithm: &str, pinned: &Option<String>, found: String| {
        let pinned = pinned.as_ref().filter(|pinned| !pinned.eq_ignore_ascii_case(&found))?;
        let message = format!("its {algorithm} is {found}, the study pins {pinned}");
        Some(Finding::new("checksum-differs", Place::file(path), message))
    };
    wrong("MD5", &file.md5, md5(bytes)).or_else(|| wrong("SHA-256", &file.sha256, Digest::of(bytes).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    fn told(files: Vec<StudyFile>) -> (Materials, Vec<&'static str>) {
        let source = Memory::default().with("a.txt", *b"abc").with("d/2", *b"x").with("d/1", *b"y");
        let study = Study { files, ..crate::study::blank() };
        let mut findings = Findings::default();
        let materials = read(&source, &study, &source.entries().unwrap(), &mut findings);
        (materials, findings.iter().map(|finding| finding.code).collect())
    }

    fn file(path: &str, md5: Option<&str>, optional: bool) -> StudyFile {
        StudyFile {
            role: "r".into(),
            path: path.into(),
            md5: md5.map(str::to_owned),
            sha256: None,
            optional,
            problems: None,
        }
    }

    #[test]
    fn files_and_folders_are_read_by_role() {
        let (materials, codes) = told(vec![file("d/", None, false), file("a.txt", None, false)]);
        let paths: Vec<_> = materials.all("r").iter().map(|material| material.path.as_str()).collect();
        assert_eq!((paths, codes), (vec!["a.txt", "d/1", "d/2"], vec![]));
        assert!(materials.all("other").is_empty());
    }

    #[test]
    fn what_is_missing_or_another_file_is_told() {
        // RFC 1321, A.5: MD5 of "abc".
        assert_eq!(told(vec![file("a.txt", Some("900150983CD24FB0D6963F7D28E17F72"), false)]).1, [""; 0]);
        assert_eq!(told(vec![file("a.txt", Some("900150983cd24fb0d6963f7d28e17f73"), false)]).1, ["checksum-differs"]);
        assert_eq!(told(vec![file("b.txt", None, false), file("e/", None, false)]).1, ["missing-file"; 2]);
        assert_eq!(told(vec![file("b.txt", None, true), file("e/", None, true)]).1, [""; 0]);
    }
}
