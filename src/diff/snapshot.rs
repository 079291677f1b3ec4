//! What a version is compared by, as data and as the text that is published with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::files::FileDigest;
use super::level::{Level, Members};
use super::{facts, files, problems, records};
use crate::archive::Archive;
use crate::claims::Judgement;
use crate::corpus::Corpus;
use crate::statistics::Facts;

/// Name and version of the text form.
const FORMAT: &str = "repro-snapshot/2";

/// Which version a snapshot is of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Id of the study.
    pub study: String,
    /// Version.
    pub version: String,
    /// Publication date.
    pub date: String,
    /// Digest of the archive, in hexadecimal digits.
    pub archive: String,
    /// Name and version of the tool that computed the statistics.
    pub tool: String,
}

/// What the stages made of one version. A stage that was not run is `None`, and its level is then named
/// in [`super::Difference::not_compared`].
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Files with their digests.
    pub files: Option<&'a [FileDigest]>,
    /// Problem sets.
    pub corpus: &'a Corpus,
    /// Runs and records.
    pub archive: &'a Archive,
    /// Recomputed statistics.
    pub facts: Option<&'a Facts>,
    /// Judged claims.
    pub claims: Option<&'a [Judgement]>,
}

/// A version, ready to be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Which version.
    pub named: Named,
    pub(super) files: Option<Level>,
    pub(super) problems: Level,
    pub(super) runs: Level,
    pub(super) records: Level,
    pub(super) statistics: Option<Level>,
    pub(super) claims: Option<Level>,
}

/// A text that is no snapshot.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// It is not JSON of the right form.
    #[error("it cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of another format.
    #[error("its format is {0:?}, not {FORMAT:?}")]
    Format(String),
}

/// A level as text: names of members, then per thing the parts of its name and the members in that order.
#[derive(Deserialize)]
struct LevelText {
    members: Vec<String>,
    things: Vec<(Vec<String>, Vec<Option<String>>)>,
}

#[derive(Deserialize)]
struct SnapshotText {
    format: String,
    #[serde(flatten)]
    named: Named,
    levels: BTreeMap<String, LevelText>,
}

impl Snapshot {
    /// Takes from a version what it is compared by.
    pub fn of(named: Named, side: &Side<'_>) -> Self {
        Self {
            named,
            files: side.files.map(files::level),
            problems: problems::level(side.corpus, &side.archive.materials),
            runs: records::runs(side.archive),
            records: records::level(side.archive),
            statistics: side.facts.map(facts::statistics),
            claims: side.claims.map(facts::claims),
        }
    }

    fn levels(&self) -> [(&'static str, Option<&Level>); 6] {
        [
            ("files", self.files.as_ref()),
            ("problems", Some(&self.problems)),
            ("runs", Some(&self.runs)),
            ("records", Some(&self.records)),
            ("statistics", self.statistics.as_ref()),
            ("claims", self.claims.as_ref()),
        ]
    }

    /// The text form: JSON, one thing per line.
    pub fn to_text(&self) -> String {
        let mut out = String::from("{\n");
        let named = [
            ("format", FORMAT),
            ("study", &self.named.study),
            ("version", &self.named.version),
            ("date", &self.named.date),
            ("archive", &self.named.archive),
            ("tool", &self.named.tool),
        ];
        for (name, text) in named {
            let _ = writeln!(out, "\"{name}\": {},", serde_json::Value::from(text));
        }
        out.push_str("\"levels\": {\n");
        let present = self.levels().into_iter().filter_map(|(name, level)| Some((name, level?)));
        let texts: Vec<String> = present.map(|(name, level)| level_text(name, level)).collect();
        out.push_str(&texts.join(",\n"));
        out.push_str("\n}\n}\n");
        out
    }

    /// Reads the text form.
    pub fn parse(text: &[u8]) -> Result<Self, SnapshotError> {
        let mut read: SnapshotText = serde_json::from_slice(text)?;
        if read.format != FORMAT {
            return Err(SnapshotError::Format(read.format));
        }
        let mut take = |name: &str| read.levels.remove(name).map(level);
        Ok(Self {
            files: take("files"),
            problems: take("problems").unwrap_or_default(),
            runs: take("runs").unwrap_or_default(),
            records: take("records").unwrap_or_default(),
            statistics: take("statistics"),
            claims: take("claims"),
            named: read.named,
        })
    }
}

fn level_text(name: &str, level: &Level) -> String {
    let members: BTreeSet<&String> = level.values().flat_map(Members::keys).collect();
    let things: Vec<String> = level
        .iter()
        .map(|(key, of)| {
            let values: Vec<Option<&String>> = members.iter().map(|member| of.get(*member)).collect();
            serde_json::json!([key, values]).to_string()
        })
        .collect();
    format!("\"{name}\": {{\"members\": {}, \"things\": [\n{}\n]}}", serde_json::json!(members), things.join(",\n"))
}

fn level(text: LevelText) -> Level {
    let LevelText { members, things } = text;
    let present = |values: Vec<Option<String>>| {
        members.iter().zip(values).filter_map(|(name, value)| Some((name.clone(), value?))).collect()
    };
    things.into_iter().map(|(key, values)| (key, present(values))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::level::members;
    use super::*;

    fn snapshot() -> Snapshot {
        let name = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let hostile = "</script>\n\"\u{202e}".to_owned();
        Snapshot {
            named: Named { study: hostile.clone(), version: "1.10".into(), ..Named::default() },
            problems: Level::from([
                (name(&["core", &hostile]), members([("answers", Some("1=2 m".into()))])),
                (name(&["core", "p2"]), members([("solver", Some(hostile))])),
            ]),
            statistics: Some(Level::default()),
            ..Snapshot::default()
        }
    }

    #[test]
    fn the_text_form_reads_back_as_it_was_and_keeps_what_is_absent() {
        let read = Snapshot::parse(snapshot().to_text().as_bytes()).unwrap();
        assert_eq!(read, snapshot());
        assert!(read.statistics.is_some() && read.claims.is_none() && read.files.is_none());
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        assert!(matches!(Snapshot::parse(b"{"), Err(SnapshotError::Json(_))));
        let other = snapshot().to_text().replace(FORMAT, "repro-snapshot/9");
        assert!(matches!(Snapshot::parse(other.as_bytes()), Err(SnapshotError::Format(_))));
    }
}
