//! Everything that the descriptions of one deposit are made from.
//!
//! The record itself is stored in the bundle (`metadata/record.json`), so that the descriptions can be
//! made again from it when the DOI is known.

use serde::{Deserialize, Serialize};

use super::table_schema::TableFact;
use crate::digest::Digest;
use crate::study::Identity;

/// A step of the recomputation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// One word: `verify`, `statistics`, `claims`, `site`.
    pub id: String,
    /// What it does, as a sentence.
    pub title: String,
    /// Paths below `data/` that it read; a folder ends in `/`.
    pub reads: Vec<String>,
    /// Paths below `data/` that it made.
    pub makes: Vec<String>,
    /// Why it failed; `None` when it ran to its end (whatever it found).
    pub failure: Option<String>,
}

/// The record that is stored with the descriptions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Record {
    /// Form of this record.
    pub format: u32,
    /// Who, what, when.
    pub identity: Identity,
    /// Version of the tool.
    pub tool_version: String,
    /// Moment of all time stamps, seconds since 1970.
    pub epoch: i64,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// The files of the study.
    pub archive: ArchiveFacts,
    /// True with a rendered site.
    pub site: bool,
    /// Version of RO-Crate that describes the payload.
    #[serde(default)]
    pub ro_crate: CrateVersion,
}

/// A version of RO-Crate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CrateVersion {
    /// 1.1, the newest that Process Run Crate 0.5 extends.
    #[default]
    #[serde(rename = "1.1")]
    V1_1,
    /// 1.2, without the profile.
    #[serde(rename = "1.2")]
    V1_2,
}

impl CrateVersion {
    /// The version as its addresses spell it.
    pub const fn number(self) -> &'static str {
        match self {
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
        }
    }
}

/// The study's own files, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ArchiveFacts {
    /// How many.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// True when they are in the bundle, false when only their digests are.
    pub inside: bool,
}

/// A file that the descriptions mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFact {
    /// Path below `data/`.
    pub path: String,
    /// Size.
    pub bytes: u64,
    /// Digest, for files of the tool's own making.
    pub digest: Option<Digest>,
}

/// The record with what is known of the payload.
#[derive(Debug, Clone, PartialEq)]
pub struct Deposit {
    /// The record.
    pub record: Record,
    /// Result files, sorted by path.
    pub results: Vec<FileFact>,
    /// The CSV files among them.
    pub tables: Vec<TableFact>,
}

impl Record {
    /// Form written by this version.
    pub const FORMAT: u32 = 1;
}

impl Deposit {
    /// Shortcut to the identity.
    pub fn identity(&self) -> &Identity {
        &self.record.identity
    }

    /// The DOI as a link, else the page of the study.
    pub(super) fn landing_page(&self) -> Option<String> {
        let identity = self.identity();
        identity.doi.as_ref().map(|doi| format!("https://doi.org/{doi}")).or_else(|| identity.url.clone())
    }
}

/// Page of the tool, when its package names one. An address that leads nowhere, or to somebody else's
/// package, is worse than none.
pub(super) fn tool_page() -> Option<&'static str> {
    [env!("CARGO_PKG_HOMEPAGE"), env!("CARGO_PKG_REPOSITORY")].into_iter().find(|page| !page.is_empty())
}

/// An absolute identifier of the tool: its page, else a name made from its name and version, which leads
/// nowhere and does not pretend to.
pub(super) fn tool_id(version: &str) -> String {
    let made = || format!("urn:uuid:{}", Digest::of(format!("repro {version}").as_bytes()).uuid());
    tool_page().map_or_else(made, str::to_owned)
}

/// JSON with members in the order given, two spaces, final newline; strict.
pub fn json_text(value: &serde_json::Value) -> Vec<u8> {
    let mut text = format!("{value:#}").into_bytes();
    text.push(b'\n');
    text
}

/// Media type by the extension of a path.
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "csv" => "text/csv",
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "jsonld" => "application/ld+json",
        "parquet" => "application/vnd.apache.parquet",
        "md" => "text/markdown",
        "html" => "text/html",
        "svg" => "image/svg+xml",
        "cff" | "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "py" => "text/x-python",
        "lock" | "txt" | "" => "text/plain",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
pub(super) fn sample() -> Deposit {
    let table = b"model,passed,rate\nalpha,3,0.75\nbeta,,0.5\n";
    Deposit {
        record: Record {
            format: Record::FORMAT,
            identity: super::description::sample(),
            tool_version: "0.1.0".into(),
            epoch: 1_796_000_000,
            steps: vec![Step {
                id: "verify".into(),
                title: "Executes and grades again".into(),
                reads: vec!["archive/".into()],
                makes: vec!["results/ledger.json".into()],
                failure: None,
            }],
            archive: ArchiveFacts { files: 2, bytes: 10, inside: true },
            site: true,
            ro_crate: CrateVersion::default(),
        },
        results: vec![FileFact { path: "results/ledger.json".into(), bytes: 2, digest: Some(Digest::of(b"[]")) }],
        tables: vec![TableFact::read("results/main.csv", table).unwrap()],
    }
}
