//! What was recorded against what came out.

use super::super::difference::Difference;
use super::super::rows::{AttemptVerdict, Cause, Graded as Told, LensRow, ReplayVerdict, Shown};
use super::case::{Answered, Case};
use crate::archive::{Actual, AttemptOutcome, Hindrance, State, SubAnswer};
use crate::engine::{Outcome, Status};
use crate::grade::graders::{Checks, Given, Parts, Rule};
use crate::grade::prose::{self, Reading};
use crate::grade::{Accepted, Grade, Judgement, Reason, StrictGrade, lens};
use crate::json::Value;

/// Values further apart than this are told as a difference of value.
const SAME_VALUE: f64 = 1e-9;

/// A returned mapping and its marks.
type Graded<'o> = (&'o [(String, Value)], Parts);

/// What one attempt comes to now.
struct Found<'o> {
    /// Mapping and mark of a gradable answer, or why there is none.
    answer: Result<Graded<'o>, String>,
    status: Option<&'o Status>,
    extraction_differs: bool,
    other_passed: Option<bool>,
}

/// Verdicts of a record and its attempts under one engine, and where the lenses differ on its answer.
pub(super) struct Judged {
    pub(super) verdict: ReplayVerdict,
    pub(super) attempts: Vec<AttemptVerdict>,
    pub(super) lenses: Vec<LensRow>,
}

/// Judges a case; `outcomes` belong to [`Case::programs`], in order.
pub(super) fn judge(case: &Case, outcomes: &[Outcome]) -> Judged {
    let mut outcomes = outcomes.iter();
    let found: Vec<Found<'_>> = case.attempts.iter().map(|answered| find(case, answered, &mut outcomes)).collect();
    let mut attempts: Vec<AttemptVerdict> =
        found.iter().enumerate().map(|(attempt, found)| attempt_verdict(case, attempt, found)).collect();
    let graded = case.graded_attempt();
    let verdict = record_verdict(case, &found, &attempts, graded);
    if let (Some(graded), false) = (graded, verdict.agrees) {
        attempts[graded].agrees = false;
    }
    let answered = graded.and_then(|graded| Some((&case.attempts[graded], found[graded].answer.as_ref().ok()?)));
    let lenses = answered.map(|(answered, (_, parts))| lens_rows(case, answered, parts));
    Judged { verdict, attempts, lenses: lenses.unwrap_or_default() }
}

/// What the grader of a case says; an answer of a kind that it does not judge is not right.
fn graded(case: &Case, given: &Given<'_>) -> Parts {
    let checks = Checks { answers: &case.answers, ..Checks::NONE };
    let judged = case.grader.judge(&checks, given, Rule { tolerance: case.tolerance });
    judged.map_or_else(
        || Parts { reference: Grade::empty(), strict: StrictGrade::nothing() },
        crate::grade::graders::Judged::into_parts,
    )
}

fn find<'o>(case: &Case, answered: &'o Answered, outcomes: &mut std::slice::Iter<'o, Outcome>) -> Found<'o> {
    match answered {
        Answered::Boxed { returned, response } => Found {
            answer: returned
                .as_ref()
                .map(|returned| (returned.as_slice(), graded(case, &Given::Prose { returned, response })))
                .map_err(Clone::clone),
            status: None,
            extraction_differs: false,
            other_passed: None,
        },
        Answered::Picked { judged } => Found {
            answer: Ok((&[], judged.clone().into_parts())),
            status: None,
            extraction_differs: false,
            other_passed: None,
        },
        Answered::Program { program, other } => {
            let outcome = program.as_ref().and_then(|_| outcomes.next());
            let second = other.as_ref().and_then(|_| outcomes.next());
            let answer = match outcome {
                None => Err("no code in response".to_owned()),
                Some(outcome) => match &outcome.status {
                    Status::Ok => Ok((&*outcome.returned, graded(case, &Given::Returned(&outcome.returned)))),
                    Status::NotADict { kind } => Err(format!("solve() returned {kind}, expected dict")),
                    _ => Err(outcome.message.clone()),
                },
            };
            let other_passed =
                second.map(|o| o.status.is_ok() && graded(case, &Given::Returned(&o.returned)).reference.passed);
            let status = outcome.map(|outcome| &outcome.status);
            Found { answer, status, extraction_differs: other.is_some(), other_passed }
        }
    }
}

