//! Problems added, removed and edited, by member.

use super::level::{Level, Members, Row, members, rows, short};
use crate::corpus::{Corpus, Problem};

/// Longest text that is shown as it is.
const LONGEST: usize = 80;

/// Problems that differ. Long texts are compared whole and shown as their digest.
pub(super) fn compare(a: &Level, b: &Level) -> Vec<Row> {
    rows(a, b, |key| key.join("/"), "answers")
}

/// Problems by set and id.
pub(super) fn level(corpus: &Corpus) -> Level {
    let mut level = Level::new();
    for set in &corpus.sets {
        for problem in &set.problems {
            // Of problems with one id the first counts, as everywhere.
            level.entry(vec![set.id.to_string(), problem.id.to_string()]).or_insert_with(|| of_problem(problem));
        }
    }
    level
}

fn of_problem(problem: &Problem) -> Members {
    let text = |text: &str| Some(short(text, LONGEST));
    members([
        ("statement", text(&problem.statement)),
        ("answers", Some(answers(problem))),
        ("solver", problem.solver.as_deref().and_then(text)),
        ("category", problem.category.as_deref().and_then(text)),
        ("difficulty", problem.difficulty.as_deref().and_then(text)),
        ("book", problem.book.as_deref().and_then(text)),
        ("topic", problem.topic.as_deref().and_then(text)),
        ("parent", problem.parent.as_ref().map(ToString::to_string)),
        ("variant", problem.variant.map(|number| number.to_string())),
        // Whatever these hold, equal text means equal content.
        ("shortcut", problem.shortcut.as_ref().and_then(|way| text(&format!("{way:?}")))),
        ("choice", problem.choice.as_ref().and_then(|choice| text(&format!("{choice:?}")))),
        ("other members", text(&problem.extra.to_strict().to_string())),
    ])
}

fn answers(problem: &Problem) -> String {
    let answer = |a: &crate::corpus::Answer| format!("{}={} {}", a.sub, a.value, a.unit).trim_end().to_owned();
    problem.answers.iter().map(answer).collect::<Vec<_>>().join("; ")
}
