//! Numbers in tables: heads of columns and rows, caption, headings.

use std::collections::{BTreeMap, BTreeSet};

use super::choose::Chooser;
use super::lexicon::Meaning;
use super::reading::{Reading, Unbound};
use super::scene::{Level, Near, Scene};
use super::{Match, outcome, prose};
use crate::documents::{Block, Number, Passage, Role, Table, numbers::numbers};

/// Words of a head that is nothing but a spread.
const SPREADS: &[&str] = &["sd", "\u{b1}", "std", "stdev", "se", "sem"];

/// Fewest words of a cell that is read as a sentence.
const LEAST_WORDS: usize = 4;

/// A number of a cell and what it is.
pub(super) struct CellNumber {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) number: Number,
    pub(super) outcome: Match,
}

/// Where a table stands.
pub(super) struct Place<'a> {
    pub(super) block: &'a Block,
    /// The paragraph in front of it.
    pub(super) before: Option<&'a str>,
    /// The id that the section is about.
    pub(super) subject: Option<&'a str>,
    /// The document.
    pub(super) file: &'a str,
}

/// Binds all numbers of a table.
pub(super) fn bind(chooser: &Chooser<'_>, place: &Place<'_>, table: &Table) -> Vec<CellNumber> {
    let layout = Layout::of(chooser, table);
    let far = surroundings(chooser, place, table);
    let heads: Vec<Level> = (0..table.heads.len()).map(|column| head(chooser, table, column)).collect();
    let rows: Vec<RowHead> = (0..table.rows.len()).map(|row| layout.row(chooser, table, row)).collect();
    let dimensions = dimensions(&rows);
    let across = across(&heads, &layout);
    let fractions: BTreeSet<usize> =
        layout.numeric.iter().copied().filter(|column| prints_fractions(table, *column)).collect();
    let mut found = Vec::new();
    for (row, head) in rows.iter().enumerate() {
        for (column, cell) in table.rows[row].cells.iter().enumerate() {
            if !layout.numeric.contains(&column) {
                found.extend(sentences(chooser, place, table, (row, column)));
                continue;
            }
            let all = numbers(cell);
            if all.is_empty() {
                continue;
            }
            let mut scene = Scene {
                defaults: chooser.defaults.values().cloned().collect(),
                fractions: fractions.contains(&column),
                ..Scene::default()
            };
            if head.total {
                // What a row over all others still names it keeps.
                scene.dropped.extend(dimensions.difference(&head.dimensions).cloned());
            }
            if heads.get(column).is_some_and(is_total) {
                scene.dropped.extend(across.iter().cloned());
            }
            let crossed = crossed(chooser, table, &layout, (row, column));
            if let Some(level) = &crossed {
                scene.levels.push(level.clone());
            } else {
                scene.levels.extend(heads.get(column).cloned());
                scene.levels.extend(head.levels.iter().cloned());
            }
            scene.levels.extend(far.iter().cloned());
            let understood = head.understood || crossed.is_some();
            let readings = cell_readings(chooser, &scene, understood, cell, &all);
            for (number, readings) in all.into_iter().zip(readings) {
                let outcome = outcome(&number, or_published(chooser, &scene, &number, place.file, readings));
                found.push(CellNumber { row, column, number, outcome });
            }
        }
    }
    found
}

/// A configuration that is named in two parts, a method in the head of the row and its model in that of the column.
fn crossed(chooser: &Chooser<'_>, table: &Table, layout: &Layout, (row, column): (usize, usize)) -> Option<Level> {
    let [key] = layout.keys.as_slice() else { return None };
    let of = |passage: Option<&Passage>| chooser.lexicon.with_part(&plain(&passage?.text));
    let (own, other) = (of(table.rows[row].cells.get(*key))?, of(table.heads.get(column))?);
    let mut both = own.intersection(other);
    let (name, None) = (both.next()?, both.next()) else { return None };
    Some(Level::new(chooser.lexicon, Near::Row, name))
}

/// The head of a column. A bare `sd` is that of the column on its left.
fn head(chooser: &Chooser<'_>, table: &Table, column: usize) -> Level {
    let text = plain(&table.heads[column].text);
    let level = Level::new(chooser.lexicon, Near::Head, &text);
    let words = super::tokens::words(&text);
    let bare = !words.is_empty() && words.iter().all(|word| SPREADS.contains(&word.as_str()));
    let Some(left) = column.checked_sub(1).map(|left| plain(&table.heads[left].text)).filter(|_| bare) else {
        return level;
    };
    let own = Level::new(chooser.lexicon, Near::Head, &left);
    let named = own.seen.mentions.iter().filter(|mention| {
        mention.meanings.iter().any(|meaning| matches!(meaning, Meaning::Value(..)))
            && !mention.meanings.iter().any(|meaning| matches!(meaning, Meaning::Concept(_)))
    });
    let named: Vec<&str> = named.map(|mention| &own.text[mention.start..mention.end]).collect();
    // What is not understood on the left is not understood here.
    let left = if chooser.is_obscure(&own, 0) { left } else { named.join(" ") };
    Level::new(chooser.lexicon, Near::Head, &format!("{left} {text}"))
}

