//! Robustness, traps and formats of the shared archive against numbers that the study printed.

use repro::number::fixed;
use repro::statistics::Basis;

use crate::opened::{Recomputed, recomputed};

/// Statistic, measure, keys, printed value.
type Printed<'p> = (&'p str, &'p str, &'p [(&'p str, &'p str)], &'p str);

fn check(recomputed: &Recomputed, printed: &[Printed<'_>]) {
    let mut wrong = Vec::new();
    for (statistic, measure, keys, text) in printed {
        let decimals = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let fact = recomputed.facts.get(statistic, measure, keys);
        let found = fact.and_then(|fact| fact.estimate.point()).map(|value| fixed(value, decimals));
        if found.as_deref() != Some(*text) {
            wrong.push(format!("{statistic}.{measure} {keys:?}: printed {text}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const NUMERIC: (&str, &str) = ("family", "numeric");
const WORDS: (&str, &str) = ("family", "paraphrase");
const KIMI: (&str, &str) = ("model", "kimi-k2.6-reasoning");
const PRO: (&str, &str) = ("model", "deepseek-v4-pro");

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn tests_on_variants() {
    let recomputed = recomputed();
    check(
        recomputed,
        &[
            ("variant-majority-5", "held", &[NUMERIC, KIMI], "96.5"),
            ("variant-majority-5", "core", &[NUMERIC, KIMI], "98.8"),
            ("variant-majority-5", "core", &[WORDS, ("model", "gpt55-reasoning")], "98.6"),
            ("variant-majority-5", "lost", &[NUMERIC, ("problem", "jacobson_38")], "5"),
            ("variant-majority-5", "solving", &[NUMERIC, ("problem", "jacobson_38")], "15"),
            ("variant-majority-5", "keeping", &[NUMERIC, ("problem", "air_149")], "6"),
            ("variant-majority-5", "keeping", &[NUMERIC, ("problem", "ry_12.5")], "12"),
            ("variant-majority-5", "lost", &[NUMERIC, ("problem", "air_89")], "0"),
            ("paired-delta", "delta", &[NUMERIC, KIMI], "2.31"),
            ("paired-delta", "lost", &[NUMERIC, KIMI], "9"),
            ("paired-delta", "gained", &[NUMERIC, PRO], "14"),
            ("paired-delta", "delta", &[WORDS, PRO], "-3.67"),
            ("paired-ci", "high", &[NUMERIC, KIMI], "4.09"),
            ("mcnemar-exact", "p", &[NUMERIC, KIMI], "0.021484375"),
            ("mcnemar-exact", "p", &[NUMERIC, ("model", "qwen3.5-9b-reasoning")], "0.0755186975"),
            ("mcnemar-exact", "p", &[NUMERIC, PRO], "0.063568115234375"),
            ("mcnemar-exact", "smallest", &[WORDS], "0.0139"),
            ("holm", "p", &[NUMERIC, KIMI], "0.34375"),
            ("holm", "p", &[NUMERIC, PRO], "0.9535"),
            ("holm", "smallest", &[WORDS], "0.22164744"),
            ("holm", "tests", &[WORDS], "16"),
            ("holm", "significant", &[], "0"),
            ("bootstrap-ci", "low", &[NUMERIC, KIMI], "0.578"),
            ("bootstrap-ci", "high", &[NUMERIC, KIMI], "4.046"),
            ("bootstrap-ci", "low", &[NUMERIC, ("model", "gpt55-reasoning")], "0.000"),
            ("bootstrap-ci", "high", &[NUMERIC, ("model", "gpt55-reasoning")], "3.179"),
            ("bootstrap-ci", "low", &[NUMERIC, PRO], "-5.202"),
            ("bootstrap-ci", "high", &[NUMERIC, PRO], "-0.289"),
            ("bootstrap-ci", "low", &[NUMERIC, ("model", "qwen-2.5-72b")], "-5.491"),
            ("bootstrap-ci", "high", &[NUMERIC, ("model", "qwen-2.5-72b")], "2.601"),
            ("bootstrap-ci", "high", &[NUMERIC, ("model", "qwen3.5-9b-reasoning")], "5.780"),
            ("twins", "difference", &[NUMERIC, ("backbone", "Kimi K2.6")], "3.8"),
            ("twins", "difference", &[NUMERIC, ("backbone", "DeepSeek-V4-flash")], "-1.4"),
            ("twins", "larger", &[NUMERIC], "6"),
            ("strata-delta", "mean", &[NUMERIC, ("difficulty", "high")], "2.76"),
            ("strata-delta", "mean", &[NUMERIC, ("difficulty", "medium")], "-0.28"),
            ("strata-delta", "mean", &[NUMERIC, ("difficulty", "low")], "-0.16"),
            ("strata-delta", "mean", &[NUMERIC, ("category", "atmospheric_dynamics")], "1.56"),
            ("fragility-map", "cells", &[NUMERIC], "5536"),
            ("fragility-map", "fragile", &[NUMERIC], "161"),
            ("fragility-map", "fragile-share", &[NUMERIC], "2.9"),
            ("fragility-map", "worst", &[NUMERIC], "5"),
            ("fragility-map", "fragile-leaked", &[NUMERIC], "10"),
        ],
    );
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn ranks_leakage_and_echoes() {
    let recomputed = recomputed();
    let without = ("without", "confirmed");
    check(
        recomputed,
        &[
            ("rank-correlation", "rho", &[("comparison", "core-vs-numeric")], "0.896"),
            ("rank-correlation", "tau", &[("comparison", "core-vs-numeric")], "0.785"),
            ("rank-correlation", "rho", &[("comparison", "core-vs-paraphrase")], "0.913"),
            ("rank-correlation", "tau", &[("comparison", "core-vs-paraphrase")], "0.807"),
            ("rank-correlation", "rho-matched", &[("comparison", "core-vs-paraphrase")], "0.946"),
            ("rank-correlation", "tau-matched", &[("comparison", "core-vs-paraphrase")], "0.857"),
            ("rank-correlation", "rho", &[("comparison", "numeric-vs-paraphrase")], "0.980"),
            ("rank-correlation", "tau", &[("comparison", "numeric-vs-paraphrase")], "0.937"),
            ("rank-correlation", "rho", &[("comparison", "core-vs-cross-domain")], "1.00"),
            ("rank-correlation-naive", "rho", &[NUMERIC, ("threshold", "3")], "0.903"),
            ("exclusion-check", "delta", &[NUMERIC, KIMI, without], "2.4"),
            ("exclusion-check", "p", &[NUMERIC, KIMI, without], "0.021"),
            ("exclusion-check", "delta", &[NUMERIC, ("model", "qwen3.5-9b-reasoning"), without], "2.7"),
            ("exclusion-check", "p", &[NUMERIC, ("model", "qwen3.6-27b-reasoning"), without], "0.23"),
            ("exclusion-check", "parents", &[NUMERIC, KIMI, without], "334"),
            ("leakage-verdict", "n", &[("verdict", "confirmed-leaked")], "12"),
            ("leakage-verdict", "confirmed", &[("book", "Practical Meteorology")], "6"),
            ("echo-discriminative", "smallest", &[NUMERIC], "5.0"),
            ("echo-discriminative", "median", &[NUMERIC], "21.8"),
            ("echo-discriminative", "silent-variants", &[NUMERIC], "41"),
            ("echo-funnel", "failed-share", &[], "12.6"),
            ("echo-taxonomy", "of-answers", &[("kind", "echo")], "0.21"),
            ("echo-strict", "attractors", &[], "81"),
        ],
    );
    let basis = |statistic: &str, measure: &str| recomputed.facts.get(statistic, measure, &[]).unwrap().basis;
    assert_eq!(basis("echo-strict", "attractors"), Basis::Published);
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn traps() {
    let recomputed = recomputed();
    let set = ("set", "traps");
    let trap = |name| ("trap", name);
    let gaps = [
        ("gpt55-reasoning", "2.54"),
        ("gemini-3.1-pro", "3.08"),
        ("deepseek-v4-flash-reasoning", "6.05"),
        ("gpt55", "7.16"),
        ("qwen3.6-27b-reasoning", "11.30"),
        ("deepseek-v4-flash", "20.68"),
        ("qwen3.6-27b", "20.89"),
        ("qwen3.5-9b-reasoning", "28.60"),
        ("qwen3.5-9b", "35.81"),
    ];
    for (model, gap) in gaps {
        check(recomputed, &[("trap-gap", "gap", &[set, ("model", model)], gap)]);
    }
    check(
        recomputed,
        &[
            ("trap-gap", "run", &[set, ("model", "gpt55-reasoning"), ("run", "3")], "1.5"),
            ("trap-gap", "run", &[set, ("model", "qwen3.6-27b"), ("run", "1")], "24.6"),
            ("trap-gap", "run", &[set, ("model", "qwen3.6-27b"), ("run", "2")], "16.7"),
            ("trap-gap", "run", &[set, ("model", "qwen3.6-27b"), ("run", "3")], "21.4"),
            ("trap-gap", "reduction", &[set, ("backbone", "DeepSeek-V4-flash")], "15"),
            ("trap-gap", "reduction", &[set, ("backbone", "Qwen-3.5-9B")], "7"),
            ("trap-accuracy", "sd", &[set, ("model", "qwen3.5-9b-reasoning")], "3.1"),
            ("trap-accuracy", "solved", &[set, trap("air121_moist_adiabat")], "25"),
            ("trap-accuracy", "solvers", &[set, trap("snp_49")], "9"),
            ("trap-accuracy", "measurements", &[set, ("model", "gpt55")], "201"),
            ("trap-control", "mean", &[set, ("model", "qwen3.5-9b-reasoning")], "85"),
            ("trap-control", "parent-passed", &[set, trap("holton_28")], "17"),
            ("trap-control", "parent-passed", &[set, trap("air_205")], "9"),
            ("trap-control", "parent-passed", &[set, trap("air_108")], "7"),
            ("trap-capture", "captured", &[set], "75"),
            ("trap-capture", "failures", &[set], "366"),
            ("trap-capture", "traps", &[set], "16"),
            ("trap-capture", "configurations", &[set, trap("holton_28")], "7"),
            ("trap-capture", "shortcut-value", &[set, trap("holton_11"), ("sub", "1")], "-5.469"),
            ("trap-separation", "smallest", &[set], "13.3"),
            ("trap-separation", "largest", &[set], "880"),
            ("trap-separation", "median", &[set], "64.9"),
            ("trap-separation", "stored-first", &[set], "63"),
            ("trap-separation", "stored-largest", &[set], "4"),
        ],
    );
    let captured = recomputed.facts.get("trap-capture", "captured", &[set]).unwrap();
    assert_eq!(captured.basis, Basis::Rebuilt, "the runs were rebuilt, with the values of captured records put in");
}

#[test]
#[cfg_attr(not(has_shared), ignore = "needs ../shared")]
fn formats() {
    let recomputed = recomputed();
    let set = ("set", "mcq");
    let model = |key| ("model", key);
    check(
        recomputed,
        &[
            ("mcq-accuracy-code", "passed", &[set, model("gemini-3.1-pro")], "402"),
            ("mcq-accuracy-option", "accuracy", &[set, model("gemini-3.1-pro")], "94.48"),
            ("mcq-gap", "gap", &[set, model("gpt55")], "30.6"),
            ("mcq-gap", "gap", &[set, model("deepseek-r1")], "35.5"),
            ("mcq-gap", "gap", &[set, model("qwen-2.5-72b")], "37.7"),
            ("mcq-gap", "gap", &[set, model("deepseek-v4-flash"), ("subset", "clean")], "32.3"),
            ("mcq-defect-set", "flagged", &[set], "21"),
            ("mcq-defect-set", "withdrawn", &[set], "2"),
            ("mcq-defect-set", "condemned", &[set], "19"),
            ("mcq-defect-set", "condemned-share", &[set], "28"),
            ("mcq-defect-set", "instances", &[set], "190"),
            ("mcq-defect-set", "clean", &[set], "480"),
            ("mcq-defect-set", "flagged-instances", &[set], "210"),
            ("mcq-defect-set", "key-wrong", &[set], "9"),
            ("mcq-defect-set", "key-wrong-flagged", &[set], "11"),
            ("mcq-clean-subset", "option-defective", &[set, model("gpt55")], "65.8"),
            ("mcq-clean-subset", "code-clean", &[set, model("gemini-3.1-pro")], "78.3"),
            ("mcq-clean-subset", "code-gain", &[set, model("qwen-2.5-72b")], "6.1"),
            ("mcq-crosstab", "neither", &[set, model("deepseek-v4-flash")], "71"),
            ("mcq-crosstab", "code-only", &[set, model("gemini-3.1-pro"), ("subset", "defective")], "0"),
            ("mcq-rescue", "rate", &[set, model("gemini-3.1-pro")], "88.8"),
            // 373 is printed with a count of an older run of one model; its published verdicts give 371.
            ("mcq-rescue", "rescued", &[set, ("subset", "clean")], "371"),
            ("mcq-rescue", "rescued", &[set, model("gpt55"), ("subset", "clean")], "113"),
            ("mcq-audit-funnel", "n", &[set, ("verdict", "PASS_K2")], "32"),
            ("mcq-audit-funnel", "n", &[set, ("verdict", "REVIEW")], "13"),
            ("mcq-audit-funnel", "audited", &[set], "66"),
            ("mcq-template-case", "option", &[set, ("problem", "MCQ_75"), model("gemini-3.1-pro")], "9"),
            ("mcq-template-case", "code", &[set, ("problem", "MCQ_75"), model("gemini-3.1-pro")], "0"),
        ],
    );
    for (key, gap) in [
        ("gemini-3.1-pro", "30.7"),
        ("deepseek-r1", "29.0"),
        ("gpt55", "20.5"),
        ("deepseek-v4-flash", "38.3"),
        ("deepseek-v3", "21.4"),
        ("qwen-2.5-72b", "20.8"),
    ] {
        let keys = [set, model(key), ("subset", "all"), ("tolerance", "20")];
        check(recomputed, &[("chance-correction", "gap", &keys, gap)]);
        assert_eq!(recomputed.facts.get("chance-correction", "gap", &keys).unwrap().basis, Basis::Published);
    }
}
