//! How spending spreads over problems: quantiles, histograms, bins by length, accuracy by length.

use std::collections::BTreeMap;

use super::moments::{mean, quantile};
use super::published::Grid;
use super::tally::{Board, Tally};
use super::tokens::usage;
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::archive::State;
use crate::number;
use crate::table::{Cell, Kind, Table};

/// The statistic `spend-quantiles`.
pub(super) struct Spending;

/// The statistic `token-slope`.
pub(super) struct TokenSlope;

const QUANTILES: &str = "spend-quantiles";
const SLOPE: &str = "token-slope";

static ABOUT_QUANTILES: About = About {
    id: QUANTILES,
    also: &["spend-hist"],
    title: "Output tokens per problem",
    unit: "tokens",
    meaning: "Whether a configuration spends evenly or a few problems eat most of the tokens.",
    formula: "v = completion + reasoning tokens of a record, zeros dropped, all runs pooled, sorted; q(p) = \
              v[min(n - 1, floor(p n))]; histogram bins of width 0.1 in log10 v from 1.7 to 5.6, index = truncation \
              toward zero of (log10 v - 1.7) / 0.1, outside bins dropped.",
    source: "Rules of the study for its spending tables.",
    edge_cases: "Undefined for fewer than 50 values; from there on every bin has a count, 0 too. Truncation puts values \
                 down to 10^1.6 into the first bin. A record with only the old total of tokens has no known output and \
                 is left out.",
    example: "Of the sorted values 1..100, q(0.5) is the 51st: 51.",
    keys: &[
        KeyDoc { key: "model", meaning: "configuration key" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "log10_lo", meaning: "lower edge of a histogram bin" },
    ],
    measures: &[
        ("n", "records with output"),
        ("p10", "10 % quantile"),
        ("p25", "25 % quantile"),
        ("p50", "median"),
        ("p75", "75 % quantile"),
        ("p90", "90 % quantile"),
        ("p99", "99 % quantile"),
        ("mean", "mean"),
        ("p90-over-p50", "ratio"),
        ("mean-over-p50", "ratio"),
        ("bin", "records of a histogram bin"),
    ],
};

static ABOUT_SLOPE: About = About {
    id: SLOPE,
    also: &["token-bins"],
    title: "Accuracy by length of output",
    unit: "points per doubling",
    meaning: "Whether longer answers are better answers, among problems of the same difficulty answered at once.",
    formula: "Records with completion tokens > 0 and one attempt are binned by truncated log2 of their completion \
              tokens; per configuration and difficulty, the slope of the accuracy of the bins with n >= 25 on the bin \
              index by least squares with weights n (strata with at least 2 such bins, configurations with a full \
              count); then the mean over configurations.",
    source: "Rules of the study for its length figure.",
    edge_cases: "From the published table of bins when records are not archived; the basis says so. Undefined without \
                 two bins.",
    example: "Bins 7 and 8 with n = 50 each and accuracies 90 and 84: slope -6.",
    keys: &[
        KeyDoc { key: "difficulty", meaning: "difficulty level" },
        KeyDoc { key: "model", meaning: "configuration key, for the slope of one configuration" },
    ],
    measures: &[
        ("slope", "points per doubling"),
        ("negative", "configurations with a negative slope"),
        ("configurations", "configurations with a slope"),
        ("runs", "problem-runs in the bins"),
    ],
};

/// Fewest values for which quantiles are given.
const FEWEST: usize = 50;

/// Fewest records of a bin that enters a slope.
const BIN_FEWEST: u64 = 25;

impl Statistic for Spending {
    fn about(&self) -> &'static About {
        &ABOUT_QUANTILES
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let Some(main) = evidence.main_board() else { return output };
        let direct = evidence.experiment(main.experiment.set.as_str(), "direct");
        let (mut quantiles, mut histogram) = (quantile_table(), histogram_table());
        for board in [Some(main), direct.map(|experiment| evidence.board(experiment))].into_iter().flatten() {
            for tally in board.leaderboard() {
                let keys = [("model", tally.key), ("protocol", board.experiment.protocol())];
                match outputs_of(tally) {
                    Ok(values) if values.len() >= FEWEST => {
                        add_quantiles(&mut output, &mut quantiles, &board, tally, &values);
                        add_bins(&mut output, &mut histogram, &board, tally, &values);
                    }
                    Ok(values) => {
                        let reason = format!("{} values, {FEWEST} needed", values.len());
                        output.fact(QUANTILES, "p50", &keys, Estimate::undefined(reason), Basis::Records);
                    }
                    Err(reason) => {
                        output.fact(QUANTILES, "p50", &keys, Estimate::undefined(reason), Basis::Records);
                    }
                }
            }
        }
        output.tables.extend([quantiles, histogram].into_iter().filter(|table| !table.rows.is_empty()));
        output
    }
}

