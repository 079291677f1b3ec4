//! Readers of model text against the study's own readings.

use repro::grade::{boxed, extract, python, signature, unit_text};
use repro::json::Value;

use crate::shared::lines;

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case.get(name).and_then(Value::as_text).unwrap_or_else(|| panic!("{name} in {case:?}"))
}

/// A number that JSON may hold as text (`"inf"`), or null.
fn number(value: &Value) -> Option<f64> {
    if value.is_null() { None } else { value.as_f64().or_else(|| python::float(value.as_text().unwrap())) }
}

fn list<'a>(case: &'a Value, name: &str) -> &'a [Value] {
    case.get(name).and_then(Value::as_list).unwrap()
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_program_is_extracted_alike() {
    let cases = lines("grader/extract-cases.jsonl");
    assert_eq!(cases.len(), 200);
    for case in &cases {
        assert_eq!(extract::program(text(case, "text")), text(case, "code"), "{case:?}");
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_box_is_read_alike() {
    let cases = lines("grader/boxed-cases.jsonl");
    assert_eq!(cases.len(), 200);
    for case in &cases {
        let need = case.get("n_subs").and_then(Value::as_f64).unwrap() as usize;
        let boxes = boxed::Boxes::read(text(case, "text"), need);
        let error = case.get("error").unwrap().as_text();
        let answers = boxes.as_ref().map_err(|e| *e).and_then(boxed::Boxes::answers);
        assert_eq!(answers.as_ref().err().map(ToString::to_string).as_deref(), error, "{case:?}");
        let Ok(boxes) = &boxes else {
            assert!(case.get("note").unwrap().is_null());
            continue;
        };
        assert_eq!(boxes.note(), text(case, "note"), "{case:?}");
        let contents: Vec<_> = list(case, "boxes").iter().map(|v| v.as_text().unwrap()).collect();
        assert_eq!(boxes.contents, contents);
        for (ours, theirs) in boxes.parsed.iter().zip(list(case, "parsed")) {
            let theirs = theirs.as_list().unwrap();
            assert_eq!(ours.as_ref().map(|q| q.value), number(&theirs[0]), "{case:?}");
            assert_eq!(ours.as_ref().map_or("", |q| &q.unit), theirs[1].as_text().unwrap(), "{case:?}");
        }
        let results = case.get("results").unwrap().as_object().unwrap();
        let answers = answers.unwrap_or_default();
        assert_eq!(results.len(), answers.len());
        for (position, answer) in answers.iter().enumerate() {
            let result = results.get(&(position + 1).to_string()).unwrap();
            assert_eq!(number(result.get("value").unwrap()), Some(answer.value), "{case:?}");
            assert_eq!(result.get("unit").unwrap().as_text(), Some(&*answer.unit), "{case:?}");
        }
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_unit_in_prose_is_read_alike() {
    let cases = lines("grader/unit-text-cases.jsonl");
    assert_eq!(cases.len(), 150);
    for case in &cases {
        let value = number(case.get("value").unwrap()).unwrap();
        assert_eq!(unit_text::unit_of(text(case, "text"), value), text(case, "unit"), "{case:?}");
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_recorded_signature_is_found_alike() {
    let cases = lines("grader/signature-cases.jsonl");
    assert_eq!(cases.len(), 300);
    for case in &cases {
        for (name, strong) in [("strong", true), ("weak", false)] {
            let ours = signature::signatures(text(case, "text"), strong);
            let theirs = list(case, name);
            assert_eq!(ours.len(), theirs.len(), "{case:?}");
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert_eq!(ours.phrase, text(theirs, "phrase"));
                assert_eq!(ours.matched, text(theirs, "matched"));
                assert_eq!(ours.snippet, text(theirs, "snippet"));
                assert_eq!(ours.tail, text(theirs, "tail"));
                assert_eq!(ours.claim, number(theirs.get("claim").unwrap()), "{case:?}");
            }
        }
        let theirs: Vec<_> = list(case, "numbers").iter().filter_map(number).collect();
        assert_eq!(signature::numbers(text(case, "text")), theirs, "{case:?}");
    }
}
