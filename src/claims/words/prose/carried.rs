//! What a sentence says once and means again: `A solves 66.7% on ocean and 50.0% on sky`, `A reaches 61%, B 52%`.

use std::collections::BTreeMap;

use super::guards::is_negative;
use super::{Reader, words_of};
use crate::claims::words::lexicon::{Meaning, Seen};
use crate::claims::words::reading::Reading;
use crate::documents::{Role, Rule};

impl Reader<'_> {
    /// The readings of the number in front, with the names that stand at this one in place of its own.
    pub(super) fn carried(&self, at: usize, found: &[Result<Vec<Reading>, super::Unbound>]) -> Option<Vec<Reading>> {
        let number = &self.all[at];
        if number.role != Role::Value {
            return None;
        }
        let skipped = |role: &Role, rule: &Option<Rule>| matches!(role, Role::Spread(_)) || rule.is_some();
        let before = (0..at).rev().find(|&other| !skipped(&self.all[other].role, &self.all[other].rule))?;
        let other = &self.all[before];
        let alike = other.role == Role::Value
            && other.decimals == number.decimals
            && (other.unit == number.unit || self.all[before + 1..at].iter().any(|spread| spread.unit == number.unit))
            && other.start >= self.part.start;
        let text = &self.passage.text;
        let begin = self.all[before + 1..at]
            .iter()
            .filter(|own| matches!(own.role, Role::Spread(_)))
            .map(|own| own.after)
            .max();
        let begin = begin.unwrap_or(other.after);
        let between = text.get(begin..number.start)?;
        // A bracket inside a name (`GPT-4o (2024-08-06)`) parts nothing.
        let mut bare = between.to_owned();
        for mention in self.chooser.seen_in_sentence(between).mentions.iter().rev() {
            bare.replace_range(mention.start..mention.end, "x");
        }
        if !alike || bare.contains(['(', ')', ':', '\u{2014}', '|']) {
            return None;
        }
        let next = self.all[at + 1..].iter().find(|next| next.rule.is_none());
        let roof = next.map_or(self.part.end, |next| next.start.min(self.part.end));
        let behind = text.get(number.after..self.right(text.get(number.after..roof)?, number.after))?;
        // What stands before the joint was said of the number in front.
        let joints = [", ", "; ", " and ", " while ", " whereas ", " versus ", " against ", " but "];
        let joint = joints.iter().filter_map(|joint| between.rfind(joint).map(|at| at + joint.len())).max()?;
        let (behind_other, between) = between.split_at(joint);
        let other_seen = self.chooser.seen_in_sentence(behind_other);
        let seen = self.chooser.seen_in_sentence(between);
        let understood = |seen: &Seen, text: &str| {
            words_of(seen, &self.chooser.qualifiers).iter().all(|(from, to, plain)| {
                let word = text[*from..*to].to_lowercase();
                *plain && !is_negative(&word)
                    || matches!(word.as_str(), "while" | "whereas" | "but" | "ahead" | "against" | "versus" | "only")
            })
        };
        let plain = understood(&seen, between) && understood(&other_seen, behind_other);
        if !plain || self.is_restricted(number.after, number.after + behind.len()) {
            return None;
        }
        let base = found.get(before)?.as_ref().ok()?;
        let best = base.first()?.score;
        let own = self.chooser.seen_in_sentence(behind);
        let all: Option<Vec<Reading>> = base
            .iter()
            .take_while(|reading| reading.score == best)
            .map(|reading| self.renamed(reading, &seen, &own).filter(|_| is_said_of(reading, &other_seen)))
            .collect();
        all.filter(|all| !all.is_empty())
    }

    /// A reading with the values that are mentioned put in place of its own; `None` where nothing changes, or
    /// something is mentioned that it has no place for.
    fn renamed(&self, reading: &Reading, before: &Seen, behind: &Seen) -> Option<Reading> {
        if reading.from.is_some() || !reading.part.is_empty() || reading.slack != 0.0 {
            return None;
        }
        let mut changed: BTreeMap<&str, &str> = BTreeMap::new();
        for mention in before.mentions.iter().chain(&behind.mentions) {
            // `problems` counts nothing behind the name of a part.
            let is_concept = mention.meanings.iter().any(|m| matches!(m, Meaning::Concept(_)));
            let is_other = is_concept && !mention.meanings.contains(&Meaning::Ignored);
            let values: Vec<(&str, &str)> = mention
                .meanings
                .iter()
                .filter_map(|meaning| match meaning {
                    Meaning::Value(key, value) if !mention.weak => Some((key.as_str(), value.as_str())),
                    _ => None,
                })
                .collect();
            if is_other {
                return None;
            }
            if values.is_empty() {
                continue;
            }
            // What is said again of the number in front changes nothing.
            if values.iter().any(|(key, value)| reading.keys.get(*key).is_some_and(|own| own == value)) {
                continue;
            }
            let (key, value) = values
                .iter()
                .find(|(key, value)| reading.keys.contains_key(*key) && !value.is_empty() && !value.starts_with('@'))?;
            if changed.insert(key, value).is_some_and(|earlier| earlier != *value) {
                return None;
            }
        }
        if changed.is_empty() {
            return None;
        }
        let mut keys = reading.keys.clone();
        for (key, value) in &changed {
            keys.insert((*key).to_owned(), (*value).to_owned());
        }
        let fact = self.chooser.index.measure(&reading.statistic, &reading.measure)?.get(&keys)?;
        let mut words = reading.words.clone();
        words.extend(changed.values().map(|value| (*value).to_owned()));
        let value = fact.estimate.point().map(|value| value * reading.factor);
        Some(Reading { keys, words, value, score: reading.score - 1, ..reading.clone() })
    }
}

/// True where everything that was said behind a number was said of its reading.
fn is_said_of(reading: &Reading, seen: &Seen) -> bool {
    seen.mentions.iter().filter(|mention| !mention.weak).all(|mention| {
        let mut values = mention.meanings.iter().filter_map(|meaning| match meaning {
            Meaning::Value(key, value) => Some((key, value)),
            _ => None,
        });
        let is_value = mention.meanings.iter().any(|meaning| matches!(meaning, Meaning::Value(..)));
        !is_value || values.any(|(key, value)| reading.keys.get(key) == Some(value))
    })
}
