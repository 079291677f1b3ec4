//! Captions that disagree with the table they stand over.

use std::collections::BTreeSet;

use super::{About, Audit, Looked, Raised, Subject};
use crate::documents::numbers::{Bound, Number, Role, numbers};
use crate::documents::{Body, Document, Passage, Table};
use crate::report::Place;

const ABOUT: About = About {
    id: "captions",
    title: "Captions and their tables",
    question: "Does a caption count what its table holds?",
    method: "Two counts are compared: a number in a caption before the word that heads the first column (nine models, \
             over a column headed Model) with the rows of the table; and an n in a caption with the sum of a column \
             headed n. Rows of totals and means are left out. A count is raised when it misses narrowly, because a \
             number that is far off counts something else.",
    items: "counts in captions",
    nothing: "no caption of a document counts what its table lists",
    code: "caption-differs",
};

/// Heads of rows that sum up the others.
const SUMMARIES: &[&str] =
    &["mean", "average", "total", "all", "overall", "median", "sum", "sd", "range", "min", "max", "pooled", "spread"];

pub(super) struct Captions;

impl Audit for Captions {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn look(&self, subject: &Subject<'_>) -> Looked {
        let mut looked = Looked::default();
        for document in subject.documents {
            look(document, &mut looked);
        }
        looked
    }
}

fn look(document: &Document, looked: &mut Looked) {
    let mut before: Option<&Passage> = None;
    let mut count = 0;
    for block in &document.blocks {
        match &block.body {
            Body::Table(table) => {
                count += 1;
                let announced = before.filter(|passage| announces(&passage.text));
                for caption in table.caption.iter().chain(announced) {
                    for says in [rows(table, caption, looked), size(table, caption, looked)].into_iter().flatten() {
                        let place = Place::file(&document.file).with_subject(format!("table {count}"));
                        looked.raised.push(Raised { place, says, origin: None, set: None });
                    }
                }
                before = None;
            }
            Body::Paragraph(passage) => before = Some(passage),
            Body::Heading(_) => before = None,
        }
    }
}

/// True for a paragraph that is the caption of the table after it.
fn announces(text: &str) -> bool {
    let text = text.trim();
    text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("table")) || text.ends_with(':')
}

fn plain(number: &Number) -> bool {
    number.rule.is_none() && number.bound == Bound::Exact && number.is_whole() && number.value >= 1.0
}

/// `nine models` over a column headed `Model`.
fn rows(table: &Table, caption: &Passage, looked: &mut Looked) -> Option<String> {
    let head = table.heads.first().map(|head| singular(head.text.trim())).filter(|head| !head.is_empty())?;
    let noun = |number: &Number| {
        let after = caption.text.get(number.after..).unwrap_or_default().trim_start();
        singular(after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
    };
    let counted = numbers(caption);
    let number = counted.iter().find(|number| plain(number) && number.role == Role::Value && noun(number) == head)?;
    looked.checked += 1;
    let heads: Vec<&str> = table.rows.iter().filter_map(|row| row.cells.first()).map(|cell| cell.text.trim()).collect();
    let distinct = |left_out: fn(&str) -> bool| {
        heads.iter().filter(|head| !head.is_empty() && !left_out(head)).collect::<BTreeSet<_>>().len()
    };
    // A row whose head only begins like a summary may be one of the things that are counted.
    let (own, fewer) = (distinct(is_only_summary), distinct(is_summary));
    let fits = [own, fewer].iter().any(|count| *count as f64 == number.value);
    (!fits && narrowly(number.value, own as f64, 0.2))
        .then(|| format!("the caption says {} {head}s, and the table lists {own}", number.text))
}

/// `n = 46` over a column headed `n`.
fn size(table: &Table, caption: &Passage, looked: &mut Looked) -> Option<String> {
    let column = table.heads.iter().position(|head| head.text.trim().eq_ignore_ascii_case("n"))?;
    let counted = numbers(caption);
    let number = counted.iter().find(|number| plain(number) && number.role == Role::Size)?;
    let mut values = Vec::new();
    for row in table.rows.iter().filter(|row| row.cells.first().is_none_or(|head| !is_summary(head.text.trim()))) {
        let cell = numbers(row.cells.get(column)?);
        let [value] = cell.as_slice() else { return None };
        values.push(Some(value).filter(|value| value.is_whole())?.value);
    }
    looked.checked += 1;
    let sum: f64 = values.iter().sum();
    let fits = sum == number.value || values.contains(&number.value);
    (values.len() > 1 && !fits && narrowly(number.value, sum, 0.05))
        .then(|| format!("the caption says n = {}, and the column of n adds up to {sum}", number.text))
}

fn is_summary(head: &str) -> bool {
    let first = head.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    SUMMARIES.iter().any(|word| first.eq_ignore_ascii_case(word))
}

fn is_only_summary(head: &str) -> bool {
    let bare = head.trim_matches(|c: char| !c.is_alphanumeric());
    SUMMARIES.iter().any(|word| bare.eq_ignore_ascii_case(word))
}

/// True for counts that differ by one, or by less than this share.
fn narrowly(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= (share * a.max(b)).max(1.0)
}

/// A noun in lower case and in the singular, as far as English is regular.
fn singular(noun: &str) -> String {
    let lower = noun.to_lowercase();
    match lower.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => lower.strip_suffix('s').map_or_else(|| lower.clone(), str::to_owned),
    }
}
