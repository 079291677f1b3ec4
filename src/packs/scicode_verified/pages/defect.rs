//! One defect record: what it says, the steps it names, the changes it stands behind.

use super::links;
use crate::packs::scicode_verified::audit::Audit;
use crate::packs::scicode_verified::defects::Defect;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::pages::chapter::{self, Chapter, Section};
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;
use crate::table::Cell as Value;

/// The pages.
pub(super) struct DefectPage;

impl Page for DefectPage {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "defects/index.html"
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        crate::packs::scicode_verified::applies(&view.input.archive.materials)
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let mut paths: Vec<String> =
            Defect::read(&view.input.archive.materials).iter().map(|defect| links::defect(&defect.id)).collect();
        // Records that share an id share a page.
        paths.sort();
        paths.dedup();
        paths
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let audit = Audit::of(&view.input.archive.materials);
        let Some(defect) = audit.defects.iter().find(|defect| links::defect(&defect.id) == at.path) else {
            return Err(SiteError::NoSuchPage(at.path.to_owned()));
        };
        let lead = if defect.counted {
            "A defect of the benchmark as the study records it, the steps it names, and the changes it stands behind."
        } else {
            "A recorded change that follows from another one; it does not count as a defect."
        };
        let mut page = Chapter::new(&format!("Defect {}", defect.id), lead);
        page.add(Section::new("record", "The record", "").sheets([record(&audit, defect)]));
        page.add(Section::new("steps", "Steps it names", "").sheets(steps(view, &audit, defect)));
        page.add(Section::new("changes", "Changes it stands behind", "").sheets(changes(view, defect)));
        Ok(page.body("One defect record with its steps and changes."))
    }
}

fn record(audit: &Audit, defect: &Defect) -> Sheet {
    let mut sheet = Sheet::new("members", "What the record says", vec![Head::text("Member"), Head::text("Value")]);
    let problem = if audit.universe.contains_key(&defect.problem) {
        Cell::link(defect.problem.as_str(), links::problem(&defect.problem))
    } else {
        Cell::text(defect.problem.as_str())
    };
    sheet.push(vec![Cell::text("Problem"), problem]);
    let fields = defect.fields.join("; ");
    for (name, value) in [
        ("Step", &defect.step),
        ("Fields", &fields),
        ("Nature", &defect.nature),
        ("Kind", &defect.subtype),
        ("Direction", &defect.direction),
        ("Source", &defect.source),
        ("Round", &defect.round),
        ("Confidence", &defect.confidence),
    ] {
        let cell = if value.is_empty() { Cell::missing("not stated") } else { Cell::text(value.as_str()) };
        sheet.push(vec![Cell::text(name), cell]);
    }
    sheet
}

fn steps(view: &View<'_>, audit: &Audit, defect: &Defect) -> Option<Sheet> {
    let listed = audit.universe.get(&defect.problem).map_or(&[][..], Vec::as_slice);
    let mut steps: Vec<String> = defect.steps_and_positions(listed).into_iter().collect();
    steps.sort_by(|a, b| crate::change_ledger::natural(a, b));
    let turned = audit.flips.as_ref().map(|flips| flips.of_step()).unwrap_or_default();
    let heads = ["Step", "Scored", "Newly passed by", "Newly failed by"].map(Head::text);
    let mut sheet = Sheet::new("named-steps", "Steps, by number or by position", heads.into());
    for step in &steps {
        let (fixed, broken) = turned.get(step.as_str()).cloned().unwrap_or_default();
        let models = |models: Vec<&str>| {
            if models.is_empty() { Cell::missing("no model") } else { Cell::text(models.join(", ")) }
        };
        let known = audit.scored.contains(step) || audit.injected.contains(step);
        sheet.push(vec![
            if known { links::step(step) } else { Cell::text(step.as_str()) },
            Cell::text(if audit.scored.contains(step) { "yes" } else { "no" }),
            models(fixed),
            models(broken),
        ]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(Source::of_statistics(view, &["defect-footprint", "step-flips"])))
}

/// Fields that differ and that this record names, from the recomputed table of changes.
fn changes(view: &View<'_>, defect: &Defect) -> Option<Sheet> {
    let table = view.input.tables.iter().find(|table| table.id == "release_changes")?;
    let heads = ["Field", "Other records", "Ledger"].map(Head::text);
    let mut sheet = Sheet::new("fields", "Fields that differ between original and release", heads.into());
    for row in &table.rows {
        let text = |at: usize| row.get(at).map(Value::printed).unwrap_or_default();
        let (problem, field, defects) = (text(0), text(1), text(2));
        let named: Vec<&str> = defects.split(", ").collect();
        if problem != defect.problem || !named.contains(&defect.id.as_str()) {
            continue;
        }
        let others: Vec<&str> = named.into_iter().filter(|id| *id != defect.id).collect();
        let cell = |text: String, none: &str| if text.is_empty() { Cell::missing(none) } else { Cell::text(text) };
        sheet.push(vec![
            Cell::link(field.as_str(), links::field(&problem, &field)),
            cell(others.join(", "), "no other record names this field"),
            cell(text(3), "no entry of the ledger names this field"),
        ]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(Source::of_table(view, table)))
}
