//! Cells of published tables as what a number of another table may repeat, where no recomputed value is about
//! what the words name.
//!
//! A published table names its columns in short (`tokens_M_per_run`, `bare_acc`) and its rows by values of
//! keys. A printed cell is one of its cells when the head of the row names the row, every word of the heads of
//! row and column is a word of the table, and one column has most of them. A difference is taken from nowhere:
//! which of two sides it subtracts, a short name rarely says.

use std::collections::{BTreeMap, BTreeSet};

use super::lexicon::Meaning;
use super::reading::Reading;
use super::scene::{Level, Near, Scene};
use super::tokens::words;
use crate::claims::sources::Sources;
use crate::documents::{Number, Role};

/// Tables with more rows are data to compute from and not results to repeat.
const MOST_ROWS: usize = 400;

/// Words of heads that say how numbers are printed or to what they belong, and choose no column.
const PLAIN: &[&str] = &[
    "the",
    "a",
    "of",
    "in",
    "and",
    "for",
    "at",
    "on",
    "by",
    "per",
    "to",
    "vs",
    "mode",
    "model",
    "mean",
    "average",
    "%",
    "percent",
    "percentage",
    "pct",
    "pt",
    "pp",
    "point",
    "number",
    "value",
    "overall",
    "total",
    "all",
    "set",
    "rate",
    "run",
    "m",
    "k",
    "#",
    "n",
    "±",
    "is",
    "under",
    "from",
    "over",
];

/// Words for a difference of two columns.
const DIFFERENCE: &[&str] = &["delta", "diff", "difference", "gap", "change", "shift", "gain", "lift"];

/// Words that restrict what a head names; the brackets in which they stand are no mere comment.
const RESTRICTING: &[&str] =
    &["without", "excluding", "excl", "except", "only", "strict", "lenient", "no", "not", "non", "first", "best"];

/// Published tables, ready for comparing with printed ones.
pub(super) struct Published {
    tables: Vec<Table>,
}

struct Table {
    id: String,
    /// Words of its name.
    name: BTreeSet<String>,
    /// Words of its name and of all its columns.
    words: BTreeSet<String>,
    /// Columns whose values name the rows.
    keys: Vec<String>,
    columns: Vec<Column>,
    /// Rows: the values of the keys, in words, and the text of every number column.
    rows: Vec<Row>,
}

struct Row {
    /// Values of keys as selections of the ledger name them.
    values: Vec<String>,
    cells: Vec<String>,
}

struct Column {
    name: String,
    words: BTreeSet<String>,
    /// Factor to the plain unit: a column in millions has one million.
    factor: f64,
}

impl Published {
    pub(super) fn new(sources: &Sources<'_>) -> Self {
        Self { tables: sources.published.iter().filter_map(|(id, text)| Table::read(id, text, sources)).collect() }
    }

    /// Readings of a number of a cell. `file` is the document, which repeats nothing from itself.
    pub(super) fn readings(&self, scene: &Scene, number: &Number, file: &str) -> Vec<Reading> {
        let heads: Vec<&Level> = scene.level(Near::Head).chain(scene.level(Near::Row)).collect();
        let Some(named) = Named::of(&heads, scene) else { return Vec::new() };
        let stem = file.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or(file);
        let mut found: Vec<(usize, Reading)> = Vec::new();
        let said: BTreeSet<String> =
            scene.levels.iter().filter(|level| level.near > Near::Row).flat_map(|level| content(&level.text)).collect();
        // A table whose whole name stands above leaves no other one to be meant.
        let rank = |table: &Table| table.rank(&said);
        let others = || self.tables.iter().filter(|table| table.id != stem);
        let most = others().filter_map(rank).max().unwrap_or(0);
        for table in others().filter(|table| rank(table) == Some(most)) {
            found.extend(table.reading(&named, scene, number));
        }
        let most = found.iter().map(|(weight, _)| *weight).max().unwrap_or(0);
        found.into_iter().filter(|(weight, _)| *weight == most).map(|(_, reading)| reading).collect()
    }
}

