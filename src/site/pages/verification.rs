//! The ladder with every exception.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counts::many;
use crate::number::grouped;
use crate::report::{Finding, Severity};
use crate::site::input::SiteError;
use crate::site::page::{At, Body, NavGroup, Page};
use crate::site::routes;
use crate::site::sheet::{Cell, Head, Sheet, Source};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::verify::Level;

/// The page.
pub(crate) struct Verification;

#[derive(Serialize)]
struct Context {
    ladder: Sheet,
    groups: Vec<Group>,
    total: usize,
    execution: String,
    tool: String,
}

/// Findings of one gravity.
#[derive(Serialize)]
struct Group {
    id: String,
    title: String,
    kinds: Vec<Kind>,
}

/// Findings of one code.
#[derive(Serialize)]
struct Kind {
    code: &'static str,
    meaning: &'static str,
    remedy: &'static str,
    count: String,
    sheet: Sheet,
}

impl Page for Verification {
    fn template(&self) -> (&'static str, &'static str) {
        ("verification.html", include_str!("../../../templates/verification.html"))
    }

    fn section(&self) -> &'static str {
        "verification/index.html"
    }

    fn entry(&self) -> Option<(NavGroup, &'static str)> {
        Some((NavGroup::Evidence, "Verification"))
    }

    fn body(&self, view: &View<'_>, _: &At<'_>) -> Result<Body, SiteError> {
        let groups = [
            (Severity::Unreadable, "unreadable", "Could not be read"),
            (Severity::Disagrees, "disagree", "Disagrees"),
            (Severity::Missing, "missing", "Evidence is missing"),
            (Severity::Note, "notes", "Worth knowing"),
        ];
        let groups = groups.into_iter().filter_map(|(severity, id, title)| group(view, severity, id, title)).collect();
        let context = Context {
            ladder: ladder(view),
            groups,
            total: view.input.findings.len(),
            execution: match view.input.ledger.engines.as_slice() {
                [] => "No program was executed.".to_owned(),
                engines => crate::review::execution(engines),
            },
            tool: view.input.tool.to_owned(),
        };
        let summary = "What was checked level by level, what agrees, what does not, and what could not be checked.";
        Ok(Body {
            title: "Verification".into(),
            summary: summary.into(),
            values: Values::of(&context),
            figures: vec![],
        })
    }
}

/// One line per level.
pub(crate) fn ladder(view: &View<'_>) -> Sheet {
    let heads = vec![
        Head::text("Level"),
        Head::text("Question"),
        Head::num("Checked", "of all"),
        Head::num("Agrees", ""),
        Head::num("Disagrees", ""),
        Head::num("Not checkable", ""),
        Head::text("Remark"),
    ];
    let mut sheet = Sheet::new("ladder", "The ladder of verification", heads);
    let mut idle: Vec<String> = Vec::new();
    for level in &view.input.ledger.levels {
        let (code, name, question) = level.level.words();
        if level.total == 0 {
            let (code, name, _) = level.level.words();
            idle.push(format!("{code} {name}"));
            continue;
        }
        let missing: usize = level.not_checkable.values().sum();
        let reasons: Vec<String> = level
            .not_checkable
            .iter()
            .map(|(reason, count)| format!("{} ({})", reason.said(), grouped(*count as u64)))
            .collect();
        let disagreed = Cell::count(level.disagreed).classed(if level.disagreed > 0 { "num s-fail" } else { "num" });
        let computed = (level.computed > 0).then(|| format!("{} computed", grouped(level.computed as u64)));
        let remark = computed
            .into_iter()
            .chain(level.remark.iter().cloned())
            .chain((missing > 0).then(|| format!("not checkable: {}", reasons.join(", "))))
            .collect::<Vec<_>>()
            .join("; ");
        sheet.push_named(
            format!("level-{}", code.to_lowercase()),
            vec![
                Cell::text(format!("{code} {name}")),
                Cell::text(question),
                Cell::count(level.checked).aside(format!("of {}", grouped(level.total as u64))),
                Cell::count(level.agreed),
                disagreed.to("verification/index.html#findings"),
                Cell::count(missing).explained(reasons.join("; ")),
                Cell::text(remark),
            ],
        );
    }
    // Levels that count nothing here fill no rows.
    if !idle.is_empty() {
        sheet = sheet.noted(format!("The archive holds nothing to check at these levels: {}.", idle.join(", ")));
    }
    for (level, remark) in later(view) {
        nothing(&mut sheet, level, &remark);
    }
    let source = Source { inputs: vec![("archive".into(), view.input.archive_digest.short(12))], ..Source::default() };
    sheet.sourced(source.with_file("JSON", "data/ledger.json"))
}

