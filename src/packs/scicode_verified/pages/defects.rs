//! Kinds of defects, their footprint, and the list of all of them.

use std::collections::BTreeSet;

use super::links;
use crate::packs::scicode_verified::audit::Audit;
use crate::packs::scicode_verified::defects::DEFECTS;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The page.
pub(super) struct Defects;

impl Page for Defects {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "defects/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Defects"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        crate::packs::scicode_verified::applies(&view.input.archive.materials)
            && view.input.archive.materials.one(DEFECTS).is_some()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let audit = Audit::of(&view.input.archive.materials);
        let counted = audit.defects.iter().filter(|defect| defect.counted).count();
        let lead = format!(
            "{} records, of which {counted} count as defects: the others follow from another change. Each count stands with its rule and with the list behind it.",
            audit.defects.len()
        );
        let mut page = Chapter::new("Defects", lead);
        let text = "Nature says whether science or wording is wrong; direction says what the defect does to a correct solution.";
        page.add(
            Section::new("kinds", "What was wrong?", text).sheets([natures(view, &audit), subtypes(view, &audit)]),
        );
        let text =
            "A record names a step by its number; fields of the problem as a whole are not spread over its steps.";
        page.add(Section::new("footprint", "Which scored steps do they touch?", text).sheets([footprint(view)]));
        page.add(Section::new("records", "All records", "").sheets([records(view, &audit)]));
        let tables = view.tables_of(&["defect-footprint", "defect-taxonomy"]);
        page.add(Section::new("tables", "Recomputed tables", "").sheets(tables));
        Ok(page.body("Defects of the benchmark by nature, direction, kind and source, with the list of all records."))
    }
}

fn values(audit: &Audit, of: fn(&crate::packs::scicode_verified::defects::Defect) -> &str) -> Vec<&str> {
    let set: BTreeSet<&str> = audit.defects.iter().filter(|defect| defect.counted).map(of).collect();
    set.into_iter().collect()
}

fn natures(view: &View<'_>, audit: &Audit) -> Sheet {
    let natures = values(audit, |defect| &defect.nature);
    let mut heads = vec![Head::text("Direction")];
    heads.extend(natures.iter().map(|nature| Head::num(*nature, "defects")));
    heads.push(Head::num("All", "defects"));
    let mut sheet = Sheet::new("nature-by-direction", "Counted defects by direction and nature", heads);
    for direction in values(audit, |defect| &defect.direction) {
        let mut row = vec![Cell::text(direction)];
        row.extend(
            natures
                .iter()
                .map(|nature| view.cell("defect-taxonomy", "n", &[("nature", nature), ("direction", direction)], 0)),
        );
        row.push(view.cell("defect-taxonomy", "n", &[("direction", direction)], 0));
        sheet.push(row);
    }
    let mut row = vec![Cell::text("all directions")];
    row.extend(natures.iter().map(|nature| view.cell("defect-taxonomy", "n", &[("nature", nature)], 0)));
    row.push(view.cell("defect-taxonomy", "counted", &[], 0));
    sheet.push(row);
    sheet.sourced(Source::of_statistics(view, &["defect-taxonomy"]))
}

fn subtypes(view: &View<'_>, audit: &Audit) -> Sheet {
    let heads = vec![Head::text("Kind"), Head::text("Nature"), Head::num("Defects", "")];
    let mut sheet = Sheet::new("by-subtype", "Counted defects by kind", heads);
    for nature in values(audit, |defect| &defect.nature) {
        for subtype in values(audit, |defect| &defect.subtype) {
            let counts = audit.defects.iter().any(|d| d.counted && d.nature == nature && d.subtype == subtype);
            if counts {
                let cell = view.cell("defect-taxonomy", "n", &[("nature", nature), ("subtype", subtype)], 0);
                sheet.push(vec![Cell::text(subtype), Cell::text(nature), cell]);
            }
        }
    }
    sheet.sourced(Source::of_statistics(view, &["defect-taxonomy"]))
}

fn footprint(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Layer"),
        Head::num("Steps", ""),
        Head::num("of scored steps", "percent"),
        Head::num("Problems", ""),
        Head::num("of problems", "percent"),
    ];
    let mut sheet = Sheet::new("layers", "Steps that a defect names which rejects correct solutions", heads);
    for (layer, name) in [("broad", "any field"), ("grading", "tests, targets or reference code")] {
        let cell = |measure, decimals| view.cell("defect-footprint", measure, &[("layer", layer)], decimals);
        sheet.push(vec![
            Cell::text(name),
            cell("steps", 0),
            cell("step-share", 1),
            cell("problems", 0),
            cell("problem-share", 1),
        ]);
    }
    sheet.sourced(Source::of_statistics(view, &["defect-footprint"]))
}

fn records(view: &View<'_>, audit: &Audit) -> Sheet {
    let heads =
        ["Defect", "Problem", "Step", "Nature", "Kind", "Direction", "Source", "Round", "Counted"].map(Head::text);
    let mut sheet = Sheet::new("all-records", "Defect records", heads.into());
    sheet.filter = true;
    for defect in &audit.defects {
        sheet.push(vec![
            Cell::link(defect.id.as_str(), links::defect(&defect.id)),
            if audit.universe.contains_key(&defect.problem) {
                Cell::link(defect.problem.as_str(), links::problem(&defect.problem))
            } else {
                Cell::text(defect.problem.as_str())
            },
            Cell::text(defect.step.as_str()),
            Cell::text(defect.nature.as_str()),
            Cell::text(defect.subtype.as_str()),
            Cell::text(defect.direction.as_str()),
            Cell::text(defect.source.as_str()),
            Cell::text(defect.round.as_str()),
            Cell::text(if defect.counted { "yes" } else { "no" }),
        ]);
    }
    sheet.sourced(Source::of_statistics(view, &["defect-taxonomy"]))
}
