//! Reading parts and putting them together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::MAGIC;
use super::header::PartHeader;
use crate::digest::Digest;
use crate::engine::cache::record::{CHECKSUM, HEAD, LARGEST, decode};
use crate::engine::contract::Identity;
use crate::engine::outcome::Outcome;

/// Why parts cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// No part was given.
    #[error("there is no part to merge")]
    None,
    /// A file cannot be read.
    #[error("{path} cannot be read: {error}")]
    Io {
        /// File.
        path: PathBuf,
        /// What happened.
        error: std::io::Error,
    },
    /// A file is no part, or one of a version that this one does not know.
    #[error("{path} is no part of a verification that this version can read")]
    NoPart {
        /// File.
        path: PathBuf,
    },
    /// The bytes of a part are not those that were written.
    #[error("{path} is damaged: its bytes are not those that were written")]
    Damaged {
        /// File.
        path: PathBuf,
    },
    /// Two parts are not of one work.
    #[error("{first} and {path} do not belong together: {what} is {here} in the one and {there} in the other")]
    Mixed {
        /// File that was given first.
        first: PathBuf,
        /// File that does not fit.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the first says.
        here: String,
        /// What the other says.
        there: String,
    },
    /// One part is there twice, with other outcomes.
    #[error("part {part} is given twice, as {first} and {path}, and the two hold different outcomes")]
    Contradiction {
        /// Number of the part.
        part: usize,
        /// File that was given first.
        first: PathBuf,
        /// The other file.
        path: PathBuf,
    },
    /// Some parts are not there.
    #[error("{} of {of} {} not among those given", named(.parts), if .parts.len() == 1 { "is" } else { "are" })]
    Lost {
        /// Their numbers.
        parts: Vec<usize>,
        /// How many parts there are.
        of: usize,
    },
}

