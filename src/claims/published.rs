//! Published tables: as a source of printed values, and as claims row by row.

use super::binding::Bindings;
use super::expression::Quantity;
use super::judgement::{RowJudgement, TableJudgement, Verdict};
use super::ledger::PublishedTable;
use super::missing;
use super::printed::{Position, Printed};
use super::sources::Finder;
use crate::digest::Digest;
use crate::table::{Cell, Table, read_csv};

/// A published CSV, read.
#[derive(Debug)]
pub(super) struct Parsed {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Why it could not be read; then it has no rows.
    pub(super) damage: Option<String>,
}

impl Parsed {
    /// Reads CSV text.
    pub(super) fn read(text: &str) -> Self {
        match read_csv(text) {
            Ok((header, rows)) => Self { header, rows, damage: None },
            Err(error) => Self { header: Vec::new(), rows: Vec::new(), damage: Some(error.to_string()) },
        }
    }

    /// Position of a column.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|header| header == name)
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Text of a cell.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<&str> {
        self.rows.get(row)?.get(column).map(String::as_str)
    }

    /// Number in a cell. Whole numbers are taken as exact counts; a number with decimals may be any
    /// value that prints like it.
    pub(super) fn number(&self, row: usize, column: usize) -> Result<Quantity, String> {
        let text = self.cell(row, column).unwrap_or("");
        let printed = Printed::read(text).ok_or_else(|| match text {
            "" => "the published cell is empty".to_owned(),
            text => format!("the published cell `{text}` is no number"),
        })?;
        if printed.decimals <= 0 {
            return Ok(Quantity::exact(printed.value));
        }
        let (low, high) = printed.interval();
        Ok(Quantity::between(printed.value, low, high))
    }
}

/// Judges every row of a published table against the recomputed one.
pub(super) fn judge(claim: &PublishedTable, ledger: &str, bindings: &Bindings, finder: &Finder<'_>) -> TableJudgement {
    let stem = claim.file.rsplit('/').next().unwrap_or(&claim.file).trim_end_matches(".csv");
    let text = finder.sources.published.get(stem);
    let mut judgement = TableJudgement {
        id: claim.id.clone(),
        ledger: ledger.to_owned(),
        area: claim.area.clone(),
        file: claim.file.clone(),
        table: claim.table.clone(),
        rows: claim.rows.unwrap_or(0),
        cells: 0,
        verdicts: [].into(),
        verdict: Verdict::NotCheckable,
        exceptions: Vec::new(),
        digest_agrees: None,
        unreadable: false,
        remark: None,
    };
    let (Some(text), Some(parsed)) = (text, finder.published(stem)) else {
        judgement.remark = Some(format!("the published file {} is not in the archive", claim.file));
        return all_alike(judgement, Verdict::NotCheckable);
    };
    judgement.digest_agrees =
        claim.sha256.as_ref().map(|digest| Digest::of(text.as_bytes()).to_string().eq_ignore_ascii_case(digest));
    judgement.rows = parsed.len();
    if let Some(damage) = &parsed.damage {
        judgement.unreadable = true;
        judgement.remark = Some(format!("the published file cannot be read: {damage}"));
        return all_alike(judgement, Verdict::NotCheckable);
    }
    // A ledger may name the table by the published file, which the study declares as one of this id.
    let declared = finder.sources.study.published.iter().find(|published| published.stem() == claim.table);
    let wanted = declared.map_or(claim.table.as_str(), |published| published.table.as_str());
    let Some(table) = finder.sources.tables.iter().find(|table| table.id == wanted) else {
        judgement.remark = Some(lacking(claim, bindings, finder));
        return all_alike(judgement, Verdict::NotCheckable);
    };
    if !claim.keys.is_empty() && claim.keys.iter().all(|key| parsed.column(key).is_none()) {
        judgement.unreadable = true;
        judgement.remark = Some(format!(
            "the published file has none of the columns {}; are its fields separated by commas?",
            claim.keys.join(", ")
        ));
        return all_alike(judgement, Verdict::NotCheckable);
    }
    judgement.remark = rebuilt(stem, finder);
    let agreement = match &judgement.remark {
        Some(_) => Verdict::SameByConstruction,
        None if table.rebuilt => Verdict::Consistent,
        None => Verdict::Reproduced,
    };
    rows(judgement, claim, parsed, table, agreement)
}

/// Why there is no recomputed table.
fn lacking(claim: &PublishedTable, bindings: &Bindings, finder: &Finder<'_>) -> String {
    let absent = missing::absent(bindings, &claim.needs, finder.sources);
    if absent.is_empty() {
        return format!("no statistic could compute the table {} from what is archived", claim.table);
    }
    format!("absent: {}", absent.join(", "))
}

