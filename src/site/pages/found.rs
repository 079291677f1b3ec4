//! What the recomputation found: written from data, strongest first.

use std::collections::{BTreeMap, BTreeSet};

use super::audit;
use super::chapter::{self, Chapter, Section};
use super::claim_rows;
use super::counts::many;
use super::outcomes::significant;
use crate::archive::{Actual, Record};
use crate::claims::{Judgement, Verdict};
use crate::grade::Reason;
use crate::markup::{Html, escape};
use crate::site::grid::Grid;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::verify::LensRow;

/// The page.
pub(crate) struct Found;

/// Backbones that must agree on a wrong value before it is listed.
const AGREEING: usize = 3;

/// Problems that a row names; the linked page has all of them.
const NAMED: usize = 12;

impl Page for Found {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "findings/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Overview, "What the recomputation found"))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "This page is made from the archive and the recomputation; where words of a ledger are quoted, they are its author's. It lists what a reader should know before trusting a number, whether it changes a conclusion or not.";
        let mut page = Chapter::new("What the recomputation found", lead);
        page.add(claims(view));
        page.add(leniencies(view));
        page.add(shortcuts(view));
        page.add(consensus(view));
        page.add(replays(view));
        page.add(hard_coded(view));
        page.add(conflicts(view));
        page.add(codes(view));
        Ok(page
            .body("Contradicted claims, lenient grading, shortcuts that pass, wrong answers that many models share."))
    }
}

fn claims(view: &View<'_>) -> Section {
    let judged = view.input.judgements.iter().flat_map(|judged| &judged.claims);
    let wrong: Vec<&Judgement> = judged.filter(|claim| claim.verdict.contradicts()).collect();
    let count = |verdict| wrong.iter().filter(|claim| claim.verdict == verdict).count();
    let kinds = [
        (Verdict::Differs, "differs from the recomputed value", "differ from the recomputed value"),
        (
            Verdict::RoundsTheOtherWay,
            "is the other neighbour of it (it rounds the other way)",
            "are the other neighbour of it (they round the other way)",
        ),
        (Verdict::Impossible, "cannot come from any archive", "cannot come from any archive"),
    ];
    let said: Vec<String> = kinds
        .iter()
        .filter(|(verdict, ..)| count(*verdict) > 0)
        .map(|(verdict, one, more)| many(count(*verdict), one, more))
        .collect();
    let text = format!("Of the printed numbers, {}.", said.join("; "));
    let section = Section::new("claims", "Printed numbers that do not follow", text);
    if wrong.is_empty() {
        section
    } else {
        section.sheets([claim_rows::sheet(
            view,
            "wrong-claims",
            many(wrong.len(), "printed number", "printed numbers"),
            &wrong,
            true,
        )])
    }
}

fn leniencies(view: &View<'_>) -> Section {
    let heads = vec![
        Head::text("Leniency"),
        Head::num("Answers", ""),
        Head::num("Verdicts that rest on it", ""),
        Head::text("Problems"),
    ];
    let mut sheet = Sheet::new("leniencies", "Answers that pass the study's rule and not the strict one", heads);
    for reason in Reason::ALL {
        let rows =
            || view.input.ledger.lenses.iter().filter(|row| row.reason == *reason && row.reference && !row.strict);
        if rows().next().is_none() {
            continue;
        }
        let problems: BTreeSet<(&str, &str)> = rows().map(|row| (set_of(view, row), row.id.as_str())).collect();
        let records: BTreeSet<_> = rows().filter(|row| row.record_differs).map(|row| (&row.run, &row.id)).collect();
        sheet.push(vec![
            Cell::link(reason.as_str().replace('-', " "), format!("grading/index.html#reason-{}", reason.as_str()))
                .explained(reason.meaning()),
            Cell::count(rows().count()),
            Cell::count(records.len()),
            Cell::html(named(view, &problems), problems.len().to_string()),
        ]);
    }
    let text = "Where the study's grading rule accepts an answer that a careful scientist would not, and how many verdicts rest on that.";
    let section = Section::new("leniencies-section", "Lenient grading", text);
    if sheet.rows.is_empty() {
        section
    } else {
        section.sheets([sheet.sourced(Source::default().with_file("ledger", "data/ledger.json"))])
    }
}

