//! Slow, obvious versions of the statistics of variants, echoes, traps and formats, over the raw files of
//! a complete archive, against what the tool computes.

use std::collections::{BTreeMap, BTreeSet};

use repro::json::Value;

use crate::raw_records::{LEADERBOARD as MODELS, Run};
use crate::synthetic::{Synthetic, synthetic, text};

fn passed(record: &Value) -> bool {
    record.get("passed").and_then(Value::as_bool) == Some(true)
}

fn ungradable(record: &Value) -> bool {
    !passed(record) && record.get("details").is_none()
}

fn details(record: &Value) -> Vec<Value> {
    record.get("details").and_then(Value::as_list).map(<[Value]>::to_vec).unwrap_or_default()
}

fn problems(synthetic: &Synthetic, file: &str) -> Vec<Value> {
    synthetic.json(&format!("benchmark/{file}")).unwrap().as_list().unwrap().to_vec()
}

fn runs(synthetic: &Synthetic, experiment: &str, model: &str) -> Vec<Run> {
    (1..=3).map(|run| synthetic.run(&format!("{experiment}/{model}.run{run}")).unwrap()).collect()
}

/// All three runs of a family for one model beside its originals, or nothing when a record has an error.
fn sides(synthetic: &Synthetic, experiment: &str, model: &str) -> Option<(Vec<Run>, Vec<Run>)> {
    let (core, variants) = (runs(synthetic, "core_code", model), runs(synthetic, experiment, model));
    let errors = core.iter().chain(&variants).flat_map(BTreeMap::values).any(|record| record.get("error").is_some());
    (!errors).then_some((core, variants))
}

fn majority(runs: &[Run], id: &str) -> bool {
    runs.iter().filter(|run| passed(&run[id])).count() >= 2
}

/// Variants by parent.
fn families(variants: &[Value]) -> BTreeMap<String, Vec<String>> {
    let mut families: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for variant in variants {
        families.entry(text(variant, "parent_id")).or_default().push(text(variant, "id"));
    }
    families
}

/// Two-sided exact P from Pascal's triangle.
fn mcnemar(b: usize, c: usize) -> f64 {
    let n = b + c;
    let mut row = vec![1.0_f64];
    for _ in 0..n {
        row = std::iter::once(1.0).chain(row.windows(2).map(|pair| pair[0] + pair[1])).chain([1.0]).collect();
    }
    let tail: f64 = row[..=b.min(c)].iter().sum();
    (2.0 * tail / 2.0_f64.powf(n as f64)).min(1.0)
}

