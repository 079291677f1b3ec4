//! The same problems under another condition: prompts and hand-over knowledge.

use std::collections::BTreeMap;

use crate::number;
use crate::statistics::moments::{mean, mean_sd, sample_sd};
use crate::statistics::tally::{Board, Tally};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::study::Experiment;
use crate::table::{Cell, Kind, Table};

/// The statistic `prompt-delta`.
pub(crate) struct PromptDelta;

/// The statistic `scaffold-delta`.
pub(crate) struct ScaffoldDelta;

const PROMPT: &str = "prompt-delta";
const SCAFFOLD: &str = "scaffold-delta";

static ABOUT_PROMPT: About = About {
    id: PROMPT,
    also: &[],
    title: "Prompt sensitivity",
    unit: "points",
    meaning: "What another prompt does to the accuracy of the same configuration on the same problems.",
    formula: "delta = mean accuracy under the other prompt - mean accuracy under the main prompt; pooled scatter = \
              sqrt(sd_main² + sd_other²).",
    source: "Rule of the study for its prompt table.",
    edge_cases: "Undefined when either side lacks runs.",
    example: "81.7 under the main prompt and 80.5 under the other: delta = -1.2.",
    keys: &[
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "condition", meaning: "the other prompt" },
    ],
    measures: &[
        ("delta", "other minus main, points"),
        ("main", "mean accuracy under the main prompt"),
        ("other", "mean accuracy under the other prompt"),
        ("scatter", "pooled standard deviation over runs"),
    ],
};

static ABOUT_SCAFFOLD: About = About {
    id: SCAFFOLD,
    also: &["scaffold-spread", "scaffold-shift", "scaffold-broken"],
    title: "Hand-over knowledge removed",
    unit: "points",
    meaning: "What accuracy is lost when statements no longer hand over intermediate knowledge, which problems change \
              sides, and how far models drift apart.",
    formula: "delta = mean accuracy with - mean accuracy without; sd = sample standard deviation of the differences \
              paired by run number; lost = solved by majority with and not without, gained the reverse; spread = \
              largest minus smallest mean over models; broken(k) = problems that k models lose.",
    source: "Rules of the study for its ablation, on the run accuracies that every other statistic has: infrastructure \
             errors are outside the denominator.",
    edge_cases: "Undefined when either side lacks runs; the spread needs every model.",
    example: "Means 97.8 with and 96.1 without: delta = 1.7 points; 4 problems lost, 2 gained.",
    keys: &[
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "condition", meaning: "with or stripped, for the spread" },
        KeyDoc { key: "models", meaning: "number of models that lose a problem" },
    ],
    measures: &[
        ("delta", "accuracy lost, points"),
        ("sd", "scatter of the paired differences"),
        ("with", "mean accuracy with"),
        ("stripped", "mean accuracy without"),
        ("both", "problems solved either way"),
        ("lost", "problems lost"),
        ("gained", "problems gained"),
        ("neither", "problems solved neither way"),
        ("spread", "best minus worst model"),
        ("spread-ratio", "ratio of the spreads"),
        ("broken", "problems lost by exactly so many models"),
        ("broken-any", "problems lost by at least one model"),
    ],
};

fn undefined(reasons: [Option<String>; 2]) -> Estimate {
    Estimate::undefined(reasons.into_iter().flatten().next().unwrap_or_else(|| "runs are missing".to_owned()))
}

/// Means of both sides, or why not.
fn means(a: &Tally<'_>, b: &Tally<'_>, all: &[usize]) -> Result<(Vec<f64>, Vec<f64>), Estimate> {
    match (a.complete(), b.complete()) {
        (Ok(()), Ok(())) => Ok((a.run_percents(all), b.run_percents(all))),
        (x, y) => Err(undefined([x.err(), y.err()])),
    }
}

