//! Do stored solvers compute their answers, and do they reproduce them?

use std::collections::BTreeMap;

use super::audit;
use super::chapter::{self, Chapter, Section};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::verify::{Difference, SolverVerdict};

/// The page.
pub(crate) struct Faithfulness;

/// Rows shown; all are in the data file.
const MOST: usize = 300;

impl Page for Faithfulness {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "faithfulness/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Faithfulness"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        view.asks_models()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "A reference program is worth something when it computes its answer from its inputs and gives the stored answer again. This page shows how exactly each program reproduced its answer, and which do not compute theirs.";
        let mut page = Chapter::new("Faithfulness", lead);
        let solvers = &view.input.ledger.solvers;
        if solvers.is_empty() {
            page.say("solvers", "Stored programs", "No stored program was executed for this version.");
        } else {
            page.add(
                Section::new("solvers", "Stored programs", "How close the executed value comes to the stored one.")
                    .sheets([by_set(view, solvers)]),
            );
            let odd: Vec<&SolverVerdict> = solvers.iter().filter(|s| !s.agrees || s.accepted == Some(true)).collect();
            if !odd.is_empty() {
                page.add(
                    Section::new(
                        "exceptions",
                        "Exceptions",
                        "Programs that do not reproduce their answer, and shortcuts that the problem accepts.",
                    )
                    .sheets([list(view, &odd)]),
                );
            }
        }
        let audits = &view.input.ledger.audits;
        if audits.is_empty() {
            page.say("audit", "Computed or quoted", "Whether programs hold their answers as literals or ignore their inputs was not audited for this version.");
        } else {
            let text = "Each numeric input is moved up and down by 5 %, and the text is searched for answers that are written down and for numbers that no constant of nature, unit or input explains. A flag is a reason to look, not a defect.";
            page.add(
                Section::new("audit", "Computed or quoted", text)
                    .sheets([audit::by_set(view, audits), audit::flagged(view, audits)]),
            );
        }
        page.add(Section::new("tables", "Recomputed tables", "").sheets(view.tables_of(&[
            "corpus-reexecution",
            "corpus-answers",
            "faithfulness-audit",
        ])));
        Ok(page.body("How exactly stored programs reproduce their stored answers, and which do not compute them."))
    }
}

/// Classes of difference, in reading order.
const CLASSES: [&str; 5] =
    ["to the last bit", "a few last places", "within tolerance", "not comparable", "nothing returned"];

fn class(difference: Difference) -> usize {
    match difference {
        Difference::BitIdentical => 0,
        Difference::Ulps(_) => 1,
        Difference::Relative(_) => 2,
        Difference::NotComparable => 3,
        Difference::Nothing => 4,
    }
}

/// A difference in words.
pub(crate) fn difference(difference: Difference) -> String {
    match difference {
        Difference::BitIdentical => "same to the last bit".to_owned(),
        Difference::Ulps(n) => format!("{n} unit{} in the last place", if n == 1 { "" } else { "s" }),
        Difference::Relative(share) => format!("differs by {} %", crate::number::significant(100.0 * share, 2)),
        Difference::NotComparable => "not comparable".to_owned(),
        Difference::Nothing => "nothing to compare".to_owned(),
    }
}

/// An interpreter in words.
pub(crate) fn interpreter(engine: &str) -> &str {
    match engine {
        "embedded" => "the built-in interpreter",
        "cpython" => "CPython",
        other => other,
    }
}

fn by_set(view: &View<'_>, solvers: &[SolverVerdict]) -> Sheet {
    let mut heads =
        vec![Head::text("Set"), Head::text("Programs"), Head::num("Executed", ""), Head::num("Reproduced", "")];
    heads.extend(CLASSES.iter().map(|class| Head::num(*class, "")));
    heads.push(
        Head::num("By position", "programs")
            .explained("A part was taken by position because its name was not returned"),
    );
    let mut groups: BTreeMap<(&str, bool), Vec<&SolverVerdict>> = BTreeMap::new();
    for solver in solvers {
        groups.entry((solver.set.as_str(), solver.shortcut)).or_default().push(solver);
    }
    let mut sheet = Sheet::new("solver-sets", "Stored programs by set", heads);
    for ((set, shortcut), list) in groups {
        let title = view.input.corpus.set(set).map_or(set, |set| &set.title);
        let agreed = list.iter().filter(|solver| solver.agrees).count();
        let mut cells = vec![
            Cell::link(title, routes::problem_set(set)),
            Cell::text(if shortcut { "shortcuts" } else { "reference programs" }),
            Cell::count(list.len()),
            Cell::count(agreed).aside(format!("of {}", crate::number::grouped(list.len() as u64))),
        ];
        for index in 0..CLASSES.len() {
            cells.push(Cell::count(list.iter().filter(|solver| class(solver.difference) == index).count()));
        }
        cells.push(Cell::count(list.iter().filter(|solver| solver.by_position > 0).count()));
        sheet.push(cells);
    }
    sheet.sourced(Source::default().with_file("ledger", "data/ledger.json"))
}

fn list(view: &View<'_>, solvers: &[&SolverVerdict]) -> Sheet {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Set"),
        Head::text("Program"),
        Head::text("Result"),
        Head::text("Ended"),
        Head::text("Message"),
    ];
    let mut sheet = Sheet::new("solver-exceptions", "Exceptions", heads);
    for solver in solvers.iter().take(MOST) {
        let (set, id) = (solver.set.as_str(), solver.id.as_str());
        let name =
            if view.position(set, id).is_some() { Cell::link(id, routes::problem(set, id)) } else { Cell::text(id) };
        let result = if solver.accepted == Some(true) {
            "the shortcut passes".to_owned()
        } else {
            difference(solver.difference)
        };
        sheet.push(vec![
            name,
            Cell::text(set),
            Cell::text(if solver.shortcut { "shortcut" } else { "reference" }),
            Cell::text(result),
            Cell::text(solver.status.clone()),
            Cell::text(solver.message.clone().unwrap_or_default()),
        ]);
    }
    sheet
}