fn attempt_verdict(case: &Case, attempt: usize, found: &Found<'_>) -> AttemptVerdict {
    let recorded = match case.recorded(attempt) {
        AttemptOutcome::Graded => Told::Graded,
        AttemptOutcome::Ungradable(..) => Told::Ungradable,
        AttemptOutcome::Unknown => Told::Unknown,
    };
    let now = if found.answer.is_ok() { Told::Graded } else { Told::Ungradable };
    AttemptVerdict {
        run: case.run.clone(),
        id: case.record.id.clone(),
        file: case.file.clone(),
        record: case.position,
        attempt,
        recorded,
        found: now,
        agrees: recorded == Told::Unknown || recorded == now,
        status: found.status.map(|status| status.name().to_owned()),
        passed: found.answer.as_ref().ok().map(|(_, parts)| parts.reference.passed),
        reason: found.answer.as_ref().err().map(|reason| reason.chars().take(200).collect()),
        extraction_differs: found.extraction_differs,
        other_passed: found.other_passed,
    }
}

/// Cause of an outcome that differs, from the status and what is recorded to have stood in the way.
fn cause_of(recorded: &AttemptOutcome, found: &Found<'_>) -> Cause {
    if let (AttemptOutcome::Ungradable(_, hindrance), Ok(_)) = (recorded, &found.answer) {
        match hindrance {
            Hindrance::Time => return Cause::Timeout,
            Hindrance::Channel => return Cause::ResultChannel,
            Hindrance::Answer => {}
        }
    }
    match found.status {
        Some(Status::Timeout) => Cause::Timeout,
        Some(Status::Nondeterministic) => Cause::Nondeterministic,
        Some(Status::MissingModule { .. }) => Cause::MissingModule,
        Some(Status::Killed { .. }) => Cause::Killed,
        Some(Status::TooLarge) => Cause::TooLarge,
        Some(Status::Forged) => Cause::Forged,
        _ if found.extraction_differs => Cause::Extraction,
        _ => Cause::Outcome,
    }
}