/// Says so when the records were themselves rebuilt from the table.
fn rebuilt(stem: &str, finder: &Finder<'_>) -> Option<String> {
    finder.sources.is_rebuilt_from(stem).then(|| {
        "runs of the archive say that they were rebuilt from this table, so agreement only shows that nothing was lost on the way".to_owned()
    })
}

fn all_alike(mut judgement: TableJudgement, verdict: Verdict) -> TableJudgement {
    judgement.verdict = verdict;
    judgement.verdicts = [(verdict, judgement.rows)].into();
    judgement
}

/// Judges the rows; a row that agrees gets the verdict `agreement`.
fn rows(
    mut judgement: TableJudgement,
    claim: &PublishedTable,
    parsed: &Parsed,
    table: &Table,
    agreement: Verdict,
) -> TableJudgement {
    let key_columns: Vec<&String> = claim.keys.iter().filter(|key| parsed.column(key).is_some()).collect();
    let index = index(table, &key_columns);
    let values: Vec<String> = values(claim, parsed);
    judgement.cells = values.len() * parsed.len();
    let mut verdicts = Vec::with_capacity(parsed.len());
    let mut messages = Vec::new();
    for row in 0..parsed.len() {
        let keys: Vec<String> = key_columns.iter().map(|key| text(parsed, row, key)).collect();
        let found = index.get(&keys).map(|&position| &table.rows[position]);
        let (verdict, message) = match found {
            None => (Verdict::Differs, "the recomputed table has no such row".to_owned()),
            Some(cells) => compare(parsed, row, &values, table, cells),
        };
        let verdict = if verdict == Verdict::Reproduced { agreement } else { verdict };
        *judgement.verdicts.entry(verdict).or_insert(0) += 1;
        verdicts.push(verdict);
        messages.push((keys, message));
    }
    let most = judgement.verdicts.iter().rev().max_by_key(|(_, count)| **count);
    judgement.verdict = most.map_or(Verdict::NotCheckable, |(verdict, _)| *verdict);
    for (row, ((keys, message), verdict)) in messages.into_iter().zip(verdicts).enumerate() {
        if verdict != judgement.verdict {
            judgement.exceptions.push(RowJudgement { line: row + 2, keys, verdict, message });
        }
    }
    judgement
}

fn text(parsed: &Parsed, row: usize, column: &str) -> String {
    parsed.column(column).and_then(|column| parsed.cell(row, column)).unwrap_or("").to_owned()
}

/// Columns to judge: those named, or all that are no keys. A name in parentheses stands for the others.
fn values(claim: &PublishedTable, parsed: &Parsed) -> Vec<String> {
    let others = || parsed.header.iter().filter(|header| !claim.keys.contains(header)).cloned().collect();
    if claim.values.is_empty() || claim.values.iter().any(|value| value.starts_with('(')) {
        return others();
    }
    claim.values.clone()
}

fn index(table: &Table, keys: &[&String]) -> std::collections::BTreeMap<Vec<String>, usize> {
    let columns: Vec<Option<usize>> =
        keys.iter().map(|key| table.columns.iter().position(|column| column.name == **key)).collect();
    let row_keys = |row: &Vec<Cell>| {
        columns.iter().map(|column| column.map_or_else(String::new, |column| row[column].printed())).collect()
    };
    table.rows.iter().enumerate().map(|(position, row)| (row_keys(row), position)).collect()
}

fn compare(parsed: &Parsed, row: usize, values: &[String], table: &Table, cells: &[Cell]) -> (Verdict, String) {
    let mut worst = (Verdict::Reproduced, String::new());
    for name in values {
        let printed = text(parsed, row, name);
        let own = table.columns.iter().position(|column| column.name == *name).map(|column| &cells[column]);
        let (verdict, message) = match own {
            None => (Verdict::NotCheckable, format!("the recomputed table has no column {name}")),
            Some(Cell::Undefined(reason)) if printed.is_empty() => (Verdict::Reproduced, reason.to_string()),
            Some(Cell::Undefined(reason)) => (Verdict::NotCheckable, format!("{name}: {reason}")),
            Some(cell) => {
                let found = cell.printed();
                (cell_verdict(&printed, cell, &found), format!("{name}: printed {printed}, recomputed {found}"))
            }
        };
        if verdict > worst.0 {
            worst = (verdict, message);
        }
    }
    worst
}

fn cell_verdict(printed: &str, cell: &Cell, found: &str) -> Verdict {
    if printed == found {
        return Verdict::Reproduced;
    }
    let value = match cell {
        Cell::Real { value, .. } => *value,
        Cell::Integer(count) => *count as f64,
        Cell::Text(_) | Cell::Undefined(_) => return Verdict::Differs,
    };
    match Printed::read(printed).map(|number| number.position(value, value)) {
        Some(Position::Inside) => Verdict::Reproduced,
        Some(Position::OtherNeighbour) => Verdict::RoundsTheOtherWay,
        Some(Position::Outside) | None => Verdict::Differs,
    }
}
