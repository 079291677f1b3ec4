//! Defect records: what was wrong with the benchmark, and which fields and steps a record names.
//!
//! Records name steps in free text, in four ways: `46.3` at the start, `step 46.3`, `(28.1)`,
//! `targets.13.9`; a fifth way, `sub_steps[5]`, names a position only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::benchmark::document;
use crate::archive::Materials;
use crate::json::{FieldPath, Value};

/// Role of the file of defect records.
pub(super) const DEFECTS: &str = "defects";

/// One record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Defect {
    /// `problem-dK`.
    pub(super) id: String,
    /// Main problem.
    pub(super) problem: String,
    /// Step, as free text.
    pub(super) step: String,
    /// Fields, as free text with a path.
    pub(super) fields: Vec<String>,
    /// Effect on a correct solution.
    pub(super) direction: String,
    /// `scientific` or `surface`.
    pub(super) nature: String,
    /// Kind within its nature.
    pub(super) subtype: String,
    /// `ledger` (found in review) or `inferred` (recovered from the difference of the versions).
    pub(super) source: String,
    /// Round of the ledger, as free text.
    pub(super) round: String,
    /// How sure the authors are.
    pub(super) confidence: String,
    /// False for a change that follows from another one and is no defect of its own.
    pub(super) counted: bool,
}

/// Fields whose name holds one of these belong to grading.
const GRADING: [&str; 3] = ["test", "target", "gold"];
/// Fields of a problem that no step owns.
const OF_THE_PROBLEM: [&str; 4] =
    ["problem_io", "problem_description_main", "problem_background_main", "general_tests"];
/// The direction of a record that rejects a correct solution.
pub(super) const SUPPRESSING: &str = "too-strict/wrong";

static FIRST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+\.\d+)"));
static NAMED: LazyLock<Regex> = LazyLock::new(|| pattern(r"step (\d+\.\d+)|\((\d+\.\d+)\)|targets\.(\d+\.\d+)"));
static POSITION: LazyLock<Regex> = LazyLock::new(|| pattern(r"sub_steps\[(\d+)\]"));
static REMARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*\([^)]*\)"));

#[allow(clippy::expect_used, reason = "the pattern is part of this file")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a sound pattern")
}

impl Defect {
    /// Reads the records of the archived file, in its order; none where there is no such file.
    pub(super) fn read(materials: &Materials) -> Vec<Self> {
        let Some(file) = document(materials, DEFECTS) else { return Vec::new() };
        let records = file.get("defects").and_then(Value::as_list).unwrap_or_default();
        records.iter().map(Self::of).collect()
    }

    fn of(record: &Value) -> Self {
        let text = |name: &str| record.get(name).and_then(Value::as_text).unwrap_or_default().to_owned();
        let fields = record.get("fields_involved").and_then(Value::as_list).unwrap_or_default();
        Self {
            id: text("defect_id"),
            problem: text("problem_id"),
            step: text("step"),
            fields: fields.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
            direction: text("direction"),
            nature: text("nature"),
            subtype: text("subtype"),
            source: text("source"),
            round: text("ledger_round"),
            confidence: text("confidence"),
            counted: record.get("counted_in_paper").and_then(Value::as_bool).unwrap_or(true),
        }
    }

    /// True when the defect rejects a correct solution.
    pub(super) fn suppresses(&self) -> bool {
        self.direction == SUPPRESSING
    }

