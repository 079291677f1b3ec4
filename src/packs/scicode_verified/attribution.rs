//! Where the newly passed steps come from: the nearest record that could explain each.

use std::collections::{BTreeMap, BTreeSet};

use super::audit::Audit;
use super::benchmark::problem_of;
use super::defects::Defect;
use super::footprint::footprint;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// Steps whose target changed with the software environment and no record (the study lists them).
pub(super) const ENVIRONMENT_ONLY: [&str; 5] = ["1.1", "61.1", "69.5", "73.1", "80.6"];

static ABOUT: About = About {
    id: "flip-attribution",
    also: &[],
    title: "What the newly passed steps trace to",
    unit: "steps",
    meaning: "For each step that at least one model passes newly on the corrected data: the nearest recorded change that \
              could explain it. The study says that all of them trace to a documented correction and prints no rule; \
              this is a rule, printed, with the size of each class.",
    formula: "The first class that fits, in this order. own-suppressing: a record that rejects correct solutions names \
              the step. own-other: another record names it, by number or by position. environment-only: its target \
              changed with the software environment and no record. chain: a record names an earlier step of the \
              problem. problem-level: a record of the problem names a field that no step owns. none: no record.",
    source: "Footprint rule of the study's file of flawed steps; the order of the classes is this tool's.",
    edge_cases: "A class without members has the size 0. Membership shows that a correction exists, not that it caused \
                 the flip.",
    example: "Step 7.3 without a record of its own, in a problem where a record names 7.1: chain.",
    keys: &[KeyDoc { key: "class", meaning: "the classes of the formula" }],
    measures: &[
        ("steps", "newly passed steps of the class, out of all of them"),
        ("recorded", "newly passed steps with any record (all classes but environment-only and none)"),
        ("environment-listed", "steps whose target changed with the environment only"),
        ("environment-in-union", "those of them that at least one model passes newly"),
        ("environment-in-intersection", "those of them that every model passes newly"),
    ],
};

/// What the newly passed steps trace to.
pub(super) struct Attribution;

/// The classes, nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    OwnSuppressing,
    OwnOther,
    EnvironmentOnly,
    Chain,
    ProblemLevel,
    None,
}

impl Class {
    pub(super) const ALL: [Self; 6] =
        [Self::OwnSuppressing, Self::OwnOther, Self::EnvironmentOnly, Self::Chain, Self::ProblemLevel, Self::None];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::OwnSuppressing => "own-suppressing",
            Self::OwnOther => "own-other",
            Self::EnvironmentOnly => "environment-only",
            Self::Chain => "chain",
            Self::ProblemLevel => "problem-level",
            Self::None => "none",
        }
    }
}

/// The class of each step, with the records that put it there.
pub(super) fn attribute(
    steps: &BTreeSet<String>,
    defects: &[Defect],
    universe: &BTreeMap<String, Vec<String>>,
    scored: &BTreeSet<String>,
) -> BTreeMap<String, (Class, Vec<String>)> {
    let suppressing = footprint(defects, scored).steps;
    let mut any: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut of_problem: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for defect in defects {
        let listed = universe.get(&defect.problem).map_or(&[][..], Vec::as_slice);
        for step in defect.steps_and_positions(listed) {
            any.entry(step).or_default().push(defect.id.clone());
        }
        if defect.is_of_the_problem() {
            of_problem.entry(&defect.problem).or_default().push(defect.id.clone());
        }
    }
    let class = |step: &String| {
        if let Some(flawed) = suppressing.get(step) {
            return (Class::OwnSuppressing, flawed.defects.clone());
        }
        if let Some(records) = any.get(step) {
            return (Class::OwnOther, records.clone());
        }
        if ENVIRONMENT_ONLY.contains(&step.as_str()) {
            return (Class::EnvironmentOnly, Vec::new());
        }
        let earlier = universe.get(problem_of(step)).into_iter().flatten().take_while(|other| *other != step);
        let chain: Vec<String> = earlier.filter_map(|step| any.get(step)).flatten().cloned().collect();
        if !chain.is_empty() {
            return (Class::Chain, chain);
        }
        of_problem
            .get(problem_of(step))
            .map_or((Class::None, Vec::new()), |records| (Class::ProblemLevel, records.clone()))
    };
    steps.iter().map(|step| (step.clone(), class(step))).collect()
}

