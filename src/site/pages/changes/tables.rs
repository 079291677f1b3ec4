//! The tables of what changed, level by level.

use super::{is_point, source};
use crate::diff::{Change, DiffRow, Difference};
use crate::site::pages::claim_href;
use crate::site::pages::outcomes::significant;
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet};
use crate::site::view::View;
use crate::statistics::Keys;

/// Longest table of the page; the data file has every row.
const MOST: usize = 400;

/// A table of at most [`MOST`] rows; nothing for none.
fn sheet(
    id: &str,
    title: &str,
    heads: Vec<Head>,
    rows: &[&DiffRow],
    cells: impl Fn(&DiffRow) -> Vec<Cell>,
) -> Option<Sheet> {
    if rows.is_empty() {
        return None;
    }
    let mut sheet = Sheet::new(id, format!("{title}: {}", crate::number::grouped(rows.len() as u64)), heads);
    sheet.filter = rows.len() > 20;
    rows.iter().take(MOST).for_each(|row| sheet.push(cells(row)));
    if rows.len() > MOST {
        sheet.note = format!("The first {MOST} are shown; the data file has all of them.");
    }
    Some(sheet.sourced(source()))
}

fn side(text: Option<&String>) -> Cell {
    let Some(text) = text else { return Cell::missing("this version has none") };
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Cell::number(value, significant(value)).explained(text.as_str()),
        _ => Cell::text(text.as_str()),
    }
}

/// What happened to a thing as a whole, or which member changed.
fn what(row: &DiffRow) -> Cell {
    Cell::text(if row.member.is_empty() { row.change.word() } else { &row.member })
}

pub(super) fn records(view: &View<'_>, id: &str, title: &str, rows: &[&DiffRow]) -> Option<Sheet> {
    let heads = ["Problem", "Configuration", "Experiment", "Run", "What", "Before", "Now"].map(Head::text);
    sheet(id, title, heads.into(), rows, |row| {
        let part = |index: usize| row.key.get(index).map_or("", String::as_str);
        let (experiment, configuration, run, problem) = (part(0), part(1), part(2), part(3));
        let named = Cell::text(if problem.is_empty() { "(the whole run)" } else { problem });
        let grid = view.grids.iter().find(|grid| grid.experiment.id.as_str() == experiment);
        let exists = |grid: &&crate::site::grid::Grid<'_>| {
            view.position(grid.experiment.set.as_str(), problem).is_some() && grid.row(configuration).is_some()
        };
        let named = match grid.filter(exists) {
            Some(grid) => named.to(view.record_href(grid, configuration, problem)),
            None => named,
        };
        vec![
            named,
            of_configuration(view, configuration),
            Cell::text(experiment),
            Cell { class: "num", ..Cell::text(run) },
            what(row),
            side(row.before.as_ref()),
            side(row.after.as_ref()),
        ]
    })
}

fn of_configuration(view: &View<'_>, key: &str) -> Cell {
    match view.configuration(key) {
        Some(configuration) => Cell::link(key, routes::configuration(configuration.key.as_str())),
        None => Cell::text(key),
    }
}

