//! Mean accuracy over runs with its spread, intervals and rank.

use std::collections::BTreeMap;

use crate::statistics::moments::{mean_sd, sample_sd};
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, Interval, KeyDoc, Output, Statistic, interval};
use crate::table::{Cell, Kind, Table};

static ABOUT: About = About {
    id: "accuracy-mean-sd",
    also: &["accuracy"],
    title: "Mean accuracy over runs",
    unit: "percent",
    meaning: "How well a configuration does on a problem set, and how much that changes from run to run. A \
              configuration is ranked only when all of its runs are there with every problem.",
    formula: "mean = (a1 + ... + ar) / r over the accuracies ai of the r runs; sd = √(Σ (ai - mean)² / (r - 1)); \
              pooled = 100 Σp / Σ(p + f) over all runs with Wilson's interval (z = 1.96), which takes every record for \
              an independent trial; the interval of the mean takes the runs of one problem (for variants: of one \
              parent) for one cluster: p ± t(C-1, 0.975) √(C/(C-1) Σ(y - p m)²) / Σm. rank = 1 + the number of \
              configurations with a larger mean.",
    source: "Rule accuracy-mean-sd of the study; Wilson (1927); ratio estimator over clusters: Cochran, Sampling \
             Techniques (1977), 3.12, as recommended for evaluations by Miller (2024).",
    edge_cases: "A run missing, or a run without all problems: undefined with \"n of m\", no rank. One run: no sd. \
                 Equal means (closer than 1e-9) share a rank. When every cluster has the same rate there is no cluster \
                 interval. Infrastructure errors leave the denominator of their run.",
    example: "Runs with 425, 426 and 426 of 436: mean 97.63, sd 0.13 (both in percent).",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code, direct or option" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where an experiment has one" },
        KeyDoc { key: "model", meaning: "configuration" },
    ],
    measures: &[
        ("mean", "mean of the run accuracies, with the cluster interval"),
        ("sd", "sample standard deviation of the run accuracies"),
        ("pooled", "passes of all runs over graded records of all runs, with Wilson's interval"),
        ("rank", "place among the complete configurations of the leaderboard, ties equal"),
        ("n", "problems of the set"),
        ("runs", "runs archived, out of the runs expected"),
    ],
};

/// Mean accuracy over runs.
pub(in crate::statistics) struct AccuracyMeanSd;

impl Statistic for AccuracyMeanSd {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn orders(&self) -> &'static [&'static str] {
        &["rank"]
    }

    fn follows_outcomes(&self) -> bool {
        true
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        for board in evidence.boards() {
            let ranks = ranks(&board);
            for tally in &board.tallies {
                facts(&mut output, &board, tally, ranks.get(tally.key).copied());
            }
        }
        output.tables.extend(evidence.main_board().map(|board| table(&board)));
        output
    }
}

/// Ranks of the complete configurations of the leaderboard, from 1; equal means share the best place.
fn ranks<'a>(board: &Board<'a>) -> BTreeMap<&'a str, usize> {
    let (mut ranks, mut last) = (BTreeMap::new(), None);
    for (index, (tally, mean)) in board.standing().into_iter().enumerate() {
        let rank = match last {
            Some((rank, previous)) if previous - mean < 1e-9 => rank,
            _ => index + 1,
        };
        last = Some((rank, mean));
        ranks.insert(tally.key, rank);
    }
    ranks
}

fn facts(output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, rank: Option<usize>) {
    let mut facts = output.on(ABOUT.id, Basis::Records, &board.keys_of(tally));
    facts.put("n", Estimate::count(board.problems.len()));
    facts.put("runs", Estimate::out_of(tally.runs.len(), tally.expected_runs));
    if let Err(reason) = tally.complete() {
        for measure in ["mean", "sd", "pooled", "rank"] {
            facts.put(measure, Estimate::undefined(reason.clone()));
        }
        return;
    }
    let all = board.all();
    let runs = tally.run_percents(&all);
    let counts = tally.counts_of(&all);
    let mean = Estimate::or(tally.mean(&all), "nothing was graded");
    facts.put("mean", cluster_interval(board, tally).map_or(mean.clone(), |around| mean.within(around)));
    facts.put("sd", Estimate::or(sample_sd(&runs), "one run has no spread over runs"));
    facts.put("pooled", Estimate::share(counts.passed, counts.graded()));
    let unranked = "only complete configurations of the leaderboard are ranked";
    facts.put("rank", Estimate::or(rank.map(|rank| rank as f64), unranked));
}

