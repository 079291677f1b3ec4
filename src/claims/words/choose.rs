//! From the words around a number to the facts that it may be. Nothing here looks at a value.

use std::collections::{BTreeMap, BTreeSet};

use super::index::Index;
use super::lexicon::{Lexicon, Meaning};
use super::published::Published;
use super::reading::{Reading, Unbound, reading};
use super::scene::{Level, Near, Scene};
use super::tokens::{tokens, words};
use super::vocabulary::{Say, Vocabulary};
use crate::documents::{Number, Role, numbers::Unit};
use crate::statistics::{Estimate, Fact};
use crate::study::Study;

/// Id of the concept of sizes of sets; its words stand in `core.toml`.
pub(super) const SIZES: &str = "number of problems";

/// Nouns for what sets are made of.
pub(super) const POPULATION: &[&str] = &["problem", "item", "question", "task", "instance", "variant", "issue"];

/// What choosing needs.
pub(super) struct Chooser<'a> {
    pub(super) study: &'a Study,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) lexicon: &'a Lexicon,
    pub(super) index: &'a Index<'a>,
    pub(super) defaults: BTreeMap<String, String>,
    pub(super) qualifiers: BTreeSet<&'a str>,
    pub(super) published: &'a Published,
}

impl Chooser<'_> {
    /// Readings of a number, best first. `concepts` are the things measured, nearest words first.
    pub(super) fn readings(&self, scene: &Scene, number: &Number, prose: bool) -> Result<Vec<Reading>, Unbound> {
        let (concepts, bonus) = self.concepts(scene, number);
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
                let placed = if prose {
                    say.prose
                        && (!say.subject || has_subject(scene))
                        && (say.unit != "count" || say.part.is_none() || scene.counted)
                } else {
                    say.cells
                };
                if !placed || !fits_form(say, number, scene.strict) || !fits_phrases(say, scene) {
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
    fn concepts(&self, scene: &Scene, number: &Number) -> (Vec<(usize, usize, String)>, i32) {
        // In a sentence the sign behind a number is its unit and names nothing.
        let of = |level: &Level| {
            let mut found = level.concepts();
            found.retain(|(_, _, phrase)| !scene.strict || phrase != "%");
            // The ends of an interval are no other number's matter.
            let is_end = matches!(number.role, Role::Low(_) | Role::High(_));
            found.retain(|(concept, ..)| {
                let facts = &self.vocabulary.concepts[*concept].facts;
                is_end || facts.is_empty() || facts.iter().any(|say| say.end.is_none())
            });
            found
        };
        // A row that names a measure and nothing else says what its numbers are; the head of the column only
        // how they are counted.
        for level in scene.level(Near::Row) {
            let found = of(level);
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
                let found = of(level);
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
                let mut reading = reading(say, fact, weight + score, told);
                if let Some(part) = &say.part {
                    let Some((name, value)) = part_of(part, fact) else { continue };
                    reading = Reading { part: name, value: Some(value), ..reading };
                }
                found.push(if scene.fractions && say.unit == "percent" { reading.in_fractions() } else { reading });
            }
        }
        found
    }

    /// The concept of sizes of sets.
    pub(super) fn counts(&self) -> Option<usize> {
        self.vocabulary.concepts.iter().position(|concept| concept.id == SIZES)
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

/// A part of a fact by its name in vocabularies.
fn part_of(name: &str, fact: &Fact) -> Option<(&'static str, f64)> {
    let Estimate::Value { count, interval, .. } = &fact.estimate else { return None };
    Some(match name {
        "count-of" => ("count-of", (*count)?.0 as f64),
        "low" => ("low", (*interval)?.low),
        "high" => ("high", (*interval)?.high),
        _ => return None,
    })
}

/// Whether a number counts something, and its sentence names the configuration that did it.
fn has_subject(scene: &Scene) -> bool {
    let named = |near: Near| scene.level(near).any(|level| level.told("model", false).len() == 1);
    scene.counted && (named(Near::Head) || named(Near::Caption))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_field_have_the_concept_of_sizes() {
        let core = include_str!("core.toml");
        assert!(core.lines().any(|line| line == format!("id = \"{SIZES}\"")), "no concept {SIZES:?} in core.toml");
    }
}