    /// Steps that the record names, by the published rule: the leading number of `step`, and every
    /// `step P.S`, `(P.S)` or `targets.P.S` in `step` and in the fields.
    pub(super) fn steps(&self) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = FIRST
            .captures(&self.step)
            .and_then(|found| found.get(1))
            .map(|m| m.as_str().to_owned())
            .into_iter()
            .collect();
        for text in std::iter::once(&self.step).chain(&self.fields) {
            let groups = NAMED.captures_iter(text).filter_map(|found| found.iter().skip(1).flatten().next());
            found.extend(groups.map(|group| group.as_str().to_owned()));
        }
        found
    }

    /// [`Self::steps`] and the steps at the positions that `step` and the fields name, in a problem with
    /// these steps.
    pub(super) fn steps_and_positions(&self, of_problem: &[String]) -> BTreeSet<String> {
        let mut found = self.steps();
        for text in std::iter::once(&self.step).chain(&self.fields) {
            let positions =
                POSITION.captures_iter(text).filter_map(|found| found.get(1)?.as_str().parse::<usize>().ok());
            found.extend(positions.filter_map(|position| of_problem.get(position).cloned()));
        }
        found
    }

    /// True when a field of the problem as a whole is named.
    pub(super) fn is_of_the_problem(&self) -> bool {
        self.fields.iter().any(|field| OF_THE_PROBLEM.iter().any(|name| field.contains(name)))
    }

    /// True when any field belongs to grading.
    pub(super) fn touches_grading(&self) -> bool {
        self.fields.iter().any(|field| is_grading(field))
    }

    /// True when any field is one that a solver sees.
    pub(super) fn touches_text(&self) -> bool {
        self.fields.iter().any(|field| !is_grading(field))
    }

    /// Places in the problem that the record names, as far as a field is a path once its remarks in
    /// parentheses are taken out.
    pub(super) fn paths(&self) -> Vec<FieldPath> {
        let path = |field: &String| {
            let text = REMARK.replace_all(field, "");
            let sound = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'[' | b']' | b'.'));
            FieldPath::parse(text.trim()).ok().filter(|path| sound && !path.is_root())
        };
        self.fields.iter().filter_map(path).collect()
    }
}

fn is_grading(field: &str) -> bool {
    GRADING.iter().any(|word| field.contains(word))
}

/// Places that records name, by problem.
#[derive(Debug, Default)]
pub(super) struct NamedPlaces(BTreeMap<String, Vec<(FieldPath, String)>>);

impl NamedPlaces {
    /// Of all records.
    pub(super) fn of(defects: &[Defect]) -> Self {
        let mut places: BTreeMap<String, Vec<(FieldPath, String)>> = BTreeMap::new();
        for defect in defects {
            let named = defect.paths().into_iter().map(|path| (path, defect.id.clone()));
            places.entry(defect.problem.clone()).or_default().extend(named);
        }
        Self(places)
    }

    /// Records that name a place or a value that holds it, each once, in order.
    pub(super) fn records(&self, problem: &str, path: &FieldPath) -> Vec<String> {
        let named = self.0.get(problem).into_iter().flatten();
        let mut ids: Vec<String> = named.filter(|(place, _)| place.holds(path)).map(|(_, id)| id.clone()).collect();
        ids.dedup();
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defect(step: &str, fields: &[&str]) -> Defect {
        Defect { step: step.into(), fields: fields.iter().map(|&f| f.to_owned()).collect(), ..Defect::default() }
    }

    #[test]
    fn steps_are_named_in_several_ways() {
        let named = |step, fields: &[&str]| defect(step, fields).steps().into_iter().collect::<Vec<_>>();
        assert_eq!(named("46.3 (x)", &["sub_steps[2](28.1).test_cases"]), ["28.1", "46.3"]);
        assert_eq!(named("step 12.4; step 12.14 prompt", &["targets.13.9 (gold)"]), ["12.14", "12.4", "13.9"]);
        assert_eq!(named("12 (whole problem)", &["sub_steps[0].function_header"]), [""; 0]);
        let steps = ["7.1".to_owned(), "7.2".to_owned()];
        let found = defect("7 (problem_io)", &["sub_steps[1].test_cases", "sub_steps[9]"]).steps_and_positions(&steps);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["7.2"]);
    }

    #[test]
    fn fields_become_places_once_their_remarks_are_out() {
        let places = defect(
            "",
            &[
                "sub_steps[0](step 8.1).function_header (Returns docstring)",
                "target (test1 omega=1/2)",
                "targets/40.json (gold)",
            ],
        );
        let texts: Vec<String> = places.paths().iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["sub_steps[0].function_header", "target"]);
        assert!(places.touches_grading() && places.touches_text());
        let named = NamedPlaces::of(&[Defect {
            id: "a".into(),
            problem: "8".into(),
            ..defect("", &["sub_steps[1].test_cases"])
        }]);
        let path = |text: &str| FieldPath::parse(text).unwrap();
        assert_eq!(named.records("8", &path("sub_steps[1].test_cases[2]")), ["a"]);
        assert!(named.records("8", &path("sub_steps[1]")).is_empty() && named.records("9", &path("x")).is_empty());
    }
}
