//! What became of archived programs when they were executed again: causes, engines, extraction.

use std::collections::{BTreeMap, BTreeSet};

use super::chapter::{self, Chapter, Section};
use super::faithfulness::difference;
use crate::archive::RunKey;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::verify::{AttemptVerdict, Cause, Ran, ReplayVerdict};

/// The page.
pub(crate) struct Replay;

/// Rows shown of one table; all are in the data file.
const MOST: usize = 500;

impl Page for Replay {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "replay/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Replay"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "Every archived program was extracted from its response as the study did it, executed again and graded again. This page shows where that gives what was recorded, where it does not and why, where two interpreters differ, and which verdicts depend on how a program is found in a response.";
        let mut page = Chapter::new("Replay", lead);
        let ledger = &view.input.ledger;
        page.add(Section::new("engines", "Environments", "What executed the programs.").sheets([engines(view)]));
        if ledger.replays.is_empty() {
            page.say("records", "Records", "No response text is archived, or no engine was asked to execute it.");
        } else {
            let text = "A record agrees when the outcome of each attempt, the verdict, and every value and unit are as recorded.";
            let mut sheets = vec![by_experiment(&ledger.replays)];
            let differing: Vec<&ReplayVerdict> = ledger.replays.iter().filter(|row| !row.agrees).collect();
            if !differing.is_empty() {
                sheets.push(records(view, &differing));
            }
            page.add(Section::new("records", "Records", text).sheets(sheets));
        }
        environments(&mut page, view);
        let depends: Vec<&AttemptVerdict> = ledger.attempts.iter().filter(|row| row.extraction_differs).collect();
        let text = "The study took one code block of a response; a reader of Markdown takes the last Python block. Attempts in which these are two different programs, and whether the verdict depends on it.";
        if !depends.is_empty() {
            page.add(Section::new("extraction", "Which program was meant", text).sheets([extraction(view, &depends)]));
        } else if !ledger.attempts.is_empty() {
            page.say(
                "extraction",
                "Which program was meant",
                "In every archived attempt the block that the study took is also the last Python block.",
            );
        }
        Ok(page.body("Archived programs executed again: agreement, causes, engines, extraction."))
    }
}

/// The section about two engines, or the sentence that there was one.
fn environments(page: &mut Chapter, view: &View<'_>) {
    let ledger = &view.input.ledger;
    let heading = "Where environments differ";
    if ledger.engines.len() < 2 {
        page.say("environments", heading, "One environment executed the programs; --engine both asks a second one.");
    } else if ledger.disagreements.is_empty() {
        page.say("environments", heading, "Every program ended alike, with the same values to the last bit.");
    } else {
        let text = "A program counts as reproduced when either environment reproduces it. Each difference is listed with its cause.";
        page.add(Section::new("environments", heading, text).sheets([disagreements(view, &ledger.disagreements)]));
    }
}

fn engines(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Engine"),
        Head::text("Interpreter"),
        Head::text("Float sum()"),
        Head::text("Sandbox"),
        Head::num("Executions", "of each program")
            .explained("Two: under another hash seed, folder and clock; what differs is nondeterministic"),
        Head::num("Executed once", "programs")
            .explained("Of two executions asked for: nothing but the text of these programs decides what they return"),
    ];
    let mut sheet = Sheet::new("engine-rows", "Environments", heads);
    for engine in &view.input.ledger.engines {
        sheet.push(vec![
            Cell::text(engine.engine.clone()),
            Cell::text(engine.version.clone()),
            Cell::text(engine.float_sum.clone()),
            Cell::text(engine.level.clone()),
            Cell::count(engine.executions.into()),
            Cell::count(engine.settled as usize),
        ]);
    }
    sheet
}

fn by_experiment(rows: &[ReplayVerdict]) -> Sheet {
    let of = |cause: Cause, rows: &[&ReplayVerdict]| rows.iter().filter(|row| row.cause == Some(cause)).count();
    let all: Vec<&ReplayVerdict> = rows.iter().collect();
    let causes: Vec<Cause> = Cause::ALL.iter().copied().filter(|cause| of(*cause, &all) > 0).collect();
    let mut heads = vec![Head::text("Experiment"), Head::num("Records", ""), Head::num("As recorded", "")];
    let head = |cause: &Cause| Head::num(cause.as_str().replace('-', " "), "").explained(cause.meaning());
    heads.extend(causes.iter().map(head));
    let mut groups: BTreeMap<&str, Vec<&ReplayVerdict>> = BTreeMap::new();
    for row in rows {
        groups.entry(row.run.experiment.as_str()).or_default().push(row);
    }
    let mut sheet = Sheet::new("replay-experiments", "Replayed records by experiment and cause of difference", heads);
    for (experiment, rows) in groups {
        let mut cells = vec![
            Cell::text(experiment),
            Cell::count(rows.len()),
            Cell::count(rows.iter().filter(|row| row.agrees).count()),
        ];
        cells.extend(causes.iter().map(|cause| Cell::count(of(*cause, &rows))));
        sheet.push(cells);
    }
    sheet.sourced(ledger())
}

