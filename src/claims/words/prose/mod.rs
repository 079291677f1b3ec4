//! Numbers in sentences: the widest stretch of words around a number that are all understood says what it
//! is. A word that nothing explains ends the stretch, because it may change what is counted.

mod carried;
mod counts;
mod differences;
mod guards;
mod lists;

use std::collections::BTreeSet;

use super::choose::Chooser;
use super::lexicon::{Meaning, Seen};
use super::reading::{Reading, Unbound};
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
    "answer",
    "answered",
    "correct",
    "correctly",
    "question",
    "item",
    "task",
    "instance",
    "issue",
    "rise",
    "climb",
    "drop",
    "fall",
    "reaching",
    "achieving",
    "attaining",
    "obtaining",
    "scoring",
    "yield",
    "manage",
    "sample",
    "attempt",
];

/// Words that begin what says of which part a number is.
const PARTS: &[&str] =
    &["in", "on", "under", "when", "if", "that", "which", "whose", "where", "without", "among", "within"];

/// Words that begin another thought.
pub(super) const ENDS: &[&str] =
    &["and", "but", "while", "whereas", "or", "compared", "versus", "vs", "than", "so", "because"];

/// Words that bring in another configuration.
const CONTRASTS: &[&str] = &[
    "unlike",
    "compared",
    "comparison",
    "contrast",
    "than",
    "versus",
    "vs",
    "over",
    "against",
    "behind",
    "ahead",
    "relative",
    "beat",
    "outperform",
    "trail",
    "lead",
];

/// Where a paragraph stands.
pub(super) struct Scope<'a> {
    pub(super) block: &'a Block,
    /// The id that the section is about.
    pub(super) subject: Option<&'a str>,
    /// Head of its row, for a paragraph in a cell of a table.
    pub(super) row: Option<&'a str>,
}

impl Scope<'_> {
    fn levels(&self, chooser: &Chooser<'_>) -> Vec<Level> {
        let new = |near: Near, text: &str| Level::new(chooser.lexicon, near, text);
        let headings = self.block.headings.iter().rev().map(String::as_str);
        let mut levels: Vec<Level> = self.row.map(|row| new(Near::Caption, row)).into_iter().collect();
        levels.extend(self.subject.into_iter().chain(headings).map(|text| new(Near::Far, text)));
        levels.iter_mut().for_each(|level| chooser.add_ids(level));
        levels
    }
}