impl Statistic for Attribution {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        let lacking = audit.without_flips().or_else(|| audit.without_defects()).or_else(|| audit.without_steps());
        let (Some(flips), None) = (&audit.flips, &lacking) else {
            let reason = lacking.unwrap_or_default();
            output.on(ABOUT.id, Basis::States, &[]).put("recorded", Estimate::undefined(reason));
            return output;
        };
        let union = flips.union();
        let classes = attribute(&union, &audit.defects, &audit.universe, &audit.scored);
        let size = |class| classes.values().filter(|(of, _)| *of == class).count();
        for class in Class::ALL {
            let facts = &mut output.on(ABOUT.id, Basis::States, &[("class", class.word())]);
            facts.put("steps", Estimate::out_of(size(class), union.len()));
        }
        let unrecorded = size(Class::EnvironmentOnly) + size(Class::None);
        let intersection = flips.intersection();
        let among = |set: &BTreeSet<String>| ENVIRONMENT_ONLY.iter().filter(|step| set.contains(**step)).count();
        output
            .on(ABOUT.id, Basis::States, &[])
            .put("recorded", Estimate::out_of(union.len() - unrecorded, union.len()))
            .put("environment-listed", Estimate::count(ENVIRONMENT_ONLY.len()))
            .put("environment-in-union", Estimate::count(among(&union)))
            .put("environment-in-intersection", Estimate::count(among(&intersection)));
        let columns = [("step", Kind::Text, ""), ("class", Kind::Text, ""), ("records", Kind::Text, "")];
        let title = "Newly passed steps and the nearest record of each";
        let mut table = Table::new("flip_attribution", title, &[ABOUT.id], &columns);
        let mut rows: Vec<_> = classes.iter().collect();
        rows.sort_by(|a, b| crate::change_ledger::natural(a.0, b.0));
        for (step, (class, records)) in rows {
            table.push(vec![Cell::text(step.as_str()), Cell::text(class.word()), Cell::text(records.join(", "))]);
        }
        output.tables.push(table);
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_record_decides() {
        let defect = |id: &str, problem: &str, direction: &str, step: &str, fields: &[&str]| Defect {
            id: id.into(),
            problem: problem.into(),
            direction: direction.into(),
            step: step.into(),
            fields: fields.iter().map(|&f| f.to_owned()).collect(),
            ..Defect::default()
        };
        let defects = [
            defect("a", "7", "too-strict/wrong", "7.2", &[]),
            defect("b", "7", "neutral-cleanup", "x", &["sub_steps[2].function_header"]),
            defect("c", "8", "neutral-cleanup", "8", &["problem_io"]),
        ];
        let steps = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
        let universe = BTreeMap::from([
            ("7".to_owned(), steps(&["7.1", "7.2", "7.3", "7.4"])),
            ("8".to_owned(), steps(&["8.1"])),
            ("9".to_owned(), steps(&["9.1"])),
            ("61".to_owned(), steps(&["61.1"])),
        ]);
        let all: BTreeSet<String> = universe.values().flatten().cloned().collect();
        let found = attribute(&all, &defects, &universe, &all);
        let words: Vec<_> =
            found.iter().map(|(step, (class, records))| (step.as_str(), class.word(), records.join(","))).collect();
        let case = |step: &'static str, class, records: &str| (step, class, records.to_owned());
        assert_eq!(
            words,
            [
                case("61.1", "environment-only", ""),
                case("7.1", "none", ""),
                case("7.2", "own-suppressing", "a"),
                case("7.3", "own-other", "b"),
                case("7.4", "chain", "a,b"),
                case("8.1", "problem-level", "c"),
                case("9.1", "none", ""),
            ]
        );
    }
}
