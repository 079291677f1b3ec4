//! Numbers in sentences: the widest stretch of words around a number that are all understood says what it
//! is. A word that nothing explains ends the stretch, because it may change what is counted.

use std::collections::BTreeSet;

use super::choose::{Chooser, Reading, Unbound};
use super::lexicon::{Meaning, Seen};
use super::scene::{Level, Near, Scene};
use super::tokens::tokens;
use super::{Match, outcome};
use crate::documents::{Block, Number, Passage, Role, Rule, Sentence, numbers::Unit, numbers::numbers, sentences};

/// Most words that are looked at on each side.
const REACH: usize = 14;

/// Words that join a number with what it is about.
pub(super) const JOINTS: &[&str] = &[
    "at",
    "is",
    "was",
    "are",
    "were",
    "be",
    "of",
    "with",
    "reach",
    "reache",
    "reaches",
    "reached",
    "score",
    "scored",
    "achieve",
    "achieved",
    "get",
    "attain",
    "attained",
    "obtain",
    "obtained",
    "has",
    "have",
    "had",
    "by",
    "for",
    "in",
    "the",
    "a",
    "an",
    "its",
    "and",
    "only",
    "just",
    "equal",
    "equals",
    "to",
    "on",
    "mean",
    "average",
    "average",
    "from",
    "under",
    "over",
    "all",
    "our",
    "same",
    "full",
    "identical",
    "about",
    "ca",
    "roughly",
    "nearly",
    "approximately",
    "around",
    "respectively",
    "then",
    "still",
    "that",
    "=",
    "as",
    "both",
    "same",
    "come",
    "stand",
    "run",
    "runs",
];

/// Words before a count of everything: it is the whole and not a part.
const WHOLE: &[&str] = &["the", "all", "identical", "full", "these", "our", "its", "same", "total", "whole", "entire"];

/// Verbs and nouns whose object is the whole.
const COMPOSED: &[&str] = &[
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

/// Words after a noun that restrict it.
const RESTRICTS: &[&str] = &[
    "that", "which", "whose", "where", "without", "solved", "failed", "unsolved", "flagged", "with", "for", "on",
    "under", "who", "lost", "gained", "removed", "missed", "asking", "ask", "have", "are", "were", "is", "remain",
    "carry", "need", "still", "per", "each", "at", "reach", "in", "pass", "fail", "against", "outside", "to",
];

/// All numbers of a paragraph with their sentence.
pub(super) fn bind(chooser: &Chooser<'_>, block: &Block, passage: &Passage) -> Vec<(Number, String, Match)> {
    let parts = sentences(&passage.text);
    let mut all = numbers(passage);
    let named = chooser.lexicon.mentions(&passage.text);
    for number in &mut all {
        // `ask for two or more`, `pass@3`: a number inside a phrase belongs to it.
        let inside = named.mentions.iter().any(|mention| {
            mention.length > 1 && !mention.weak && mention.start <= number.start && number.end <= mention.end
        });
        if inside {
            number.rule.get_or_insert(Rule::Name);
        }
    }
    let all = all;
    let far: Vec<Level> =
        block.headings.iter().rev().map(|heading| Level::new(chooser.lexicon, Near::Far, heading)).collect();
    let mut found: Vec<Result<Vec<Reading>, Unbound>> = Vec::with_capacity(all.len());
    let mut told: Option<(usize, Level)> = None;
    for (at, number) in all.iter().enumerate() {
        let part = parts.iter().find(|part| part.start <= number.start && number.start < part.end);
        let (None, Some(part)) = (number.rule, part) else {
            found.push(Err(Unbound::NoConcept));
            continue;
        };
        if told.as_ref().is_none_or(|(start, _)| *start != part.start) {
            let text = &passage.text[part.start..part.end];
            told = Some((part.start, Level::new(chooser.lexicon, Near::Caption, text)));
        }
        let Some((_, sentence)) = &told else { continue };
        let reader = Reader { chooser, passage, all: &all, part: *part, sentence, far: &far };
        let readings = reader.read(at, &found);
        found.push(readings);
    }
    let sentence = |number: &Number| {
        let part = parts.iter().find(|part| part.start <= number.start && number.start < part.end);
        part.map_or_else(String::new, |part| passage.text[part.start..part.end].to_owned())
    };
    let texts: Vec<String> = all.iter().map(sentence).collect();
    all.into_iter()
        .zip(found)
        .zip(texts)
        .map(|((number, readings), text)| {
            let outcome = outcome(&number, readings);
            (number, text, outcome)
        })
        .collect()
}

struct Reader<'a> {
    chooser: &'a Chooser<'a>,
    passage: &'a Passage,
    all: &'a [Number],
    part: Sentence,
    sentence: &'a Level,
    far: &'a [Level],
}

