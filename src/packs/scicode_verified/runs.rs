//! Verdicts of archived runs, step by step: `<run>/<dataset>_<model>/<with_bg or no_bg>/`.
//!
//! A run folder has `results.json` with `steps` per problem (true, false, or null for a step whose code is
//! given), and per step `<step>.score.json` with a verdict per environment. Environments are tried in order
//! and the first pass ends the trial: one that is not named was not tried, which is no failure.

use std::collections::BTreeMap;

use super::benchmark::problem_of;
use crate::archive::Materials;
use crate::json::{Reader, Value};
use crate::report::{Finding, Place};
use crate::statistics::{About, Basis, Estimate, Evidence, KeyDoc, Output, Statistic, exact};

/// Role of the folder of runs.
pub(super) const RUNS: &str = "runs";

static ABOUT: About = About {
    id: "run-verdicts",
    also: &[],
    title: "Verdicts of archived runs",
    unit: "percent",
    meaning: "Accuracy by step and by main problem from archived verdicts, with a step that passes in any environment \
              passed, and steps with given code in no denominator; and the comparison of a model's runs on the original \
              and the corrected data, and with and without background.",
    formula: "step: 100 × passed / steps with a verdict. problem: 100 × solved / problems, solved when the problem has at \
              least one step with a verdict and all of them pass. gained, lost = steps from fail to pass and back over \
              the steps with a verdict in both runs; P = exact McNemar.",
    source: "Harness of the study; McNemar (1947).",
    edge_cases: "A problem of which every step has given code is not solved. A step that only one run has is in no \
                 comparison. No archived run: undefined.",
    example: "Steps true, true, null: problem solved, 2 of 2 steps.",
    keys: &[
        KeyDoc { key: "run", meaning: "folder of the run" },
        KeyDoc { key: "model", meaning: "model" },
        KeyDoc { key: "dataset", meaning: "original or cleaned" },
        KeyDoc { key: "background", meaning: "with or without" },
        KeyDoc { key: "against", meaning: "what the run is compared with: original or without-background" },
        KeyDoc { key: "level", meaning: "step or problem" },
    ],
    measures: &[
        ("accuracy", "percent solved, with Wilson's interval"),
        ("rescued", "steps that only a later environment passes"),
        ("gained", "steps from fail to pass"),
        ("lost", "steps from pass to fail"),
        ("p", "exact two-sided McNemar P"),
        ("runs", "archived runs"),
    ],
};

/// Verdicts of archived runs.
pub(super) struct RunVerdicts;

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Pass,
    Fail,
    /// Its code is given, so that its verdict is nobody's.
    NotScored,
}

/// Identity of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) run: String,
    pub(super) dataset: String,
    pub(super) model: String,
    pub(super) background: bool,
}

/// Verdicts of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Run {
    /// By step.
    pub(super) steps: BTreeMap<String, Verdict>,
    /// Steps that pass in a later environment only.
    pub(super) rescued: usize,
}

impl Run {
    /// Steps passed and steps with a verdict.
    pub(super) fn by_step(&self) -> (usize, usize) {
        let count = |wanted| self.steps.values().filter(|verdict| **verdict == wanted).count();
        (count(Verdict::Pass), count(Verdict::Pass) + count(Verdict::Fail))
    }

    /// Problems solved and all problems.
    pub(super) fn by_problem(&self) -> (usize, usize) {
        let mut problems: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (step, verdict) in &self.steps {
            let problem = problems.entry(problem_of(step)).or_default();
            problem.0 += usize::from(*verdict == Verdict::Pass);
            problem.1 += usize::from(*verdict != Verdict::NotScored);
        }
        let solved = problems.values().filter(|(passed, scored)| *scored > 0 && passed == scored).count();
        (solved, problems.len())
    }

    /// Steps from fail to pass and from pass to fail, over those with a verdict in both.
    pub(super) fn flips(&self, later: &Self) -> (u32, u32) {
        let mut counts = (0, 0);
        for (step, verdict) in &self.steps {
            match (verdict, later.steps.get(step)) {
                (Verdict::Fail, Some(Verdict::Pass)) => counts.0 += 1,
                (Verdict::Pass, Some(Verdict::Fail)) => counts.1 += 1,
                _ => {}
            }
        }
        counts
    }
}

