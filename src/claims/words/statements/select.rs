//! From the words of a clause to selections of facts in the language of ledgers.

use std::collections::BTreeSet;

use super::super::choose::{Chooser, fits_phrases};
use super::super::lexicon::Meaning;
use super::super::scene::{Level, Near, Scene};
use super::Clause;

/// A selection that a clause may mean.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Selected {
    /// `statistic.measure`.
    pub(super) measure: String,
    /// Keys and patterns, as written.
    pub(super) keys: Vec<(String, String)>,
    /// The words that decided.
    pub(super) words: Vec<String>,
}

impl Selected {
    /// The selection with some keys put in place of its own.
    pub(super) fn with(&self, other: &[(&str, &str)]) -> String {
        let keys = self.keys.iter().map(|(key, value)| {
            let value = other.iter().find(|(name, _)| name == key).map_or(value.as_str(), |(_, value)| value);
            let plain = value == "*" || value.starts_with('@');
            if plain { format!("{key}={value}") } else { format!("{key}=\"{}\"", value.replace('"', "'")) }
        });
        format!("{}{{{}}}", self.measure, keys.collect::<Vec<_>>().join(", "))
    }

    /// The selection as it is.
    pub(super) fn text(&self) -> String {
        self.with(&[])
    }
}

/// Units of what is ordered, counted and compared: shares and differences, not counts of things.
const UNITS: [&str; 8] = ["percent", "points", "ratio", "rho", "r", "value", "tokens", "kappa"];

/// The concepts that a clause names outside some of its pieces; without one, the one of this name.
pub(super) fn concepts(clause: &Clause<'_>, used: &[(usize, usize)], assumed: Option<&str>) -> Vec<(usize, String)> {
    let chooser = clause.chooser;
    let taken = |start: usize, end: usize| {
        clause.row.iter().enumerate().any(|(at, piece)| {
            let is_used = piece.number.is_some() || used.iter().any(|(from, to)| (*from..*to).contains(&at));
            is_used && piece.span.0 < end && start < piece.span.1
        })
    };
    let measured = |concept: usize| {
        chooser.vocabulary.concepts[concept].facts.iter().any(|say| UNITS.contains(&say.unit.as_str()))
    };
    let mut named = Vec::new();
    for level in clause.scene.level(Near::Head) {
        for mention in level.seen.mentions.iter().filter(|mention| !taken(mention.start, mention.end)) {
            for meaning in &mention.meanings {
                if let Meaning::Concept(concept) = meaning
                    && measured(*concept)
                {
                    named.push((*concept, level.text[mention.start..mention.end].to_owned()));
                }
            }
        }
    }
    if !named.is_empty() {
        return named;
    }
    let of = |name: &str| chooser.vocabulary.concepts.iter().position(|concept| concept.id == name);
    assumed.and_then(|name| Some(vec![(of(name)?, name.to_owned())])).unwrap_or_default()
}

/// Values of a key that a level names: by a phrase of their own, or as a common word beside the name of the key
/// (`direct protocol`, `low difficulty`).
pub(super) fn named<'l>(chooser: &Chooser<'_>, level: &'l Level, key: &str) -> BTreeSet<&'l str> {
    let mut found = level.values(key, false);
    let names = chooser.vocabulary.dimensions.get(key).into_iter().flatten().map(String::as_str).chain([key]);
    let names: Vec<&str> = names.collect();
    let beside = |value: &&str| {
        names.iter().any(|name| level.holds(&format!("{value} {name}")) || level.holds(&format!("{name} {value}")))
    };
    found.extend(level.values(key, true).into_iter().filter(beside));
    found
}

