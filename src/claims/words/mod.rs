//! Numbers of documents bound to facts by their words.
//!
//! The candidates are the facts; the words around a printed number (the heads of its row and column, its
//! caption and headings, its clause) say which of them it is. The value never takes part: a wrong number
//! could not be found otherwise. What decided is kept with each binding; where the words allow several
//! facts equally well the number stays ambiguous, with all readings and their values.

mod cells;
mod choose;
mod hints;
mod index;
mod keys;
mod lexicon;
mod names;
mod places;
mod prose;
mod published;
mod reading;
mod scene;
mod sentence;
mod statements;
mod superlative;
mod tokens;
mod vocabulary;
mod whole;
mod write;

use std::collections::BTreeMap;

use super::sources::Sources;
use crate::documents::{Body, Document, Number, Rule, numbers::numbers};
use choose::Chooser;
pub use hints::add as add_hints;
use index::Index;
use lexicon::Lexicon;
pub use places::{add_places, named};
use published::Published;
pub use reading::{Reading, Unbound};
pub use statements::Stated;
use vocabulary::Vocabulary;
pub use vocabulary::check_words;
pub use write::{equals, statement, to_ledger, with_statements};

/// A number of a document and what its words say about it.
#[derive(Debug, Clone)]
pub struct Found {
    /// Document.
    pub file: String,
    /// Byte in the file.
    pub place: usize,
    /// The number.
    pub number: Number,
    /// Where it stands.
    pub site: Site,
    /// Headings above it.
    pub headings: Vec<String>,
    /// What it is.
    pub outcome: Match,
}

/// Where a number stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Site {
    /// In a sentence.
    Sentence(String),
    /// In a cell of a table: number of the table in the document, row, heads of row and column.
    Cell {
        /// Number of the table in the document, from 1.
        table: usize,
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// Head of the row.
        row_head: String,
        /// Head of the column.
        column_head: String,
    },
}

/// What a number is.
#[derive(Debug, Clone)]
pub enum Match {
    /// No claim, by this rule.
    NoClaim(Rule),
    /// Bound to the first reading; the others fit less.
    Bound(Vec<Reading>),
    /// Several readings fit equally well.
    Ambiguous(Vec<Reading>),
    /// Not bound.
    Unbound(Unbound),
}

/// Binds every number of documents.
///
/// # Errors
/// When a built-in vocabulary cannot be read, which is a mistake of this tool.
pub fn bind(documents: &[Document], sources: &Sources<'_>) -> Result<Vec<Found>, String> {
    if documents.is_empty() {
        return nothing_to_read(sources);
    }
    with_chooser(sources, |chooser| documents.iter().flat_map(|document| of_document(chooser, document)).collect())
}

/// Reads the statements of documents whose words are plain, and those that may mean several things.
///
/// # Errors
/// As [`bind`].
pub fn statements(documents: &[Document], sources: &Sources<'_>) -> Result<Vec<Stated>, String> {
    if documents.is_empty() {
        return nothing_to_read(sources);
    }
    with_chooser(sources, |chooser| documents.iter().flat_map(|own| statements::of_document(chooser, own)).collect())
}

/// Nothing, without the index of the words of all facts; words that cannot be used are told all the same.
fn nothing_to_read<T>(sources: &Sources<'_>) -> Result<Vec<T>, String> {
    Vocabulary::new(&sources.words).map(|_| Vec::new())
}

fn with_chooser<T>(sources: &Sources<'_>, read: impl FnOnce(&Chooser<'_>) -> T) -> Result<T, String> {
    let vocabulary = Vocabulary::new(&sources.words)?;
    let index = Index::new(sources.facts);
    let lexicon = Lexicon::new(sources.study, &vocabulary, &index);
    let qualifiers = lexicon.qualifiers();
    let published = Published::new(sources);
    let mut defaults = BTreeMap::new();
    if let Some(experiment) = sources.study.experiments.first() {
        defaults.insert("set".to_owned(), experiment.set.as_str().to_owned());
        defaults.insert("protocol".to_owned(), experiment.protocol().to_owned());
    }
    // A study that says which of its experiments is the main one says what stands where nothing else is named.
    for experiment in sources.study.experiments.iter().filter(|experiment| experiment.main) {
        defaults.insert("set".to_owned(), experiment.set.as_str().to_owned());
        defaults.extend(experiment.labels.iter().map(|(label, value)| (label.clone(), value.clone())));
    }
    let chooser = Chooser {
        study: sources.study,
        vocabulary: &vocabulary,
        lexicon: &lexicon,
        index: &index,
        defaults,
        qualifiers,
        published: &published,
    };
    Ok(read(&chooser))
}

