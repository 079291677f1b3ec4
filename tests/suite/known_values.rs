//! Single recomputed values of the shared archive against numbers that others published or verified.

use repro::number;
use repro::statistics::Estimate;

use crate::opened::recomputed;

/// Statistic, measure, keys, printed value.
type Known = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

const CORE: &[(&str, &str)] = &[("set", "core"), ("protocol", "code")];

const VALUES: &[Known] = &[
    ("accuracy-mean-sd", "mean", &[("set", "core"), ("protocol", "code"), ("model", "gpt55-reasoning")], "97.6300"),
    ("accuracy-mean-sd", "sd", &[("set", "core"), ("protocol", "code"), ("model", "gpt55-reasoning")], "0.1324"),
    (
        "accuracy-run",
        "percent",
        &[("set", "core"), ("protocol", "code"), ("model", "gemini-3.1-pro"), ("run", "3")],
        "95.2",
    ),
    ("accuracy-run", "excluded", CORE, "0"),
    ("accuracy-mean-sd", "mean", &[("set", "traps"), ("protocol", "code"), ("model", "gpt55")], "88.6"),
    ("accuracy-mean-sd", "sd", &[("set", "traps"), ("protocol", "code"), ("model", "qwen3.5-9b-reasoning")], "3.1"),
    ("accuracy-spread", "spread", CORE, "56.6"),
    ("pass-at-k", "pass", &[("set", "core"), ("protocol", "code"), ("model", "qwen3.5-9b"), ("k", "3")], "79.1"),
    ("pass-at-k", "all", &[("set", "core"), ("protocol", "code"), ("model", "qwen3.5-9b"), ("k", "3")], "43.6"),
    ("pass-at-k", "pass", &[("set", "traps"), ("protocol", "code"), ("model", "gpt55-reasoning"), ("k", "3")], "99"),
    ("majority-of-3", "missed", &[("set", "core"), ("protocol", "code"), ("model", "gpt55-reasoning")], "6"),
    (
        "majority-of-3",
        "percent",
        &[
            ("set", "core"),
            ("protocol", "code"),
            ("model", "kimi-k2.6-reasoning"),
            ("family", "numeric"),
            ("parents", "346"),
        ],
        "98.8",
    ),
    ("solved-by-n", "all", CORE, "33.7"),
    ("solved-by-n", "problems", &[("set", "core"), ("protocol", "code"), ("solved_by", "16")], "147"),
    ("solved-by-n", "at-most", &[("set", "core"), ("protocol", "code"), ("solved_by", "3")], "12"),
    ("solved-by-n", "none", CORE, "1"),
    ("solved-by-n", "configurations", &[("set", "core"), ("protocol", "code"), ("problem", "air_208")], "7"),
    ("nestedness", "agreement", CORE, "94.27"),
    ("nestedness", "cells", CORE, "6976"),
    ("category-macro", "macro", CORE, "83.97"),
    ("category-macro", "weighted", CORE, "84.38"),
    ("category-macro", "sd", &[("set", "core"), ("protocol", "code"), ("category", "cloud_physics")], "19.4"),
    (
        "category-macro",
        "low",
        &[("set", "core"), ("protocol", "code"), ("category", "atmospheric_thermodynamics")],
        "48.7",
    ),
    ("category-correlation", "r", CORE, "-0.4895"),
    ("category-correlation", "majority", CORE, "-0.528"),
    ("category-correlation", "spearman", CORE, "-0.44"),
    ("difficulty-tiers", "penalty", &[("set", "core"), ("protocol", "code"), ("tier", "1")], "-10.6"),
    ("difficulty-tiers", "penalty", &[("set", "core"), ("protocol", "code"), ("tier", "2")], "-19.8"),
    ("difficulty-tiers", "penalty", &[("set", "core"), ("protocol", "code"), ("tier", "3")], "-26.8"),
    ("difficulty-tiers", "penalty", &[("set", "core"), ("protocol", "code"), ("tier", "4")], "-52.8"),
    ("difficulty-tiers", "spread", &[("set", "core"), ("protocol", "code"), ("tier", "1")], "9.0"),
    ("difficulty-tiers", "spread", &[("set", "core"), ("protocol", "code"), ("tier", "2")], "12.9"),
    ("difficulty-tiers", "spread", &[("set", "core"), ("protocol", "code"), ("tier", "3")], "12.8"),
    ("difficulty-tiers", "spread", &[("set", "core"), ("protocol", "code"), ("tier", "4")], "16.8"),
    ("difficulty-tiers", "moved", CORE, "2"),
    ("case-count", "passes", &[("set", "core"), ("protocol", "code"), ("problem", "dn_6.8")], "2"),
    ("case-count", "passes", &[("set", "core"), ("protocol", "code"), ("problem", "fp_11.1")], "39"),
    ("case-count", "passes", &[("set", "core"), ("protocol", "code"), ("problem", "4.5")], "8"),
    ("case-count", "passes", &[("set", "core"), ("protocol", "code"), ("problem", "2.10")], "9"),
    ("case-count", "passes", &[("set", "core"), ("protocol", "code"), ("problem", "ry_7.7")], "12"),
    ("graded-quantities", "quantities", &[("set", "core"), ("basis", "entries")], "734"),
    ("graded-quantities", "quantities", &[("set", "core"), ("basis", "distinct")], "716"),
    ("graded-quantities", "single", &[("set", "core"), ("basis", "distinct")], "305"),
    ("graded-quantities", "multi", &[("set", "core"), ("basis", "entries")], "138"),
    ("graded-quantities", "largest", &[("set", "core"), ("basis", "distinct")], "14"),
    ("graded-quantities", "quantities", &[("set", "numeric"), ("basis", "entries")], "2625"),
    ("graded-quantities", "labelled", &[("set", "core")], "106"),
    ("k2-distribution", "two-model", &[("set", "numeric")], "96.2"),
    ("k2-distribution", "n", &[("set", "numeric"), ("verdict", "PASS_K2_DUALSIGN")], "8"),
    ("corpus-count", "books", &[("set", "core")], "13"),
    ("corpus-count", "with-variants", &[("set", "core"), ("family", "numeric")], "346"),
    ("corpus-count", "per-parent", &[("set", "numeric")], "5"),
    ("corpus-count", "n", &[("set", "traps"), ("family", "formula_selection")], "25"),
    ("corpus-count", "n", &[("set", "traps"), ("member", "provenance")], "62"),
    ("corpus-count", "templates", &[("set", "mcq")], "67"),
    ("corpus-answers", "chars", &[("set", "core"), ("problem", "ry_4.6")], "2074"),
    ("corpus-answers", "lowest", &[("set", "numeric"), ("parent", "air_89"), ("sub", "1")], "498.8"),
    ("corpus-answers", "highest", &[("set", "numeric"), ("parent", "air_89"), ("sub", "1")], "880.3"),
    ("archive-census", "files", &[("set", "traps"), ("protocol", "code")], "27"),
    ("residual-cluster", "band", &[("problem", "4.5"), ("sub", "2"), ("cluster", "0.345")], "27"),
    ("residual-cluster", "band", &[("problem", "4.5"), ("sub", "2"), ("cluster", "0.69")], "8"),
    ("residual-cluster", "band", &[("problem", "4.5"), ("sub", "2"), ("cluster", "0.87")], "5"),
    ("residual-cluster", "band", &[("problem", "4.5"), ("sub", "2"), ("cluster", "other")], "7"),
    ("residual-cluster", "values", &[("problem", "4.5"), ("sub", "2")], "46"),
    ("residual-cluster", "failed", &[("problem", "4.5"), ("sub", "2")], "39"),
    ("residual-cluster", "passed", &[("problem", "4.5"), ("sub", "1")], "47"),
    ("residual-cluster", "passed", &[("problem", "4.5"), ("sub", "3")], "42"),
    ("residual-cluster", "band", &[("problem", "2.10"), ("sub", "1"), ("cluster", "prefactor-dropped")], "21"),
    ("residual-cluster", "band", &[("problem", "2.10"), ("sub", "1"), ("cluster", "right")], "22"),
    ("residual-cluster", "band-complete", &[("problem", "2.10"), ("sub", "1"), ("cluster", "prefactor-dropped")], "9"),
    // 16 + 11 without some value, 9 + 3 with all of them.
    ("residual-cluster", "incomplete", &[("problem", "2.10")], "27"),
    ("residual-cluster", "complete", &[("problem", "2.10")], "12"),
    ("residual-cluster", "band-incomplete", &[("problem", "2.10"), ("sub", "1"), ("cluster", "right")], "11"),
    ("residual-cluster", "failed", &[("problem", "ry_7.7"), ("sub", "1")], "36"),
    ("residual-cluster", "zeros", &[("problem", "ry_7.7"), ("sub", "1")], "2"),
    ("residual-cluster", "negatives", &[("problem", "ry_7.7"), ("sub", "1")], "1"),
    ("residual-cluster", "repeats", &[("problem", "ry_7.7"), ("sub", "1")], "0"),
    ("residual-cluster", "orders", &[("problem", "ry_7.7"), ("sub", "1")], "40.5"),
    ("residual-cluster", "passed-lowest", &[("problem", "ry_7.7"), ("sub", "1")], "0.498"),
    ("residual-cluster", "passed-highest", &[("problem", "ry_7.7"), ("sub", "1")], "0.529"),
];

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn every_known_value_comes_out() {
    let recomputed = recomputed();
    let mut wrong = Vec::new();
    for &(statistic, measure, keys, printed) in VALUES {
        let keys: Vec<_> =
            if keys.iter().any(|(key, _)| *key == "set") { keys.to_vec() } else { [CORE, keys].concat() };
        let estimate = recomputed.facts.get(statistic, measure, &keys).map(|fact| &fact.estimate);
        let decimals = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
        let found = estimate.and_then(Estimate::point).map(|value| number::fixed(value, decimals));
        if found.as_deref() != Some(printed) {
            wrong.push(format!("{statistic}.{measure} {keys:?}: {estimate:?} for {printed}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
