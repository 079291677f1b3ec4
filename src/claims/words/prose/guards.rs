//! Words that change what a number counts, so that nothing is bound: `of the hard problems`, `uniquely solves`,
//! `fails to solve`, `on the questions that were asked twice, A solves`, `rises by 5%`.

use super::{Reader, words_of};
use crate::claims::words::choose::POPULATION;
use crate::claims::words::lexicon::Meaning;
use crate::claims::words::tokens::tokens;
use crate::documents::Rule;

/// Words that turn a statement round.
const NEGATIVE: &[&str] = &[
    "not",
    "never",
    "fail",
    "failed",
    "cannot",
    "unable",
    "neither",
    "nor",
    "without",
    "except",
    "excluding",
    "unsolved",
    "incorrect",
    "incorrectly",
    "wrong",
    "wrongly",
    "miss",
    "missed",
    "lose",
    "lost",
];

/// Adverbs that change nothing.
const HARMLESS: &[&str] = &[
    "only",
    "nearly",
    "roughly",
    "approximately",
    "exactly",
    "precisely",
    "merely",
    "barely",
    "finally",
    "overall",
    "correctly",
    "successfully",
    "respectively",
    "currently",
    "notably",
    "clearly",
    "family",
];

/// Words that begin what restricts a whole clause.
const OPENERS: &[&str] = &[
    "on",
    "in",
    "under",
    "for",
    "among",
    "within",
    "when",
    "without",
    "with",
    "at",
    "if",
    "after",
    "before",
    "excluding",
    "across",
];

/// What may stand behind such a word without restricting anything.
const GENERAL: &[&str] = &[
    "table",
    "figure",
    "fig",
    "section",
    "contrast",
    "total",
    "general",
    "fact",
    "particular",
    "summary",
    "average",
    "addition",
    "comparison",
    "turn",
    "short",
    "practice",
    "this paper",
    "this work",
    "this study",
    "this section",
    "our experiment",
    "our study",
    "our evaluation",
    "all",
    "both",
    "the abstract",
    "the end",
    "the released set",
    "the full set",
    "the whole set",
    "the benchmark",
    "the full benchmark",
    "the whole benchmark",
    "these results",
];

/// Words of change; in front of `by` the number is how much, not what was reached.
const CHANGE: &[&str] = &[
    "rise",
    "rose",
    "drop",
    "dropped",
    "fall",
    "fell",
    "climb",
    "climbed",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "improve",
    "improved",
    "gain",
    "gained",
    "lose",
    "lost",
    "reduce",
    "reduced",
    "grow",
    "grew",
    "shift",
    "shifted",
    "higher",
    "lower",
    "better",
    "worse",
    "inflate",
    "inflated",
];

/// Words behind which another noun tells which ones are meant.
const LEADS: &[&str] = &["of", "the", "our", "these", "those", "such", "a", "an", "its"];

pub(super) fn is_negative(word: &str) -> bool {
    tokens(word).iter().any(|token| NEGATIVE.contains(&token.word.as_str()))
}

impl Reader<'_> {
    /// True where words around the stretch from `left` to the number at `start` change what it counts. `points` for
    /// a number that is a difference by its unit.
    pub(super) fn is_changed(&self, left: usize, start: usize, points: bool) -> bool {
        let text = &self.passage.text;
        let lead = tokens(&text[left..start]);
        let clause = self.clause(left);
        let untaken = tokens(&text[clause..left]);
        let joined =
            untaken.last().is_some_and(|token| text[clause + token.end..left].chars().all(char::is_whitespace));
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'%');
        let previous =
            untaken.last().filter(|_| joined).map(|token| token.word.as_str()).filter(|word| !is_number(word));
        // `hard problems are solved by A at 20%`: what stands before the noun says which ones.
        let modified =
            previous.is_some() && lead.first().is_some_and(|token| POPULATION.contains(&token.word.as_str()));
        let adverb = previous.is_some_and(|word| word.ends_with("ly") && !HARMLESS.contains(&word));
        // A word that belongs to what is measured (`problems lost`) turns nothing round.
        let around = &text[clause..start];
        let others = self.chooser.seen_in_sentence(around).others;
        let negative = others.iter().rev().take(8).any(|token| NEGATIVE.contains(&token.word.as_str()));
        let by = !points && lead.iter().rev().take(3).any(|token| token.word == "by");
        let change = by && untaken.iter().chain(&lead).any(|token| CHANGE.contains(&token.word.as_str()));
        modified || adverb || negative || change
    }

    /// Where the clause of a place begins.
    fn clause(&self, at: usize) -> usize {
        let text = &self.passage.text;
        let before = &text[self.part.start..at];
        let stops = ["; ", ": ", "\u{2014}", ", and ", ", but ", ", while ", ", whereas "];
        let last = stops.iter().filter_map(|stop| before.rfind(stop).map(|at| at + stop.len())).max();
        self.part.start + last.unwrap_or(0)
    }

    /// What begins the clause of a stretch and is no part of it: `On ocean problems, A solves 60% and B scores 40%`
    /// says it of both. `None` where the words are not understood, as in `On the questions that were asked twice,`.
    pub(super) fn opening(&self, left: usize) -> Option<&str> {
        let text = &self.passage.text;
        let clause = self.clause(left);
        let untaken = text.get(clause..left).unwrap_or("");
        let seen = self.chooser.seen_in_sentence(untaken);
        let names = |meaning: &Meaning| matches!(meaning, Meaning::Value(key, _) if key == "model");
        let subject =
            seen.mentions.iter().find(|mention| mention.meanings.iter().any(names)).map(|mention| mention.start);
        let comma = untaken.find(", ");
        let end = [subject, comma].into_iter().flatten().min().unwrap_or(untaken.len());
        let opening = &untaken[..end];
        let words: Vec<String> = tokens(opening).into_iter().map(|token| token.word).collect();
        let [first, rest @ ..] = words.as_slice() else { return Some("") };
        if !OPENERS.contains(&first.as_str()) || rest.is_empty() {
            return Some("");
        }
        let line = rest.join(" ");
        let general = GENERAL.iter().any(|phrase| line == *phrase || line.starts_with(&format!("{phrase} ")));
        let refers = self.all.iter().any(|number| {
            number.rule == Some(Rule::Reference) && clause <= number.start && number.start < clause + end
        });
        if general || refers {
            return Some("");
        }
        let seen = self.chooser.seen_in_sentence(opening);
        // `On the 500 instances of the benchmark,` counts the whole.
        let counts = |from: usize| {
            let place = clause + from;
            self.all
                .iter()
                .zip(self.counted)
                .any(|(number, counted)| *counted && number.start <= place && place < number.end)
        };
        // `Across three runs,` restricts nothing.
        let runs =
            |to: usize| tokens(&opening[to..]).first().is_some_and(|next| matches!(next.word.as_str(), "run" | "seed"));
        let is_number = |from: usize| self.all.iter().any(|number| number.start == clause + from);
        let understood =
            |(from, to, plain): &(usize, usize, bool)| *plain || counts(*from) || is_number(*from) && runs(*to);
        words_of(&seen, &self.chooser.qualifiers).iter().all(understood).then_some(opening)
    }

    /// True where the understood words behind a number end in front of a noun that tells which ones are meant.
    pub(super) fn is_led_on(&self, from: usize, right: usize, next: &str) -> bool {
        let understood = tokens(&self.passage.text[from..right]);
        !next.is_empty() && understood.last().is_some_and(|token| LEADS.contains(&token.word.as_str()))
    }
}