/// A verdict per environment: passed in any, and whether the first one that was tried failed.
pub(super) fn any_environment(per_env: &Value) -> Option<(bool, bool)> {
    let tried: Vec<bool> = per_env.as_object()?.iter().filter_map(|(_, verdict)| verdict.as_bool()).collect();
    let passed = tried.iter().any(|passed| *passed);
    (!tried.is_empty()).then(|| (passed, passed && !tried[0]))
}

/// All runs with what could not be read.
pub(super) fn read(materials: &Materials) -> (BTreeMap<Key, Run>, Vec<Finding>) {
    let (mut runs, mut findings): (BTreeMap<Key, Run>, _) = (BTreeMap::new(), Vec::new());
    let mut scores: Vec<(Key, String, bool, bool)> = Vec::new();
    for file in materials.all(RUNS) {
        let Some((key, name)) = key(&file.path) else { continue };
        let value = || Reader::new(&file.bytes).value();
        if name == "results.json" {
            match value() {
                Ok(value) => results(&value, runs.entry(key).or_default()),
                Err(fault) => findings.push(Finding::new("torn-file", Place::file(&file.path), fault.to_string())),
            }
        } else if let Some(step) = name.strip_suffix(".score.json") {
            match value() {
                Ok(value) => {
                    if let Some((passed, rescued)) = value.get("per_env").and_then(any_environment) {
                        let step = value.get("step_id").and_then(Value::as_text).unwrap_or(step).to_owned();
                        scores.push((key, step, passed, rescued));
                    }
                }
                Err(fault) => findings.push(Finding::new("torn-file", Place::file(&file.path), fault.to_string())),
            }
        }
    }
    for (key, step, passed, rescued) in scores {
        let run = runs.entry(key.clone()).or_default();
        run.rescued += usize::from(rescued);
        let own = if passed { Verdict::Pass } else { Verdict::Fail };
        match run.steps.get(&step) {
            Some(stated) if *stated != own && *stated != Verdict::NotScored => {
                let message = format!("results.json and the verdicts of the environments disagree on {step}");
                findings.push(Finding::new(
                    "summary-differs",
                    Place::subject(format!("{} {}", key.run, key.model)),
                    message,
                ));
            }
            Some(_) => {}
            None => drop(run.steps.insert(step, own)),
        }
    }
    (runs, findings)
}

/// `.../<run>/<dataset>_<model>/<with_bg or no_bg>/<file>`.
fn key(path: &str) -> Option<(Key, &str)> {
    let mut parts = path.rsplit('/');
    let name = parts.next()?;
    let background = match parts.next()? {
        "with_bg" => true,
        "no_bg" => false,
        _ => return None,
    };
    let (dataset, model) = parts.next()?.split_once('_')?;
    let run = parts.next()?.to_owned();
    Some((Key { run, dataset: dataset.to_owned(), model: model.to_owned(), background }, name))
}

fn results(value: &Value, run: &mut Run) {
    let listed = value.get("results").and_then(Value::as_list).unwrap_or_default();
    for steps in listed.iter().filter_map(|problem| problem.get("steps")?.as_object()) {
        for (step, verdict) in steps.iter() {
            let verdict = match verdict {
                Value::Bool(true) => Verdict::Pass,
                Value::Bool(false) => Verdict::Fail,
                _ => Verdict::NotScored,
            };
            run.steps.insert(step.to_owned(), verdict);
        }
    }
}

