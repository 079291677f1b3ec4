//! Problems, variants, traps and choices with their answers, as they are stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::chance::draw;
use super::content::{ChoiceText, Content, Parameters, ProblemText, TrapText, fill};
use super::json_text::{object, real, text, whole};
use super::prose::significant;
use super::runner::{Runner, quantity};
use super::study::DemoError;
use crate::corpus::Answer;
use crate::json::Value;

/// A quantity that was computed: sub, value, unit.
pub(super) type Quantity = (String, f64, String);

/// One thing that is asked.
#[derive(Debug)]
pub(super) struct Item {
    /// Set.
    pub(super) set: &'static str,
    pub(super) id: String,
    /// Id of the original, for what was derived from one; of the template, for choices.
    pub(super) parent: Option<String>,
    pub(super) difficulty: String,
    pub(super) topic: String,
    pub(super) statement: String,
    pub(super) prose: String,
    pub(super) programs: Programs,
    /// Keys under which the same answer may come by position.
    pub(super) renamed: BTreeMap<String, String>,
    /// Accepted answers.
    pub(super) answers: Vec<Answer>,
    /// What a right program returns.
    pub(super) right: Vec<Quantity>,
    /// The same in a unit of another scale, where there is one.
    pub(super) rescaled: Vec<Quantity>,
    /// Letter of the key and number of options, for choices.
    pub(super) key: Option<char>,
    /// The stored object.
    pub(super) stored: Value,
}

/// Programs by what they do.
#[derive(Debug, Clone, Default)]
pub(super) struct Programs {
    pub(super) right: String,
    pub(super) mistakes: Vec<String>,
    pub(super) near: Option<String>,
    pub(super) rescaled: Option<String>,
    pub(super) kelvin: Option<String>,
    pub(super) residue: Option<String>,
    /// The original's program, for numeric variants.
    pub(super) echo: Option<String>,
    pub(super) shortcut: Option<String>,
}

/// Builds every item; runs the programs whose results are stored.
pub(super) fn build(content: &Content, runner: &mut Runner<'_>) -> Result<Vec<Item>, DemoError> {
    runner.run(sources(content))?;
    let mut items = Vec::new();
    let problems = || content.subfields.iter().flat_map(|s| s.problem.iter().map(move |p| (s.category.as_str(), p)));
    for (category, problem) in problems() {
        items.push(original(category, problem, runner)?);
    }
    for (category, problem) in problems() {
        for (number, parameters) in problem.variants.iter().enumerate() {
            items.push(numeric(category, problem, number + 1, parameters, runner)?);
        }
    }
    for (category, problem) in problems() {
        for (number, statement) in problem.paraphrases.iter().enumerate() {
            items.push(paraphrase(category, problem, number + 1, statement, runner)?);
        }
    }
    for trap in &content.traps {
        let parent = problems().find(|(_, problem)| problem.id == trap.parent);
        let (category, parent) = parent.ok_or_else(|| DemoError::Content(format!("{} has no parent", trap.id)))?;
        items.push(self::trap(category, parent, trap, runner)?);
    }
    for template in &content.choices {
        for (number, parameters) in template.instances.iter().enumerate() {
            items.push(choice(template, number + 1, parameters, runner)?);
        }
    }
    Ok(items)
}

fn sources(content: &Content) -> Vec<String> {
    let mut sources = Vec::new();
    for problem in content.subfields.iter().flat_map(|subfield| &subfield.problem) {
        for parameters in std::iter::once(&problem.defaults).chain(&problem.variants) {
            sources.push(fill(&problem.solver, parameters));
            sources.extend(problem.rescaled.as_ref().map(|program| fill(program, parameters)));
        }
    }
    let none = Parameters::new();
    for trap in &content.traps {
        sources.extend([&trap.solver, &trap.shortcut_solver].map(|program| fill(program, &none)));
    }
    for template in &content.choices {
        for parameters in &template.instances {
            let programs = std::iter::once(&template.solver).chain(&template.distractors);
            sources.extend(programs.map(|program| fill(program, parameters)));
        }
    }
    sources
}

/// Quantities that a program of the written part returns.
fn quantities(id: &str, source: &str, runner: &Runner<'_>) -> Result<Vec<Quantity>, DemoError> {
    let returned = runner.must(id, source)?;
    let read =
        |(sub, entry): &(String, Value)| quantity(entry).map(|(value, unit)| (sub.clone(), value, unit.to_owned()));
    let all: Option<Vec<Quantity>> = returned.iter().map(read).collect();
    all.ok_or_else(|| DemoError::Solver { id: id.to_owned(), reason: "it returns no quantities".to_owned() })
}

