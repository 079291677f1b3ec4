//! Measuring texts while they stream by: signatures, words, tokens, units in prose.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::evidence::ProseRegrade;
use super::{Readings, o200k};
use crate::archive::{AttemptText, Codec, PackedReader, PackedWriter, Record, RunKey, TextsWanted};
use crate::grade::{direct, signature};
use crate::study::{Experiment, Study};

/// What to measure; counting tokens costs more than everything else together.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counting {
    /// Recount prompt, response and reasoning tokens with o200k.
    pub tokens: bool,
}

impl Counting {
    /// The texts that measuring looks at.
    pub const fn texts(self) -> TextsWanted {
        if self.tokens { TextsWanted::All } else { TextsWanted::Responses }
    }
}

/// Words for something that could execute a program.
const VEHICLES: &str = r"(?:code|script|program|solver|interpreter|python|numpy|scipy)";

/// Words of approximation that the study looks for in prose answers, ASCII letters in either case. (No
/// other character becomes one of these letters in lower case where it would matter.)
const APPROXIMATIONS: &str = r"(?-u)negligible|neglect|much smaller than|to first order|≪|\\ll|long-wave limit";

static VEHICLE: LazyLock<Regex> = LazyLock::new(|| ignoring_case(VEHICLES));
static APPROXIMATION: LazyLock<Regex> = LazyLock::new(|| ignoring_case(APPROXIMATIONS));

fn ignoring_case(pattern: &str) -> Regex {
    let built = RegexBuilder::new(pattern).case_insensitive(true).build();
    built.unwrap_or_else(|error| panic!("a pattern of this program: {error}"))
}

/// How measurements are kept with what was read.
pub const CODEC: Codec<Readings> = Codec { write, read };

fn write(readings: &Readings, out: &mut PackedWriter) {
    let Readings { tokens, execution_talk, approximation_talk, signatures, prose, numbers, note } = readings;
    out.option(*tokens, |out, (prompt, completion, reasoning)| {
        [prompt, completion, reasoning].into_iter().for_each(|count| out.number(count));
    });
    out.flag(*execution_talk);
    out.flag(*approximation_talk);
    out.list(signatures.iter(), |out, (attempt, phrase)| {
        out.number(*attempt as u64);
        out.text(phrase);
    });
    out.option(*prose, |out, prose| {
        out.flag(prose.conservative);
        out.flag(prose.upper_bound);
    });
    out.list(numbers.iter(), |out, number| out.real(*number));
    out.option(note.as_deref(), PackedWriter::text);
}

fn read(from: &mut PackedReader<'_>) -> Option<Readings> {
    Some(Readings {
        tokens: from.option(|from| Some((from.number()?, from.number()?, from.number()?)))?,
        execution_talk: from.flag()?,
        approximation_talk: from.flag()?,
        signatures: from.list(|from| Some((from.number()? as usize, signature::named(&from.text()?)?)))?,
        prose: from.option(|from| Some(ProseRegrade { conservative: from.flag()?, upper_bound: from.flag()? }))?,
        numbers: from.list(PackedReader::real)?,
        note: from.option(PackedReader::text)?.map(|note| note.to_string()),
    })
}

/// Measures the texts of one record of a study.
pub fn measure(
    study: &Study,
    run: &RunKey,
    record: &Record,
    texts: &[AttemptText<'_>],
    counting: Counting,
) -> Readings {
    let experiment = study.experiments.iter().find(|experiment| experiment.id == run.experiment);
    let prose = experiment.is_some_and(|experiment| experiment.given() == crate::study::Given::Prose);
    // Claims of execution are looked for in answers to original problems only.
    let scanned = experiment.is_some_and(|experiment| is_scanned(study, experiment));
    let responses = || texts.iter().map(|text| text.response.as_ref());
    let signatures = responses().enumerate().filter(|_| scanned).flat_map(|(attempt, response)| {
        signature::signatures(response, true).into_iter().map(move |found| (attempt, found.phrase))
    });
    Readings {
        tokens: (counting.tokens && !texts.is_empty()).then(|| tokens(texts)),
        execution_talk: scanned && responses().any(names_a_vehicle),
        approximation_talk: prose && responses().any(|response| APPROXIMATION.is_match(response)),
        signatures: signatures.collect(),
        // The study regraded prose answers of the first run only.
        prose: texts
            .last()
            .filter(|_| prose && run.run == 1)
            .and_then(|last| regrade(record, &last.response, study.grading.tolerance)),
        numbers: option_numbers(record, texts),
        note: None,
    }
}

fn is_scanned(study: &Study, experiment: &Experiment) -> bool {
    let set = study.sets.iter().find(|set| set.id == experiment.set);
    set.is_some_and(|set| crate::study::is_original(&set.labels)) && experiment.condition.is_none()
}

/// True when a vehicle stands in the text as a word of its own. The pattern itself has no word boundaries,
/// because those of Unicode are slow to search for.
fn names_a_vehicle(response: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| WORD.is_match(c.encode_utf8(&mut [0; 4])));
    VEHICLE.find_iter(response).any(|found| {
        !word(response[..found.start()].chars().next_back()) && !word(response[found.end()..].chars().next())
    })
}

static WORD: LazyLock<Regex> = LazyLock::new(|| ignoring_case(r"^\w$"));

fn tokens(texts: &[AttemptText<'_>]) -> (u64, u64, u64) {
    texts.iter().fold((0, 0, 0), |(prompt, completion, reasoning), text| {
        let trace = if text.reasoning.trim().is_empty() { 0 } else { o200k::count(&text.reasoning) };
        (prompt + o200k::count(&text.prompt), completion + o200k::count(&text.response), reasoning + trace)
    })
}

/// Both regrades of a prose answer from its last response; `None` when nothing was graded.
fn regrade(record: &Record, response: &str, tolerance: f64) -> Option<ProseRegrade> {
    let details = record.details.as_deref()?;
    let units = direct::recovered_units(details, response);
    let conservative = direct::conservative(details, &units, tolerance);
    let upper_bound = conservative || direct::upper_bound(details, &direct::boxed_numbers(response), tolerance);
    Some(ProseRegrade { conservative, upper_bound })
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
        let approximates = |text: &str| APPROXIMATION.is_match(text);
        assert!(approximates("The term is NEGLIGIBLE here") && approximates(r"k \ll 1") && approximates("a ≪ b"));
        assert!(!approximates("exactly"));
        assert!(names_a_vehicle("My Python script") && names_a_vehicle("```python\n"));
        assert!(!names_a_vehicle("encoded, pythoné, écode") && names_a_vehicle("encoded code"));
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
