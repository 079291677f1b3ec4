//! Why a bundle could not be written or opened.

use std::io;

use crate::report::{Finding, Findings, Place};
use crate::world::ChangedWhileRead;

/// An input is not what it was when the study was read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it changed since the study was read: {0}")]
pub(super) struct Changed(pub(super) &'static str);

impl From<Changed> for io::Error {
    fn from(changed: Changed) -> Self {
        Self::new(io::ErrorKind::InvalidData, changed)
    }
}

/// The kind of finding for an input that could not be packed.
fn input_code(error: &io::Error) -> &'static str {
    if ChangedWhileRead::is(error) {
        return "changed-while-read";
    }
    match error.kind() {
        _ if error.get_ref().and_then(|inner| inner.downcast_ref::<Changed>()).is_some() => "input-changed",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "input-disappeared",
        // What a source says of a link, or of anything else that is no regular file.
        io::ErrorKind::InvalidInput => "input-not-regular",
        _ => "unreadable-file",
    }
}

/// A stage error: no bundle was written, or this one cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The identity of the study lacks what every deposit needs; the findings say what to add.
    #[error("the study does not say enough about itself to be deposited ({} things to add)", .0.len())]
    Identity(Findings),
    /// A page, table or other product of the tool has a name that may not be stored.
    #[error("{0:?} cannot be stored in a bundle")]
    Name(String),
    /// Two files would be stored under one name.
    #[error("two files would be stored as {0:?}")]
    Taken(String),
    /// An input file changed, disappeared, or is no regular file.
    #[error("{path}: {error}")]
    Input {
        /// Path inside the study.
        path: String,
        /// What happened.
        error: io::Error,
    },
    /// The bundle could not be written.
    #[error("{path} cannot be written: {error}")]
    Write {
        /// The target.
        path: String,
        /// What happened.
        error: io::Error,
    },
    /// The bundle could not be read.
    #[error("{path} cannot be read: {error}")]
    Read {
        /// The bundle.
        path: String,
        /// What happened.
        error: io::Error,
    },
    /// The file is built like no honest bundle; the findings say how. Nothing of it was read.
    #[error("{path} is refused")]
    Refused {
        /// The bundle.
        path: String,
        /// Why.
        findings: Findings,
    },
    /// A DOI that is none.
    #[error("{0:?} is not a DOI (expected 10.PREFIX/SUFFIX)")]
    Doi(String),
}

impl BundleError {
    /// The findings that say the same with places and remedies.
    pub fn findings(&self) -> Findings {
        match self {
            Self::Identity(findings) | Self::Refused { findings, .. } => findings.clone(),
            Self::Input { path, error } => {
                [Finding::new(input_code(error), Place::file(path), error.to_string())].into_iter().collect()
            }
            Self::Read { path, error } => {
                [Finding::new("unreadable-file", Place::file(path), error.to_string())].into_iter().collect()
            }
            _ => Findings::default(),
        }
    }
}