/// Selections of the measures of some concepts that have these keys; keys that are not given come from the words
/// around. `taken` are keys whose words in the clause are used already. The best ones only: several are ambiguous.
pub(super) fn select(
    chooser: &Chooser<'_>,
    scene: &Scene,
    concepts: &[(usize, String)],
    given: &[(&str, &str)],
    taken: &[&str],
) -> Vec<Selected> {
    let mut found: Vec<(usize, Selected)> = Vec::new();
    for (concept, phrase) in concepts {
        for say in &chooser.vocabulary.concepts[*concept].facts {
            let (statistic, measure) = say.target();
            let Some(facts) = chooser.index.measure(statistic, measure) else { continue };
            let is_p = say.unit == "p" && concepts.len() == 1;
            if say.end.is_some() || !(is_p || UNITS.contains(&say.unit.as_str())) || !fits_phrases(say, scene) {
                continue;
            }
            for shape in &facts.shapes {
                let has = |key: &str| shape.contains(&key);
                let fits = given.iter().all(|(key, _)| has(key)) && say.keys.keys().all(|key| has(key));
                if !fits || !names_all(scene, shape, given, taken, &say.absorbs) {
                    continue;
                }
                let Some((keys, gain, mut told)) = keys(chooser, scene, shape, given, &say.keys) else { continue };
                let is_there = facts.keys().any(|own| {
                    own.len() == keys.len()
                        && keys.iter().all(|(key, value)| {
                            let open = value == "*" || value.starts_with('@');
                            own.get(key).is_some_and(|own| open || own == value)
                        })
                });
                if is_there {
                    told.insert(0, phrase.clone());
                    found.push((gain, Selected { measure: say.of.clone(), keys, words: told }));
                }
            }
        }
    }
    let best = found.iter().map(|(gain, _)| *gain).max().unwrap_or(0);
    let mut best: Vec<Selected> = found.into_iter().filter(|(gain, _)| *gain == best).map(|(_, own)| own).collect();
    best.sort();
    best.dedup_by(|a, b| a.measure == b.measure && a.keys == b.keys);
    best
}

/// Whether a shape has a place for everything that the clause names.
fn names_all(scene: &Scene, shape: &[&str], given: &[(&str, &str)], taken: &[&str], absorbs: &[String]) -> bool {
    let mentions = scene.level(Near::Head).flat_map(|level| &level.seen.mentions).filter(|mention| !mention.weak);
    mentions.into_iter().all(|mention| {
        let mut keys = mention.meanings.iter().filter_map(|meaning| match meaning {
            Meaning::Value(key, _) => Some(key.as_str()),
            _ => None,
        });
        let other = mention.meanings.iter().any(|meaning| !matches!(meaning, Meaning::Value(..)));
        let placed = |key: &str| {
            shape.contains(&key)
                || taken.contains(&key)
                || given.iter().any(|(name, _)| *name == key)
                || absorbs.iter().any(|own| own == key)
        };
        other || keys.any(placed)
    })
}

type Keys = Vec<(String, String)>;

fn keys(
    chooser: &Chooser<'_>,
    scene: &Scene,
    shape: &[&str],
    given: &[(&str, &str)],
    fixed: &std::collections::BTreeMap<String, String>,
) -> Option<(Keys, usize, Vec<String>)> {
    let mut found = Keys::new();
    let (mut gain, mut told) = (0, Vec::new());
    for key in shape {
        if let Some((_, value)) = given.iter().find(|(name, _)| name == key) {
            found.push(((*key).to_owned(), (*value).to_owned()));
            continue;
        }
        if let Some(value) = fixed.get(*key) {
            found.push(((*key).to_owned(), value.clone()));
            continue;
        }
        let near = |near: Near| scene.level(near).flat_map(|level| named(chooser, level, key)).collect();
        let mut here: BTreeSet<&str> = near(Near::Head);
        if here.is_empty() {
            here = near(Near::Caption);
        }
        let value = match here.iter().copied().collect::<Vec<_>>().as_slice() {
            [] => {
                let (value, more, word) = chooser.farther(scene, key)?;
                gain += usize::try_from(more).unwrap_or(0);
                told.extend(word);
                value
            }
            [one] => {
                gain += 4;
                told.push((*one).to_owned());
                (*one).to_owned()
            }
            _ => return None,
        };
        if value.is_empty() {
            return None;
        }
        found.push(((*key).to_owned(), value));
    }
    Some((found, gain, told))
}