fn close(found: Option<f64>, expected: f64, what: &str) {
    let found = found.unwrap_or_else(|| panic!("{what} is undefined"));
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found} for {expected}");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn paired_tests_on_both_families() {
    let synthetic = synthetic();
    let mut tested = 0;
    for (family, file, experiment) in [
        ("numeric", "variants_numeric.json", "variants_numeric_code"),
        ("paraphrase", "variants_paraphrase.json", "variants_paraphrase_code"),
    ] {
        let families = families(&problems(synthetic, file));
        let mut p_values = Vec::new();
        for model in MODELS {
            let keys = [("family", family), ("model", model)];
            let Some((core, variants)) = sides(synthetic, experiment, model) else {
                assert_eq!(synthetic.value("paired-delta", "delta", &keys), None, "{model}");
                continue;
            };
            let (mut lost, mut gained, mut held, mut reach) = (0, 0, 0, [0; 6]);
            for (parent, members) in &families {
                let solved = members.iter().filter(|id| majority(&variants, id)).count();
                let (before, after) = (majority(&core, parent), solved >= 3);
                held += usize::from(after);
                lost += usize::from(before && !after);
                gained += usize::from(!before && after);
                (0..=solved).for_each(|k| reach[k] += 1);
            }
            let n = families.len() as f64;
            let (b, c) = (lost as f64, gained as f64);
            let percent = |k: usize| 100.0 * k as f64 / n;
            let se = ((b + c) / n.powi(2) - (b - c).powi(2) / n.powi(3)).max(0.0).sqrt();
            let delta = 100.0 * (b - c) / n;
            let value = |statistic, measure| synthetic.value(statistic, measure, &keys);
            close(value("variant-majority-5", "held"), percent(held), "held");
            close(value("paired-delta", "delta"), delta, "delta");
            close(value("paired-ci", "low"), delta - 196.0 * se, "low");
            close(value("mcnemar-exact", "p"), mcnemar(lost, gained), "p");
            for (measure, k) in [("k3", 3), ("k4", 4), ("k5", 5)] {
                close(value("threshold-accuracy", measure), percent(reach[k]), measure);
            }
            if family == "paraphrase" {
                close(value("paraphrase-spectrum", "all5"), percent(reach[5]), "all5");
                close(value("paraphrase-spectrum", "none5"), percent(families.len() - reach[1]), "none5");
                close(value("paraphrase-spectrum", "mixed"), percent(reach[1] - reach[5]), "mixed");
            }
            p_values.push((model, mcnemar(lost, gained)));
            gradable_only(synthetic, &keys, (&core, &variants), &families);
            failure_modes(synthetic, &keys, (&core, &variants), &families);
            tested += 1;
        }
        // Holm by definition: the largest of (number of values not smaller) × value over smaller values.
        for (model, p) in &p_values {
            let not_smaller = |q: f64| p_values.iter().filter(|(_, r)| *r >= q).count() as f64;
            let smaller = p_values.iter().filter(|(_, q)| q <= p).map(|(_, q)| (not_smaller(*q) * q).min(1.0));
            let adjusted = smaller.fold(0.0, f64::max);
            close(synthetic.value("holm", "p", &[("family", family), ("model", model)]), adjusted, "holm");
        }
    }
    assert_eq!(tested, 31, "one configuration has an error in one family");
}

fn gradable_only(
    synthetic: &Synthetic,
    keys: &[(&str, &str); 2],
    (core, variants): (&[Run], &[Run]),
    families: &BTreeMap<String, Vec<String>>,
) {
    let solved = |runs: &[Run], id: &str| {
        let gradable: Vec<_> = runs.iter().map(|run| &run[id]).filter(|record| !ungradable(record)).collect();
        let right = gradable.iter().filter(|record| passed(record)).count();
        right as f64 > gradable.len() as f64 / 2.0
    };
    let mut shift = 0;
    for (parent, members) in families {
        let held = members.iter().filter(|id| solved(variants, id)).count() >= 3;
        shift += i32::from(solved(core, parent)) - i32::from(held);
    }
    let delta = 100.0 * f64::from(shift) / families.len() as f64;
    close(synthetic.value("gradable-only", "delta", keys), delta, "gradable delta");
}

fn failure_modes(
    synthetic: &Synthetic,
    keys: &[(&str, &str); 2],
    (core, variants): (&[Run], &[Run]),
    families: &BTreeMap<String, Vec<String>>,
) {
    let core: Vec<&Value> = core.iter().flat_map(|run| families.keys().map(|id| &run[id])).collect();
    let variants: Vec<&Value> = variants.iter().flat_map(BTreeMap::values).collect();
    for (side, records) in [("core", core), ("variants", variants)] {
        let keys = [keys[0], keys[1], ("side", side)];
        let attempts = |record: &&Value| record.get("num_attempts").and_then(Value::as_f64).unwrap_or(1.0).max(1.0);
        let mean = records.iter().map(attempts).sum::<f64>() / records.len() as f64;
        close(synthetic.value("failure-mode-shift", "attempts", &keys), mean, "attempts");
        let failed = records.iter().filter(|record| !passed(record)).count();
        let bad = records.iter().filter(|record| ungradable(record)).count();
        let share = synthetic.value("failure-mode-shift", "ungradable", &keys);
        if failed == 0 {
            assert_eq!(share, None);
        } else {
            close(share, 100.0 * bad as f64 / failed as f64, "ungradable");
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.replace("×10^", "e").replace("x10^", "e").replace('×', "e").replace(',', "").trim().parse().ok()
}

fn value_number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| number(value.as_text()?))
}