fn of_document(chooser: &Chooser<'_>, document: &Document) -> Vec<Found> {
    let mut found = Vec::new();
    let mut before: Option<&str> = None;
    let mut subject: Option<String> = None;
    let mut tables = 0;
    for block in &document.blocks {
        match &block.body {
            Body::Heading(passage) => {
                before = None;
                subject = None;
                // Numbers of a heading are no claims of their own; they are kept for the account.
                for number in numbers(passage) {
                    let outcome = number.rule.map_or(Match::Unbound(Unbound::NoConcept), Match::NoClaim);
                    let site = Site::Sentence(passage.text.clone());
                    found.push(new(document, block, number, site, outcome));
                }
            }
            Body::Paragraph(passage) => {
                // A paragraph that begins with an id says what its section is about.
                if let Some(id) = chooser.leading_id(passage) {
                    subject = Some(id);
                }
                let scope = prose::Scope { block, subject: subject.as_deref(), row: None };
                for (number, sentence, outcome) in prose::bind(chooser, &scope, passage) {
                    found.push(new(document, block, number, Site::Sentence(sentence), outcome));
                }
                before = Some(&passage.text);
            }
            Body::Table(table) => {
                tables += 1;
                let place = cells::Place { block, before, subject: subject.as_deref(), file: &document.file };
                for cell in cells::bind(chooser, &place, table) {
                    let head = |passage: Option<&crate::documents::Passage>| {
                        passage.map_or_else(String::new, |passage| passage.text.trim().to_owned())
                    };
                    let site = Site::Cell {
                        table: tables,
                        row: cell.row,
                        column: cell.column,
                        row_head: head(table.rows[cell.row].cells.first()),
                        column_head: head(table.heads.get(cell.column)),
                    };
                    found.push(new(document, block, cell.number, site, cell.outcome));
                }
                before = None;
            }
        }
    }
    found
}

fn new(document: &Document, block: &crate::documents::Block, number: Number, site: Site, outcome: Match) -> Found {
    Found { file: document.file.clone(), place: number.place, number, site, headings: block.headings.clone(), outcome }
}

/// The verdict of the scores: a reading must be better than every other one.
fn outcome(number: &Number, readings: Result<Vec<Reading>, Unbound>) -> Match {
    if let Some(rule) = number.rule {
        return Match::NoClaim(rule);
    }
    match readings {
        Err(reason) => Match::Unbound(reason),
        Ok(readings) => match with_value(readings).as_slice() {
            [] => Match::Unbound(Unbound::NoFact),
            readings @ [first, second, ..] if second.score >= first.score && !agree(readings) => {
                Match::Ambiguous(readings.to_vec())
            }
            readings => Match::Bound(readings.to_vec()),
        },
    }
}

/// True where all readings that fit equally well have one value: whichever is meant, the verdict is the same.
fn agree(readings: &[Reading]) -> bool {
    let [first, ..] = readings else { return false };
    readings.iter().take_while(|reading| reading.score == first.score).all(|reading| {
        let same = first.value.zip(reading.value).is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0));
        same && reading.unit == first.unit && reading.slack == first.slack
    })
}

/// Of readings that fit equally well those that have a value: nobody prints a number that the archive
/// leaves undefined when another fact of the same name is there.
fn with_value(mut readings: Vec<Reading>) -> Vec<Reading> {
    let best = readings.first().map_or(0, |reading| reading.score);
    if readings.iter().any(|reading| reading.score == best && reading.value.is_some()) {
        readings.retain(|reading| reading.score < best || reading.value.is_some());
    }
    readings
}
