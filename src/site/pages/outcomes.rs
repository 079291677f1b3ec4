//! Outcomes on one problem: configuration by run with returned values, and values that many runs share.

use serde::Serialize;

use crate::archive::{Actual, Record, State};
use crate::corpus::{Problem, Shortcut};
use crate::markup::{Html, escape};
use crate::number;
use crate::site::grid::Grid;
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

use super::problems::words;

/// Runs that returned nearly the same value for one part.
#[derive(Debug, Serialize)]
pub(crate) struct Cluster {
    experiment: String,
    part: String,
    sheet: Sheet,
}

/// The grid of one experiment.
pub(crate) fn sheet(view: &View<'_>, grid: &Grid<'_>, problem: &Problem) -> Sheet {
    let id = problem.id.as_str();
    let most = grid.rows.iter().map(|row| row.runs.len()).max().unwrap_or(0);
    let mut heads = vec![Head::text("Configuration")];
    heads.extend((1..=most).map(|run| Head::text(if most == 1 { "Outcome".to_owned() } else { format!("Run {run}") })));
    heads.push(Head::num("Passed", ""));
    let caption = format!("Outcomes: {}", words(grid));
    let mut sheet = Sheet::new(routes::anchor(&format!("outcomes {}", grid.experiment.id)), caption, heads);
    for configuration in &view.order {
        let Some(row) = grid.row(configuration.key.as_str()).filter(|row| row.present() > 0) else { continue };
        let own = view.own_page(grid, configuration.key.as_str(), id);
        let mut cells = vec![Cell::link(configuration.name.clone(), routes::configuration(configuration.key.as_str()))];
        for record in row.records(id).chain(std::iter::repeat(None)).take(most) {
            let cell = outcome(record, problem.shortcut.as_ref(), view.input.study.grading.capture);
            cells.push(match &own {
                Some(href) => cell.to(href.clone()),
                None => cell,
            });
        }
        let outcome = row.outcome(id);
        cells.push(Cell::count(outcome.passed as usize).aside(format!("of {}", outcome.counted)));
        sheet.push_named(routes::anchor(&format!("{} {}", grid.experiment.id, configuration.key)), cells);
    }
    sheet.sourced(view.with_runs(Source::default(), grid).with_file("outcomes", crate::site::data::outcome_path(grid)))
}

/// Verdict with mark, word and returned values.
fn outcome(record: Option<&Record>, shortcut: Option<&Shortcut>, capture: f64) -> Cell {
    let Some(record) = record else { return Cell::missing("no record") };
    let (mark, class, word) = match record.state() {
        State::Pass => ("✓", "pass", "passed"),
        State::Excluded => ("·", "gone", "infrastructure error, not counted"),
        State::Fail if shortcut.is_some_and(|shortcut| captured(record, shortcut, capture)) => {
            ("◆", "capt", "took the shortcut")
        }
        State::Fail if record.gradability() == crate::archive::Gradability::Ungradable => {
            ("×", "fail", "failed, not gradable")
        }
        State::Fail => ("✗", "fail", "failed"),
    };
    let values: Vec<String> = record.own_details().iter().map(|d| actual(&d.actual)).collect();
    let shown: String = if record.has_borrowed_values() {
        "own value not archived".to_owned()
    } else {
        values.join("; ").chars().take(60).collect()
    };
    let html = format!(
        "<span class=\"run {class}\" aria-hidden=\"true\">{mark}</span><span class=\"hidden\">{word}</span> {}",
        escape(&shown)
    );
    let reason = record.failed_reason.as_deref().or(record.error.as_deref());
    Cell::html(Html::trusted(html), word)
        .explained(reason.map_or(word.to_owned(), |reason| format!("{word}: {reason}")))
}

/// A returned value in at most seven significant digits.
pub(crate) fn actual(value: &Actual) -> String {
    match value {
        Actual::Missing => "nothing".to_owned(),
        Actual::Number(number) => significant(*number),
        Actual::Text(text) => format!("“{text}”"),
    }
}

