//! What each lens accepts, every answer on which they differ, and what that changes.

use std::collections::{BTreeMap, BTreeSet};

use super::chapter::{self, Chapter, Section};
use super::outcomes::actual;
use crate::grade::Reason;
use crate::number::grouped;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::statistics::Estimate;
use crate::verify::LensRow;

/// The page.
pub(crate) struct Grading;

/// Rows shown; all are in the data file.
const MOST: usize = 400;

impl Page for Grading {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "grading/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Grading"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "Every archived answer is graded twice: by the study's own published rule, repeated exactly, and by a strict rule, which also asks for the right name and unit of each value. Published verdicts follow the first; this page lists every answer on which the second decides otherwise.";
        let mut page = Chapter::new("Grading", lead);
        let lenses = &view.input.ledger.lenses;
        if lenses.is_empty() {
            page.say(
                "differences",
                "Differences",
                "No archived answer is decided differently by the two lenses, or no answer with a value is archived.",
            );
        } else {
            page.add(Section::new("reasons", "Why the lenses differ", "").sheets([reasons(lenses)]));
            page.add(
                Section::new("ranks", "What it changes", "Records whose verdict would be another one under the strict lens, by configuration and experiment.")
                    .sheets([by_configuration(view, lenses)]),
            );
            page.add(
                Section::new("cells", "Cells and ranks", cells_and_ranks(view))
                    .sheets(view.tables_of(&["strict-lens"])),
            );
            page.add(Section::new("answers", "Answers", "").sheets([answers(view, lenses)]));
        }
        if !view.input.ledger.undecided.is_empty() {
            page.add(Section::new("undecided", "What the strict lens cannot decide", "").sheets([undecided(view)]));
        }
        if !view.input.ledger.regrades.is_empty() {
            page.add(
                Section::new("regrades", "Stored verdicts that do not come out again", "").sheets([regrades(view)]),
            );
        }
        Ok(page.body("Both grading lenses, every answer on which they differ with its reason, and what would change."))
    }
}

/// Whether an accuracy or a rank would be another one.
fn cells_and_ranks(view: &View<'_>) -> String {
    let estimate = |measure: &str| view.input.facts.get("strict-lens", measure, &[]).map(|fact| &fact.estimate);
    let point = |measure: &str| estimate(measure).and_then(Estimate::point);
    let judged = match estimate("judged") {
        Some(Estimate::Value { count: Some((judged, graded)), .. }) => {
            format!("The strict lens decides {} of {} graded records. ", grouped(*judged), grouped(*graded))
        }
        _ => String::new(),
    };
    let (Some(_), Some(_)) = (point("cells-changed"), point("ranks-changed")) else {
        return format!("{judged}That is too few to say which accuracies and ranks would change.");
    };
    let count = |measure: &str| point(measure).map_or_else(String::new, |count| grouped(count as u64));
    judged
        + &format!(
            "With the verdicts of the strict lens, where they are decided, {} of {} accuracies would print another number at one decimal, and {} of {} ranks of the main experiment would change. Records without archived values keep their verdict and are counted as open.",
            count("cells-changed"),
            count("cells"),
            count("ranks-changed"),
            count("ranks"),
        )
}

fn reasons(lenses: &[LensRow]) -> Sheet {
    let heads = vec![
        Head::text("Reason"),
        Head::text("Meaning"),
        Head::num("Answers", ""),
        Head::num("Too lenient", "").explained("The study's rule passes, the strict lens does not"),
        Head::num("Too harsh", "").explained("The strict lens passes, the study's rule does not"),
        Head::num("Problems", ""),
    ];
    let mut sheet = Sheet::new("lens-reasons", "Differences by reason", heads);
    for reason in Reason::ALL {
        let rows = || lenses.iter().filter(|row| row.reason == *reason);
        if rows().next().is_none() {
            continue;
        }
        let problems: BTreeSet<&str> = rows().map(|row| row.id.as_str()).collect();
        sheet.push_named(
            format!("reason-{}", reason.as_str()),
            vec![
                Cell::text(reason.as_str().replace('-', " ")),
                Cell::text(reason.meaning()),
                Cell::count(rows().count()),
                Cell::count(rows().filter(|row| row.reference && !row.strict).count()),
                Cell::count(rows().filter(|row| !row.reference && row.strict).count()),
                Cell::count(problems.len()),
            ],
        );
    }
    sheet.sourced(Source::default().with_file("ledger", "data/ledger.json"))
}