fn programs(problem: &ProblemText, parameters: &Parameters) -> Programs {
    let one = |program: &Option<String>| program.as_ref().map(|program| fill(program, parameters));
    Programs {
        right: fill(&problem.solver, parameters),
        mistakes: problem.mistakes.iter().map(|program| fill(program, parameters)).collect(),
        near: one(&problem.near),
        rescaled: one(&problem.rescaled),
        kelvin: one(&problem.kelvin),
        residue: one(&problem.residue),
        echo: None,
        shortcut: None,
    }
}

/// Accepted answers and the item around them; `stored` is filled in by the caller.
fn item(
    set: &'static str,
    id: String,
    problem: &ProblemText,
    parameters: &Parameters,
    statement: &str,
    runner: &Runner<'_>,
) -> Result<Item, DemoError> {
    let programs = programs(problem, parameters);
    let right = quantities(&id, &programs.right, runner)?;
    let rescaled = match &programs.rescaled {
        Some(program) => quantities(&id, program, runner)?,
        None => Vec::new(),
    };
    let mut answers: Vec<Answer> = right.iter().map(|(sub, value, unit)| answer(sub, *value, unit)).collect();
    for also in &problem.also {
        let own = right.iter().find(|(sub, _, _)| *sub == also.sub);
        answers
            .extend(own.map(|(sub, value, _)| answer(sub, crate::number::round(value * also.factor, 6), &also.unit)));
    }
    Ok(Item {
        set,
        id,
        parent: None,
        difficulty: problem.difficulty.clone(),
        topic: problem.topic.clone(),
        statement: fill(statement, parameters),
        prose: problem.prose.clone(),
        programs,
        renamed: problem.renamed.clone(),
        answers,
        right,
        rescaled,
        key: None,
        stored: Value::Null,
    })
}

fn answer(sub: &str, value: f64, unit: &str) -> Answer {
    Answer { sub: sub.into(), value: crate::number::repr(value).into(), unit: unit.into() }
}

fn stored_answers(answers: &[Answer]) -> Value {
    let one = |answer: &Answer| {
        object([("sub", text(&*answer.sub)), ("value", text(&*answer.value)), ("unit", text(&*answer.unit))])
    };
    Value::List(answers.iter().map(one).collect())
}

fn shared(words: &str) -> Value {
    text(words)
}

fn original(category: &str, problem: &ProblemText, runner: &Runner<'_>) -> Result<Item, DemoError> {
    let mut item = item("core", problem.id.clone(), problem, &problem.defaults, &problem.statement, runner)?;
    item.stored = object([
        ("id", text(&item.id)),
        ("problem", text(&item.statement)),
        ("code", text(&item.programs.right)),
        ("sub_answers", stored_answers(&item.answers)),
        ("category", shared(category)),
        ("topic", shared(&problem.topic)),
        ("difficulty", shared(&problem.difficulty)),
        ("book", text("written for this study")),
        ("numeric_variantable", Value::Bool(!problem.variants.is_empty())),
    ]);
    Ok(item)
}

fn numeric(
    category: &str,
    problem: &ProblemText,
    number: usize,
    parameters: &Parameters,
    runner: &Runner<'_>,
) -> Result<Item, DemoError> {
    let id = format!("{}_v{number}", problem.id);
    let mut item = item("numeric", id, problem, parameters, &problem.statement, runner)?;
    item.parent = Some(problem.id.clone());
    item.programs.echo = Some(fill(&problem.solver, &problem.defaults));
    let moved = |(name, value): (&String, &String)| (name.clone(), real(value.parse().unwrap_or(f64::NAN)));
    item.stored =
        variant(&item, category, number, [("parameters", Value::Object(parameters.iter().map(moved).collect()))]);
    Ok(item)
}

fn paraphrase(
    category: &str,
    problem: &ProblemText,
    number: usize,
    statement: &str,
    runner: &Runner<'_>,
) -> Result<Item, DemoError> {
    let id = format!("{}_p{number}", problem.id);
    let mut item = item("paraphrase", id, problem, &problem.defaults, statement, runner)?;
    item.parent = Some(problem.id.clone());
    item.stored = variant(&item, category, number, []);
    Ok(item)
}

fn variant<const N: usize>(item: &Item, category: &str, number: usize, more: [(&str, Value); N]) -> Value {
    let parent = item.parent.as_deref().unwrap_or_default();
    let first = [
        ("id", text(&item.id)),
        ("parent_id", text(parent)),
        ("variant", whole(number as u64)),
        ("problem", text(&item.statement)),
        ("code", text(&item.programs.right)),
        ("sub_answers", stored_answers(&item.answers)),
        ("category", shared(category)),
        ("difficulty", shared(&item.difficulty)),
    ];
    object(first.into_iter().chain(more))
}

