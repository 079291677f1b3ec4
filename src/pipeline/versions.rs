//! One version among others: its name, what it is compared by, and the version before it.

use super::{Evaluated, Given, TOOL};
use crate::diff::{Difference, Named, Side, Snapshot, compare};
use crate::site::Changes;
use crate::study::Study;

/// The version before, as far as there is one.
#[derive(Debug, Clone)]
pub enum Earlier {
    /// None, and why.
    None(String),
    /// This one.
    Version(Box<Snapshot>),
}

impl Earlier {
    /// What differs between it and a later version.
    pub(super) fn difference(&self, later: &Snapshot) -> Option<Difference> {
        match self {
            Self::None(_) => None,
            Self::Version(snapshot) => Some(compare(snapshot, later)),
        }
    }

    /// The same as pages take it.
    pub(super) fn changes<'a>(&'a self, difference: Option<&'a Difference>) -> Changes<'a> {
        match (self, difference) {
            (Self::Version(snapshot), Some(difference)) => Changes::Against(&snapshot.named, difference),
            (Self::None(why), _) => Changes::None(why),
            (Self::Version(_), None) => Changes::None("The version before was not compared."),
        }
    }
}

/// Which version a study is.
pub fn named(given: &Given) -> Named {
    let identity = &given.study.study;
    Named {
        study: identity.id.clone(),
        version: identity.version.clone(),
        date: identity.date.clone(),
        archive: given.digest.to_string(),
        tool: TOOL.to_owned(),
    }
}

/// What later versions are compared with. Files are left out: the bundle lists them.
pub fn snapshot(evaluated: &Evaluated) -> Snapshot {
    let given = &evaluated.given;
    let judgements = &evaluated.judgements;
    let side = Side {
        files: None,
        corpus: &given.corpus,
        archive: &given.archive,
        facts: Some(&evaluated.computed.facts),
        claims: (!judgements.ledgers.is_empty()).then_some(judgements.claims.as_slice()),
    };
    Snapshot::of(named(given), &side)
}

/// The folder name of a study's version.
pub fn version_name(study: &Study) -> String {
    crate::slug::file_name(&study.study.version)
}
