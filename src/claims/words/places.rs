//! Where the claims of a ledger stand in documents: byte, length and sentence of every printed number.
//!
//! A claim that was found by its words knows its place. For a claim of an author the number must be printed
//! like it, must be no section, year or quantity, and must stand in the claim's own sentence or cell: one that
//! is bound to the very fact that the claim rests on, or one whose words are the claim's. Where that leaves
//! two claims of different verdicts with equal right to one number, neither is placed there.

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::{Lexicon, Meaning};
use super::tokens::words;
use super::{Found, Match, Site, index::Index, vocabulary::Vocabulary};
use crate::claims::Sources;
use crate::claims::judgement::{Judgement, Judgements, Part, Spot};
use crate::claims::ledger::Shape;
use crate::documents::Lines;

/// Words that stand everywhere and tell no sentence from another.
const COMMON: &[&str] = &[
    "all", "and", "are", "between", "both", "but", "each", "every", "for", "from", "has", "have", "its", "not", "many",
    "number", "one", "only", "other", "over", "percent", "point", "same", "than", "that", "the", "their", "then",
    "these", "they", "this", "two", "under", "was", "were", "which", "with", "without", "value", "table",
];

/// Weight of a number that is bound to the very fact of the claim, against one shared word.
const SAME_FACT: usize = 1000;

