//! Records whose answers are judged by tests: executed again under the benchmark's own harness, and taken apart
//! under the strict lens.
//!
//! Every program runs in a process of its own, so one that passes only after another ran in the same interpreter
//! fails here.

use std::collections::BTreeMap;

use super::super::difference::Difference;
use super::super::engines::{self, Compared};
use super::super::ladder::LevelSummary;
use super::super::rows::{AttemptVerdict, Cause, Graded, LensRow, LensVerdicts, Ran, ReplayVerdict, Shown};
use super::super::unchecked::Unchecked;
use super::case::{Case, NotReplayable};
use super::stage::Replayed;
use crate::archive::{Actual, AttemptText, Record, RunKey};
use crate::corpus::{Corpus, Tests};
use crate::engine::{Engine, EngineError, Limits, Outcome, Program, Status};
use crate::grade::Judgement;
use crate::grade::graders::{Checks, Given, Grader, Graders, Judged, Rule};
use crate::grade::tested::{Calls, End, Plan};
use crate::study::Study;
use crate::world::Progress;

/// Records executed at once.
const BATCH: usize = 2000;

/// A record to execute again under tests. It owns what it needs, because texts only stream by.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TestedCase {
    run: RunKey,
    file: String,
    position: usize,
    record: Record,
    tests: Tests,
    grader: &'static dyn Grader,
    plan: Plan,
    /// What the grader says without running anything, where the answer is a literal beside a literal.
    read: Option<Judged>,
}

/// A record ready to be executed again, by the kind of its problem's checks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Prepared {
    /// Its answer returns values.
    Valued(Box<Case>),
    /// Its answer is a program under tests.
    Tested(Box<TestedCase>),
}

impl Prepared {
    /// Prepares a record.
    pub(super) fn new(
        graders: Graders<'_>,
        study: &Study,
        corpus: &Corpus,
        run: &RunKey,
        record: &Record,
        texts: &[AttemptText<'_>],
    ) -> Result<Self, NotReplayable> {
        let tests = tests_of(study, corpus, run, record);
        let Some(tests) = tests else {
            return Case::new(graders, study, corpus, run, record, texts).map(|case| Self::Valued(Box::new(case)));
        };
        // Of several attempts the last one with a text is the answer.
        let answer = texts.iter().rev().find(|text| !text.response.is_empty());
        Case::ground(study, corpus, run, record, answer.is_some())?;
        let answer = answer.map(|text| &*text.response).unwrap_or_default();
        let plan = Plan::new(tests, answer, record.assembly);
        if plan.foreign {
            return Err(NotReplayable::OtherLanguage);
        }
        let checks = Checks { tests: Some(tests), ..Checks::NONE };
        let grader = graders.of(None, &checks);
        let read = grader.judge(&checks, &Given::Text(answer), Rule { tolerance: 0.0 });
        Ok(Self::Tested(Box::new(TestedCase {
            run: run.clone(),
            file: String::new(),
            position: 0,
            record: record.clone(),
            tests: tests.clone(),
            grader,
            plan,
            read: read.filter(|judged| judged.reference.is_some()),
        })))
    }
}

/// The tests of a record's problem, where it has any.
pub(super) fn tests_of<'c>(study: &Study, corpus: &'c Corpus, run: &RunKey, record: &Record) -> Option<&'c Tests> {
    let experiment = study.experiments.iter().find(|e| e.id == run.experiment)?;
    corpus.set(experiment.set.as_str())?.get(record.id.as_str())?.tests.as_ref()
}

/// How the run of a text ended, as grading needs it.
pub(in crate::verify) fn end(outcome: &Outcome) -> End {
    match outcome.status {
        Status::Ok => End::Whole,
        Status::MissingModule { .. } | Status::Nondeterministic => End::Unknown,
        _ => End::Broken,
    }
}

/// What became of the calls of a program.
pub(in crate::verify) fn calls(outcome: Option<&Outcome>) -> Calls<'_> {
    match outcome {
        None => Calls::Unknown,
        Some(outcome) if outcome.status.is_ok() => Calls::Made(&outcome.returned),
        Some(outcome) if end(outcome) == End::Unknown => Calls::Unknown,
        Some(_) => Calls::Broken,
    }
}

/// Programs that a plan executes: the whole text, and the calls where there are any.
pub(in crate::verify) fn programs(plan: &Plan) -> Vec<Program> {
    let mut programs = vec![Program::script(plan.script.as_str())];
    if plan.has_calls() {
        let calls = plan.assertions.calls.clone();
        programs.push(Program::with_calls(plan.program.as_str(), plan.function.clone(), calls));
    }
    programs
}

