//! L1 for problems with tests: every stored reference program must pass its own tests.

use super::difference::Difference;
use super::engines::{self, Compared};
use super::ladder::LevelSummary;
use super::reference::Executed;
use super::replay::tested::{judged, programs};
use super::rows::{Cause, SolverVerdict};
use super::unchecked::Unchecked;
use super::whole::Means;
use crate::corpus::{Corpus, Problem, Set, Tests};
use crate::engine::{EngineError, Outcome, Program, Status};
use crate::grade::Judgement;
use crate::grade::graders::{Checks, Grader};
use crate::grade::tested::Plan;
use crate::report::{Finding, Findings, Place};
use crate::study::Study;
use crate::world::Progress;

struct Job<'c> {
    set: &'c Set,
    problem: &'c Problem,
    tests: &'c Tests,
    grader: &'static dyn Grader,
    plan: Plan,
}

/// Executes every reference program under its tests and adds the verdicts.
pub(super) fn reference_programs(
    study: &Study,
    corpus: &Corpus,
    means: Means<'_>,
    progress: &dyn Progress,
    summary: &mut LevelSummary,
    executed: &mut Executed,
) -> Result<Findings, EngineError> {
    let engines = means.engines;
    let mut findings = Findings::default();
    let mut jobs = Vec::new();
    for set in &corpus.sets {
        for problem in &set.problems {
            let Some(tests) = &problem.tests else { continue };
            match &tests.reference {
                Some(reference) => match Plan::new(tests, reference, None) {
                    plan if plan.foreign => summary.skip(Unchecked::OtherLanguage, 1),
                    plan => jobs.push(Job {
                        set,
                        problem,
                        tests,
                        grader: means.graders.of(None, &Checks { tests: Some(tests), ..Checks::NONE }),
                        plan,
                    }),
                },
                None => summary.skip(Unchecked::NoReference, 1),
            }
        }
    }
    if jobs.is_empty() {
        return Ok(findings);
    }
    if engines.is_empty() {
        summary.skip(Unchecked::NoEngine, jobs.len());
        return Ok(findings);
    }
    let planned: Vec<Vec<Program>> = jobs.iter().map(|job| programs(&job.plan)).collect();
    let all: Vec<Program> = planned.iter().flatten().cloned().collect();
    progress.begin("executing reference programs", engines::work(engines, all.len()));
    let outcomes = engines::run_all(engines, &all, &engines::limits(study), progress);
    progress.finish();
    let outcomes = outcomes?;
    let mut from = 0;
    for (job, own) in jobs.iter().zip(&planned) {
        let slices: Vec<&[Outcome]> = outcomes.iter().map(|all| &all[from..from + own.len()]).collect();
        from += own.len();
        let verdicts: Vec<SolverVerdict> =
            engines.iter().zip(&slices).map(|(engine, own)| verdict(job, own, &engine.identity().engine)).collect();
        if let ([first, second, ..], [[left, ..], [right, ..], ..]) = (engines, slices.as_slice()) {
            let compared = Compared {
                place: job.set.id.to_string(),
                id: &job.problem.id,
                source: &job.plan.script,
                verdicts: [verdicts[0].agrees, verdicts[1].agrees],
            };
            let between = engines::disagreement([first.identity(), second.identity()], [left, right], &compared);
            executed.disagreements.extend(between);
        }
        let best = verdicts.iter().position(|verdict| verdict.agrees).unwrap_or(0);
        let Some(verdict) = verdicts.into_iter().nth(best) else { continue };
        match &slices[best][0].status {
            Status::MissingModule { .. } => summary.skip(Unchecked::Ended(Cause::MissingModule), 1),
            Status::Nondeterministic => summary.skip(Unchecked::Ended(Cause::Nondeterministic), 1),
            // As with records: a limit of time says nothing about the program.
            Status::Timeout => summary.skip(Unchecked::Ended(Cause::Timeout), 1),
            _ => {
                findings.extend(tell(job, &verdict));
                summary.count(verdict.agrees);
            }
        }
        executed.solvers.push(verdict);
    }
    Ok(findings)
}

fn verdict(job: &Job<'_>, outcomes: &[Outcome], engine: &str) -> SolverVerdict {
    let judged = judged(job.grader, job.tests, &job.plan, outcomes);
    let outcome = &outcomes[0];
    let refused = match judged.strict {
        Judgement::Fail(reason) if judged.reference == Some(true) => Some(reason),
        _ => None,
    };
    let message = match refused {
        Some(reason) => Some(reason.meaning().to_owned()),
        None => (!outcome.status.is_ok()).then(|| outcome.message.clone()),
    };
    SolverVerdict {
        set: job.set.id.clone(),
        id: job.problem.id.clone(),
        shortcut: false,
        agrees: judged.reference == Some(true) && refused.is_none(),
        engine: engine.to_owned(),
        status: outcome.status.name().to_owned(),
        difference: Difference::Nothing,
        as_printed: false,
        by_position: 0,
        by_unit: 0,
        accepted: None,
        message,
    }
}

fn tell(job: &Job<'_>, verdict: &SolverVerdict) -> Option<Finding> {
    if verdict.agrees {
        return None;
    }
    let place = Place::file(&job.set.path).with_subject(job.problem.id.as_str());
    let what = verdict.message.as_deref().unwrap_or("it does not pass");
    Some(Finding::new("solver-fails", place, format!("the reference program fails its own tests: {what}")))
}