/// All numbers of a paragraph with their sentence.
pub(super) fn bind(chooser: &Chooser<'_>, scope: &Scope<'_>, passage: &Passage) -> Vec<(Number, String, Match)> {
    let parts = sentences(&passage.text);
    let mut all = numbers(passage);
    let named = chooser.lexicon.mentions(&passage.text);
    for number in &mut all {
        // `ask for two or more`, `pass@3`: a number inside a phrase belongs to it.
        let inside = named.mentions.iter().any(|mention| {
            mention.length > 1 && !mention.weak && mention.start <= number.start && number.end <= mention.end
        });
        // `passes 3/3` is no `pass@3`.
        if inside && !matches!(number.role, Role::Count(_) | Role::OutOf(_)) {
            number.rule.get_or_insert(Rule::Name);
        }
    }
    let all = all;
    let far = scope.levels(chooser);
    let mut found: Vec<Result<Vec<Reading>, Unbound>> = Vec::with_capacity(all.len());
    let mut counted: Vec<bool> = Vec::with_capacity(all.len());
    let mut told: Option<(usize, Level)> = None;
    for (at, number) in all.iter().enumerate() {
        let part = parts.iter().find(|part| part.start <= number.start && number.start < part.end);
        if passage.rows {
            found.push(Err(Unbound::NotANumber));
            counted.push(false);
            continue;
        }
        let (None, Some(part)) = (number.rule, part) else {
            found.push(Err(Unbound::NoConcept));
            counted.push(false);
            continue;
        };
        if told.as_ref().is_none_or(|(start, _)| *start != part.start) {
            let text = &passage.text[part.start..part.end];
            let mut level = Level::of_sentence(chooser, Near::Caption, text);
            chooser.add_ids(&mut level);
            told = Some((part.start, level));
        }
        let Some((_, sentence)) = &told else { continue };
        let reader = Reader { chooser, passage, all: &all, part: *part, sentence, far: &far, counted: &counted };
        let (readings, is_count) = reader.read(at, &found);
        found.push(readings);
        counted.push(is_count);
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
    /// Which of the numbers before are counts of a whole.
    counted: &'a [bool],
}

impl Reader<'_> {
    /// Readings of a number, and whether it counts a whole.
    fn read(&self, at: usize, found: &[Result<Vec<Reading>, Unbound>]) -> (Result<Vec<Reading>, Unbound>, bool) {
        let number = &self.all[at];
        match number.role {
            Role::Spread(of) => return (self.chooser.sibling(found.get(of), &["sd"]), false),
            // Of a count only the total is a count of everything.
            Role::OutOf(of) if found.get(of).is_some_and(Result::is_ok) => {
                return (self.chooser.total_of(found.get(of)), false);
            }
            _ => {}
        }
        // The total of a count that is not known says nothing of the only set: `2 of the 3 tasks of the pilot`.
        if let Role::OutOf(of) = number.role
            && found.get(of).is_some_and(Result::is_err)
            && self.chooser.study.sets.len() == 1
        {
            return (Err(Unbound::Restricted), false);
        }
        if let Some(readings) = self.behind_count(at, found).or_else(|| self.behind_share(at, found)) {
            return (Ok(readings), false);
        }
        if number.is_whole()
            && number.unit == Unit::None
            && !matches!(number.role, Role::Count(_) | Role::Low(_) | Role::High(_))
        {
            if let Some(Ok(readings)) = self.counted(at) {
                return (Ok(readings), true);
            }
            if let Some(Ok(readings)) = self.appended(at) {
                return (Ok(readings), false);
            }
        }
        if let Some(readings) = self.listed(at).or_else(|| self.apart(at)).or_else(|| self.difference(at)) {
            return (readings, false);
        }
        let readings = self.of_total(at, self.stretch(at));
        let carried = if readings.is_err() { self.carried(at, found) } else { None };
        (carried.map_or(readings, Ok), false)
    }

    /// Of `k of n` what is out of as many: another total says that something else is counted.
    fn of_total(&self, at: usize, readings: Result<Vec<Reading>, Unbound>) -> Result<Vec<Reading>, Unbound> {
        let Role::Count(total) = self.all[at].role else { return readings };
        let told = self.all[total].value;
        let fits =
            |reading: &Reading| self.chooser.counted(reading).is_none_or(|(_, of)| (of as f64 - told).abs() < 0.5);
        let kept: Vec<Reading> = readings?.into_iter().filter(fits).collect();
        if kept.is_empty() { Err(Unbound::Restricted) } else { Ok(kept) }
    }

    /// The widest stretch of understood words around the number.
    fn stretch(&self, at: usize) -> Result<Vec<Reading>, Unbound> {
        let number = &self.all[at];
        // Both ends of a range are said by the words around the whole.
        let at = match number.role {
            Role::High(low) => low,
            _ => at,
        };
        let text = &self.passage.text;
        let own = &self.all[at];
        // Numbers of names and references part nothing.
        let parts = |other: &&Number| !matches!(other.rule, Some(Rule::Name | Rule::Reference));
        // What is said of `k of n` stands behind the whole.
        let end = match own.role {
            Role::Low(other) | Role::Count(other) => &self.all[other],
            _ => own,
        };
        // `(249 of 500)`: the words stand outside the brackets.
        let enclosed =
            text[..own.start].ends_with('(') && text[end.after..].starts_with(')') && own.role != Role::Value;
        let (begin, after) = if enclosed { (own.start - 1, end.after + 1) } else { (own.start, end.after) };
        let before = self.all[..at].iter().rev().find(parts);
        let floor = before.map_or(self.part.start, |number| number.after.max(self.part.start));
        let next = self.all.iter().filter(|next| next.start >= after).find(parts);
        let roof = next.map_or(self.part.end, |next| next.start.min(self.part.end));
        let mut left = self.left(&text[floor..begin], floor);
        let right = self.before_other_subject(left, begin, after, self.right(&text[after..roof], after));
        if self.is_restricted(after, right) || self.is_changed(left, begin, own.unit == Unit::Points) {
            return Err(Unbound::Restricted);
        }
        let opening = self.opening(left).ok_or(Unbound::Restricted)?;
        let mut behind = text[after..right].to_owned();
        if let Some(more) = self.past_share(at, roof).or_else(|| self.past_bracket(after)) {
            behind.push(' ');
            behind.push_str(more);
        }
        // What follows a number says what it is before what was said of the one in front.
        if self.names_concept(&behind) {
            let joint = text[left..begin].rfind([',']).or_else(|| text[left..begin].rfind(" and "));
            left = joint.map_or(left, |at| left + at + 1);
        }
        let told = format!("{opening} {} {behind}", &text[left..begin]);
        let mut level = Level::of_sentence(self.chooser, Near::Head, &told);
        self.chooser.add_ids(&mut level);
        let has = |test: &dyn Fn(&Meaning) -> bool| level.seen.mentions.iter().flat_map(|m| &m.meanings).any(test);
        let concept = has(&|meaning| matches!(meaning, Meaning::Concept(_)));
        let model = has(&|meaning| matches!(meaning, Meaning::Value(key, _) if key == "model"));
        if !(concept || model && number.unit == Unit::Percent) {
            return Err(Unbound::NoConcept);
        }
        let noun =
            self.chooser.noun(&text[after..roof]).filter(|(range, ..)| text[after..][..range.0].trim().is_empty());
        let counted = matches!(number.role, Role::Count(_)) || noun.is_some();
        let mut scene = Scene { strict: true, fractions: number.is_fraction(), counted, ..Scene::default() };
        let foreign = !model && self.names_another(own.start);
        scene.levels.push(level);
        scene.levels.push(self.sentence.cut(self.thought(right), foreign));
        scene.levels.extend(self.far.iter().cloned());
        let readings = self.chooser.readings(&scene, number, true)?;
        let all: Vec<Reading> = readings.into_iter().filter(|reading| self.is_everyone(reading, right)).collect();
        if all.is_empty() { Err(Unbound::Restricted) } else { Ok(all) }
    }

    /// `A solves 61% and B solves 52%`: where a configuration stands in front of a number, what follows `and` with
    /// another one is said of the next.
    fn before_other_subject(&self, left: usize, begin: usize, after: usize, right: usize) -> usize {
        let text = &self.passage.text;
        let names = |text: &str| -> Vec<usize> {
            let seen = self.chooser.seen_in_sentence(text);
            let is_name = |m: &Meaning| matches!(m, Meaning::Value(key, _) if key == "model");
            seen.mentions.iter().filter(|own| own.meanings.iter().any(is_name)).map(|own| own.start).collect()
        };
        if names(&text[left..begin]).is_empty() {
            return right;
        }
        let behind = &text[after..right];
        let other = names(behind).first().copied();
        let joint = other.and_then(|at| behind[..at].rfind("and "));
        joint.map_or(right, |at| after + behind[..at].trim_end().len())
    }

    /// `solved by all four configurations` speaks of all only where there are four.
    fn is_everyone(&self, reading: &Reading, right: usize) -> bool {
        if reading.statistic != "solved-by-n" {
            return true;
        }
        let text = &self.passage.text;
        let next = self.all.iter().find(|number| number.start >= right && text[right..number.start].trim().is_empty());
        let keys = &reading.keys;
        let of = self.chooser.index.measure("accuracy-spread", "configurations").and_then(|measure| measure.get(keys));
        let count = of.and_then(|fact| fact.estimate.point());
        next.is_none_or(|number| count.is_none_or(|count| (count - number.value).abs() < 0.5))
    }

    /// `21.2% (106/500) for B`: what follows the bracket behind a number.
    fn past_bracket(&self, after: usize) -> Option<&str> {
        let text = &self.passage.text;
        let rest = text.get(after..self.part.end)?;
        let inside = rest.trim_start().strip_prefix('(')?;
        let close = inside.find(')')?;
        let start = self.part.end - inside.len() + close + 1;
        let more = text.get(start..self.part.end)?;
        let leads =
            tokens(more).first().is_some_and(|token| matches!(token.word.as_str(), "for" | "by" | "of" | "with"));
        if !leads || close > 40 || !inside[..close].contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let next = self.all.iter().find(|next| next.start >= start && next.rule.is_none());
        let roof = next.map_or(self.part.end, |next| next.start.min(self.part.end));
        text.get(start..self.right(text.get(start..roof)?, start))
    }

    /// Where the thought ends that goes on at a byte of the passage, as a byte of the sentence.
    fn thought(&self, from: usize) -> usize {
        let rest = &self.passage.text[from..self.part.end];
        let stops = [", ", "; ", ": ", " while ", " whereas ", " but ", " than "];
        let end = stops.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
        from + end - self.part.start
    }

    /// True where what stands in front of a number compares, so that the name there may be the other one.
    fn names_another(&self, start: usize) -> bool {
        let before = tokens(&self.passage.text[self.part.start..start]);
        before.iter().any(|token| CONTRASTS.contains(&token.word.as_str()))
    }

    /// True where what is understood behind a number goes on, in the same clause, with a word that says of what
    /// part it is: `83.3% of the problems in at least one run`.
    fn is_restricted(&self, from: usize, right: usize) -> bool {
        let text = &self.passage.text;
        let rest = &text[right..self.part.end];
        let clause = rest.find(['.', ',', ';', ':', '(', ')', '\u{2014}', '|']).unwrap_or(rest.len());
        let understood = tokens(&text[from..right]);
        let is_part = |word: &str| PARTS.contains(&word);
        let last = understood.iter().rev().take(2).any(|token| is_part(&token.word));
        let next = tokens(&rest[..clause]).into_iter().next();
        next.is_some_and(|token| {
            let goes_on = !ENDS.contains(&token.word.as_str());
            is_part(&token.word) || goes_on && (last || self.is_led_on(from, right, &token.word))
        })
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
        let part = |next: &&Number| !matches!(next.rule, Some(Rule::Name | Rule::Reference));
        let next = self.all.iter().skip(at + 2).find(part).map_or(self.part.end, |next| next.start.min(self.part.end));
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
        // A colon right in front of a number follows its label.
        let label = text.trim_end();
        let label = label.strip_suffix(':').unwrap_or(label);
        let cut = label
            .rfind([';', ':', '|', '\u{2014}', '\u{2192}'])
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let part = &text[cut..];
        let seen = self.chooser.seen_in_sentence(part);
        let mut start = part.len();
        let mut after = part.len();
        for (from, to, plain) in words_of(&seen, &self.chooser.qualifiers).into_iter().rev().take(REACH) {
            // A bracket that closes between two words ends another thought.
            let gap = part.get(to..after).unwrap_or("");
            let closed = gap.contains(')') && !gap.trim_end().ends_with('(') && after < part.len();
            if !plain || closed && !self.is_qualifier(&part[..to]) {
                break;
            }
            start = from;
            after = from;
        }
        offset + cut + start
    }

    /// True for a text that ends in a bracket which only qualifies the name in front of it.
    fn is_qualifier(&self, text: &str) -> bool {
        let inside = text.rsplit('(').next().unwrap_or("");
        let list = tokens(inside);
        let known = |word: &str| self.chooser.qualifiers.contains(word) || matches!(word, "non" | "no");
        text.contains('(') && !list.is_empty() && list.iter().all(|token| known(&token.word))
    }

    /// Where the understood words behind a number end.
    fn right(&self, text: &str, offset: usize) -> usize {
        let stop = text.find([';', ':', '|', ',', '.', '\u{2014}', '\u{2192}']).unwrap_or(text.len());
        // A bracket that opens is another thought; one that closes ends this one.
        let stop = text[..stop].find(['(', ')']).unwrap_or(stop);
        let part = &text[..stop];
        let seen = self.chooser.seen_in_sentence(part);
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
        // A common word that happens to be a value of some key explains nothing in a sentence, unless it is a noun
        // for what every set is made of.
        let plain = !mention.weak || mention.meanings.iter().any(strong) || mention.is_noun;
        (mention.start, mention.end, plain)
    });
    let others = seen.others.iter().enumerate().map(|(at, token)| {
        let word = token.word.as_str();
        // `without reasoning` is said of the configuration.
        let qualifies = matches!(word, "with" | "without")
            && seen
                .others
                .get(at + 1)
                .is_some_and(|next| qualifiers.contains(next.word.as_str()) && next.start == token.end + 1);
        let plain = JOINTS.contains(&word) || matches!(word, "±" | "%" | "non") || qualifiers.contains(word);
        (token.start, token.end, plain || qualifies)
    });
    let mut all: Vec<(usize, usize, bool)> = mentions.chain(others).collect();
    all.sort_unstable();
    all
}