impl Reader<'_> {
    fn read(&self, at: usize, found: &[Result<Vec<Reading>, Unbound>]) -> Result<Vec<Reading>, Unbound> {
        let number = &self.all[at];
        match number.role {
            Role::Spread(of) => return self.chooser.sibling(found.get(of), &["sd"]),
            // Of a count only the total is a count of everything.
            Role::OutOf(of) if found.get(of).is_some_and(Result::is_ok) => return self.chooser.total_of(found.get(of)),
            _ => {}
        }
        if let Some(readings) = self.behind_count(at, found) {
            return Ok(readings);
        }
        if number.is_whole()
            && number.unit == Unit::None
            && !matches!(number.role, Role::Count(_) | Role::Low(_) | Role::High(_))
            && let Some(Ok(readings)) = self.counted(number)
        {
            return Ok(readings);
        }
        self.stretch(at)
    }

    /// `298 problems (68.3%)`: the share of the count in front of it.
    fn behind_count(&self, at: usize, found: &[Result<Vec<Reading>, Unbound>]) -> Option<Vec<Reading>> {
        let number = &self.all[at];
        let before = at.checked_sub(1)?;
        let count = &self.all[before];
        let gap = self.passage.text.get(count.after..number.start)?;
        let bracketed = gap.trim_end().ends_with('(') && self.passage.text[number.after..].starts_with(')');
        if number.unit != Unit::Percent || !bracketed || gap.len() > 60 || gap.contains(['.', ';', ')']) {
            return None;
        }
        let base = found.get(before)?.as_ref().ok()?.first()?;
        let names = [format!("{}-share", base.measure)];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.chooser.sibling(found.get(before), &names).ok()
    }

    /// A whole number in front of a noun that a concept counts, where the words say that all are counted.
    fn counted(&self, number: &Number) -> Option<Result<Vec<Reading>, Unbound>> {
        let text = &self.passage.text;
        let rest = &text[number.after..self.part.end];
        let stop = rest.find(['.', ',', ';', ':', '(', ')', '\u{2014}', '|']).unwrap_or(rest.len());
        let (noun, concept, adjectives) = self.chooser.noun(&rest[..stop])?;
        let after = tokens(&rest[noun.1..]).into_iter().next();
        let glued = rest[noun.1..].starts_with([')', '(', ',', '.', ';', ':']) || rest[noun.1..].is_empty();
        if !glued && after.is_some_and(|token| RESTRICTS.contains(&token.word.as_str())) {
            return Some(Err(Unbound::Restricted));
        }
        let lead = tokens(&text[self.part.start..number.start]);
        let last = lead.last().map(|token| token.word.as_str());
        let before_last = lead.len().checked_sub(2).map(|at| lead[at].word.as_str());
        let whole = last.is_some_and(|word| WHOLE.contains(&word))
            || (matches!(last, Some("of" | "into" | "over" | "across"))
                && before_last.is_some_and(|word| COMPOSED.contains(&word)));
        let composed = last.is_some_and(|word| COMPOSED.contains(&word));
        if !(composed || whole && adjectives == 0) {
            return Some(Err(Unbound::Restricted));
        }
        let mut scene = Scene { strict: true, ..Scene::default() };
        // `436-problem core set`: the name of the set may follow.
        let end = self.right(&rest[noun.1..stop], noun.1).max(noun.1);
        // `The core set comprises 436 problems`: the name of the set may stand in front of the verb.
        let from = if composed { lead.len().saturating_sub(6) } else { lead.len() };
        let subject = lead.get(from).map_or("", |token| &text[self.part.start + token.start..number.start]);
        let head = format!("{subject} {}", &rest[noun.0..end]);
        scene.levels.push(Level::new(self.chooser.lexicon, Near::Head, &head));
        let told = rest[noun.0..end].trim().to_owned();
        Some(self.chooser.of_concepts(&scene, number, &[(concept, 2, told)], 8, false))
    }

    /// The widest stretch of understood words around the number.
    fn stretch(&self, at: usize) -> Result<Vec<Reading>, Unbound> {
        let number = &self.all[at];
        let text = &self.passage.text;
        // Numbers of names and references part nothing.
        let parts = |other: &&Number| !matches!(other.rule, Some(Rule::Name | Rule::Reference));
        let before = self.all[..at].iter().rev().find(parts);
        let floor = before.map_or(self.part.start, |number| number.after.max(self.part.start));
        let next = self.all[at + 1..].iter().find(parts);
        let roof = next.map_or(self.part.end, |next| next.start.min(self.part.end));
        let mut left = self.left(&text[floor..number.start], floor);
        let right = self.right(&text[number.after..roof], number.after);
        let mut behind = text[number.after..right].to_owned();
        if let Some(more) = self.past_share(at, roof) {
            behind.push(' ');
            behind.push_str(more);
        }
        // What follows a number says what it is before what was said of the one in front.
        if self.names_concept(&behind) {
            let joint = text[left..number.start].rfind([',']).or_else(|| text[left..number.start].rfind(" and "));
            left = joint.map_or(left, |at| left + at + 1);
        }
        let own = format!("{} {behind}", &text[left..number.start]);
        let level = Level::new(self.chooser.lexicon, Near::Head, &own);
        let has = |test: &dyn Fn(&Meaning) -> bool| level.seen.mentions.iter().flat_map(|m| &m.meanings).any(test);
        let concept = has(&|meaning| matches!(meaning, Meaning::Concept(_)));
        let model = has(&|meaning| matches!(meaning, Meaning::Value(key, _) if key == "model"));
        if !(concept || model && number.unit == Unit::Percent) {
            return Err(Unbound::NoConcept);
        }
        let mut scene = Scene { strict: true, ..Scene::default() };
        scene.levels.push(level);
        scene.levels.push(self.sentence.clone());
        scene.levels.extend(self.far.iter().cloned());
        self.chooser.readings(&scene, number, true)
    }

    /// `298 problems (68.3%) ask for ...`: the understood words behind a share in brackets.
    fn past_share(&self, at: usize, roof: usize) -> Option<&str> {
        let text = &self.passage.text;
        let share = self.all.get(at + 1)?;
        let opened = text.get(self.all[at].after..roof)?;
        if share.unit != Unit::Percent || !opened.ends_with('(') || opened.len() > 24 {
            return None;
        }
        let rest = &text[share.after..self.part.end];
        let rest = rest.strip_prefix(')')?;
        let next = self.all.get(at + 2).map_or(self.part.end, |next| next.start.min(self.part.end));
        let start = share.after + 1;
        let end = self.right(&rest[..next.saturating_sub(start).min(rest.len())], start);
        text.get(start..end)
    }

    fn names_concept(&self, text: &str) -> bool {
        let seen = self.chooser.lexicon.mentions(text);
        seen.mentions.iter().flat_map(|mention| &mention.meanings).any(|m| matches!(m, Meaning::Concept(_)))
    }

    /// Where the understood words in front of a number begin.
    fn left(&self, text: &str, offset: usize) -> usize {
        let cut = text
            .rfind([';', ':', '|', '\u{2014}', '\u{2192}'])
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let part = &text[cut..];
        let seen = self.chooser.lexicon.mentions(part);
        let mut start = part.len();
        let mut after = part.len();
        for (from, to, plain) in words_of(&seen, &self.chooser.qualifiers).into_iter().rev().take(REACH) {
            // A bracket that closes between two words ends another thought.
            let gap = part.get(to..after).unwrap_or("");
            if !plain || gap.contains(')') && !gap.trim_end().ends_with('(') && after < part.len() {
                break;
            }
            start = from;
            after = from;
        }
        offset + cut + start
    }

    /// Where the understood words behind a number end.
    fn right(&self, text: &str, offset: usize) -> usize {
        let stop = text.find([';', ':', '|', ',', '.', '\u{2014}', '\u{2192}']).unwrap_or(text.len());
        // A bracket that opens is another thought; one that closes ends this one.
        let stop = text[..stop].find(['(', ')']).unwrap_or(stop);
        let part = &text[..stop];
        let seen = self.chooser.lexicon.mentions(part);
        let mut end = 0;
        for (_, to, plain) in words_of(&seen, &self.chooser.qualifiers).into_iter().take(REACH) {
            if !plain {
                break;
            }
            end = to;
        }
        offset + end
    }
}

/// Phrases and words in the order of the text; `true` for those that are understood.
fn words_of(seen: &Seen, qualifiers: &BTreeSet<&str>) -> Vec<(usize, usize, bool)> {
    let strong = |meaning: &Meaning| matches!(meaning, Meaning::Concept(_) | Meaning::Ignored | Meaning::Total);
    let mentions = seen.mentions.iter().map(|mention| {
        // A common word that happens to be a value of some key explains nothing in a sentence.
        (mention.start, mention.end, !mention.weak || mention.meanings.iter().any(strong))
    });
    let others = seen.others.iter().map(|token| {
        let word = token.word.as_str();
        let plain = JOINTS.contains(&word) || matches!(word, "±" | "%") || qualifiers.contains(word);
        (token.start, token.end, plain)
    });
    let mut all: Vec<(usize, usize, bool)> = mentions.chain(others).collect();
    all.sort_unstable();
    all
}
