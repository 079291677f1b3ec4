//! The words for statistics: which expressions of the field stand for which measure. The files are data:
//! one line per statistic; what a study calls its sets and configurations comes from its declaration.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::statistics::About;

/// The generic vocabulary.
const GENERIC: &str = include_str!("core.toml");

/// Words and what they stand for.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Things that are measured.
    pub(super) concepts: Vec<Concept>,
    /// Words for values of keys beyond those of the declaration.
    pub(super) entities: Vec<Entity>,
    /// Phrases that add nothing.
    pub(super) ignored: Vec<String>,
    /// Phrases for a row over all other rows.
    pub(super) totals: Vec<String>,
    /// Keys whose values are no words of a text.
    pub(super) silent: Vec<String>,
    /// Keys whose values are ids, which only a whole cell or code names.
    pub(super) ids: Vec<String>,
    /// Names of keys in the heads of columns.
    pub(super) dimensions: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    concept: Vec<Concept>,
    #[serde(default)]
    entity: Vec<Entity>,
    #[serde(default)]
    ignored: Vec<String>,
    #[serde(default)]
    totals: Vec<String>,
    #[serde(default)]
    silent: Vec<String>,
    #[serde(default)]
    ids: Vec<String>,
    #[serde(default)]
    dimension: BTreeMap<String, Vec<String>>,
}

/// A thing that is measured, with its words and the measures that may be meant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Concept {
    /// Name, for the explanation of a binding.
    pub(super) id: String,
    /// Words in heads, captions and sentences. `{key}` stands for one word that is the value of a key.
    pub(super) words: Vec<String>,
    /// Nouns that directly follow a count.
    #[serde(default)]
    pub(super) nouns: Vec<String>,
    /// Measures that may be meant; the keys that the text names decide which.
    pub(super) facts: Vec<Say>,
}

/// A measure that a concept may mean.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Say {
    /// `statistic.measure`.
    pub(super) of: String,
    /// Unit: percent, points, count, p, rho, ratio, value.
    pub(super) unit: String,
    /// Phrases that the surroundings must all hold.
    #[serde(default)]
    pub(super) all: Vec<String>,
    /// Phrases of which the surroundings must hold one.
    #[serde(default)]
    pub(super) any: Vec<String>,
    /// Phrases that must not stand near.
    #[serde(default)]
    pub(super) not: Vec<String>,
    /// Keys with a fixed value.
    #[serde(default)]
    pub(super) keys: BTreeMap<String, String>,
    /// Keys whose mention is part of the measure itself.
    #[serde(default)]
    pub(super) absorbs: Vec<String>,
    /// Keys that must be named near: their default would be a guess. In tables the default stands.
    #[serde(default)]
    pub(super) explicit: Vec<String>,
    /// Words of a sentence that let the default stand all the same: they name the whole. `{study}` is the title
    /// of the study.
    #[serde(default)]
    pub(super) presumes: Vec<String>,
    /// `low` or `high`: only for this end of a range.
    #[serde(default)]
    pub(super) end: Option<String>,
    /// `share`: only for prints with decimals or a percent sign, where whole numbers are counts.
    #[serde(default)]
    pub(super) form: Option<String>,
    /// `count-of`: the count of a fact that is a share, where a whole number is printed; `low` and `high`: the ends
    /// of its interval.
    #[serde(default)]
    pub(super) part: Option<String>,
    /// True where the configuration must be named in the own words of the number, which counts something.
    #[serde(default)]
    pub(super) subject: bool,
    /// False for measures that are meant only in tables.
    #[serde(default = "yes")]
    pub(super) prose: bool,
    /// False for measures that are meant only in sentences.
    #[serde(default = "yes")]
    pub(super) cells: bool,
}

const fn yes() -> bool {
    true
}

/// Further words for a value of a key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entity {
    /// Key.
    pub(super) key: String,
    /// Value; empty for facts without the key.
    pub(super) value: String,
    /// Words.
    pub(super) words: Vec<String>,
}

impl Vocabulary {
    /// The generic vocabulary and others; a concept of one name collects the measures of all.
    pub(super) fn new(others: &[&str]) -> Result<Self, String> {
        let mut all = Self::default();
        for text in [GENERIC].iter().chain(others) {
            let file: File = toml::from_str(text).map_err(|error| format!("vocabulary: {error}"))?;
            for concept in file.concept {
                match all.concepts.iter_mut().find(|known| known.id == concept.id) {
                    Some(known) => {
                        known.words.extend(concept.words);
                        known.nouns.extend(concept.nouns);
                        known.facts.extend(concept.facts);
                    }
                    None => all.concepts.push(concept),
                }
            }
            all.entities.extend(file.entity);
            all.ignored.extend(file.ignored);
            all.totals.extend(file.totals);
            all.silent.extend(file.silent);
            all.ids.extend(file.ids);
            for (key, words) in file.dimension {
                all.dimensions.entry(key).or_default().extend(words);
            }
        }
        Ok(all)
    }
}

impl Say {
    /// Statistic and measure.
    pub(super) fn target(&self) -> (&str, &str) {
        self.of.split_once('.').unwrap_or((&self.of, ""))
    }
}

/// Objections to vocabularies: files that do not read, measures and keys that no statistic has.
pub fn check_words(others: &[&str], known: &[&About]) -> Vec<String> {
    let vocabulary = match Vocabulary::new(others) {
        Ok(vocabulary) => vocabulary,
        Err(message) => return vec![message],
    };
    let mut objections = Vec::new();
    for say in vocabulary.concepts.iter().flat_map(|concept| &concept.facts) {
        let (statistic, measure) = say.target();
        let Some(about) = known.iter().find(|about| about.id == statistic) else {
            objections.push(format!("no statistic is called `{statistic}`"));
            continue;
        };
        if about.measures.iter().all(|(name, _)| *name != measure) {
            objections.push(format!("`{statistic}` has no measure `{measure}`"));
        }
        if let Some(key) = say.keys.keys().find(|key| about.keys.iter().all(|doc| doc.key != key.as_str())) {
            objections.push(format!("`{statistic}` has no key `{key}`"));
        }
    }
    objections
}