/// Interval of the mean in percent, with the records of one problem or of one parent as a cluster.
fn cluster_interval(board: &Board<'_>, tally: &Tally<'_>) -> Option<Interval> {
    let mut clusters: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (position, &id) in board.problems.iter().enumerate() {
        let parent = board.set.and_then(|set| set.get(id)?.parent.as_ref());
        let cluster = clusters.entry(parent.map_or(id, |parent| parent.as_str())).or_default();
        cluster.0 += tally.passes(position) as u64;
        cluster.1 += tally.graded(position) as u64;
    }
    let clusters: Vec<(u64, u64)> = clusters.into_values().collect();
    interval::cluster_share(&clusters).ok().map(|around| around.scaled(100.0))
}

fn table(board: &Board<'_>) -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("accuracy", Kind::Real, "percent"),
        ("sd", Kind::Real, "points"),
        ("group", Kind::Text, ""),
    ];
    let mut table = Table::new("main_accuracy", "Accuracy over runs, mean and sample SD", &[ABOUT.id], &columns);
    for tally in board.in_order() {
        let group = match tally.configuration {
            Some(configuration) if configuration.leaderboard => configuration.setting(),
            _ => "out-of-distribution",
        };
        let [mean, sd] = cells(board, tally);
        table.push(vec![Cell::text(tally.name()), mean, sd, Cell::text(group)]);
    }
    table
}

/// Mean and sd at one decimal, or the reasons why there are none.
fn cells(board: &Board<'_>, tally: &Tally<'_>) -> [Cell; 2] {
    if let Err(reason) = tally.complete() {
        return [(); 2].map(|()| Cell::Undefined(reason.as_str().into()));
    }
    let found = mean_sd(&tally.run_percents(&board.all()));
    let cell = |value: Option<f64>, reason: &str| {
        value.map_or_else(|| Cell::Undefined(reason.into()), |value| Cell::rounded(value, 1))
    };
    [
        cell(found.map(|found| found.mean), "nothing was graded"),
        cell(found.and_then(|found| found.sd), "one run has no spread over runs"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Facts;
    use crate::statistics::fixture::{Fixture, problem};
    use crate::table::to_csv;

    fn study() -> Fixture {
        let problems = (0..4).map(|i| problem(&format!("p{i}"), "c", "low", 1)).collect();
        Fixture::new(&[("a", "A", true), ("b", "B", false), ("c", "C", false), ("-d", "D", false)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "a", 1, "PPFF")
            .run("core_code", "a", 2, "PPPF")
            .run("core_code", "b", 1, "PPPF")
            .run("core_code", "b", 2, "PPFF")
            .run("core_code", "c", 1, "PPPP")
    }

    #[test]
    fn equal_means_share_a_rank_and_incomplete_configurations_have_none() {
        let facts = Facts::new(study().compute(&AccuracyMeanSd).facts);
        let estimate = |model: &str, measure| {
            let keys = [("set", "core"), ("protocol", "code"), ("model", model)];
            facts.get("accuracy-mean-sd", measure, &keys).unwrap().estimate.clone()
        };
        assert_eq!(estimate("a", "mean").point(), Some(62.5));
        assert_eq!(estimate("a", "sd").point(), Some(0.5_f64.sqrt() * 25.0));
        assert_eq!([estimate("a", "rank").point(), estimate("b", "rank").point()], [Some(1.0); 2]);
        assert_eq!(estimate("c", "rank"), Estimate::undefined("1 of 2 runs"));
        assert_eq!(estimate("c", "mean"), Estimate::undefined("1 of 2 runs"));
        assert_eq!(estimate("a", "pooled"), Estimate::share(5, 8));
        // Clusters 2/2, 2/2, 1/2, 0/2: p = 5/8, Σ(y - 1.25)² = 2.75, t(3) = 3.182446.
        let Estimate::Value { interval: Some(around), .. } = estimate("a", "mean") else { panic!() };
        let half = 3.182_446_305_284_263 * (4.0 / 3.0 * 2.75_f64).sqrt() / 8.0;
        assert!((around.low - 100.0 * (0.625 - half)).abs() < 1e-9 || around.low == 0.0);
    }

    #[test]
    fn the_table_lists_incomplete_configurations_with_empty_cells() {
        let output = study().compute(&AccuracyMeanSd);
        let text = "model,accuracy,sd,group\nModel a,62.5,17.7,reasoning\nModel b,62.5,17.7,non-reasoning\n\
                    Model c,,,non-reasoning\n";
        assert_eq!(to_csv(&output.tables[0]), text);
    }
}
