//! From the words around a number to the facts that it may be. Nothing here looks at a value.

use std::collections::{BTreeMap, BTreeSet};

use super::index::Index;
use super::lexicon::{Extreme, Lexicon, Meaning, Mention, qualified};
use super::published::Published;
use super::scene::{Level, Near, Scene};
use super::tokens::{tokens, words};
use super::vocabulary::{Say, Vocabulary};
use crate::documents::{Number, Role, numbers::Unit};
use crate::statistics::{Fact, Keys};
use crate::study::Study;

/// A fact that a number may be, and why.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Statistic id.
    pub statistic: String,
    /// Measure.
    pub measure: String,
    /// Keys of the fact.
    pub keys: Keys,
    /// `low`, `high` or `out-of` where not the value itself is printed.
    pub part: &'static str,
    /// Keys of the fact from which it is how far away, where the distance of two is printed.
    pub from: Option<Keys>,
    /// Unit as ledgers name it.
    pub unit: String,
    /// How well the words fit: higher is better.
    pub score: i32,
    /// The words that decided, nearest first.
    pub words: Vec<String>,
    /// Its value.
    pub value: Option<f64>,
    /// Factor that takes the value into the unit of the print; 1 for facts.
    pub factor: f64,
    /// Half the width of what prints like the value, where it is itself known as a print only.
    pub slack: f64,
}

/// Most ways in which the words of one number are taken.
const MOST_WAYS: usize = 16;

/// Nouns for what sets are made of.
pub(super) const POPULATION: &[&str] = &["problem", "item", "question", "task", "instance", "variant"];

/// What choosing needs.
pub(super) struct Chooser<'a> {
    pub(super) study: &'a Study,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) lexicon: &'a Lexicon,
    pub(super) index: &'a Index<'a>,
    pub(super) defaults: BTreeMap<&'static str, String>,
    pub(super) qualifiers: BTreeSet<&'a str>,
    pub(super) published: &'a Published,
}

/// Why nothing was bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unbound {
    /// No word near it names a thing that is measured.
    NoConcept,
    /// A head or a clause holds words that no fact explains.
    UnknownWords,
    /// The head of the row means nothing to the study.
    UnknownRow,
    /// The words name things that no fact has together.
    NoFact,
    /// The cell holds more than a number.
    NotANumber,
    /// Several facts fit equally well.
    Ambiguous,
    /// The sentence restricts or changes what is counted.
    Restricted,
}

impl Unbound {
    /// The words for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoConcept => "no word near it names a thing that is measured",
            Self::UnknownWords => "words near it that no statistic explains",
            Self::UnknownRow => "the head of its row is nothing that the study declares",
            Self::NoFact => "no recomputed value is about all that the words name",
            Self::NotANumber => "its cell holds more than a number",
            Self::Ambiguous => "several recomputed values fit its words",
            Self::Restricted => "its sentence restricts what is counted",
        }
    }
}

