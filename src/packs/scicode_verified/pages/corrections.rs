//! What the correction did, problem by problem.

use std::collections::BTreeMap;

use super::links;
use crate::packs::scicode_verified::audit::Audit;
use crate::packs::scicode_verified::benchmark::{problem_of, steps};
use crate::packs::scicode_verified::{applies, gate};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The page.
pub(super) struct Corrections;

impl Page for Corrections {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "corrections/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Corrections"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        let materials = &view.input.archive.materials;
        applies(materials) && Audit::of(materials).benchmark.complete().is_some()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let materials = &view.input.archive.materials;
        let audit = Audit::of(materials);
        let lead = "A corrected benchmark changes texts, tests and targets. Each change should have a record, each record a change. Here is every problem with what was changed, what was wrong, and which steps models pass or fail since.";
        let mut page = Chapter::new("Corrections", lead);
        page.add(Section::new("totals", "How much was there, and how much changed?", "").sheets([totals(view)]));
        let text = "Fields differ between the original and the archived part of the release; a list whose length changed is one change. Steps turn when at least one model has another verdict on them.";
        page.add(Section::new("problems", "Problem by problem", text).sheets([problems(&audit, view)]));
        let tables = view.tables_of(&["flip-attribution"]);
        let text = "The nearest record that could explain each newly passed step. That a correction exists does not show that it caused the flip.";
        page.add(
            Section::new("attribution", "What do newly passed steps trace to?", text)
                .sheets(std::iter::once(attribution(view)).chain(tables)),
        );
        Ok(page.body("Every problem of the benchmark with its corrections, defects and changed verdicts."))
    }
}

fn totals(view: &View<'_>) -> Sheet {
    let heads = vec![Head::text("What"), Head::num("Original", ""), Head::num("Release, as archived", "")];
    let mut sheet = Sheet::new("universe", "Problems and steps", heads);
    for (name, measure) in [("Main problems", "problems"), ("Steps", "steps")] {
        let of = |version| view.cell("benchmark-universe", measure, &[("version", version)], 0);
        sheet.push(vec![Cell::text(name), of("original"), of("release")]);
    }
    let whole = |measure| view.cell("benchmark-universe", measure, &[], 0);
    sheet.push(vec![
        Cell::text("Steps with a verdict"),
        whole("scored"),
        Cell::missing("counted over the whole benchmark"),
    ]);
    sheet.push(vec![
        Cell::text("Steps with given code, in no denominator"),
        whole("injected"),
        Cell::missing("counted over the whole benchmark"),
    ]);
    sheet.push(vec![
        Cell::text("Problems that differ"),
        Cell::missing("the original is what they differ from"),
        whole("changed"),
    ]);
    sheet.sourced(Source::of_statistics(view, &["benchmark-universe"]))
}

fn problems(audit: &Audit, view: &View<'_>) -> Sheet {
    let materials = &view.input.archive.materials;
    let (gates, _) = gate::gates(&audit.benchmark, &audit.defects, materials);
    let mut changed: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for change in gates.iter().filter(|named| named.name == "all").flat_map(|named| &named.gate.changes) {
        let of = changed.entry(&change.item).or_default();
        of.0 += 1;
        of.1 += usize::from(change.entries.is_empty() && change.others.is_empty());
    }
    let mut turned: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (step, (fixed, broken)) in audit.flips.iter().flat_map(|flips| flips.of_step()) {
        let of = turned.entry(problem_of(step)).or_default();
        of.0 += usize::from(!fixed.is_empty());
        of.1 += usize::from(!broken.is_empty());
    }
    let heads = vec![
        Head::text("Problem"),
        Head::text("Name"),
        Head::num("Steps", ""),
        Head::num("Changed fields", ""),
        Head::num("Without record", ""),
        Head::num("Defects", "records"),
        Head::num("Newly passed", "steps"),
        Head::num("Newly failed", "steps"),
    ];
    let mut sheet = Sheet::new("by-problem", "Corrections by problem", heads);
    let Some(items) = audit.benchmark.complete() else { return sheet };
    for (id, item) in items.iter() {
        let name = item.value.get("problem_name").and_then(crate::json::Value::as_text).unwrap_or_default();
        let defects = audit.defects.iter().filter(|defect| defect.problem == id).count();
        let archived = audit.benchmark.after.as_ref().is_some_and(|after| after.get(id).is_some());
        let (fields, unrecorded) = changed.get(id).copied().unwrap_or_default();
        let of_release = |count: usize| {
            if archived { Cell::count(count) } else { Cell::missing("the corrected problem is not archived") }
        };
        let (fixed, broken) = turned.get(id).copied().unwrap_or_default();
        let of_flips = |count: usize| {
            if audit.flips.is_some() { Cell::count(count) } else { Cell::missing("no flips are archived") }
        };
        sheet.push(vec![
            Cell::link(id, links::problem(id)),
            Cell::text(name),
            Cell::count(steps(item).count()),
            of_release(fields),
            of_release(unrecorded),
            Cell::count(defects),
            of_flips(fixed),
            of_flips(broken),
        ]);
    }
    sheet.filter = true;
    sheet.sourced(Source::of_statistics(view, &["change-gate", "defect-taxonomy", "step-flips"]))
}

fn attribution(view: &View<'_>) -> Sheet {
    let heads = vec![Head::text("Class"), Head::num("Steps", "")];
    let mut sheet = Sheet::new("attribution-classes", "Newly passed steps by their nearest record", heads);
    for class in crate::packs::scicode_verified::attribution::Class::ALL {
        let cell = view.cell("flip-attribution", "steps", &[("class", class.word())], 0);
        sheet.push(vec![Cell::text(class.word()), cell]);
    }
    sheet.sourced(Source::of_statistics(view, &["flip-attribution"]))
}
