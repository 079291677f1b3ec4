//! What grading says: one mark per sub-answer, with the way it was reached.

use std::sync::Arc;

use serde::Serialize;

use super::distance::Distance;
use super::reasons::Reason;
use crate::archive::Actual;

/// The study's rule stops with `OverflowError` (a power or an integer beyond the range of a double).
///
/// We do not stop: the sub-answer fails with the reason `overflow`, the others are graded, and the
/// grade says that the reference rule would have ended there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a number beyond the range of a double")]
pub struct Overflow;

/// How an accepted value was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// As bare numbers, units ignored.
    Plain,
    /// After converting both units as single tokens.
    Scalar,
    /// After converting both units as products of powers.
    Compound,
}

/// Where the value of a sub-answer was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lookup {
    /// The returned entry with the same key.
    Key,
    /// The returned entry at the same position, because no entry has the key.
    Position(usize),
    /// Nothing was returned for it.
    Absent,
    /// It was stored with the record.
    Stored,
}

/// One accepted answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted<'a> {
    /// Value as Python prints it.
    pub value: &'a str,
    /// Unit as written.
    pub unit: &'a str,
}

/// One comparison that grading makes: which accepted answer, by which route, how far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Position among the accepted answers of the sub.
    pub alternative: usize,
    /// Route.
    pub route: Route,
    /// Distance.
    pub distance: Distance,
}

/// Mark of one sub-answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SubGrade {
    /// Key.
    pub sub: Arc<str>,
    /// Right or wrong.
    pub passed: bool,
    /// Route, when right.
    pub route: Option<Route>,
    /// Position of the accepted answer that was met, when right.
    pub alternative: Option<usize>,
    /// Where the value came from.
    pub lookup: Lookup,
    /// The value that was compared.
    pub actual: Actual,
    /// Its unit as text; `None` for an explicit null.
    pub actual_unit: Option<Arc<str>>,
    /// Why it is wrong.
    pub reason: Option<Reason>,
}

/// Mark of a problem: right when every sub-answer is.
#[derive(Debug, Clone, PartialEq)]
pub struct Grade {
    /// All sub-answers right.
    pub passed: bool,
    /// One mark per distinct sub, in stored order; empty when nothing was returned.
    pub subs: Vec<SubGrade>,
    /// True when the study's rule would have ended with an `OverflowError`.
    pub overflow: bool,
}

impl Grade {
    /// A grade without any sub-answer: nothing usable was returned.
    pub const fn empty() -> Self {
        Self { passed: false, subs: Vec::new(), overflow: false }
    }

    /// The grade of these marks.
    pub fn of(subs: Vec<SubGrade>) -> Self {
        let passed = !subs.is_empty() && subs.iter().all(|sub| sub.passed);
        let overflow = subs.iter().any(|sub| sub.reason == Some(Reason::Overflow));
        Self { passed, subs, overflow }
    }
}