impl Statistic for PromptDelta {
    fn about(&self) -> &'static About {
        &ABOUT_PROMPT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let Some(main) = evidence.main_board() else { return output };
        let other = |e: &&Experiment| e.set == main.experiment.set && e.protocol() == "code" && e.condition.is_some();
        for experiment in evidence.study.experiments.iter().filter(other) {
            let board = evidence.board(experiment);
            let condition = experiment.condition.as_deref().unwrap_or("");
            let mut rows = Vec::new();
            for tally in &board.tallies {
                let keys = [("model", tally.key), ("condition", condition)];
                let Some(own) = main.tallies.iter().find(|own| own.key == tally.key) else { continue };
                match means(own, tally, &main.all()) {
                    Ok((with, without)) => {
                        let (a, b) = (mean_sd(&with), mean_sd(&without));
                        let (Some(a), Some(b)) = (a, b) else { continue };
                        output.fact(PROMPT, "delta", &keys, Estimate::value(b.mean - a.mean), Basis::Records);
                        output.fact(PROMPT, "main", &keys, Estimate::value(a.mean), Basis::Records);
                        output.fact(PROMPT, "other", &keys, Estimate::value(b.mean), Basis::Records);
                        let scatter = a.sd.zip(b.sd).map(|(x, y)| (x * x + y * y).sqrt());
                        let scatter = scatter.map_or_else(|| Estimate::undefined("one run"), Estimate::value);
                        output.fact(PROMPT, "scatter", &keys, scatter, Basis::Records);
                        rows.push((own, tally, a.mean, b.mean));
                    }
                    Err(reason) => output.fact(PROMPT, "delta", &keys, reason, Basis::Records),
                }
            }
            output.tables.extend(prompt_table(rows));
        }
        output
    }
}

fn prompt_table(mut rows: Vec<(&Tally<'_>, &Tally<'_>, f64, f64)>) -> Option<Table> {
    let columns = [
        ("model", Kind::Text, ""),
        ("permissive_acc", Kind::Real, "percent"),
        ("codeonly_acc", Kind::Real, "percent"),
        ("delta", Kind::Real, "points"),
        ("unrecoverable_permissive", Kind::Integer, "per run"),
        ("unrecoverable_codeonly", Kind::Integer, "per run"),
    ];
    let mut table = Table::new("F6_3_prompt_sensitivity", "Accuracy under two prompts", &[PROMPT], &columns);
    rows.sort_by(|a, b| (b.3 - b.2).total_cmp(&(a.3 - a.2)).then_with(|| a.0.name().cmp(b.0.name())));
    for (main, other, a, b) in rows {
        table.push(vec![
            Cell::text(main.name()),
            Cell::fixed(a, 1),
            Cell::fixed(b, 1),
            Cell::signed(b - a, 1),
            lost(main),
            lost(other),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Records without a gradable answer, mean over runs as an integer.
fn lost(tally: &Tally<'_>) -> Cell {
    use crate::archive::{Gradability, State};
    let count = |run: &crate::statistics::tally::RunTally<'_>| {
        let failed = run.records.iter().flatten().filter(|record| record.state() == State::Fail);
        failed.filter(|record| record.gradability() == Gradability::Ungradable).count() as f64
    };
    let counts: Vec<f64> = tally.runs.iter().map(count).collect();
    mean(&counts).map_or_else(|| Cell::Undefined("no run".into()), |mean| Cell::Integer(number::round(mean, 0) as i64))
}

/// Both sides of one model.
struct Pair<'a> {
    key: &'a str,
    name: &'a str,
    with: Vec<f64>,
    stripped: Vec<f64>,
    lost: Vec<&'a str>,
    gained: usize,
    both: usize,
    neither: usize,
}

impl Statistic for ScaffoldDelta {
    fn about(&self) -> &'static About {
        &ABOUT_SCAFFOLD
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let side = |kind| {
            let set = evidence.study.sets.iter().find(|set| set.kind() == kind)?;
            evidence.study.experiments.iter().find(|e| e.set == set.id && e.protocol() == "code")
        };
        let (Some(a), Some(b)) = (side("scaffolded"), side("stripped")) else { return output };
        let (with, stripped) = (evidence.board(a), evidence.board(b));
        let mut pairs = Vec::new();
        let mut missing = None;
        for tally in &with.tallies {
            let keys = [("model", tally.key)];
            let Some(other) = stripped.tallies.iter().find(|other| other.key == tally.key) else { continue };
            match pair(&with, tally, &stripped, other) {
                Ok(pair) => pairs.push(pair),
                Err(reason) => {
                    output.fact(SCAFFOLD, "delta", &keys, reason.clone(), Basis::Records);
                    missing = Some(reason);
                }
            }
        }
        for pair in &pairs {
            add_pair_facts(&mut output, pair);
        }
        if let Some(reason) = missing {
            output.fact(SCAFFOLD, "spread-ratio", &[], reason, Basis::Records);
        } else {
            add_spread_facts(&mut output, &pairs);
        }
        output.tables.extend(scaffold_table(&pairs, with.problems.len()));
        output
    }
}

fn pair<'a>(with: &Board<'a>, a: &Tally<'a>, stripped: &Board<'a>, b: &Tally<'a>) -> Result<Pair<'a>, Estimate> {
    let (x, y) = match (a.complete(), b.complete()) {
        (Ok(()), Ok(())) => (a.run_percents(&with.all()), b.run_percents(&stripped.all())),
        (x, y) => return Err(undefined([x.err(), y.err()])),
    };
    let positions: BTreeMap<&str, usize> = stripped.problems.iter().enumerate().map(|(at, &id)| (id, at)).collect();
    let mut pair =
        Pair { key: a.key, name: a.name(), with: x, stripped: y, lost: Vec::new(), gained: 0, both: 0, neither: 0 };
    for (at, &id) in with.problems.iter().enumerate() {
        let Some(&other) = positions.get(id) else { continue };
        match (a.solves(at), b.solves(other)) {
            (true, true) => pair.both += 1,
            (true, false) => pair.lost.push(id),
            (false, true) => pair.gained += 1,
            (false, false) => pair.neither += 1,
        }
    }
    Ok(pair)
}

impl Pair<'_> {
    fn delta(&self) -> f64 {
        mean(&self.with).unwrap_or(0.0) - mean(&self.stripped).unwrap_or(0.0)
    }
}