/// Adds to every claim its places in documents, given by their paths and texts and all their numbers.
///
/// # Errors
/// When a built-in vocabulary cannot be read, which is a mistake of this tool.
pub fn add_places(
    judgements: &mut Judgements,
    documents: &[(String, String)],
    found: &[Found],
    sources: &Sources<'_>,
) -> Result<(), String> {
    if documents.is_empty() {
        return Ok(());
    }
    let lines: BTreeMap<&str, Lines> = documents.iter().map(|(path, text)| (path.as_str(), Lines::of(text))).collect();
    let texts: Vec<&str> = documents.iter().map(|(_, text)| text.as_str()).collect();
    let documents: Vec<&str> = documents.iter().map(|(path, _)| path.as_str()).collect();
    let lexicon = Lexicon::new(sources.study, &Vocabulary::new(&sources.words)?, &Index::new(sources.facts));
    let around: Vec<Around<'_>> = found.iter().map(|number| Around::of(number, &lexicon)).collect();
    let mut by_print: BTreeMap<(&str, String), Vec<&Around<'_>>> = BTreeMap::new();
    for number in around.iter().filter(|around| !matches!(around.number.outcome, Match::NoClaim(_))) {
        by_print.entry((&number.number.file, number.print.clone())).or_default().push(number);
    }
    let stands = |number: &Found| {
        let text = documents.iter().zip(&texts).find(|(path, _)| **path == number.file).map(|(_, text)| *text);
        // What a command or another file brought stands nowhere in this one.
        text.and_then(|text| text.get(number.place..number.place + number.number.text.len()))
            == Some(number.number.text.as_str())
    };
    // Every number with the claims that have a right to it.
    let mut rights: BTreeMap<(&str, usize), Vec<(usize, usize, Placed<'_>)>> = BTreeMap::new();
    for (at, claim) in judgements.claims.iter().enumerate() {
        for placed in places_of(claim, &documents, &by_print, found).into_iter().filter(|placed| stands(placed.number))
        {
            let key = (placed.number.file.as_str(), placed.number.place);
            rights.entry(key).or_default().push((at, placed.weight, placed));
        }
    }
    let mut spots: BTreeMap<usize, Vec<Spot>> = BTreeMap::new();
    for all in rights.into_values() {
        let most = all.iter().map(|(_, weight, _)| *weight).max().unwrap_or(0);
        let best: Vec<_> = all.iter().filter(|(_, weight, _)| *weight == most).collect();
        let verdict = |(at, _, placed): &&(usize, usize, Placed<'_>)| judgements.claims[*at].parts[placed.part].verdict;
        let agreed = best.iter().all(|one| verdict(one) == verdict(&best[0]));
        for (at, _, placed) in best.into_iter().filter(|_| agreed) {
            let line = lines.get(placed.number.file.as_str()).map_or(1, |lines| lines.at(placed.number.place));
            spots.entry(*at).or_default().push(placed.spot(line));
        }
    }
    for (at, claim) in judgements.claims.iter().enumerate() {
        // A sentence stands where it was read; it has no number of its own.
        let own = claim.found.as_ref().filter(|_| !spots.contains_key(&at) && claim.shape == Shape::Holds);
        let Some((own, lines)) = own.and_then(|own| Some((own, lines.get(own.document.as_str())?))) else { continue };
        let (document, text) = (own.document.clone(), claim.statement.clone());
        let spot = Spot { document, line: lines.at(own.byte), byte: own.byte, length: own.length, part: 0, text };
        spots.entry(at).or_default().push(spot);
    }
    for (at, mut list) in spots {
        list.sort();
        list.dedup();
        judgements.claims[at].places = list;
    }
    Ok(())
}

/// A number with what stands around it.
struct Around<'f> {
    number: &'f Found,
    print: String,
    /// Values of keys that are named around it.
    names: BTreeSet<(String, String)>,
    words: BTreeSet<String>,
}

impl<'f> Around<'f> {
    fn of(number: &'f Found, lexicon: &Lexicon) -> Self {
        let own = match &number.site {
            Site::Sentence(sentence) => sentence.clone(),
            Site::Cell { row_head, column_head, .. } => format!("{row_head}; {column_head}"),
        };
        let heading = number.headings.last().map_or("", String::as_str);
        let text = match &number.site {
            Site::Sentence(_) => own.clone(),
            Site::Cell { .. } => format!("{own}; {heading}"),
        };
        let mentions = lexicon.mentions(&format!("{own}; {heading}")).mentions;
        let names = mentions.into_iter().flat_map(|mention| mention.meanings).filter_map(|meaning| match meaning {
            Meaning::Value(key, value) => Some((key, value)),
            _ => None,
        });
        Self {
            number,
            print: print(&number.number.text, number.number.value),
            names: names.collect(),
            words: telling(&text),
        }
    }
}

/// A print in a form in which prints are compared: `1,308` is `1308`, `three` is `3`, a plus says nothing.
fn print(text: &str, value: f64) -> String {
    if text.chars().all(char::is_alphabetic) {
        return crate::number::repr(value).trim_end_matches(".0").to_owned();
    }
    let text = text.trim().replace(['\u{2212}', '\u{2013}'], "-").replace(',', "");
    text.trim_start_matches('+').trim_end_matches(['%', ' ']).to_owned()
}

/// Words that tell one sentence from another.
fn telling(text: &str) -> BTreeSet<String> {
    let is_telling = |word: &String| {
        word.chars().count() > 2 && !COMMON.contains(&word.as_str()) && !word.bytes().all(|byte| byte.is_ascii_digit())
    };
    words(text).into_iter().filter(is_telling).collect()
}

/// A place for one number of a claim.
struct Placed<'f> {
    number: &'f Found,
    part: usize,
    weight: usize,
}

impl Placed<'_> {
    fn spot(&self, line: usize) -> Spot {
        Spot {
            document: self.number.file.clone(),
            line,
            byte: self.number.place,
            length: self.number.number.text.len(),
            part: self.part,
            text: super::write::statement(self.number),
        }
    }
}

