//! Slow, obvious versions of the statistics of tokens, spending and repair over the raw files of a complete
//! archive, against what the tool computes.

use std::collections::BTreeMap;

use repro::json::Value;

use crate::raw_records::{
    LEADERBOARD, Run, close, excluded, list, mean, number, over_runs, passed, percent, problems, runs, ungradable,
};
use crate::synthetic::{Synthetic, synthetic, text};

/// Prompt, completion and reasoning tokens of a record, and their sum; old files have only the sum.
fn usage(record: &Value) -> [f64; 4] {
    match record.get("usage") {
        Some(usage) => {
            let [a, b, c] = ["prompt_tokens", "completion_tokens", "reasoning_tokens"].map(|part| number(usage, part));
            [a, b, c, a + b + c]
        }
        None => [0.0, 0.0, 0.0, number(record, "tokens")],
    }
}

fn total(run: &Run) -> f64 {
    run.values().map(|record| usage(record)[3]).sum()
}

fn attempts(run: &Run) -> impl Iterator<Item = &Value> {
    run.values().flat_map(|record| list(record, "attempts"))
}

fn provider(run: &Run) -> f64 {
    attempts(run).filter_map(|attempt| attempt.get("usage")).map(|usage| number(usage, "total_tokens")).sum()
}

fn reasons(attempt: &Value) -> bool {
    attempt.get("reasoning").and_then(Value::as_text).is_some_and(|text| !text.trim().is_empty())
}