/// True for a column of which every number has two decimals or more, no unit, and is at most one.
fn prints_fractions(table: &Table, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|row| row.cells.get(column));
    let all: Vec<Number> = cells.flat_map(numbers).collect();
    !all.is_empty() && all.iter().all(Number::is_fraction)
}

/// Numbers of a cell that holds words: it is read as a paragraph under the head of its row.
fn sentences(
    chooser: &Chooser<'_>,
    place: &Place<'_>,
    table: &Table,
    (row, column): (usize, usize),
) -> Vec<CellNumber> {
    let cell = &table.rows[row].cells[column];
    if column == 0 || cell.text.split_whitespace().count() < LEAST_WORDS {
        return Vec::new();
    }
    let head = table.rows[row].cells.first().map(|cell| plain(&cell.text));
    let scope = prose::Scope { block: place.block, subject: place.subject, row: head.as_deref() };
    let read = prose::bind(chooser, &scope, cell);
    read.into_iter().map(|(number, _, outcome)| CellNumber { row, column, number, outcome }).collect()
}

/// What a table looks like: which columns name the rows, which hold numbers.
struct Layout {
    /// Columns that name a row.
    keys: Vec<usize>,
    /// True when the first column alone tells the rows apart.
    first_is_unique: bool,
    numeric: Vec<usize>,
}

/// The head of a row.
struct RowHead {
    levels: Vec<Level>,
    understood: bool,
    total: bool,
    dimensions: BTreeSet<String>,
}

impl Layout {
    fn of(chooser: &Chooser<'_>, table: &Table) -> Self {
        let width = table.heads.len().max(table.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0));
        let cells = |column: usize| table.rows.iter().filter_map(move |row| row.cells.get(column));
        let is_numeric = |column: usize| {
            let filled: Vec<&Passage> = cells(column).filter(|cell| !cell.is_blank()).collect();
            let numeric = filled.iter().filter(|cell| starts_as_number(chooser, &cell.text)).count();
            numeric * 2 > filled.len()
        };
        let numeric: Vec<usize> = (0..width).filter(|column| is_numeric(*column)).collect();
        let mut keys: Vec<usize> = (0..width).filter(|column| !numeric.contains(column)).collect();
        let mut numeric = numeric;
        if keys.first() != Some(&0) && !numeric.is_empty() {
            // A first column of numbers names the rows (a run, a threshold).
            keys.insert(0, 0);
            numeric.retain(|column| *column != 0);
        }
        let names: Vec<&str> = cells(0).map(|cell| cell.text.trim()).collect();
        let first_is_unique = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        Self { keys, first_is_unique, numeric }
    }

    fn row(&self, chooser: &Chooser<'_>, table: &Table, row: usize) -> RowHead {
        let mut head = RowHead { levels: Vec::new(), understood: false, total: false, dimensions: BTreeSet::new() };
        let mut obscure = false;
        for &column in &self.keys {
            let Some(cell) = table.rows[row].cells.get(column) else { continue };
            if cell.is_blank() {
                continue;
            }
            let name = table.heads.get(column).map_or("", |head| head.text.as_str());
            let level = level(chooser, &cell.text, name);
            let is_obscure = chooser.is_obscure(&level, 0) || level.seen.mentions.is_empty();
            // Columns that describe need not be understood when the first one tells the rows apart.
            if is_obscure && column > 0 && self.first_is_unique {
                continue;
            }
            obscure |= is_obscure;
            for meaning in level.seen.mentions.iter().flat_map(|mention| &mention.meanings) {
                match meaning {
                    Meaning::Total => head.total = true,
                    Meaning::Value(key, _) => {
                        head.dimensions.insert(key.clone());
                    }
                    _ => {}
                }
            }
            head.levels.push(level);
        }
        head.understood = !obscure && !head.levels.is_empty();
        head
    }
}

/// A cell that names a row; the head of its column may say of which key it is a value.
fn level(chooser: &Chooser<'_>, text: &str, head: &str) -> Level {
    let mut level = Level::new(chooser.lexicon, Near::Row, &plain(text));
    if let Some(mut meanings) = chooser.whole(&plain(text), head) {
        let length = super::tokens::words(text).len();
        let (start, end) = (0, level.text.len());
        if let [only] = level.seen.mentions.as_slice()
            && level.seen.others.is_empty()
        {
            meanings.extend(
                only.meanings.iter().filter(|meaning| !meanings.contains(meaning)).cloned().collect::<Vec<_>>(),
            );
        }
        level.seen.mentions =
            vec![super::lexicon::Mention { start, end, length, meanings, weak: false, is_noun: false }];
        level.seen.others.clear();
    }
    level
}

fn dimensions(rows: &[RowHead]) -> BTreeSet<String> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for key in rows.iter().filter(|row| !row.total).flat_map(|row| &row.dimensions) {
        *counts.entry(key).or_default() += 1;
    }
    let most = rows.iter().filter(|row| !row.total).count();
    counts.into_iter().filter(|(_, count)| count * 2 > most).map(|(key, _)| key.clone()).collect()
}

