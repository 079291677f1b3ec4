//! Accuracy on traps, per configuration, run and trap.

use super::setup::Traps;
use crate::statistics::tally::Tally;
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, moments};

/// The statistic `trap-accuracy`.
pub(crate) struct TrapAccuracy;

static ABOUT: About = About {
    id: "trap-accuracy",
    also: &[],
    title: "Accuracy on traps",
    unit: "percent",
    meaning: "How often a configuration solves problems whose well-known method is wrong for the case at hand.",
    formula: "run = 100 × passed / (passed + failed) traps of one run; mean and sd = mean and sample standard deviation \
              (divisor R - 1) of the R run accuracies. Per trap: solved = passing runs over all configurations; solvers = \
              configurations that pass in more than half of their runs.",
    source: "Rule trap-accuracy of the study (accuracy-mean-sd over the trap set).",
    edge_cases: "mean and sd need every expected run with a record of every trap; sd needs two runs. Records with an \
                 infrastructure error leave the denominator.",
    example: "65, 63 and 65 of 67 traps: 96.0 ± 1.7.",
    keys: &[
        KeyDoc { key: "set", meaning: "trap set" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "run", meaning: "run number, for run" },
        KeyDoc { key: "trap", meaning: "trap name, for solved and solvers" },
    ],
    measures: &[
        ("mean", "mean of run accuracies"),
        ("sd", "their sample standard deviation, points"),
        ("run", "accuracy of one run, with counts"),
        ("measurements", "graded records of a configuration"),
        ("solved", "passing runs, of the graded runs; by trap, or of all traps"),
        ("share", "passing runs of all traps and configurations, percent"),
        ("solvers", "configurations that solve a trap in a majority of runs, of all"),
    ],
};

impl Statistic for TrapAccuracy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut out = Output::default();
        for traps in evidence.traps() {
            let set = ("set", traps.set.id.as_str());
            for tally in &traps.board.tallies {
                configuration(&mut out, &traps, tally, [set, ("model", tally.key)]);
            }
            per_trap(&mut out, &traps, set);
        }
        out
    }
}

fn configuration(out: &mut Output, traps: &Traps<'_>, tally: &Tally<'_>, keys: [(&str, &str); 2]) {
    let all = traps.board.all();
    for run in &tally.runs {
        let (counts, number) = (run.counts_of(&all), run.run.key.run.to_string());
        let keys = [keys[0], keys[1], ("run", number.as_str())];
        out.fact(ABOUT.id, "run", &keys, Estimate::percent(counts.passed, counts.graded()), Basis::Records);
    }
    let sd = match tally.complete() {
        Ok(()) => Estimate::or(moments::sample_sd(&tally.run_percents(&all)), "one run has no spread"),
        Err(reason) => Estimate::undefined(reason),
    };
    out.on(ABOUT.id, Basis::Records, &keys)
        .put("mean", traps.mean(tally).map_or_else(Estimate::undefined, Estimate::value))
        .put("sd", sd)
        .put("measurements", Estimate::count(tally.counts_of(&all).graded()));
}

fn per_trap(out: &mut Output, traps: &Traps<'_>, set: (&str, &str)) {
    let (mut all, mut passed) = (0, 0);
    for at in traps.board.all() {
        let counts = traps.complete().map(|tally| (tally.graded(at), tally.passes(at)));
        let (graded, passes) = counts.fold((0, 0), |(graded, passes), (g, p)| (graded + g, passes + p));
        let solvers = traps.complete().filter(|tally| tally.solves(at)).count();
        (all, passed) = (all + graded, passed + passes);
        out.on(ABOUT.id, Basis::Records, &[set, ("trap", traps.name(at))])
            .put("solved", Estimate::out_of(passes, graded))
            .put("solvers", Estimate::out_of(solvers, traps.complete().count()));
    }
    let reason = "no configuration has all its runs";
    let solved = if all == 0 { Estimate::undefined(reason) } else { Estimate::out_of(passed, all) };
    let share = if all == 0 { Estimate::undefined(reason) } else { Estimate::percent(passed, all) };
    out.on(ABOUT.id, Basis::Records, &[set]).put("solved", solved).put("share", share);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::atmoscoder::statistics::traps::setup::tests::study;
    use crate::statistics::Facts;

    #[test]
    fn means_over_runs_and_sums_over_configurations() {
        let facts = Facts::new(study().compute(&TrapAccuracy).facts);
        let value =
            |measure: &str, keys: &[(&str, &str)]| facts.get("trap-accuracy", measure, keys).unwrap().estimate.clone();
        let (set, m) = (("set", "traps"), ("model", "m"));
        assert_eq!(value("run", &[set, m, ("run", "2")]), Estimate::percent(1, 3));
        assert_eq!((value("mean", &[set, m]).point(), value("sd", &[set, m]).point()), (Some(100.0 / 3.0), Some(0.0)));
        assert_eq!(value("solved", &[set, ("trap", "b")]), Estimate::out_of(4, 6));
        assert_eq!(value("share", &[set]), Estimate::percent(9, 18));
        assert_eq!(value("solvers", &[set, ("trap", "a")]), Estimate::out_of(1, 2));
    }

    #[test]
    fn a_missing_run_leaves_no_mean() {
        let mut study = study();
        study.archive.runs.retain(|run| run.key.experiment.as_str() != "trap_code" || run.key.run != 2);
        let facts = Facts::new(study.compute(&TrapAccuracy).facts);
        let mean = facts.get("trap-accuracy", "mean", &[("set", "traps"), ("model", "m")]).unwrap();
        assert_eq!(mean.estimate, Estimate::undefined("2 of 3 runs"));
        assert!(facts.get("trap-accuracy", "share", &[("set", "traps")]).unwrap().estimate.point().is_none());
    }
}