fn trap(category: &str, parent: &ProblemText, trap: &TrapText, runner: &Runner<'_>) -> Result<Item, DemoError> {
    let none = Parameters::new();
    let right = fill(&trap.solver, &none);
    let shortcut = fill(&trap.shortcut_solver, &none);
    let values = quantities(&trap.id, &right, runner)?;
    let wrong = quantities(&trap.id, &shortcut, runner)?;
    let answers: Vec<Answer> = values.iter().map(|(sub, value, unit)| answer(sub, *value, unit)).collect();
    let gaps = values.iter().zip(&wrong).map(|((_, right, _), (_, wrong, _))| (wrong - right).abs() / right.abs());
    let separation = crate::number::round(gaps.fold(0.0, f64::max), 3);
    let statement = fill(&trap.statement, &none);
    let stored = object([
        ("id", text(&trap.id)),
        ("parent_id", text(&trap.parent)),
        ("control_id", text(&trap.parent)),
        ("problem", text(&statement)),
        ("code", text(&right)),
        ("sub_answers", stored_answers(&answers)),
        ("category", shared(category)),
        ("topic", shared(&trap.topic)),
        ("difficulty", shared(&trap.difficulty)),
        ("trap_type", shared(&trap.family)),
        ("shortcut", text(&trap.shortcut)),
        ("shortcut_code", text(&shortcut)),
        ("shortcut_values", object(wrong.iter().map(|(sub, value, _)| (sub.as_str(), real(*value))))),
        ("separation", real(separation)),
    ]);
    Ok(Item {
        set: "traps",
        id: trap.id.clone(),
        parent: Some(trap.parent.clone()),
        difficulty: trap.difficulty.clone(),
        topic: trap.topic.clone(),
        statement,
        prose: parent.prose.clone(),
        programs: Programs {
            right,
            mistakes: vec![fill(&trap.mistake, &none)],
            shortcut: Some(shortcut),
            ..Programs::default()
        },
        renamed: BTreeMap::new(),
        answers,
        right: values,
        rescaled: Vec::new(),
        key: None,
        stored,
    })
}

fn choice(
    template: &ChoiceText,
    number: usize,
    parameters: &Parameters,
    runner: &Runner<'_>,
) -> Result<Item, DemoError> {
    let id = format!("{}_{number}", template.id);
    let sources: Vec<String> = std::iter::once(&template.solver)
        .chain(&template.distractors)
        .map(|program| fill(program, parameters))
        .collect();
    let mut values = Vec::new();
    for source in &sources {
        values.extend(quantities(&id, source, runner)?.into_iter().take(1));
    }
    let answers = vec![answer(&values[0].0, values[0].1, &values[0].2)];
    // Options in an order that depends on the instance only.
    let turn = (draw(&["options", &id]) * values.len() as f64) as usize;
    let mut options: Vec<String> =
        values.iter().map(|(_, value, unit)| format!("{} {unit}", significant(*value))).collect();
    options.rotate_right(turn);
    let key = char::from(b'A' + turn as u8);
    let statement = fill(&template.statement, parameters);
    // A sound solver answers; for a flawed key that is the first of the other programs.
    let sound = usize::from(template.flawed);
    let mut members = vec![
        ("id", text(&id)),
        ("parent_id", text(&template.id)),
        ("variant", whole(number as u64)),
        ("source", text("written for this study")),
        ("problem", text(&statement)),
        ("sub_answers", stored_answers(&answers)),
        ("category", shared(&template.category)),
        ("options", Value::List(options.into_iter().map(text).collect())),
        ("answer_key", text(key.to_string())),
    ];
    let verdict = if template.flawed { ("both", "FAIL_BOTH_AGREE") } else { ("clean", "PASS_K2") };
    members.push(("audit", object([("flag", text(verdict.0)), ("k2_solve", text(verdict.1))])));
    if !template.flawed {
        members.push(("code", text(&sources[0])));
    }
    Ok(Item {
        set: "mcq",
        id,
        parent: Some(template.id.clone()),
        difficulty: "medium".to_owned(),
        topic: template.id.trim_start_matches("mc-").replace('-', " "),
        statement,
        prose: "The quantities are related by one formula.".to_owned(),
        programs: Programs {
            right: sources[sound].clone(),
            mistakes: sources.iter().enumerate().filter(|(at, _)| *at != sound).map(|(_, s)| s.clone()).collect(),
            ..Programs::default()
        },
        renamed: BTreeMap::new(),
        answers,
        right: vec![values[sound].clone()],
        rescaled: Vec::new(),
        key: Some(key),
        stored: object(members),
    })
}

/// Distinct subs of an item in order.
pub(super) fn subs(item: &Item) -> Vec<Arc<str>> {
    let mut subs: Vec<Arc<str>> = Vec::new();
    for answer in &item.answers {
        if !subs.contains(&answer.sub) {
            subs.push(answer.sub.clone());
        }
    }
    subs
}
