//! Tokens counted again from the archived texts, against the counts stored with the records.

use std::collections::BTreeMap;

use super::moments::mean;
use super::tally::{Board, Tally};
use super::tokens::usage;
use super::{About, Basis, Estimate, Evidence, KeyDoc, Output, Readings, Statistic, o200k};
use crate::archive::{Run, RunKey};
use crate::report::{Finding, Place};

/// The statistic `token-recount`.
pub(super) struct Recount;

const ID: &str = "token-recount";

static ABOUT: About = About {
    id: ID,
    also: &[],
    title: "Tokens counted again",
    unit: "tokens",
    meaning: "Whether the token counts stored with the records follow from the archived texts.",
    formula: "Per attempt: prompt = count(system) + count(prompt), completion = count(response), reasoning = \
              count(trace) when it is not blank, all with o200k_base and without special tokens; total = their sum over \
              attempts and records of a run; mean over runs. equal = records whose stored total is the same.",
    source: "Token rules of the study.",
    edge_cases: "Undefined unless counting was asked for (`repro stats --tokens`) and texts are archived. A record without \
                 stored counts is counted but not compared.",
    example: "An attempt with a prompt of 120 tokens, 11 of them system text, and a response of 80: 200.",
    keys: &[
        KeyDoc { key: "set", meaning: "problem set" },
        KeyDoc { key: "protocol", meaning: "code or direct" },
        KeyDoc { key: "condition", meaning: "prompt or condition, where the experiment has one" },
        KeyDoc { key: "model", meaning: "configuration key" },
    ],
    measures: &[
        ("total", "tokens per run, counted from the texts"),
        ("prompt", "prompt tokens per run"),
        ("completion", "response tokens per run"),
        ("reasoning", "reasoning tokens per run"),
        ("equal", "records whose stored total is the same, percent of those compared"),
    ],
};

impl Statistic for Recount {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn compute(&self, evidence: &Evidence<'_>) -> Output {
        let mut output = Output::default();
        let readings: BTreeMap<&RunKey, &Vec<Readings>> =
            evidence.archive.runs.iter().map(|run| &run.key).zip(evidence.readings).collect();
        for board in evidence.boards().filter(|board| board.experiment.choice.is_none()) {
            for tally in &board.tallies {
                let keys = board.keys_of(tally);
                match count(tally, &readings) {
                    Ok(counted) => counted.tell(&mut output, &board, tally, &keys),
                    Err(reason) => output.fact(ID, "total", &keys, Estimate::undefined(reason), Basis::Records),
                }
            }
        }
        output
    }
}

/// What the texts of one configuration come to.
struct Counted {
    /// Prompt, completion, reasoning and their sum, means over runs.
    tokens: [f64; 4],
    equal: usize,
    compared: usize,
}

fn count(tally: &Tally<'_>, readings: &BTreeMap<&RunKey, &Vec<Readings>>) -> Result<Counted, String> {
    tally.complete()?;
    let mut runs = Vec::new();
    let (mut equal, mut compared) = (0, 0);
    for run in &tally.runs {
        let texts = readings.get(&run.run.key).ok_or("the texts were not read")?;
        let (sums, same, all) = count_run(run.run, texts)?;
        runs.push(sums.map(|sum| sum as f64));
        (equal, compared) = (equal + same, compared + all);
    }
    let mut tokens = [0.0; 4];
    for (at, value) in tokens.iter_mut().enumerate() {
        *value = mean(&runs.iter().map(|run| run[at]).collect::<Vec<_>>()).ok_or("no run")?;
    }
    Ok(Counted { tokens, equal, compared })
}

/// Sums of one run, then records with the stored total and records compared.
fn count_run(run: &Run, readings: &[Readings]) -> Result<([u64; 4], usize, usize), String> {
    if readings.iter().all(|reading| reading.tokens.is_none()) {
        return Err("tokens were not counted, or no text is archived".to_owned());
    }
    let system = run.declared.system.as_deref().map_or(0, o200k::count);
    let (mut sums, mut equal, mut compared) = ([0_u64; 4], 0, 0);
    for (record, reading) in run.records.iter().zip(readings) {
        let attempts = record.attempts.as_ref().map_or(0, Vec::len) as u64;
        let (prompt, completion, reasoning) = reading.tokens.unwrap_or_default();
        let prompt = prompt + system * attempts;
        let total = prompt + completion + reasoning;
        for (sum, value) in sums.iter_mut().zip([prompt, completion, reasoning, total]) {
            *sum += value;
        }
        if let Some(stored) = usage(record).filter(|_| record.attempts.is_some()) {
            compared += 1;
            equal += usize::from(stored.total == total);
        }
    }
    Ok((sums, equal, compared))
}

impl Counted {
    fn tell(&self, output: &mut Output, board: &Board<'_>, tally: &Tally<'_>, keys: &[(&str, &str)]) {
        let mut writer = output.on(ID, Basis::Records, keys);
        for (measure, value) in ["prompt", "completion", "reasoning", "total"].into_iter().zip(self.tokens) {
            writer.put(measure, Estimate::value(value));
        }
        writer.put("equal", Estimate::percent(self.equal, self.compared));
        if self.equal < self.compared {
            let place = Place::subject(format!("{} {}", board.experiment.id, tally.key));
            let (differing, compared) = (self.compared - self.equal, self.compared);
            let message = format!("{differing} of {compared} records store another total than their texts come to");
            output.findings.push(Finding::new("tokens-differ", place, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Attempt, AttemptOutcome, Usage};
    use crate::statistics::fixture::{Fixture, problem};

    #[test]
    fn the_system_text_counts_once_per_attempt() {
        let problems = ["p1", "p2"].map(|id| problem(id, "c", "low", 1)).into();
        let mut study = Fixture::new(&[("a", "A", true)])
            .set("core", "problems", None, problems)
            .experiment("core_code", "core", "code", 1)
            .run("core_code", "a", 1, "PF");
        let run = &mut study.archive.runs[0];
        run.declared.system = Some("hello world".into());
        let attempt = Attempt { outcome: AttemptOutcome::Graded, usage: None, response_bytes: 5, has_reasoning: false };
        for (record, (attempts, total)) in run.records.iter_mut().zip([(1, 10), (2, 15)]) {
            record.attempts = Some(vec![attempt.clone(); attempts]);
            record.usage = Some(Usage { total, ..Usage::default() });
        }
        let counted = |tokens| Readings { tokens: Some(tokens), ..Readings::default() };
        let readings = [vec![counted((3, 4, 1)), counted((6, 4, 2))]];
        let output = Recount.compute(&Evidence { readings: &readings, ..study.evidence() });
        let value = |measure: &str| output.facts.iter().find(|f| f.measure == measure).unwrap().estimate.point();
        assert_eq!(
            ["prompt", "completion", "reasoning", "total", "equal"].map(value),
            [Some(15.0), Some(8.0), Some(3.0), Some(26.0), Some(50.0)]
        );
        assert!(output.findings[0].message.starts_with("1 of 2 records"));
        let without = Recount.compute(&study.evidence());
        assert!(without.facts.iter().all(|fact| fact.estimate.point().is_none()));
    }
}