fn records(view: &View<'_>, rows: &[&ReplayVerdict]) -> Sheet {
    let heads = vec![
        Head::text("Record"),
        Head::text("Problem"),
        Head::text("Cause"),
        Head::text("Recorded"),
        Head::text("Found"),
        Head::text("Values"),
        Head::text("What differs"),
    ];
    let mut sheet = Sheet::new("replay-differences", "Records that differ", heads);
    for row in rows.iter().take(MOST) {
        sheet.push(vec![
            record(view, &row.run, row.id.as_str()),
            Cell::text(row.id.as_str()),
            row.cause.map_or(Cell::missing("none"), |cause| {
                Cell::text(cause.as_str().replace('-', " ")).explained(cause.meaning())
            }),
            verdict(row.recorded),
            verdict(row.found),
            Cell::text(difference(row.difference)),
            Cell::text(row.remark.clone().unwrap_or_default()),
        ]);
    }
    shown(sheet, rows.len()).sourced(ledger())
}

fn disagreements(view: &View<'_>, rows: &[Ran]) -> Sheet {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Where"),
        Head::text("Cause"),
        Head::text("Ended as"),
        Head::text("Values"),
        Head::text("Verdict"),
    ];
    let names = rows.first().map_or(String::new(), |row| row.engines.join(" and "));
    let mut sheet = Sheet::new("disagreements", format!("{} programs on which {names} differ", rows.len()), heads);
    for row in rows.iter().take(MOST) {
        sheet.push(vec![
            problem(view, row),
            Cell::text(row.place.clone()),
            Cell::text(row.cause.replace('-', " ")),
            Cell::text(row.statuses.join(" / ")),
            Cell::text(difference(row.difference)),
            if row.verdict_differs { Cell::text("✗ differs").classed("s-fail") } else { Cell::text("✓ the same") },
        ]);
    }
    shown(sheet, rows.len()).sourced(ledger())
}

/// The problem of a stored program, linked where its set has pages.
fn problem(view: &View<'_>, row: &Ran) -> Cell {
    let (set, id) = (row.place.split(' ').next().unwrap_or_default(), row.id.as_str());
    match view.position(set, id) {
        Some(_) => Cell::link(id, routes::problem(set, id)),
        None => Cell::text(id),
    }
}

fn extraction(view: &View<'_>, rows: &[&AttemptVerdict]) -> Sheet {
    let heads = vec![
        Head::text("Record"),
        Head::text("Problem"),
        Head::num("Attempt", ""),
        Head::text("As the study took it"),
        Head::text("Last Python block"),
        Head::text("Verdict"),
    ];
    let depends = |row: &&AttemptVerdict| row.passed.unwrap_or(false) != row.other_passed.unwrap_or(false);
    // Several files may hold one record.
    let mut seen = BTreeSet::new();
    let mut rows: Vec<&AttemptVerdict> =
        rows.iter().copied().filter(|row| seen.insert((&row.run, &row.id, row.attempt))).collect();
    rows.sort_by_key(|row| !depends(row));
    let title = format!(
        "{} attempts with two candidate programs; the verdict depends on the choice in {}",
        rows.len(),
        rows.iter().filter(|row| depends(row)).count()
    );
    let mut sheet = Sheet::new("extraction-rows", title, heads);
    for row in rows.iter().take(MOST) {
        sheet.push(vec![
            record(view, &row.run, row.id.as_str()),
            Cell::text(row.id.as_str()),
            Cell::count(row.attempt + 1),
            verdict(row.passed),
            verdict(row.other_passed),
            if depends(row) { Cell::text("✗ depends on it").classed("s-fail") } else { Cell::text("✓ the same") },
        ]);
    }
    shown(sheet, rows.len()).sourced(ledger())
}

/// A record by configuration, experiment and run, linked to its page where it has one.
pub(super) fn record(view: &View<'_>, run: &RunKey, id: &str) -> Cell {
    let key = run.configuration.as_str();
    let name = Cell::text(format!("{}, {} run {}", view.name(key), run.experiment, run.run));
    let grid = view.grids.iter().find(|grid| grid.experiment.id == run.experiment);
    match grid.and_then(|grid| view.own_page(grid, key, id)) {
        Some(own) => name.to(format!("{own}#run-{}", run.run)),
        None => name,
    }
}

fn verdict(passed: Option<bool>) -> Cell {
    match passed {
        Some(true) => Cell::text("✓ passed"),
        Some(false) => Cell::text("✗ failed").classed("s-fail"),
        None => Cell::missing("nothing gradable"),
    }
}

fn shown(mut sheet: Sheet, all: usize) -> Sheet {
    sheet.filter = all > 10;
    if all > MOST {
        sheet.note = format!("The first {MOST} are shown; the ledger holds all.");
    }
    sheet
}

fn ledger() -> Source {
    Source::default().with_file("ledger", "data/ledger.json")
}