impl Statistic for RunVerdicts {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let (runs, findings) = read(&evidence.archive.materials);
        let mut output = Output { findings, ..Output::default() };
        if runs.is_empty() {
            output.on(ABOUT.id, Basis::Records, &[]).put("runs", Estimate::undefined("no run is archived"));
            return output;
        }
        output.on(ABOUT.id, Basis::Records, &[]).put("runs", Estimate::count(runs.len()));
        let word = |background| if background { "with" } else { "without" };
        for (key, run) in &runs {
            let keys = [
                ("run", key.run.as_str()),
                ("model", &key.model),
                ("dataset", &key.dataset),
                ("background", word(key.background)),
            ];
            for (level, (k, n)) in [("step", run.by_step()), ("problem", run.by_problem())] {
                let mut keys = keys.to_vec();
                keys.push(("level", level));
                output.on(ABOUT.id, Basis::Records, &keys).put("accuracy", Estimate::share(k, n));
            }
            output.on(ABOUT.id, Basis::Records, &keys).put("rescued", Estimate::count(run.rescued));
            for (other, before) in &runs {
                let versions =
                    other.background == key.background && other.dataset == "original" && key.dataset != "original";
                let backgrounds =
                    other.run == key.run && other.dataset == key.dataset && !other.background && key.background;
                if other.model != key.model || !(versions || backgrounds) {
                    continue;
                }
                let (gained, lost) = before.flips(run);
                let mut keys = keys.to_vec();
                keys.push(("against", if versions { "original" } else { "without-background" }));
                output
                    .on(ABOUT.id, Basis::Records, &keys)
                    .put("gained", Estimate::count(gained as usize))
                    .put("lost", Estimate::count(lost as usize))
                    .put("p", Estimate::value(exact::mcnemar(gained, lost).to_f64()));
            }
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn materials(files: &[(&str, &str)]) -> Materials {
        let mut materials = Materials::default();
        files.iter().for_each(|(path, text)| materials.add(RUNS, *path, text.as_bytes()));
        materials
    }

    #[test]
    fn given_code_is_no_failure_and_any_environment_passes() {
        let results = r#"{"results": [{"problem_id": "1", "steps": {"1.1": true, "1.2": null}}, {"problem_id": "2", "steps": {"2.1": false, "2.2": true}}, {"problem_id": "3", "steps": {"3.1": null}}]}"#;
        let rescued = r#"{"step_id": "4.1", "per_env": {"a": false, "b": true}}"#;
        let untried = r#"{"step_id": "4.2", "per_env": {"a": true}}"#;
        let base = "runs/run4/cleaned_m-1/with_bg/";
        let files = [
            (format!("{base}results.json"), results),
            (format!("{base}4.1.score.json"), rescued),
            (format!("{base}4.2.score.json"), untried),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let (runs, findings) = read(&materials(&files));
        assert!(findings.is_empty());
        let (key, run) = runs.iter().next().unwrap();
        assert_eq!((key.model.as_str(), key.dataset.as_str(), key.background), ("m-1", "cleaned", true));
        assert_eq!((run.by_step(), run.rescued), ((4, 5), 1));
        // Problem 3 has no step with a verdict, so it is not solved.
        assert_eq!(run.by_problem(), (2, 4));
    }

    #[test]
    fn flips_run_over_the_steps_that_both_have() {
        let run = |steps: &[(&str, Verdict)]| Run {
            steps: steps.iter().map(|(step, verdict)| ((*step).to_owned(), *verdict)).collect(),
            rescued: 0,
        };
        use Verdict::{Fail, NotScored, Pass};
        let before = run(&[("1.1", Fail), ("1.2", Pass), ("1.3", NotScored), ("1.4", Fail), ("1.5", Fail)]);
        let after = run(&[("1.1", Pass), ("1.2", Fail), ("1.3", Pass), ("1.4", Fail)]);
        assert_eq!(before.flips(&after), (1, 1));
    }

    #[test]
    fn a_stated_verdict_that_no_environment_supports_is_told() {
        let base = "r/run4/cleaned_m/no_bg/";
        let files = [
            (format!("{base}results.json"), r#"{"results": [{"steps": {"1.1": true}}]}"#),
            (format!("{base}1.1.score.json"), r#"{"per_env": {"a": false, "b": false}}"#),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(read(&materials(&files)).1[0].code, "summary-differs");
        assert_eq!(any_environment(&Reader::new(b"{}").value().unwrap()), None);
    }
}