fn named(parts: &[usize]) -> String {
    let noun = if parts.len() == 1 { "part" } else { "parts" };
    format!("{noun} {}", parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// Bytes of a record without its key: payload and checksum.
type Body = Vec<u8>;

/// One part as it was read.
struct Part {
    path: PathBuf,
    header: PartHeader,
    outcomes: Vec<BTreeMap<Digest, Body>>,
}

/// All parts of one work.
#[derive(Debug)]
pub struct Parts {
    /// What all parts say: the header of the first.
    pub header: PartHeader,
    /// Files that repeat a part that was given before, with its number.
    pub repeated: Vec<(PathBuf, usize)>,
    /// Outcomes by engine of the header.
    outcomes: Vec<BTreeMap<Digest, Body>>,
}

impl Parts {
    /// Reads the parts, whatever their order, and refuses what is not one whole work. A part that is given twice
    /// changes nothing.
    pub fn gather(paths: &[PathBuf]) -> Result<Self, PartError> {
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        let mut repeated = Vec::new();
        let mut first: Option<(PathBuf, PartHeader)> = None;
        for path in paths {
            let part = read(path)?;
            let (given, header) = first.get_or_insert_with(|| (path.clone(), part.header.clone()));
            if let Some((what, here, there)) = header.differs(&part.header) {
                return Err(PartError::Mixed { first: given.clone(), path: path.clone(), what, here, there });
            }
            let number = part.header.part;
            match parts.get(&number) {
                None => drop(parts.insert(number, part)),
                Some(known) if agree(known, &part) => repeated.push((path.clone(), number)),
                Some(known) => {
                    let first = known.path.clone();
                    return Err(PartError::Contradiction { part: number, first, path: path.clone() });
                }
            }
        }
        let Some((_, header)) = first else { return Err(PartError::None) };
        let lost: Vec<usize> = (1..=header.of).filter(|number| !parts.contains_key(number)).collect();
        if !lost.is_empty() {
            return Err(PartError::Lost { parts: lost, of: header.of });
        }
        let mut outcomes = vec![BTreeMap::new(); header.engines.len()];
        for part in parts.into_values() {
            for (all, own) in outcomes.iter_mut().zip(part.outcomes) {
                for (key, body) in own {
                    // Parts may hold equal programs; the outcome of the first part counts, whatever the order.
                    all.entry(key).or_insert(body);
                }
            }
        }
        Ok(Self { header, repeated, outcomes })
    }

    /// The engines with their outcomes, in the order of the header.
    pub(super) fn into_engines(self) -> Vec<(Identity, BTreeMap<Digest, Body>)> {
        // Headers whose engines are unknown are refused when they are read.
        let identities = self.header.engines.iter().filter_map(super::PartEngine::identity);
        identities.zip(self.outcomes).collect()
    }
}

/// The outcome in the bytes of a record.
pub(super) fn outcome(key: &Digest, body: &[u8]) -> Option<Outcome> {
    decode(key, body)
}

/// True when two files hold the same outcomes; what programs printed may differ, as it may between executions.
fn agree(one: &Part, other: &Part) -> bool {
    let graded = |key: &Digest, body: &[u8]| {
        decode(key, body).map(|outcome| format!("{:?} {:?}", outcome.status, outcome.returned))
    };
    one.outcomes.iter().zip(&other.outcomes).all(|(one, other)| {
        let same = |((key, a), (other, b)): ((&Digest, &Body), (&Digest, &Body))| {
            key == other && (a == b || graded(key, a) == graded(key, b))
        };
        one.len() == other.len() && one.iter().zip(other).all(same)
    })
}

fn read(path: &Path) -> Result<Part, PartError> {
    let bytes = crate::world::disk::read_file(path).map_err(|error| PartError::Io { path: path.to_owned(), error })?;
    let no_part = || PartError::NoPart { path: path.to_owned() };
    let damaged = || PartError::Damaged { path: path.to_owned() };
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(no_part)?;
    let split = bytes.len().checked_sub(32).filter(|at| *at > MAGIC.len()).ok_or_else(damaged)?;
    if Digest::of(&bytes[..split]).as_bytes() != &bytes[split..] {
        return Err(damaged());
    }
    let mut rest = &rest[..rest.len() - 32];
    let length = word(&mut rest).ok_or_else(damaged)? as usize;
    let (text, mut rest) = rest.split_at_checked(length).ok_or_else(damaged)?;
    let header: PartHeader = serde_json::from_slice(text).map_err(|_| no_part())?;
    let sensible = (1..=header.of).contains(&header.part)
        && !header.engines.is_empty()
        && (header.once || header.engines.len().is_multiple_of(2))
        && header.engines.iter().all(|engine| engine.identity().is_some());
    if !sensible {
        return Err(no_part());
    }
    let mut outcomes = Vec::new();
    for _ in &header.engines {
        outcomes.push(records(&mut rest).ok_or_else(damaged)?);
    }
    if !rest.is_empty() {
        return Err(damaged());
    }
    Ok(Part { path: path.to_owned(), header, outcomes })
}

/// The records of one engine; every one must check.
fn records(rest: &mut &[u8]) -> Option<BTreeMap<Digest, Body>> {
    let count = word(rest)?;
    let mut keys = BTreeSet::new();
    let mut records = BTreeMap::new();
    for _ in 0..count {
        let (head, tail) = rest.split_at_checked(HEAD)?;
        let length = u32::from_le_bytes(head[..4].try_into().ok()?);
        let key = Digest::from_bytes(head[4..].try_into().ok()?);
        let (body, tail) = tail.split_at_checked((length.min(LARGEST) as usize) + CHECKSUM)?;
        *rest = tail;
        decode(&key, body)?;
        if !keys.insert(key) {
            return None;
        }
        records.insert(key, body.to_vec());
    }
    Some(records)
}

fn word(rest: &mut &[u8]) -> Option<u32> {
    let (word, tail) = rest.split_at_checked(4)?;
    *rest = tail;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}
