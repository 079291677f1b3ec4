//! Counts of wholes: a number in front of a noun that a set is made of, where the words say that all are counted.

use super::Reader;
use crate::claims::words::choose::POPULATION;
use crate::claims::words::reading::{Reading, Unbound};
use crate::claims::words::scene::{Level, Near, Scene};
use crate::claims::words::tokens::tokens;
use crate::documents::{Role, numbers::Unit};

/// Words before a count of everything: it is the whole and not a part.
const WHOLE: &[&str] = &["the", "all", "identical", "full", "these", "our", "its", "same", "total", "whole", "entire"];

/// Verbs and nouns whose object is the whole.
const COMPOSED: &[&str] = &[
    "comprising",
    "containing",
    "cover",
    "covering",
    "covers",
    "divided",
    "drawn",
    "grouped",
    "organised",
    "organized",
    "collected",
    "sourced",
    "span",
    "spans",
    "split",
    "totals",
    "comprise",
    "comprises",
    "contain",
    "contains",
    "consist",
    "extracted",
    "has",
    "have",
    "hold",
    "holds",
    "include",
    "includes",
    "diagnostic",
    "benchmark",
    "collection",
    "dataset",
    "corpus",
    "spanning",
    "totalling",
];

/// Words that join a count to the one before it: `436 problems from 13 textbooks and ten categories`.
const COUPLES: &[&str] = &["and", "with", "from", "across", "plus", "in", "over", "spanning", "into"];

/// Verbs of what a study does with its problems.
const EVALUATED: &[&str] = &[
    "evaluate",
    "evaluated",
    "benchmark",
    "benchmarked",
    "test",
    "tested",
    "assess",
    "assessed",
    "compare",
    "compared",
    "run",
    "ran",
];

/// Words after a noun that restrict it.
const RESTRICTS: &[&str] = &[
    "that", "which", "whose", "where", "without", "solved", "failed", "unsolved", "flagged", "with", "for", "on",
    "under", "who", "lost", "gained", "removed", "missed", "asking", "ask", "have", "are", "were", "is", "remain",
    "carry", "need", "still", "per", "each", "at", "reach", "in", "pass", "fail", "against", "outside", "to",
];

