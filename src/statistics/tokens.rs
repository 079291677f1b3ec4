//! Token accounting: totals per run, what reasoning and prose cost, and how spending spreads.

use std::collections::BTreeMap;

use super::moments::mean;
use super::published::Grid;
use super::tally::{Board, RunTally, Tally};
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::archive::{Record, Usage};
use crate::number;
use crate::study::Twins;
use crate::table::{Cell, Kind, Table};

/// The statistic `tokens-run-mean`.
pub(crate) struct Tokens;

const ID: &str = "tokens-run-mean";

static ABOUT: About = About {
    id: ID,
    also: &["tokens-extra", "tokens-ratio", "tokens-coverage", "tokens-dagger", "tokens-per-correct", "pareto"],
    title: "Tokens",
    unit: "tokens",
    meaning: "What a run costs, counted with one public tokenizer over the archived texts, so that configurations of \
              different providers can be compared.",
    formula: "prompt = count(system) + count(prompt), completion = count(response), reasoning = count(trace) per \
              attempt (o200k_base, special tokens not interpreted); total = their sum over all attempts and records of \
              a run; mean over runs. extra = reasoning twin - other; ratio = direct / code; coverage = attempts with a \
              trace / attempts; dagger = provider total / recount; per correct = total / (accuracy × problems).",
    source: "Token rules of the study; the recount stored with each record is used, its total computed as a sum.",
    edge_cases: "Undefined where no usage is archived. A run with records that hold only the old total is left out of \
                 the means of prompt, completion and reasoning. A configuration whose provider charged at least 1.25 times the \
                 recount has hidden text: its total is a lower bound, marked, and left out of extremes.",
    example: "Runs of 290,000, 294,000 and 295,000 tokens: mean 293,000.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where the experiment has one" },
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "backbone", meaning: "twins, for extra" },
    ],
    measures: &[
        ("total", "tokens per run"),
        ("prompt", "prompt tokens per run"),
        ("completion", "response tokens per run"),
        ("reasoning", "reasoning tokens per run"),
        ("old-totals", "records of which only the old total is stored; only where there are some"),
        ("extra", "additional tokens of the reasoning twin"),
        ("ratio", "direct over code"),
        ("coverage", "attempts with a stored reasoning trace, percent"),
        ("dagger", "provider total over recount"),
        ("per-correct", "tokens per correct answer"),
        ("frontier", "configurations on the cost-accuracy frontier"),
        ("fully-counted", "configurations whose text is archived in full"),
    ],
};

/// Provider total over recount from which a recount is a lower bound.
const LOWER_BOUND: f64 = 1.25;

/// Mean usage of the runs of one configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spending {
    /// Prompt, completion and reasoning; `None` where no run has them for every record.
    parts: Option<[f64; 3]>,
    /// Records of which only the old total is stored.
    legacy: usize,
    /// Sum of the three.
    pub(crate) total: f64,
    provider: Option<f64>,
    coverage: Option<f64>,
}

impl Spending {
    /// True when the provider charged so much more than the recount that text must be hidden.
    pub(crate) fn is_lower_bound(self) -> bool {
        self.provider.is_some_and(|provider| provider >= LOWER_BOUND * self.total)
    }
}

impl Statistic for Tokens {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let mut all: BTreeMap<(&str, &str), Spending> = BTreeMap::new();
        for board in evidence.boards().filter(|board| board.experiment.choice.is_none()) {
            for tally in &board.tallies {
                let keys = board.keys_of(tally);
                match spending(tally) {
                    Ok(spending) => {
                        add_facts(&mut output, &keys, spending);
                        all.insert((board.experiment.id.as_str(), tally.key), spending);
                    }
                    Err(reason) => output.fact(ID, "total", &keys, Estimate::undefined(reason), Basis::Records),
                }
            }
        }
        let Some(main) = evidence.main_board() else { return output };
        extra(&mut output, evidence, &main, &all);
        protocols(&mut output, evidence, &main, &all);
        costs(&mut output, evidence, &main, &all);
        output
    }
}

/// The usage of a record: the stored recount, or the legacy total, whose parts are unknown and stand as 0.
pub(crate) fn usage(record: &Record) -> Option<Usage> {
    record.usage.or_else(|| record.legacy_tokens.map(|total| Usage { total, ..Usage::default() }))
}

