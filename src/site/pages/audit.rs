//! Tables of the faithfulness audit: stored solvers, and programs of models.

use std::collections::BTreeMap;

use super::replay::record;
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::verify::faithfulness::{Invariant, Movement, ProgramAudit, SolverAudit};

/// Rows shown of one table; all are in the data file.
const MOST: usize = 300;

/// Stored programs by set: how many compute, and what is worth a look.
pub(crate) fn by_set(view: &View<'_>, audits: &[SolverAudit]) -> Sheet {
    let heads = vec![
        Head::text("Set"),
        Head::text("Programs"),
        Head::num("Audited", ""),
        Head::num("Compute", "").explained("Some input moves some answer, and not every answer is written down"),
        Head::num("Inputs moved", ""),
        Head::num("Without effect", "inputs").explained("No answer moves by more than a billionth at either point"),
        Head::num("Fragile", "inputs").explained("The program fails at one of the points"),
        Head::num("Unexplained numbers", "programs"),
        Head::num("Against physics", "programs").explained("A saturation quantity falls as a temperature rises"),
    ];
    let mut groups: BTreeMap<(&str, bool), Vec<&SolverAudit>> = BTreeMap::new();
    for row in audits {
        groups.entry((row.set.as_str(), row.shortcut)).or_default().push(row);
    }
    let mut sheet = Sheet::new("audit-sets", "Programs that compute, by set", heads);
    for ((set, shortcut), rows) in groups {
        let title = view.input.corpus.set(set).map_or(set, |set| &set.title);
        let count = |wanted: &dyn Fn(&SolverAudit) -> bool| rows.iter().filter(|row| wanted(row)).count();
        let inputs = |movement| rows.iter().map(|row| row.audit.with_movement(movement).count()).sum::<usize>();
        let (ignored, fragile) = (inputs(Movement::Ignored), inputs(Movement::Fragile));
        sheet.push(vec![
            Cell::link(title, routes::problem_set(set)),
            Cell::text(if shortcut { "shortcuts" } else { "reference programs" }),
            Cell::count(rows.len()),
            Cell::count(count(&|row| row.computes == Some(true))),
            Cell::count(inputs(Movement::Moves) + ignored + fragile),
            Cell::count(ignored),
            Cell::count(fragile),
            Cell::count(count(&|row| !row.audit.unexplained.is_empty())),
            Cell::count(count(&|row| row.audit.violates_physics())),
        ]);
    }
    sheet.sourced(Source::of_statistics(view, &["faithfulness-audit"]).with_file("ledger", "data/ledger.json"))
}

/// Stored programs with something to look at, gravest first.
pub(crate) fn flagged(view: &View<'_>, audits: &[SolverAudit]) -> Sheet {
    let heads = vec![
        Head::text("Problem"),
        Head::text("Set"),
        Head::text("Program"),
        Head::text("Computes"),
        Head::text("Inputs without effect"),
        Head::text("Answers written down"),
        Head::text("Unexplained numbers"),
        Head::text("Against physics"),
    ];
    let mut rows: Vec<&SolverAudit> = audits.iter().filter(|row| row.audit.is_flagged()).collect();
    // Stable: within a gravity, by set and id.
    rows.sort_by_key(|row| {
        (row.computes.unwrap_or(true), row.audit.literal_answers.is_empty(), !row.audit.violates_physics())
    });
    let all = rows.len();
    let mut sheet =
        Sheet::new("audit-flagged", format!("{} programs to look at", crate::number::grouped(all as u64)), heads);
    for row in rows.iter().take(MOST) {
        let (set, id) = (row.set.as_str(), row.audit.id.as_str());
        let name = match view.position(set, id) {
            Some(_) => Cell::link(id, routes::problem(set, id)),
            None => Cell::text(id),
        };
        let ignored: Vec<&str> =
            row.audit.with_movement(Movement::Ignored).map(|parameter| parameter.name.as_str()).collect();
        let literals: Vec<String> =
            row.audit.unexplained.iter().map(|literal| format!("{} (line {})", literal.text, literal.line)).collect();
        sheet.push(vec![
            name,
            Cell::text(set),
            Cell::text(if row.shortcut { "shortcut" } else { "reference" }),
            match row.computes {
                Some(true) => Cell::text("✓ yes"),
                Some(false) => Cell::text("✗ no").classed("s-fail"),
                None => Cell::text("– no inputs"),
            },
            Cell::text(ignored.join(", ")),
            Cell::text(row.audit.literal_answers.join(", ")),
            Cell::text(literals.join(", ")),
            Cell::text(match &row.audit.invariant {
                Invariant::Violated { parameter } => format!("falls with {parameter}"),
                _ => String::new(),
            }),
        ]);
    }
    sheet.filter = all > 10;
    if all > MOST {
        sheet.note = format!("The first {MOST} are shown; the ledger holds all.");
    }
    sheet.sourced(Source::default().with_file("ledger", "data/ledger.json"))
}

/// Graded programs of models that do not compute every answer, passed ones first.
pub(crate) fn quoting(view: &View<'_>, audits: &[ProgramAudit]) -> Sheet {
    let heads = vec![
        Head::text("Record"),
        Head::text("Problem"),
        Head::text("What was seen"),
        Head::text("Answers written down"),
        Head::num("Inputs moved", ""),
        Head::text("Graded"),
    ];
    let mut rows: Vec<&ProgramAudit> = audits.iter().collect();
    rows.sort_by_key(|row| (row.quoting, row.passed != Some(true)));
    let title = format!("{} programs that do not compute every answer", crate::number::grouped(rows.len() as u64));
    let mut sheet = Sheet::new("quoting-programs", title, heads);
    for row in rows.iter().take(MOST) {
        sheet.push(vec![
            record(view, &row.run, row.id.as_str()),
            Cell::text(row.id.as_str()),
            Cell::text(row.quoting.meaning()),
            Cell::text(row.answers.join(", ")),
            Cell::count(row.inputs),
            match row.passed {
                Some(true) => Cell::text("✓ passed"),
                Some(false) => Cell::text("✗ failed").classed("s-fail"),
                None => Cell::missing("no verdict is recorded"),
            },
        ]);
    }
    sheet.filter = rows.len() > 10;
    if rows.len() > MOST {
        sheet.note = format!("The first {MOST} are shown; the ledger holds all.");
    }
    sheet.sourced(Source::of_statistics(view, &["faithfulness-audit"]).with_file("ledger", "data/ledger.json"))
}