/// Seven significant digits, without trailing zeros.
pub(crate) fn significant(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return number::repr(value);
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-5..=9).contains(&exponent) {
        let text = format!("{value:.6e}");
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", mantissa.trim_end_matches('0').trim_end_matches('.'));
    }
    let text = number::fixed(value, (6 - exponent).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The study's rule of capture: failed, as many values as the shortcut, each within the tolerance.
pub(crate) fn captured(record: &Record, shortcut: &Shortcut, tolerance: f64) -> bool {
    let Some(details) = &record.details else { return false };
    record.state() == State::Fail
        && !details.is_empty()
        && details.len() == shortcut.values.len()
        && details.iter().zip(&shortcut.values).all(|(detail, (_, expected))| match detail.actual {
            Actual::Number(a) if *expected == 0.0 => a.abs() < 1e-9,
            Actual::Number(a) => (a - expected).abs() <= tolerance * expected.abs(),
            _ => false,
        })
}

/// Wrong values that several configurations return, by part. Values are joined while the next is within
/// 1 % of the first of its group.
pub(crate) fn clusters(view: &View<'_>, grid: &Grid<'_>, problem: &Problem) -> Vec<Cluster> {
    let mut parts = Vec::new();
    for sub in problem.subs() {
        let mut wrong: Vec<(f64, &str)> = Vec::new();
        for row in &grid.rows {
            for record in row.records(problem.id.as_str()).flatten() {
                for detail in record.own_details().iter().filter(|d| &*d.sub == sub && !d.passed) {
                    if let Actual::Number(value) = detail.actual {
                        wrong.push((value, row.configuration.key.as_str()));
                    }
                }
            }
        }
        let groups: Vec<Vec<(f64, &str)>> = groups(wrong).into_iter().filter(|group| group.len() > 1).collect();
        if groups.is_empty() {
            continue;
        }
        let heads =
            vec![Head::num("Value", ""), Head::num("Runs", ""), Head::num("Configurations", ""), Head::text("Which")];
        let caption =
            format!("Wrong values returned more than once, part {}", if sub.is_empty() { "(no name)" } else { sub });
        let id = routes::anchor(&format!("clusters {} {sub}", grid.experiment.id));
        let mut sheet = Sheet::new(id, caption, heads);
        for group in groups {
            let mut keys: Vec<&str> = group.iter().map(|(_, key)| *key).collect();
            keys.dedup();
            keys.sort_unstable();
            keys.dedup();
            let (low, high) = (group[0].0, group[group.len() - 1].0);
            let text =
                if low == high { significant(low) } else { format!("{} to {}", significant(low), significant(high)) };
            let names: Vec<&str> = keys.iter().map(|key| view.name(key)).collect();
            sheet.push(vec![
                Cell::number(low, text),
                Cell::count(group.len()),
                Cell::count(keys.len()),
                Cell::text(names.join(", ")),
            ]);
        }
        sheet
            .rows
            .sort_by_key(|row| std::cmp::Reverse(row.cells[1].sort.as_deref().and_then(|s| s.parse::<usize>().ok())));
        parts.push(Cluster { experiment: words(grid), part: sub.to_owned(), sheet });
    }
    parts
}

/// Values in groups: the next joins while it is within 1 % of the first of its group.
pub(crate) fn groups(mut values: Vec<(f64, &str)>) -> Vec<Vec<(f64, &str)>> {
    values.retain(|(value, _)| value.is_finite());
    values.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    let mut groups: Vec<Vec<(f64, &str)>> = Vec::new();
    for value in values {
        match groups.last_mut() {
            Some(group) if (value.0 - group[0].0).abs() <= 0.01 * group[0].0.abs() => group.push(value),
            _ => groups.push(vec![value]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_values_are_one_group() {
        let found = groups(vec![(1.0, "a"), (2.0, "b"), (1.005, "b"), (f64::NAN, "c"), (-1.0, "a"), (-1.001, "b")]);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
    }

    #[test]
    fn values_keep_seven_digits() {
        assert_eq!(
            [0.0, 19.75, 1.0 / 3.0, 1e-19, 123_456_789.0, -2.5e20].map(significant),
            ["0.0", "19.75", "0.3333333", "1e-19", "123456789", "-2.5e20"]
        );
    }
}