/// True when only the old total of a record is stored.
fn is_legacy(record: &Record) -> bool {
    record.usage.is_none() && record.legacy_tokens.is_some()
}

/// Mean usage of the runs of a configuration, or why there is none.
pub(crate) fn spending(tally: &Tally<'_>) -> Result<Spending, String> {
    tally.complete()?;
    let mut runs: Vec<[f64; 4]> = Vec::new();
    // Runs with records of which only the old total is known say nothing about the parts.
    let mut with_parts: Vec<bool> = Vec::new();
    let mut legacy = 0;
    for run in &tally.runs {
        let mut sums = [0_u64; 4];
        let old = run.records.iter().flatten().filter(|record| is_legacy(record)).count();
        for record in run.records.iter().flatten() {
            let usage = usage(record).ok_or("token usage is not archived")?;
            // A stored total that is not the sum of its parts is told where records are checked; it counts nothing.
            let sum = usage.prompt.saturating_add(usage.completion).saturating_add(usage.reasoning);
            let total = if is_legacy(record) { usage.total } else { sum };
            for (sum, value) in sums.iter_mut().zip([usage.prompt, usage.completion, usage.reasoning, total]) {
                *sum = sum.saturating_add(value);
            }
        }
        runs.push(sums.map(|sum| sum as f64));
        with_parts.push(old == 0);
        legacy += old;
    }
    let total = mean(&runs.iter().map(|run| run[3]).collect::<Vec<_>>()).ok_or("no run")?;
    let part = |at: usize| {
        let whole = runs.iter().zip(&with_parts).filter(|(_, whole)| **whole).map(|(run, _)| run[at]);
        mean(&whole.collect::<Vec<_>>())
    };
    let parts =
        part(0).zip(part(1)).zip(part(2)).map(|((prompt, completion), reasoning)| [prompt, completion, reasoning]);
    let provider: Option<Vec<f64>> = tally.runs.iter().map(provider_total).collect();
    let coverage: Option<Vec<f64>> = tally.runs.iter().map(trace_share).collect();
    Ok(Spending {
        parts,
        legacy,
        total,
        provider: provider.and_then(|runs| mean(&runs)),
        coverage: coverage.and_then(|runs| mean(&runs)),
    })
}

/// Sum of what the provider reported for the attempts of a run; `None` when any attempt has no report.
fn provider_total(run: &RunTally<'_>) -> Option<f64> {
    let mut total = 0_u64;
    for record in run.records.iter().flatten() {
        for attempt in record.attempts.as_ref()? {
            total += attempt.usage?.total;
        }
    }
    Some(total as f64)
}

fn trace_share(run: &RunTally<'_>) -> Option<f64> {
    let (mut with, mut all) = (0_usize, 0_usize);
    for record in run.records.iter().flatten() {
        for attempt in record.attempts.as_ref()? {
            with += usize::from(attempt.has_reasoning);
            all += 1;
        }
    }
    (all > 0).then(|| 100.0 * with as f64 / all as f64)
}

fn add_facts(output: &mut Output, keys: &[(&str, &str)], spending: Spending) {
    output.fact(ID, "total", keys, Estimate::value(spending.total), Basis::Records);
    for (at, measure) in ["prompt", "completion", "reasoning"].into_iter().enumerate() {
        let reason = format!("{} records hold only the old total of tokens", spending.legacy);
        let value = spending.parts.map_or_else(|| Estimate::undefined(reason), |parts| Estimate::value(parts[at]));
        output.fact(ID, measure, keys, value, Basis::Records);
    }
    if spending.legacy > 0 {
        output.fact(ID, "old-totals", keys, Estimate::count(spending.legacy), Basis::Records);
    }
    let or = |value: Option<f64>, reason: &str| value.map_or_else(|| Estimate::undefined(reason), Estimate::value);
    let dagger = spending.provider.filter(|_| spending.total > 0.0).map(|provider| provider / spending.total);
    output.fact(ID, "dagger", keys, or(dagger, "providers' counts are not archived"), Basis::Records);
    output.fact(ID, "coverage", keys, or(spending.coverage, "attempts are not archived"), Basis::Records);
}

