//! One problem: statement, answers, program, relatives, outcomes.

use serde::Serialize;

use super::outcomes::{self, Cluster};
use super::problems;
use crate::corpus::{Problem, Set};
use crate::markup::Html;
use crate::site::input::SiteError;
use crate::site::page::{At, Body, Page};
use crate::site::sheet::{Cell, Head, Link, Sheet};
use crate::site::templates::Values;
use crate::site::view::View;
use crate::site::{diff, highlight, routes, units};
use crate::statistics::Estimate;

/// The pages.
pub(crate) struct ProblemPage;

#[derive(Serialize)]
struct Context {
    set: Link,
    chips: Vec<(&'static str, String)>,
    statement_html: Html,
    untypeset: bool,
    options: Vec<(String, bool)>,
    answers: Sheet,
    program_html: Option<Html>,
    executed: Vec<Executed>,
    shortcut: Option<ShortcutContext>,
    parent: Option<Link>,
    relatives: Vec<Relatives>,
    outcomes: Vec<Sheet>,
    clusters: Vec<Cluster>,
    previous: Option<Link>,
    next: Option<Link>,
}

/// What execution of a stored program found.
#[derive(Serialize)]
struct Executed {
    class: &'static str,
    text: String,
}

#[derive(Serialize)]
struct ShortcutContext {
    family: String,
    words: String,
    values: String,
    program_html: Option<Html>,
    parent_program_html: Option<Html>,
    diff_html: Option<Html>,
    parent_statement_html: Option<Html>,
    parent: Option<Link>,
}

#[derive(Serialize)]
struct Relatives {
    title: String,
    links: Vec<(Link, String)>,
}

impl Page for ProblemPage {
    fn template(&self) -> (&'static str, &'static str) {
        ("problem.html", include_str!("../../../templates/problem.html"))
    }

    fn section(&self) -> &'static str {
        "problems/index.html"
    }

    fn shows_runs(&self) -> bool {
        true
    }

    fn paths(&self, view: &View<'_>) -> Vec<String> {
        view.problem_paths().map(ToOwned::to_owned).collect()
    }

    fn body(&self, view: &View<'_>, at: &At<'_>) -> Result<Body, SiteError> {
        let position = view.problem_at(at.path).ok_or_else(|| SiteError::NoSuchPage(at.path.to_owned()))?;
        let (set, problem) = view.at(position);
        let statement = view.statement(position.0, position.1);
        let beside = |offset: isize| {
            let index = position.1.checked_add_signed(offset)?;
            set.problems.get(index).map(|p| link(set, p))
        };
        let grids = problems::grids(view, set);
        let context = Context {
            set: Link::new(set.title.clone(), routes::problem_set(set.id.as_str())),
            chips: chips(problem),
            statement_html: statement.html.clone(),
            untypeset: !statement.untypeset.is_empty(),
            options: options(problem),
            answers: answers(problem),
            program_html: problem.solver.as_deref().map(highlight::python),
            executed: executed(view, set, problem),
            shortcut: shortcut(view, set, problem),
            parent: parent(view, set, problem).map(|(s, p)| link(s, p)),
            relatives: relatives(view, set, problem),
            outcomes: grids.iter().map(|grid| outcomes::sheet(view, grid, problem)).collect(),
            clusters: grids.iter().flat_map(|grid| outcomes::clusters(view, grid, problem)).collect(),
            previous: beside(-1),
            next: beside(1),
        };
        let title = format!("Problem {}", problem.id);
        let summary = format!("{}: statement, accepted answers, reference program and outcomes.", problem.id);
        Ok(Body { title, summary, values: Values::of(&context), figures: vec![] })
    }
}

fn link(set: &Set, problem: &Problem) -> Link {
    Link::new(problem.id.as_str(), routes::problem(set.id.as_str(), problem.id.as_str()))
}

fn chips(problem: &Problem) -> Vec<(&'static str, String)> {
    let named = [
        ("Category", &problem.category),
        ("Difficulty", &problem.difficulty),
        ("Topic", &problem.topic),
        ("Source", &problem.book),
    ];
    let mut chips: Vec<(&'static str, String)> =
        named.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?.replace('_', " ")))).collect();
    chips.retain(|(_, value)| !value.trim().is_empty());
    chips.extend(problem.variant.map(|number| ("Variant", number.to_string())));
    chips
}

fn options(problem: &Problem) -> Vec<(String, bool)> {
    let Some(choice) = &problem.choice else { return Vec::new() };
    let letter = |index: usize| char::from(b'A' + (index % 26) as u8).to_string();
    let is_key = |index: usize, text: &str| choice.key.as_ref().is_some_and(|key| *key == letter(index) || key == text);
    choice.options.iter().enumerate().map(|(i, text)| (text.clone(), is_key(i, text))).collect()
}

