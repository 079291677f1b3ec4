//! What surrounds a number, from near to far: the words that may say what it is.

use std::collections::BTreeSet;

use super::choose::Chooser;
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
    /// Byte from which names belong to what is said later.
    until: usize,
    /// True where the configuration that is named is not the one the number is about.
    foreign: bool,
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
    /// True where the number is followed by what is counted, or by its total.
    pub(super) counted: bool,
}

impl Level {
    pub(super) fn new(lexicon: &Lexicon, near: Near, text: &str) -> Self {
        let line = format!(" {} ", words(text).join(" "));
        let seen = lexicon.mentions(text);
        Self { near, text: text.to_owned(), seen, line, until: usize::MAX, foreign: false }
    }

    /// Words of a sentence: a common word that stands as a name does (`ocean problems`, `on dates,`) is one.
    pub(super) fn of_sentence(chooser: &Chooser<'_>, near: Near, text: &str) -> Self {
        let mut level = Self::new(chooser.lexicon, near, text);
        level.seen = chooser.seen_in_sentence(text);
        level
    }

    /// The same for a number that ends its thought at a byte; `foreign` where the configuration that is named in
    /// front of it is another one.
    pub(super) fn cut(&self, until: usize, foreign: bool) -> Self {
        Self { until, foreign, ..self.clone() }
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

    /// The values of a key that are mentioned before the thought ends, weak ones only where `weak`.
    pub(super) fn told(&self, key: &str, weak: bool) -> BTreeSet<&str> {
        if self.foreign && key == "model" { BTreeSet::new() } else { self.among(key, weak, self.until) }
    }

    /// All values of a key that are mentioned, weak ones only where `weak`.
    pub(super) fn values(&self, key: &str, weak: bool) -> BTreeSet<&str> {
        self.among(key, weak, usize::MAX)
    }

    fn among(&self, key: &str, weak: bool, until: usize) -> BTreeSet<&str> {
        let near = |mention: &&super::lexicon::Mention| (weak || !mention.weak) && mention.start < until;
        let meanings = self.seen.mentions.iter().filter(near).flat_map(|mention| &mention.meanings);
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