fn record_verdict(
    case: &Case,
    found: &[Found<'_>],
    attempts: &[AttemptVerdict],
    graded: Option<usize>,
) -> ReplayVerdict {
    let answer = graded.and_then(|graded| found[graded].answer.as_ref().ok());
    let compared = answer.map(|(_, parts)| compare(case.record.details.as_deref(), &parts.reference));
    let mut verdict = ReplayVerdict {
        run: case.run.clone(),
        id: case.record.id.clone(),
        file: case.file.clone(),
        record: case.position,
        agrees: true,
        cause: None,
        recorded: case.record.passed,
        found: answer.map(|(_, parts)| parts.reference.passed),
        difference: compared.as_ref().map_or(Difference::Nothing, |compared| compared.difference),
        remark: None,
    };
    let reassigned = !case.record.regraded.is_empty();
    // An infrastructure error has no verdict, whatever stands in the member.
    let recorded = case.record.passed.filter(|_| case.record.state() != State::Excluded);
    let verdict_differs = recorded.unwrap_or(false) != verdict.found.unwrap_or(false);
    let cause = if let Some(differing) = attempts.iter().position(|attempt| !attempt.agrees) {
        let attempt = &attempts[differing];
        let reason = attempt.reason.as_deref().unwrap_or("an answer that grades");
        verdict.remark = Some(format!(
            "attempt {}: recorded {}, found {}: {reason}",
            differing + 1,
            attempt.recorded,
            attempt.found
        ));
        Some(cause_of(case.recorded(differing), &found[differing]))
    } else if recorded.is_none() && verdict.found.is_some() {
        verdict.remark = Some("no verdict is recorded".to_owned());
        Some(Cause::NotRecorded)
    } else if verdict_differs && !reassigned {
        let other = graded.and_then(|graded| found[graded].other_passed);
        let extraction = other.is_some() && other == case.record.passed;
        verdict.remark = Some("the verdict is another one".to_owned());
        Some(if extraction { Cause::Extraction } else { Cause::Flip })
    } else {
        verdict.remark = compared.and_then(|compared| compared.remark).filter(|_| !reassigned);
        verdict.remark.as_ref().map(|_| Cause::Value)
    };
    verdict.agrees = cause.is_none();
    verdict.cause = cause;
    verdict
}

struct ComparedAnswer {
    difference: Difference,
    /// What differs, in words; `None` when value, unit and mark are the same.
    remark: Option<String>,
}

/// Compares stored sub-answers with marks found: value, unit where one is stored, mark.
fn compare(details: Option<&[SubAnswer]>, grade: &Grade) -> ComparedAnswer {
    let mut compared = ComparedAnswer { difference: Difference::Nothing, remark: None };
    let Some(details) = details else {
        return compared;
    };
    if details.len() != grade.subs.len() {
        compared.remark = Some(format!("{} sub-answers are stored, {} found", details.len(), grade.subs.len()));
        return compared;
    }
    for (stored, found) in details.iter().zip(&grade.subs) {
        let difference = match (&stored.actual, &found.actual) {
            (Actual::Number(stored), Actual::Number(found)) => Difference::between(*found, *stored),
            (stored, found) if stored == found => Difference::BitIdentical,
            _ => Difference::NotComparable,
        };
        compared.difference = compared.difference.max(difference);
        let far = match difference {
            Difference::Relative(relative) => relative > SAME_VALUE,
            Difference::NotComparable => true,
            _ => false,
        };
        let unit_differs = stored.actual_unit.is_some()
            && stored.actual_unit.as_deref() != Some(found.actual_unit.as_deref().unwrap_or("None"));
        let what = match () {
            () if stored.sub != found.sub => Some("name"),
            () if far => Some("value"),
            () if unit_differs => Some("unit"),
            () if stored.passed != found.passed => Some("mark"),
            () => None,
        };
        if let (Some(what), None) = (what, &compared.remark) {
            compared.remark = Some(format!("sub {:?}: the {what} differs", stored.sub));
        }
    }
    compared
}

/// Where the strict lens decides otherwise on the answer that was graded.
fn lens_rows(case: &Case, answered: &Answered, Parts { reference: grade, strict }: &Parts) -> Vec<LensRow> {
    let misread = |position: usize| match answered {
        Answered::Program { .. } | Answered::Picked { .. } => false,
        Answered::Boxed { response, .. } => reads_differently(response, grade, position),
    };
    let record_differs = match strict.judgement {
        Judgement::Pass => !grade.passed,
        Judgement::Fail(_) => grade.passed,
        Judgement::Undecided(_) => false,
    };
    let mut rows = Vec::new();
    for (position, (mark, judged)) in grade.subs.iter().zip(&strict.subs).enumerate() {
        let of_sub = case.answers.iter().filter(|answer| answer.sub == mark.sub);
        let accepted: Vec<Accepted<'_>> = of_sub.map(|a| Accepted { value: &a.value, unit: &a.unit }).collect();
        let Some(reason) = lens::difference(mark, &accepted, judged.judgement) else { continue };
        rows.push(LensRow {
            run: case.run.clone(),
            id: case.record.id.clone(),
            sub: mark.sub.to_string(),
            reason: if misread(position) { Reason::ReaderArtefact } else { reason },
            reference: mark.passed,
            strict: judged.judgement == Judgement::Pass,
            record_differs,
            expected: accepted.first().map_or("", |a| a.value).to_owned(),
            expected_unit: accepted.first().map_or("", |a| a.unit).to_owned(),
            actual: Shown(mark.actual.clone()),
            actual_unit: mark.actual_unit.as_deref().map(str::to_owned),
        });
    }
    rows
}

/// True when the careful reading of a box is another number or unit than the study's.
fn reads_differently(response: &str, grade: &Grade, position: usize) -> bool {
    let readings = prose::answers(response, grade.subs.len());
    let mark = &grade.subs[position];
    match readings.get(position) {
        Some(Reading::Quantity(careful)) => {
            mark.actual != Actual::Number(careful.value) || mark.actual_unit.as_deref() != Some(&*careful.unit)
        }
        _ => mark.actual != Actual::Missing,
    }
}
