//! From words to meanings: the phrases of vocabulary, declaration and facts, and what a text mentions.

use std::collections::{BTreeMap, BTreeSet};

use super::choose::POPULATION;
use super::index::Index;
use super::names::Names;
use super::tokens::{Token, tokens, words};
use super::vocabulary::Vocabulary;
use crate::study::Study;

/// What a phrase means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// A concept by its position in the vocabulary.
    Concept(usize),
    /// A value of a key.
    Value(String, String),
    /// A row or column over all others.
    Total,
    /// Nothing that matters.
    Ignored,
}

/// An end of the list of configurations, as a value of the key `model`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extreme {
    /// The first rank.
    Best,
    /// The last rank.
    Worst,
}

impl Extreme {
    const fn value(self) -> &'static str {
        match self {
            Self::Best => "@best",
            Self::Worst => "@worst",
        }
    }

    /// The end that a value of the key stands for; no configuration has such a key.
    pub(super) fn named(value: &str) -> Option<Self> {
        [Self::Best, Self::Worst].into_iter().find(|end| end.value() == value)
    }
}

/// A phrase in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// First byte in the text.
    pub(super) start: usize,
    /// Byte after the last.
    pub(super) end: usize,
    /// Words of the phrase.
    pub(super) length: usize,
    /// What it may mean; all meanings have the same words.
    pub(super) meanings: Vec<Meaning>,
    /// True for a single common word, which counts only where a table or heading says what it is.
    pub(super) weak: bool,
    /// True for a noun for what sets are made of (`questions`), whatever else it names.
    pub(super) is_noun: bool,
}

/// All phrases by their first word, longest first.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    phrases: BTreeMap<String, Vec<(Vec<String>, Meaning, bool)>>,
    /// Other spellings of the names of configurations.
    names: Names,
    /// Qualified names: name without qualifier, qualifier, key of the qualified configuration.
    qualified: Vec<(String, Vec<String>, String)>,
}

/// Values that only a whole cell or code names: they are too much like numbers or words.
const WHOLE_ONLY: &[&str] = &["problem", "template", "parent"];

