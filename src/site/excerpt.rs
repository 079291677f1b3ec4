//! Beginnings of texts: what pages can show of them, so that no more has to be kept in memory.

use std::sync::Arc;

use crate::archive::AttemptText;
use crate::grade::extract;
use crate::markup::preview;

/// Bytes of a response, prompt, trace or program that a page shows at most.
pub(crate) const LONGEST: usize = 12 * 1024;

/// The beginning of a text and the size of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The beginning, at most twelve kibibytes.
    pub text: Arc<str>,
    /// Bytes of the whole text.
    pub bytes: usize,
}

/// What can be shown of one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptExcerpts {
    /// What was asked.
    pub prompt: Excerpt,
    /// What came back.
    pub response: Excerpt,
    /// Reasoning trace; empty when none is stored.
    pub reasoning: Excerpt,
    /// The program in the response, read from the whole of it.
    pub program: Excerpt,
}

impl Excerpt {
    /// The beginning of a text; `keep` may return a copy that exists already.
    fn of(text: &str, keep: &dyn Fn(&str) -> Arc<str>) -> Self {
        Self { text: keep(preview(text, LONGEST).0), bytes: text.len() }
    }
}

impl AttemptExcerpts {
    /// The beginnings of the texts of an attempt; `keep` may return copies that exist already.
    pub fn of(texts: &AttemptText<'_>, keep: &dyn Fn(&str) -> Arc<str>) -> Self {
        Self {
            prompt: Excerpt::of(&texts.prompt, keep),
            response: Excerpt::of(&texts.response, keep),
            reasoning: Excerpt::of(&texts.reasoning, keep),
            program: Excerpt::of(extract::program(&texts.response), keep),
        }
    }

    /// True when there is nothing to show.
    pub fn is_empty(&self) -> bool {
        [&self.prompt, &self.response, &self.reasoning].iter().all(|excerpt| excerpt.bytes == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_read_from_the_whole_response_and_sizes_are_those_of_the_whole() {
        let response = format!("{}\n```python\nx = 1\n```", "é".repeat(LONGEST));
        let bytes = response.len();
        let texts = AttemptText { response: response.into(), ..AttemptText::default() };
        let found = AttemptExcerpts::of(&texts, &|text| text.into());
        assert_eq!((&*found.program.text, found.response.bytes), ("x = 1", bytes));
        assert!(found.response.text.len() <= LONGEST && !found.is_empty());
    }
}