/// The set of the problems that a run was asked.
fn set_of<'v>(view: &View<'v>, row: &LensRow) -> &'v str {
    view.input
        .study
        .experiments
        .iter()
        .find(|e| e.id == row.run.experiment)
        .map_or("", |experiment| experiment.set.as_str())
}

/// The first problems of a list as links, and how many more there are.
fn named(view: &View<'_>, problems: &BTreeSet<(&str, &str)>) -> Html {
    let link = |(set, id): &(&str, &str)| match view.position(set, id) {
        Some(_) => format!("<a href=\"../{}\">{}</a>", escape(&routes::problem(set, id)), escape(id)),
        None => escape(id),
    };
    let shown: Vec<String> = problems.iter().take(NAMED).map(link).collect();
    let more = problems.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Html::trusted(format!("{}{more}", shown.join(", ")))
}

fn shortcuts(view: &View<'_>) -> Section {
    let heads = vec![Head::text("Problem"), Head::text("Shortcut")];
    let mut sheet = Sheet::new("passing-shortcuts", "Problems that accept the shortcut stored with them", heads);
    for solver in view.input.ledger.solvers.iter().filter(|solver| solver.accepted == Some(true)) {
        let (set, id) = (solver.set.as_str(), solver.id.as_str());
        let Some(position) = view.position(set, id) else { continue };
        let words = view.at(position).1.shortcut.as_ref().map_or("", |shortcut| shortcut.words.as_str());
        sheet.push(vec![Cell::link(id, format!("{}#shortcut", routes::problem(set, id))), Cell::text(words)]);
    }
    let text = "That a model takes the shortcut can never be observed on these problems, and their solve rates are upper bounds.";
    let section = Section::new("shortcuts", "Shortcuts that pass", text);
    if sheet.rows.is_empty() { section } else { section.sheets([sheet]) }
}

/// Wrong values on which several independent models agree.
fn consensus(view: &View<'_>) -> Section {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Part"),
        Head::num("Wrong value", ""),
        Head::text("Accepted"),
        Head::num("Runs", ""),
        Head::num("Models", "independent"),
    ];
    let mut sheet = Sheet::new("consensus", "Wrong values that independent models share", heads);
    for grid in view.grids.iter().filter(|grid| grid.is_present()) {
        rows_of(view, grid, &mut sheet);
    }
    let text = format!(
        "The same wrong value from at least {AGREEING} different models is more likely a fault of the key or the statement than of all of them. Values are joined within 1 %."
    );
    let section = Section::new("consensus-section", "Wrong answers that agree", text);
    if sheet.rows.is_empty() {
        section
    } else {
        section.sheets([sheet.sourced(Source::of_statistics(view, &["convergent-audit", "residual-cluster"]))])
    }
}

fn rows_of(view: &View<'_>, grid: &Grid<'_>, sheet: &mut Sheet) {
    let Some(set) = grid.set else { return };
    for problem in &set.problems {
        let mut values: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
        for row in &grid.rows {
            for detail in row.records(problem.id.as_str()).flatten().flat_map(Record::own_details) {
                if let (Actual::Number(value), false) = (&detail.actual, detail.passed) {
                    values.entry(&detail.sub).or_default().push((*value, row.configuration.backbone.as_str()));
                }
            }
        }
        for (sub, list) in values {
            for group in super::outcomes::groups(list) {
                let backbones: BTreeSet<&str> = group.iter().map(|(_, backbone)| *backbone).collect();
                if backbones.len() < AGREEING {
                    continue;
                }
                let accepted: Vec<&str> =
                    problem.answers.iter().filter(|a| &*a.sub == sub).map(|a| &*a.value).collect();
                let href = format!("{}#clusters", routes::problem(set.id.as_str(), problem.id.as_str()));
                sheet.push(vec![
                    Cell::link(problem.id.as_str(), href),
                    Cell::text(if sub.is_empty() { "(no name)" } else { sub }),
                    Cell::number(group[0].0, significant(group[0].0)),
                    Cell::text(accepted.join(" or ")),
                    Cell::count(group.len()),
                    Cell::count(backbones.len()),
                ]);
            }
        }
    }
    let _ = view;
}

