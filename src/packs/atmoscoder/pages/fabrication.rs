//! Claims of an execution that cannot have happened.

use crate::archive::{Judged, Label, Trace};
use crate::markup::{Html, escape};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::pages::audit;
use crate::site::pages::chapter::{self, Chapter, Quote, Section};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::units;
use crate::site::view::View;

/// The page.
pub(crate) struct Fabrication;

impl Page for Fabrication {
    fn template(&self) -> (&'static str, &'static str) {
        chapter::TEMPLATE
    }

    fn section(&self) -> &'static str {
        "fabrication/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Results, "Fabrication"))
    }

    fn has_content(&self, view: &View<'_>) -> bool {
        !view.input.archive.annotations.judged.is_empty()
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let lead = "A model that was given no tools says that it ran a program, and what the program returned. Each case shows the words in their context, what the program really returned, and whether the claimed values reached the score.";
        let mut page = Chapter::new("Fabrication", lead);
        let annotations = &view.input.archive.annotations;
        if annotations.judged.is_empty() {
            page.say("cases", "Cases", "No adjudicated claims of execution are in this archive.");
        } else {
            page.add(
                Section::new(
                    "scan",
                    "Scan and adjudication",
                    "What the adjudication file states, and what was recounted.",
                )
                .sheets([scan(view), facts(view)]),
            );
            page.add(
                Section::new(
                    "records",
                    "Judged records",
                    "Every record that was judged, with both annotators and the human review.",
                )
                .sheets([judged(view)]),
            );
            let quotes = annotations.traces.iter().map(|trace| quote(view, trace));
            page.add(
                Section::new(
                    "cases",
                    "The words and what the program returned",
                    "Excerpts as archived; brackets mark what cannot be seen.",
                )
                .folded("Show the excerpts")
                .quotes(quotes),
            );
        }
        hard_coded(&mut page, view);
        page.add(
            Section::new("tables", "Recomputed tables", "")
                .sheets(view.tables_of(&["fabrication-rate", "fabrication-scan"])),
        );
        Ok(page.body(
            "Claims of executions that cannot have happened: words, replayed values, scan, adjudication, agreement.",
        ))
    }
}

/// Programs that hold their answers: the number was worked out elsewhere, and no execution produced it.
fn hard_coded(page: &mut Chapter, view: &View<'_>) {
    let ledger = &view.input.ledger;
    let audited: usize = ledger.audited.iter().map(|run| run.programs).sum();
    let heading = "Hard-coded answers";
    if audited == 0 {
        page.say("hard-coded", heading, "No archived program of a model was executed for this version.");
    } else if ledger.quoting.is_empty() {
        let text = format!(
            "All {} graded programs that were executed compute every answer from their inputs.",
            crate::number::grouped(audited as u64)
        );
        page.say("hard-coded", heading, text);
    } else {
        let text = format!(
            "{} graded programs were read and executed again with their inputs moved. These hold answers as numbers, or return the same whatever their inputs are.",
            crate::number::grouped(audited as u64)
        );
        page.add(Section::new("hard-coded", heading, text).sheets([audit::quoting(view, &ledger.quoting)]));
    }
}

fn scan(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("File"),
        Head::num("Scanned", "responses"),
        Head::num("Flagged", ""),
        Head::num("Configurations", ""),
        Head::text("Missing"),
    ];
    let mut sheet = Sheet::new("scan-stated", "What the adjudication states", heads);
    for scan in &view.input.archive.annotations.scans {
        let count = |value: Option<u64>| value.map_or(Cell::missing("not stated"), |n| Cell::count(n as usize));
        sheet.push(vec![
            Cell::text(scan.path.clone()).classed("mono"),
            count(scan.scanned),
            count(scan.flagged),
            Cell::count(scan.configurations.len()),
            Cell::text(scan.missing.clone().unwrap_or_default()),
        ]);
    }
    sheet
}

fn facts(view: &View<'_>) -> Sheet {
    let heads = vec![Head::text("Quantity"), Head::num("Recomputed", "")];
    let mut sheet = Sheet::new("scan-recomputed", "Recomputed", heads);
    for (measure, words, decimals) in [
        ("confirmed", "Confirmed records", 0),
        ("pairs", "Distinct pairs of model and problem", 0),
        ("rate", "Confirmed of scanned, percent", 3),
        ("agreed", "Flags on which both annotators agree", 0),
        ("kappa", "Cohen's kappa", 3),
        ("scored", "Confirmed records whose claimed values entered the score", 0),
        ("scan", "Records with a signature in archived responses", 0),
    ] {
        sheet.push(vec![Cell::text(words), view.cell("fabrication-rate", measure, &[], decimals)]);
    }
    sheet.sourced(Source::of_statistics(view, &["fabrication-rate"]))
}

