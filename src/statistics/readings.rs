//! Measuring texts while they stream by: signatures, words, tokens, units in prose.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::Readings;
use crate::archive::{Actual, AttemptText, Record};
use crate::grade::{signature, unit_text};

/// What to measure; counting tokens costs far more than everything else together.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counting {
    /// Recount prompt, response and reasoning tokens with o200k.
    pub tokens: bool,
}

/// Words for something that could execute a program.
const VEHICLES: &str = r"\b(?:code|script|program|solver|interpreter|python|numpy|scipy)\b";

/// Words of approximation that the study looks for in prose answers, in lower case.
const APPROXIMATIONS: [&str; 7] =
    ["negligible", "neglect", "much smaller than", "to first order", "≪", r"\ll", "long-wave limit"];

static VEHICLE: LazyLock<Regex> = LazyLock::new(|| {
    let built = RegexBuilder::new(VEHICLES).case_insensitive(true).build();
    built.unwrap_or_else(|error| panic!("a pattern of this program: {error}"))
});

/// Measures the texts of one record.
pub fn measure(record: &Record, texts: &[AttemptText<'_>], counting: Counting) -> Readings {
    let responses = || texts.iter().map(|text| text.response.as_ref());
    let signatures = responses().enumerate().flat_map(|(attempt, response)| {
        signature::signatures(response, true).into_iter().map(move |found| (attempt, found.phrase))
    });
    Readings {
        tokens: (counting.tokens && !texts.is_empty()).then(|| tokens(texts)),
        execution_talk: responses().any(|response| VEHICLE.is_match(response)),
        approximation_talk: responses().any(approximates),
        signatures: signatures.collect(),
        prose_units: prose_units(record, texts),
        numbers: option_numbers(record, texts),
    }
}

fn approximates(response: &str) -> bool {
    let lower = response.to_lowercase();
    APPROXIMATIONS.iter().any(|words| lower.contains(words))
}

fn tokens(texts: &[AttemptText<'_>]) -> (u64, u64, u64) {
    let count = |text: &str| bpe_openai::o200k_base().count(text) as u64;
    texts.iter().fold((0, 0, 0), |(prompt, completion, reasoning), text| {
        let trace = if text.reasoning.trim().is_empty() { 0 } else { count(&text.reasoning) };
        (prompt + count(&text.prompt), completion + count(&text.response), reasoning + trace)
    })
}

/// Units written next to the graded values of the last response, by sub-answer.
fn prose_units(record: &Record, texts: &[AttemptText<'_>]) -> Vec<Option<String>> {
    let (Some(details), Some(last)) = (&record.details, texts.last()) else { return Vec::new() };
    let unit = |actual: &Actual| match actual {
        Actual::Number(value) => Some(unit_text::unit_of(&last.response, *value)).filter(|unit| !unit.is_empty()),
        _ => None,
    };
    details.iter().map(|detail| unit(&detail.actual)).collect()
}

/// Numbers of the last response when the answer is right and has no graded values: only picked options
/// are like that, and only there somebody looks for a computed value again.
fn option_numbers(record: &Record, texts: &[AttemptText<'_>]) -> Vec<f64> {
    let picked = record.passed == Some(true) && record.details.is_none();
    texts.last().filter(|_| picked).map(|last| signature::numbers(&last.response)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn words_are_found_whatever_their_case() {
        assert!(approximates("The term is NEGLIGIBLE here") && approximates(r"k \ll 1"));
        assert!(!approximates("exactly"));
        assert!(VEHICLE.is_match("My Python script") && !VEHICLE.is_match("encoded"));
    }

    #[test]
    fn tokens_are_those_of_the_public_tokenizer() {
        let text = |prompt: &'static str, response: &'static str, reasoning: &'static str| AttemptText {
            prompt: Cow::Borrowed(prompt),
            response: Cow::Borrowed(response),
            reasoning: Cow::Borrowed(reasoning),
        };
        // "hello world" is two tokens of o200k_base; a blank trace counts nothing.
        assert_eq!(tokens(&[text("hello world", "hello", "  "), text("hello", "hello world", "hello")]), (3, 3, 1));
    }
}
