//! What the correction did to the code in the problems: mirrored tests, signatures, and whether it parses.

use std::collections::BTreeMap;

use super::benchmark::{Benchmark, Step, steps, tests};
use crate::change_ledger::Items;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::syntax;

static MIRROR: About = About {
    id: "test-mirror",
    also: &[],
    title: "Mirrored tests",
    unit: "problems",
    meaning: "In the original every problem repeats the tests of its last step as its general tests. Only the tests of \
              steps are graded, so a release in which the two differ has one stale copy.",
    formula: "differs = problems whose `general_tests` are not the `test_cases` of their last step; tests = positions at \
              which they differ.",
    source: "Structure of the original file.",
    edge_cases: "Lists of different lengths differ at every position that only one has.",
    example: "Of four mirrored tests the last was edited in the step only: one problem, one test.",
    keys: &[KeyDoc { key: "version", meaning: "original or release" }, KeyDoc { key: "problem", meaning: "problem" }],
    measures: &[("differs", "problems that differ"), ("tests", "tests that differ")],
};

static SIGNATURES: About = About {
    id: "signature-changes",
    also: &[],
    title: "Changed signatures",
    unit: "steps",
    meaning: "Steps whose function or return signature changed between original and release, so that an answer to the \
              original cannot be graded by the corrected tests.",
    formula: "A step is flagged when its `def` and `class` lines (white space folded) or its `return_line` differ; a \
              change of the docstring alone is none.",
    source: "Rule of the study's re-grading.",
    edge_cases: "Counted over the problems that both versions have here. A step that only one version has is flagged.",
    example: "`def f(a, b):` against `def f(a, b, c):` is another signature; a new docstring below it is none.",
    keys: &[],
    measures: &[("changed", "steps with another signature"), ("compared", "steps that both versions have")],
};

static CODE: About = About {
    id: "code-integrity",
    also: &[],
    title: "Code that parses",
    unit: "texts",
    meaning: "Whether every function header and every test of the problems is Python that parses.",
    formula: "parses = texts that a Python parser accepts, out of all headers and tests; a header is parsed with its \
              docstring as its body.",
    source: "Integrity rule of the study's release gate.",
    edge_cases: "Nothing is run. A header without a docstring is completed with `pass`.",
    example: "A test with an open bracket does not parse.",
    keys: &[KeyDoc { key: "version", meaning: "original or release" }, KeyDoc { key: "of", meaning: "header or test" }],
    measures: &[("parses", "texts that parse, out of all")],
};

/// Mirrored tests.
pub(super) struct TestMirror;
/// Changed signatures.
pub(super) struct SignatureChanges;
/// Code that parses.
pub(super) struct CodeIntegrity;

/// Positions at which general tests and the tests of the last step differ, by problem.
pub(super) fn mirror(items: &Items) -> BTreeMap<String, Vec<usize>> {
    let differing = |(id, item): (&str, &crate::change_ledger::Item)| {
        let general = tests(item.value.get("general_tests"));
        let last = steps(item).last().map(|step| step.tests()).unwrap_or_default();
        let length = general.len().max(last.len());
        let found: Vec<usize> = (0..length).filter(|&at| general.get(at) != last.get(at)).collect();
        (!found.is_empty()).then(|| (id.to_owned(), found))
    };
    items.iter().filter_map(differing).collect()
}

/// Steps with another signature, and how many were compared.
pub(super) fn signatures(before: &Items, after: &Items) -> (Vec<String>, usize) {
    let (mut changed, mut compared) = (Vec::new(), 0);
    for (id, item) in after.iter() {
        let Some(old) = before.get(id) else { continue };
        let old: BTreeMap<&str, Step<'_>> = steps(old).map(|step| (step.number, step)).collect();
        for step in steps(item) {
            match old.get(step.number) {
                Some(other) => {
                    compared += 1;
                    if signature(&step) != signature(other) || step.text("return_line") != other.text("return_line") {
                        changed.push(step.number.to_owned());
                    }
                }
                None => changed.push(step.number.to_owned()),
            }
        }
    }
    (changed, compared)
}

/// The lines that define functions and classes, with white space folded.
fn signature(step: &Step<'_>) -> Vec<String> {
    let fold = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = step.text("function_header").lines().map(fold);
    lines.filter(|line| line.starts_with("def ") || line.starts_with("class ")).collect()
}

/// Problems with the step and the position of the texts that do not parse, and counts of headers and tests.
pub(super) fn unparsable(items: &Items) -> (Vec<(String, String)>, [(usize, usize); 2]) {
    let mut broken = Vec::new();
    let mut counts = [(0, 0); 2];
    for (_, item) in items.iter() {
        for step in steps(item) {
            let header = completed(step.text("function_header"));
            let texts = std::iter::once((0, "header".to_owned(), header)).chain(
                step.tests().into_iter().enumerate().map(|(at, test)| (1, format!("test {}", at + 1), test.to_owned())),
            );
            for (kind, name, text) in texts {
                counts[kind].1 += 1;
                match syntax::shape(&text) {
                    Ok(_) => counts[kind].0 += 1,
                    Err(fault) => broken.push((step.number.to_owned(), format!("{name}: {fault}"))),
                }
            }
        }
    }
    (broken, counts)
}

/// A header as a whole definition.
fn completed(header: &str) -> String {
    let header = header.trim_end();
    if syntax::shape(header).is_ok() {
        return header.to_owned();
    }
    // The body is what the solver writes; where there is no docstring yet, nothing stands for it.
    let indent = header.lines().last().map_or(0, |line| line.len() - line.trim_start().len());
    let deeper = if header.ends_with(':') { indent + 4 } else { indent };
    format!("{header}\n{}pass\n", " ".repeat(deeper))
}

