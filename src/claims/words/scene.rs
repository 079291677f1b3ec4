//! What surrounds a number, from near to far: the words that may say what it is.

use std::collections::BTreeSet;

use super::lexicon::{Lexicon, Meaning, Seen};
use super::tokens::words;

/// How near words stand to a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Near {
    /// Head of its column, or its own clause.
    Head,
    /// Head of its row.
    Row,
    /// Caption of its table, the heading above, or its sentence.
    Caption,
    /// The paragraph before a table.
    Paragraph,
    /// A heading farther up, the title.
    Far,
}

/// Words at one distance.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) near: Near,
    pub(super) text: String,
    pub(super) seen: Seen,
    /// Words in order with blanks around, for phrases.
    line: String,
}

/// All levels, nearest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    pub(super) levels: Vec<Level>,
    /// Keys that a row or column over all others has left behind.
    pub(super) dropped: BTreeSet<String>,
    /// True where several values of a key in the sentence leave it open.
    pub(super) strict: bool,
    /// True where shares are printed as fractions of one: the form of the print says it, not its value.
    pub(super) fractions: bool,
    /// The whole sentence, which may let a default stand and gives no key.
    pub(super) sentence: Option<Level>,
    /// Values that stand where nothing else is named.
    pub(super) defaults: BTreeSet<String>,
}

impl Level {
    pub(super) fn new(lexicon: &Lexicon, near: Near, text: &str) -> Self {
        let line = format!(" {} ", words(text).join(" "));
        Self { near, text: text.to_owned(), seen: lexicon.mentions(text), line }
    }

    /// Concepts in the order of the text, with the length of their phrase.
    pub(super) fn concepts(&self) -> Vec<(usize, usize, String)> {
        let mut found = Vec::new();
        for mention in &self.seen.mentions {
            for meaning in &mention.meanings {
                if let Meaning::Concept(concept) = meaning {
                    found.push((*concept, mention.length, self.text[mention.start..mention.end].to_owned()));
                }
            }
        }
        found
    }

    /// All values of a key that are mentioned, weak ones only where `weak`.
    pub(super) fn values(&self, key: &str, weak: bool) -> BTreeSet<&str> {
        let mentions = self.seen.mentions.iter().filter(|mention| weak || !mention.weak);
        let meanings = mentions.flat_map(|mention| &mention.meanings);
        meanings
            .filter_map(|meaning| match meaning {
                Meaning::Value(name, value) if name == key => Some(value.as_str()),
                _ => None,
            })
            .collect()
    }

    /// Words that nothing explains; numbers explain themselves.
    pub(super) fn unexplained(&self, qualifiers: &BTreeSet<&str>) -> Vec<&str> {
        let plain = |word: &str| {
            !qualifiers.contains(word)
                && !matches!(word, "non" | "no" | "without" | "with" | "±" | "%" | "#")
                && !word.bytes().all(|byte| byte.is_ascii_digit())
        };
        self.seen.others.iter().map(|token| token.word.as_str()).filter(|word| plain(word)).collect()
    }

    /// Qualifiers that are affirmed here (`reasoning`, not `non-reasoning`).
    pub(super) fn affirmed(&self, qualifiers: &BTreeSet<&str>) -> (BTreeSet<String>, bool) {
        let mut found = BTreeSet::new();
        let mut denied = false;
        for (at, token) in self.seen.others.iter().enumerate() {
            if qualifiers.contains(token.word.as_str()) {
                let before = at.checked_sub(1).map(|at| self.seen.others[at].word.as_str());
                if matches!(before, Some("non" | "no" | "without" | "±")) {
                    denied = true;
                } else {
                    found.insert(token.word.clone());
                }
            }
        }
        (found, denied)
    }

    /// True when a phrase stands here.
    pub(super) fn holds(&self, phrase: &str) -> bool {
        self.line.contains(&format!(" {} ", words(phrase).join(" ")))
    }
}

impl Scene {
    pub(super) fn level(&self, near: Near) -> impl Iterator<Item = &Level> {
        self.levels.iter().filter(move |level| level.near == near)
    }

    pub(super) fn holds(&self, phrase: &str) -> bool {
        self.levels.iter().any(|level| level.holds(phrase))
    }
}