impl Lexicon {
    pub(super) fn new(study: &Study, vocabulary: &Vocabulary, index: &Index<'_>) -> Self {
        let mut lexicon = Self::default();
        for (position, concept) in vocabulary.concepts.iter().enumerate() {
            for phrase in &concept.words {
                lexicon.add(phrase, Meaning::Concept(position), false);
            }
        }
        for entity in &vocabulary.entities {
            for phrase in &entity.words {
                lexicon.add(phrase, Meaning::Value(entity.key.clone(), entity.value.clone()), false);
            }
        }
        for phrase in &vocabulary.ignored {
            lexicon.add(phrase, Meaning::Ignored, false);
        }
        for phrase in &vocabulary.totals {
            lexicon.add(phrase, Meaning::Total, false);
        }
        lexicon.extremes();
        lexicon.declared(study);
        lexicon.undeclared(study, index);
        lexicon.valued(index, &[&vocabulary.silent[..], &vocabulary.ids[..]].concat());
        lexicon.names = Names::new(&spelled(study, index));
        for list in lexicon.phrases.values_mut() {
            list.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2))));
            list.dedup_by(|a, b| a.0 == b.0 && a.1 == b.1);
        }
        lexicon
    }

    fn add(&mut self, phrase: &str, meaning: Meaning, weak: bool) {
        let list: Vec<String> = phrase
            .split_whitespace()
            .flat_map(|word| if word.starts_with('{') { vec![word.to_owned()] } else { words(word) })
            .collect();
        if let Some(first) = list.first() {
            self.phrases.entry(first.clone()).or_default().push((list, meaning, weak));
        }
    }

    /// `the strongest configuration`, `the weakest model`.
    fn extremes(&mut self) {
        for (end, adjectives) in [
            (Extreme::Best, ["strongest", "best", "top", "best performing", "leading", "highest scoring"]),
            (Extreme::Worst, ["weakest", "worst", "lowest", "worst performing", "last", "lowest scoring"]),
        ] {
            for adjective in adjectives {
                for noun in ["configuration", "model", "system"] {
                    let value = Meaning::Value("model".into(), end.value().into());
                    self.add(&format!("{adjective} {noun}"), value, false);
                }
            }
        }
        for (end, adjective) in [(Extreme::Best, "the strongest"), (Extreme::Worst, "the weakest")] {
            self.add(adjective, Meaning::Value("model".into(), end.value().into()), false);
        }
    }

    /// Names of configurations and sets as the study declares them.
    fn declared(&mut self, study: &Study) {
        for configuration in &study.configurations {
            let key = configuration.key.as_str();
            let value = Meaning::Value("model".into(), key.to_owned());
            let names = configuration.aliases.iter().map(String::as_str).chain([configuration.name.as_str(), key]);
            for name in names {
                self.add(name, value.clone(), false);
            }
            if let Some((base, qualifier)) = qualified(&configuration.name) {
                self.qualified.push((base.to_owned(), words(qualifier), key.to_owned()));
                let others = study.configurations.iter().any(|other| other.name == base);
                for name in [format!("{qualifier} {base}"), format!("{base} with {qualifier}")] {
                    self.add(&name, value.clone(), false);
                }
                if let Some(initial) = qualifier.chars().next() {
                    self.add(&format!("{base} {initial}"), value.clone(), false);
                }
                if !others {
                    self.add(base, value, false);
                }
            }
        }
        for set in &study.sets {
            let id = set.id.as_str();
            let value = Meaning::Value("set".into(), id.to_owned());
            let bare = set.title.split('(').next().unwrap_or("").trim();
            for title in [set.title.as_str(), bare, id] {
                // `core`, `original`: a single word may be any adjective.
                self.add(title, value.clone(), words(title).len() == 1);
                self.add(&format!("{title} set"), value.clone(), false);
                self.add(&format!("{title} problems"), value.clone(), false);
            }
        }
        for strata in &study.strata {
            for (value, name) in &strata.names {
                self.add(name, Meaning::Value(strata.by.clone(), value.clone()), true);
            }
        }
    }

    /// Models that facts name and the declaration does not, as in studies of totals alone.
    fn undeclared(&mut self, study: &Study, index: &Index<'_>) {
        let declared = |name: &str| study.configurations.iter().any(|known| known.key.as_str() == name);
        for name in index.values.get("model").into_iter().flatten().filter(|name| !declared(name)) {
            self.add(name, Meaning::Value("model".into(), (*name).to_owned()), false);
        }
    }

    /// Values that facts have, in words.
    fn valued(&mut self, index: &Index<'_>, silent: &[String]) {
        for (key, values) in &index.values {
            if matches!(*key, "model" | "set") || WHOLE_ONLY.contains(key) || silent.iter().any(|name| name == key) {
                continue;
            }
            for value in values {
                let list = words(value);
                let numeric = list.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
                if list.is_empty() || numeric || list.len() > 8 {
                    continue;
                }
                let weak = list.len() == 1 && !matches!(*key, "backbone" | "domain");
                self.add(value, Meaning::Value((*key).to_owned(), (*value).to_owned()), weak);
            }
        }
    }

    /// Everything that a text mentions, longest phrases first, none inside another.
    pub(super) fn mentions(&self, text: &str) -> Seen {
        let all = tokens(text);
        let mut seen = Seen::default();
        let mut at = 0;
        while at < all.len() {
            match self.longest(text, &all[at..]) {
                Some((length, meanings, weak)) => {
                    let (start, end) = (all[at].start, all[at + length - 1].end);
                    let is_noun = length == 1 && POPULATION.contains(&all[at].word.as_str());
                    seen.mentions.push(Mention { start, end, length, meanings, weak, is_noun });
                    at += length;
                }
                None => {
                    seen.others.push(all[at].clone());
                    at += 1;
                }
            }
        }
        seen
    }

    /// The longest phrase or name at the beginning of some words. Of equals the phrase stands.
    fn longest(&self, text: &str, rest: &[Token]) -> Option<(usize, Vec<Meaning>, bool)> {
        let phrase = self.phrase(rest);
        let name = self.names.longest(text, rest);
        match (phrase, name) {
            (Some(phrase), Some((length, _))) if phrase.0 >= length => Some(phrase),
            (_, Some((length, keys))) => {
                Some((length, keys.iter().map(|key| Meaning::Value("model".into(), key.clone())).collect(), false))
            }
            (phrase, None) => phrase,
        }
    }

    fn phrase(&self, rest: &[Token]) -> Option<(usize, Vec<Meaning>, bool)> {
        let list = self.phrases.get(&rest[0].word)?;
        let mut found: Vec<Meaning> = Vec::new();
        let mut weak = true;
        let mut length = 0;
        for (phrase, meaning, is_weak) in list {
            if phrase.len() < length {
                break;
            }
            let Some(bound) = fits(phrase, rest) else { continue };
            length = phrase.len();
            weak &= is_weak;
            found.push(meaning.clone());
            found.extend(bound);
        }
        (length > 0).then_some((length, found, weak))
    }

    /// The configuration whose name is `base` with a qualifier that is among `words`.
    pub(super) fn with_qualifier(&self, base: &str, list: &BTreeSet<String>) -> Option<&str> {
        let found = self
            .qualified
            .iter()
            .find(|(name, qualifier, _)| name == base && qualifier.iter().all(|word| list.contains(word)));
        found.map(|(_, _, key)| key.as_str())
    }

    /// The configurations whose names have a text as one of their parts.
    pub(super) fn with_part(&self, text: &str) -> Option<&BTreeSet<String>> {
        self.names.with_part(text)
    }

    /// Words that qualify names (`reasoning`).
    pub(super) fn qualifiers(&self) -> BTreeSet<&str> {
        self.qualified.iter().flat_map(|(_, words, _)| words).map(String::as_str).collect()
    }
}

