//! Slow, obvious versions of the statistics of protocols, conditions, other domains and tolerances over the
//! raw files of a complete archive, against what the tool computes.

use std::collections::BTreeMap;

use repro::json::Value;

use crate::naive_grader;
use crate::raw_records::{
    LEADERBOARD, Run, close, error_as_fail, excluded, failed, list, mean, over_runs, passed, percent, problems, runs,
    sd, ungradable,
};
use crate::synthetic::{Synthetic, synthetic, text};

/// Configurations that answered in prose and are on the leaderboard.
const PROSE: [&str; 6] = [
    "qwen3.6-27b-reasoning",
    "deepseek-v4-flash-reasoning",
    "qwen3.6-27b",
    "deepseek-v4-flash",
    "gpt55-reasoning",
    "gpt55",
];

fn accuracies(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| percent(run, passed)).collect()
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn programs_against_prose() {
    let synthetic = synthetic();
    let value = |measure: &str, keys: &[(&str, &str)]| synthetic.value("protocol-gap", measure, keys);
    let (mut gaps, mut resolved) = (Vec::new(), 0);
    for model in PROSE {
        let [code, prose] = ["core_code", "core_direct"].map(|experiment| runs(synthetic, experiment, model));
        let (a, b) = (accuracies(&code), accuracies(&prose));
        let keys = [("set", "core"), ("model", model)];
        let (gap, noise) = (mean(&a) - mean(&b), (sd(&a).powi(2) + sd(&b).powi(2)).sqrt());
        close(value("gap", &keys), gap, "gap");
        close(value("noise", &keys), noise, "noise");
        gaps.push(gap);
        resolved += usize::from(gap.abs() > noise);
        for (protocol, runs) in [("code", &code), ("direct", &prose)] {
            let all: Vec<&Value> = runs.iter().flat_map(Run::values).collect();
            let fails = all.iter().filter(|record| failed(record)).count() as f64;
            let lost = all.iter().filter(|record| ungradable(record)).count() as f64;
            let keys = [("set", "core"), ("protocol", protocol), ("model", model)];
            close(value("ungradable", &keys), 100.0 * lost / fails, "ungradable");
        }
    }
    close(value("gap", &[("set", "core"), ("model", "mean")]), mean(&gaps), "mean gap");
    close(value("resolved", &[("set", "core")]), resolved as f64, "resolved");
    close(value("compared", &[("set", "core")]), 6.0, "compared");
    let completions: Vec<(String, Value)> = PROSE
        .into_iter()
        .chain(["climategpt-70b", "climategpt-13b"])
        .flat_map(|model| runs(synthetic, "core_direct", model))
        .flatten()
        .filter(|(_, record)| error_as_fail(record))
        .collect();
    close(value("error-as-fail", &[("set", "core"), ("protocol", "direct")]), completions.len() as f64, "completions");
    assert_eq!(completions.len(), 7);
    let mut ids: Vec<&String> = completions.iter().map(|(id, _)| id).collect();
    ids.sort();
    ids.dedup();
    let found = value("error-as-fail-problems", &[("set", "core"), ("protocol", "direct")]);
    close(found, ids.len() as f64, "problems without completion");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn language_of_approximation_and_loops() {
    let synthetic = synthetic();
    let value = |measure: &str, keys: &[(&str, &str)]| synthetic.value("protocol-gap", measure, keys);
    let words = ["negligible", "neglect", "much smaller than", "to first order", "\u{226a}", "\\ll", "long-wave limit"];
    let marked = |record: &Value| {
        let responses = list(record, "attempts").iter().map(|attempt| text(attempt, "response").to_lowercase());
        responses.into_iter().any(|response| words.iter().any(|word| response.contains(word)))
    };
    let mut counts = [[0.0_f64; 2]; 2];
    for record in PROSE.into_iter().flat_map(|model| runs(synthetic, "core_direct", model)).flat_map(Run::into_values) {
        if excluded(&record) || error_as_fail(&record) {
            continue;
        }
        let side = usize::from(!passed(&record));
        counts[side][1] += 1.0;
        counts[side][0] += f64::from(u8::from(marked(&record)));
    }
    let share = counts.map(|[k, n]| k / n);
    for (outcome, share) in ["passed", "failed"].into_iter().zip(share) {
        close(value("marked", &[("outcome", outcome)]), 100.0 * share, outcome);
    }
    let pooled = (counts[0][0] + counts[1][0]) / (counts[0][1] + counts[1][1]);
    let scatter = (pooled * (1.0 - pooled) * (1.0 / counts[0][1] + 1.0 / counts[1][1])).sqrt();
    match value("z", &[]) {
        Some(z) => close(Some(z), (share[1] - share[0]) / scatter, "z"),
        None => assert!(pooled == 0.0 || pooled >= 1.0, "z is undefined at {pooled}"),
    }
    let loops = regex::Regex::new(r"\bwhile\b|\bfor\s+\w+\s+in\s+range\b").unwrap();
    let core = problems(synthetic, "core.json");
    for (solver, wanted) in [("loops", true), ("straight", false)] {
        let ids: Vec<&String> =
            core.iter().filter(|(_, p)| loops.is_match(&text(p, "code")) == wanted).map(|(id, _)| id).collect();
        close(value("loop-problems", &[("solver", solver)]), ids.len() as f64, solver);
        let side = |experiment: &str, model: &str| {
            let cut = |run: Run| run.into_iter().filter(|(id, _)| ids.contains(&id)).collect::<Run>();
            let runs: Vec<Run> = runs(synthetic, experiment, model).into_iter().map(cut).collect();
            over_runs(&runs, |run| percent(run, passed))
        };
        let gaps: Vec<f64> = PROSE.iter().map(|model| side("core_code", model) - side("core_direct", model)).collect();
        if !ids.is_empty() {
            close(value("loop-gap", &[("solver", solver)]), mean(&gaps), solver);
        }
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn another_prompt_and_knowledge_withheld() {
    let synthetic = synthetic();
    for model in ["gpt55", "gemini-3.1-pro", "deepseek-v4-flash", "qwen3.5-9b"] {
        let [main, other] = ["core_code", "core_code_restrictive"].map(|experiment| runs(synthetic, experiment, model));
        let (a, b) = (accuracies(&main), accuracies(&other));
        let keys = [("model", model), ("condition", "code-only prompt")];
        let value = |measure: &str| synthetic.value("prompt-delta", measure, &keys);
        close(value("delta"), mean(&b) - mean(&a), "delta");
        close(value("main"), mean(&a), "main");
        close(value("other"), mean(&b), "other");
        close(value("scatter"), (sd(&a).powi(2) + sd(&b).powi(2)).sqrt(), "scatter");
    }
    let value = |measure: &str, keys: &[(&str, &str)]| synthetic.value("scaffold-delta", measure, keys);
    let mut spread = [Vec::new(), Vec::new()];
    let mut losers: BTreeMap<String, usize> = BTreeMap::new();
    for model in ["gpt55", "deepseek-v4-pro", "deepseek-v4-flash", "qwen3.5-9b"] {
        let [with, without] = ["original_code", "stripped_code"]
            .map(|side| runs(synthetic, &format!("scaffolding_ablation/{side}"), model));
        let (a, b) = (accuracies(&with), accuracies(&without));
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let keys = [("model", model)];
        close(value("delta", &keys), mean(&a) - mean(&b), "delta");
        close(value("sd", &keys), sd(&differences), "sd");
        close(value("with", &keys), mean(&a), "with");
        close(value("stripped", &keys), mean(&b), "stripped");
        let solved = |runs: &[Run], id: &String| runs.iter().filter(|run| passed(&run[id])).count() >= 2;
        let mut counts = [[0.0; 2]; 2];
        for id in with[0].keys() {
            let sides = [solved(&with, id), solved(&without, id)];
            counts[usize::from(sides[0])][usize::from(sides[1])] += 1.0;
            if sides == [true, false] {
                *losers.entry(id.clone()).or_default() += 1;
            }
        }
        for (measure, count) in
            [("both", counts[1][1]), ("lost", counts[1][0]), ("gained", counts[0][1]), ("neither", counts[0][0])]
        {
            close(value(measure, &keys), count, measure);
        }
        spread[0].push(mean(&a));
        spread[1].push(mean(&b));
    }
    let width = |values: &[f64]| {
        values.iter().fold(f64::MIN, |a, b| a.max(*b)) - values.iter().fold(f64::MAX, |a, b| a.min(*b))
    };
    close(value("spread", &[("condition", "with")]), width(&spread[0]), "spread with");
    close(value("spread", &[("condition", "stripped")]), width(&spread[1]), "spread without");
    close(value("spread-ratio", &[]), width(&spread[1]) / width(&spread[0]), "spread ratio");
    close(value("broken-any", &[]), losers.len() as f64, "broken-any");
    for models in 1..=4 {
        let count = losers.values().filter(|&&count| count == models).count();
        close(value("broken", &[("models", &models.to_string())]), count as f64, "broken");
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn other_domains() {
    let synthetic = synthetic();
    let value = |measure: &str, keys: &[(&str, &str)]| synthetic.value("cross-accuracy", measure, keys);
    let domains = ["hydrology", "environmental_chemistry", "ecology", "soil"];
    let models = ["gpt55", "kimi-k2.6", "qwen3.6-27b", "deepseek-v4-flash", "qwen-2.5-72b"];
    let run = |domain: &str, model: &str| synthetic.run(&format!("cross_domain/{domain}/{model}")).unwrap();
    let share = |runs: &[Run]| {
        let graded: Vec<&Value> = runs.iter().flat_map(Run::values).filter(|record| !excluded(record)).collect();
        100.0 * graded.iter().filter(|record| passed(record)).count() as f64 / graded.len() as f64
    };
    let overall: Vec<f64> = models.iter().map(|model| share(&domains.map(|domain| run(domain, model)))).collect();
    for (model, overall) in models.iter().zip(&overall) {
        close(value("accuracy", &[("model", model)]), *overall, model);
    }
    let lowest = overall.iter().copied().fold(f64::MAX, f64::min);
    let weak = overall.iter().position(|accuracy| *accuracy == lowest).unwrap();
    let mut solved = [0.0; 3];
    for domain in domains {
        let own: Vec<f64> = models.iter().map(|model| share(&[run(domain, model)])).collect();
        for (model, accuracy) in models.iter().zip(&own) {
            close(value("accuracy", &[("domain", domain), ("model", model)]), *accuracy, domain);
        }
        let strong: Vec<f64> = (0..5).filter(|&at| at != weak).map(|at| own[at]).collect();
        close(value("all", &[("domain", domain)]), mean(&own), "all");
        close(value("strong", &[("domain", domain)]), mean(&strong), "strong");
        close(value("weak", &[("domain", domain)]), own[weak], "weak");
        close(value("gap", &[("domain", domain)]), mean(&strong) - own[weak], "gap");
        let strong: Vec<Run> = (0..5).filter(|&at| at != weak).map(|at| run(domain, models[at])).collect();
        for id in strong[0].keys() {
            let solvers = strong.iter().filter(|run| passed(&run[id])).count();
            solved[[0, 1, 1, 1, 2][solvers]] += 1.0;
        }
    }
    for (by, count) in ["none", "some", "all"].into_iter().zip(solved) {
        close(value("problems", &[("solved-by", by)]), count, by);
    }
}

/// Whether every stored value of a record passes at a tolerance.
fn passes_at(record: &Value, tolerance: f64) -> bool {
    let details = list(record, "details");
    let assigned = |sub: &str| record.get("regraded")?.get("assignment")?.get(sub)?.as_f64();
    !details.is_empty() && details.iter().all(|detail| passes(detail, assigned(&text(detail, "sub")), tolerance))
}

fn passes(detail: &Value, assigned: Option<f64>, tolerance: f64) -> bool {
    let stored = detail.get("actual").and_then(Value::as_f64);
    let (actual, unit) = match assigned {
        Some(value) if stored != Some(value) => (Some(value), String::new()),
        _ => (stored, text(detail, "actual_unit")),
    };
    let Some(actual) = actual else { return false };
    let print =
        |value: &Value| value.as_text().map_or_else(|| value.as_number().unwrap().literal().to_owned(), str::to_owned);
    let units: Vec<String> = list(detail, "expected_units").iter().map(print).collect();
    list(detail, "expected").iter().map(print).enumerate().any(|(at, expected)| {
        if !units.is_empty() && at >= units.len() {
            return false;
        }
        naive_grader::passes(&expected, units.get(at).map_or("", |unit| unit), actual, &unit, tolerance)
    })
}

fn at_tolerances(synthetic: &Synthetic, experiment: &str, protocol: &str, model: &str) {
    let runs = runs(synthetic, experiment, model);
    for (tolerance, name) in [(0.01, "1"), (0.02, "2"), (0.05, "5"), (0.1, "10"), (0.2, "20")] {
        let expected = over_runs(&runs, |run| percent(run, |record| passes_at(record, tolerance)));
        let keys = [("set", "core"), ("protocol", protocol), ("model", model), ("tolerance", name)];
        close(synthetic.value("tolerance-regrade", "mean", &keys), expected, &format!("{experiment} {model} {name} %"));
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn accuracy_at_other_tolerances() {
    let synthetic = synthetic();
    LEADERBOARD.iter().for_each(|model| at_tolerances(synthetic, "core_code", "code", model));
    PROSE.iter().for_each(|model| at_tolerances(synthetic, "core_direct", "direct", model));
}
