//! The order of records in a file and the number of threads change nothing that is recomputed.

use std::fmt::Write as _;

use proptest::prelude::*;
use repro::packs::compute_all;
use repro::statistics::Output;
use repro::table::to_csv;
use repro::world::memory::Memory;

use crate::opened::Opened;

const MANIFEST: &str = r#"
[study]
id = "order"
title = "Order"
version = "1"
date = "2026-01-01"
description = "Two configurations, three sets."
licence = "MIT"
authors = [{ family = "Nobody" }]

[grading]
tolerance = 0.05

[analysis]
difficulties = ["low", "high"]

[[set]]
id = "core"
title = "Core"
kind = "problems"
path = "core.json"

[[set]]
id = "numeric"
title = "Numeric"
kind = "numeric-variants"
path = "numeric.json"
parents = "core"

[[configuration]]
key = "m"
name = "M"
backbone = "M"
setting = "non-reasoning"

[[configuration]]
key = "m-reasoning"
name = "M (reasoning)"
backbone = "M"
setting = "reasoning"

[[experiment]]
id = "core_code"
folder = "runs/core_code"
set = "core"
protocol = "code"
runs = 3

[[experiment]]
id = "numeric_code"
folder = "runs/numeric_code"
set = "numeric"
protocol = "code"
runs = 3
"#;

const PROBLEMS: usize = 9;

fn problems(set: &str) -> String {
    let problem = |i: usize| {
        let parent = if set == "numeric" {
            format!(r#","parent_id":"core{}","variant":{}"#, i / 3, i % 3 + 1)
        } else {
            String::new()
        };
        format!(
            r#"{{"id":"{set}{i}","problem":"?","code":"def solve(): return {{}}","category":"c{}","difficulty":"{}","book":"b",
            "sub_answers":[{{"sub":"1","value":"{}","unit":"m"}}]{parent}}}"#,
            i % 2,
            ["low", "high"][i % 2],
            i + 2,
        )
    };
    format!("[{}]", (0..PROBLEMS).map(problem).collect::<Vec<_>>().join(","))
}

/// A run file with its records in this order; what a record says depends on its problem only.
fn run(set: &str, key: &str, number: usize, order: &[usize]) -> String {
    let record = |&i: &usize| {
        let mark = (i * 7 + number * 5 + key.len()) % 5;
        let passed = mark < 3;
        let actual = if passed { (i + 2) as f64 } else { 0.1 + 1.5 * (i * number) as f64 };
        let mut text = format!(r#"{{"id":"{set}{i}","passed":{passed},"num_attempts":{}"#, mark + 1);
        if mark == 4 {
            text += r#","failed_reason":"no code in response"}"#;
        } else {
            let _ = write!(
                text,
                r#","details":[{{"sub":"1","expected":["{}"],"expected_units":["m"],"actual":{actual:?},"passed":{passed}}}]}}"#,
                i + 2,
            );
        }
        text
    };
    let records: Vec<String> = order.iter().map(record).collect();
    format!(r#"{{"metrics":{{"model":"{key}","run":{number}}},"results":[{}]}}"#, records.join(","))
}

fn recompute(order: &[usize], threads: usize) -> Output {
    let mut source = Memory::default().with("study.toml", MANIFEST);
    for set in ["core", "numeric"] {
        source = source.with(&format!("{set}.json"), problems(set));
        for key in ["m", "m-reasoning"] {
            for number in 1..=3 {
                // Every file in an order of its own.
                let mut own = order.to_vec();
                own.rotate_left((number + key.len()) % PROBLEMS);
                source = source.with(&format!("runs/{set}_code/{key}.run{number}.json"), run(set, key, number, &own));
            }
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| compute_all(&Opened::read(&source).evidence()))
}

fn text(output: &Output) -> String {
    let tables: Vec<String> = output.tables.iter().map(|table| format!("{}\n{}", table.id, to_csv(table))).collect();
    format!("{}\n{:#?}\n{:#?}", tables.join("\n"), output.facts, output.findings)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_may_come_in_any_order(order in Just((0..PROBLEMS).collect::<Vec<_>>()).prop_shuffle(), threads in 1_usize..5) {
        let plain: Vec<usize> = (0..PROBLEMS).collect();
        let expected = recompute(&plain, 1);
        prop_assert!(expected.facts.iter().filter(|fact| fact.estimate.point().is_some()).count() > 200);
        prop_assert_eq!(text(&recompute(&order, threads)), text(&expected));
    }
}