/// All configurations with the names they are declared or recorded under.
fn spelled(study: &Study, index: &Index<'_>) -> Vec<(String, Vec<String>)> {
    let declared = study.configurations.iter().map(|own| {
        let key = own.key.as_str().to_owned();
        let mut names = vec![key.clone(), own.name.clone()];
        names.extend(own.aliases.iter().cloned());
        (key, names)
    });
    let is_declared = |name: &str| study.configurations.iter().any(|known| known.key.as_str() == name);
    let recorded = index.values.get("model").into_iter().flatten().filter(|name| !is_declared(name));
    declared.chain(recorded.map(|name| ((*name).to_owned(), vec![(*name).to_owned()]))).collect()
}

/// What a text mentions, and its other words.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) mentions: Vec<Mention>,
    pub(super) others: Vec<Token>,
}

/// Values for the placeholders of a phrase that fits the beginning of a text.
fn fits(phrase: &[String], rest: &[Token]) -> Option<Vec<Meaning>> {
    let mut bound = Vec::new();
    for (at, word) in phrase.iter().enumerate() {
        let token = rest.get(at)?;
        match word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
            Some(key) if token.word.bytes().all(|byte| byte.is_ascii_digit()) => {
                bound.push(Meaning::Value(key.to_owned(), token.word.clone()));
            }
            Some(_) => return None,
            None if *word == token.word => {}
            None => return None,
        }
    }
    Some(bound)
}

/// `Name (qualifier)` in two parts.
pub(super) fn qualified(name: &str) -> Option<(&str, &str)> {
    let (base, rest) = name.split_once(" (")?;
    Some((base, rest.strip_suffix(')')?))
}
