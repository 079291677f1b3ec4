//! Tables of comparisons: one row per configuration, and one per item that moved.

use super::{ABOUT, Compared, rule};
use crate::statistics::{Estimate, Output};
use crate::table::{Cell, Kind, Table};

/// One row per comparison and configuration.
pub(super) fn summary(compared: &[Compared<'_, '_>], output: &Output) -> Option<Table> {
    let columns = [
        ("comparison", Kind::Text, ""),
        ("configuration", Kind::Text, ""),
        ("rule", Kind::Text, ""),
        ("pairs", Kind::Integer, "items"),
        ("before", Kind::Real, "percent"),
        ("after", Kind::Real, "percent"),
        ("both", Kind::Integer, "items"),
        ("lost", Kind::Integer, "items"),
        ("gained", Kind::Integer, "items"),
        ("neither", Kind::Integer, "items"),
        ("difference", Kind::Real, "points"),
        ("low", Kind::Real, "points"),
        ("high", Kind::Real, "points"),
        ("p", Kind::Real, "p"),
        ("p_fraction", Kind::Text, ""),
        ("p_holm", Kind::Real, "p"),
    ];
    let mut table = Table::new("comparisons", "Comparisons of two arms by configuration", &[ABOUT.id], &columns);
    for one in compared {
        let id = one.declared.id.as_str();
        for (key, pairs) in &one.rows {
            let mut row = vec![Cell::text(id), Cell::text(*key), Cell::text(rule(one.declared))];
            match pairs {
                Ok(pairs) => {
                    let counts = pairs.counts();
                    let (before, after) = pairs.means();
                    let (difference, wald) = pairs.difference();
                    row.extend([pairs.len()].map(Cell::count));
                    row.extend([before, after].map(|percent| Cell::rounded(percent, 2)));
                    row.extend([counts.both, counts.lost, counts.gained, counts.neither].map(Cell::count));
                    row.extend([difference, wald.low, wald.high].map(|points| Cell::rounded(points, 2)));
                    row.push(Cell::full(counts.p().to_f64()));
                    row.push(Cell::Text(counts.p().to_string().into()));
                    row.push(adjusted(output, id, key));
                }
                Err(reason) => row.extend((3..columns.len()).map(|_| Cell::Undefined(reason.as_str().into()))),
            }
            table.push(row);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn adjusted(output: &Output, id: &str, key: &str) -> Cell {
    let fact = output.facts.iter().find(|fact| {
        fact.measure == "holm"
            && fact.keys.get("comparison").is_some_and(|own| own == id)
            && fact.keys.get("model").is_some_and(|own| own == key)
    });
    match fact.map(|fact| &fact.estimate) {
        Some(Estimate::Value { value, .. }) => Cell::full(*value),
        _ => Cell::Undefined("not tested".into()),
    }
}

/// One row per comparison, configuration and item whose state or share changed.
pub(super) fn table(compared: &[Compared<'_, '_>]) -> Option<Table> {
    let columns = [
        ("comparison", Kind::Text, ""),
        ("configuration", Kind::Text, ""),
        ("item", Kind::Text, ""),
        ("moved", Kind::Text, ""),
        ("before", Kind::Real, "percent"),
        ("after", Kind::Real, "percent"),
    ];
    let title = "Items that were lost or gained, by comparison and configuration";
    let mut table = Table::new("comparisons_moved", title, &[ABOUT.id], &columns);
    for one in compared {
        for (key, pairs) in one.known() {
            for pair in &pairs.list {
                let (before, after) = (pair.before.percent(), pair.after.percent());
                if pair.before == pair.after {
                    continue;
                }
                table.push(vec![
                    Cell::text(one.declared.id.as_str()),
                    Cell::text(key),
                    Cell::text(pair.item),
                    Cell::text(if after < before { "lost" } else { "gained" }),
                    Cell::rounded(before, 2),
                    Cell::rounded(after, 2),
                ]);
            }
        }
    }
    (!compared.is_empty()).then_some(table)
}
