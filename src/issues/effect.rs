//! What an issue changes, which is the order in which a reader wants to know.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Subject;
use crate::claims::{Conflict, Judgement, Link, Shape};
use crate::report::Severity;
use crate::statistics::Statistic;

/// What an issue changes, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// A statement that the study makes does not hold.
    Conclusion,
    /// An order or a rank.
    Rank,
    /// A number that the study declares as a headline, or that stands in the text of the paper.
    Headline,
    /// Files, records, programs or verdicts that numbers rest on.
    Evidence,
    /// Another printed number.
    Cell,
    /// Only words: a definition, a description, a remark that is out of date.
    Wording,
    /// Nothing is wrong; something could not be checked.
    Unchecked,
    /// Nothing is wrong; it is worth knowing.
    Remark,
}

impl Effect {
    /// Every effect in order.
    pub const ALL: [Self; 8] = [
        Self::Conclusion,
        Self::Rank,
        Self::Headline,
        Self::Evidence,
        Self::Cell,
        Self::Wording,
        Self::Unchecked,
        Self::Remark,
    ];

    /// The word used in data.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Conclusion => "conclusion",
            Self::Rank => "rank",
            Self::Headline => "headline",
            Self::Evidence => "evidence",
            Self::Cell => "cell",
            Self::Wording => "wording",
            Self::Unchecked => "unchecked",
            Self::Remark => "remark",
        }
    }

    /// What so many issues do, after their number: `2 change a conclusion`.
    pub const fn words(self, count: usize) -> &'static str {
        match (self, count) {
            (Self::Conclusion, 1) => "changes a conclusion",
            (Self::Conclusion, _) => "change a conclusion",
            (Self::Rank, 1) => "changes a rank",
            (Self::Rank, _) => "change a rank",
            (Self::Headline, 1) => "changes a headline number",
            (Self::Headline, _) => "change a headline number",
            (Self::Evidence, 1) => "is about the evidence",
            (Self::Evidence, _) => "are about the evidence",
            (Self::Cell, 1) => "changes another printed number",
            (Self::Cell, _) => "change another printed number",
            (Self::Wording, 1) => "changes wording",
            (Self::Wording, _) => "change wording",
            (Self::Unchecked, 1) => "says what could not be checked",
            (Self::Unchecked, _) => "say what could not be checked",
            (Self::Remark, 1) => "is a remark",
            (Self::Remark, _) => "are remarks",
        }
    }

    /// Heading of the issues that change this.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Conclusion => "Conclusions",
            Self::Rank => "Ranks",
            Self::Headline => "Headline numbers",
            Self::Evidence => "Evidence",
            Self::Cell => "Other printed numbers",
            Self::Wording => "Wording and definitions",
            Self::Unchecked => "What could not be checked",
            Self::Remark => "Worth knowing",
        }
    }

    /// What these issues are, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Conclusion => "Statements of the study that do not hold on what was archived.",
            Self::Rank => "Orders and ranks that come out differently.",
            Self::Headline => {
                "Numbers that the study declares as headlines, or that stand in the text of the paper, and that do not follow."
            }
            Self::Evidence => {
                "Files, records, programs and verdicts that disagree or cannot be read; numbers rest on them."
            }
            Self::Cell => "Numbers in tables and other documents that do not follow.",
            Self::Wording => "Sources that describe the same thing in different ways; no recomputed number changes.",
            Self::Unchecked => "Nothing is known to be wrong here; what a check needs is not in the archive.",
            Self::Remark => {
                "Nothing is wrong with the archive here; a reader should know it before relying on a number."
            }
        }
    }

    /// What a finding about the archive changes.
    pub(super) const fn of_finding(severity: Severity) -> Self {
        match severity {
            Severity::Unreadable | Severity::Disagrees => Self::Evidence,
            Severity::Missing => Self::Unchecked,
            Severity::Note => Self::Remark,
        }
    }
}

/// Weighs claims and conflicts.
pub(super) struct Scale<'a> {
    headlines: BTreeSet<&'a str>,
    orders: BTreeSet<(&'static str, &'static str)>,
}

impl<'a> Scale<'a> {
    pub(super) fn new(subject: &Subject<'a>) -> Self {
        let declared = subject.study.claims.iter().flat_map(|claims| &claims.headlines);
        let places = |statistic: &&'static dyn Statistic| {
            let id = statistic.about().id;
            statistic.orders().iter().map(move |measure| (id, *measure))
        };
        Self {
            headlines: declared.map(String::as_str).collect(),
            orders: subject.known.iter().flat_map(places).collect(),
        }
    }

    /// What a claim that does not follow changes; nothing for a claim on which sources merely disagree.
    pub(super) fn claim(&self, claim: &Judgement) -> Option<Effect> {
        if !super::own(claim).contradicts() {
            return None;
        }
        Some(if claim.shape == Shape::Holds {
            Effect::Conclusion
        } else if self.is_rank(claim) {
            Effect::Rank
        } else if self.headlines.contains(claim.id.as_str()) || (claim.cell.is_none() && claim.is_of_the_paper()) {
            Effect::Headline
        } else {
            Effect::Cell
        })
    }

    /// What a disagreement of sources changes by itself: those about a value concern a number.
    pub(super) fn conflict(conflict: &Conflict) -> Effect {
        if matches!(conflict.kind.as_str(), "value" | "printed") { Effect::Cell } else { Effect::Wording }
    }

    /// True for a rank, and for a number that was computed from places.
    fn is_rank(&self, claim: &Judgement) -> bool {
        let places = |link: &Link| self.orders.contains(&(link.source.as_str(), link.measure.as_str()));
        claim.unit == "rank" || claim.links.iter().any(places)
    }
}
