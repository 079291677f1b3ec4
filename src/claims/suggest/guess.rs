//! From a table of a document to a proposed table of claims: which columns name a row, which hold
//! numbers, in which unit.

use crate::claims::printed::Printed;

use super::document::DocumentTable;

/// A proposed table of claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Id.
    pub id: String,
    /// File and line.
    pub source: String,
    /// Names of the key columns.
    pub keys: Vec<String>,
    /// Columns with numbers.
    pub columns: Vec<ProposedColumn>,
    /// Keys and cells of each row.
    pub rows: Vec<(Vec<String>, Vec<ProposedCell>)>,
    /// Cells that hold neither a number nor nothing, and were left out: line, column and text.
    pub left_out: Vec<(usize, String, String)>,
}

/// A proposed column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedColumn {
    /// Id.
    pub id: String,
    /// Heading in the document.
    pub heading: String,
    /// Unit, as far as heading and cells give it away.
    pub unit: &'static str,
    /// Names of the numbers, where cells hold several.
    pub parts: Vec<&'static str>,
}

/// Numbers of a cell as printed; none for an empty one.
pub type ProposedCell = Vec<String>;

/// Proposes claims for a table; `None` when it has no numbers or no column to name its rows.
pub fn propose(file: &str, number: usize, table: &DocumentTable) -> Option<Proposal> {
    let keys = key_columns(table);
    let width = table.header.len();
    let numeric: Vec<usize> = (keys..width).filter(|&column| holds_numbers(table, column)).collect();
    if keys == 0 || numeric.is_empty() || table.rows.is_empty() {
        return None;
    }
    let mut left_out = Vec::new();
    let mut rows = Vec::new();
    for (line, cells) in &table.rows {
        let cell = |column: usize| cells.get(column).map_or("", String::as_str);
        let row_keys: Vec<String> = (0..keys).map(|column| cell(column).to_owned()).collect();
        let numbers = numeric.iter().map(|&column| {
            let text = cell(column);
            numbers(text).unwrap_or_else(|| {
                if !is_blank(text) {
                    left_out.push((*line, table.header[column].clone(), text.to_owned()));
                }
                Vec::new()
            })
        });
        rows.push((row_keys, numbers.collect()));
    }
    let heading = if table.heading.is_empty() { file.rsplit('/').next().unwrap_or(file) } else { &table.heading };
    let first = table.rows.first().map_or(1, |(line, _)| *line);
    Some(Proposal {
        id: format!("t{:02}-{}", number + 1, slug(heading)),
        source: format!("{file}, table at line {first}"),
        keys: unique((0..keys).map(|column| key_name(&table.header[column], column))),
        columns: columns(table, &numeric),
        rows,
        left_out,
    })
}

fn columns(table: &DocumentTable, numeric: &[usize]) -> Vec<ProposedColumn> {
    let ids = unique(numeric.iter().map(|&column| key_name(&table.header[column], column)));
    let column = |(&column, id): (&usize, String)| {
        let texts: Vec<&str> =
            table.rows.iter().filter_map(|(_, cells)| cells.get(column).map(String::as_str)).collect();
        let heading = table.header[column].clone();
        ProposedColumn { id, unit: unit(&heading, &texts), parts: parts(&texts), heading }
    };
    numeric.iter().zip(ids).map(column).collect()
}

/// Leading columns whose cells are words.
fn key_columns(table: &DocumentTable) -> usize {
    let words = (0..table.header.len()).take_while(|&column| !holds_numbers(table, column)).count();
    // A table of numbers only is keyed by its first column (a year, a threshold).
    if words == 0 && table.header.len() > 1 { 1 } else { words }
}

fn holds_numbers(table: &DocumentTable, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(column)).filter(|cell| !is_blank(cell));
    let (all, numeric) =
        cells.fold((0, 0), |(all, numeric), cell| (all + 1, numeric + usize::from(numbers(cell).is_some())));
    numeric * 2 > all
}

fn is_blank(cell: &str) -> bool {
    matches!(cell.trim(), "" | "-" | "--" | "\u{2013}" | "\u{2014}" | "n/a")
}

/// Numbers in a cell: one, `a ± b`, `a / b`, `a of b`, `[a, b]`, `a–b`. A dagger or an asterisk goes.
fn numbers(cell: &str) -> Option<Vec<String>> {
    let bare = cell
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '†' | '‡' | '[' | ']' | '(' | ')' | '~' | '≈'));
    if let Some(number) = Printed::read(bare) {
        return Some(vec![number.text]);
    }
    for between in ["±", "+/-", "/", " of ", " to ", "\u{2013}", ", ", ";"] {
        if let Some((left, right)) = bare.split_once(between)
            && let (Some(a), Some(b)) = (Printed::read(left), Printed::read(right))
        {
            return Some(vec![a.text, b.text]);
        }
    }
    let (number, unit) = bare.split_once(' ')?;
    let plain = unit.chars().all(|c| c.is_alphabetic() || c == '%');
    Some(vec![Printed::read(number).filter(|_| plain && unit.len() <= 8)?.text])
}

fn parts(cells: &[&str]) -> Vec<&'static str> {
    let has = |sign: &str| cells.iter().any(|cell| cell.contains(sign) && numbers(cell).is_some_and(|n| n.len() == 2));
    if has("±") || has("+/-") {
        vec!["mean", "sd"]
    } else if has("/") || has(" of ") {
        vec!["count", "of"]
    } else if cells.iter().any(|cell| numbers(cell).is_some_and(|n| n.len() == 2)) {
        vec!["low", "high"]
    } else {
        Vec::new()
    }
}

fn unit(heading: &str, cells: &[&str]) -> &'static str {
    let words = heading.to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
    if cells.iter().any(|cell| cell.contains('%'))
        || has(&["%", "percent", "accuracy", "acc", "share", "rate", "pass@"])
    {
        "percent"
    } else if has(&["points", "pp", "delta", "gap", "lift", "sd", "δ"]) {
        "points"
    } else if has(&["token"]) {
        "tokens"
    } else if words == "p" || has(&["p-value", "p value", "mcnemar", "holm"]) {
        "p"
    } else if has(&["rho", "ρ", "spearman"]) {
        "rho"
    } else if has(&["ratio", "factor", "times", "×"]) {
        "ratio"
    } else if cells.iter().filter_map(|cell| numbers(cell)).flatten().all(|n| !n.contains('.')) {
        "count"
    } else {
        "value"
    }
}

fn key_name(heading: &str, column: usize) -> String {
    let slug = slug(heading).replace('-', "_");
    if slug.is_empty() { format!("column{}", column + 1) } else { slug }
}

fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches('-').chars().take(40).collect()
}

fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        let taken = seen.iter().filter(|known| **known == name || known.starts_with(&format!("{name}_"))).count();
        seen.push(if seen.contains(&name) { format!("{name}_{}", taken + 1) } else { name });
    }
    seen
}
