//! Responses that are not quite as the prompt asked: each ends with a status and a message, on both engines.

use repro::engine::{Engine, Limits, Program};
use repro::grade::extract;
use repro::world::Silent;

use super::{cpython, embedded};

const SOLVE: &str = "def solve(t=2.0):\n    return {'1': {'value': t * 21, 'unit': 'K'}}\n";

/// Name, response, and the statuses that are right for it; `no code` is what has no program at all.
fn responses() -> Vec<(&'static str, String, &'static [&'static str])> {
    let fenced = format!("```python\n{SOLVE}```");
    let draft = "```python\ndef solve(t=2.0):\n    return {'1': {'value': t, 'unit': 'K'}}\n```";
    vec![
        ("empty", String::new(), &["no code"]),
        ("blank", " \n\t\n".to_owned(), &["no code"]),
        ("empty fence", "```python\n```".to_owned(), &["no code"]),
        ("no fence", SOLVE.to_owned(), &["ok"]),
        ("prose and no fence", "I cannot solve this.".to_owned(), &["error"]),
        ("fence", fenced.clone(), &["ok"]),
        ("fence never closed", format!("```python\n{SOLVE}"), &["ok"]),
        ("prose before a fence never closed", format!("Here it is:\n```python\n{SOLVE}"), &["error"]),
        ("two fences", format!("{draft}\nBetter:\n{fenced}"), &["ok"]),
        ("carriage returns", fenced.replace('\n', "\r\n"), &["ok"]),
        ("byte-order mark before the fence", format!("\u{feff}{fenced}"), &["ok"]),
        ("byte-order mark in the fence", format!("```python\n\u{feff}{SOLVE}```"), &["ok", "error"]),
        ("binary", "```python\n\u{1}\u{7f}\u{0}\u{fffd}\n```".to_owned(), &["error"]),
        ("ten megabytes", format!("```python\n# {}\n{SOLVE}```", "x".repeat(10_000_000)), &["too-large"]),
        ("ten megabytes of prose", "words ".repeat(1_700_000), &["too-large"]),
    ]
}

fn each_has_a_status(engine: &dyn Engine) {
    let responses = responses();
    let sources: Vec<&str> = responses.iter().map(|(_, response, _)| extract::program(response)).collect();
    let programs: Vec<Program> = sources.iter().filter(|s| !s.is_empty()).map(|s| Program::new(*s)).collect();
    let outcomes = engine.run(&programs, &Limits::default(), &Silent).unwrap();
    let mut outcomes = outcomes.iter();
    for ((name, _, right), source) in responses.iter().zip(&sources) {
        let outcome = if source.is_empty() { None } else { outcomes.next() };
        let status = outcome.map_or("no code", |outcome| outcome.status.name());
        assert!(right.contains(&status), "{name}: {status} on {}", engine.identity().version);
        let said = outcome.is_none_or(|outcome| outcome.status.is_ok() || !outcome.message.is_empty());
        assert!(said, "{name}: {status} without a message on {}", engine.identity().version);
    }
}

#[test]
fn every_odd_response_ends_with_a_status_and_a_message() {
    each_has_a_status(&*embedded(1));
    if let Some(engine) = cpython(1) {
        each_has_a_status(&*engine);
    }
}

#[test]
fn of_two_fences_the_study_takes_the_first_and_the_other_lens_the_last() {
    let (_, two, _) = responses().into_iter().find(|(name, ..)| *name == "two fences").unwrap();
    assert!(extract::program(&two).contains("'value': t,"));
    assert!(extract::last_python_block(&two).unwrap().contains("t * 21"));
}