/// One line per statistic: how many of its values moved, and how far the farthest.
pub(super) fn by_statistic(view: &View<'_>, difference: &Difference) -> Option<Sheet> {
    let heads = vec![
        Head::text("Statistic"),
        Head::num("Moved", "values"),
        Head::num("Appeared", "values"),
        Head::num("Went", "values"),
        Head::num("Largest shift", "in its unit"),
    ];
    let mut sheet = Sheet::new("by-statistic", "Values that moved, by statistic", heads);
    for about in view.input.registry.statistics.iter().map(|statistic| statistic.about()) {
        let of = |row: &&DiffRow| row.key.first().is_some_and(|id| id == about.id) && is_point(row);
        let rows: Vec<&DiffRow> = difference.statistics.iter().filter(of).collect();
        if rows.is_empty() {
            continue;
        }
        let count = |change: Change| Cell::count(rows.iter().filter(|row| row.change == change).count());
        let largest = rows.iter().filter_map(|row| shift(row)).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let name = Cell::text(about.title);
        sheet.push(vec![
            if view.has_method(about.id) { name.to(routes::method(about.id)) } else { name },
            count(Change::Changed),
            count(Change::Added),
            count(Change::Removed),
            largest.map_or_else(|| Cell::missing("no number moved to another number"), signed),
        ]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(source()))
}

/// After minus before, where both are numbers.
fn shift(row: &DiffRow) -> Option<f64> {
    let number = |text: &Option<String>| text.as_ref()?.parse::<f64>().ok().filter(|value| value.is_finite());
    Some(number(&row.after)? - number(&row.before)?)
}

fn signed(value: f64) -> Cell {
    let text = significant(value);
    Cell::number(value, if value > 0.0 { format!("+{text}") } else { text })
}

pub(super) fn statistics(view: &View<'_>, id: &str, title: &str, rows: &[&DiffRow]) -> Option<Sheet> {
    let heads = vec![
        Head::text("Statistic"),
        Head::text("Measure"),
        Head::text("Of"),
        Head::num("Before", ""),
        Head::num("Now", ""),
        Head::num("Shift", ""),
    ];
    sheet(id, title, heads, rows, |row| {
        let [statistic, measure, basis, keys @ ..] = row.key.as_slice() else {
            return vec![Cell::text(row.subject.clone()); 6];
        };
        let keys: Keys = keys.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let name = Cell::text(statistic.as_str());
        let name = match view.input.registry.statistics.iter().map(|s| s.about()).find(|about| about.id == statistic) {
            Some(about) => name.to(view.fact_href(about.id, measure, &keys)),
            None => name,
        };
        let words: Vec<String> = keys.iter().map(|(key, value)| format!("{key} {value}")).collect();
        vec![
            name,
            Cell::text(measure.as_str()).aside(if basis == "records" { "" } else { basis.as_str() }),
            Cell::text(words.join(", ")),
            side(row.before.as_ref()),
            side(row.after.as_ref()),
            shift(row).map_or_else(|| Cell::missing(row.change.word()), signed),
        ]
    })
}

pub(super) fn claims(view: &View<'_>, id: &str, title: &str, rows: &[&DiffRow]) -> Option<Sheet> {
    let heads = ["Claim", "What", "Before", "Now"].map(Head::text);
    sheet(id, title, heads.into(), rows, |row| {
        let [ledger, id] = row.key.as_slice() else { return vec![Cell::text(row.subject.clone()); 4] };
        let found = view.input.judgements.iter().flat_map(|judged| &judged.claims);
        let name = match found.clone().find(|claim| claim.ledger == *ledger && claim.id == *id) {
            Some(claim) => Cell::link(claim.statement.clone(), claim_href(view, claim)).aside(id.as_str()),
            None => Cell::text(id.as_str()).aside(ledger.as_str()),
        };
        vec![name, what(row), side(row.before.as_ref()), side(row.after.as_ref())]
    })
}

/// Both sides of a change of a problem; texts that are read are compared word by word.
fn texts(row: &DiffRow) -> [Cell; 2] {
    let read = |side: &Option<String>| side.as_ref().is_some_and(|text| text.len() > 80 || text.contains('\n'));
    if row.change == Change::Changed && (read(&row.before) || read(&row.after)) {
        let marked = crate::site::diff::both(row.before.as_deref(), row.after.as_deref());
        let sort = row.after.clone().unwrap_or_default();
        return [Cell::missing("marked in the next column"), Cell::html(marked, sort)];
    }
    [side(row.before.as_ref()), side(row.after.as_ref())]
}

pub(super) fn problems(view: &View<'_>, rows: &[DiffRow]) -> Option<Sheet> {
    let rows: Vec<&DiffRow> = rows.iter().collect();
    let heads = ["Problem", "Set", "What", "Before", "Now"].map(Head::text);
    sheet("problems", "Problems added, edited and removed", heads.into(), &rows, |row| {
        let [set, id] = row.key.as_slice() else { return vec![Cell::text(row.subject.clone()); 5] };
        let name = Cell::text(id.as_str());
        let name = match view.position(set, id) {
            Some(_) => name.to(routes::problem(set, id)),
            None => name,
        };
        let [before, after] = texts(row);
        vec![name, Cell::text(set.as_str()), what(row), before, after]
    })
}
