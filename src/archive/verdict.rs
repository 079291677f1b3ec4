//! What a judge said of an answer: never a bare yes or no.
//!
//! Two test suites, two harnesses over the same predictions, hidden and visible tests: each is a judge, and a
//! record holds one [`Verdict`] of each. A summary says which of the states are in its denominator.

use std::sync::Arc;

use serde::Serialize;

/// What one judge, in one environment, said of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Id of the judge, as `[[judge]]` declares it; empty where the study has only one.
    pub judge: Arc<str>,
    /// Environment or version of the harness, where the archive names one.
    pub environment: Option<Arc<str>>,
    /// What was said.
    pub status: Status,
    /// True when the archive does not store this verdict and it follows from others by the format's rule.
    pub inferred: bool,
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It is right.
    Pass,
    /// It is wrong.
    Fail,
    /// It has a score between wrong and right, which the record holds.
    Partial,
    /// Its program did not end in time.
    Timeout,
    /// Running or judging it ended with an error that is the answer's own.
    Error,
    /// The answer is empty.
    Empty,
    /// It was answered, and no verdict is stored.
    NotGraded,
    /// The judge left it out of its score.
    NotScored,
    /// It was asked, and nothing came back.
    NotAnswered,
    /// It was never asked.
    NotTried,
}

impl Status {
    /// The word used in tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Partial => "partial",
            Self::Timeout => "timeout",
            Self::Error => "error",
            Self::Empty => "empty",
            Self::NotGraded => "not-graded",
            Self::NotScored => "not-scored",
            Self::NotAnswered => "not-answered",
            Self::NotTried => "not-tried",
        }
    }

    /// Right or wrong, where the status decides it; `None` where nobody judged, or where a score does.
    pub const fn passed(self) -> Option<bool> {
        match self {
            Self::Pass => Some(true),
            Self::Fail | Self::Timeout | Self::Error | Self::Empty => Some(false),
            Self::Partial | Self::NotGraded | Self::NotScored | Self::NotAnswered | Self::NotTried => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_judged_is_neither_right_nor_wrong() {
        assert_eq!(Status::Pass.passed(), Some(true));
        assert_eq!([Status::Timeout, Status::Error, Status::Empty].map(Status::passed), [Some(false); 3]);
        assert_eq!([Status::NotGraded, Status::NotTried, Status::Partial].map(Status::passed), [None; 3]);
    }
}