fn extra(output: &mut Output, evidence: &Evidence<'_>, main: &Board<'_>, all: &BTreeMap<(&str, &str), Spending>) {
    for Twins { plain, reasoning } in evidence.study.twins() {
        let keys = [("backbone", plain.backbone.as_str())];
        let of = |key: &str| all.get(&(main.experiment.id.as_str(), key)).copied();
        match (of(plain.key.as_str()), of(reasoning.key.as_str())) {
            (Some(a), Some(b)) => {
                output.fact(ID, "extra", &keys, Estimate::value(b.total - a.total), Basis::Records);
            }
            _ => output.fact(ID, "extra", &keys, Estimate::undefined("token usage is not archived"), Basis::Records),
        }
    }
}

fn protocols(output: &mut Output, evidence: &Evidence<'_>, main: &Board<'_>, all: &BTreeMap<(&str, &str), Spending>) {
    let Some(direct) = evidence.experiment(main.experiment.set.as_str(), "direct") else { return };
    let mut ratios = Vec::new();
    for configuration in evidence.leaderboard() {
        let of = |experiment: &str| all.get(&(experiment, configuration.key.as_str())).copied();
        if let (Some(code), Some(prose)) = (of(main.experiment.id.as_str()), of(direct.id.as_str())) {
            let ratio = prose.total / code.total;
            ratios.push(ratio);
            let keys = [("model", configuration.key.as_str())];
            output.fact(ID, "ratio", &keys, Estimate::value(ratio), Basis::Records);
        }
    }
    let estimate = mean(&ratios).map_or_else(|| Estimate::undefined("token usage is not archived"), Estimate::value);
    output.fact(ID, "ratio", &[], estimate, Basis::Records);
}

/// One configuration in tokens (millions per run) and accuracy (percent).
struct Point<'a> {
    key: &'a str,
    tokens: f64,
    accuracy: f64,
    lower_bound: bool,
}

/// Cost per correct answer and the frontier: from records, else from the published table of totals.
fn costs(output: &mut Output, evidence: &Evidence<'_>, main: &Board<'_>, all: &BTreeMap<(&str, &str), Spending>) {
    let own: Option<Vec<Point<'_>>> = main
        .leaderboard()
        .map(|tally| {
            let spending = all.get(&(main.experiment.id.as_str(), tally.key))?;
            let accuracy = mean(&tally.run_percents(&main.all()))?;
            Some(Point {
                key: tally.key,
                tokens: spending.total / 1e6,
                accuracy,
                lower_bound: spending.is_lower_bound(),
            })
        })
        .collect();
    let (points, basis) = match own.filter(|points| !points.is_empty()) {
        Some(points) => (points, Basis::Records),
        None => match published_points(evidence, main) {
            Some(points) => (points, Basis::Published),
            None => return,
        },
    };
    for point in &points {
        let correct = point.accuracy / 100.0 * main.problems.len() as f64;
        if correct > 0.0 {
            let value = Estimate::value(1e6 * point.tokens / correct);
            output.fact(ID, "per-correct", &[("model", point.key)], value, basis);
        }
    }
    let counted = points.iter().filter(|point| !point.lower_bound).count();
    output.fact(ID, "fully-counted", &[], Estimate::count(counted), basis);
    output.fact(ID, "frontier", &[], Estimate::count(frontier(&points)), basis);
    if basis == Basis::Records {
        output.tables.push(table(evidence, main, &points));
    }
}

fn published_points<'a>(evidence: &Evidence<'a>, main: &Board<'a>) -> Option<Vec<Point<'a>>> {
    let grid = Grid::read(evidence, "token_accuracy")?;
    let mut points = Vec::new();
    for (row, name) in grid.column("model")?.into_iter().enumerate() {
        let configuration = evidence.study.configurations.iter().find(|c| c.name == name)?;
        let tally = main.tallies.iter().find(|tally| tally.key == configuration.key.as_str())?;
        points.push(Point {
            key: tally.key,
            tokens: grid.number(row, "tokens_M_per_run")?,
            accuracy: mean(&tally.run_percents(&main.all())).or_else(|| grid.number(row, "accuracy"))?,
            lower_bound: grid.cell(row, "tokens_understated_dagger") == Some("yes"),
        });
    }
    Some(points)
}