fn on(model: &str) -> [(&str, &str); 3] {
    [("set", "core"), ("protocol", "code"), ("model", model)]
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn tokens_by_run_twin_protocol_and_correct_answer() {
    let synthetic = synthetic();
    let value = |measure: &str, keys: &[(&str, &str)]| synthetic.value("tokens-run-mean", measure, keys);
    let mut totals: BTreeMap<&str, f64> = BTreeMap::new();
    let mut points = Vec::new();
    for model in LEADERBOARD {
        let code = runs(synthetic, "core_code", model);
        for (at, measure) in ["prompt", "completion", "reasoning", "total"].into_iter().enumerate() {
            let expected = over_runs(&code, |run| run.values().map(|record| usage(record)[at]).sum());
            close(value(measure, &on(model)), expected, measure);
        }
        let tokens = over_runs(&code, total);
        totals.insert(model, tokens);
        let dagger = over_runs(&code, provider) / tokens;
        close(value("dagger", &on(model)), dagger, "dagger");
        let coverage = over_runs(&code, |run| {
            100.0 * attempts(run).filter(|attempt| reasons(attempt)).count() as f64 / attempts(run).count() as f64
        });
        close(value("coverage", &on(model)), coverage, "coverage");
        let accuracy = over_runs(&code, |run| percent(run, passed));
        let correct = accuracy / 100.0 * code[0].len() as f64;
        close(value("per-correct", &[("model", model)]), tokens / correct, "per-correct");
        // On a grid, so that equal accuracies are equal whatever the order of their runs.
        points.push((tokens, (accuracy * 1e9).round(), dagger >= 1.25));
    }
    assert!(points.iter().any(|point| point.2), "the synthetic archive has no hidden text");
    points.retain(|point| !point.2);
    close(value("fully-counted", &[]), points.len() as f64, "fully-counted");
    // On the frontier: nobody else has at least the accuracy for no more tokens.
    let beaten = |a: &(f64, f64, bool)| points.iter().any(|b| b.0 <= a.0 && b.1 >= a.1 && b != a);
    close(value("frontier", &[]), points.iter().filter(|point| !beaten(point)).count() as f64, "frontier");
    for (backbone, plain) in [("gpt-5.5", "gpt55"), ("Kimi K2.6", "kimi-k2.6"), ("Qwen-3.5-9B", "qwen3.5-9b")] {
        let extra = totals[format!("{plain}-reasoning").as_str()] - totals[plain];
        close(value("extra", &[("backbone", backbone)]), extra, "extra");
    }
    let mut ratios = Vec::new();
    for model in LEADERBOARD {
        if synthetic.run(&format!("core_direct/{model}.run1")).is_some() {
            let ratio = over_runs(&runs(synthetic, "core_direct", model), total) / totals[model];
            close(value("ratio", &[("model", model)]), ratio, "ratio");
            ratios.push(ratio);
        }
    }
    assert_eq!(ratios.len(), 6);
    close(value("ratio", &[]), mean(&ratios), "mean ratio");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn tokens_counted_again_from_the_texts() {
    let synthetic = synthetic();
    let library = |text: &str| tiktoken_rs::o200k_base_singleton().count_ordinary(text) as f64;
    for (experiment, protocol, model) in [
        ("core_code", "code", "gpt55"),
        ("core_direct", "direct", "gpt55"),
        ("core_code", "code", "qwen3.5-9b-reasoning"),
    ] {
        let mut sums = [0.0; 3];
        for number in 1..=3 {
            let file = synthetic.json(&format!("experiments/{experiment}/{model}.run{number}.json")).unwrap();
            let system = library(&text(file.get("metrics").unwrap(), "system"));
            for attempt in list(&file, "results").iter().flat_map(|record| list(record, "attempts")) {
                let trace = text(attempt, "reasoning");
                let trace = if trace.trim().is_empty() { 0.0 } else { library(&trace) };
                let own = [system + library(&text(attempt, "prompt")), library(&text(attempt, "response")), trace];
                sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
        }
        let keys = [("set", "core"), ("protocol", protocol), ("model", model)];
        let value = |measure: &str| synthetic.value("token-recount", measure, &keys);
        for (measure, sum) in ["prompt", "completion", "reasoning"].into_iter().zip(sums) {
            close(value(measure), sum / 3.0, measure);
        }
        close(value("total"), sums.iter().sum::<f64>() / 3.0, "total");
    }
}

/// Output tokens of all records of a configuration, sorted, zeros dropped.
fn outputs(runs: &[Run]) -> Vec<f64> {
    let mut outputs: Vec<f64> =
        runs.iter().flat_map(Run::values).map(|record| usage(record)[1] + usage(record)[2]).collect();
    outputs.retain(|&tokens| tokens > 0.0);
    outputs.sort_by(f64::total_cmp);
    outputs
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn spending_by_quantile_and_histogram() {
    let synthetic = synthetic();
    let mut tested = 0;
    for (experiment, protocol) in [("core_code", "code"), ("core_direct", "direct")] {
        for model in LEADERBOARD {
            if synthetic.run(&format!("{experiment}/{model}.run1")).is_none() {
                continue;
            }
            let values = outputs(&runs(synthetic, experiment, model));
            let keys = [("model", model), ("protocol", protocol)];
            let value = |measure: &str| synthetic.value("spend-quantiles", measure, &keys);
            let q = |hundredths: usize| values[(hundredths * values.len() / 100).min(values.len() - 1)];
            close(value("n"), values.len() as f64, "n");
            for (measure, hundredths) in [("p10", 10), ("p25", 25), ("p50", 50), ("p75", 75), ("p90", 90), ("p99", 99)]
            {
                close(value(measure), q(hundredths), measure);
            }
            close(value("mean"), mean(&values), "mean");
            close(value("p90-over-p50"), q(90) / q(50), "p90-over-p50");
            close(value("mean-over-p50"), mean(&values) / q(50), "mean-over-p50");
            let mut bins: BTreeMap<String, usize> = BTreeMap::new();
            for tokens in &values {
                let bin = ((tokens.log10() - 1.7) / 0.1).trunc();
                if (0.0..39.0).contains(&bin) {
                    *bins.entry(format!("{:.1}", 1.7 + bin * 0.1)).or_default() += 1;
                }
            }
            for (low, count) in bins {
                let keys = [keys[0], keys[1], ("log10_lo", low.as_str())];
                close(synthetic.value("spend-quantiles", "bin", &keys), count as f64, &low);
            }
            tested += 1;
        }
    }
    assert_eq!(tested, 22);
}

/// Records and passes by bin of one configuration and difficulty.
fn length_bins(synthetic: &Synthetic, model: &str, difficulty: &str) -> BTreeMap<i64, (f64, f64)> {
    let core = problems(synthetic, "core.json");
    let mut bins: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for (id, record) in runs(synthetic, "core_code", model).iter().flatten() {
        let completion = usage(record)[1];
        if completion > 0.0 && number(record, "num_attempts") <= 1.0 && text(&core[id], "difficulty") == difficulty {
            let bin = bins.entry(completion.log2().floor() as i64).or_default();
            *bin = (bin.0 + 1.0, bin.1 + f64::from(u8::from(passed(record))));
        }
    }
    bins
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn accuracy_by_length_of_output() {
    let synthetic = synthetic();
    let table = synthetic.tables.iter().find(|table| table.id == "token_bins").unwrap();
    let mut rows = table.rows.iter();
    for (model, name) in LEADERBOARD.into_iter().zip(names(synthetic)) {
        for difficulty in ["high", "low", "medium"] {
            let bins = length_bins(synthetic, model, difficulty);
            for (bin, (n, right)) in &bins {
                let row: Vec<String> = rows.next().unwrap().iter().map(repro::table::Cell::printed).collect();
                assert_eq!(row[..1], [name.clone()], "{model}");
                assert_eq!(row[2..5], [difficulty.to_owned(), bin.to_string(), (1_i64 << bin).to_string()], "{model}");
                assert_eq!(row[5..7], [n.to_string(), right.to_string()], "{model} {difficulty} {bin}");
            }
            let used: Vec<(f64, f64, f64)> = bins
                .iter()
                .filter(|(_, (n, _))| *n >= 25.0)
                .map(|(bin, (n, right))| (*bin as f64, 100.0 * right / n, *n))
                .collect();
            if used.len() >= 2 && !["gpt55-reasoning", "gemini-3.1-pro"].contains(&model) {
                // Normal equations of a weighted line.
                let sum = |of: &dyn Fn(&(f64, f64, f64)) -> f64| used.iter().map(of).sum::<f64>();
                let (w, x, y) = (sum(&|p| p.2), sum(&|p| p.2 * p.0), sum(&|p| p.2 * p.1));
                let slope = (w * sum(&|p| p.2 * p.0 * p.1) - x * y) / (w * sum(&|p| p.2 * p.0 * p.0) - x * x);
                let found = synthetic.value("token-slope", "slope", &[("difficulty", difficulty), ("model", model)]);
                assert!((found.unwrap() - slope).abs() < 1e-6, "{model} {difficulty}: {found:?} for {slope}");
            }
        }
    }
    assert!(rows.next().is_none());
}

/// Printed names of the leaderboard, from the table of accuracies by configuration.
fn names(synthetic: &Synthetic) -> Vec<String> {
    let table = synthetic.tables.iter().find(|table| table.id == "spending_quantiles").unwrap();
    table.rows.iter().filter(|row| row[1].printed() == "code").map(|row| row[0].printed()).collect()
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn accuracy_by_repair_budget_and_first_attempts() {
    let synthetic = synthetic();
    let mut repaired = 0;
    for (experiment, condition) in [("core_code", None), ("core_code_restrictive", Some("code-only prompt"))] {
        for model in LEADERBOARD {
            if synthetic.run(&format!("{experiment}/{model}.run1")).is_none() {
                continue;
            }
            let runs = runs(synthetic, experiment, model);
            let mut keys: Vec<(&str, &str)> = on(model).to_vec();
            keys.extend(condition.map(|condition| ("condition", condition)));
            let value = |measure: &str, keys: &[(&str, &str)]| synthetic.value("repair-budget", measure, keys);
            let tries = |record: &Value| number(record, "num_attempts").max(1.0);
            for budget in ["1", "2", "3", "4", "5"] {
                let most: f64 = budget.parse().unwrap();
                let expected = over_runs(&runs, |run| percent(run, |record| passed(record) && tries(record) <= most));
                let keys: Vec<_> = keys.iter().copied().chain([("budget", budget)]).collect();
                close(value("accuracy", &keys), expected, budget);
            }
            let share = over_runs(&runs, |run| {
                let right: Vec<&Value> = run.values().filter(|record| passed(record)).collect();
                100.0 * right.iter().filter(|record| tries(record) > 1.0).count() as f64 / right.len() as f64
            });
            close(value("share", &keys), share, "share");
            repaired += usize::from(share > 0.0);
            let executable = over_runs(&runs, |run| {
                let graded = |record: &&Value| {
                    list(record, "attempts").first().is_some_and(|attempt| text(attempt, "outcome") == "graded")
                };
                100.0 * run.values().filter(graded).count() as f64 / run.len() as f64
            });
            close(value("executable", &keys), executable, "executable");
            let lost = |run: &Run| run.values().filter(|record| ungradable(record)).count() as f64;
            close(value("unrecoverable", &keys), over_runs(&runs, lost), "unrecoverable");
            let ever = runs[0].keys().filter(|id| runs.iter().any(|run| ungradable(&run[*id]))).count();
            close(value("unrecoverable-any", &keys), ever as f64, "unrecoverable-any");
            assert!(!runs.iter().flat_map(Run::values).all(excluded));
        }
    }
    assert!(repaired > 3, "the synthetic archive has no repaired answers");
}
