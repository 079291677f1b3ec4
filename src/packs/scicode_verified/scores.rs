//! Scores of both versions, original against corrected, and the re-grading of fixed outputs.

use super::audit::Audit;
use super::benchmark::document;
use super::flips::Score;
use crate::archive::Materials;
use crate::json::Value;
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic};
use crate::table::{Cell, Kind, Table};

/// Role of the file with totals of the re-graded runs.
pub(super) const REGRADE: &str = "regrade";

static SCORES: About = About {
    id: "version-scores",
    also: &[],
    title: "Scores on the original and the corrected data",
    unit: "percent",
    meaning: "How many steps and main problems a model solves on the original data, on the corrected data, and when its \
              outputs for the original data are graded by the corrected tests; and what it gains.",
    formula: "accuracy = 100 × solved / n with Wilson's interval; n is 287 steps with a verdict or 64 main problems, as \
              the file of flips prints it. gain = accuracy on the corrected data - accuracy on the original data, in \
              points. Steps with given code have no verdict and are in no n.",
    source: "Totals published with the study; Wilson (1927).",
    edge_cases: "One run per version: the interval speaks of steps drawn at random, not of further runs. A model with no \
                 corrected run has no gain.",
    example: "160 of 287 before and 273 after: 55.7 and 95.1 percent, a gain of 39.4 points.",
    keys: &[
        KeyDoc { key: "model", meaning: "model, as the file of flips names it, else as that of re-grading does" },
        KeyDoc { key: "version", meaning: "original, regraded or verified" },
        KeyDoc { key: "level", meaning: "step or problem" },
    ],
    measures: &[
        ("solved", "steps or problems solved"),
        ("accuracy", "percent of those with a verdict"),
        ("gain", "points from original to verified"),
    ],
};

static SHARES: About = About {
    id: "regrade-share",
    also: &[],
    title: "What re-grading alone recovers",
    unit: "fraction",
    meaning: "The part of a model's gain in steps that comes from grading the same outputs by corrected tests, without \
              asking the model again.",
    formula: "share = (re-graded - original) / (verified - original), in steps.",
    source: "Rule of the study's file of re-grading.",
    edge_cases: "A model without a corrected run, or without any gain, has no share.",
    example: "160 before, 200 re-graded, 273 verified: 40 / 113 = 0.354.",
    keys: &[KeyDoc { key: "model", meaning: "model, as the file of re-grading names it" }],
    measures: &[
        ("share", "fraction of the gain in steps"),
        ("step-gain", "steps gained by re-grading"),
        ("problem-gain", "main problems gained by re-grading"),
    ],
};

/// Scores on the original and the corrected data.
pub(super) struct VersionScores;
/// What re-grading alone recovers.
pub(super) struct RegradeShare;

/// Totals of one model: steps and main problems.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Totals {
    /// Model.
    pub(super) model: String,
    /// Original run.
    pub(super) original: Option<(usize, usize)>,
    /// Its outputs under the corrected grading.
    pub(super) regraded: Option<(usize, usize)>,
    /// Run on the corrected data.
    pub(super) verified: Option<(usize, usize)>,
    /// Share that the file states.
    pub(super) stated: Option<f64>,
}

/// Totals in the order of the file.
pub(super) fn totals(materials: &Materials) -> Vec<Totals> {
    let Some(file) = document(materials, REGRADE) else { return Vec::new() };
    let models = file.as_object().into_iter().flat_map(crate::json::Object::iter);
    models
        .filter(|(name, value)| !name.starts_with('_') && value.as_object().is_some())
        .map(|(model, value)| {
            let pair = |name: &str| {
                let pair = value.get(name)?.as_list()?;
                let count = |at: usize| pair.get(at)?.as_number()?.as_u64().map(|n| n as usize);
                Some((count(0)?, count(1)?))
            };
            Totals {
                model: model.to_owned(),
                original: pair("orig1"),
                regraded: pair("crossgrade"),
                verified: pair("run4"),
                stated: value.get("grading_share").and_then(Value::as_f64),
            }
        })
        .collect()
}

/// `openai__gpt-5.5` and `gpt-5.5` are one model.
fn plain(model: &str) -> &str {
    model.rsplit_once("__").map_or(model, |(_, name)| name)
}

