//! Accuracy of one run, with and without its infrastructure errors.

use std::collections::BTreeSet;

use crate::statistics::tally::{Board, Counts, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};

static ABOUT: About = About {
    id: "accuracy-run",
    also: &[],
    title: "Accuracy of a run",
    unit: "percent",
    meaning: "The share of problems that one run of one configuration passed. Records that ended in an infrastructure \
              error say nothing about the model and leave the denominator; the two bounds show what they could have \
              changed: the lower one counts them and absent records as failures, the upper one as passes.",
    formula: "percent = 100 p / (p + f); low = 100 p / N; high = 100 (p + e + a) / N, with p passed, f failed (an \
              answer that could not be graded is a failure), e infrastructure errors, a problems without a record and \
              N = p + f + e + a. The interval of percent is Wilson's with z = 1.96; that of exact is Clopper and Pearson's: the rates at \
              which p or more, and p or fewer, passes of p + f have a probability of 2.5 %.",
    source: "Rule accuracy-run of the study; bounds after Manski (1989); intervals after Wilson (1927) and Clopper and Pearson (1934).",
    edge_cases: "No graded record: undefined. A record without a verdict and without an error is a failure. An error \
                 that the record marks as a failure (error_as_fail) is a failure. Records of problems that the set does \
                 not have enter nothing. A run that is not archived is undefined.",
    example: "Ten problems, six passed, two failed, two errors: percent 75.0 (6 of 8), bounds 60.0 and 80.0.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration; absent for totals over configurations" },
        KeyDoc { key: "run", meaning: "number of the run from 1; absent for totals over configurations" },
    ],
    measures: &[
        ("percent", "share of graded records that passed, with Wilson's interval"),
        ("exact", "the same share with the interval of Clopper and Pearson"),
        ("low", "share of all problems when errors and absent records count as failures"),
        ("high", "share of all problems when they count as passes"),
        ("n", "graded records"),
        ("passed", "records that passed"),
        ("failed", "records that failed"),
        ("excluded", "infrastructure errors outside the denominator; without model and run: of all archived runs"),
        ("missing", "problems without a record"),
    ],
};

/// Accuracy of a run.
pub(in crate::statistics) struct AccuracyRun;

impl Statistic for AccuracyRun {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            for tally in &board.tallies {
                numbers(tally).into_iter().for_each(|number| run(&mut output, &board, tally, number));
            }
            total(&mut output, &board);
        }
        output
    }
}

/// Numbers of the runs: those that are there, and where one is missing all that are expected. A run that was left out
/// on purpose is not missing, and the others keep their numbers.
fn numbers(tally: &Tally<'_>) -> BTreeSet<usize> {
    let mut numbers: BTreeSet<usize> = tally.runs.iter().map(|run| run.run.key.run as usize).collect();
    if numbers.len() < tally.expected_runs {
        numbers.extend(1..=tally.expected_runs);
    }
    numbers
}

fn run(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, number: usize) {
    let text = number.to_string();
    let mut keys = board.keys_of(tally);
    keys.push(("run", &text));
    let mut facts = output.on(ABOUT.id, Basis::Records, &keys);
    let Some(run) = tally.runs.iter().find(|run| run.run.key.run as usize == number) else {
        facts.put("percent", Estimate::undefined(format!("run {number} is not archived")));
        return;
    };
    let counts = run.counts();
    let Counts { passed, failed, excluded, absent } = counts;
    facts
        .put("percent", Estimate::share(passed, counts.graded()))
        .put("exact", Estimate::exact_share(passed, counts.graded()))
        .put("low", Estimate::percent(passed, counts.all()))
        .put("high", Estimate::percent(passed + excluded + absent, counts.all()))
        .put("n", Estimate::count(counts.graded()))
        .put("passed", Estimate::out_of(passed, counts.graded()))
        .put("failed", Estimate::out_of(failed, counts.graded()))
        .put("excluded", Estimate::out_of(excluded, counts.all()))
        .put("missing", Estimate::out_of(absent, counts.all()));
}

fn total(output: &mut Output, board: &Board<'_>) {
    let runs = || board.tallies.iter().flat_map(|tally| &tally.runs);
    let excluded: usize = runs().map(|run| run.counts().excluded).sum();
    let records: usize = runs().map(|run| run.counts().graded() + run.counts().excluded).sum();
    let estimate =
        if records == 0 { Estimate::undefined("no run is archived") } else { Estimate::out_of(excluded, records) };
    output.on(ABOUT.id, Basis::Records, &board.keys()).put("excluded", estimate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn errors_leave_the_denominator_and_show_in_the_bounds() {
        let problems = (0..10).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        let study = Fixture::new(&[("m", "M", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "m", 1, "PPPPPPFUEE");
        let facts = Facts::new(study.compute(&AccuracyRun).facts);
        let keys = [("set", "core"), ("protocol", "code"), ("model", "m"), ("run", "1")];
        let value = |measure| facts.get("accuracy-run", measure, &keys).and_then(|fact| fact.estimate.point());
        assert_eq!([value("percent"), value("low"), value("high")], [Some(75.0), Some(60.0), Some(80.0)]);
        assert_eq!([value("n"), value("excluded"), value("missing")], [Some(8.0), Some(2.0), Some(0.0)]);
        let second = [("set", "core"), ("protocol", "code"), ("model", "m"), ("run", "2")];
        let absent = &facts.get("accuracy-run", "percent", &second).unwrap().estimate;
        assert_eq!(absent, &Estimate::undefined("run 2 is not archived"));
    }
}