/// What the heads of a cell name.
struct Named {
    /// Values of keys, with the words that name them.
    values: BTreeMap<String, BTreeSet<String>>,
    /// Words to be found in the table, or in their place those of the value that they name; those of brackets
    /// count less.
    words: BTreeMap<String, (usize, BTreeSet<String>)>,
    /// Factor to the plain unit that the head states: `(k)`, `(M)`.
    factor: f64,
    told: Vec<String>,
    /// Words of the conditions that caption and heading state.
    conditions: BTreeSet<String>,
}

impl Named {
    /// `None` for heads that name a difference, or nothing.
    fn of(heads: &[&Level], scene: &Scene) -> Option<Self> {
        let mut named = Self {
            values: BTreeMap::new(),
            words: BTreeMap::new(),
            factor: 1.0,
            told: Vec::new(),
            conditions: conditions(scene).iter().flat_map(|value| content(value)).collect(),
        };
        for level in heads {
            let head = level.near == Near::Head;
            for mention in &level.seen.mentions {
                for meaning in &mention.meanings {
                    if let Meaning::Value(key, value) = meaning {
                        named.values.entry(key.clone()).or_default().insert(value.clone());
                    }
                }
            }
            let open = level.text.find('(').unwrap_or(level.text.len());
            let comment = words(&level.text[open..]);
            if comment.iter().any(|word| RESTRICTING.contains(&word.as_str())) {
                return None;
            }
            if head {
                match level.text[open..].trim() {
                    "(k)" => named.factor = 1e3,
                    "(M)" => named.factor = 1e6,
                    _ => {}
                }
                for (text, weight) in [(&level.text[..open], 2), (&level.text[open..], 1)] {
                    for word in content(text) {
                        named.words.entry(word).or_insert((weight, BTreeSet::new()));
                    }
                }
                named.told.push(level.text.trim().to_owned());
            }
        }
        for word in free_words(heads) {
            named.words.entry(word).or_insert((2, BTreeSet::new()));
        }
        // `hints removed` may be the set that is called `bare`.
        for mention in heads.iter().filter(|level| level.near == Near::Head).flat_map(|level| {
            level.seen.mentions.iter().map(move |mention| (mention, &level.text[mention.start..mention.end]))
        }) {
            let (mention, phrase) = mention;
            for meaning in &mention.meanings {
                let Meaning::Value(_, value) = meaning else { continue };
                for word in content(phrase) {
                    let others = &mut named.words.entry(word).or_insert((2, BTreeSet::new())).1;
                    others.extend(content(value).into_iter().chain(content(phrase)));
                }
            }
        }
        named.joined(heads);
        if named.words.is_empty() {
            // `total`: what is counted stands in the caption.
            let captions = || scene.level(Near::Caption);
            let words = captions().flat_map(|level| content(&level.text));
            let words: BTreeSet<String> = words.filter(|word| !named.conditions.contains(word)).collect();
            named.told.extend(captions().map(|level| level.text.trim().to_owned()));
            named.words.extend(words.into_iter().map(|word| (word, (2, BTreeSet::new()))));
        }
        let differs = named.words.keys().any(|word| DIFFERENCE.contains(&word.as_str()));
        (!differs && !named.words.is_empty()).then_some(named)
    }
}

impl Named {
    /// `code-only` may be written `codeonly` in a name.
    fn joined(&mut self, heads: &[&Level]) {
        for level in heads.iter().filter(|level| level.near == Near::Head) {
            let list = words(&level.text);
            for pair in list.windows(2) {
                for word in pair {
                    if let Some((_, others)) = self.words.get_mut(word) {
                        others.insert(pair.concat());
                    }
                }
            }
        }
    }
}

/// Values of conditions that caption and nearest heading state.
fn conditions(scene: &Scene) -> BTreeSet<String> {
    let keys = ["protocol", "set", "condition", "domain"];
    let named =
        |level: &Level| keys.iter().flat_map(|key| level.values(key, false)).map(str::to_owned).collect::<Vec<_>>();
    scene.level(Near::Caption).flat_map(named).filter(|value| !value.is_empty()).collect()
}

