//! Issues: everything there is to say about a study, one issue once.
//!
//! A fault shows in many places: a wrong number is printed in four documents, a listed disagreement names six
//! claims, a renamed file makes a finding in every run. What has one cause is one [`Issue`] with all its places,
//! ordered by what it changes. Causes and groups come from data (the facts that claims rest on, the conflicts
//! that name them, the files and subjects of findings), never from reading a sentence; every finding, and every
//! claim that does not follow or on which sources disagree, belongs to exactly one issue.
//!
//! Nothing is judged here. The page of findings, the report, the terminal and the JSON are made from this list.

mod archive;
mod cause;
mod effect;
mod group;
mod printed;
mod sentence;

use serde::Serialize;

pub use cause::Cause;
pub use effect::Effect;

use crate::audits::Concern;
use crate::claims::{Judgement, Judgements, Verdict};
use crate::report::{Findings, Severity};
use crate::statistics::Statistic;
use crate::study::Study;

/// What issues are made from.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The declaration: headlines, names.
    pub study: &'a Study,
    /// Judged claims.
    pub judgements: &'a Judgements,
    /// Everything any stage had to say.
    pub findings: &'a Findings,
    /// What audits found out about single claims.
    pub concerns: &'a [Concern],
    /// The statistics, for their names and for which of their measures are places.
    pub known: &'a [&'static dyn Statistic],
}

/// One thing that is wrong, missing or worth knowing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Issue {
    /// Stable name: of the first claim, conflict, or kind of finding and its file.
    pub id: String,
    /// What it changes.
    pub effect: Effect,
    /// Where it comes from.
    pub cause: Cause,
    /// The gravest of its findings.
    pub severity: Severity,
    /// What is the matter, in one sentence made from data.
    pub sentence: String,
    /// Where it shows, claims first.
    pub places: Vec<Spot>,
    /// Claims that do not follow or on which sources disagree: ledger and id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<(String, String)>,
    /// Conflicts by id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
    /// Codes of its findings, with how many there are of each.
    pub codes: Vec<(&'static str, usize)>,
    /// Positions of its findings in the list of all, gravest first.
    pub findings: Vec<usize>,
    /// What people wrote about it, as quotations with their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
    /// True when its author has acknowledged every wrong number of it.
    pub acknowledged: bool,
}

/// A place where an issue shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// Document, file, record or problem.
    pub place: String,
    /// What stands there.
    pub says: String,
    /// Ledger and id, for a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<(String, String)>,
}

/// All issues, by what they change, then by gravity and name.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Issues(Vec<Issue>);

impl Issues {
    /// All issues in order.
    pub fn iter(&self) -> impl Iterator<Item = &Issue> {
        self.0.iter()
    }

    /// Issues that change this, in order.
    pub fn that_change(&self, effect: Effect) -> impl Iterator<Item = &Issue> {
        self.0.iter().filter(move |issue| issue.effect == effect)
    }

    /// Number of issues.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `2 change a conclusion, 1 a headline number, 5 a cell`; empty without issues that change anything.
    pub fn line(&self) -> String {
        let count = |effect: &Effect| (*effect, self.that_change(*effect).count());
        let counted = Effect::ALL.iter().map(count).filter(|(_, count)| *count > 0);
        counted.map(|(effect, count)| format!("{count} {}", effect.words(count))).collect::<Vec<_>>().join(", ")
    }
}

/// Groups everything that was found.
pub fn of(subject: &Subject<'_>) -> Issues {
    let (mut issues, told) = printed::issues(subject);
    issues.extend(archive::issues(subject, &told));
    issues.sort_by(|a, b| {
        (a.effect, a.acknowledged, std::cmp::Reverse(a.severity), &a.id).cmp(&(
            b.effect,
            b.acknowledged,
            std::cmp::Reverse(b.severity),
            &b.id,
        ))
    });
    Issues(issues)
}

/// What the recomputation alone says about a claim.
fn own(claim: &Judgement) -> Verdict {
    claim.recomputation.unwrap_or(claim.verdict)
}

/// True for a claim that must be in an issue: it does not follow, its sources disagree, or its author says that
/// it is wrong.
pub fn is_concerned(claim: &Judgement) -> bool {
    own(claim).contradicts() || claim.verdict == Verdict::ConflictingSources || claim.erratum.is_some()
}

#[cfg(test)]
mod tests;