fn add_pair_facts(output: &mut Output, pair: &Pair<'_>) {
    let keys = [("model", pair.key)];
    let differences: Vec<f64> = pair.with.iter().zip(&pair.stripped).map(|(a, b)| a - b).collect();
    let or = |value: Option<f64>| value.map_or_else(|| Estimate::undefined("one run"), Estimate::value);
    for (measure, estimate) in [
        ("delta", Estimate::value(pair.delta())),
        ("sd", or(sample_sd(&differences))),
        ("with", or(mean(&pair.with))),
        ("stripped", or(mean(&pair.stripped))),
        ("both", Estimate::count(pair.both)),
        ("lost", Estimate::count(pair.lost.len())),
        ("gained", Estimate::count(pair.gained)),
        ("neither", Estimate::count(pair.neither)),
    ] {
        output.fact(SCAFFOLD, measure, &keys, estimate, Basis::Records);
    }
}

fn add_spread_facts(output: &mut Output, pairs: &[Pair<'_>]) {
    let spread = |side: &dyn Fn(&Pair<'_>) -> Option<f64>| {
        let values: Vec<f64> = pairs.iter().filter_map(side).collect();
        crate::statistics::moments::extremes(&values).map(|(low, high)| high - low)
    };
    let (a, b) = (spread(&|pair| mean(&pair.with)), spread(&|pair| mean(&pair.stripped)));
    if let (Some(a), Some(b)) = (a, b) {
        output.fact(SCAFFOLD, "spread", &[("condition", "with")], Estimate::value(a), Basis::Records);
        output.fact(SCAFFOLD, "spread", &[("condition", "stripped")], Estimate::value(b), Basis::Records);
        let ratio = if a > 0.0 { Estimate::value(b / a) } else { Estimate::undefined("all models are equal with it") };
        output.fact(SCAFFOLD, "spread-ratio", &[], ratio, Basis::Records);
    }
    let mut losers: BTreeMap<&str, usize> = BTreeMap::new();
    pairs.iter().flat_map(|pair| &pair.lost).for_each(|id| *losers.entry(id).or_default() += 1);
    for models in 1..=pairs.len() {
        let count = losers.values().filter(|&&count| count == models).count();
        let number = models.to_string();
        output.fact(SCAFFOLD, "broken", &[("models", &number)], Estimate::count(count), Basis::Records);
    }
    output.fact(SCAFFOLD, "broken-any", &[], Estimate::count(losers.len()), Basis::Records);
}

fn scaffold_table(pairs: &[Pair<'_>], problems: usize) -> Option<Table> {
    let columns = [
        ("model", Kind::Text, ""),
        ("with_acc", Kind::Real, "percent"),
        ("with_sd", Kind::Real, "points"),
        ("stripped_acc", Kind::Real, "percent"),
        ("stripped_sd", Kind::Real, "points"),
        ("delta", Kind::Real, "points"),
        ("lost_maj3", Kind::Integer, ""),
        ("gained_maj3", Kind::Integer, ""),
        ("n_problems", Kind::Integer, ""),
    ];
    let mut table =
        Table::new("F9_scaffolding", "Accuracy with and without hand-over knowledge", &[SCAFFOLD], &columns);
    let sd = |values: &[f64]| {
        sample_sd(values).map_or_else(|| Cell::Undefined("one run".into()), |value| Cell::fixed(value, 1))
    };
    for pair in pairs {
        let (a, b) = (mean(&pair.with)?, mean(&pair.stripped)?);
        table.push(vec![
            Cell::text(pair.name),
            Cell::fixed(a, 1),
            sd(&pair.with),
            Cell::fixed(b, 1),
            sd(&pair.stripped),
            Cell::signed(b - a, 1),
            Cell::count(pair.lost.len()),
            Cell::count(pair.gained),
            Cell::count(problems),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn what_is_lost_and_gained_is_counted_by_majority() {
        let problems = || ["p1", "p2", "p3"].map(|id| problem(id, "c", "low", 1)).into();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("with", "scaffolded", None, problems())
            .set("without", "stripped", None, problems())
            .experiment("w", "with", "code", 3)
            .experiment("s", "without", "code", 3);
        for (number, with, without) in [(1, "PPF", "PFF"), (2, "PPF", "FFP"), (3, "FPF", "PFP")] {
            study = study.run("w", "a", number, with).run("s", "a", number, without);
        }
        let output = ScaffoldDelta.compute(&study.evidence());
        let value = |measure: &str| {
            output.facts.iter().find(|fact| fact.measure == measure).and_then(|fact| fact.estimate.point())
        };
        assert_eq!(
            ["both", "lost", "gained", "neither", "broken-any"].map(value),
            [Some(1.0), Some(1.0), Some(1.0), Some(0.0), Some(1.0)]
        );
        // 2/3, 2/3, 1/3 with; 1/3, 1/3, 2/3 without.
        assert!((value("delta").unwrap() - 100.0 / 9.0).abs() < 1e-9);
        assert_eq!(output.tables[0].rows[0][6].printed(), "1");
    }

    /// One mean per set of runs: two statistics never give two accuracies of the same runs.
    #[test]
    fn an_error_leaves_the_denominator_here_as_everywhere() {
        let problems = || ["p1", "p2", "p3"].map(|id| problem(id, "c", "low", 1)).into();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems())
            .set("with", "scaffolded", None, problems())
            .set("without", "stripped", None, problems())
            .experiment("core_code", "core", "code", 2)
            .experiment("w", "with", "code", 2)
            .experiment("s", "without", "code", 2);
        for (number, with, without) in [(1, "PPE", "PFF"), (2, "PPF", "FFP")] {
            study =
                study.run("w", "a", number, with).run("s", "a", number, without).run("core_code", "a", number, with);
        }
        let evidence = study.evidence();
        let means =
            crate::statistics::find(&crate::packs::statistics(), "accuracy-mean-sd").unwrap().compute(&evidence);
        let output = ScaffoldDelta.compute(&evidence);
        for (measure, set) in [("with", "with"), ("stripped", "without")] {
            let own = output.facts.iter().find(|fact| fact.measure == measure).unwrap().estimate.point();
            let of_set = |fact: &&crate::statistics::Fact| {
                fact.measure == "mean" && fact.keys.get("set").is_some_and(|id| id == set)
            };
            let mean = means.facts.iter().find(of_set).unwrap().estimate.point();
            assert!(own.is_some() && own == mean, "{set}: {own:?} and {mean:?}");
        }
    }
}
