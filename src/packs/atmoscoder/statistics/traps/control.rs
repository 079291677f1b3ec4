//! Accuracy on the originals of the traps.

use super::setup::{Fate, Traps};
use crate::statistics::tally::RunOutcome;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};

/// The statistic `trap-control`.
pub(crate) struct TrapControl;

static ABOUT: About = About {
    id: "trap-control",
    also: &[],
    title: "Accuracy on the originals of traps",
    unit: "percent",
    meaning: "Whether the configuration knows the method that the trap bends: its accuracy on the unmodified problems, \
              and for captured runs whether the original was solved in the same run.",
    formula: "mean = mean over runs of 100 × passed / graded over the parents of the traps. parent-passed = captured \
              runs (see trap-capture) whose parent passed in the run with the same number, of all captured runs.",
    source: "Rule trap-control of the study.",
    edge_cases: "A parent of two traps counts twice. Undefined when runs of the originals are missing. Captured runs \
                 rest on published states where values were put in for them (basis `states`).",
    example: "Eighteen captured runs of a trap, seventeen of them with a solved parent: 17 of 18.",
    keys: &[
        KeyDoc { key: "set", meaning: "trap set" },
        KeyDoc { key: "model", meaning: "configuration key, for mean" },
        KeyDoc { key: "trap", meaning: "trap name, for parent-passed" },
    ],
    measures: &[
        ("mean", "accuracy on the parents"),
        ("parent-passed", "captured runs whose parent passed in the same run, of the captured runs; also of all traps"),
    ],
};

impl Statistic for TrapControl {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for traps in evidence.traps() {
            let set = ("set", traps.set.id.as_str());
            let parents = traps.parent_positions();
            for tally in &traps.board.tallies {
                let estimate = match traps.control(tally.key) {
                    Ok(control) => Estimate::or(moments::mean(&control.run_percents(&parents)), "nothing was graded"),
                    Err(reason) => Estimate::undefined(reason),
                };
                out.fact(ABOUT.id, "mean", &[set, ("model", tally.key)], estimate, Basis::Records);
            }
            captured(&mut out, &traps, set, evidence.study.grading.capture);
        }
        out
    }
}

fn captured(out: &mut Output, traps: &Traps<'_>, set: (&str, &str), tolerance: f64) {
    let basis = match traps.capture_basis() {
        Ok(basis) => basis,
        Err(reason) => {
            out.fact(ABOUT.id, "parent-passed", &[set], Estimate::undefined(reason), Basis::Records);
            return;
        }
    };
    let (mut all, mut all_passed) = (0, 0);
    for at in traps.board.all() {
        let (mut captured, mut passed) = (0, 0);
        for tally in traps.complete() {
            let Ok(control) = traps.control(tally.key) else { continue };
            for run in &tally.runs {
                let fate = run.records[at].and_then(|record| traps.fate(at, record, tolerance));
                if fate == Some(Fate::Captured) {
                    captured += 1;
                    passed += usize::from(traps.parent_outcome(control, at, run.run.key.run) == Some(RunOutcome::Pass));
                }
            }
        }
        (all, all_passed) = (all + captured, all_passed + passed);
        if captured > 0 {
            let keys = [set, ("trap", traps.name(at))];
            out.fact(ABOUT.id, "parent-passed", &keys, Estimate::out_of(passed, captured), basis);
        }
    }
    out.fact(ABOUT.id, "parent-passed", &[set], Estimate::out_of(all_passed, all), basis);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn captured_runs_look_at_their_parent_in_the_same_run() {
        let facts = Facts::new(study().compute(&TrapControl).facts);
        let value =
            |measure: &str, keys: &[(&str, &str)]| facts.get("trap-control", measure, keys).unwrap().estimate.clone();
        let set = ("set", "traps");
        // Core letters are c, b, a; trap a is captured in all three runs of m, its parent fails in run 3.
        assert_eq!(value("parent-passed", &[set, ("trap", "a")]), Estimate::out_of(2, 3));
        assert_eq!(value("parent-passed", &[set]), Estimate::out_of(2, 3));
        assert_eq!(value("mean", &[set, ("model", "m-r")]).point(), Some(100.0));
    }

    #[test]
    fn missing_originals_are_named() {
        let mut study = study();
        let kept = |run: &crate::archive::Run| {
            run.key.experiment.as_str() != "core_code" || run.key.configuration.as_str() == "m"
        };
        study.archive.runs.retain(kept);
        let facts = Facts::new(study.compute(&TrapControl).facts);
        let fact = facts.get("trap-control", "mean", &[("set", "traps"), ("model", "m-r")]).unwrap();
        assert_eq!(fact.estimate, Estimate::undefined("core_code: 0 of 3 runs"));
    }
}