/// The places of a claim: those of the sentence or row that fits it best.
fn places_of<'f>(
    claim: &Judgement,
    documents: &[&str],
    by_print: &BTreeMap<(&str, String), Vec<&Around<'f>>>,
    found: &'f [Found],
) -> Vec<Placed<'f>> {
    if let Some(own) = &claim.found {
        let here = |number: &&Found| number.file == own.document && number.place == own.byte;
        let number = found.iter().find(here);
        return number.map(|number| Placed { number, part: 0, weight: 2 * SAME_FACT }).into_iter().collect();
    }
    let statement = telling(&claim.statement);
    let mut all = Vec::new();
    for document in named(claim, documents) {
        let mut sites: BTreeMap<Stand<'f>, Vec<Placed<'f>>> = BTreeMap::new();
        for (at, part) in claim.parts.iter().enumerate() {
            let key = (document, print(&part.printed, part.value.unwrap_or(0.0)));
            for around in by_print.get(&key).into_iter().flatten() {
                let Some(weight) = fit(claim, part, around, &statement) else { continue };
                let placed = Placed { number: around.number, part: at, weight };
                sites.entry(Stand::of(around.number)).or_default().push(placed);
            }
        }
        // A single digit is printed everywhere: it needs its fact, or all its companions around it.
        sites.retain(|_, list| {
            let parts: BTreeSet<usize> = list.iter().map(|placed| placed.part).collect();
            let whole = claim.parts.len() > 1 && parts.len() == claim.parts.len();
            list.retain(|placed| {
                whole || placed.weight >= SAME_FACT || claim.parts[placed.part].printed.trim().len() > 1
            });
            !list.is_empty()
        });
        let grade = |list: &Vec<Placed<'_>>| {
            let parts: BTreeSet<usize> = list.iter().map(|placed| placed.part).collect();
            (parts.len(), list.iter().map(|placed| placed.weight).max().unwrap_or(0))
        };
        let Some(best) = sites.values().map(grade).max() else { continue };
        // A number may be printed several times; what is bound to the very fact stands wherever it does.
        let is_fact = |list: &Vec<Placed<'_>>| list.iter().all(|placed| placed.weight >= SAME_FACT);
        all.extend(sites.into_values().filter(|list| grade(list) == best || is_fact(list)).flatten());
    }
    all
}

/// A sentence, or a row of a table.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Stand<'f> {
    Sentence(&'f str),
    Row(usize, usize),
}

impl<'f> Stand<'f> {
    fn of(number: &'f Found) -> Self {
        match &number.site {
            Site::Sentence(text) => Self::Sentence(text),
            Site::Cell { table, row, .. } => Self::Row(*table, *row),
        }
    }
}

/// How well a number fits a part of a claim; `None` where it is not the claim's.
fn fit(claim: &Judgement, part: &Part, around: &Around<'_>, statement: &BTreeSet<String>) -> Option<usize> {
    let shared = statement.intersection(&around.words).count();
    if let Match::Bound(readings) = &around.number.outcome {
        let own = &readings[0];
        let is_fact = claim
            .links
            .iter()
            .any(|link| link.source == own.statistic && link.measure == own.measure && link.keys == own.keys);
        if is_fact && own.value == part.value {
            return Some(SAME_FACT + shared);
        }
        if own.value.is_some() && part.value.is_some() && own.value != part.value {
            return None;
        }
    }
    let keys = match claim.links.as_slice() {
        [only] if claim.keys.is_empty() => &only.keys,
        _ => &claim.keys,
    };
    for (key, value) in keys {
        let named = around.names.contains(&(key.clone(), value.clone()));
        let another = around.names.iter().any(|(other, _)| other == key);
        if !named && (another || key == "model") {
            return None;
        }
    }
    let enough = shared >= 2 && 3 * shared >= statement.len().min(around.words.len());
    (enough || shared > 0 && shared == statement.len()).then_some(shared)
}

/// Documents that a claim names: by their path, or by their name where one document alone has it.
pub fn named<'d>(claim: &Judgement, documents: &[&'d str]) -> Vec<&'d str> {
    let places = || std::iter::once(&claim.source).chain(&claim.also);
    let is_named = |path: &str| {
        let file = file_of(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let alone = |same: &dyn Fn(&str) -> bool| documents.iter().filter(|other| same(other)).count() == 1;
        places().any(|place| {
            let mut words = place.split([' ', ',', ';', '(', ')']);
            words.clone().any(|word| {
                word == path
                    || word == file && alone(&|other| file_of(other) == file)
                    || word.contains('/')
                        && path.ends_with(&format!("/{word}"))
                        && alone(&|other| other == word || other.ends_with(&format!("/{word}")))
            }) || words.next() == Some(stem)
                && alone(&|other| file_of(other).rsplit_once('.').is_some_and(|(other, _)| other == stem))
        })
    };
    documents.iter().copied().filter(|path| is_named(path)).collect()
}

fn file_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
