//! Which scored steps defects touch, and on which layer.

use std::collections::{BTreeMap, BTreeSet};

use super::audit::Audit;
use super::benchmark::problems_of;
use super::defects::Defect;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "defect-footprint",
    also: &[],
    title: "Footprint of the defects",
    unit: "steps",
    meaning: "How many scored steps, in how many problems, are named by at least one defect that rejects a correct \
              solution; once for all fields (broad) and once for defects that touch tests, targets or reference code \
              (grading).",
    formula: "A record names a step by the number at the start of `step`, and by every `step P.S`, `(P.S)` or \
              `targets.P.S` in `step` and in its fields. Fields of the problem as a whole are not spread over its steps. \
              steps = distinct scored steps named; problems = distinct problems of those; share = 100 × steps / scored \
              steps.",
    source: "Rule printed in the study's file of flawed steps.",
    edge_cases: "A named step that is not scored is an anomaly and counts nowhere. Without records or without the list \
                 of steps: undefined.",
    example: "A record at `8.1` with the field `targets.8.2` names two steps of one problem, both on the grading layer.",
    keys: &[
        KeyDoc { key: "layer", meaning: "broad or grading" },
        KeyDoc { key: "touches", meaning: "what the fields of a defect touch: grading-only, text-only, both" },
    ],
    measures: &[
        ("steps", "scored steps named"),
        ("problems", "problems of those steps"),
        ("step-share", "percent of scored steps"),
        ("problem-share", "percent of problems"),
        ("defects", "defects by what their fields touch"),
        ("anomalies", "defects that name a step which is not scored"),
    ],
};

/// Footprint of the defects.
pub(super) struct Footprint;

/// A step with the defects that name it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Flawed {
    /// Defects, in the order of the records.
    pub(super) defects: Vec<String>,
    /// True when one of them touches grading.
    pub(super) grading: bool,
}

/// The footprint of suppressing defects over the scored steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// Steps by number.
    pub(super) steps: BTreeMap<String, Flawed>,
    /// Defects with a step that is not scored.
    pub(super) anomalies: Vec<(String, String)>,
}

/// Applies the published rule.
pub(super) fn footprint(defects: &[Defect], scored: &BTreeSet<String>) -> Marks {
    let mut marks = Marks::default();
    for defect in defects.iter().filter(|defect| defect.suppresses()) {
        for step in defect.steps() {
            if scored.contains(&step) {
                let flawed = marks.steps.entry(step).or_default();
                flawed.defects.push(defect.id.clone());
                flawed.grading |= defect.touches_grading();
            } else {
                marks.anomalies.push((defect.id.clone(), step));
            }
        }
    }
    marks
}

impl Statistic for Footprint {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        if let Some(reason) = audit.lacks(&[super::defects::DEFECTS]).or_else(|| audit.without_steps()) {
            output.on(ABOUT.id, Basis::Records, &[("layer", "broad")]).put("steps", Estimate::undefined(reason));
            return output;
        }
        let marks = footprint(&audit.defects, &audit.scored);
        let problems = problems_of(audit.scored.iter().map(String::as_str)).len();
        for (layer, only_grading) in [("broad", false), ("grading", true)] {
            let steps: Vec<&str> = marks
                .steps
                .iter()
                .filter(|(_, flawed)| flawed.grading || !only_grading)
                .map(|(step, _)| step.as_str())
                .collect();
            let touched = problems_of(steps.iter().copied()).len();
            output
                .on(ABOUT.id, Basis::Records, &[("layer", layer)])
                .put("steps", Estimate::out_of(steps.len(), audit.scored.len()))
                .put("problems", Estimate::out_of(touched, problems))
                .put("step-share", Estimate::percent(steps.len(), audit.scored.len()))
                .put("problem-share", Estimate::percent(touched, problems));
        }
        let suppressing = || audit.defects.iter().filter(|defect| defect.suppresses());
        for (touches, grading, text) in
            [("grading-only", true, false), ("text-only", false, true), ("both", true, true)]
        {
            let count = suppressing().filter(|d| (d.touches_grading(), d.touches_text()) == (grading, text)).count();
            output.on(ABOUT.id, Basis::Records, &[("touches", touches)]).put("defects", Estimate::count(count));
        }
        let defects: BTreeSet<&String> = marks.anomalies.iter().map(|(defect, _)| defect).collect();
        output.on(ABOUT.id, Basis::Records, &[]).put("anomalies", Estimate::count(defects.len()));
        output.findings.extend(marks.anomalies.iter().map(|(defect, step)| {
            Finding::new("defect-outside", Place::subject(defect), format!("it names step {step}, which is not scored"))
        }));
        output.tables.push(table(&marks));
        output
    }
}

fn table(marks: &Marks) -> Table {
    let columns = [
        ("step", Kind::Text, ""),
        ("problem", Kind::Text, ""),
        ("layers", Kind::Text, ""),
        ("defects", Kind::Text, ""),
    ];
    let mut table = Table::new("flawed_steps", "Scored steps that a suppressing defect names", &[ABOUT.id], &columns);
    let mut steps: Vec<(&String, &Flawed)> = marks.steps.iter().collect();
    steps.sort_by(|a, b| crate::change_ledger::natural(a.0, b.0));
    for (step, flawed) in steps {
        table.push(vec![
            Cell::text(step.as_str()),
            Cell::text(super::benchmark::problem_of(step)),
            Cell::text(if flawed.grading { "broad, grading" } else { "broad" }),
            Cell::text(flawed.defects.join(", ")),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neutral_defects_leave_no_mark_and_unscored_steps_are_anomalies() {
        let defect = |id: &str, direction: &str, step: &str, fields: &[&str]| Defect {
            id: id.into(),
            direction: direction.into(),
            step: step.into(),
            fields: fields.iter().map(|&f| f.to_owned()).collect(),
            ..Defect::default()
        };
        let defects = [
            defect("a", "too-strict/wrong", "1.1", &["sub_steps[0].test_cases"]),
            defect("b", "too-strict/wrong", "1.1, 1.2", &["sub_steps[1](step 1.2).function_header"]),
            defect("c", "neutral-cleanup", "1.3", &[]),
            defect("d", "too-strict/wrong", "1.4", &[]),
        ];
        let scored: BTreeSet<String> = ["1.1", "1.2", "1.3"].map(str::to_owned).into();
        let marks = footprint(&defects, &scored);
        let found: Vec<_> = marks.steps.iter().map(|(s, f)| (s.as_str(), f.defects.join(","), f.grading)).collect();
        assert_eq!(found, [("1.1", "a,b".to_owned(), true), ("1.2", "b".to_owned(), false)]);
        assert_eq!(marks.anomalies, [("d".to_owned(), "1.4".to_owned())]);
    }
}