fn versions(benchmark: &Benchmark) -> impl Iterator<Item = (&'static str, &Items)> {
    [("original", &benchmark.before), ("release", &benchmark.after)]
        .into_iter()
        .filter_map(|(name, items)| Some((name, items.as_ref()?)))
}

const ABSENT: &str = "the problems are not archived";

impl Statistic for TestMirror {
    fn about(&self) -> &'static About {
        &MIRROR
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let benchmark = Benchmark::read(&evidence.archive.materials);
        let mut output = Output::default();
        if versions(&benchmark).next().is_none() {
            output.on(MIRROR.id, Basis::Records, &[]).put("differs", Estimate::undefined(ABSENT));
        }
        for (version, items) in versions(&benchmark) {
            let found = mirror(items);
            output
                .on(MIRROR.id, Basis::Records, &[("version", version)])
                .put("differs", Estimate::out_of(found.len(), items.len()))
                .put("tests", Estimate::count(found.values().map(Vec::len).sum()));
            for (problem, tests) in &found {
                let keys = [("version", version), ("problem", problem)];
                output.on(MIRROR.id, Basis::Records, &keys).put("tests", Estimate::count(tests.len()));
                if version == "release" {
                    let positions: Vec<String> = tests.iter().map(|at| (at + 1).to_string()).collect();
                    let message =
                        format!("general tests and the tests of the last step differ at {}", positions.join(", "));
                    output.findings.push(Finding::new("stale-copy", Place::subject(problem), message));
                }
            }
        }
        output
    }
}

impl Statistic for SignatureChanges {
    fn about(&self) -> &'static About {
        &SIGNATURES
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let benchmark = Benchmark::read(&evidence.archive.materials);
        let mut output = Output::default();
        let (Some(before), Some(after)) = (&benchmark.before, &benchmark.after) else {
            output.on(SIGNATURES.id, Basis::Records, &[]).put("changed", Estimate::undefined(ABSENT));
            return output;
        };
        let (changed, compared) = signatures(before, after);
        output
            .on(SIGNATURES.id, Basis::Records, &[])
            .put("changed", Estimate::count(changed.len()))
            .put("compared", Estimate::count(compared));
        output
    }
}

impl Statistic for CodeIntegrity {
    fn about(&self) -> &'static About {
        &CODE
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let benchmark = Benchmark::read(&evidence.archive.materials);
        let mut output = Output::default();
        if versions(&benchmark).next().is_none() {
            output.on(CODE.id, Basis::Records, &[]).put("parses", Estimate::undefined(ABSENT));
        }
        for (version, items) in versions(&benchmark) {
            let (broken, counts) = unparsable(items);
            for (of, (parses, all)) in ["header", "test"].into_iter().zip(counts) {
                let keys = [("version", version), ("of", of)];
                output.on(CODE.id, Basis::Records, &keys).put("parses", Estimate::out_of(parses, all));
            }
            if version == "release" {
                output.findings.extend(
                    broken
                        .into_iter()
                        .map(|(step, what)| Finding::new("code-does-not-parse", Place::subject(step), what)),
                );
            }
        }
        output
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    fn items(text: &str) -> Items {
        Items::read([("p.jsonl", text.as_bytes())], Some("problem_id")).0
    }

    const PROBLEM: &str = r#"{"problem_id": "1", "sub_steps": [{"step_number": "1.1", "function_header": "def f(a,  b):\n    '''doc'''", "return_line": "return c", "test_cases": ["assert f(1, 2) == target", "x"]}], "general_tests": ["assert f(1, 2) == target", "x"]}"#;

    #[test]
    fn a_stale_copy_is_found_at_its_position() {
        assert!(mirror(&items(PROBLEM)).is_empty());
        let edited = PROBLEM.replacen("\"x\"]", "\"y\"]", 1);
        assert_eq!(mirror(&items(&edited)), BTreeMap::from([("1".to_owned(), vec![1])]));
        let shorter = PROBLEM.replacen(", \"x\"]", "]", 1);
        assert_eq!(mirror(&items(&shorter)), BTreeMap::from([("1".to_owned(), vec![1])]));
    }

    #[test]
    fn signatures_are_definitions_and_return_lines_and_no_docstrings() {
        let changed = |from: &str, to: &str| {
            assert!(PROBLEM.contains(from));
            signatures(&items(PROBLEM), &items(&PROBLEM.replace(from, to))).0
        };
        assert!(changed("a,  b", "a, b").is_empty() && changed("doc", "other").is_empty());
        assert_eq!(changed("a,  b", "a, b, c"), ["1.1"]);
        assert_eq!(changed("return c", "return c, d"), ["1.1"]);
    }

    #[test]
    fn what_does_not_parse_is_named() {
        assert_eq!(unparsable(&items(PROBLEM)).1, [(1, 1), (2, 2)]);
        let (broken, counts) = unparsable(&items(&PROBLEM.replacen("f(1, 2)", "f(1, 2", 1)));
        assert_eq!(counts, [(1, 1), (1, 2)]);
        assert!(broken[0].0 == "1.1" && broken[0].1.starts_with("test 1"), "{broken:?}");
        assert_eq!(unparsable(&items(&PROBLEM.replace("\\n    '''doc'''", ""))).1[0], (1, 1));
    }
}