/// Completion and reasoning tokens of every record of all runs, sorted, zeros dropped.
fn outputs_of(tally: &Tally<'_>) -> Result<Vec<f64>, String> {
    tally.complete()?;
    let mut values = Vec::new();
    for record in tally.runs.iter().flat_map(|run| run.records.iter().flatten()) {
        let usage = usage(record).ok_or("token usage is not archived")?;
        let output = usage.completion + usage.reasoning;
        if output > 0 {
            values.push(output as f64);
        }
    }
    values.sort_by(f64::total_cmp);
    Ok(values)
}

fn quantile_table() -> Table {
    let mut columns = vec![
        ("model", Kind::Text, ""),
        ("protocol", Kind::Text, ""),
        ("setting", Kind::Text, ""),
        ("n_problem_runs", Kind::Integer, ""),
    ];
    columns.extend(["p10", "p25", "p50", "p75", "p90", "p99"].map(|name| (name, Kind::Integer, "tokens")));
    columns.extend([
        ("mean", Kind::Real, "tokens"),
        ("p90_over_p50", Kind::Real, ""),
        ("mean_over_p50", Kind::Real, ""),
    ]);
    Table::new("spending_quantiles", "Output tokens per problem", &[QUANTILES], &columns)
}

fn add_quantiles(output: &mut Output, table: &mut Table, board: &Board<'_>, tally: &Tally<'_>, values: &[f64]) {
    let protocol = board.experiment.protocol();
    let keys = [("model", tally.key), ("protocol", protocol)];
    let points = [("p10", 10), ("p25", 25), ("p50", 50), ("p75", 75), ("p90", 90), ("p99", 99)];
    let points = points.map(|(name, percent)| (name, quantile(values, percent, 100).unwrap_or(0.0)));
    let average = mean(values).unwrap_or(0.0);
    let (p50, p90) = (points[2].1, points[4].1);
    output.fact(QUANTILES, "n", &keys, Estimate::count(values.len()), Basis::Records);
    for (measure, value) in
        points.into_iter().chain([("mean", average), ("p90-over-p50", p90 / p50), ("mean-over-p50", average / p50)])
    {
        output.fact(QUANTILES, measure, &keys, Estimate::value(value), Basis::Records);
    }
    let setting = tally.configuration.map_or("", |configuration| configuration.setting());
    let mut row = vec![Cell::text(tally.name()), Cell::text(protocol), Cell::text(setting), Cell::count(values.len())];
    row.extend(points.map(|(_, value)| Cell::Integer(value as i64)));
    row.extend([Cell::rounded(average, 1), Cell::rounded(p90 / p50, 2), Cell::rounded(average / p50, 2)]);
    table.push(row);
}

/// First bin, number of bins and bins per decade of the histogram.
const HISTOGRAM: (f64, i64, f64) = (1.7, 39, 0.1);

fn histogram_table() -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("protocol", Kind::Text, ""),
        ("setting", Kind::Text, ""),
        ("log10_lo", Kind::Real, ""),
        ("log10_hi", Kind::Real, ""),
        ("n_problem_runs", Kind::Integer, ""),
    ];
    Table::new("spending_histogram", "Histogram of output tokens per problem", &["spend-hist"], &columns)
}

fn add_bins(output: &mut Output, table: &mut Table, board: &Board<'_>, tally: &Tally<'_>, values: &[f64]) {
    let (start, bins, width) = HISTOGRAM;
    // Every bin has a row, an empty one too: a table without it would say that it was not looked at.
    let mut counts: BTreeMap<i64, usize> = (0..bins).map(|bin| (bin, 0)).collect();
    for value in values {
        let bin = ((value.log10() - start) / width) as i64;
        if (0..bins).contains(&bin) {
            *counts.entry(bin).or_default() += 1;
        }
    }
    let protocol = board.experiment.protocol();
    let setting = tally.configuration.map_or("", |configuration| configuration.setting());
    for (bin, count) in counts {
        let low = number::round(start + bin as f64 * width, 1);
        let high = number::round(start + (bin + 1) as f64 * width, 1);
        let edge = number::repr(low);
        let keys = [("model", tally.key), ("protocol", protocol), ("log10_lo", edge.as_str())];
        output.fact(QUANTILES, "bin", &keys, Estimate::count(count), Basis::Records);
        table.push(vec![
            Cell::text(tally.name()),
            Cell::text(protocol),
            Cell::text(setting),
            Cell::rounded(low, 1),
            Cell::rounded(high, 1),
            Cell::count(count),
        ]);
    }
}

/// Records and passes of one bin.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    n: u64,
    passed: u64,
}