impl Chooser<'_> {
    /// Readings of a number, best first. `concepts` are the things measured, nearest words first.
    pub(super) fn readings(&self, scene: &Scene, number: &Number, prose: bool) -> Result<Vec<Reading>, Unbound> {
        let (concepts, bonus) = self.concepts(scene);
        if concepts.is_empty() {
            return Err(Unbound::NoConcept);
        }
        self.of_concepts(scene, number, &concepts, bonus, prose)
    }

    /// Readings of a number that is known to be one of some concepts.
    pub(super) fn of_concepts(
        &self,
        scene: &Scene,
        number: &Number,
        concepts: &[(usize, usize, String)],
        bonus: i32,
        prose: bool,
    ) -> Result<Vec<Reading>, Unbound> {
        let mut found: Vec<Reading> = Vec::new();
        for (concept, length, phrase) in concepts {
            for say in &self.vocabulary.concepts[*concept].facts {
                if (prose && !say.prose) || !fits_form(say, number, scene.strict) || !fits_phrases(say, scene) {
                    continue;
                }
                let weight = bonus
                    + 2 * i32::try_from(*length).unwrap_or(1)
                    + 3 * i32::try_from(say.all.len()).unwrap_or(0)
                    + i32::from(!say.any.is_empty());
                found.extend(self.of_say(scene, say, weight, phrase));
            }
        }
        found.sort_by(|a, b| {
            b.score
                .cmp(&a.score)
                .then_with(|| (&a.statistic, &a.measure, &a.keys).cmp(&(&b.statistic, &b.measure, &b.keys)))
        });
        found.dedup_by(|a, b| {
            a.statistic == b.statistic && a.measure == b.measure && a.keys == b.keys && a.part == b.part
        });
        if found.is_empty() { Err(Unbound::NoFact) } else { Ok(found) }
    }

    /// The concepts of the nearest level that names one, and how near it is.
    fn concepts(&self, scene: &Scene) -> (Vec<(usize, usize, String)>, i32) {
        // A row that names a measure and nothing else says what its numbers are; the head of the column only
        // how they are counted.
        for level in scene.level(Near::Row) {
            let found = level.concepts();
            let values = level.seen.mentions.iter().flat_map(|mention| &mention.meanings);
            let named = values.clone().any(|meaning| matches!(meaning, Meaning::Value(..) | Meaning::Total));
            if !named && !found.is_empty() {
                return (found, 12);
            }
        }
        for (near, bonus) in
            [(Near::Head, 12), (Near::Row, 10), (Near::Caption, 6), (Near::Paragraph, 4), (Near::Far, 3)]
        {
            for level in scene.level(near) {
                let found = level.concepts();
                if !found.is_empty() {
                    return (found, bonus);
                }
            }
        }
        (Vec::new(), 0)
    }

    fn of_say(&self, scene: &Scene, say: &Say, weight: i32, phrase: &str) -> Vec<Reading> {
        let (statistic, measure) = say.target();
        let Some(facts) = self.index.measure(statistic, measure) else { return Vec::new() };
        let mut found = Vec::new();
        // In a sentence about one configuration a value over all of them is not meant, where it has one of its own.
        let one = scene.strict
            && facts.shapes.iter().any(|shape| shape.contains(&"model"))
            && scene.level(Near::Caption).any(|level| !level.values("model", false).is_empty());
        for shape in facts.shapes.iter().filter(|shape| !one || shape.contains(&"model")) {
            for (keys, score, mut told) in self.keys(scene, say, shape) {
                let Some(fact) = facts.get(&keys) else { continue };
                told.insert(0, phrase.to_owned());
                let reading = reading(say, fact, weight + score, told);
                found.push(if scene.fractions && say.unit == "percent" { reading.in_fractions() } else { reading });
            }
        }
        found
    }

    /// Keys of a shape from the words; several where a word is a value of one key in two ways. Empty when the
    /// words do not give them or give others.
    fn keys(&self, scene: &Scene, say: &Say, shape: &[&str]) -> Vec<(Keys, i32, Vec<String>)> {
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
            let guessed = gain == 0 && scene.strict && say.explicit.iter().any(|name| name == key);
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
                    .values(key, near == Near::Caption && !scene.strict)
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

    /// `the strongest configuration` is the one of rank 1 on the set and protocol that are meant, and `the weakest`
    /// the one of the last rank. Where one that is not ranked is stronger or weaker still, either may be meant.
    fn ranked(&self, keys: Keys) -> Vec<Keys> {
        let Some(end) = keys.get("model").and_then(|model| Extreme::named(model)) else { return vec![keys] };
        let by_rank = self.first(&keys, "rank", end == Extreme::Best);
        let by_value = self.first(&keys, "mean", end == Extreme::Worst);
        let models: BTreeSet<String> = by_rank.into_iter().chain(by_value).collect();
        let with = |model: String| {
            let mut own = keys.clone();
            own.insert("model".to_owned(), model);
            own
        };
        models.into_iter().map(with).collect()
    }

    /// The configuration with the lowest (or highest) value of a measure of accuracy under some keys, where one
    /// alone has it.
    fn first(&self, keys: &Keys, measure: &str, lowest: bool) -> Option<String> {
        let of = |key: &str| keys.get(key).or_else(|| self.defaults.get(key));
        let facts = self.index.measure("accuracy-mean-sd", measure)?.facts();
        let values = facts.filter_map(|fact| {
            let same = fact.keys.iter().all(|(key, value)| key == "model" || of(key) == Some(value))
                && fact.keys.contains_key("condition") == keys.contains_key("condition");
            Some((fact.estimate.point().filter(|_| same)?, fact.keys.get("model")?))
        });
        let mut values: Vec<(f64, &String)> = values.collect();
        values.sort_by(|a, b| if lowest { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        let (first, model) = values.first()?;
        values.get(1).is_none_or(|(second, _)| second != first).then(|| (*model).clone())
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

    /// The concept of sizes of sets.
    pub(super) fn counts(&self) -> Option<usize> {
        self.vocabulary.concepts.iter().position(|concept| concept.id == "number of problems")
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

    /// The first noun of a text that a concept counts: its range, the concept, and the adjectives before it.
    /// The title of a set is the noun of its problems. A noun in front of another one (`model-problem pairs`,
    /// `option templates`) is none.
    pub(super) fn noun(&self, text: &str) -> Option<((usize, usize), usize, usize)> {
        let list = tokens(text);
        let sets = self.lexicon.mentions(text);
        let is_hyphened = text.starts_with('-');
        for from in 0..list.len().min(4) {
            let fits = |phrase: &String| {
                let phrase = words(phrase);
                list[from..].len() >= phrase.len() && phrase.iter().zip(&list[from..]).all(|(a, b)| *a == b.word)
            };
            let nouns = self.vocabulary.concepts.iter().enumerate();
            let found = nouns.flat_map(|(at, concept)| concept.nouns.iter().map(move |noun| (at, noun)));
            let best = found.filter(|(_, noun)| fits(noun)).max_by_key(|(_, noun)| words(noun).len());
            let start = list[from].start;
            let titled = sets.mentions.iter().find(|mention| {
                mention.start == start
                    && mention.meanings.iter().any(|m| matches!(m, Meaning::Value(key, _) if key == "set"))
            });
            if let Some(mention) = titled {
                let counts = self.counts()?;
                // A noun right behind the title belongs to it.
                let rest = list.iter().find(|token| token.start >= mention.end);
                let noun = rest.filter(|token| POPULATION.contains(&token.word.as_str()));
                let is_plural = text[..mention.end].ends_with('s');
                let joined = text[mention.end..].trim_start().starts_with("and ");
                let alone = rest.is_none() || text[mention.end..].trim_start().starts_with([')', ',', '.', ';', ':']);
                if noun.is_none() && !is_plural && !joined && (mention.weak || !alone) {
                    return None;
                }
                return Some(((start, noun.map_or(mention.end, |token| token.end)), counts, from));
            }
            if let Some((concept, noun)) = best {
                let end = list[from + words(noun).len() - 1].end;
                let is_plural = text[..end].ends_with('s') || !noun.ends_with('s');
                return (is_plural || is_hyphened).then_some(((start, end), concept, from));
            }
        }
        None
    }

    /// True when a level leaves too much unexplained.
    pub(super) fn is_obscure(&self, level: &Level, most: usize) -> bool {
        level.unexplained(&self.qualifiers).len() > most
    }
}

/// What became of a mention.
enum Placed {
    /// It gave a key, in these ways.
    Keys(Vec<Keys>),
    /// It says nothing about keys.
    Nothing,
    /// No key takes it.
    Clash,
}

fn reading(say: &Say, fact: &Fact, score: i32, words: Vec<String>) -> Reading {
    Reading {
        statistic: fact.statistic.to_owned(),
        measure: fact.measure.to_owned(),
        keys: fact.keys.clone(),
        part: "",
        from: None,
        unit: say.unit.clone(),
        score,
        words,
        value: fact.estimate.point(),
        factor: 1.0,
        slack: 0.0,
    }
}

/// Whether the form of a print can be that of a measure.
fn fits_form(say: &Say, number: &Number, strict: bool) -> bool {
    let end = match number.role {
        Role::Low(_) => Some("low"),
        Role::High(_) => Some("high"),
        _ => None,
    };
    if say.end.as_deref() != end {
        return false;
    }
    if say.form.as_deref() == Some("share") && number.decimals <= 0 && number.unit != Unit::Percent {
        return false;
    }
    let signed = number.text.starts_with(['+', '-', '\u{2212}']);
    match say.unit.as_str() {
        // In a sentence a bare whole number is a count.
        "percent" if strict => {
            !signed && (number.unit == Unit::Percent || number.unit == Unit::None && number.decimals > 0)
        }
        "percent" => matches!(number.unit, Unit::None | Unit::Percent) && !signed,
        "points" => matches!(number.unit, Unit::None | Unit::Percent | Unit::Points),
        "count" => number.unit == Unit::None && number.is_whole() && !signed,
        // No correlation and no P value is written in words or as a bare whole number.
        "p" | "rho" | "tau" | "r" | "kappa" => number.unit == Unit::None && number.decimals > 0,
        "ratio" => matches!(number.unit, Unit::None | Unit::Times),
        "tokens" => matches!(number.unit, Unit::None | Unit::Million | Unit::Thousand),
        _ => number.unit == Unit::None,
    }
}

pub(super) fn fits_phrases(say: &Say, scene: &Scene) -> bool {
    // A caption may name other columns; a sentence is about its own number.
    let farthest = if scene.strict { Near::Caption } else { Near::Row };
    let near =
        |phrase: &String| scene.levels.iter().filter(|level| level.near <= farthest).any(|level| level.holds(phrase));
    say.all.iter().all(|phrase| scene.holds(phrase))
        && (say.any.is_empty() || say.any.iter().any(|phrase| scene.holds(phrase)))
        && !say.not.iter().any(near)
}

impl Reading {
    /// The same printed as a share of one: `0.637` for 63.7 percent.
    fn in_fractions(self) -> Self {
        let value = self.value.map(|value| value / 100.0);
        Self { factor: 0.01, unit: "fraction".to_owned(), value, ..self }
    }

    /// The expression of the ledger language that it is.
    pub fn expression(&self) -> String {
        let fact = |keys: &Keys| {
            let quoted = |(key, value): (&String, &String)| format!("{}=\"{}\"", named(key), value.replace('"', "'"));
            let keys: Vec<String> = keys.iter().map(quoted).collect();
            format!("{}.{}{{{}}}", self.statistic, named(&self.measure), keys.join(", "))
        };
        let own = fact(&self.keys);
        match (self.part, &self.from) {
            (_, Some(other)) => format!("abs({own} - {})", fact(other)),
            ("", None) if self.factor == 1.0 => own,
            ("", None) => format!("{} * {own}", crate::number::repr(self.factor)),
            (part, None) => format!("{part}({own})"),
        }
    }
}

/// A name as selections write it: in quotes where it holds other signs than those of a word.
fn named(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "'")) }
}
