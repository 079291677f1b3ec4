//! The difference of two configurations: `A outperforms B by 3.2 points`, `the gap between A and B is 3.2 points`.

use super::{Reader, words_of};
use crate::claims::words::lexicon::Meaning;
use crate::claims::words::reading::{Reading, Unbound};
use crate::claims::words::scene::{Level, Near, Scene};
use crate::claims::words::statements::DEFAULT;
use crate::claims::words::tokens::tokens;
use crate::documents::{Number, Role, numbers::Bound, numbers::Unit};

/// Words that say that a number is a difference.
const WORDS: &[&str] = &[
    "outperform",
    "outperformed",
    "beat",
    "lead",
    "led",
    "trail",
    "trailed",
    "exceed",
    "exceeded",
    "surpass",
    "surpassed",
    "ahead",
    "behind",
    "better",
    "worse",
    "gain",
    "difference",
    "gap",
    "margin",
    "lag",
    "advantage",
    "above",
    "below",
    "improvement",
    "higher",
    "lower",
    "larger",
    "smaller",
    "drop",
    "loss",
];

/// Words that stand between them and the names.
const BETWEEN: &[&str] =
    &["over", "than", "between", "against", "relative", "compared", "absolute", "another", "further"];

impl Reader<'_> {
    /// The distance of two configurations that a clause names with a word of difference.
    pub(super) fn difference(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        if number.unit != Unit::Points || number.role != Role::Value {
            return None;
        }
        let text = &self.passage.text;
        let start = text[self.part.start..number.start]
            .rfind([';', ':'])
            .map_or(self.part.start, |at| self.part.start + at + 1);
        let rest = &text[number.after..self.part.end];
        let stop =
            [", ", "; ", ": ", " (", ". ", " and ", " while ", " but "].iter().filter_map(|end| rest.find(end)).min();
        let end = number.after + stop.unwrap_or(rest.len());
        let (first, second) = self.two_names(at, start, end)?;
        let words = |from: usize, to: usize| tokens(&text[from..to]);
        let is_word = |word: &str| WORDS.contains(&word);
        if !words(start, end).iter().any(|token| is_word(&token.word)) {
            return None;
        }
        // Every word from the first name on is understood, and no other result stands between.
        let from = self.all[..at]
            .iter()
            .rev()
            .find(|other| other.rule.is_none())
            .map_or(start, |other| other.after.max(start));
        let told = &text[from..end];
        let seen = self.chooser.seen_in_sentence(told);
        let plain = words_of(&seen, &self.chooser.qualifiers).into_iter().all(|(a, b, plain)| {
            let word = tokens(&told[a..b]).pop().map_or_else(String::new, |token| token.word);
            plain
                || is_word(&word)
                || BETWEEN.contains(&word.as_str())
                || word.bytes().all(|byte| byte.is_ascii_digit())
                || matches!(word.as_str(), "point" | "percentage" | "pp")
        });
        if !plain {
            return None;
        }
        let share = Number { unit: Unit::Percent, bound: Bound::Exact, role: Role::Value, ..number.clone() };
        let around = self.without_names(start, end);
        let of = |name: &str| {
            let mut scene = Scene { strict: true, ..Scene::default() };
            scene.levels.push(Level::of_sentence(self.chooser, Near::Head, &format!("{name} {around}")));
            scene.levels.push(Level::of_sentence(
                self.chooser,
                Near::Caption,
                &self.without_names(self.part.start, end),
            ));
            scene.levels.extend(self.far.iter().cloned());
            match self.chooser.readings(&scene, &share, true) {
                Err(Unbound::NoConcept) => {
                    let concept = self.chooser.vocabulary.concepts.iter().position(|concept| concept.id == DEFAULT);
                    let concept = concept.ok_or(Unbound::NoConcept)?;
                    self.chooser.of_concepts(&scene, &share, &[(concept, 1, DEFAULT.to_owned())], 6, true)
                }
                readings => readings,
            }
        };
        let (Ok(first), Ok(second)) = (of(&first), of(&second)) else { return Some(Err(Unbound::NoFact)) };
        Some(apart(&first, &second).ok_or(Unbound::NoFact))
    }

    /// The two configurations that a number is the difference of: those of its clause, or the first of the sentence
    /// with the one behind `and outperforms`.
    fn two_names(&self, at: usize, start: usize, end: usize) -> Option<(String, String)> {
        let text = &self.passage.text;
        let before = self.all[..at].iter().rev().find(|other| other.rule.is_none() && other.start >= start);
        let seen = self.chooser.seen_in_sentence(&text[start..end]);
        let mut names: Vec<(usize, &str)> = Vec::new();
        for mention in &seen.mentions {
            for meaning in &mention.meanings {
                if let Meaning::Value(key, value) = meaning
                    && key == "model"
                {
                    names.push((start + mention.start, value));
                }
            }
        }
        let told: Vec<(usize, &str)> = match before {
            Some(other) => {
                let later: Vec<(usize, &str)> =
                    names.iter().copied().filter(|(place, _)| *place >= other.after).collect();
                let goes_on = text[other.after..]
                    .trim_start()
                    .strip_prefix("and ")
                    .and_then(|rest| tokens(rest).into_iter().next());
                match (later.as_slice(), names.first(), goes_on) {
                    ([one], Some(first), Some(word)) if WORDS.contains(&word.word.as_str()) => vec![*first, *one],
                    _ => later,
                }
            }
            None => names,
        };
        let mut distinct: Vec<&str> = Vec::new();
        for (_, value) in told {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        let [first, second] = distinct.as_slice() else { return None };
        let name = |key: &str| {
            let declared = self.chooser.study.configurations.iter().find(|own| own.key.as_str() == key);
            declared.map_or_else(|| key.to_owned(), |own| own.name.clone())
        };
        (!first.starts_with('@') && !second.starts_with('@')).then(|| (name(first), name(second)))
    }

    /// A stretch of the passage without names of configurations and words of difference.
    fn without_names(&self, start: usize, end: usize) -> String {
        let text = &self.passage.text[start..end];
        let seen = self.chooser.seen_in_sentence(text);
        let is_name = |token: (usize, usize)| {
            seen.mentions.iter().any(|mention| {
                mention.start <= token.0
                    && token.1 <= mention.end
                    && mention.meanings.iter().any(|m| matches!(m, Meaning::Value(key, _) if key == "model"))
            })
        };
        let kept = tokens(text).into_iter().filter(|token| {
            !is_name((token.start, token.end))
                && !WORDS.contains(&token.word.as_str())
                && !BETWEEN.contains(&token.word.as_str())
        });
        kept.map(|token| text[token.start..token.end].to_owned()).collect::<Vec<_>>().join(" ")
    }
}

/// Pairs of readings of one measure, as their distance.
pub(super) fn apart(first: &[Reading], second: &[Reading]) -> Option<Vec<Reading>> {
    let pair = |reading: &Reading| {
        let other = second.iter().find(|other| {
            other.statistic == reading.statistic && other.measure == reading.measure && other.score == reading.score
        })?;
        Some(Reading {
            from: Some(other.keys.clone()),
            unit: "points".to_owned(),
            value: Some((reading.value? - other.value?).abs()),
            ..reading.clone()
        })
    };
    let found: Vec<Reading> = first.iter().filter_map(pair).collect();
    (!found.is_empty()).then_some(found)
}
