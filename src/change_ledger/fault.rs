//! What can be wrong between a ledger and the two trees, as data and as findings.

use serde::Serialize;

use crate::json::Value;
use crate::report::{Finding, Place};

/// Longest value that a message shows as it is.
const LONGEST: usize = 60;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The field of the new tree is not what the record says it became.
    AfterDiffers,
    /// The field of the old tree is not what the record says it was.
    BeforeDiffers,
    /// A record starts from another value than the one an earlier record of the place left.
    BrokenChain,
    /// The new tree has no such field.
    MissingPath,
    /// Neither tree has the item of a record.
    MissingItem,
    /// A field differs and no record names it.
    Unrecorded,
    /// A field differs although the record says that it was kept.
    ChangedThoughKept,
    /// The new tree has an item that the old one lacks, and no record says so.
    AddedItem,
    /// The new tree lacks an item, and no record says so.
    DeletedItem,
    /// The record says the same before and after, and not that the field was kept.
    NoChange,
}

impl FaultKind {
    /// Code of the finding.
    pub const fn code(self) -> &'static str {
        match self {
            Self::AfterDiffers => "ledger-after-differs",
            Self::BeforeDiffers => "ledger-before-differs",
            Self::BrokenChain => "ledger-broken-chain",
            Self::MissingPath => "ledger-missing-path",
            Self::MissingItem => "ledger-missing-item",
            Self::Unrecorded => "ledger-unrecorded-change",
            Self::ChangedThoughKept => "ledger-changed-though-kept",
            Self::AddedItem => "ledger-added-item",
            Self::DeletedItem => "ledger-deleted-item",
            Self::NoChange => "ledger-no-change",
        }
    }

    /// False for what is worth knowing and contradicts nothing.
    pub const fn disagrees(self) -> bool {
        !matches!(self, Self::NoChange)
    }
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Item.
    pub item: String,
    /// Field; empty for the item as a whole.
    pub field: String,
    /// Round of the record; empty where there is no record or it names no round.
    pub round: String,
    /// Where the record, or the item, stands.
    pub place: Place,
    /// What the record says, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
    /// What the tree says, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

impl Fault {
    /// The finding about it.
    pub fn finding(&self) -> Finding {
        let field = if self.field.is_empty() { "the whole item" } else { &self.field };
        let recorded = self.recorded.as_deref().unwrap_or("nothing");
        let found = self.found.as_deref().unwrap_or("nothing");
        let message = match self.kind {
            FaultKind::AfterDiffers => format!("{field}: recorded as {recorded}, the release has {found}"),
            FaultKind::BeforeDiffers => format!("{field}: recorded as {recorded} before, the older tree has {found}"),
            FaultKind::BrokenChain => {
                format!("{field}: this record starts from {recorded}, the one before left {found}")
            }
            FaultKind::MissingPath => format!("{field}: recorded as {recorded}, the release has no such field"),
            FaultKind::MissingItem => format!("{field}: neither tree has this item"),
            FaultKind::Unrecorded => format!("{field} became {found} and no record says so"),
            FaultKind::ChangedThoughKept => format!("{field} became {found} though it is recorded as kept"),
            FaultKind::AddedItem => "only the release has this item, and no record says so".to_owned(),
            FaultKind::DeletedItem => "the release lacks this item, and no record says so".to_owned(),
            FaultKind::NoChange => format!("{field}: before and after are both {recorded}"),
        };
        let round = if self.round.is_empty() { String::new() } else { format!(" ({})", self.round) };
        let place = self.place.clone().with_subject(&self.item);
        Finding::new(self.kind.code(), place, format!("{message}{round}"))
    }
}

/// A value for a message: JSON, cut in the middle of what is long.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_strict().to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST - 20).collect();
    format!("{head}… ({} characters)", text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_registered_code_of_its_weight() {
        for kind in [
            FaultKind::AfterDiffers,
            FaultKind::BeforeDiffers,
            FaultKind::BrokenChain,
            FaultKind::MissingPath,
            FaultKind::MissingItem,
            FaultKind::Unrecorded,
            FaultKind::ChangedThoughKept,
            FaultKind::AddedItem,
            FaultKind::DeletedItem,
            FaultKind::NoChange,
        ] {
            let entry = crate::report::code(kind.code()).unwrap();
            assert_eq!(entry.severity == crate::report::Severity::Disagrees, kind.disagrees(), "{kind:?}");
        }
    }

    #[test]
    fn long_values_are_cut_by_characters() {
        assert_eq!(shown(&Value::Text("é".into())), "\"é\"");
        assert!(shown(&Value::Text("é".repeat(100))).ends_with("… (102 characters)"));
    }
}