/// Bins by configuration and difficulty.
type Bins<'a> = BTreeMap<&'a str, BTreeMap<String, BTreeMap<i64, Bin>>>;

impl Statistic for TokenSlope {
    fn about(&self) -> &'static About {
        &ABOUT_SLOPE
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let Some(main) = evidence.main_board() else { return output };
        let (bins, basis) = match bins_of_records(&main) {
            Ok((bins, table)) => {
                output.tables.push(table);
                (bins, Basis::Records)
            }
            Err(reason) => match bins_of_table(evidence) {
                Some(bins) => (bins, Basis::Published),
                None => {
                    output.fact(SLOPE, "slope", &[], Estimate::undefined(reason), Basis::Records);
                    return output;
                }
            },
        };
        add_slopes(&mut output, evidence, &bins, basis);
        output
    }
}

fn bins_of_records<'a>(main: &Board<'a>) -> Result<(Bins<'a>, Table), String> {
    let set = main.set.ok_or("the problem set is not there")?;
    let mut all: Bins<'a> = BTreeMap::new();
    let mut table = bin_table();
    let mut measured = false;
    for tally in main.leaderboard() {
        tally.complete()?;
        let strata = all.entry(tally.key).or_default();
        let (mut records, mut single) = (0_usize, 0_usize);
        for record in tally.runs.iter().flat_map(|run| run.records.iter().flatten()) {
            let usage = usage(record).ok_or("token usage is not archived")?;
            let attempts = record.num_attempts.ok_or("the number of attempts is not archived")?;
            measured = true;
            // Only records that are known to have an answer can be answered at once.
            if usage.completion == 0 {
                continue;
            }
            records += 1;
            if attempts > 1 {
                continue;
            }
            single += 1;
            let Some(difficulty) = set.get(record.id.as_str()).and_then(|problem| problem.difficulty.clone()) else {
                continue;
            };
            let bin = i64::from(usage.completion.ilog2());
            let bin = strata.entry(difficulty.to_string()).or_default().entry(bin).or_default();
            bin.n += 1;
            bin.passed += u64::from(record.state() == State::Pass);
        }
        let kept = 100.0 * single as f64 / records.max(1) as f64;
        for (difficulty, bins) in strata.iter() {
            bins.iter().for_each(|(&bin, counts)| table.push(bin_row(tally, difficulty, bin, *counts, kept)));
        }
    }
    if measured { Ok((all, table)) } else { Err("no run is archived".to_owned()) }
}

fn bin_table() -> Table {
    let columns = [
        ("model", Kind::Text, ""),
        ("setting", Kind::Text, ""),
        ("difficulty", Kind::Text, ""),
        ("log2_bin", Kind::Integer, ""),
        ("bin_low_tokens", Kind::Integer, "tokens"),
        ("n_problem_runs", Kind::Integer, ""),
        ("n_passed", Kind::Integer, ""),
        ("accuracy_pct", Kind::Real, "percent"),
        ("single_attempt_pct", Kind::Real, "percent"),
    ];
    Table::new("token_bins", "Accuracy by length of output and difficulty", &["token-bins"], &columns)
}

fn bin_row(tally: &Tally<'_>, difficulty: &str, bin: i64, counts: Bin, kept: f64) -> Vec<Cell> {
    let setting = tally.configuration.map_or("", |configuration| configuration.setting());
    vec![
        Cell::text(tally.name()),
        Cell::text(setting),
        Cell::text(difficulty),
        Cell::Integer(bin),
        Cell::Integer(1 << bin.clamp(0, 62)),
        Cell::Integer(counts.n as i64),
        Cell::Integer(counts.passed as i64),
        Cell::rounded(100.0 * counts.passed as f64 / counts.n as f64, 2),
        Cell::rounded(kept, 1),
    ]
}

fn bins_of_table<'a>(evidence: &Evidence<'a>) -> Option<Bins<'a>> {
    let grid = Grid::read(evidence, "token_bins")?;
    let mut all: Bins<'a> = BTreeMap::new();
    for row in 0..grid.len() {
        let name = grid.cell(row, "model")?;
        let configuration = evidence.study.configurations.iter().find(|c| c.name == name)?;
        let difficulty = grid.cell(row, "difficulty")?.to_owned();
        let bin = grid.cell(row, "log2_bin")?.parse().ok()?;
        let n = grid.cell(row, "n_problem_runs")?.parse().ok()?;
        let passed = grid.cell(row, "n_passed")?.parse().ok()?;
        let strata = all.entry(configuration.key.as_str()).or_default();
        strata.entry(difficulty).or_default().insert(bin, Bin { n, passed });
    }
    Some(all)
}

