//! Where an issue comes from.

use serde::Serialize;

use crate::audits::Origin;

/// Where an issue comes from, with what shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Cause {
    /// One printed number differs from the recomputed one.
    OneNumber,
    /// Several printed numbers rest on the same recomputed values.
    SameFact {
        /// Printed numbers.
        numbers: usize,
    },
    /// Several printed numbers that the author of the ledger explains with the same words.
    SameExplanation {
        /// Printed numbers.
        numbers: usize,
    },
    /// A printed number is the other neighbour of the value at its precision.
    OtherNeighbour,
    /// An audit found out how the number came about.
    Audited(Origin),
    /// No archive could give the number.
    Impossible,
    /// A listed disagreement of sources, together with the printed numbers that it is about.
    Listed {
        /// Kind, as the ledger names it.
        conflict: String,
        /// Printed numbers among them that do not follow.
        wrong: usize,
    },
    /// Printed numbers exclude one another, and nothing recomputed settles which one is right.
    Printed,
    /// Rows of a published table differ from the recomputed ones.
    Table,
    /// Findings of one kind about one file or subject, or the same fault in several files.
    Kind {
        /// Code of the kind.
        code: &'static str,
    },
    /// An acknowledged erratum that does follow.
    Erratum,
}

impl Cause {
    /// The words for people.
    pub fn words(&self) -> String {
        match self {
            Self::OneNumber => "one number differs".to_owned(),
            Self::SameFact { numbers } => format!("{numbers} numbers rest on the same value"),
            Self::SameExplanation { numbers } => format!("{numbers} numbers with one explanation"),
            Self::OtherNeighbour => "rounded the other way".to_owned(),
            Self::Audited(origin) => origin.words(),
            Self::Impossible => "no archive could give it".to_owned(),
            Self::Listed { wrong: 0, .. } => "sources disagree".to_owned(),
            Self::Listed { wrong: 1, .. } => "sources disagree, and one number differs".to_owned(),
            Self::Listed { wrong, .. } => format!("sources disagree, and {wrong} numbers differ"),
            Self::Printed => "printed numbers exclude one another".to_owned(),
            Self::Table => "rows of a table differ".to_owned(),
            Self::Kind { code } => code.replace('-', " "),
            Self::Erratum => "the erratum is none".to_owned(),
        }
    }
}
