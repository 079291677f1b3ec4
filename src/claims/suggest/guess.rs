//! From a table of a document to a proposed table of claims: which columns name a row, which hold
//! numbers, in which unit.

use crate::claims::possible;
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
    /// Cells with numbers that their unit does not allow: line, column and what is wrong.
    pub doubtful: Vec<(usize, String, String)>,
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
    let numeric: Vec<usize> = (keys..width).filter(|&column| holds_a_number(table, column)).collect();
    if keys == 0 || numeric.is_empty() || table.rows.is_empty() {
        return None;
    }
    let mut left_out = Vec::new();
    let mut doubtful = Vec::new();
    let mut rows = Vec::new();
    let units: Vec<&'static str> = columns(table, &numeric).iter().map(|column| column.unit).collect();
    for (line, cells) in &table.rows {
        let cell = |column: usize| cells.get(column).map_or("", String::as_str);
        let row_keys: Vec<String> = (0..keys).map(|column| cell(column).to_owned()).collect();
        // A column without a single number is left out as a whole, and every cell of it with digits is said.
        for column in (keys..width).filter(|column| !numeric.contains(column)) {
            if cell(column).contains(|c: char| c.is_ascii_digit()) {
                left_out.push((*line, table.header[column].clone(), cell(column).to_owned()));
            }
        }
        let numbers = numeric.iter().zip(&units).map(|(&column, unit)| {
            let text = cell(column);
            let found = numbers(text);
            let impossible = |number: &String| {
                Printed::read(number).is_some_and(|printed| possible::out_of_bounds(unit, &printed, false))
            };
            if found.iter().flatten().any(impossible) {
                doubtful.push((*line, table.header[column].clone(), format!("{text} is impossible as {unit}")));
            }
            found.unwrap_or_else(|| {
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
        doubtful,
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

/// Leading columns whose cells are words. In the first one numbers may name a few rows.
fn key_columns(table: &DocumentTable) -> usize {
    let is_key = |column: usize| {
        if column == 0 { !holds_numbers(table, column) } else { !holds_a_number(table, column) }
    };
    let words = (0..table.header.len()).take_while(|&column| is_key(column)).count();
    // A table of numbers only is keyed by its first column (a year, a threshold).
    if words == 0 && table.header.len() > 1 { 1 } else { words }
}

fn holds_numbers(table: &DocumentTable, column: usize) -> bool {
    let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(column)).filter(|cell| !is_blank(cell));
    let (all, numeric) =
        cells.fold((0, 0), |(all, numeric), cell| (all + 1, numeric + usize::from(numbers(cell).is_some())));
    numeric * 2 > all
}

fn holds_a_number(table: &DocumentTable, column: usize) -> bool {
    table.rows.iter().filter_map(|(_, cells)| cells.get(column)).any(|cell| numbers(cell).is_some())
}

fn is_blank(cell: &str) -> bool {
    matches!(cell.trim(), "" | "-" | "--" | "\u{2013}" | "\u{2014}" | "n/a")
}

/// Numbers in a cell: one, `a ± b`, `a / b`, `a of b`, `[a, b]`, `a–b`. A dagger or an asterisk goes.
fn numbers(cell: &str) -> Option<Vec<String>> {
    let bare = cell
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '†' | '‡' | '[' | ']' | '(' | ')' | '~' | '≈'));
    // `p = .09` is the number with its name.
    let bare = match bare.split_once('=') {
        Some((name, value)) if name.trim().chars().all(char::is_alphabetic) && !name.trim().is_empty() => value.trim(),
        _ => bare,
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &[&str], rows: &[&[&str]]) -> DocumentTable {
        let texts = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        let rows = rows.iter().enumerate().map(|(at, cells)| (at + 3, texts(cells))).collect();
        DocumentTable { heading: "T".to_owned(), header: texts(header), rows }
    }

    #[test]
    fn every_cell_of_a_column_is_proposed_or_said() {
        let proposal = propose(
            "a.md",
            0,
            &table(&["Family", "p"], &[&["a", ".09-we"], &["b", "p = .09"], &["c", "1.3"], &["d", ""]]),
        )
        .unwrap();
        let cells: Vec<&[String]> = proposal.rows.iter().map(|(_, cells)| cells[0].as_slice()).collect();
        assert_eq!(cells, [&[][..], &[".09".to_owned()], &["1.3".to_owned()], &[]]);
        assert_eq!(proposal.left_out, [(3, "p".to_owned(), ".09-we".to_owned())]);
        assert_eq!(proposal.doubtful, [(5, "p".to_owned(), "1.3 is impossible as p".to_owned())]);
    }

    #[test]
    fn a_column_without_a_number_is_said_cell_by_cell() {
        let rows: &[&[&str]] = &[&["a", "1.5", "2,4"], &["b", "1.7", "words"]];
        let proposal = propose("a.md", 0, &table(&["Family", "ratio", "odd"], rows)).unwrap();
        assert_eq!(proposal.columns.len(), 1);
        assert_eq!(proposal.left_out, [(3, "odd".to_owned(), "2,4".to_owned())]);
    }
}
