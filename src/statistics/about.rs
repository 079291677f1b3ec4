//! The definition of a statistic, written once and shown everywhere.

/// What a statistic is.
#[derive(Debug)]
pub struct About {
    /// Stable kebab-case id; the rule slugs of claims ledgers name it.
    pub id: &'static str,
    /// Other slugs under which ledgers refer to measures of this statistic.
    pub also: &'static [&'static str],
    /// Title for pages.
    pub title: &'static str,
    /// Unit of its main value.
    pub unit: &'static str,
    /// What it answers, in plain words.
    pub meaning: &'static str,
    /// The formula with its symbols defined.
    pub formula: &'static str,
    /// Where the definition comes from (author, year, equation, or the study's rule).
    pub source: &'static str,
    /// What happens at n = 0, n = 1, ties, missing runs.
    pub edge_cases: &'static str,
    /// A worked example with numbers.
    pub example: &'static str,
    /// Keys of its facts.
    pub keys: &'static [KeyDoc],
    /// Measures of its facts with their meaning.
    pub measures: &'static [(&'static str, &'static str)],
}

/// A key of a fact.
#[derive(Debug)]
pub struct KeyDoc {
    /// Name (`model`, `category`, `family`, ...).
    pub key: &'static str,
    /// What its values are.
    pub meaning: &'static str,
}
