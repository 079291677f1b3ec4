//! Problem files of the human-eval family: prompt, entry point, tests, reference program, a line each.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::listing::Listing;
use super::objects::{each, first, id};
use super::quiet::Quiet;
use super::sink::Sink;
use crate::corpus::{Assembly, Problem, Tests};
use crate::id::SetId;
use crate::json::{Object, Value};
use crate::report::Finding;
use crate::world::Source;

/// Members that name a problem.
pub(super) const IDS: &[&str] = &["task_id", "question_id", "problem_id", "instance_id", "id", "name"];

/// Whether a file holds problems with tests: `prompt`, `test` and `entry_point`, or `text`, `code` and `test_list`,
/// and no answer of a model.
pub(super) fn is_problems(listing: &Listing<'_>, path: &str) -> bool {
    let objects = listing.objects(path, 3);
    let text = |object: &Value, name: &str| object.get(name).is_some_and(|value| value.as_text().is_some());
    let answered = |object: &Value| ANSWERS.iter().any(|name| object.get(name).is_some());
    let problem = |object: &Value| {
        let family = text(object, "prompt") && text(object, "test");
        let listed = text(object, "code") && object.get("test_list").is_some_and(|tests| tests.as_list().is_some());
        (family || listed) && !answered(object) && object.get("task_id").is_some()
    };
    !objects.is_empty() && objects.iter().all(problem)
}

/// Members that hold an answer.
pub(super) const ANSWERS: &[&str] = &["completion", "solution", "passed", "result", "is_solved", "is_passing"];

/// Ids of a problem file, in file order; for matching records with sets before anything is read.
pub(super) fn ids(source: &dyn Source, path: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each(source, path, &mut Quiet, &mut |object, _, _| found.extend(first(&object, IDS).and_then(id)));
    found
}

/// Reads a problem file into a set.
pub(super) fn read(source: &dyn Source, path: &str, set: &SetId, sink: &mut dyn Sink) {
    each(source, path, sink, &mut |object, place, sink| {
        let Some(id) = first(&object, IDS).and_then(id) else {
            return sink.finding(Finding::new("bad-problem", place, "it has no id"));
        };
        let place = place.with_subject(id.as_str());
        let problem = problem(&id, &object);
        if problem.tests.is_none() {
            sink.finding(Finding::new("bad-problem", place.clone(), "it has no tests, so nothing can be run again"));
        }
        sink.problem(set, problem, place);
    });
}

/// A problem from the members of its object.
pub(super) fn problem(id: &str, object: &Object) -> Problem {
    let text = |name: &str| object.get(name).and_then(Value::as_text);
    let shared = |name: &str| -> Option<Arc<str>> { text(name).map(Arc::from) };
    let listed = object.get("test_list").and_then(Value::as_list);
    let tests = match (text("test"), listed) {
        (Some(code), _) => Some(Tests {
            prompt: shared("prompt").unwrap_or_default(),
            entry_point: shared("entry_point").unwrap_or_default(),
            code: code.into(),
            assembly: Assembly::Body,
            reference: shared("canonical_solution"),
        }),
        (None, Some(list)) => {
            let asserts: Vec<&str> = list.iter().filter_map(Value::as_text).collect();
            let setup = text("test_setup_code").unwrap_or_default();
            Some(Tests {
                prompt: "".into(),
                entry_point: "".into(),
                code: format!("{setup}\n{}\n", asserts.join("\n")).into(),
                assembly: Assembly::WholeFile,
                reference: shared("code"),
            })
        }
        (None, None) => None,
    };
    let statement = text("prompt").or_else(|| text("text")).unwrap_or_default().to_owned();
    Problem { statement, tests, ..Problem::blank(id.into()) }
}

/// What stands before the number in an id (`HumanEval/12`), as the name of a benchmark.
pub(super) fn family(id: &str) -> Option<&str> {
    let (family, number) = id.rsplit_once(['/', '_', '-'])?;
    let sound = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (sound && !family.is_empty()).then_some(family)
}