/// A row of a level that counts nothing, and why.
fn nothing(sheet: &mut Sheet, level: Level, why: &str) {
    let (code, name, question) = level.words();
    let mut cells = vec![Cell::text(format!("{code} {name}")), Cell::text(question)];
    cells.extend((0..4).map(|_| Cell::missing(why)));
    cells.push(Cell::text(why));
    sheet.push_named(format!("level-{}", code.to_lowercase()), cells);
}

/// Levels that this page cannot count, and why.
fn later(view: &View<'_>) -> Vec<(Level, String)> {
    let absent = |level: &Level| view.input.ledger.levels.iter().all(|summary| summary.level != *level);
    let identity = &view.input.study.study;
    let claims = "No printed number was given to judge.".to_owned();
    let deposit = format!(
        "Not counted here, because the deposit holds this page. It is read back when it is written. To check it again: repro verify {}-{}.zip",
        identity.id, identity.version
    );
    [(Level::L6, claims), (Level::L7, deposit)].into_iter().filter(|(level, _)| absent(level)).collect()
}

fn group(view: &View<'_>, severity: Severity, id: &str, title: &'static str) -> Option<Group> {
    let mut kinds: BTreeMap<&'static str, Vec<&Finding>> = BTreeMap::new();
    for finding in view.input.findings.iter().filter(|finding| finding.severity == severity) {
        kinds.entry(finding.code).or_default().push(finding);
    }
    let count: usize = kinds.values().map(Vec::len).sum();
    let kinds = kinds.into_iter().map(|(code, findings)| kind(view, id, code, &findings)).collect();
    let title = format!("{title}: {}", many(count, "finding", "findings"));
    (count > 0).then(|| Group { id: format!("f-{id}"), title, kinds })
}

/// All findings of one code; a remedy stands once and not in every row.
fn kind(view: &View<'_>, group: &str, code: &'static str, findings: &[&Finding]) -> Kind {
    let heads = vec![Head::text("Where"), Head::text("Seen")];
    let caption = match findings.len() {
        1 => "Where it was seen".to_owned(),
        n => format!("The {} places where it was seen", grouped(n as u64)),
    };
    let mut sheet = Sheet::new(format!("f-{group}-{code}"), caption, heads);
    sheet.filter = findings.len() > 10;
    for finding in findings {
        sheet.push(vec![place(view, finding), Cell::text(finding.message.clone())]);
    }
    let entry = crate::report::code(code);
    Kind {
        code,
        meaning: entry.map_or("", |entry| entry.meaning),
        remedy: entry.map_or("", |entry| entry.remedy),
        count: grouped(findings.len() as u64),
        sheet: sheet.sourced(Source::default().with_file("JSON", "data/findings.json")),
    }
}

/// The place, linked to the problem or configuration it names.
fn place(view: &View<'_>, finding: &Finding) -> Cell {
    let cell = Cell::text(finding.place.to_string());
    let Some(subject) = &finding.place.subject else { return cell };
    let set = view
        .input
        .corpus
        .sets
        .iter()
        .find(|set| set.get(subject).is_some() && finding.place.file.as_ref().is_none_or(|file| *file == set.path));
    let configuration = || view.configuration(subject).map(|c| routes::configuration(c.key.as_str()));
    match set.map(|set| routes::problem(set.id.as_str(), subject)).or_else(configuration) {
        Some(href) => cell.to(href),
        None => cell,
    }
}