fn add_slopes(output: &mut Output, evidence: &Evidence<'_>, bins: &Bins<'_>, basis: Basis) {
    let mut by_difficulty: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut runs = 0_u64;
    for (&key, strata) in bins {
        if evidence.configuration(key).is_some_and(|configuration| configuration.tokens_are_lower_bound) {
            continue;
        }
        for (difficulty, bins) in strata {
            let used: Vec<(f64, f64, f64)> = bins
                .iter()
                .filter(|(_, bin)| bin.n >= BIN_FEWEST)
                .map(|(&at, bin)| (at as f64, 100.0 * bin.passed as f64 / bin.n as f64, bin.n as f64))
                .collect();
            if let Some(slope) = weighted_slope(&used) {
                runs += used.iter().map(|&(_, _, n)| n as u64).sum::<u64>();
                by_difficulty.entry(difficulty).or_default().push(slope);
                let keys = [("difficulty", difficulty.as_str()), ("model", key)];
                output.fact(SLOPE, "slope", &keys, Estimate::value(slope), basis);
            }
        }
    }
    for (difficulty, slopes) in by_difficulty {
        let keys = [("difficulty", difficulty)];
        let negative = slopes.iter().filter(|&&slope| slope < 0.0).count();
        let average = mean(&slopes).map_or_else(|| Estimate::undefined("no slope"), Estimate::value);
        output.fact(SLOPE, "slope", &keys, average, basis);
        output.fact(SLOPE, "negative", &keys, Estimate::count(negative), basis);
        output.fact(SLOPE, "configurations", &keys, Estimate::count(slopes.len()), basis);
    }
    output.fact(SLOPE, "runs", &[], Estimate::value(runs as f64), basis);
}

/// Slope of y on x by least squares with weights; `None` without two different x.
fn weighted_slope(points: &[(f64, f64, f64)]) -> Option<f64> {
    let weight = number::sum(points.iter().map(|p| p.2));
    let x = number::sum(points.iter().map(|p| p.2 * p.0)) / weight;
    let y = number::sum(points.iter().map(|p| p.2 * p.1)) / weight;
    let above = number::sum(points.iter().map(|p| p.2 * (p.0 - x) * (p.1 - y)));
    let below = number::sum(points.iter().map(|p| p.2 * (p.0 - x) * (p.0 - x)));
    (points.len() >= 2 && below > 0.0).then(|| above / below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Usage;
    use crate::statistics::fixture::{Fixture, problem};

    /// One configuration, `spent` completion tokens and attempts by problem.
    fn evidence_of(spent: &[(u64, u32)]) -> Fixture {
        let ids: Vec<String> = (0..spent.len()).map(|n| format!("p{n:03}")).collect();
        let problems = ids.iter().map(|id| problem(id, "c", "low", 1)).collect();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, &"P".repeat(spent.len()));
        for (record, &(completion, attempts)) in study.archive.runs[0].records.iter_mut().zip(spent) {
            record.usage = Some(Usage { prompt: 10, completion, reasoning: 0, total: completion + 10 });
            record.num_attempts = Some(attempts);
        }
        study
    }

    #[test]
    fn every_bin_has_a_row() {
        let study = evidence_of(&[(100, 1); 50]);
        let output = Spending.compute(&study.evidence());
        let table = output.tables.iter().find(|table| table.id == "spending_histogram").unwrap();
        assert_eq!(table.rows.len(), 39);
        let counts: Vec<String> = table.rows.iter().map(|row| row[5].printed()).collect();
        assert_eq!((counts[3].as_str(), counts.iter().filter(|count| *count == "0").count()), ("50", 38));
        assert!(Spending.compute(&evidence_of(&[(100, 1); 49]).evidence()).tables.is_empty());
    }

    #[test]
    fn the_share_of_single_attempts_is_one_of_records_with_an_answer() {
        let study = evidence_of(&[(100, 1), (100, 1), (100, 2), (0, 1)]);
        let output = TokenSlope.compute(&study.evidence());
        let table = output.tables.iter().find(|table| table.id == "token_bins").unwrap();
        // Two of the three records with completion tokens took one attempt.
        assert_eq!(table.rows[0].last().unwrap().printed(), "66.7");
    }

    #[test]
    fn a_line_through_two_bins_has_their_slope() {
        assert_eq!(weighted_slope(&[(7.0, 90.0, 50.0), (8.0, 84.0, 50.0)]), Some(-6.0));
        assert_eq!(weighted_slope(&[(7.0, 90.0, 50.0)]), None);
        // Weights pull the line: (0,0) w=3, (1,1) w=1, (2,0) w=1.
        let slope = weighted_slope(&[(0.0, 0.0, 3.0), (1.0, 1.0, 1.0), (2.0, 0.0, 1.0)]).unwrap();
        assert!((slope - 0.125).abs() < 1e-12);
    }
}