fn is_total(level: &Level) -> bool {
    level.seen.mentions.iter().any(|mention| mention.meanings.contains(&Meaning::Total))
}

/// Keys of which several columns are values: a column over all of them has left these keys behind.
fn across(heads: &[Level], layout: &Layout) -> BTreeSet<String> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for level in layout.numeric.iter().filter_map(|column| heads.get(*column)) {
        for meaning in level.seen.mentions.iter().flat_map(|mention| &mention.meanings) {
            if let Meaning::Value(key, value) = meaning {
                values.entry(key).or_default().insert(value);
            }
        }
    }
    values.into_iter().filter(|(_, values)| values.len() > 1).map(|(key, _)| key.to_owned()).collect()
}

fn surroundings(chooser: &Chooser<'_>, place: &Place<'_>, table: &Table) -> Vec<Level> {
    let new = |near: Near, text: &str| Level::new(chooser.lexicon, near, text);
    let mut levels = Vec::new();
    levels.extend(table.caption.as_ref().map(|caption| new(Near::Caption, &caption.text)));
    let mut headings = place.block.headings.iter().rev();
    // `Table 2: ...` in front of a table is its caption, whatever the form calls it.
    let is_caption = |text: &&str| text.trim_start().to_lowercase().starts_with("table ");
    levels.extend(place.before.filter(is_caption).map(|text| new(Near::Caption, text)));
    levels.extend(headings.next().map(|heading| new(Near::Caption, heading)));
    levels.extend(place.before.filter(|text| !is_caption(text)).map(|text| new(Near::Paragraph, text)));
    levels.extend(headings.map(|heading| new(Near::Far, heading)));
    levels.extend(place.subject.map(|subject| new(Near::Far, subject)));
    for level in &mut levels {
        chooser.add_ids(level);
    }
    levels
}

fn cell_readings(
    chooser: &Chooser<'_>,
    scene: &Scene,
    understood: bool,
    cell: &Passage,
    all: &[Number],
) -> Vec<Result<Vec<Reading>, Unbound>> {
    let same = |reason: Unbound| all.iter().map(|_| Err(reason)).collect();
    if !is_plain(cell, all) {
        return same(Unbound::NotANumber);
    }
    if !understood {
        return same(Unbound::UnknownRow);
    }
    if scene.level(Near::Head).any(|level| chooser.is_obscure(level, 0)) {
        return same(Unbound::UnknownWords);
    }
    let mut found: Vec<Result<Vec<Reading>, Unbound>> = Vec::new();
    for number in all {
        let readings = match number.role {
            Role::Spread(of) => chooser.sibling(found.get(of), &["sd"]),
            Role::OutOf(of) => chooser.total_of(found.get(of)),
            _ => chooser.readings(scene, number, false),
        };
        found.push(readings);
    }
    found
}

/// What a published table says where no recomputed value is about what the heads name.
fn or_published(
    chooser: &Chooser<'_>,
    scene: &Scene,
    number: &Number,
    file: &str,
    readings: Result<Vec<Reading>, Unbound>,
) -> Result<Vec<Reading>, Unbound> {
    let has_value = |readings: &Vec<Reading>| readings.iter().any(|reading| reading.value.is_some());
    if readings.as_ref().is_ok_and(has_value) || matches!(readings, Err(Unbound::NotANumber)) {
        return readings;
    }
    let found = chooser.published.readings(scene, number, file);
    if found.is_empty() { readings } else { Ok(found) }
}

/// True when a cell prints one number, a number with its spread, a range, or a count of a total, and
/// nothing else but marks.
fn is_plain(cell: &Passage, all: &[Number]) -> bool {
    let shape = match all {
        [one] => one.rule.is_none() && !matches!(one.role, Role::Low(_)),
        [a, b] => {
            a.rule.is_none() && b.rule.is_none() && matches!(b.role, Role::Spread(_) | Role::High(_) | Role::OutOf(_))
        }
        _ => false,
    };
    let mut rest = String::new();
    let mut at = 0;
    for number in all {
        rest.push_str(&cell.text[at..number.start]);
        at = number.after;
    }
    rest.push_str(&cell.text[at..]);
    shape && !rest.chars().any(char::is_alphanumeric)
}

/// True when a cell begins with a number (after marks).
fn starts_as_number(chooser: &Chooser<'_>, text: &str) -> bool {
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || "*~≈<>≤≥+-\u{2212}\u{2013}([$±".contains(c));
    let names = chooser.lexicon.mentions(text);
    let named = names.mentions.first().is_some_and(|mention| mention.start == 0 && !mention.weak);
    (bare.starts_with(|c: char| c.is_ascii_digit()) && !named)
        || matches!(text.trim(), "-" | "\u{2014}" | "\u{2013}" | "n/a")
}

/// A head without what only says how its numbers are printed.
fn plain(text: &str) -> String {
    let mut text = text.replace(['\u{2a}', '\u{2020}', '\u{2021}'], " ");
    for words in ["mean ± SD", "mean ± sd", "± SD", "± sd", "±SD", "± one standard deviation"] {
        text = text.replace(words, " ");
    }
    text
}
