//! Families of variants of this study.

/// Which kind of variant a set holds, in the words of published tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Other numbers.
    Numeric,
    /// Other words.
    Paraphrase,
}

impl Family {
    /// The word used in tables.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Numeric => "numeric",
            Self::Paraphrase => "paraphrase",
        }
    }
}
