//! Problems added, removed and edited, by member.

use std::collections::BTreeMap;

use super::row::{Members, Row, rows};
use crate::corpus::{Corpus, Problem};
use crate::digest::Digest;

/// Problems that differ. Long texts are compared whole and shown as their digest.
pub(super) fn compare(a: &Corpus, b: &Corpus) -> Vec<Row> {
    rows(&table(a), &table(b), |(set, id)| format!("{set}/{id}"), "answers")
}

fn table(corpus: &Corpus) -> BTreeMap<(String, String), Members> {
    let mut table = BTreeMap::new();
    for set in &corpus.sets {
        for problem in &set.problems {
            // Of problems with one id the first counts, as everywhere.
            table.entry((set.id.to_string(), problem.id.to_string())).or_insert_with(|| members(problem));
        }
    }
    table
}

fn members(problem: &Problem) -> Members {
    let mut members = Members::from([("statement", short(&problem.statement)), ("answers", answers(problem))]);
    let texts = [
        ("solver", problem.solver.as_deref().map(short)),
        ("category", problem.category.as_deref().map(str::to_owned)),
        ("difficulty", problem.difficulty.as_deref().map(str::to_owned)),
        ("book", problem.book.as_deref().map(str::to_owned)),
        ("topic", problem.topic.as_deref().map(str::to_owned)),
        ("parent", problem.parent.as_ref().map(ToString::to_string)),
        ("variant", problem.variant.map(|number| number.to_string())),
        // Whatever these hold, equal text means equal content.
        ("trap", problem.trap.as_ref().map(|trap| short(&format!("{trap:?}")))),
        ("choice", problem.choice.as_ref().map(|choice| short(&format!("{choice:?}")))),
        ("other members", Some(short(&problem.extra.to_strict().to_string()))),
    ];
    members.extend(texts.into_iter().filter_map(|(name, text)| Some((name, text?))));
    members
}

fn answers(problem: &Problem) -> String {
    let answer = |a: &crate::corpus::Answer| format!("{}={} {}", a.sub, a.value, a.unit).trim_end().to_owned();
    problem.answers.iter().map(answer).collect::<Vec<_>>().join("; ")
}

/// A text of one line as it is, a longer one as its digest.
fn short(text: &str) -> String {
    if text.len() <= 80 && !text.contains('\n') {
        text.to_owned()
    } else {
        format!("sha256:{} ({} bytes)", Digest::of(text.as_bytes()).short(16), text.len())
    }
}