fn replays(view: &View<'_>) -> Section {
    let heads = vec![Head::text("Record"), Head::text("Problem"), Head::text("Cause"), Head::text("What differs")];
    let mut sheet = Sheet::new("replay-rows", "Archived programs that do not give the recorded result", heads);
    for replay in view.input.ledger.replays.iter().filter(|replay| !replay.agrees) {
        let key = replay.run.configuration.as_str();
        let grid = view.grids.iter().find(|grid| grid.experiment.id == replay.run.experiment);
        let own = grid.and_then(|grid| view.own_page(grid, key, replay.id.as_str()));
        let name = Cell::text(format!("{}, {} run {}", view.name(key), replay.run.experiment, replay.run.run));
        sheet.push(vec![
            match own {
                Some(own) => name.to(format!("{own}#run-{}", replay.run.run)),
                None => name,
            },
            Cell::text(replay.id.as_str()),
            Cell::text(replay.cause.map_or("", |cause| cause.as_str())),
            Cell::text(replay.remark.clone().unwrap_or_default()),
        ]);
    }
    let section = Section::new(
        "replays",
        "Replays that differ",
        "Executed again, these archived programs give another value or verdict than was recorded.",
    );
    if sheet.rows.is_empty() { section } else { section.sheets([sheet]) }
}

/// Programs that hold their answers, stored solvers before those of models.
fn hard_coded(view: &View<'_>) -> Section {
    let ledger = &view.input.ledger;
    let text =
        "An answer that is written down, or that no input moves, was not computed by the program that returns it.";
    let mut section = Section::new("hard-coded", "Hard-coded programs", text);
    let solvers: Vec<_> = ledger.audits.iter().filter(|row| row.computes == Some(false)).cloned().collect();
    if !solvers.is_empty() {
        section = section.sheets([audit::flagged(view, &solvers)]);
    }
    if !ledger.quoting.is_empty() {
        section = section.sheets([audit::quoting(view, &ledger.quoting)]);
    }
    section
}

fn conflicts(view: &View<'_>) -> Section {
    let heads = vec![Head::text("Disagreement"), Head::text("What each source says")];
    let mut sheet = Sheet::new("conflict-rows", "Sources that disagree with one another", heads);
    for conflict in view.input.judgements.iter().flat_map(|judged| &judged.conflicts) {
        let sides: Vec<String> = conflict.sides.iter().map(|side| format!("{}: {}", side.source, side.says)).collect();
        let href = super::conflicts::href(&conflict.id);
        sheet.push(vec![Cell::link(conflict.statement.clone(), href), Cell::text(sides.join(" · "))]);
    }
    let section = Section::new("conflicts", "Sources that disagree", "Both sides are shown; none is chosen.");
    if sheet.rows.is_empty() { section } else { section.sheets([sheet]) }
}

fn codes(view: &View<'_>) -> Section {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in view.input.findings.iter() {
        *counts.entry(finding.code).or_default() += 1;
    }
    let mut sheet = Sheet::new(
        "codes",
        "Findings by kind",
        vec![Head::text("Kind"), Head::text("Meaning"), Head::num("Findings", "")],
    );
    for (code, count) in counts {
        let meaning = crate::report::code(code).map_or("", |entry| entry.meaning);
        sheet.push(vec![
            Cell::link(code, format!("methods/index.html#code-{code}")),
            Cell::text(meaning),
            Cell::count(count),
        ]);
    }
    let section = Section::new(
        "codes-section",
        "Everything else",
        "All findings about files, records and formulas, by kind; the verification page lists each.",
    );
    if sheet.rows.is_empty() {
        section
    } else {
        section.sheets([sheet.sourced(Source::default().with_file("findings", "data/findings.json"))])
    }
}
