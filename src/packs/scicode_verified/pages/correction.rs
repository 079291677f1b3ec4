//! One problem: its text before and after as a word difference, the record behind each change, and the
//! steps whose verdict changed.

use super::links;
use crate::change_ledger::Change;
use crate::json::Value;
use crate::markup::Html;
use crate::packs::scicode_verified::audit::Audit;
use crate::packs::scicode_verified::benchmark::problem_of;
use crate::packs::scicode_verified::{applies, gate};
use crate::site::diff;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::pages::chapter::{self, Chapter, Quote, Section};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::view::View;

/// The pages.
pub(super) struct Correction;

impl Page for Correction {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "corrections/index.html"
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        applies(&view.input.archive.materials)
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        let audit = Audit::of(&view.input.archive.materials);
        let ids =
            audit.benchmark.complete().into_iter().flat_map(|items| items.iter().map(|(id, _)| links::problem(id)));
        ids.collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let materials = &view.input.archive.materials;
        let audit = Audit::of(materials);
        let items = audit.benchmark.complete();
        let found = items.and_then(|items| items.iter().find(|(id, _)| links::problem(id) == at.path));
        let Some((id, item)) = found else { return Err(SiteError::NoSuchPage(at.path.to_owned())) };
        let name = item.value.get("problem_name").and_then(Value::as_text).unwrap_or_default();
        let (gates, _) = gate::gates(&audit.benchmark, &audit.defects, materials);
        let all = gates.iter().find(|named| named.name == "all");
        let changes: Vec<&Change> =
            all.into_iter().flat_map(|named| &named.gate.changes).filter(|change| change.item == id).collect();
        let released = audit.benchmark.after.as_ref().is_some_and(|after| after.get(id).is_some());
        let lead = if released && audit.benchmark.before.is_some() {
            format!(
                "{} between the original and the release, each with the record behind it.",
                crate::site::pages::counts::many(changes.len(), "field differs", "fields differ")
            )
        } else {
            "Only one of the two versions of this problem is archived, so its texts are not compared.".to_owned()
        };
        let mut page = Chapter::new(&format!("Problem {id} {name}"), lead);
        let entries: Vec<_> = all.into_iter().flat_map(|named| named.entries.iter()).collect();
        if !changes.is_empty() {
            page.add(
                Section::new("changes", "Changes and their records", "").sheets([records(at, id, &changes, &entries)]),
            );
            let quotes = changes.iter().map(|change| quote(change, &entries));
            let text = "Words taken out and put in are marked. A text that was written anew is shown whole, the old one first.";
            page.add(Section::new("texts", "Before and after", text).quotes(quotes));
        }
        page.add(Section::new("verdicts", "Steps whose verdict changed", "").sheets(flips(view, &audit, id)));
        page.add(Section::new("defects", "Defect records of this problem", "").sheets(defects(view, &audit, id)));
        if page_is_empty(&changes, &audit, id) {
            page.say(
                "nothing",
                "Nothing recorded",
                "No change, no defect and no changed verdict is recorded for this problem.",
            );
        }
        Ok(page.body("A problem before and after its correction, with the records and the changed verdicts."))
    }
}

fn page_is_empty(changes: &[&Change], audit: &Audit, id: &str) -> bool {
    let turned = audit.flips.iter().any(|flips| flips.of_step().keys().any(|step| problem_of(step) == id));
    changes.is_empty() && !turned && audit.defects.iter().all(|defect| defect.problem != id)
}

/// Every change with links to its records.
fn records(at: &At<'_>, id: &str, changes: &[&Change], entries: &[&crate::change_ledger::Entry]) -> Sheet {
    let heads = ["Field", "Defect records", "Ledger", "Verdict", "Reason"].map(Head::text);
    let mut sheet = Sheet::new("change-records", "Changed fields", heads.into());
    for change in changes {
        let path = change.path.to_string();
        let of_ledger: Vec<_> = change.entries.iter().map(|at| entries[*at]).collect();
        let join = |of: fn(&crate::change_ledger::Entry) -> &str| {
            let texts: Vec<&str> = of_ledger.iter().map(|entry| of(entry)).collect();
            if texts.is_empty() { Cell::missing("no entry of the ledger") } else { Cell::text(texts.join("; ")) }
        };
        sheet.push(vec![
            Cell::link(path.as_str(), links::field(id, &path)),
            links::several(
                at.path,
                change.others.iter().map(String::as_str),
                links::defect,
                "no defect record names this field",
            ),
            join(|entry| &entry.round),
            join(|entry| &entry.verdict),
            join(|entry| &entry.reason),
        ]);
    }
    sheet
}

fn quote(change: &Change, entries: &[&crate::change_ledger::Entry]) -> Quote {
    let path = change.path.to_string();
    let mut facts = Vec::new();
    if !change.others.is_empty() {
        facts.push(("Defects", change.others.join(", ")));
    }
    for entry in change.entries.iter().map(|at| entries[*at]) {
        facts.push(("Ledger", format!("{} {}", entry.round, entry.verdict)));
    }
    if facts.is_empty() {
        facts.push(("Record", "none".to_owned()));
    }
    Quote {
        id: routes::anchor(&path),
        label: path,
        href: String::new(),
        facts,
        text_html: difference(change.before.as_ref(), change.after.as_ref()),
    }
}

/// Both sides of a field.
fn difference(before: Option<&Value>, after: Option<&Value>) -> Html {
    diff::both(before.map(shown).as_deref(), after.map(shown).as_deref())
}

/// A text as it is; a list of texts one after the other; anything else as JSON.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::List(items) if items.iter().all(|item| item.as_text().is_some()) => {
            items.iter().filter_map(Value::as_text).collect::<Vec<_>>().join("\n\n")
        }
        other => other.to_strict().to_string(),
    }
}

fn flips(view: &View<'_>, audit: &Audit, id: &str) -> Option<Sheet> {
    let flips = audit.flips.as_ref()?;
    let heads = ["Step", "Newly passed by", "Newly failed by"].map(Head::text);
    let mut sheet = Sheet::new("turned", "Verdicts on the corrected data against the original", heads.into());
    let of_step = flips.of_step();
    let mut steps: Vec<&&str> = of_step.keys().filter(|step| problem_of(step) == id).collect();
    steps.sort_by(|a, b| crate::change_ledger::natural(a, b));
    for step in steps {
        let (fixed, broken) = &of_step[*step];
        let models = |models: &[&str]| {
            if models.is_empty() { Cell::missing("no model") } else { Cell::text(models.join(", ")) }
        };
        sheet.push(vec![Cell::text(*step), models(fixed), models(broken)]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(Source::of_statistics(view, &["step-flips"])))
}

fn defects(view: &View<'_>, audit: &Audit, id: &str) -> Option<Sheet> {
    let heads = ["Defect", "Step", "Nature", "Kind", "Direction", "Fields"].map(Head::text);
    let mut sheet = Sheet::new("defect-list", "Defects", heads.into());
    for defect in audit.defects.iter().filter(|defect| defect.problem == id) {
        sheet.push(vec![
            Cell::link(defect.id.as_str(), links::defect(&defect.id)),
            Cell::text(defect.step.as_str()),
            Cell::text(defect.nature.as_str()),
            Cell::text(defect.subtype.as_str()),
            Cell::text(defect.direction.as_str()),
            Cell::text(defect.fields.join("; ")),
        ]);
    }
    (!sheet.rows.is_empty()).then(|| sheet.sourced(Source::of_statistics(view, &["defect-taxonomy"])))
}
