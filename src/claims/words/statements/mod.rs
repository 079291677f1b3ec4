//! Statements of documents that become `holds` expressions where their words are plain.
//!
//! Three kinds are read: an order (`A leads B`, `A ranks last`), a count of configurations (`no model exceeds 90 %`,
//! `all but two`, `three of nine`, `fewer than half`, `nobody's shift is significant after correction`) and a
//! comparison of one measure under two conditions (`larger in the one than in the other`). Every word of the clause
//! must be understood, because one that is not may change what is said. Whether the statement holds never takes part:
//! a false one could not be found otherwise. What may mean several things is told with all readings and not judged.

mod compared;
mod counted;
mod ledger;
mod line;
mod ordered;
mod select;
#[cfg(test)]
mod tests;

use super::choose::Chooser;
use super::prose::JOINTS;
use super::scene::{Level, Near, Scene};
use crate::documents::{Block, Body, Document, Passage, sentences};
use line::{Piece, find, pieces};
use select::{Selected, select};

pub(super) use ledger::entries;

/// The concept that is ordered and counted where a clause names none.
pub(super) const DEFAULT: &str = "accuracy";

/// The concept of P values that are adjusted over their family.
const ADJUSTED_P: &str = "adjusted P of a difference";

/// Words that change nothing about a statement.
const FILLERS: &[&str] = &[
    "also",
    "even",
    "still",
    "thus",
    "therefore",
    "here",
    "again",
    "clearly",
    "slightly",
    "consistently",
    "overall",
    "do",
    "doe",
    "does",
    "did",
    "those",
    "problem",
    "one",
    "by",
    "far",
    "any",
    "shows",
    "show",
    "shift",
    "gap",
    "drop",
    "either",
    "family",
    "test",
    "after",
    "correction",
    "multiple",
    "comparison",
    "core",
    "there",
    "run",
    "s",
    "it",
    "than",
    "passes",
    "pass",
    "score",
    "stay",
    "fall",
    "clear",
    "difference",
    "them",
    "benchmark",
    "leaderboard",
    "field",
    "while",
];

/// Words that take a statement back or leave it open.
const HEDGES: &[&str] = &[
    "not",
    "never",
    "may",
    "might",
    "could",
    "would",
    "should",
    "can",
    "if",
    "whether",
    "unles",
    "unless",
    "expect",
    "expected",
    "hypothesis",
    "except",
    "almost",
    "nearly",
    "hardly",
    "neither",
    "nor",
    "if",
    "when",
    "until",
    "suppose",
];

/// A statement of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// Document.
    pub file: String,
    /// First byte of the clause in the file.
    pub place: usize,
    /// Bytes of the clause.
    pub length: usize,
    /// The sentence in which it stands.
    pub sentence: String,
    /// Headings above it.
    pub headings: Vec<String>,
    /// `order`, `count`, `significance` or `comparison`.
    pub kind: &'static str,
    /// Expressions that it may mean; one, when it is plain.
    pub readings: Vec<String>,
    /// The words that decided.
    pub words: Vec<String>,
}

impl Stated {
    /// True when its words allow one reading only.
    pub fn is_plain(&self) -> bool {
        self.readings.len() == 1
    }
}

/// What a clause was read as.
struct Plain {
    kind: &'static str,
    readings: Vec<String>,
    words: Vec<String>,
}

impl Plain {
    fn of(kind: &'static str, all: &[Selected], text: impl Fn(&Selected) -> String, told: String) -> Self {
        let mut words: Vec<String> = vec![told];
        words.extend(all.iter().take(1).flat_map(|own| own.words.iter().cloned()));
        Self { kind, readings: all.iter().map(text).collect(), words }
    }
}

/// A clause with everything that says what it is about.
struct Clause<'a> {
    chooser: &'a Chooser<'a>,
    whole: &'a str,
    row: Vec<Piece>,
    scene: Scene,
    sentence: Vec<Piece>,
}

