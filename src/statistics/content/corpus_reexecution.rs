//! Whether stored solvers reproduce their stored answers.

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::verify::{Level, SolverVerdict};

static ABOUT: About = About {
    id: "corpus-reexecution",
    also: &[],
    title: "Reference solvers that reproduce their answers",
    unit: "percent",
    meaning: "Every stored solver is executed and what it returns is graded against the stored answers: a benchmark whose own \
              solutions fail measures something else.",
    formula: "percent = 100 × solvers whose answers pass / solvers executed, at the tolerance of the study. by-position and \
              by-unit count sub-answers that needed more than their name and their number.",
    source: "Rule corpus-reexecution of the study; the ledger of level L1.",
    edge_cases: "Without execution (level L1 was not run) it is undefined, never 100. A declared set whose file is not there is \
                 undefined. Shortcut programs are no reference solvers and are counted apart.",
    example: "436 of 436 solvers reproduce their answers: 100 percent.",
    keys: &[KeyDoc { key: "set", meaning: "problem set; absent for the whole ledger, shortcut programs included" }],
    measures: &[
        ("percent", "solvers that reproduce their answers, of those executed"),
        ("reproduced", "the same as a count"),
        ("checked", "programs executed, out of those stored (whole ledger)"),
        ("by-position", "sub-answers taken by position because their name was not returned"),
        ("by-unit", "sub-answers that needed a unit conversion"),
        ("shortcuts", "shortcut programs that reproduce their stored values, of those executed"),
        ("shortcuts-pass", "shortcut programs whose answers the problem's own grading accepts, of those executed"),
    ],
};

/// Reference solvers that reproduce their answers.
pub(in crate::statistics) struct CorpusReexecution;

impl Statistic for CorpusReexecution {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for declared in &evidence.study.sets {
            let verdicts: Vec<_> =
                evidence.ledger.solvers.iter().filter(|verdict| verdict.set == declared.id).collect();
            let absent = evidence.corpus.set(declared.id.as_str()).is_none();
            by_set(&mut output, declared.id.as_str(), &verdicts, absent);
        }
        total(&mut output, evidence);
        output
    }
}

fn by_set(output: &mut Output, set: &str, verdicts: &[&SolverVerdict], absent: bool) {
    let (shortcuts, solvers): (Vec<&SolverVerdict>, Vec<_>) = verdicts.iter().copied().partition(|v| v.shortcut);
    let mut facts = output.on(ABOUT.id, Basis::Execution, &[("set", set)]);
    if solvers.is_empty() {
        let reason =
            if absent { format!("the file of set {set} is not there") } else { "no solver was executed".to_owned() };
        facts.put("percent", Estimate::undefined(reason.clone())).put("reproduced", Estimate::undefined(reason));
        return;
    }
    let agreed = solvers.iter().filter(|verdict| verdict.agrees).count();
    let sum = |count: fn(&SolverVerdict) -> usize| solvers.iter().map(|verdict| count(verdict)).sum();
    facts
        .put("percent", Estimate::share(agreed, solvers.len()))
        .put("reproduced", Estimate::out_of(agreed, solvers.len()))
        .put("by-position", Estimate::count(sum(|verdict| verdict.by_position)))
        .put("by-unit", Estimate::count(sum(|verdict| verdict.by_unit)));
    if !shortcuts.is_empty() {
        let agreed = shortcuts.iter().filter(|verdict| verdict.agrees).count();
        let passing = shortcuts.iter().filter(|verdict| verdict.accepted == Some(true)).count();
        facts
            .put("shortcuts", Estimate::out_of(agreed, shortcuts.len()))
            .put("shortcuts-pass", Estimate::out_of(passing, shortcuts.len()));
    }
}

fn total(output: &mut Output, evidence: &Evidence<'_>) {
    let mut facts = output.on(ABOUT.id, Basis::Execution, &[]);
    if let Some(summary) = evidence.ledger.level(Level::L1).filter(|summary| summary.checked > 0) {
        facts
            .put("percent", Estimate::share(summary.agreed, summary.checked))
            .put("reproduced", Estimate::out_of(summary.agreed, summary.checked))
            .put("checked", Estimate::out_of(summary.checked, summary.total));
    } else {
        for measure in ["percent", "reproduced", "checked"] {
            facts.put(measure, Estimate::undefined("no solver was executed"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::verify::LevelSummary;

    fn verdict(id: &str, shortcut: bool, agrees: bool) -> SolverVerdict {
        SolverVerdict {
            set: "core".into(),
            id: id.into(),
            shortcut,
            agrees,
            engine: "embedded".into(),
            status: "returned".into(),
            difference: crate::verify::Difference::Nothing,
            as_printed: true,
            by_position: 1,
            by_unit: 0,
            accepted: shortcut.then_some(true),
            message: None,
        }
    }

    #[test]
    fn nothing_executed_is_not_a_hundred_percent() {
        let mut study = Fixture::new(&[]).set("core", "problems", None, vec![problem("p", "x", "low", 1)]);
        let facts = |study: &Fixture| Facts::new(study.compute(&CorpusReexecution).facts);
        let get = |facts: &Facts, measure, keys: &[(&str, &str)]| {
            facts.get("corpus-reexecution", measure, keys).unwrap().estimate.clone()
        };
        let core = [("set", "core")];
        assert_eq!(get(&facts(&study), "percent", &core), Estimate::undefined("no solver was executed"));
        study.ledger.solvers = vec![verdict("p", false, true), verdict("p", true, false), verdict("q", false, false)];
        let mut summary = LevelSummary::new(Level::L1);
        for agrees in [true, false, false] {
            summary.count(agrees);
        }
        study.ledger.record(summary);
        let facts = facts(&study);
        assert_eq!(get(&facts, "percent", &core), Estimate::share(1, 2));
        assert_eq!(get(&facts, "by-position", &core), Estimate::count(2));
        assert_eq!(get(&facts, "shortcuts", &core), Estimate::out_of(0, 1));
        assert_eq!(get(&facts, "shortcuts-pass", &core), Estimate::out_of(1, 1));
        assert_eq!(get(&facts, "percent", &[]), Estimate::share(1, 3));
    }
}
