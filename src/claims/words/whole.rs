//! What a whole cell names, and numbers that hang on another number.

use super::choose::Chooser;
use super::lexicon::Meaning;
use super::reading::{Reading, Unbound};
use super::tokens::words;

/// Keys whose values are ids: a whole cell may be one wherever it stands.
const IDS: &[&str] = &["problem", "template", "book"];

impl Chooser<'_> {
    /// The values that a whole cell is, by the key that the head of its column names, or as an id.
    pub(super) fn whole(&self, text: &str, head: &str) -> Option<Vec<Meaning>> {
        let bare = text.trim().trim_matches(['`', '%', '\u{2713}', ' ']);
        let list = words(bare);
        if list.is_empty() {
            return None;
        }
        let head = words(head);
        let mut found = Vec::new();
        for (key, values) in &self.index.values {
            let named = self.vocabulary.dimensions.get(*key).is_some_and(|names| {
                names.iter().any(|name| {
                    let name = words(name);
                    head.windows(name.len().max(1)).any(|window| window == name.as_slice())
                })
            });
            let is_id = (IDS.contains(key) || self.vocabulary.ids.iter().any(|id| id == key))
                && bare.contains(|c: char| c.is_alphabetic());
            if !named && !is_id {
                continue;
            }
            let value = values.get(bare).or_else(|| values.iter().find(|value| named && words(value) == list));
            found.extend(value.map(|value| Meaning::Value((*key).to_owned(), (*value).to_owned())));
        }
        (!found.is_empty()).then_some(found)
    }

    /// The id of a problem with which a paragraph begins, written as code.
    pub(super) fn leading_id(&self, passage: &crate::documents::Passage) -> Option<String> {
        let (start, end) = *passage.code.first()?;
        let id = passage.text.get(start..end)?.trim();
        let problems = self.index.values.get("problem")?;
        (passage.text[..start].trim().is_empty() && problems.contains(id)).then(|| id.to_owned())
    }

    /// Adds the ids of problems that a heading or caption names (`air_149`).
    pub(super) fn add_ids(&self, level: &mut super::scene::Level) {
        let Some(problems) = self.index.values.get("problem") else { return };
        let edge = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-'));
        let text = level.text.clone();
        for word in text.split(edge).map(|word| word.trim_matches(['.', '-', '/'])) {
            let is_whole = text.trim() == word;
            let is_id =
                word.contains(|c: char| c.is_ascii_digit()) && (is_whole || word.contains(|c: char| c.is_alphabetic()));
            if let Some(id) = problems.get(word).filter(|_| is_id) {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let meanings = vec![Meaning::Value("problem".into(), (*id).to_owned())];
                let mention = super::lexicon::Mention {
                    start,
                    end: start + word.len(),
                    length: 1,
                    meanings,
                    weak: false,
                    is_noun: false,
                };
                level.seen.mentions.push(mention);
            }
        }
    }

    /// The measure of another name beside the one that a number was bound to.
    pub(super) fn sibling(
        &self,
        of: Option<&Result<Vec<Reading>, Unbound>>,
        names: &[&str],
    ) -> Result<Vec<Reading>, Unbound> {
        let base = match of {
            Some(Ok(readings)) => readings,
            Some(Err(reason)) => return Err(*reason),
            None => return Err(Unbound::NoConcept),
        };
        let best = base.first().map_or(0, |reading| reading.score);
        let mut found = Vec::new();
        for reading in base.iter().filter(|reading| reading.score == best) {
            for name in names {
                let fact = self.index.measure(&reading.statistic, name).and_then(|measure| measure.get(&reading.keys));
                found.extend(fact.map(|fact| Reading {
                    measure: (*name).to_owned(),
                    unit: if name.ends_with("-share") { "percent" } else { "points" }.to_owned(),
                    value: fact.estimate.point(),
                    ..reading.clone()
                }));
            }
        }
        if found.is_empty() { Err(Unbound::NoFact) } else { Ok(found) }
    }

    /// The total behind the count that a number was bound to.
    pub(super) fn total_of(&self, of: Option<&Result<Vec<Reading>, Unbound>>) -> Result<Vec<Reading>, Unbound> {
        let base = match of {
            Some(Ok(readings)) => readings,
            Some(Err(reason)) => return Err(*reason),
            None => return Err(Unbound::NoConcept),
        };
        let total = |reading: &Reading| {
            let (_, n) = self.counted(reading)?;
            Some(Reading { part: "out-of", unit: "count".to_owned(), value: Some(n as f64), ..reading.clone() })
        };
        let found: Vec<Reading> = base.iter().filter_map(total).collect();
        if found.is_empty() { Err(Unbound::NoFact) } else { Ok(found) }
    }

    /// The count and the total of a reading's fact, where it is one.
    pub(super) fn counted(&self, reading: &Reading) -> Option<(u64, u64)> {
        let fact = self.index.measure(&reading.statistic, &reading.measure)?.get(&reading.keys)?;
        match fact.estimate {
            crate::statistics::Estimate::Value { count, .. } => count,
            crate::statistics::Estimate::Undefined(_) => None,
        }
    }
}
