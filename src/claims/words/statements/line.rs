//! A clause as a row of words in which names of configurations and numbers are one piece each.

use super::super::lexicon::{Extreme, Lexicon, Meaning};
use super::super::tokens::{tokens, words};
use crate::documents::Passage;
use crate::documents::numbers::{Unit, numbers};

/// Spelled numbers from one; some of them are no claims of their own and no numbers elsewhere.
const SPELLED: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// A piece of a clause.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The word as it is compared; the whole name of a configuration.
    pub(super) word: String,
    /// Configuration that it names.
    pub(super) model: Option<String>,
    /// Number that it is, with its unit.
    pub(super) number: Option<(f64, Unit)>,
    /// True when vocabulary or declaration explain it.
    pub(super) known: bool,
    /// First byte in the clause, and the byte after the last.
    pub(super) span: (usize, usize),
}

/// The pieces of a clause in order.
pub(super) fn pieces(lexicon: &Lexicon, clause: &str) -> Vec<Piece> {
    let seen = lexicon.mentions(clause);
    let model = |meanings: &[Meaning]| {
        meanings.iter().find_map(|meaning| match meaning {
            // `the strongest model` is no name; which one it is, a statement is there to say.
            Meaning::Value(key, value) if key == "model" && Extreme::named(value).is_none() => Some(value.clone()),
            _ => None,
        })
    };
    let mut found: Vec<Piece> = Vec::new();
    let printed = numbers(&Passage::of(clause, 0));
    for token in tokens(clause) {
        let inside = |start: usize, end: usize| start <= token.start && token.end <= end;
        let mention = seen.mentions.iter().find(|mention| inside(mention.start, mention.end));
        let named = mention.and_then(|mention| model(&mention.meanings).map(|key| (mention, key)));
        if let Some((mention, key)) = named {
            let span = (mention.start, mention.end);
            if found.last().is_none_or(|last| last.span != span) {
                let word = clause[mention.start..mention.end].to_owned();
                found.push(Piece { word, model: Some(key), number: None, known: true, span });
            }
            continue;
        }
        if let Some(number) = printed.iter().find(|number| inside(number.start, number.after)) {
            let span = (number.start, number.after);
            if found.last().is_none_or(|last| last.span != span) {
                let value = Some((number.value, number.unit));
                found.push(Piece { word: number.text.clone(), model: None, number: value, known: true, span });
            }
            continue;
        }
        let span = (token.start, token.end);
        let spelled = SPELLED.iter().position(|word| *word == token.word);
        let number = spelled.map(|at| (at as f64 + 1.0, Unit::None));
        found.push(Piece { known: mention.is_some() || number.is_some(), word: token.word, model: None, number, span });
    }
    found
}

/// Number of pieces that a phrase takes at the beginning of a row; `None` when it does not stand there.
pub(super) fn starts(row: &[Piece], phrase: &str) -> Option<usize> {
    let phrase = words(phrase);
    let fits = phrase.len() <= row.len()
        && phrase.iter().zip(row).all(|(word, piece)| piece.model.is_none() && piece.word.to_lowercase() == *word);
    (fits && !phrase.is_empty()).then_some(phrase.len())
}

/// The first place at which one of some phrases stands, with its length and what it means; of phrases at one place
/// the longest.
pub(super) fn find<T: Copy>(row: &[Piece], phrases: &[(&str, T)]) -> Option<(usize, usize, T)> {
    (0..row.len()).find_map(|at| {
        let here = phrases.iter().filter_map(|(phrase, meaning)| Some((at, starts(&row[at..], phrase)?, *meaning)));
        here.max_by_key(|(_, length, _)| *length)
    })
}