impl Reader<'_> {
    /// `hydrology (37 problems), ecology (19)`: the size of what stands in front of the bracket, where some
    /// bracket of the sentence names what is counted.
    pub(super) fn appended(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let text = &self.passage.text;
        let number = &self.all[at];
        let before = text[self.part.start..number.start].strip_suffix('(')?.trim_end();
        let close = text[number.after..self.part.end].find(')')?;
        let inside = text[number.after..number.after + close].trim();
        let sentence = &text[self.part.start..self.part.end];
        let concept = self.chooser.counts();
        let is_noun = |words: &str| {
            let found = self.chooser.noun(words);
            found.is_some_and(|(range, found, _)| Some(found) == concept && range == (0, words.len()))
        };
        let brackets = sentence.split('(').skip(1).filter_map(|part| part.split(')').next());
        let named = brackets.filter_map(|part| part.trim().split_once(' ')).any(|(first, noun)| {
            first.bytes().all(|byte| byte.is_ascii_digit()) && is_noun(noun.split([',', ';']).next().unwrap_or(noun))
        });
        if !named || !(inside.is_empty() || is_noun(inside)) {
            return None;
        }
        let clause = before.rfind([',', ';', ':', ')']).map_or(before, |at| &before[at + 1..]);
        let mut level = Level::of_sentence(self.chooser, Near::Head, clause.trim_start_matches(" and").trim());
        // `numeric variants (346 problems)` says of how many problems, not how many variants.
        let own = tokens(&level.text).pop().map_or_else(String::new, |token| token.word);
        if !inside.is_empty() && POPULATION.contains(&own.as_str()) && !inside.starts_with(&own) {
            return None;
        }
        let mention = level.seen.mentions.last_mut().filter(|mention| mention.end == level.text.len())?;
        mention.weak = false;
        let told = level.text.clone();
        let scene = Scene { strict: true, levels: vec![level], ..Scene::default() };
        Some(self.chooser.of_concepts(&scene, number, &[(concept?, 2, told)], 8, false))
    }

    /// `298 problems (68.3%)`, `143 of 500 issues (28.6%)`: the share of the count in front of it.
    pub(super) fn behind_count(&self, at: usize, found: &[Result<Vec<Reading>, Unbound>]) -> Option<Vec<Reading>> {
        let number = &self.all[at];
        let before = at.checked_sub(1)?;
        if number.unit != Unit::Percent || !self.is_bracketed_behind(before, at) {
            return None;
        }
        let before = match self.all[before].role {
            Role::OutOf(count) => count,
            _ => before,
        };
        let base = found.get(before)?.as_ref().ok()?;
        let first = base.first()?;
        if first.part == "count-of" {
            let own = |reading: &Reading| Reading {
                part: "",
                unit: "percent".to_owned(),
                value: self.share_of(reading),
                ..reading.clone()
            };
            return Some(base.iter().take_while(|reading| reading.score == first.score).map(own).collect());
        }
        let names =
            [format!("{}-share", first.measure), "percent".to_owned(), "accuracy".to_owned(), "rate".to_owned()];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shares = self.chooser.sibling(found.get(before), &names).ok()?;
        let percent = |reading: Reading| Reading { unit: "percent".to_owned(), ..reading };
        let of_it = |reading: &Reading| {
            let count = self.chooser.counted(reading);
            reading.measure.ends_with("-share") || count.is_some_and(|(count, _)| first.value == Some(count as f64))
        };
        let shares: Vec<Reading> = shares.into_iter().filter(of_it).map(percent).collect();
        (!shares.is_empty()).then_some(shares)
    }

    /// `28.6% (143/500)`: the count of the share in front of it.
    pub(super) fn behind_share(&self, at: usize, found: &[Result<Vec<Reading>, Unbound>]) -> Option<Vec<Reading>> {
        let before = at.checked_sub(1)?;
        let is_count = matches!(self.all[at].role, Role::Count(_)) && self.all[before].unit == Unit::Percent;
        if !is_count || !self.is_bracketed_behind(before, at) {
            return None;
        }
        let base = found.get(before)?.as_ref().ok()?;
        let best = base.first()?.score;
        let count = |reading: &Reading| {
            let with = |measure: &str| {
                let own = Reading { measure: measure.to_owned(), ..reading.clone() };
                let (count, _) = self.chooser.counted(&own)?;
                Some(Reading { part: "count-of", unit: "count".to_owned(), value: Some(count as f64), ..own })
            };
            with(&reading.measure).or_else(|| with("pooled"))
        };
        let found: Vec<Reading> = base.iter().take_while(|reading| reading.score == best).filter_map(count).collect();
        (!found.is_empty()).then_some(found)
    }

    /// True where a number stands alone at the beginning of a bracket close behind another.
    fn is_bracketed_behind(&self, before: usize, at: usize) -> bool {
        let text = &self.passage.text;
        let Some(gap) = text.get(self.all[before].after..self.all[at].start) else { return false };
        let end = match self.all[at].role {
            Role::Count(other) => &self.all[other],
            _ => &self.all[at],
        };
        let closed = text[end.after..].trim_start().starts_with([')', ';', ',']);
        gap.trim_end().ends_with('(') && closed && gap.len() <= 60 && !gap.contains(['.', ';', ')'])
    }

    fn share_of(&self, reading: &Reading) -> Option<f64> {
        let measure = self.chooser.index.measure(&reading.statistic, &reading.measure)?;
        measure.get(&reading.keys)?.estimate.point()
    }

    /// A whole number in front of a noun that a concept counts, where the words say that all are counted.
    pub(super) fn counted(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        let text = &self.passage.text;
        let rest = &text[number.after..self.part.end];
        let stop = rest.find(['.', ',', ';', ':', '(', ')', '\u{2014}', '|']).unwrap_or(rest.len());
        let (noun, concept, adjectives) = self.chooser.noun(&rest[..stop])?;
        let behind = tokens(&rest[noun.1..]);
        // `64 problems with 290 steps` says how many steps, and leaves out no problem.
        let counted = behind.first().is_some_and(|token| COUPLES.contains(&token.word.as_str()))
            && behind.get(1).is_some_and(|token| {
                let start = number.after + noun.1 + token.start;
                self.all.iter().any(|other| other.start == start)
            });
        let after = behind.into_iter().next().filter(|_| !counted);
        let glued = rest[noun.1..].starts_with([')', '(', ',', '.', ';', ':']) || rest[noun.1..].is_empty();
        if !glued && after.is_some_and(|token| RESTRICTS.contains(&token.word.as_str())) {
            return Some(Err(Unbound::Restricted));
        }
        // `the 14 instances of async-graphql`: of what is not known is a part.
        let behind_noun = &rest[noun.1..stop];
        let understood = tokens(&behind_noun[..self.right(behind_noun, 0)]);
        let is_open = understood.last().is_some_and(|token| matches!(token.word.as_str(), "of" | "the"));
        if understood.first().is_some_and(|token| token.word == "of") && is_open {
            return Some(Err(Unbound::Restricted));
        }
        let lead = tokens(&text[self.part.start..number.start]);
        let last = lead.last().map(|token| token.word.as_str());
        let before_last = lead.len().checked_sub(2).map(|at| lead[at].word.as_str());
        let whole = last.is_some_and(|word| WHOLE.contains(&word))
            || (matches!(last, Some("of" | "into" | "over" | "across" | "from"))
                && before_last.is_some_and(|word| COMPOSED.contains(&word)));
        // `Of the 192 defects` may be any defects; only sets are known by the words around.
        let named = tokens(&rest[noun.0..noun.1]).len() > 1;
        let vague = last == Some("the") && !named && self.chooser.counts() != Some(concept);
        // `We evaluate five models on 500 issues`, where there is one set only.
        let evaluated = matches!(last, Some("on" | "over" | "across"))
            && lead.iter().any(|token| EVALUATED.contains(&token.word.as_str()))
            && self.chooser.counts() == Some(concept)
            && self.chooser.study.sets.len() == 1;
        let composed = last.is_some_and(|word| COMPOSED.contains(&word));
        let coupled = self.is_coupled(at);
        if !(composed || coupled || (whole && !vague || evaluated) && adjectives == 0) {
            return Some(Err(Unbound::Restricted));
        }
        // Only a benchmark that comprises something is the whole; `the 169 problems` may be any.
        let sentence = (composed || coupled).then(|| self.sentence.clone());
        let mut scene = Scene { strict: true, sentence, ..Scene::default() };
        // `436-problem core set`: the name of the set may follow.
        let end = self.right(&rest[noun.1..stop], noun.1).max(noun.1);
        // `The core set comprises 436 problems`: the name of the set may stand in front of the verb.
        let from = if composed { lead.len().saturating_sub(6) } else { lead.len() };
        let subject = lead.get(from).map_or("", |token| &text[self.part.start + token.start..number.start]);
        let told = rest[noun.0..end].trim().to_owned();
        let mut level = Level::of_sentence(self.chooser, Near::Head, &format!("{subject} {told}"));
        // The noun itself is no adjective, however common the word is.
        let start = level.text.len() - told.len();
        for mention in level.seen.mentions.iter_mut().filter(|mention| mention.start == start) {
            mention.weak = false;
        }
        scene.levels.push(level);
        Some(self.chooser.of_concepts(&scene, number, &[(concept, 2, told)], 8, false))
    }

    /// True where the number in front counts a whole and only its noun and a joining word stand between.
    fn is_coupled(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|before| self.counted[*before]) else { return false };
        let gap = &self.passage.text[self.all[before].after..self.all[at].start];
        let list = tokens(gap);
        let joined =
            list.last().is_some_and(|token| COUPLES.contains(&token.word.as_str())) || gap.trim_end().ends_with(',');
        joined && list.len() <= 10 && !gap.contains(['.', ';', ':'])
    }
}
