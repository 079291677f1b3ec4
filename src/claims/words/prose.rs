//! Numbers in sentences: the widest stretch of words around a number that are all understood says what it
//! is. A word that nothing explains ends the stretch, because it may change what is counted.

use std::collections::BTreeSet;

use super::choose::{Chooser, POPULATION, Reading, Unbound};
use super::lexicon::{Meaning, Seen};
use super::scene::{Level, Near, Scene};
use super::tokens::tokens;
use super::{Match, outcome};
use crate::documents::{
    Block, Number, Passage, Role, Rule, Sentence, numbers::Bound, numbers::Unit, numbers::numbers, sentences,
};

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

/// Words that begin what says of which part a number is.
const PARTS: &[&str] =
    &["in", "on", "under", "when", "if", "that", "which", "whose", "where", "without", "among", "within"];

/// Words that begin another thought.
const ENDS: &[&str] = &["and", "but", "while", "whereas", "or", "compared", "versus", "vs", "than", "so", "because"];

/// Words after a noun that restrict it.
const RESTRICTS: &[&str] = &[
    "that", "which", "whose", "where", "without", "solved", "failed", "unsolved", "flagged", "with", "for", "on",
    "under", "who", "lost", "gained", "removed", "missed", "asking", "ask", "have", "are", "were", "is", "remain",
    "carry", "need", "still", "per", "each", "at", "reach", "in", "pass", "fail", "against", "outside", "to",
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

    /// `A and B finish within 0.7 points of each other (93.1 vs 92.4)`: as many numbers in one list as names in
    /// one list before it belong together in their order.
    fn listed(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        let (first, last) = self.list_around(at)?;
        let names = self.names_before(self.all[first].start)?;
        if names.len() != last - first + 1 {
            return None;
        }
        let name = &names[at - first];
        let mut scene = Scene { strict: true, fractions: number.is_fraction(), ..Scene::default() };
        scene.levels.push(Level::new(self.chooser.lexicon, Near::Head, name));
        scene.levels.push(self.sentence.clone());
        scene.levels.extend(self.far.iter().cloned());
        Some(self.chooser.readings(&scene, number, true))
    }

    /// `A and B finish within 0.7 points of each other`: the distance of the two that are named.
    fn apart(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        let behind = self.passage.text[number.after..self.part.end].trim_start();
        let is_distance = ["of each other", "of one another", "apart"].iter().any(|words| behind.starts_with(words));
        let names = self.names_before(number.start).filter(|_| is_distance && number.unit == Unit::Points)?;
        let [first, second] = names.as_slice() else { return None };
        // What is subtracted is a share, whatever the form of the difference.
        let share = Number { unit: Unit::Percent, bound: Bound::Exact, role: Role::Value, ..number.clone() };
        let of = |name: &String| {
            let mut scene = Scene { strict: true, ..Scene::default() };
            scene.levels.push(Level::new(self.chooser.lexicon, Near::Head, name));
            scene.levels.push(self.sentence.clone());
            scene.levels.extend(self.far.iter().cloned());
            self.chooser.readings(&scene, &share, true)
        };
        let (Ok(first), Ok(second)) = (of(first), of(second)) else { return Some(Err(Unbound::NoFact)) };
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
        Some(if found.is_empty() { Err(Unbound::NoFact) } else { Ok(found) })
    }

    /// First and last of the numbers that are listed with this one, two at least, all of one form.
    fn list_around(&self, at: usize) -> Option<(usize, usize)> {
        let text = &self.passage.text;
        let joined = |left: usize| {
            let (Some(a), Some(b)) = (self.all.get(left), self.all.get(left + 1)) else { return false };
            let gap = text[a.after..b.start].trim();
            let inside = self.part.start <= a.start && b.start < self.part.end;
            let alike = a.decimals == b.decimals && (a.unit == b.unit || a.unit == Unit::None);
            let plain = [a, b].iter().all(|n| n.rule.is_none() && n.role == Role::Value);
            inside
                && alike
                && plain
                && matches!(gap, "," | "and" | ", and" | "vs" | "vs." | "/" | "\u{2192}" | "versus" | "against")
        };
        let mut first = at;
        while first.checked_sub(1).is_some_and(&joined) {
            first -= 1;
        }
        let mut last = at;
        while joined(last) {
            last += 1;
        }
        (last > first).then_some((first, last))
    }

    /// The configurations of the only list of them in front of a place.
    fn names_before(&self, end: usize) -> Option<Vec<String>> {
        let text = &self.passage.text[self.part.start..end];
        let seen = self.chooser.lexicon.mentions(text);
        let is_name = |meaning: &Meaning| matches!(meaning, Meaning::Value(key, value) if key == "model" && !value.starts_with('@'));
        let names: Vec<(usize, usize)> = seen
            .mentions
            .iter()
            .filter(|mention| mention.meanings.iter().any(is_name))
            .map(|mention| (mention.start, mention.end))
            .collect();
        let listed = |pair: &[(usize, usize)]| {
            let gap = text[pair[0].1..pair[1].0].trim();
            matches!(gap, "," | "and" | ", and" | "vs" | "versus" | "/" | "&")
        };
        (names.len() > 1 && names.windows(2).all(listed))
            .then(|| names.iter().map(|(start, end)| text[*start..*end].to_owned()).collect())
    }

    /// `hydrology (37 problems), ecology (19)`: the size of what stands in front of the bracket, where some
    /// bracket of the sentence names what is counted.
    fn appended(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
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
        let mut level = Level::new(self.chooser.lexicon, Near::Head, clause.trim_start_matches(" and").trim());
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
    fn counted(&self, at: usize) -> Option<Result<Vec<Reading>, Unbound>> {
        let number = &self.all[at];
        let text = &self.passage.text;
        let rest = &text[number.after..self.part.end];
        let stop = rest.find(['.', ',', ';', ':', '(', ')', '\u{2014}', '|']).unwrap_or(rest.len());
        let (noun, concept, adjectives) = self.chooser.noun(&rest[..stop])?;
        let behind = tokens(&rest[noun.1..]);
        // `64 problems with 290 steps` says how many steps, and leaves out no problem.
        let counted = behind.first().is_some_and(|token| COUPLES.contains(&token.word.as_str()))
            && behind.get(1).is_some_and(|token| token.word.bytes().all(|byte| byte.is_ascii_digit()));
        let after = behind.into_iter().next().filter(|_| !counted);
        let glued = rest[noun.1..].starts_with([')', '(', ',', '.', ';', ':']) || rest[noun.1..].is_empty();
        if !glued && after.is_some_and(|token| RESTRICTS.contains(&token.word.as_str())) {
            return Some(Err(Unbound::Restricted));
        }
        let lead = tokens(&text[self.part.start..number.start]);
        let last = lead.last().map(|token| token.word.as_str());
        let before_last = lead.len().checked_sub(2).map(|at| lead[at].word.as_str());
        let whole = last.is_some_and(|word| WHOLE.contains(&word))
            || (matches!(last, Some("of" | "into" | "over" | "across" | "from"))
                && before_last.is_some_and(|word| COMPOSED.contains(&word)));
        let composed = last.is_some_and(|word| COMPOSED.contains(&word));
        let coupled = self.is_coupled(at);
        if !(composed || coupled || whole && adjectives == 0) {
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
        let mut level = Level::new(self.chooser.lexicon, Near::Head, &format!("{subject} {told}"));
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
