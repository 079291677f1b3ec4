//! No two facts of one thing differ: accuracies, counts and differences that several statistics tell.

use std::collections::BTreeMap;

use repro::statistics::{Estimate, Fact};
use repro::world::Source;
use repro::world::disk::Folder;
use repro::world::memory::Memory;
use serde_json::{Value, json};

use super::Loaded;
use super::hostile::{KEYS, study};

/// Facts of one statistic and measure that have a value.
fn of<'l>(loaded: &'l Loaded, statistic: &'l str, measure: &'l str) -> impl Iterator<Item = (&'l Fact, f64)> {
    let named = move |fact: &&Fact| fact.statistic == statistic && fact.measure == measure;
    loaded.facts.iter().filter(named).filter_map(|fact| Some((fact, fact.estimate.point()?)))
}

/// True when a fact is about everything that another is about.
fn within(outer: &Fact, inner: &Fact) -> bool {
    outer.keys.iter().all(|(key, value)| inner.keys.get(key) == Some(value))
}

fn count(fact: &Fact) -> Option<(u64, u64)> {
    match fact.estimate {
        Estimate::Value { count, .. } => count,
        Estimate::Undefined(_) => None,
    }
}

/// Everything that differs, and how much was compared.
fn differing(loaded: &Loaded) -> (Vec<String>, usize) {
    let (mut told, mut compared) = (Vec::new(), 0);
    let mut same = |what: &str, about: &Fact, left: f64, right: f64| {
        compared += 1;
        if (left - right).abs() > 1e-9 {
            told.push(format!("{what} of {:?}: {left} and {right}", about.keys));
        }
    };
    for (mean, value) in of(loaded, "accuracy-mean-sd", "mean") {
        // A mean over runs is the mean of what the runs are said to have.
        let runs: Vec<f64> = of(loaded, "accuracy-run", "percent")
            .filter(|(run, _)| within(mean, run))
            .map(|(_, percent)| percent)
            .collect();
        same("mean of runs", mean, value, runs.iter().sum::<f64>() / runs.len() as f64);
        for (statistic, measure) in [
            ("strict-lens", "reference"),
            ("trap-accuracy", "mean"),
            ("mcq-accuracy-code", "accuracy"),
            ("mcq-accuracy-option", "accuracy"),
        ] {
            let protocol = if statistic.ends_with("option") { "option" } else { "code" };
            for (other, accuracy) in of(loaded, statistic, measure) {
                if within(other, mean)
                    && other.keys.contains_key("model")
                    && mean.keys.get("protocol").is_none_or(|p| p == protocol || other.keys.contains_key("protocol"))
                {
                    same(&format!("accuracy and {statistic}"), mean, value, accuracy);
                }
            }
        }
        // Problem by problem or run by run, it is the same number of passes.
        let cells: Vec<f64> = of(loaded, "case-count", "passes")
            .filter(|(cell, _)| within(mean, cell) && !cell.keys.contains_key("run"))
            .map(|(_, passes)| passes)
            .collect();
        let passed: f64 =
            of(loaded, "accuracy-run", "passed").filter(|(run, _)| within(mean, run)).map(|(_, passed)| passed).sum();
        if !cells.is_empty() {
            same("passes", mean, cells.iter().sum(), passed);
        }
    }
    for (flip, points) in of(loaded, "pass-at-k", "flip") {
        let get = |measure| of(loaded, "pass-at-k", measure).find(|(other, _)| other.keys == flip.keys).unwrap().1;
        same("flips", flip, points, get("pass") - get("all"));
    }
    let majority: BTreeMap<&str, u64> = of(loaded, "majority-of-3", "percent")
        .filter(|(fact, _)| !fact.keys.contains_key("family"))
        .filter_map(|(fact, _)| Some((fact.keys["model"].as_str(), fact, count(fact)?.0)))
        .filter(|(_, fact, _)| {
            of(loaded, "pair-difference", "difference").any(|(pair, _)| {
                pair.keys["set"] == fact.keys["set"] && pair.keys.get("protocol") == fact.keys.get("protocol")
            })
        })
        .map(|(model, _, solved)| (model, solved))
        .collect();
    let clean = of(loaded, "accuracy-run", "excluded").all(|(_, excluded)| excluded == 0.0);
    for (pair, points) in of(loaded, "pair-difference", "difference") {
        let side = |key: &str| {
            of(loaded, "accuracy-mean-sd", "mean")
                .find(|(mean, _)| {
                    mean.keys["model"] == pair.keys[key]
                        && mean.keys["set"] == pair.keys["set"]
                        && mean.keys.get("protocol") == pair.keys.get("protocol")
                })
                .map(|(_, mean)| mean)
        };
        let get =
            |measure| of(loaded, "pair-difference", measure).find(|(other, _)| other.keys == pair.keys).unwrap().1;
        if let (Some(a), Some(b), true) = (side("a"), side("b"), clean) {
            same("difference of means", pair, points, a - b);
            same("solved by a", pair, get("both") + get("only-a"), majority[pair.keys["a"].as_str()] as f64);
            same("solved by b", pair, get("both") + get("only-b"), majority[pair.keys["b"].as_str()] as f64);
        }
    }
    (told, compared)
}

#[test]
fn no_two_facts_of_one_thing_differ() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/weather-demo");
    let (told, compared) = differing(&Loaded::read(&Folder::new(&folder).unwrap()));
    assert!(told.is_empty(), "{told:#?}");
    assert!(compared > 100, "{compared}");
}

/// The same with an error of the infrastructure in one run, which leaves the denominator everywhere or nowhere.
#[test]
fn an_error_in_one_run_leaves_every_denominator() {
    let sound: Memory = study();
    let path = format!("runs/{}.run1.json", KEYS[1]);
    let mut run: Value = serde_json::from_slice(&sound.read(&path).unwrap()).unwrap();
    let record = &mut run["results"][1];
    record["error"] = json!("connection reset");
    record["passed"] = json!(false);
    for member in ["details", "attempts", "failed_reason"] {
        record.as_object_mut().unwrap().remove(member);
    }
    let (told, compared) = differing(&Loaded::read(&sound.with(&path, run.to_string())));
    assert!(told.is_empty(), "{told:#?}");
    assert!(compared > 5, "{compared}");
}