/// Words of the heads of rows that name no value.
fn free_words(heads: &[&Level]) -> Vec<String> {
    let rows = heads.iter().filter(|level| level.near == Near::Row);
    rows.flat_map(|level| &level.seen.others)
        .map(|token| token.word.clone())
        .filter(|word| !PLAIN.contains(&word.as_str()) && !word.bytes().all(|byte| byte.is_ascii_digit()))
        .collect()
}

impl Table {
    fn read(id: &str, text: &str, sources: &Sources<'_>) -> Option<Self> {
        if text.bytes().filter(|byte| *byte == b'\n').count() > MOST_ROWS {
            return None;
        }
        let (header, records) = crate::table::read_csv(text).ok()?;
        let filled =
            |column: usize| records.iter().filter_map(move |row| row.get(column)).filter(|cell| !cell.is_empty());
        let is_number = |column: usize| {
            let numeric = filled(column).filter(|cell| cell.trim_start_matches('+').parse::<f64>().is_ok()).count();
            numeric > 0 && numeric * 2 > filled(column).count()
        };
        // The fewest columns of names from the left that tell the rows apart.
        let names: Vec<usize> = (0..header.len()).filter(|column| !is_number(*column)).collect();
        let distinct = |columns: &[usize]| {
            let keys: BTreeSet<Vec<&String>> =
                records.iter().map(|row| columns.iter().filter_map(|column| row.get(*column)).collect()).collect();
            keys.len() == records.len()
        };
        let count = (1..=names.len()).find(|count| distinct(&names[..*count]))?;
        let keys = &names[..count];
        let numbers: Vec<usize> = (0..header.len()).filter(|column| is_number(*column)).collect();
        let columns: Vec<Column> = numbers.iter().map(|column| Column::of(&header[*column])).collect();
        // A number in front (`F9_ablation`) is no word of the name.
        let name = content(
            &id.split('_').filter(|part| !part.chars().any(|c| c.is_ascii_digit())).collect::<Vec<_>>().join(" "),
        );
        let mut all = name.clone();
        all.extend(columns.iter().flat_map(|column| column.words.iter().cloned()));
        let value = |key: &str, cell: &str| {
            if key == "model" { sources.configuration(cell).to_owned() } else { cell.to_owned() }
        };
        let rows = records
            .iter()
            .map(|row| Row {
                values: keys
                    .iter()
                    .map(|column| value(&header[*column], row.get(*column).map_or("", String::as_str)))
                    .collect(),
                cells: numbers.iter().map(|column| row.get(*column).cloned().unwrap_or_default()).collect(),
            })
            .collect();
        Some(Self {
            id: id.to_owned(),
            name,
            words: all,
            keys: keys.iter().map(|column| header[*column].clone()).collect(),
            columns,
            rows,
        })
    }