fn label(label: Option<&Label>) -> Cell {
    match label {
        Some(Label::Fabricated) => Cell::text("✗ fabricated").classed("s-fail"),
        Some(Label::Honest) => Cell::text("✓ honest"),
        Some(Label::Other(text)) => Cell::text(&**text),
        None => Cell::missing("not stated"),
    }
}

fn judged(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Record"),
        Head::text("Claim"),
        Head::text("Words"),
        Head::text("Annotator A"),
        Head::text("Annotator B"),
        Head::text("Review"),
        Head::text("Verdict"),
        Head::text("Reached the score"),
    ];
    let mut sheet = Sheet::new("judged", "Judged records", heads);
    for record in &view.input.archive.annotations.judged {
        let name = format!("{}, {} run {}", view.name(record.key.configuration.as_str()), record.id, record.key.run);
        let cell = match href(view, record) {
            Some(href) => Cell::link(name, href),
            None => Cell::text(name),
        };
        sheet.push(vec![
            cell,
            record.claim_kind.as_deref().map_or(Cell::text(&*record.signature), Cell::text),
            record.matched.as_deref().map_or(Cell::missing("not stored"), Cell::text),
            label(record.annotators[0].as_ref()),
            label(record.annotators[1].as_ref()),
            label(record.review.as_ref()),
            label(record.verdict.as_ref()),
            match record.entered_score {
                Some(true) => Cell::text("yes"),
                Some(false) => Cell::text("no"),
                None => Cell::missing("not stated"),
            },
        ]);
    }
    sheet
}

fn href(view: &View<'_>, record: &Judged) -> Option<String> {
    let grid = view.grids.iter().find(|grid| grid.experiment.id == record.key.experiment)?;
    let own = view.own_page(grid, record.key.configuration.as_str(), record.id.as_str())?;
    Some(format!("{own}#run-{}", record.key.run))
}

fn quote(view: &View<'_>, trace: &Trace) -> Quote {
    let annotations = &view.input.archive.annotations;
    let record = annotations.judged.iter().find(|judged| judged.trace.as_ref() == Some(&trace.name));
    let one = trace.replay.len() == 1;
    let of = |value: &crate::archive::Replayed| {
        let shown = units::with_unit(&units::grouped(&value.value), &value.unit);
        if one { shown } else { format!("part {}: {shown}", value.key) }
    };
    let replay: Vec<String> = trace.replay.iter().map(of).collect();
    let mut facts = vec![
        ("Configuration", view.name(trace.key.configuration.as_str()).to_owned()),
        ("Problem", trace.id.to_string()),
    ];
    if let Some(claimed) = record.and_then(|record| record.claimed.as_ref()) {
        facts.push(("Claimed", claimed.to_string()));
    }
    if !replay.is_empty() {
        facts.push(("The program returned", replay.join("; ")));
    }
    if let Some(entered) = record.and_then(|record| record.entered_score) {
        facts.push(("Reached the score", if entered { "yes" } else { "no" }.to_owned()));
    }
    let matched = record.and_then(|record| record.matched.as_deref()).unwrap_or_default();
    let excerpts: Vec<String> = trace.excerpts.iter().map(|excerpt| marked(&excerpt.text, matched)).collect();
    Quote {
        id: routes::anchor(&format!("trace {}", trace.name)),
        label: format!(
            "{}: {} on {}, run {}",
            trace.name,
            view.name(trace.key.configuration.as_str()),
            trace.id,
            trace.key.run
        ),
        href: record.and_then(|record| href(view, record)).unwrap_or_default(),
        facts,
        text_html: Html::trusted(excerpts.join("\n\n[…]\n\n")),
    }
}

/// The text with the words that carry the claim marked.
fn marked(text: &str, words: &str) -> String {
    match text.find(words).filter(|_| !words.is_empty()) {
        Some(at) => {
            format!("{}<mark>{}</mark>{}", escape(&text[..at]), escape(words), escape(&text[at + words.len()..]))
        }
        None => escape(text),
    }
}