fn by_configuration(view: &View<'_>, lenses: &[LensRow]) -> Sheet {
    let heads = vec![
        Head::text("Configuration"),
        Head::text("Experiment"),
        Head::num("Would fail", "records"),
        Head::num("Would pass", "records"),
        Head::num("Answers that differ", ""),
    ];
    let mut counts: BTreeMap<(&str, &str), (BTreeSet<(u32, &str)>, BTreeSet<(u32, &str)>, usize)> = BTreeMap::new();
    for row in lenses {
        let entry = counts.entry((row.run.configuration.as_str(), row.run.experiment.as_str())).or_default();
        entry.2 += 1;
        if row.record_differs {
            let side = if row.reference { &mut entry.0 } else { &mut entry.1 };
            side.insert((row.run.run, row.id.as_str()));
        }
    }
    let mut sheet = Sheet::new("lens-configurations", "Records that would change", heads);
    for ((configuration, experiment), (fail, pass, answers)) in counts {
        sheet.push(vec![
            Cell::link(view.name(configuration), routes::configuration(configuration)),
            Cell::text(experiment),
            Cell::count(fail.len()),
            Cell::count(pass.len()),
            Cell::count(answers),
        ]);
    }
    sheet
}

fn answers(view: &View<'_>, lenses: &[LensRow]) -> Sheet {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Configuration"),
        Head::num("Run", ""),
        Head::text("Part"),
        Head::text("Accepted"),
        Head::text("Returned"),
        Head::text("Study"),
        Head::text("Strict"),
        Head::text("Reason"),
    ];
    let caption = format!("{} answers on which the lenses differ", grouped(lenses.len() as u64));
    let mut sheet = Sheet::new("lens-answers", caption, heads);
    if lenses.len() > MOST {
        sheet = sheet.noted(format!("The first {MOST} are listed; all are in the data file."));
    }
    sheet.filter = true;
    for row in lenses.iter().take(MOST) {
        let key = row.run.configuration.as_str();
        let grid = view.grids.iter().find(|grid| grid.experiment.id == row.run.experiment);
        let id = row.id.as_str();
        let mark = |passed: bool| {
            if passed { Cell::text("✓ pass").classed("s-pass") } else { Cell::text("✗ fail").classed("s-fail") }
        };
        sheet.push(vec![
            match grid.filter(|grid| grid.set.is_some_and(|set| set.get(id).is_some())) {
                Some(grid) => Cell::link(id, view.record_href(grid, key, id)),
                None => Cell::text(id),
            },
            Cell::text(view.name(key)),
            Cell::count(row.run.run as usize),
            Cell::text(row.sub.clone()),
            Cell::text(format!("{} {}", row.expected, row.expected_unit)),
            Cell::text(format!(
                "{} {}",
                actual(&row.actual.0),
                row.actual_unit.as_deref().unwrap_or("(unit not archived)")
            )),
            mark(row.reference),
            mark(row.strict),
            Cell::link(
                row.reason.as_str().replace('-', " "),
                format!("grading/index.html#reason-{}", row.reason.as_str()),
            ),
        ]);
    }
    sheet.sourced(Source::default().with_file("ledger", "data/ledger.json"))
}

fn undecided(view: &View<'_>) -> Sheet {
    let mut sheet =
        Sheet::new("lens-undecided", "Undecided answers", vec![Head::text("Reason"), Head::num("Answers", "")]);
    for (reason, count) in &view.input.ledger.undecided {
        sheet.push(vec![Cell::text(reason.replace('-', " ")), Cell::count(*count)]);
    }
    sheet
}

fn regrades(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Configuration"),
        Head::num("Run", ""),
        Head::text("Stored"),
        Head::text("Again"),
        Head::text("Parts"),
    ];
    let mut sheet = Sheet::new("regrade-rows", "Records that grade differently", heads);
    let word = |passed: bool| if passed { "pass" } else { "fail" };
    for row in view.input.ledger.regrades.iter().take(MOST) {
        sheet.push(vec![
            Cell::text(row.id.as_str()),
            Cell::text(view.name(row.run.configuration.as_str())),
            Cell::count(row.run.run as usize),
            row.recorded.map_or(Cell::missing("no verdict stored"), |passed| Cell::text(word(passed))),
            Cell::text(word(row.found)),
            Cell::text(row.subs.join(", ")),
        ]);
    }
    sheet.sourced(Source::default().with_file("ledger", "data/ledger.json"))
}