fn expected(problem: &Value) -> BTreeMap<String, Option<f64>> {
    let answers = problem.get("sub_answers").unwrap().as_list().unwrap();
    answers
        .iter()
        .map(|answer| (answer.get("sub").unwrap().python_text(), value_number(answer.get("value").unwrap())))
        .collect()
}

fn near(a: f64, e: f64, tolerance: f64) -> bool {
    (a - e).abs() <= tolerance * e.abs().max(1e-12)
}

fn kind(
    record: &Value,
    parent: &BTreeMap<String, Option<f64>>,
    variant: &BTreeMap<String, Option<f64>>,
) -> &'static str {
    let mut returned = BTreeMap::new();
    for detail in details(record) {
        if let (Some(sub), Some(value)) = (detail.get("sub"), detail.get("actual").and_then(value_number)) {
            returned.insert(sub.python_text(), value);
        }
    }
    let value = |side: &BTreeMap<String, Option<f64>>, sub: &str| side.get(sub).copied().flatten();
    let telling: Vec<(&String, &f64)> = returned
        .iter()
        .filter(|(sub, _)| match (value(parent, sub), value(variant, sub)) {
            (Some(old), Some(new)) => !near(new, old, 0.05),
            _ => false,
        })
        .collect();
    if returned.is_empty() {
        "ungradable"
    } else if telling.is_empty() {
        "uninformative"
    } else if telling.iter().all(|(sub, a)| near(**a, value(parent, sub).unwrap(), 0.05)) {
        "echo"
    } else if returned.iter().all(|(sub, a)| value(variant, sub).is_none_or(|own| near(*a, own, 0.15))) {
        "near-miss"
    } else {
        "other"
    }
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn echoes() {
    let synthetic = synthetic();
    let by_id = |file: &str| -> BTreeMap<String, Value> {
        problems(synthetic, file).into_iter().map(|problem| (text(&problem, "id"), problem)).collect()
    };
    let (core, numeric) = (by_id("core.json"), by_id("variants_numeric.json"));
    let (mut kinds, mut answers, mut strict) = (BTreeMap::<&str, usize>::new(), 0_usize, 0_usize);
    let mut models: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for model in MODELS {
        let Some((originals, variants)) = sides(synthetic, "variants_numeric_code", model) else { continue };
        for (id, problem) in &numeric {
            let parent = text(problem, "parent_id");
            for run in &variants {
                answers += 1;
                if passed(&run[id]) {
                    continue;
                }
                let kind = kind(&run[id], &expected(&core[&parent]), &expected(problem));
                *kinds.entry(kind).or_default() += 1;
                if kind == "echo" && majority(&originals, &parent) {
                    strict += 1;
                    models.entry(parent.clone()).or_default().insert(model);
                }
            }
        }
    }
    let failures: usize = kinds.values().sum();
    eprintln!("synthetic: {answers} answers, {failures} failed, {kinds:?}, {strict} strict");
    assert!(strict > 0 && kinds.len() == 5, "the synthetic archive does not exercise every kind: {kinds:?}");
    for (kind, count) in &kinds {
        close(synthetic.value("echo-taxonomy", "n", &[("kind", kind)]), *count as f64, kind);
    }
    close(synthetic.value("echo-strict", "strict", &[]), strict as f64, "strict");
    close(synthetic.value("echo-strict", "attractors", &[]), (kinds["echo"] - strict) as f64, "attractors");
    let confirmed = models.values().filter(|models| models.len() > 1).count();
    let verdict = |name| synthetic.value("leakage-verdict", "n", &[("verdict", name)]);
    close(verdict("confirmed-leaked"), confirmed as f64, "confirmed");
    close(verdict("suspect"), (models.len() - confirmed) as f64, "suspect");
    let funnel = synthetic.tables.iter().find(|table| table.id == "F12_echo_funnel").unwrap();
    let counts: Vec<String> = funnel.rows.iter().map(|row| row[1].printed()).collect();
    assert_eq!(counts, [answers, failures, kinds["echo"], strict, confirmed].map(|n| n.to_string()));
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn trap_gaps_and_captures() {
    let synthetic = synthetic();
    let traps = problems(synthetic, "traps.json");
    let (mut captured_all, mut families) = (0, BTreeMap::<String, (usize, usize)>::new());
    for model in MODELS {
        if synthetic.run(&format!("trap/{model}.run1")).is_none() {
            continue;
        }
        let (core, answers) = (runs(synthetic, "core_code", model), runs(synthetic, "trap", model));
        let mut gaps = Vec::new();
        for (core, answers) in core.iter().zip(&answers) {
            let (mut known, mut failed) = (0_usize, 0_usize);
            for trap in &traps {
                let (id, parent) = (text(trap, "id"), text(trap, "parent_id"));
                let right = passed(&answers[&id]);
                let family = families.entry(text(trap, "trap_type")).or_default();
                *family = (family.0 + usize::from(right), family.1 + 1);
                if passed(&core[&parent]) {
                    known += 1;
                    failed += usize::from(!right);
                }
                captured_all += usize::from(!right && captured(&answers[&id], trap));
            }
            gaps.push(100.0 * failed as f64 / known as f64);
        }
        let keys = [("set", "traps"), ("model", model)];
        close(synthetic.value("trap-gap", "gap", &keys), gaps.iter().sum::<f64>() / 3.0, "gap");
    }
    eprintln!("synthetic: {captured_all} captured runs");
    assert!(captured_all > 0);
    close(synthetic.value("trap-capture", "captured", &[("set", "traps")]), captured_all as f64, "captured");
    for (family, (right, all)) in families {
        let keys = [("set", "traps"), ("family", family.as_str())];
        close(synthetic.value("trap-family-pool", "rate", &keys), 100.0 * right as f64 / all as f64, &family);
    }
}

fn captured(record: &Value, trap: &Value) -> bool {
    let shortcut: Vec<f64> =
        trap.get("shortcut_values").unwrap().as_object().unwrap().iter().map(|(_, v)| v.as_f64().unwrap()).collect();
    let returned: Vec<Option<f64>> =
        details(record).iter().map(|detail| detail.get("actual").and_then(Value::as_f64)).collect();
    if returned.is_empty() || returned.len() != shortcut.len() {
        return false;
    }
    for (a, e) in returned.into_iter().zip(shortcut) {
        let Some(a) = a else { return false };
        let met = if e == 0.0 { a.abs() < 1e-9 } else { (a - e).abs() <= 0.02 * e.abs() };
        if !met {
            return false;
        }
    }
    true
}

/// Numbers of a text, character by character: digits, point, exponent; `\times 10^{k}` multiplied out.
fn numbers(text: &str) -> Vec<f64> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let start = at;
        let mut token = String::new();
        while at < characters.len() && (characters[at].is_ascii_digit() || ".,".contains(characters[at])) {
            token.push(characters[at]);
            at += 1;
        }
        if at < characters.len() && "eE".contains(characters[at]) && !token.is_empty() {
            let rest: String = characters[at + 1..].iter().take(5).collect();
            let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || "+-".contains(*c)).collect();
            if digits.chars().any(|c| c.is_ascii_digit()) {
                at += 1 + digits.len();
                token = format!("{token}e{digits}");
            }
        }
        if at == start {
            at += 1;
            continue;
        }
        let negative = start > 0 && characters[start - 1] == '-';
        if let Ok(value) = token.replace(',', "").trim_end_matches('.').parse::<f64>() {
            found.push(if negative { -value } else { value });
        }
    }
    found
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn formats_and_what_rescues_are() {
    let synthetic = synthetic();
    let instances = problems(synthetic, "external/atmossci_mcq.json");
    let sound = |problem: &Value| {
        let audit = |name: &str| problem.get("audit").and_then(|audit| audit.get(name)).and_then(Value::as_text);
        let bad =
            audit("flag") == Some("both") && ["FAIL_BOTH_AGREE", "REVIEW"].contains(&audit("k2_solve").unwrap_or(""));
        !bad || ["MCQ_12", "MCQ_69"].contains(&text(problem, "parent_id").as_str())
    };
    let mut rescues_all = 0;
    for (model, folder) in
        [("gemini-3.1-pro", "gemini-3.1-pro"), ("gpt55", "gpt-5.5"), ("deepseek-v4-flash", "deepseek-v4-flash")]
    {
        let code = synthetic.run(&format!("mcq_code/{model}")).unwrap();
        let path = synthetic.root.join(format!("experiments/mcq_option/{folder}/evaluation.jsonl"));
        let lines = std::fs::read_to_string(path).unwrap();
        let option: Run = lines.lines().map(crate::shared::parse).map(|line| (text(&line, "id"), line)).collect();
        let right = |id: &str| option[id].get("score").and_then(Value::as_f64) == Some(1.0);
        let mut cells = BTreeMap::from([("both", 0), ("option-only", 0), ("code-only", 0), ("neither", 0)]);
        let (mut rescues, mut far, mut near_misses, mut never, mut single, mut seen) = (0, 0, 0, 0, 0, 0);
        for problem in &instances {
            let id = text(problem, "id");
            let record = &code[&id];
            let cell = match (right(&id), passed(record)) {
                (true, true) => "both",
                (true, false) => "option-only",
                (false, true) => "code-only",
                (false, false) => "neither",
            };
            *cells.get_mut(cell).unwrap() += 1;
            if cell != "option-only" || !sound(problem) {
                continue;
            }
            rescues += 1;
            let details = details(record);
            if details.is_empty() {
                never += 1;
                continue;
            }
            let errors: Vec<f64> = details.iter().filter(|d| !passed(d)).map(error).collect();
            if errors.iter().all(|error| *error <= 0.15) {
                near_misses += 1;
                continue;
            }
            far += 1;
            if expected(problem).len() == 1 {
                single += 1;
                let value = details[0].get("actual").and_then(Value::as_f64).unwrap_or(f64::NAN);
                let said = numbers(&text(&option[&id], "response"));
                seen += usize::from(said.iter().any(|number| (number - value).abs() <= 0.02 * value.abs()));
            }
        }
        eprintln!(
            "synthetic: {model} {cells:?}; of {rescues} clean rescues {far} far, {near_misses} near, {never} never ran; {seen} of {single} seen again"
        );
        let keys = [("set", "mcq"), ("model", model)];
        for (cell, count) in cells {
            close(synthetic.value("mcq-crosstab", cell, &keys), f64::from(count), cell);
        }
        for (measure, count) in [
            ("rescues", rescues),
            ("far-wrong", far),
            ("near-miss", near_misses),
            ("never-ran", never),
            ("single-far", single),
        ] {
            close(synthetic.value("mcq-mechanism", measure, &keys), f64::from(count), measure);
        }
        let keys = [keys[0], keys[1], ("tolerance", "2")];
        close(synthetic.value("mcq-mechanism", "seen", &keys), seen as f64, "seen");
        rescues_all += rescues;
    }
    close(synthetic.value("mcq-mechanism", "rescues", &[("set", "mcq")]), f64::from(rescues_all), "all rescues");
}

fn error(detail: &Value) -> f64 {
    let Some(actual) = detail.get("actual").and_then(Value::as_f64) else { return f64::INFINITY };
    let expected = detail.get("expected").and_then(Value::as_list).unwrap_or_default();
    let errors = expected.iter().filter_map(value_number).filter(|e| *e != 0.0).map(|e| (actual - e).abs() / e.abs());
    errors.fold(f64::INFINITY, f64::min)
}
