//! The keys of a fact from the words around a number.

use std::collections::BTreeSet;

use super::choose::Chooser;
use super::lexicon::{Extreme, Meaning, Mention, qualified};
use super::scene::{Near, Scene};
use super::vocabulary::Say;
use crate::statistics::{Fact, Keys};

/// Most ways in which the words of one number are taken.
const MOST_WAYS: usize = 16;

/// What became of a mention.
enum Placed {
    /// It gave a key, in these ways.
    Keys(Vec<Keys>),
    /// It says nothing about keys.
    Nothing,
    /// No key takes it.
    Clash,
}

impl Chooser<'_> {
    /// Keys of a shape from the words; several where a word is a value of one key in two ways. Empty when the
    /// words do not give them or give others.
    pub(super) fn keys(&self, scene: &Scene, say: &Say, shape: &[&str]) -> Vec<(Keys, i32, Vec<String>)> {
        if say.keys.keys().any(|key| !shape.contains(&key.as_str())) || self.is_foreign(scene, say, shape) {
            return Vec::new();
        }
        let mut open: Vec<(Keys, i32, Vec<String>)> = vec![(say.keys.clone(), 0, Vec::new())];
        for near in [Near::Head, Near::Row] {
            for level in scene.level(near) {
                for mention in &level.seen.mentions {
                    let text = &level.text[mention.start..mention.end];
                    let mut next = Vec::new();
                    for (keys, score, told) in open {
                        match self.place(mention, say, shape, &keys) {
                            Placed::Keys(_) if scene.strict && mention.weak => {}
                            Placed::Keys(all) => {
                                for keys in all {
                                    let mut told = told.clone();
                                    told.push(text.to_owned());
                                    next.push((keys, score + 3, told));
                                }
                            }
                            Placed::Clash if !mention.weak => {}
                            Placed::Nothing | Placed::Clash => next.push((keys, score, told)),
                        }
                    }
                    next.truncate(MOST_WAYS);
                    open = next;
                }
            }
        }
        open.into_iter()
            .filter_map(|(keys, score, told)| self.completed(scene, say, shape, keys, score, told))
            .flat_map(|(keys, score, told)| {
                self.ranked(keys).into_iter().map(move |keys| (keys, score, told.clone())).collect::<Vec<_>>()
            })
            .collect()
    }

    /// Adds the keys that the nearest words leave open.
    fn completed(
        &self,
        scene: &Scene,
        say: &Say,
        shape: &[&str],
        mut keys: Keys,
        mut score: i32,
        mut told: Vec<String>,
    ) -> Option<(Keys, i32, Vec<String>)> {
        for key in shape {
            if keys.contains_key(*key) {
                continue;
            }
            let Some((value, gain, word)) = self.farther(scene, key) else {
                // A key that texts never name stands for itself where it has one value only.
                let value = self.only(say, shape, key, &keys)?;
                keys.insert((*key).to_owned(), value);
                // Without a condition is the main experiment, unless the one with it covers more.
                score -= i32::from(*key != "condition" || !self.is_partial(say, shape));
                continue;
            };
            // What there is only one of is no guess.
            let several = self.index.values.get(*key).is_none_or(|values| values.len() > 1);
            let guessed = gain == 0 && several && scene.strict && say.explicit.iter().any(|name| name == key);
            if guessed && !self.presumed(scene, say, key, &value) || value.is_empty() {
                return None;
            }
            keys.insert((*key).to_owned(), value);
            score += gain;
            told.extend(word);
        }
        self.qualify(scene, &mut keys)?;
        Some((keys, score, told))
    }

    /// True for a shape that leaves out what the words name.
    fn is_foreign(&self, scene: &Scene, say: &Say, shape: &[&str]) -> bool {
        if shape.iter().any(|key| scene.dropped.contains(*key)) {
            return true;
        }
        // In a sentence that names a protocol or a set, a fact that is about neither is not meant.
        let foreign = |key: &&str| {
            !shape.contains(key)
                && !say.absorbs.iter().any(|absorbed| absorbed == key)
                && scene.level(Near::Caption).any(|level| !level.values(key, false).is_empty())
        };
        scene.strict && ["set", "protocol", "condition"].iter().any(foreign)
    }

    /// The keys with a mention put in, in every way in which it can be.
    fn place(&self, mention: &Mention, say: &Say, shape: &[&str], keys: &Keys) -> Placed {
        let values: Vec<(&str, &str)> = mention
            .meanings
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Value(key, value) => Some((key.as_str(), value.as_str())),
                _ => None,
            })
            .collect();
        // A phrase that may be a concept as well is explained by that.
        let is_concept = mention.meanings.iter().any(|meaning| matches!(meaning, Meaning::Concept(_)));
        let absorbed = |key: &str| say.absorbs.iter().any(|absorbed| absorbed == key);
        let absent = values.iter().any(|(key, value)| value.is_empty() && !shape.contains(key));
        if values.is_empty() || absent {
            return Placed::Nothing;
        }
        let mut ways: Vec<Keys> = Vec::new();
        for (key, value) in values.iter().filter(|(key, value)| !value.is_empty() && shape.contains(key)) {
            match keys.get(*key) {
                None => {
                    let mut with = keys.clone();
                    with.insert((*key).to_owned(), (*value).to_owned());
                    ways.push(with);
                }
                Some(known) if known == value => ways.push(keys.clone()),
                // `the weakest, Constructed B,`: the name says which one it is.
                Some(_) if *key == "model" && Extreme::named(value).is_some() => ways.push(keys.clone()),
                Some(known) if *key == "model" && Extreme::named(known).is_some() => {
                    let mut with = keys.clone();
                    with.insert((*key).to_owned(), (*value).to_owned());
                    ways.push(with);
                }
                Some(_) => {}
            }
        }
        if !ways.is_empty() {
            return Placed::Keys(ways);
        }
        let explained = is_concept || values.iter().any(|(key, _)| absorbed(key));
        if explained { Placed::Nothing } else { Placed::Clash }
    }

    /// The value of a key from words farther away, or the default.
    pub(super) fn farther(&self, scene: &Scene, key: &str) -> Option<(String, i32, Option<String>)> {
        for (near, gain) in [(Near::Caption, 2), (Near::Paragraph, 1), (Near::Far, 1)] {
            let only_defaulted = near != Near::Caption;
            if only_defaulted && !self.defaults.contains_key(key) && key != "problem" {
                continue;
            }
            for level in scene.level(near) {
                let found: Vec<&str> = level
                    .told(key, near == Near::Caption && !scene.strict)
                    .into_iter()
                    .filter(|v| !v.is_empty())
                    .collect();
                match found.as_slice() {
                    [] => {}
                    [one] => return Some(((*one).to_owned(), gain, Some((*one).to_owned()))),
                    // Several at one distance decide nothing; what is not defaulted stays open.
                    _ if self.defaults.contains_key(key) && !scene.strict => break,
                    _ => return None,
                }
            }
        }
        self.defaults.get(key).map(|value| (value.clone(), 0, None))
    }

    /// True where the facts without a condition speak of fewer configurations than those with one.
    fn is_partial(&self, say: &Say, shape: &[&str]) -> bool {
        let (statistic, measure) = say.target();
        let Some(facts) = self.index.measure(statistic, measure) else { return false };
        let models = |with: bool| {
            let of = facts.facts().filter(|fact| {
                fact.keys.contains_key("condition") == with
                    && shape.iter().all(|key| *key == "condition" || fact.keys.contains_key(*key))
            });
            of.filter_map(|fact| fact.keys.get("model")).collect::<BTreeSet<_>>().len()
        };
        models(false) < models(true)
    }

    /// The only value of a silent key among the facts that fit the keys so far.
    fn only(&self, say: &Say, shape: &[&str], key: &str, keys: &Keys) -> Option<String> {
        // The only run, the only condition: nobody names what is no choice.
        let silent = self.vocabulary.silent.iter().any(|name| name == key);
        if !silent && !["run", "condition", "experiment", "estimator"].contains(&key) {
            return None;
        }
        let (statistic, measure) = say.target();
        let facts = self.index.measure(statistic, measure)?.facts();
        let fits = |fact: &&Fact| {
            let named = |(key, value): (&String, &String)| value.starts_with('@') || fact.keys.get(key) == Some(value);
            fact.keys.len() == shape.len() && keys.iter().all(named)
        };
        let values: BTreeSet<&String> = facts.filter(fits).filter_map(|fact| fact.keys.get(key)).collect();
        let mut values = values.into_iter();
        let only = values.next()?.clone();
        values.next().is_none().then_some(only)
    }

    /// True where the sentence says that the whole is meant and names no other value of the key.
    fn presumed(&self, scene: &Scene, say: &Say, key: &str, value: &str) -> bool {
        let sentence = scene.sentence.as_ref().or_else(|| scene.level(Near::Caption).next());
        sentence.is_some_and(|sentence| {
            let whole = |phrase: &String| match phrase.as_str() {
                "{study}" => sentence.holds(&self.study.study.title),
                phrase => sentence.holds(phrase),
            };
            sentence.values(key, true).into_iter().all(|other| other == value) && say.presumes.iter().any(whole)
        })
    }

    /// A plain name with a qualifier in the head of the column is the qualified configuration.
    fn qualify(&self, scene: &Scene, keys: &mut Keys) -> Option<()> {
        let Some(model) = keys.get("model") else { return Some(()) };
        let Some(configuration) = self.study.configurations.iter().find(|c| c.key.as_str() == model) else {
            return Some(());
        };
        for near in [Near::Head, Near::Row] {
            for level in scene.level(near) {
                let (affirmed, denied) = level.affirmed(&self.qualifiers);
                if affirmed.is_empty() && !denied {
                    continue;
                }
                let is_qualified = qualified(&configuration.name).is_some();
                if denied && is_qualified {
                    return None;
                }
                if affirmed.is_empty() || is_qualified {
                    continue;
                }
                match self.lexicon.with_qualifier(&configuration.name, &affirmed) {
                    Some(key) => {
                        keys.insert("model".to_owned(), key.to_owned());
                        return Some(());
                    }
                    None => return None,
                }
            }
        }
        Some(())
    }
}
