//! What a part says of itself.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::engine::contract::Identity;
use crate::engine::sandbox::{Layers, SandboxLevel};

/// What a part is of, and what made it. Everything but the number and the sizes must be the same in all parts of a
/// merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PartHeader {
    /// Name and version of the tool.
    pub tool: String,
    /// Id and version of the study, for people.
    pub study: String,
    /// Where the study was, as it was named; a merge looks there when it is not told another place.
    pub path: String,
    /// Paths that were taken into the study although their names speak against it.
    pub include: Vec<String>,
    /// SHA-256 over the study's files.
    pub archive: String,
    /// Number of the part, from 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
    /// Pieces of work in this part: problems of runs, and problems with programs.
    pub units: usize,
    /// Bytes of programs and answers in this part.
    pub bytes: u64,
    /// True when every program was executed once, without the check that a second execution says the same.
    pub once: bool,
    /// Engines: in their order the ones that execute, each followed by the one that executes a second time, unless
    /// `once`.
    pub engines: Vec<PartEngine>,
}

/// An engine whose outcomes a part holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PartEngine {
    /// `embedded` or `cpython`.
    pub engine: String,
    /// Interpreter and version.
    pub version: String,
    /// How `sum()` adds floats.
    pub float_sum: String,
    /// Isolation that was in force.
    pub level: String,
    /// Its layers, separated by commas.
    pub layers: String,
    /// Digest of everything about the engine that can change a result.
    pub revision: String,
}

impl PartEngine {
    /// The description of an engine.
    pub fn of(identity: &Identity) -> Self {
        Self {
            engine: identity.engine.clone(),
            version: identity.version.clone(),
            float_sum: identity.float_sum.clone(),
            level: identity.level.to_string(),
            layers: identity.layers.names(),
            revision: identity.revision.to_string(),
        }
    }

    /// The engine of a description; `None` when it names something that this version does not know.
    pub fn identity(&self) -> Option<Identity> {
        let layers = Layers::from_names(&self.layers);
        Some(Identity {
            engine: self.engine.clone(),
            version: self.version.clone(),
            float_sum: self.float_sum.clone(),
            level: SandboxLevel::parse(&self.level)?,
            revision: Digest::parse(&self.revision)?,
            layers: Some(layers).filter(|layers| layers.names() == self.layers)?,
        })
    }
}

impl PartHeader {
    /// What differs from another part so that the two are not of one work; with both values.
    pub(super) fn differs(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let engines = |header: &Self| {
            let name = |engine: &PartEngine| {
                let revision = engine.revision.get(..12).unwrap_or_default();
                format!("{} ({}, sandbox {}, revision {revision})", engine.engine, engine.version, engine.level)
            };
            header.engines.iter().map(name).collect::<Vec<_>>().join(" and ")
        };
        let once = |header: &Self| if header.once { "once" } else { "twice" }.to_owned();
        let pairs = [
            ("the tool", self.tool.clone(), other.tool.clone()),
            ("the study", self.study.clone(), other.study.clone()),
            ("the digest of the study", self.archive.clone(), other.archive.clone()),
            ("what is taken into the study", self.include.join(", "), other.include.join(", ")),
            ("the number of parts", self.of.to_string(), other.of.to_string()),
            ("how often each program is executed", once(self), once(other)),
            ("the engine", engines(self), engines(other)),
        ];
        let differing = pairs.into_iter().find(|(_, here, there)| here != there);
        differing.or_else(|| (self.engines != other.engines).then(|| ("the engine", engines(self), engines(other))))
    }
}