/// Both lenses on what ran; `outcomes` belong to [`programs`], in order. Where the whole text did not end in time its calls
/// are not made a second time: they are a part of it.
pub(in crate::verify) fn judged(grader: &dyn Grader, tests: &Tests, plan: &Plan, outcomes: &[Outcome]) -> Judged {
    let checks = Checks { tests: Some(tests), ..Checks::NONE };
    let script = outcomes.first().map_or(End::Unknown, end);
    let late = outcomes.first().is_some_and(|outcome| outcome.status == Status::Timeout);
    let calls = if late && outcomes.len() == 1 { Calls::Broken } else { calls(outcomes.get(1)) };
    let given = Given::Ran { plan, script, calls };
    // No grader of tests judges by a tolerance.
    let judged = grader.judge(&checks, &given, Rule { tolerance: 0.0 });
    judged.unwrap_or_else(Judged::nothing)
}

impl TestedCase {
    /// The same case with its place.
    pub(super) fn at(mut self, file: &str, position: usize) -> Self {
        file.clone_into(&mut self.file);
        self.position = position;
        self
    }

    /// Adds a verdict and what there is beside it; without an outcome nothing had to run.
    fn count(
        &self,
        judged: &Judged,
        verdict: ReplayVerdict,
        outcome: Option<&Outcome>,
        summary: &mut LevelSummary,
        replayed: &mut Replayed,
    ) {
        match (verdict.cause.filter(|cause| cause.outside_the_record()), verdict.recorded) {
            (Some(cause), _) => summary.skip(Unchecked::Ended(cause), 1),
            (None, None) => summary.skip(Unchecked::NoVerdict, 1),
            (None, Some(_)) => summary.count(verdict.agrees),
        }
        replayed.tests.add(&self.run, judged);
        replayed.lenses.extend(self.lens_row(judged));
        replayed.attempts.push(self.attempt(&verdict, outcome));
        replayed.records.push(verdict);
    }

    /// Verdict under one engine, and how it was reached.
    fn verdict(&self, judged: &Judged, outcome: Option<&Outcome>) -> ReplayVerdict {
        let (recorded, found) = (self.record.passed, judged.reference);
        let status = outcome.map_or(&Status::Ok, |outcome| &outcome.status);
        let message = outcome.map_or("compared with the stored answer", |outcome| outcome.message.as_str());
        let cause = match (recorded, found, status) {
            (_, None, Status::Nondeterministic) => Some(Cause::Nondeterministic),
            (_, None, _) => Some(Cause::MissingModule),
            (None, Some(_), _) => None,
            (Some(recorded), Some(found), _) if recorded == found => None,
            (_, _, Status::Timeout) => Some(Cause::Timeout),
            _ => Some(Cause::Flip),
        };
        let word = |passed| if passed { "passed" } else { "failed" };
        let remark = cause.map(|_| match (recorded, found) {
            (Some(recorded), Some(true)) => format!("recorded {}, the tests pass now", word(recorded)),
            (Some(recorded), _) => format!("recorded {}, now: {message}", word(recorded)),
            (None, _) => message.to_owned(),
        });
        ReplayVerdict {
            run: self.run.clone(),
            id: self.record.id.clone(),
            file: self.file.clone(),
            record: self.position,
            agrees: cause.is_none(),
            cause,
            recorded,
            found,
            difference: Difference::Nothing,
            remark: remark.map(|remark| remark.chars().take(300).collect()),
        }
    }

    fn attempt(&self, verdict: &ReplayVerdict, outcome: Option<&Outcome>) -> AttemptVerdict {
        AttemptVerdict {
            run: self.run.clone(),
            id: self.record.id.clone(),
            file: self.file.clone(),
            record: self.position,
            attempt: 0,
            recorded: if self.record.passed.is_some() { Graded::Graded } else { Graded::Unknown },
            found: if verdict.found.is_some() { Graded::Graded } else { Graded::Ungradable },
            agrees: verdict.agrees,
            status: outcome.map(|outcome| outcome.status.name().to_owned()),
            passed: verdict.found,
            reason: outcome.filter(|o| !o.status.is_ok()).map(|o| o.message.chars().take(200).collect()),
            extraction_differs: false,
            other_passed: None,
        }
    }

    fn lens_row(&self, judged: &Judged) -> Option<LensRow> {
        let reason = judged.difference?;
        let failed = judged.failed.as_ref();
        Some(LensRow {
            run: self.run.clone(),
            id: self.record.id.clone(),
            sub: failed.map_or_else(|| "tests".to_owned(), |failed| format!("line {} of the tests", failed.line)),
            reason,
            reference: judged.reference == Some(true),
            strict: judged.strict == Judgement::Pass,
            record_differs: true,
            expected: failed.map_or_else(String::new, |failed| failed.expected.clone()),
            expected_unit: String::new(),
            actual: Shown(failed.map_or(Actual::Missing, |failed| Actual::Text(failed.actual.as_str().into()))),
            actual_unit: None,
        })
    }
}