fn answers(problem: &Problem) -> Sheet {
    let heads = vec![Head::text("Part"), Head::text("Accepted value"), Head::text("Unit")];
    let mut sheet = Sheet::new("answers", "Accepted answers", heads);
    let several = problem.answers.len() > problem.subs().len();
    if several {
        sheet = sheet.noted("A part listed more than once accepts any of its values.");
    }
    for answer in &problem.answers {
        let sub = if answer.sub.is_empty() { "(no name)" } else { &answer.sub };
        sheet.push(vec![
            Cell::text(sub),
            Cell::text(&*answer.value).classed("num"),
            Cell::text(units::unit(&answer.unit)).explained(&*answer.unit),
        ]);
    }
    sheet
}

fn executed(view: &View<'_>, set: &Set, problem: &Problem) -> Vec<Executed> {
    let rows = view.verdicts.solvers(set.id.as_str(), problem.id.as_str());
    let of = |row: &&crate::verify::SolverVerdict| {
        let program = if row.shortcut { "Shortcut" } else { "Reference program" };
        let passes = if row.accepted == Some(true) { "; the problem accepts it" } else { "" };
        let position =
            if row.by_position > 0 { "; parts were found by their position instead of their name" } else { "" };
        let message = row.message.as_ref().map_or(String::new(), |message| format!(" ({message})"));
        let (class, sign, verdict) =
            if row.agrees { ("agrees", "✓", "reproduces") } else { ("differs", "✗", "does not reproduce") };
        Executed {
            class,
            text: format!(
                "{sign} {program}, executed by {}, {verdict} the stored answer: {}{position}{passes}{message}",
                super::faithfulness::interpreter(&row.engine),
                super::faithfulness::difference(row.difference)
            ),
        }
    };
    rows.iter().map(of).collect()
}

fn parent<'a>(view: &View<'a>, set: &Set, problem: &Problem) -> Option<(&'a Set, &'a Problem)> {
    let id = problem.parent.as_ref()?;
    let (set, id) = view.problem_named(set.parents.as_ref().map(crate::id::SetId::as_str), id.as_str())?;
    view.position(set, id).map(|position| view.at(position))
}

/// A value with the name of its part, where there are several.
fn named_value(parts: usize, sub: &str, value: f64) -> String {
    let text = units::grouped(&outcomes::significant(value));
    if parts == 1 { text } else { format!("part {sub}: {text}") }
}

fn shortcut(view: &View<'_>, set: &Set, problem: &Problem) -> Option<ShortcutContext> {
    let shortcut = problem.shortcut.as_ref()?;
    let parent = parent(view, set, problem);
    let values: Vec<String> =
        shortcut.values.iter().map(|(sub, value)| named_value(shortcut.values.len(), sub, *value)).collect();
    Some(ShortcutContext {
        family: shortcut.family.replace('_', " "),
        words: shortcut.words.clone(),
        values: values.join(", "),
        program_html: shortcut.program.as_deref().map(highlight::python),
        parent_program_html: parent.and_then(|(_, p)| p.solver.as_deref()).map(highlight::python),
        diff_html: parent.and_then(|(_, p)| diff::words(p.statement.trim(), problem.statement.trim())),
        parent_statement_html: parent
            .and_then(|(s, p)| view.position(s.id.as_str(), p.id.as_str()))
            .map(|(s, p)| view.statement(s, p).html.clone()),
        parent: parent.map(|(s, p)| link(s, p)),
    })
}

fn relatives(view: &View<'_>, set: &Set, problem: &Problem) -> Vec<Relatives> {
    let mut groups: Vec<Relatives> = Vec::new();
    for position in view.children(set.id.as_str(), problem.id.as_str()) {
        let (child_set, child) = view.at(*position);
        let title = child_set.title.clone();
        let outcome = problems::grids(view, child_set).first().map_or(String::new(), |grid| {
            let mut keys = vec![("set", child_set.id.as_str()), ("problem", child.id.as_str())];
            keys.extend(grid.experiment.distinguishing());
            let solved = view.lookup.fact("solved-by-n", "configurations", &keys).map(|fact| &fact.estimate);
            match solved {
                Some(Estimate::Value { count: Some((solved, all)), .. }) => format!("solved by {solved} of {all}"),
                _ => String::new(),
            }
        });
        match groups.last_mut().filter(|group| group.title == title) {
            Some(group) => group.links.push((link(child_set, child), outcome)),
            None => groups.push(Relatives { title, links: vec![(link(child_set, child), outcome)] }),
        }
    }
    groups
}