/// Configurations that raise the best accuracy when sorted by tokens; lower bounds are left out.
fn frontier(points: &[Point<'_>]) -> usize {
    let mut sorted: Vec<&Point<'_>> = points.iter().filter(|point| !point.lower_bound).collect();
    sorted.sort_by(|a, b| a.tokens.total_cmp(&b.tokens).then(a.accuracy.total_cmp(&b.accuracy)));
    let mut best = f64::NEG_INFINITY;
    let mut kept = 0;
    for point in sorted {
        if point.accuracy > best {
            best = point.accuracy;
            kept += 1;
        }
    }
    kept
}

fn table(evidence: &Evidence<'_>, main: &Board<'_>, points: &[Point<'_>]) -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("tokens_M_per_run", Kind::Real, "million tokens"),
        ("accuracy", Kind::Real, "percent"),
        ("sd", Kind::Real, "points"),
        ("setting", Kind::Text, ""),
        ("backbone_pair", Kind::Text, ""),
        ("tokens_understated_dagger", Kind::Text, ""),
    ];
    let mut table = Table::new("token_accuracy", "Tokens and accuracy", &[ID, "accuracy-mean-sd"], &columns);
    for point in points {
        let Some(tally) = main.tallies.iter().find(|tally| tally.key == point.key) else { continue };
        let pair = evidence
            .study
            .twins()
            .into_iter()
            .find(|t| [t.plain, t.reasoning].iter().any(|c| c.key.as_str() == point.key));
        let sd = super::moments::sample_sd(&tally.run_percents(&main.all()));
        table.push(vec![
            Cell::text(tally.name()),
            Cell::rounded(point.tokens, 3),
            Cell::fixed(point.accuracy, 1),
            sd.map_or_else(|| Cell::Undefined("one run".into()), |sd| Cell::fixed(sd, 1)),
            Cell::text(tally.configuration.map_or("", |configuration| configuration.setting())),
            Cell::text(pair.map_or("", |twins| twins.plain.key.as_str())),
            Cell::text(if point.lower_bound { "yes" } else { "no" }),
        ]);
    }
    table.rows.sort_by(|a, b| accuracy_of(b).total_cmp(&accuracy_of(a)));
    table
}

fn accuracy_of(row: &[Cell]) -> f64 {
    match row[2] {
        Cell::Real { value, .. } => number::round(value, 9),
        _ => f64::NEG_INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn old_totals_are_left_out_of_the_parts_and_false_totals_count_nothing() {
        let problems = ["p1", "p2"].map(|id| problem(id, "c", "low", 1)).into();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 2)
            .run("core_code", "a", 1, "PP")
            .run("core_code", "a", 2, "PP");
        for run in &mut study.archive.runs {
            for record in &mut run.records {
                record.usage = Some(Usage { prompt: 100, completion: 50, reasoning: 0, total: 999_999 });
            }
        }
        let value = |study: &Fixture, measure: &str| {
            let facts = Tokens.compute(&study.evidence()).facts;
            facts.into_iter().find(|fact| fact.measure == measure).map(|fact| fact.estimate)
        };
        assert_eq!(value(&study, "total").unwrap().point(), Some(300.0));
        let record = &mut study.archive.runs[1].records[0];
        (record.usage, record.legacy_tokens) = (None, Some(70));
        // Run 2 says 70 and 150 in all and nothing about the parts; run 1 has 200 and 100.
        assert_eq!(value(&study, "total").unwrap().point(), Some(260.0));
        assert_eq!(value(&study, "prompt").unwrap().point(), Some(200.0));
        assert_eq!(value(&study, "completion").unwrap().point(), Some(100.0));
        assert_eq!(value(&study, "old-totals").unwrap().point(), Some(1.0));
        let record = &mut study.archive.runs[0].records[0];
        (record.usage, record.legacy_tokens) = (None, Some(70));
        assert_eq!(value(&study, "prompt"), Some(Estimate::undefined("2 records hold only the old total of tokens")));
    }

    #[test]
    fn the_frontier_keeps_only_what_raises_the_best() {
        let point = |tokens, accuracy, lower_bound| Point { key: "m", tokens, accuracy, lower_bound };
        let points = [
            point(3.0, 90.0, false),
            point(1.0, 80.0, false),
            point(2.0, 79.0, false),
            point(0.5, 99.0, true),
            point(4.0, 90.0, false),
        ];
        assert_eq!(frontier(&points), 2);
    }
}