    /// The cell that the heads name, with the number of words that choose its column.
    fn reading(&self, named: &Named, scene: &Scene, number: &Number) -> Option<(usize, Reading)> {
        let row = self.rows.iter().find(|row| {
            self.keys.iter().zip(&row.values).all(|(key, value)| {
                let names = |name: &String, values: &BTreeSet<String>| name == key && values.contains(value);
                named.values.iter().any(|(name, values)| names(name, values))
            })
        })?;
        // A value that the heads name and the table has no key for is a word of one of its columns.
        let explained = |(word, (_, others)): (&String, &(usize, BTreeSet<String>))| {
            near(&self.words, word) || others.iter().any(|other| near(&self.words, other))
        };
        if !named.words.iter().all(explained) || !self.is_about(scene) {
            return None;
        }
        let spread = matches!(number.role, Role::Spread(_));
        // What the column is of must be said somewhere near: a table of tokens is none of accuracies.
        let near_by: BTreeSet<String> = scene
            .levels
            .iter()
            .filter(|level| level.near <= Near::Paragraph)
            .flat_map(|level| content(&level.text))
            .collect();
        let joined: BTreeSet<&String> = named.words.values().flat_map(|(_, others)| others).collect();
        let said = |word: &String| {
            word.len() <= 3 || near(&near_by, word) || joined.contains(word) || named.words.contains_key(word)
        };
        let fits = |column: &Column| {
            column.words.iter().all(|word| said(word) && !DIFFERENCE.contains(&word.as_str()))
                && (column.words.contains("sd") == spread || named.words.contains_key("sd"))
        };
        let weight = |column: &Column| {
            let shared = |(word, (weight, others)): (&String, &(usize, BTreeSet<String>))| {
                let own = near(&column.words, word) || others.iter().any(|other| near(&column.words, other));
                if own { *weight } else { 0 }
            };
            let stated = named.conditions.iter().filter(|word| near(&column.words, word)).count();
            match named.words.iter().map(shared).sum::<usize>() {
                shared if shared > 0 && fits(column) => 4 * shared + stated,
                _ => 0,
            }
        };
        let weights: Vec<usize> = self.columns.iter().map(weight).collect();
        let most = *weights.iter().max().filter(|most| **most >= 8)?;
        let mut best = weights.iter().enumerate().filter(|(_, weight)| **weight == most).map(|(at, _)| at);
        let (at, None) = (best.next()?, best.next()) else { return None };
        let column = &self.columns[at];
        let text = row.cells.get(at)?;
        let value: f64 = text.trim_start_matches('+').parse().ok()?;
        let decimals = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let stated = if named.factor > 1.0 { named.factor } else { column.factor };
        let factor = column.factor / stated;
        Some((
            most,
            Reading {
                statistic: format!("published:{}", self.id),
                measure: column.name.clone(),
                keys: self.keys.iter().cloned().zip(row.values.iter().cloned()).collect(),
                part: "",
                from: None,
                factor,
                unit: unit(column, stated).to_owned(),
                score: 6,
                words: named.told.clone(),
                value: Some(value * factor),
                slack: 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap_or(0)) * factor,
            },
        ))
    }

    /// How many words of its name that are no columns of its own stand above; `None` when one is missing.
    fn rank(&self, said: &BTreeSet<String>) -> Option<usize> {
        let is_column = |word: &&String| self.columns.iter().any(|column| near(&column.words, word));
        let own: Vec<&String> = self.name.iter().filter(|word| !is_column(word)).collect();
        own.iter().all(|word| near(said, word)).then_some(own.len())
    }

    /// True when it knows every condition that caption and heading state.
    fn is_about(&self, scene: &Scene) -> bool {
        conditions(scene)
            .iter()
            .filter(|value| !scene.defaults.contains(*value))
            .all(|value| content(value).iter().any(|word| near(&self.words, word)))
    }
}

impl Column {
    fn of(name: &str) -> Self {
        let factor = name.split('_').find_map(|part| match part {
            "M" => Some(1e6),
            "k" => Some(1e3),
            _ => None,
        });
        Self { name: name.to_owned(), words: content(&name.replace('_', " ")), factor: factor.unwrap_or(1.0) }
    }
}

fn unit(column: &Column, factor: f64) -> &'static str {
    let has = |word: &str| column.words.contains(word);
    if has("token") {
        return if factor >= 1e6 {
            "tokens_M"
        } else if factor >= 1e3 {
            "tokens_k"
        } else {
            "tokens"
        };
    }
    if has("sd") {
        return "points";
    }
    if has("accuracy") { "percent" } else { "value" }
}

/// Words of a name or a head that choose a column, with short forms spelled out.
fn content(text: &str) -> BTreeSet<String> {
    let long = |word: String| match word.as_str() {
        "acc" => "accuracy".to_owned(),
        "std" | "stdev" => "sd".to_owned(),
        "tok" => "token".to_owned(),
        _ => word,
    };
    let kept = |word: &String| !PLAIN.contains(&word.as_str()) && !word.bytes().all(|byte| byte.is_ascii_digit());
    words(text).into_iter().map(long).filter(kept).filter(|word| word.chars().any(char::is_alphabetic)).collect()
}

fn near(list: &BTreeSet<String>, word: &str) -> bool {
    list.iter().any(|other| alike(other, word))
}

/// Equal, or forms of one word: `evaluated` and `evaluation`.
fn alike(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    a == b || common >= 6 && a.chars().count().max(b.chars().count()) - common <= 3
}