impl Clause<'_> {
    /// The text of some pieces.
    fn text(&self, from: usize, to: usize) -> String {
        match (self.row.get(from), to.checked_sub(1).and_then(|last| self.row.get(last))) {
            (Some(first), Some(last)) if from < to => self.whole[first.span.0..last.span.1].to_owned(),
            _ => String::new(),
        }
    }

    /// True when every piece outside these ranges is explained and none takes the statement back.
    fn is_understood(&self, ranges: &[(usize, usize)]) -> bool {
        let inside = |at: usize| ranges.iter().any(|(from, to)| (*from..*to).contains(&at));
        self.row.iter().enumerate().filter(|(at, _)| !inside(*at)).all(|(_, piece)| {
            let word = piece.word.as_str();
            !HEDGES.contains(&word)
                && (piece.known
                    || JOINTS.contains(&word)
                    || FILLERS.contains(&word)
                    || self.chooser.qualifiers.contains(word)
                    || self.chooser.vocabulary.dimensions.values().flatten().any(|own| own == word))
        })
    }

    /// True when one of some phrases stands in the sentence.
    fn sentence_has(&self, phrases: &[(&str, ())]) -> bool {
        find(&self.sentence, phrases).is_some()
    }

    /// Selections of a measure for every family of tests: the one that the words name, else each of them and all
    /// together, which is not plain.
    fn families(&self, wanted: &[(usize, String)], group: &str) -> Vec<Selected> {
        let named = select(self.chooser, &self.scene, wanted, &[("model", group)], &["model", "setting"]);
        if !named.is_empty() {
            return named;
        }
        let mut all = Vec::new();
        for key in ["family", "comparison"] {
            let every = select(self.chooser, &self.scene, wanted, &[("model", group), (key, "*")], &["model"]);
            for own in every {
                let values = self.chooser.index.values.get(key).into_iter().flatten();
                let one = |value: &&str| {
                    select(self.chooser, &self.scene, wanted, &[("model", group), (key, value)], &["model"])
                };
                let each: Vec<Selected> = values.filter(|value| !one(value).is_empty()).flat_map(one).collect();
                if each.len() > 1 {
                    all.push(own.clone());
                }
                all.extend(each);
            }
        }
        all.sort();
        all.dedup_by(|a, b| a.measure == b.measure && a.keys == b.keys);
        all
    }
}

/// Every statement of a document that is read as one.
pub(super) fn of_document(chooser: &Chooser<'_>, document: &Document) -> Vec<Stated> {
    let mut found = Vec::new();
    for block in &document.blocks {
        if let Body::Paragraph(passage) = &block.body
            && !passage.rows
        {
            found.extend(of_passage(chooser, document, block, passage));
        }
    }
    found
}

fn of_passage(chooser: &Chooser<'_>, document: &Document, block: &Block, passage: &Passage) -> Vec<Stated> {
    let mut found = Vec::new();
    for part in sentences(&passage.text) {
        let sentence = &passage.text[part.start..part.end];
        let row = pieces(chooser.lexicon, sentence);
        for (from, to) in clauses(sentence) {
            let whole = &sentence[from..to];
            let mut scene = Scene { strict: true, ..Scene::default() };
            scene.levels.push(Level::new(chooser.lexicon, Near::Head, whole));
            scene.levels.push(Level::new(chooser.lexicon, Near::Caption, sentence));
            let far = block.headings.iter().rev();
            scene.levels.extend(far.map(|heading| Level::new(chooser.lexicon, Near::Far, heading)));
            let clause = Clause { chooser, whole, row: pieces(chooser.lexicon, whole), scene, sentence: row.clone() };
            let read = ordered::read(&clause).or_else(|| counted::read(&clause)).or_else(|| compared::read(&clause));
            let Some(mut plain) = read.filter(|plain| !plain.readings.is_empty()) else { continue };
            plain.readings.dedup();
            found.push(Stated {
                file: document.file.clone(),
                place: passage.place(part.start + from),
                length: whole.trim_end().len(),
                sentence: sentence.split_whitespace().collect::<Vec<_>>().join(" "),
                headings: block.headings.clone(),
                kind: plain.kind,
                readings: plain.readings,
                words: plain.words,
            });
        }
    }
    found
}

/// Words at which a sentence parts into clauses.
const PARTS: &[&str] = &[
    "; ",
    ": ",
    " \u{2014} ",
    "\u{2014}",
    ", while ",
    ", whereas ",
    ", but ",
    ", and ",
    ", although ",
    ", so ",
    ", followed by ",
    ", with ",
    " with a ",
    " with an ",
    " whereas ",
    " although ",
];

/// Clauses of a sentence as ranges of bytes.
fn clauses(sentence: &str) -> Vec<(usize, usize)> {
    let mut cuts: Vec<(usize, usize)> =
        PARTS.iter().flat_map(|part| sentence.match_indices(part).map(|(at, text)| (at, at + text.len()))).collect();
    cuts.extend(figures(sentence));
    cuts.sort_unstable();
    let mut found = Vec::new();
    let mut from = 0;
    for (at, end) in cuts {
        if at >= from {
            found.push((from, at));
            from = end;
        }
    }
    found.push((from, sentence.trim_end_matches(['.', '!', '?', ' ', '\n']).len().max(from)));
    found.retain(|(from, to)| !sentence[*from..*to].trim().is_empty());
    found
}

/// Brackets that hold numbers: `A leads B (61.2% against 58.0%)`. What is in them restricts nothing.
fn figures(sentence: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = sentence[from..].find(" (").map(|at| from + at) {
        let Some(close) = sentence[open..].find(')').map(|at| open + at + 1) else { break };
        let inside = &sentence[open + 2..close - 1];
        let words = inside.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2);
        let plain = |word: &str| matches!(word, "against" | "versus" | "and" | "percent" | "points" | "Holm" | "CI");
        if inside.contains(|c: char| c.is_ascii_digit()) && words.into_iter().all(plain) {
            found.push((open, close));
        }
        from = close;
    }
    found
}