/// What the tests of a study's answers came to, beside the verdicts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lenses {
    /// Verdicts of both lenses by run.
    pub verdicts: BTreeMap<RunKey, LensVerdicts>,
    /// Answers that the strict lens cannot decide, by reason.
    pub undecided: BTreeMap<String, usize>,
}

impl Lenses {
    fn add(&mut self, run: &RunKey, judged: &Judged) {
        let Some(passed) = judged.reference else { return };
        let empty = || LensVerdicts { run: run.clone(), graded: 0, reference: 0, strict: 0, undecided: 0 };
        let row = self.verdicts.entry(run.clone()).or_insert_with(empty);
        row.graded += 1;
        row.reference += usize::from(passed);
        row.strict += usize::from(judged.strict == Judgement::Pass);
        if let Judgement::Undecided(reason) = judged.strict {
            row.undecided += usize::from(passed);
            *self.undecided.entry(reason.as_str().to_owned()).or_default() += 1;
        }
    }
}

/// Executes cases and adds their verdicts.
pub(super) fn batch(
    study: &Study,
    cases: &[TestedCase],
    engines: &[&dyn Engine],
    progress: &dyn Progress,
    summary: &mut LevelSummary,
    replayed: &mut Replayed,
) -> Result<(), EngineError> {
    for case in cases {
        if let Some(judged) = &case.read {
            let verdict = case.verdict(judged, None);
            case.count(judged, verdict, None, summary, replayed);
        }
    }
    let cases: Vec<&TestedCase> = cases.iter().filter(|case| case.read.is_none()).collect();
    if engines.is_empty() {
        summary.skip(Unchecked::NoEngine, cases.len());
        return Ok(());
    }
    for cases in cases.chunks(BATCH) {
        let planned: Vec<Vec<Program>> = cases.iter().map(|case| programs(&case.plan)).collect();
        let limits = engines::limits(study);
        let outcomes: Vec<Vec<Vec<Outcome>>> = engines
            .iter()
            .map(|engine| in_turn(*engine, &planned, &limits, progress))
            .collect::<Result<_, EngineError>>()?;
        for (at, &case) in cases.iter().enumerate() {
            let slices: Vec<&[Outcome]> = outcomes.iter().map(|all| all[at].as_slice()).collect();
            replayed.disagreements.extend(disagreement(case, engines, &slices));
            add(case, &slices, summary, replayed);
        }
    }
    Ok(())
}

/// Outcomes of each plan's programs on one engine: first all whole texts, then the calls of those that ended in time. A
/// program that hangs costs its limit once.
fn in_turn(
    engine: &dyn Engine,
    planned: &[Vec<Program>],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Outcome>>, EngineError> {
    let whole: Vec<Program> = planned.iter().filter_map(|own| own.first().cloned()).collect();
    let mut outcomes: Vec<Vec<Outcome>> =
        engine.run(&whole, limits, progress)?.into_iter().map(|outcome| vec![outcome]).collect();
    let ended = |at: &usize| planned[*at].len() > 1 && outcomes[*at][0].status != Status::Timeout;
    let again: Vec<usize> = (0..outcomes.len()).filter(ended).collect();
    let calls: Vec<Program> = again.iter().map(|&at| planned[at][1].clone()).collect();
    for (at, outcome) in again.into_iter().zip(engine.run(&calls, limits, progress)?) {
        outcomes[at].push(outcome);
    }
    Ok(outcomes)
}

fn add(case: &TestedCase, slices: &[&[Outcome]], summary: &mut LevelSummary, replayed: &mut Replayed) {
    let all: Vec<(Judged, ReplayVerdict)> = slices
        .iter()
        .map(|outcomes| {
            let judged = judged(case.grader, &case.tests, &case.plan, outcomes);
            let verdict = case.verdict(&judged, Some(&outcomes[0]));
            (judged, verdict)
        })
        .collect();
    let best = all.iter().position(|(_, verdict)| verdict.agrees).unwrap_or(0);
    let Some((judged, verdict)) = all.into_iter().nth(best) else { return };
    case.count(&judged, verdict, Some(&slices[best][0]), summary, replayed);
}

/// Where the first two engines end the tests of a program differently.
fn disagreement(case: &TestedCase, engines: &[&dyn Engine], slices: &[&[Outcome]]) -> Option<Ran> {
    let ([first, second, ..], [left, right, ..]) = (engines, slices) else { return None };
    let verdict = |outcomes: &[Outcome]| {
        case.verdict(&judged(case.grader, &case.tests, &case.plan, outcomes), Some(&outcomes[0])).agrees
    };
    let compared = Compared {
        place: case.run.experiment.to_string(),
        id: &case.record.id,
        source: &case.plan.script,
        verdicts: [verdict(left), verdict(right)],
    };
    engines::disagreement([first.identity(), second.identity()], [&left[0], &right[0]], &compared)
}
