//! The bag: every file listed, every listed file there, every digest right, in every manifest.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::stream::ReadEntry;
use crate::bundle::bag::{self, Algorithm, Manifest};
use crate::bundle::container::{Container, Stamp};
use crate::bundle::plan::NAMES;
use crate::bundle::source::MOST;
use crate::bundle::swhid;
use crate::bundle::write::RECORDS;
use crate::digest::Digest;
use crate::report::{Finding, Findings, Place};

/// A bag under examination.
pub(super) struct Bag<'a> {
    pub(super) container: &'a Container,
    pub(super) root: &'a str,
    /// Entries that could be read, by path below the root.
    pub(super) read: &'a BTreeMap<String, ReadEntry>,
}

impl Bag<'_> {
    /// Checks everything; returns the fields of `bag-info.txt`.
    pub(super) fn check(&self, stamp: Stamp, findings: &mut Findings) -> Vec<(String, String)> {
        match self.text("bagit.txt") {
            Some(text) if text == bag::DECLARATION => {}
            Some(_) => findings.push(malformed("bagit.txt", "it is not the declaration of a BagIt 1.0 bag")),
            None => findings.push(missing("bagit.txt", "there is no declaration, so this is no bag")),
        }
        if self.exists("fetch.txt") {
            let message = "the bag wants files to be fetched; nothing is fetched, what is absent stays absent";
            findings.push(Finding::new("bag-holey", Place::file("fetch.txt"), message));
        }
        for algorithm in Algorithm::ALL {
            self.payload(algorithm, findings);
            self.tags(algorithm, findings);
        }
        self.records(findings);
        self.names(findings);
        let info = self.info(findings);
        self.stamp(&info, stamp, findings);
        info
    }

    /// An entry of the container, readable or not.
    pub(super) fn exists(&self, path: &str) -> bool {
        self.container.members().contains_key(&format!("{}/{path}", self.root))
    }

    /// Text of a readable entry. What is damaged was reported when it was read.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.read.get(path)?;
        let bytes = self.container.read(&format!("{}/{path}", self.root), MOST).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// All entries below the root, readable or not.
    fn paths(&self) -> impl Iterator<Item = &str> {
        let skip = self.root.len() + 1;
        self.container.members().keys().map(move |name| &name[skip..])
    }

    fn payload(&self, algorithm: Algorithm, findings: &mut Findings) {
        let name = algorithm.manifest();
        let Some(manifest) = self.manifest(name, algorithm, findings) else { return };
        self.compare(name, &manifest, algorithm, |path| path.starts_with("data/"), findings);
        for path in manifest.files.keys().filter(|path| !path.starts_with("data/")) {
            findings.push(malformed(name, &format!("{path} is listed, but is no payload")));
        }
    }

    fn tags(&self, algorithm: Algorithm, findings: &mut Findings) {
        let name = algorithm.tag_manifest();
        let Some(manifest) = self.manifest(name, algorithm, findings) else { return };
        // The records cover the tag manifests, so these cannot cover the records.
        let covered = |path: &str| !path.starts_with("data/") && !path.starts_with("tagmanifest-") && path != RECORDS;
        self.compare(name, &manifest, algorithm, covered, findings);
        for path in manifest.files.keys().filter(|path| path.starts_with("tagmanifest-") || path.starts_with("data/")) {
            findings.push(malformed(name, &format!("{path} may not be listed in a tag manifest")));
        }
    }

    /// Reads a manifest and reports its faults.
    fn manifest(&self, name: &str, algorithm: Algorithm, findings: &mut Findings) -> Option<Manifest> {
        if !self.exists(name) {
            findings.push(missing(name, "the manifest is absent"));
            return None;
        }
        let manifest = bag::read_manifest(&self.text(name)?, algorithm);
        for (line, fault) in &manifest.faults {
            findings.push(Finding::new("bag-malformed", Place::file(name).with_line(*line), fault.clone()));
        }
        Some(manifest)
    }

    /// Compares a manifest with the files it should cover, both ways.
    fn compare(
        &self,
        name: &str,
        manifest: &Manifest,
        algorithm: Algorithm,
        covered: impl Fn(&str) -> bool,
        findings: &mut Findings,
    ) {
        for path in self.paths().filter(|path| covered(path)) {
            let Some(expected) = manifest.files.get(path) else {
                let other = manifest.files.keys().any(|listed| listed != path && same_form(listed, path));
                if !other {
                    findings.push(Finding::new(
                        "bag-unlisted-file",
                        Place::file(path),
                        format!("{name} does not list it"),
                    ));
                }
                continue;
            };
            let Some(entry) = self.read.get(path) else { continue };
            let actual = match algorithm {
                Algorithm::Sha256 => bag::hex(&entry.hashes.sha256),
                Algorithm::Sha512 => bag::hex(&entry.hashes.sha512),
            };
            if actual != *expected {
                findings.push(Finding::new("digest-differs", Place::file(path), format!("{name} has another digest")));
            }
        }
        for path in manifest.files.keys().filter(|path| covered(path) && !self.exists(path)) {
            match self.paths().find(|present| same_form(present, path)) {
                Some(_) => findings.push(Finding::new(
                    "bag-other-form",
                    Place::file(path.escape_default().to_string()),
                    "it is present under another Unicode normal form of its name",
                )),
                None => findings.push(missing(path, &format!("{name} lists it"))),
            }
        }
    }

    /// Digests of the entries as they stand in the zip.
    fn records(&self, findings: &mut Findings) {
        if !self.exists(RECORDS) {
            let message = "without it, a change that leaves the content intact is not seen";
            findings.push(Finding::new("bag-missing-file", Place::file(RECORDS), message));
            return;
        }
        let Some(text) = self.text(RECORDS) else { return };
        let records = bag::read_manifest(&text, Algorithm::Sha256);
        for (line, fault) in &records.faults {
            findings.push(Finding::new("bag-malformed", Place::file(RECORDS).with_line(*line), fault.clone()));
        }
        for (path, entry) in self.read.iter().filter(|(path, _)| *path != RECORDS) {
            let message = match records.files.get(&format!("{}/{path}", self.root)) {
                Some(expected) if *expected == bag::hex(&entry.record) => continue,
                Some(_) => "its compressed bytes are not those that were written",
                None => "zip-records.txt does not list it",
            };
            findings.push(Finding::new("container-differs", Place::file(path), message));
        }
        let prefix = self.root.len() + 1;
        for name in records.files.keys().filter(|name| !self.container.members().contains_key(*name)) {
            findings.push(missing(name.get(prefix..).unwrap_or(name), "zip-records.txt lists it"));
        }
    }

    /// The index of names must agree with what is stored.
    fn names(&self, findings: &mut Findings) {
        let Some(text) = self.text(NAMES) else { return };
        let rows = crate::metadata::read_csv(&text).unwrap_or_default();
        for (index, row) in rows.iter().enumerate().skip(1) {
            let agrees = match row.as_slice() {
                [stored, _, bytes, digest, identifier] => self.read.get(stored).is_none_or(|entry| {
                    entry.bytes.to_string() == *bytes
                        && bag::hex(&entry.hashes.sha256) == *digest
                        && swhid::content(&entry.hashes.git) == *identifier
                }),
                _ => false,
            };
            if !agrees {
                let place = Place::file(NAMES).with_line(index + 1);
                findings.push(Finding::new("digest-differs", place, "the row does not describe the stored file"));
            }
        }
    }

    /// `bag-info.txt`: the quick count and the identifier of the payload.
    fn info(&self, findings: &mut Findings) -> Vec<(String, String)> {
        const FILE: &str = "bag-info.txt";
        let Some(text) = self.text(FILE) else { return Vec::new() };
        let Some(info) = bag::read_info(&text) else {
            findings.push(malformed(FILE, "it has a line that is no field"));
            return Vec::new();
        };
        let values = |label: &str| info.iter().filter(|(l, _)| l == label).map(|(_, v)| v.as_str()).collect::<Vec<_>>();
        let prefix = format!("{}/data/", self.root);
        let payload = || self.container.members().iter().filter(|(name, _)| name.starts_with(&prefix));
        let bytes: u64 = payload().map(|(_, found)| found.member.size).sum();
        match values("payload-oxum").as_slice() {
            [] => findings.push(malformed(FILE, "it has no Payload-Oxum")),
            [oxum] if *oxum == format!("{bytes}.{}", payload().count()) => {}
            [oxum] => {
                let actual = format!("{bytes}.{}", payload().count());
                findings.push(malformed(FILE, &format!("Payload-Oxum is {oxum}, the payload has {actual}")));
            }
            _ => findings.push(malformed(FILE, "it has two Payload-Oxum")),
        }
        if let Some(manifest) = self.text(Algorithm::Sha256.manifest()) {
            let uuid = format!("urn:uuid:{}", Digest::of(manifest.as_bytes()).uuid());
            if !values("external-identifier").contains(&uuid.as_str()) {
                findings.push(malformed(FILE, "no External-Identifier is that of the payload manifest"));
            }
        }
        let payload =
            self.read.iter().filter_map(|(path, entry)| Some((path.strip_prefix("data/")?, entry.hashes.git)));
        if !values("external-identifier").contains(&swhid::directory(payload).as_str()) {
            findings.push(malformed(FILE, "no External-Identifier is the SWHID of the payload"));
        }
        info
    }

    /// The one time stamp must be the moment that `bag-info.txt` gives.
    fn stamp(&self, info: &[(String, String)], stamp: Stamp, findings: &mut Findings) {
        let epoch = info.iter().find(|(label, _)| label == "source-date-epoch").and_then(|(_, v)| v.parse().ok());
        if epoch.is_some_and(|epoch| Stamp::of_epoch(epoch) != stamp) {
            let message = "the time stamps in the zip are not the Source-Date-Epoch of bag-info.txt";
            findings.push(Finding::new("container-differs", Place::default(), message));
        }
    }
}

/// Two names that differ and yet are the same text in another Unicode form.
fn same_form(a: &str, b: &str) -> bool {
    a != b && !(a.is_ascii() && b.is_ascii()) && a.nfc().eq(b.nfc())
}

fn malformed(path: &str, message: &str) -> Finding {
    Finding::new("bag-malformed", Place::file(path), message)
}

fn missing(path: &str, message: &str) -> Finding {
    Finding::new("bag-missing-file", Place::file(path.escape_default().to_string()), message)
}
