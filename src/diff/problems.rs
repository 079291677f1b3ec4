//! Problems added, removed and edited, by member.

use super::level::{DiffRow, Level, Members, members, rows, short};
use crate::archive::Materials;
use crate::corpus::{Corpus, Problem};
use crate::digest::Digest;
use crate::json::{Reader, Value, differences};

/// Longest text of a member that is kept as it is.
const LONGEST: usize = 80;
/// Longest text that people read, and longest content of other members, that is kept as it is; longer ones are
/// compared by their digest.
const LONGEST_TEXT: usize = 100_000;
/// The member with everything that a format keeps of a problem besides.
const OTHERS: &str = "other members";

/// Problems that differ, member by member; what a format keeps besides is compared leaf by leaf.
pub(super) fn compare(a: &Level, b: &Level) -> Vec<DiffRow> {
    rows(a, b, |key| key.join("/"), "answers").into_iter().flat_map(by_leaf).collect()
}

/// One row per place that differs, where both sides are kept.
fn by_leaf(row: DiffRow) -> Vec<DiffRow> {
    let value = |text: &Option<String>| text.as_ref().and_then(|text| Reader::new(text.as_bytes()).value().ok());
    let (OTHERS, Some(before), Some(after)) = (row.member.as_str(), value(&row.before), value(&row.after)) else {
        return vec![row];
    };
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        other => other.to_strict().to_string(),
    };
    let leaf = |changed: crate::json::Changed<'_>| DiffRow {
        member: changed.path.to_string(),
        before: changed.before.map(text),
        after: changed.after.map(text),
        ..row.clone()
    };
    differences(&before, &after).into_iter().map(leaf).collect()
}

/// A text as it is, whatever lines it has, or its digest when it is too long to keep.
fn kept(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        text.to_owned()
    } else {
        format!("sha256:{} ({} bytes)", Digest::of(text.as_bytes()).short(16), text.len())
    }
}

/// Problems by set and id, and those of declared files by the role of their file.
pub(super) fn level(corpus: &Corpus, materials: &Materials) -> Level {
    let mut level = Level::new();
    for (role, member, file) in materials.of_problems() {
        for line in file.bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            // What is no object with an id has been told by whoever reads the file for its meaning.
            let Ok(value) = Reader::new(line).value() else { continue };
            let Some(id) = value.get(member).filter(|id| !id.is_null()).map(Value::python_text) else { continue };
            let whole = || members([(OTHERS, Some(kept(&value.to_strict().to_string())))]);
            level.entry(vec![role.to_owned(), id]).or_insert_with(whole);
        }
    }
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
        ("statement", Some(kept(&problem.statement))),
        ("answers", Some(answers(problem))),
        ("solver", problem.solver.as_deref().map(kept)),
        ("category", problem.category.as_deref().and_then(text)),
        ("difficulty", problem.difficulty.as_deref().and_then(text)),
        ("book", problem.book.as_deref().and_then(text)),
        ("topic", problem.topic.as_deref().and_then(text)),
        ("parent", problem.parent.as_ref().map(ToString::to_string)),
        ("variant", problem.variant.map(|number| number.to_string())),
        // Whatever these hold, equal text means equal content.
        ("shortcut", problem.shortcut.as_ref().and_then(|way| text(&format!("{way:?}")))),
        ("choice", problem.choice.as_ref().and_then(|choice| text(&format!("{choice:?}")))),
        (OTHERS, Some(kept(&problem.extra.to_strict().to_string()))),
    ])
}

fn answers(problem: &Problem) -> String {
    let answer = |a: &crate::corpus::Answer| format!("{}={} {}", a.sub, a.value, a.unit).trim_end().to_owned();
    problem.answers.iter().map(answer).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_of_declared_files_are_compared_place_by_place() {
        let side = |text: &str| {
            let mut materials = Materials::default();
            materials.know_problems_by("release", "problem_id");
            materials.add("release", "r.jsonl", text);
            materials.add("other", "o.jsonl", "{\"problem_id\": \"9\"}");
            level(&Corpus::default(), &materials)
        };
        let before = side(
            "{\"problem_id\": \"8\", \"sub_steps\": [{\"text\": \"a\"}, {\"text\": \"one way\"}]}\n{\"problem_id\": 3}\n",
        );
        let after =
            side("{\"problem_id\": \"8\", \"sub_steps\": [{\"text\": \"a\"}, {\"text\": \"one other way\"}]}\n");
        let rows = compare(&before, &after);
        let told: Vec<_> =
            rows.iter().map(|row| (row.key.join(" "), row.member.as_str(), row.after.as_deref())).collect();
        assert_eq!(
            told,
            [("release 3".to_owned(), "", None), ("release 8".to_owned(), "sub_steps[1].text", Some("one other way")),]
        );
        assert_eq!(compare(&before, &before), []);
    }

    #[test]
    fn what_a_format_keeps_is_compared_leaf_by_leaf() {
        let level = |extra: &str| {
            let pairs = [(OTHERS, Some(extra.to_owned())), ("statement", Some("a\nb".to_owned()))];
            Level::from([(vec!["core".to_owned(), "p".to_owned()], members(pairs))])
        };
        let found =
            compare(&level(r#"{"steps": [{"test": "x"}], "n": 1}"#), &level(r#"{"steps": [{"test": "y"}], "n": 1}"#));
        let short: Vec<_> =
            found.iter().map(|row| (row.member.as_str(), row.before.as_deref(), row.after.as_deref())).collect();
        assert_eq!(short, [("steps[0].test", Some("x"), Some("y"))]);
        // What was too long to keep is compared whole.
        let found = compare(&level("sha256:1"), &level("sha256:2"));
        assert_eq!((found.len(), found[0].member.as_str()), (1, OTHERS));
    }
}
