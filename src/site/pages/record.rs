//! All runs of one configuration on one problem: prompt, response, program, values, verdicts.

use std::cell;
use std::sync::Arc;

use serde::Serialize;

use crate::archive::{Attempt, AttemptOutcome, Record, RunKey, State};
use crate::markup::{Html, preview};
use crate::number::grouped;
use crate::site::excerpt::{AttemptExcerpts, Excerpt};
use crate::site::grid::{Grid, GridRow};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::sheet::{Cell, Head, Link, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::site::{highlight, routes};
use crate::study::Given;
use crate::verify::{AttemptVerdict, LensRow, ReplayVerdict};

use super::outcomes::actual;

/// The pages.
pub(crate) struct RecordPage;

/// Bytes of all texts of a page together; beyond them only the first [`LEAST`] bytes of each are shown.
const TOGETHER: usize = 192 * 1024;

/// What is always shown of a text.
const LEAST: usize = 512;

/// Attempts of one run that a page shows.
const ATTEMPTS: usize = 40;

#[derive(Serialize)]
struct Context {
    problem: Option<Link>,
    id: String,
    configuration: Link,
    experiment: String,
    runs: Vec<RunContext>,
}

#[derive(Serialize)]
struct RunContext {
    id: String,
    number: u32,
    class: &'static str,
    mark: &'static str,
    word: &'static str,
    notes: Vec<(&'static str, String)>,
    details: Option<Sheet>,
    replay: Option<(&'static str, String)>,
    lenses: Vec<String>,
    attempts: Vec<AttemptContext>,
    more_attempts: usize,
    file: String,
    texts_from: String,
    source: String,
}

#[derive(Serialize)]
struct AttemptContext {
    number: usize,
    outcome: String,
    usage: String,
    found: Option<(&'static str, String)>,
    prompt: Option<Text>,
    reasoning: Option<Text>,
    response: Option<Text>,
    program_html: Option<Html>,
}

/// The beginning of a text with its size.
#[derive(Serialize)]
struct Text {
    text: String,
    bytes: String,
    cut: bool,
}

impl Page for RecordPage {
    fn template(&self) -> (&'static str, &'static str) {
        ("record.html", include_str!("../../../templates/record.html"))
    }

    fn section(&self) -> &'static str {
        "problems/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        view.record_paths().map(ToOwned::to_owned).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let (grid, row, id) = view.record_at(at.path).ok_or_else(|| SiteError::NoSuchPage(at.path.to_owned()))?;
        let key = row.configuration.key.as_str();
        let room = Room(cell::Cell::new(TOGETHER));
        let known = grid.set.and_then(|set| set.get(id)).is_some();
        let href = routes::problem(grid.experiment.set.as_str(), id);
        let context = Context {
            problem: known.then(|| Link::new(id, href)),
            id: id.to_owned(),
            configuration: Link::new(row.configuration.name.clone(), routes::configuration(key)),
            experiment: super::problems::words(grid),
            runs: runs(view, (grid, row), id, &room),
        };
        let title = format!("{} on {id}", row.configuration.name);
        let summary = format!("Every run of {} on problem {id}: answers, verdicts, programs.", row.configuration.name);
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

fn runs(view: &View<'_>, (grid, row): (&Grid<'_>, &GridRow<'_>), id: &str, room: &Room) -> Vec<RunContext> {
    let numbers = 1..=row.runs.len() as u32;
    numbers.filter_map(|number| run(view, (grid, row), id, number, room)).collect()
}

fn run(
    view: &View<'_>,
    (grid, row): (&Grid<'_>, &GridRow<'_>),
    id: &str,
    number: u32,
    room: &Room,
) -> Option<RunContext> {
    let key =
        RunKey { experiment: grid.experiment.id.clone(), configuration: row.configuration.key.clone(), run: number };
    let file = row.runs.get(number as usize - 1).copied().flatten();
    let transcript = view.transcript(&key, id);
    let archived = file.and_then(|run| run.get(id));
    // A selected transcript tells more than a reconstructed record of the same run.
    let record = transcript.map(|t| &t.record).or(archived)?;
    // The selected texts, else those of the run file, as far as a page shows them.
    let selected = transcript.map(|t| {
        t.texts.iter().map(|text| AttemptExcerpts::of(text, &|text: &str| Arc::from(text))).collect::<Vec<_>>()
    });
    let shown = selected.as_deref().or_else(|| view.input.texts.texts(&key, &record.id)).unwrap_or_default();
    let (class, mark, word) = match record.state() {
        State::Pass => ("pass", "✓", "passed"),
        State::Fail => ("fail", "✗", "failed"),
        State::Excluded => ("gone", "·", "infrastructure error, not counted"),
    };
    let attempts = record.attempts.as_deref().unwrap_or_default();
    let count = attempts.len().max(shown.len());
    let file = file.map(|run| run.path.clone()).or(transcript.map(|t| t.path.clone())).unwrap_or_default();
    let texts_from = transcript.map_or_else(String::new, |t| t.path.clone());
    Some(RunContext {
        id: format!("run-{number}"),
        number,
        class,
        mark,
        word,
        notes: notes(record),
        details: details(record, number, view.input.study.grading.capture),
        replay: view.verdicts.replay(&key, id).map(replay),
        lenses: view.verdicts.lenses(&key, id).iter().map(|row| lens(row)).collect(),
        attempts: (0..count.min(ATTEMPTS))
            .map(|n| {
                let found = view.verdicts.attempt(&key, id, n);
                attempt(n, attempts.get(n), (shown.get(n), room), found, grid.experiment.given())
            })
            .collect(),
        more_attempts: count.saturating_sub(ATTEMPTS),
        source: if texts_from.is_empty() { file.clone() } else { texts_from.clone() },
        file,
        texts_from,
    })
}

fn notes(record: &Record) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    let mut add = |name, text: Option<String>| notes.extend(text.map(|text| (name, text)));
    add("Attempts used", record.num_attempts.map(|n| n.to_string()));
    add("Why it could not be graded", record.failed_reason.as_deref().map(ToOwned::to_owned));
    add("Infrastructure error", record.error.as_deref().map(ToOwned::to_owned));
    add("Counted as a failure", record.error_as_fail.then(|| "yes, by declaration of the record".to_owned()));
    add("Values come from", record.details_from.as_deref().map(ToOwned::to_owned));
    add("Reader of the prose", record.note.as_deref().map(ToOwned::to_owned));
    let tokens = record.usage.map(|u| {
        format!(
            "{} prompt, {} completion, {} reasoning",
            grouped(u.prompt),
            grouped(u.completion),
            grouped(u.reasoning)
        )
    });
    add("Tokens", tokens);
    notes
}

/// Answers as stored; a value that stands for the run's own is not shown as returned. `capture` is how near
/// the run's own value is, as a fraction.
fn details(record: &Record, run: u32, capture: f64) -> Option<Sheet> {
    let details = record.details.as_ref()?;
    let borrowed = record.has_borrowed_values().then(|| {
        let near = crate::number::general(100.0 * capture, 3);
        format!("within {near} % of the shortcut; own value not archived")
    });
    let heads = vec![
        Head::text("Part"),
        Head::text("Accepted"),
        Head::text("Unit"),
        Head::text("Returned"),
        Head::text("Its unit"),
        Head::text("Mark"),
    ];
    let mut sheet = Sheet::new(format!("answers-{run}"), "Stored answers and marks", heads);
    for detail in details {
        let units = detail.expected_units.as_deref().unwrap_or_default();
        let mark = if detail.passed {
            Cell::text("✓ passed").classed("s-pass")
        } else {
            Cell::text("✗ failed").classed("s-fail")
        };
        sheet.push(vec![
            Cell::text(if detail.sub.is_empty() { "(no name)" } else { &detail.sub }),
            Cell::text(detail.expected.iter().map(|e| &**e).collect::<Vec<_>>().join(" or ")),
            Cell::text(units.iter().map(|u| &**u).collect::<Vec<_>>().join(" or ")),
            Cell::text(borrowed.clone().unwrap_or_else(|| actual(&detail.actual))),
            detail
                .actual_unit
                .as_ref()
                .filter(|_| borrowed.is_none())
                .map_or(Cell::missing("not archived"), |unit| Cell::text(&**unit)),
            mark,
        ]);
    }
    Some(sheet)
}

fn attempt(
    position: usize,
    stored: Option<&Attempt>,
    (text, room): (Option<&AttemptExcerpts>, &Room),
    found: Option<&AttemptVerdict>,
    given: Given,
) -> AttemptContext {
    let outcome = match stored.map(|attempt| &attempt.outcome) {
        Some(AttemptOutcome::Graded) => "graded".to_owned(),
        Some(AttemptOutcome::Ungradable(reason, _)) => format!("not gradable: {reason}"),
        Some(AttemptOutcome::Unknown) | None => "outcome not stored".to_owned(),
    };
    let usage =
        stored.and_then(|attempt| attempt.usage).map_or(String::new(), |u| format!("{} tokens", grouped(u.total)));
    let program = text.filter(|text| given == Given::Program && text.program.bytes > 0);
    AttemptContext {
        // The program first: where room is scarce, it tells most.
        program_html: program.map(|text| highlight::python(room.begin(&text.program.text))),
        number: position + 1,
        outcome,
        usage,
        found: found.map(executed),
        prompt: text.and_then(|text| room.shown(&text.prompt)),
        reasoning: text.and_then(|text| room.shown(&text.reasoning)),
        response: text.and_then(|text| room.shown(&text.response)),
    }
}

/// What a replay of the whole record found.
fn replay(row: &ReplayVerdict) -> (&'static str, String) {
    if row.agrees {
        return (
            "agrees",
            format!("✓ Executed again: as recorded, {}", super::faithfulness::difference(row.difference)),
        );
    }
    let cause = row.cause.map_or_else(String::new, |cause| cause.as_str().replace('-', " "));
    let remark = row.remark.as_ref().map_or(String::new(), |remark| format!(": {remark}"));
    ("differs", format!("✗ Executed again: not as recorded ({cause}){remark}"))
}

/// What the execution of one attempt found.
fn executed(row: &AttemptVerdict) -> (&'static str, String) {
    let status = match row.status.as_ref().map(ToString::to_string) {
        None => String::new(),
        Some(status) if status == "ok" => "the program ran to its end; ".to_owned(),
        Some(status) => format!("the program ended as “{status}”; "),
    };
    let reason = row.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
    let passed = match row.passed {
        Some(true) => "its answer passes",
        Some(false) => "its answer fails",
        None => "there is no answer to grade",
    };
    let other = if row.extraction_differs { "; the last Python block of the response is another program" } else { "" };
    let (class, sign) = if row.agrees { ("agrees", "✓") } else { ("differs", "✗") };
    (class, format!("{sign} Executed again: {status}{passed}{reason}{other}"))
}

/// One answer on which the lenses differ, in words.
fn lens(row: &LensRow) -> String {
    let word = |passed: bool| if passed { "accepts" } else { "rejects" };
    format!(
        "Part {}: the study's rule {} it, the strict lens {} it. {}",
        row.sub,
        word(row.reference),
        word(row.strict),
        row.reason.meaning()
    )
}

/// What is left of the bytes that a page shows.
struct Room(cell::Cell<usize>);

impl Room {
    /// As much of a text as there is room for.
    fn begin<'t>(&self, text: &'t str) -> &'t str {
        let (begin, _) = preview(text, self.0.get().max(LEAST));
        self.0.set(self.0.get().saturating_sub(begin.len()));
        begin
    }

    fn shown(&self, excerpt: &Excerpt) -> Option<Text> {
        if excerpt.bytes == 0 {
            return None;
        }
        let begin = self.begin(&excerpt.text);
        let bytes = grouped(excerpt.bytes as u64);
        Some(Text { text: begin.to_owned(), bytes, cut: begin.len() < excerpt.bytes })
    }
}
