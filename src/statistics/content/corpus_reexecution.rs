//! Whether stored solvers reproduce their stored answers.

use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::verify::Level;

static ABOUT: About = About {
    id: "corpus-reexecution",
    also: &[],
    title: "Reference solvers that reproduce their answers",
    unit: "percent",
    meaning: "Every stored solver is executed and what it returns is graded against the stored answers: a benchmark whose own \
              solutions fail measures something else.",
    formula: "percent = 100 × solvers whose answers pass / solvers executed, at the tolerance of the study.",
    source: "Rule corpus-reexecution of AtmosCoder-Bench; the ledger of level L1.",
    edge_cases: "Without execution (level L1 was not run) it is undefined, never 100. Solvers that could not be run are counted \
                 apart.",
    example: "436 of 436 solvers reproduce their answers: 100 percent.",
    keys: &[KeyDoc { key: "set", meaning: "problem set; absent for all sets together, shortcut programs included" }],
    measures: &[
        ("percent", "solvers that reproduce their answers, of those executed"),
        ("reproduced", "the same as a count"),
        ("checked", "solvers executed, out of those stored"),
    ],
};

/// Registered under the id in its definition above.
pub(in crate::statistics) struct CorpusReexecution;

impl Statistic for CorpusReexecution {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let mut facts = output.on(ABOUT.id, Basis::Execution, &[]);
        match evidence.ledger.levels.iter().find(|summary| summary.level == Level::L1) {
            Some(summary) => {
                facts
                    .put("percent", Estimate::share(summary.agreed, summary.checked))
                    .put("reproduced", Estimate::out_of(summary.agreed, summary.checked))
                    .put("checked", Estimate::out_of(summary.checked, summary.total));
            }
            None => {
                for measure in ["percent", "reproduced", "checked"] {
                    facts.put(measure, Estimate::undefined("no solver was executed"));
                }
            }
        }
        for set in &evidence.corpus.sets {
            by_set(&mut output, evidence, set.id.as_str());
        }
        output
    }
}

/// The solvers of one set, without the shortcut programs of traps.
fn by_set(output: &mut Output, evidence: &Evidence<'_>, set: &str) {
    let own = || evidence.ledger.solvers.iter().filter(|solver| solver.set.as_str() == set && !solver.shortcut);
    let (agreed, checked) = (own().filter(|solver| solver.agrees).count(), own().count());
    let mut facts = output.on(ABOUT.id, Basis::Execution, &[("set", set)]);
    if checked == 0 {
        facts.put("percent", Estimate::undefined("no solver of the set was executed"));
        facts.put("reproduced", Estimate::undefined("no solver of the set was executed"));
    } else {
        facts.put("percent", Estimate::share(agreed, checked));
        facts.put("reproduced", Estimate::out_of(agreed, checked));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::Fixture;
    use crate::verify::LevelSummary;

    #[test]
    fn nothing_executed_is_not_a_hundred_percent() {
        let mut study = Fixture::new(&[]);
        assert_eq!(study.compute(&CorpusReexecution).facts[0].estimate, Estimate::undefined("no solver was executed"));
        study.ledger.levels.push(LevelSummary {
            level: Level::L1,
            total: 5,
            checked: 4,
            agreed: 3,
            disagreed: 1,
            not_checkable: [("no solver".to_owned(), 1)].into(),
            remark: None,
        });
        assert_eq!(study.compute(&CorpusReexecution).facts[0].estimate, Estimate::share(3, 4));
    }
}
