//! Words of sentences that are more, or less, than the same words in a table.

use super::choose::{Chooser, POPULATION};
use super::lexicon::{Meaning, Mention, Seen};
use super::prose::{ENDS, JOINTS};
use super::tokens::{Token, tokens};

/// Words in front of the name of a part.
const IN_FRONT: &[&str] = &["on", "in", "within", "for", "among", "across"];

/// Keys that no adjective of a noun names.
const NO_PARTS: &[&str] = &["model", "set", "run", "k", "problem"];

impl Chooser<'_> {
    /// What a sentence mentions. `ocean problems`, `on dates,` and `the lenient judge` name their values although
    /// the words are common; a name that goes on in words nobody knows (`GPT-4 Turbo` where only `GPT-4` is
    /// declared) is another name.
    pub(super) fn seen_in_sentence(&self, text: &str) -> Seen {
        let mut seen = self.lexicon.mentions(text);
        let all = tokens(text);
        let after = |mention: &Mention| all.iter().find(|token| token.start >= mention.end);
        let before = |mention: &Mention| all.iter().rev().find(|token| token.end <= mention.start);
        let others = seen.others.clone();
        let unknown = |token: &Token| others.contains(token);
        seen.mentions.retain(|mention| {
            let is_name = mention.meanings.iter().any(|m| matches!(m, Meaning::Value(key, _) if key == "model"));
            let goes_on = after(mention).is_some_and(|next| unknown(next) && goes_on(text, mention.end, next));
            !(is_name && goes_on)
        });
        let within = seen.mentions.clone();
        let mut naming: Vec<usize> = Vec::new();
        for mention in seen.mentions.iter_mut().filter(|mention| mention.weak) {
            let (next, previous) = (after(mention), before(mention));
            let next_to = |token: Option<&Token>, from: usize, to: usize| {
                token
                    .filter(|_| text[from..to].chars().all(|c| c.is_whitespace() || c == '-'))
                    .map(|token| token.word.clone())
            };
            let right = next.and_then(|token| next_to(Some(token), mention.end, token.start));
            let left = previous.and_then(|token| next_to(Some(token), token.end, mention.start));
            let named = |key: &str, word: &Option<String>| {
                let names = self.vocabulary.dimensions.get(key).into_iter().flatten().map(String::as_str).chain([key]);
                word.as_ref().is_some_and(|word| names.into_iter().any(|name| name == word))
            };
            let noun = right.as_ref().is_some_and(|word| POPULATION.contains(&word.as_str()));
            let fronted = left.as_ref().is_some_and(|word| IN_FRONT.contains(&word.as_str()));
            let ends = match (&right, next) {
                (Some(word), Some(next)) => {
                    let known = within.iter().any(|other| other.start <= next.start && next.end <= other.end);
                    let joins = JOINTS.contains(&word.as_str()) || ENDS.contains(&word.as_str());
                    known || joins || word.bytes().all(|byte| byte.is_ascii_digit())
                }
                _ => true,
            };
            let parts = |key: &str| {
                !NO_PARTS.contains(&key)
                    && (self.vocabulary.dimensions.contains_key(key)
                        || self.study.strata.iter().any(|own| own.by == key))
            };
            let is_named = mention.meanings.iter().any(|meaning| match meaning {
                Meaning::Value(key, _) => {
                    named(key, &right) || named(key, &left) || parts(key) && (noun || fronted && ends)
                }
                _ => false,
            });
            // `HumanEval` in the middle of a sentence is no adjective.
            let is_set = mention.meanings.iter().any(|m| matches!(m, Meaning::Value(key, _) if key == "set"));
            let proper = is_set && previous.is_some() && text[mention.start..].starts_with(char::is_uppercase);
            mention.weak = !(is_named || proper);
            for (word, token) in [(&right, next), (&left, previous)] {
                let keys = mention.meanings.iter().filter_map(|m| match m {
                    Meaning::Value(key, _) => Some(key),
                    _ => None,
                });
                if let Some(token) = token.filter(|_| keys.into_iter().any(|key| named(key, word))) {
                    naming.push(token.start);
                }
            }
        }
        // The name of a key beside its value is understood with it.
        seen.others.retain(|token| !naming.contains(&token.start));
        seen.mentions.retain(|mention| !(mention.weak && mention.length == 1 && naming.contains(&mention.start)));
        seen
    }
}

/// True where the word behind a name belongs to it: joined, or written as a name is.
fn goes_on(text: &str, end: usize, next: &Token) -> bool {
    let first = text[next.start..].chars().next();
    match &text[end..next.start] {
        "" | "-" | "." | "_" | "/" => true,
        " " => first.is_some_and(char::is_uppercase),
        _ => false,
    }
}
