//! Numbers in sentences: the widest stretch of words around a number that are all understood says what it
//! is. A word that nothing explains ends the stretch, because it may change what is counted.

mod counts;
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
];

/// Words that begin what says of which part a number is.
const PARTS: &[&str] =
    &["in", "on", "under", "when", "if", "that", "which", "whose", "where", "without", "among", "within"];

/// Words that begin another thought.
const ENDS: &[&str] = &["and", "but", "while", "whereas", "or", "compared", "versus", "vs", "than", "so", "because"];

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
        let (None, Some(part)) = (number.rule, part) else {
            found.push(Err(Unbound::NoConcept));
            counted.push(false);
            continue;
        };
        if told.as_ref().is_none_or(|(start, _)| *start != part.start) {
            let text = &passage.text[part.start..part.end];
            let mut level = Level::new(chooser.lexicon, Near::Caption, text);
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
        if let Some(readings) = self.behind_count(at, found) {
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
        if let Some(readings) = self.listed(at).or_else(|| self.apart(at)) {
            return (readings, false);
        }
        (self.stretch(at), false)
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
        let end = match own.role {
            Role::Low(high) => &self.all[high],
            _ => own,
        };
        let before = self.all[..at].iter().rev().find(parts);
        let floor = before.map_or(self.part.start, |number| number.after.max(self.part.start));
        let next = self.all.iter().filter(|next| next.start >= end.after).find(parts);
        let roof = next.map_or(self.part.end, |next| next.start.min(self.part.end));
        let mut left = self.left(&text[floor..own.start], floor);
        let right = self.right(&text[end.after..roof], end.after);
        if self.is_restricted(end.after, right) {
            return Err(Unbound::Restricted);
        }
        let mut behind = text[end.after..right].to_owned();
        if let Some(more) = self.past_share(at, roof) {
            behind.push(' ');
            behind.push_str(more);
        }
        // What follows a number says what it is before what was said of the one in front.
        if self.names_concept(&behind) {
            let joint = text[left..own.start].rfind([',']).or_else(|| text[left..own.start].rfind(" and "));
            left = joint.map_or(left, |at| left + at + 1);
        }
        let told = format!("{} {behind}", &text[left..own.start]);
        let mut level = Level::new(self.chooser.lexicon, Near::Head, &told);
        self.chooser.add_ids(&mut level);
        let has = |test: &dyn Fn(&Meaning) -> bool| level.seen.mentions.iter().flat_map(|m| &m.meanings).any(test);
        let concept = has(&|meaning| matches!(meaning, Meaning::Concept(_)));
        let model = has(&|meaning| matches!(meaning, Meaning::Value(key, _) if key == "model"));
        if !(concept || model && number.unit == Unit::Percent) {
            return Err(Unbound::NoConcept);
        }
        let mut scene = Scene { strict: true, fractions: number.is_fraction(), ..Scene::default() };
        scene.levels.push(level);
        scene.levels.push(self.sentence.clone());
        scene.levels.extend(self.far.iter().cloned());
        self.chooser.readings(&scene, number, true)
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
        next.is_some_and(|token| is_part(&token.word) || last && !ENDS.contains(&token.word.as_str()))
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
        let seen = self.chooser.lexicon.mentions(part);
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
        let plain = JOINTS.contains(&word) || matches!(word, "±" | "%" | "non") || qualifiers.contains(word);
        (token.start, token.end, plain)
    });
    let mut all: Vec<(usize, usize, bool)> = mentions.chain(others).collect();
    all.sort_unstable();
    all
}
