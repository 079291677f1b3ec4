//! A recomputed table as a table of a page.

use super::{Cell, Head, Sheet, Source, heads, p_text};
use crate::site::routes;
use crate::site::view::View;
use crate::table::{Cell as Value, Table};

impl Sheet {
    /// A recomputed table; names of configurations, problems and categories become links.
    pub(crate) fn of_table(view: &View<'_>, table: &Table) -> Self {
        let heads = table.columns.iter().map(|column| match view.configuration(&column.name) {
            Some(of) => Head { text: of.name.clone(), ..heads::head(column) },
            None => heads::head(column),
        });
        let mut sheet = Self::new(routes::anchor(&table.id), table.title.clone(), heads.collect());
        let decimals: Vec<usize> = (0..table.columns.len()).map(|at| most_decimals(table, at)).collect();
        for row in &table.rows {
            let cells = row.iter().zip(&table.columns).zip(&decimals).map(|((cell, column), decimals)| {
                let cell = of_value(cell, column.unit, *decimals);
                let Some(href) = link_target(view, &column.name, &cell.text) else { return cell };
                // A key of a configuration stands for its name.
                match view.configuration(&cell.text).filter(|named| named.name != cell.text) {
                    Some(named) => Cell { text: named.name.clone(), ..cell.explained(named.key.as_str()) }.to(href),
                    None => cell.to(href),
                }
            });
            sheet.push(cells.collect());
        }
        sheet.filter = table.rows.len() > 20;
        sheet.source = Source::of_table(view, table);
        sheet
    }
}

/// An integer with groups of thousands.
fn grouped_integer(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "" };
    format!("{sign}{}", crate::number::grouped(count.unsigned_abs()))
}

/// Most decimals of a share or a difference on a page.
const DECIMALS: usize = 2;

/// Most decimals of another number on a page; one with more was written to its last bit.
const LONG: usize = 6;

/// Decimals of the number in a column that has most of them.
fn most_decimals(table: &Table, at: usize) -> usize {
    let of = |row: &Vec<Value>| match row.get(at) {
        Some(Value::Real { text, .. }) => decimals(text),
        _ => 0,
    };
    table.rows.iter().map(of).max().unwrap_or(0)
}

fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, digits)| digits.len())
}

/// A number as people read it, shares and differences of a column with equally many decimals; the file beside the table, and the tooltip, have every digit.
fn readable(value: f64, text: &str, unit: &str, in_column: usize) -> Cell {
    let decimals = decimals(text);
    let short = match unit {
        "p" if decimals > DECIMALS + 2 => p_text(value),
        "percent" | "points" if in_column.max(decimals) > decimals.min(DECIMALS) => {
            let printed = if text.starts_with('+') { crate::number::signed } else { crate::number::fixed };
            printed(value, in_column.min(DECIMALS))
        }
        _ if decimals > LONG => crate::number::significant(value, 4),
        _ => return Cell::number(value, text),
    };
    Cell::number(value, short).explained(text)
}

fn of_value(value: &Value, unit: &str, in_column: usize) -> Cell {
    match value {
        // A name of the study's own for a sum stands without its underscores.
        Value::Text(text) if text.len() > 4 && text.starts_with("__") && text.ends_with("__") => {
            Cell::text(text.trim_matches('_').replace('_', " ")).explained(&**text)
        }
        Value::Text(text) => Cell::text(&**text),
        Value::Integer(count) => Cell::number(*count as f64, grouped_integer(*count)),
        Value::Real { value, text } => readable(*value, text, unit, in_column),
        Value::Undefined(reason) => Cell::missing(&**reason),
    }
}

/// Where the name in a cell leads, judged by the column it stands in and by whether such a thing exists.
fn link_target(view: &View<'_>, column: &str, text: &str) -> Option<String> {
    match column {
        "model" | "config" | "configuration" | "display_name" | "key" => {
            view.configuration(text).map(|c| routes::configuration(c.key.as_str()))
        }
        "id" | "problem" | "problem_id" | "parent" | "parent_id" | "item" => problem(view, &[""], text),
        _ => {
            let (_, affixes) = view.input.registry.problem_columns.iter().find(|(name, _)| *name == column)?;
            problem(view, affixes, text)
        }
    }
}

/// Address of the problem that a table names, perhaps without what its id begins or ends with: each affix has a `*`
/// where the name stands.
fn problem(view: &View<'_>, affixes: &[&str], text: &str) -> Option<String> {
    let whole = |affix: &&str| if affix.is_empty() { text.to_owned() } else { affix.replace('*', text) };
    let names: Vec<String> = affixes.iter().map(whole).collect();
    view.input.corpus.sets.iter().find_map(|set| {
        let id = names.iter().find(|name| set.get(name).is_some())?;
        Some(routes::problem(set.id.as_str(), id))
    })
}
