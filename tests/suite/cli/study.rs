//! The study of these tests: three problems, two configurations, two runs, one claim. Everything in it agrees.

use serde_json::{Value, json};

/// Id, accepted value, unit, expression, defaults, value as a number.
const PROBLEMS: [(&str, &str, &str, &str, &str, f64); 3] = [
    ("area", "2", "m^2", "side * side / 2", "side=2.0", 2.0),
    ("speed", "5", "m/s", "way / time", "way=50.0, time=10.0", 5.0),
    ("double", "7", "", "2 * x", "x=3.5", 7.0),
];

const STUDY: &str = "documents = ['README.md']
[study]
id = 'tiny'
title = 'Tiny bench'
version = '1.0'
date = '2026-01-02'
description = 'Three problems, constructed for a test.'
licence = 'MIT'
authors = [{ family = 'Tester', given = 'T.' }]
demonstration = 'Constructed for a test; no model produced it.'
[grading]
tolerance = 0.05
sweep = [0.01, 0.05]
[[set]]
id = 'core'
title = 'Core problems'
kind = 'problems'
path = 'problems.json'
[[configuration]]
key = 'alpha-think'
name = 'Alpha (thinking)'
backbone = 'alpha'
setting = 'reasoning'
[[configuration]]
key = 'alpha'
name = 'Alpha'
backbone = 'alpha'
setting = 'non-reasoning'
[[experiment]]
id = 'core_code'
folder = 'runs'
set = 'core'
protocol = 'code'
runs = 2
[[claims]]
path = 'claims.toml'
";

const CLAIMS: &str = "format = 'repro-claims/1'
[[claim]]
id = 'best'
statement = 'The thinking model answers everything.'
source = 'README.md, results'
value = '100.0'
unit = 'percent'
statistic = 'accuracy-mean-sd'
measure = 'mean'
keys = { model = 'alpha-think', set = 'core', protocol = 'code' }
";

const README: &str =
    "# Tiny bench\n\n| model | accuracy |\n|---|---|\n| Alpha (thinking) | 100.0 |\n| Alpha | 66.7 |\n";

/// Every file of the study.
pub(super) fn files() -> Vec<(String, String)> {
    let mut files = vec![
        ("study.toml".to_owned(), STUDY.to_owned()),
        ("claims.toml".to_owned(), CLAIMS.to_owned()),
        ("README.md".to_owned(), README.to_owned()),
        ("problems.json".to_owned(), problems().to_string()),
    ];
    for key in ["alpha-think", "alpha"] {
        for run in 1..=2 {
            files.push((format!("runs/{key}.run{run}.json"), results(key, run).to_string()));
        }
    }
    files
}

fn program(expression: &str, unit: &str, defaults: &str) -> String {
    format!("def solve({defaults}):\n    return {{'1': {{'value': {expression}, 'unit': '{unit}'}}}}\n")
}

fn problems() -> Value {
    let problem = |(id, value, unit, expression, defaults, _): &(&str, &str, &str, &str, &str, f64)| {
        json!({
            "id": id, "problem": format!("What is the {id}?"), "code": program(expression, unit, defaults),
            "sub_answers": [{"sub": "1", "value": value, "unit": unit}],
            "category": "basics", "difficulty": "low", "book": "Book", "topic": "topic",
        })
    };
    PROBLEMS.iter().map(problem).collect()
}

/// The plain configuration forgets the factor of `double`.
fn results(key: &str, run: u32) -> Value {
    let record = |(id, value, unit, expression, defaults, number): &(&str, &str, &str, &str, &str, f64)| {
        let passed = key != "alpha" || *id != "double";
        let (expression, actual) = if passed { (*expression, *number) } else { ("x", *number / 2.0) };
        json!({
            "id": id, "passed": passed, "num_attempts": 1,
            "details": [{
                "sub": "1", "expected": [value], "expected_units": [unit], "actual": actual, "actual_unit": unit,
                "passed": passed,
            }],
            "usage": {"input_tokens": 10, "output_tokens": 20},
            "attempts": [{
                "prompt": format!("What is the {id}?"), "outcome": "graded",
                "response": format!("```python\n{}```", program(expression, unit, defaults)),
            }],
        })
    };
    let records: Vec<Value> = PROBLEMS.iter().map(record).collect();
    let passed = records.iter().filter(|record| record["passed"] == true).count();
    json!({
        "metrics": {"model": key, "exp_id": "core_code", "run": run, "total": records.len(), "passed": passed},
        "results": records,
    })
}