impl Statistic for VersionScores {
    fn about(&self) -> &'static About {
        &SCORES
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let audit = Audit::read(evidence);
        let mut output = Output::default();
        let totals = totals(&evidence.archive.materials);
        if audit.flips.is_none() && totals.is_empty() {
            let reason = audit.lacks(&[super::flips::FLIPS, REGRADE]).unwrap_or_default();
            output.on(SCORES.id, Basis::States, &[]).put("solved", Estimate::undefined(reason));
            return output;
        }
        let columns = [
            ("model", Kind::Text, ""),
            ("version", Kind::Text, ""),
            ("level", Kind::Text, ""),
            ("solved", Kind::Integer, "count"),
            ("n", Kind::Integer, "count"),
            ("accuracy", Kind::Real, "percent"),
        ];
        let mut table = Table::new("version_scores", "Scores by version", &[SCORES.id], &columns);
        let mut put = |model: &str, version: &str, level: &str, (k, n): Score| {
            let keys = [("model", model), ("version", version), ("level", level)];
            let mut facts = output.on(SCORES.id, Basis::States, &keys);
            facts.put("solved", Estimate::out_of(k, n)).put("accuracy", Estimate::share(k, n));
            let accuracy =
                if n == 0 { Cell::Undefined("n = 0".into()) } else { Cell::fixed(100.0 * k as f64 / n as f64, 1) };
            table.push(vec![
                Cell::text(model),
                Cell::text(version),
                Cell::text(level),
                Cell::count(k),
                Cell::count(n),
                accuracy,
            ]);
        };
        let mut whole = (audit.scored.len(), audit.universe.len());
        let mut named: Vec<String> = Vec::new();
        for (model, sets) in audit.flips.iter().flat_map(|flips| &flips.models) {
            named.push(model.clone());
            for (level, (before, after)) in [("step", sets.steps), ("problem", sets.problems)] {
                for (version, score) in [("original", before), ("verified", after)] {
                    if let Some(score) = score {
                        put(model, version, level, score);
                        if level == "step" { whole.0 = score.1 } else { whole.1 = score.1 }
                    }
                }
            }
        }
        for of in &totals {
            // A model that the file of flips names shows its original and corrected runs under that name.
            let known = named.iter().any(|name| same_model(name, &of.model));
            let versions = [("original", of.original), ("regraded", of.regraded), ("verified", of.verified)];
            for (version, totals) in versions.into_iter().filter(|(version, _)| *version == "regraded" || !known) {
                let Some((steps, problems)) = totals else { continue };
                put(plain(&of.model), version, "step", (steps, whole.0));
                put(plain(&of.model), version, "problem", (problems, whole.1));
            }
        }
        for (model, sets) in audit.flips.iter().flat_map(|flips| &flips.models) {
            for (level, (before, after)) in [("step", sets.steps), ("problem", sets.problems)] {
                if let (Some((before, n)), Some((after, m))) = (before, after)
                    && n == m
                    && n > 0
                {
                    let gain = 100.0 * (after as f64 - before as f64) / n as f64;
                    output
                        .on(SCORES.id, Basis::States, &[("model", model), ("level", level)])
                        .put("gain", Estimate::value(gain));
                }
            }
        }
        output.tables.push(table);
        output
    }
}

/// The two files name models differently: `opus-4.8` and `anthropic__claude-opus-4.8`, `gemini-flash` and
/// `google__gemini-3.5-flash`. They agree when the words of the shorter name occur in the longer one in order.
pub(super) fn same_model(short: &str, long: &str) -> bool {
    let mut words = plain(long).split('-');
    short.split('-').all(|word| words.any(|other| other == word))
}

impl Statistic for RegradeShare {
    fn about(&self) -> &'static About {
        &SHARES
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let totals = totals(&evidence.archive.materials);
        if totals.is_empty() {
            let reason = format!("not archived: {REGRADE}");
            output.on(SHARES.id, Basis::States, &[]).put("share", Estimate::undefined(reason));
            return output;
        }
        for of in &totals {
            let mut facts = output.on(SHARES.id, Basis::States, &[("model", plain(&of.model))]);
            let (Some(original), Some(regraded)) = (of.original, of.regraded) else {
                facts.put("share", Estimate::undefined("the file lacks the original or the re-graded run"));
                continue;
            };
            facts.put("step-gain", Estimate::value(regraded.0 as f64 - original.0 as f64));
            facts.put("problem-gain", Estimate::value(regraded.1 as f64 - original.1 as f64));
            let share = match of.verified {
                None => Err("the model was not run on the corrected data"),
                Some(verified) if verified.0 == original.0 => {
                    Err("the model gains nothing, so there is no share of it")
                }
                Some(verified) => Ok((regraded.0 as f64 - original.0 as f64) / (verified.0 as f64 - original.0 as f64)),
            };
            facts.put("share", share.map_or_else(Estimate::undefined, Estimate::value));
            if let (Ok(share), Some(stated)) = (share, of.stated)
                && crate::number::round(share, 3) != stated
            {
                let message =
                    format!("the file states the share {stated}, its totals give {}", crate::number::fixed(share, 3));
                output.findings.push(Finding::new("summary-differs", Place::subject(&of.model), message));
            }
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_one_under_both_names() {
        for (short, long) in [
            ("gpt-5.5", "openai__gpt-5.5"),
            ("gemini-flash", "google__gemini-3.5-flash"),
            ("opus-4.8", "anthropic__claude-opus-4.8"),
            ("glm-5.2", "glm-5.2"),
        ] {
            assert!(same_model(short, long), "{short}");
        }
        assert!(!same_model("gemini-flash", "deepseek-v4-flash") && !same_model("gpt-5.5", "gpt-5.4"));
    }
}
