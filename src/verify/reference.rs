//! L1: every stored solver of every set is executed and must reproduce its stored answer.
//!
//! Shortcut programs are held against the stored shortcut values, and against the problem's own
//! answer as well: a shortcut that passes the problem it belongs to can never be recorded as captured.

use super::difference::Difference;
use super::engines::{self, Compared};
use super::ladder::{Level, LevelSummary};
use super::rows::{Ran, SolverVerdict};
use super::tested::reference_programs;
use super::unchecked::Unchecked;
use super::whole::Means;
use crate::archive::Actual;
use crate::corpus::{Answer, Corpus, Problem, Set, Shortcut};
use crate::engine::{Engine, EngineError, Outcome, Program};
use crate::grade::graders::{Checks, Given, Graders, Rule};
use crate::grade::units::{self, Scale};
use crate::grade::{self, Lookup, Route, python};
use crate::number;
use crate::report::{Finding, Findings, Place};
use crate::study::Study;
use crate::world::Progress;

/// One stored program and the answer it must reproduce.
struct Job<'c> {
    set: &'c Set,
    set_grader: Option<&'c str>,
    problem: &'c Problem,
    shortcut: bool,
    answers: Vec<Answer>,
    program: Program,
}

/// What level L1 found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Executed {
    /// One verdict per stored program, by set, id, solver before shortcut.
    pub solvers: Vec<SolverVerdict>,
    /// Programs on which the first two engines differ.
    pub disagreements: Vec<Ran>,
}

/// Executes every stored solver and shortcut of the corpus.
pub fn reference(
    study: &Study,
    corpus: &Corpus,
    means: Means<'_>,
    progress: &dyn Progress,
) -> Result<(LevelSummary, Executed, Findings), EngineError> {
    let engines = means.engines;
    let mut summary = LevelSummary::new(Level::L1);
    let mut findings = Findings::default();
    let jobs = jobs(study, corpus, means.graders, &mut summary);
    if engines.is_empty() {
        summary.skip(Unchecked::NoEngine, jobs.len());
        let mut executed = Executed::default();
        let told = reference_programs(study, corpus, means, progress, &mut summary, &mut executed)?;
        findings.extend(told.iter().cloned());
        return Ok((summary, executed, findings));
    }
    let programs: Vec<Program> = jobs.iter().map(|job| job.program.clone()).collect();
    progress.begin("executing stored solvers", engines::work(engines, programs.len()));
    let outcomes = engines::run_all(engines, &programs, &engines::limits(study), progress);
    progress.finish();
    let outcomes = outcomes?;
    let mut executed = Executed::default();
    let rule = Rule { tolerance: study.grading.tolerance };
    for (position, job) in jobs.iter().enumerate() {
        let verdicts: Vec<SolverVerdict> = engines
            .iter()
            .zip(&outcomes)
            .map(|(engine, all)| verdict(job, &all[position], &engine.identity().engine, (means.graders, rule)))
            .collect();
        executed.disagreements.extend(compare(job, engines, &outcomes, position, &verdicts));
        let best = verdicts.iter().position(|verdict| verdict.agrees).unwrap_or(0);
        findings.extend(tell(job, &verdicts[best]));
        summary.count(verdicts[best].agrees);
        executed.solvers.extend(verdicts.into_iter().nth(best));
    }
    let valued = executed.solvers.len();
    let remark = remark(&executed.solvers);
    let told = reference_programs(study, corpus, means, progress, &mut summary, &mut executed)?;
    findings.extend(told.iter().cloned());
    let tested = &executed.solvers[valued..];
    let passing = tested.iter().filter(|solver| solver.agrees).count();
    summary.remark = match (valued, tested.len()) {
        (0, 0) => None,
        (_, 0) => Some(remark),
        (0, all) => Some(format!("{passing} of {all} reference programs pass their own tests")),
        (_, all) => Some(format!("{remark}; {passing} of {all} reference programs pass their own tests")),
    };
    executed.solvers.sort_by(|a, b| (&a.set, &a.id, a.shortcut).cmp(&(&b.set, &b.id, b.shortcut)));
    findings.extend(tell_near(&executed.solvers));
    Ok((summary, executed, findings))
}

fn jobs<'c>(study: &'c Study, corpus: &'c Corpus, graders: Graders<'_>, summary: &mut LevelSummary) -> Vec<Job<'c>> {
    let mut jobs = Vec::new();
    for set in &corpus.sets {
        let set_grader = study.set(set.id.as_str()).and_then(|declared| declared.grader.as_deref());
        for problem in &set.problems {
            match &problem.solver {
                // Nothing says what it should give, or nothing that can be compared with.
                Some(_) if problem.answers.is_empty() => summary.skip(Unchecked::NoAnswers, 1),
                Some(_) if !read(graders, set_grader, problem) => summary.skip(Unchecked::OtherForm, 1),
                Some(source) => jobs.push(Job {
                    set,
                    set_grader,
                    problem,
                    shortcut: false,
                    answers: problem.answers.clone(),
                    program: Program::new(source.clone()),
                }),
                // Imported items with options never had programs.
                None if problem.choice.is_some() => {}
                // Its reference program is judged by its tests.
                None if problem.tests.is_some() => {}
                None if problem.answers.is_empty() => summary.skip(Unchecked::NoAnswers, 1),
                None => summary.skip(Unchecked::NoProgram, 1),
            }
            let Some(shortcut) = &problem.shortcut else { continue };
            match &shortcut.program {
                Some(source) if !shortcut.values.is_empty() => jobs.push(Job {
                    set,
                    set_grader,
                    problem,
                    shortcut: true,
                    answers: shortcut_answers(shortcut),
                    program: Program::new(source.clone()),
                }),
                Some(_) => summary.skip(Unchecked::NoShortcutValues, 1),
                None => summary.skip(Unchecked::NoShortcutProgram, 1),
            }
        }
    }
    jobs
}

/// Whether the grader of a problem compares with what it accepts.
fn read(graders: Graders<'_>, declared: Option<&str>, problem: &Problem) -> bool {
    let checks = Checks { answers: &problem.answers, ..Checks::NONE };
    graders.of(declared, &checks).reads(&checks)
}

fn shortcut_answers(shortcut: &Shortcut) -> Vec<Answer> {
    let answer = |(sub, value): &(std::sync::Arc<str>, f64)| Answer {
        sub: sub.clone(),
        value: number::repr(*value).into(),
        unit: "".into(),
    };
    shortcut.values.iter().map(answer).collect()
}

fn verdict(job: &Job<'_>, outcome: &Outcome, engine: &str, (graders, rule): (Graders<'_>, Rule)) -> SolverVerdict {
    let judge = |answers: &[Answer]| {
        let checks = Checks { answers, ..Checks::NONE };
        let judged = graders.of(job.set_grader, &checks).judge(&checks, &Given::Returned(&outcome.returned), rule);
        judged.map_or_else(grade::Grade::empty, |judged| judged.into_parts().reference)
    };
    let grade = if outcome.status.is_ok() { judge(&job.answers) } else { grade::Grade::empty() };
    let accepted = (job.shortcut && outcome.status.is_ok()).then(|| judge(&job.problem.answers).passed);
    let by = |wanted: fn(&grade::SubGrade) -> bool| grade.subs.iter().filter(|sub| wanted(sub)).count();
    SolverVerdict {
        set: job.set.id.clone(),
        id: job.problem.id.clone(),
        shortcut: job.shortcut,
        agrees: grade.passed,
        engine: engine.to_owned(),
        status: outcome.status.name().to_owned(),
        difference: difference(&job.answers, &grade),
        as_printed: grade.passed && grade.subs.iter().all(|sub| is_as_printed(&job.answers, sub)),
        by_position: by(|sub| matches!(sub.lookup, Lookup::Position(_))),
        by_unit: by(|sub| matches!(sub.route, Some(Route::Scalar | Route::Compound))),
        accepted,
        message: (!outcome.status.is_ok()).then(|| outcome.message.clone()),
    }
}

/// Largest difference of a returned value from the nearest accepted one.
fn difference(answers: &[Answer], grade: &grade::Grade) -> Difference {
    let of_sub = |sub: &grade::SubGrade| {
        let Actual::Number(found) = sub.actual else {
            return Difference::NotComparable;
        };
        let accepted = answers.iter().filter(|answer| answer.sub == sub.sub);
        let stored = accepted.filter_map(|answer| python::float(python::strip(&answer.value)));
        let nearest = stored.map(|stored| Difference::between(found, stored)).reduce(Difference::min);
        nearest.unwrap_or(Difference::NotComparable)
    };
    grade.subs.iter().map(of_sub).fold(Difference::Nothing, Difference::max)
}

/// True when the value of a sub-answer rounds to an accepted one at the digits that this one is printed with.
fn is_as_printed(answers: &[Answer], sub: &grade::SubGrade) -> bool {
    let Actual::Number(found) = sub.actual else { return false };
    let unit = sub.actual_unit.as_deref().unwrap_or("None");
    let met = |answer: &&Answer| answer.sub == sub.sub;
    answers.iter().filter(met).any(|answer| {
        let text = python::strip(&answer.value);
        let Some(stored) = python::float(text) else { return false };
        let converted = match (units::scalar(&answer.unit), units::scalar(unit)) {
            (Some(Scale::Factor(left, to)), Some(Scale::Factor(right, from))) if left == right => found * from / to,
            _ => found,
        };
        let rounding = Difference::between(converted, stored).is_rounding();
        rounding || (converted - stored).abs() <= 0.5 * last_place(text) * (1.0 + 1e-9)
    })
}

/// Value of one unit in the last printed place of a decimal number: 0.01 for `1.25`, 100 for `1.25e4`.
fn last_place(text: &str) -> f64 {
    let lower = text.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    10_f64.powi(exponent.saturating_sub(i32::try_from(decimals).unwrap_or(i32::MAX)))
}

fn compare(
    job: &Job<'_>,
    engines: &[&dyn Engine],
    outcomes: &[Vec<Outcome>],
    position: usize,
    verdicts: &[SolverVerdict],
) -> Option<Ran> {
    let ([first, second, ..], [left, right, ..]) = (engines, outcomes) else {
        return None;
    };
    let kind = if job.shortcut { " (shortcut)" } else { "" };
    let compared = Compared {
        place: format!("{}{kind}", job.set.id),
        id: &job.problem.id,
        source: &job.program.source,
        verdicts: [verdicts[0].agrees, verdicts[1].agrees],
    };
    engines::disagreement([first.identity(), second.identity()], [&left[position], &right[position]], &compared)
}

fn tell(job: &Job<'_>, verdict: &SolverVerdict) -> Option<Finding> {
    if verdict.agrees {
        return None;
    }
    let place = Place::file(&job.set.path).with_subject(job.problem.id.as_str());
    let what = if job.shortcut { "the shortcut program" } else { "the solver" };
    if let Some(message) = &verdict.message {
        return Some(Finding::new("solver-fails", place, format!("{what} ends as {}: {message}", verdict.status)));
    }
    let class = match verdict.difference {
        Difference::Relative(relative) => format!("relative difference {}", number::general(relative, 3)),
        other => other.class().to_owned(),
    };
    Some(Finding::new("solver-differs", place, format!("{what} does not reproduce the stored values ({class})")))
}

/// Solvers that agree within the tolerance only; one finding, because rounded answers of textbooks are many.
fn tell_near(solvers: &[SolverVerdict]) -> Option<Finding> {
    let near = |solver: &&SolverVerdict| solver.agrees && !solver.difference.is_rounding() && !solver.as_printed;
    let ids: Vec<_> = solvers.iter().filter(near).map(|solver| solver.id.as_str()).collect();
    (!ids.is_empty()).then(|| {
        let shown = ids.iter().take(20).copied().collect::<Vec<_>>().join(", ");
        let more = if ids.len() > 20 { ", ..." } else { "" };
        let message = format!("{} within tolerance, not equal: {shown}{more}", ids.len());
        Finding::new("solver-near", Place::subject("stored solvers"), message)
    })
}

fn remark(solvers: &[SolverVerdict]) -> String {
    let of = |count: usize| number::grouped(count as u64);
    let count = |wanted: fn(&SolverVerdict) -> bool| of(solvers.iter().filter(|s| s.agrees && wanted(s)).count());
    let parts = [
        (count(|s| s.difference == Difference::BitIdentical), "equal to the last bit"),
        (count(|s| matches!(s.difference, Difference::Ulps(_))), "within 64 units in the last place"),
        (count(|s| !s.difference.is_rounding() && s.as_printed), "equal to the digits that are stored"),
        (count(|s| !s.difference.is_rounding() && !s.as_printed), "within the tolerance and not equal"),
        (of(solvers.iter().map(|s| s.by_position).sum()), "answers found by their position instead of their name"),
        (of(solvers.iter().map(|s| s.by_unit).sum()), "answers found by their unit"),
    ];
    let some = parts.iter().filter(|(count, _)| count != "0");
    some.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(stored: &str, unit: &str, found: f64, found_unit: &str) -> bool {
        let answers = [Answer { sub: "1".into(), value: stored.into(), unit: unit.into() }];
        let object = [("value".to_owned(), found), ("unit".to_owned(), 0.0)];
        let value = crate::json::Value::Object(
            object
                .into_iter()
                .map(|(key, value)| {
                    let text = crate::json::Value::Text(found_unit.to_owned());
                    let number = crate::json::Value::Number(crate::json::Number::from_f64(value));
                    (key.clone(), if key == "unit" { text } else { number })
                })
                .collect(),
        );
        let grade = grade::verify(&answers, &[("1".to_owned(), value)], 0.05);
        assert!(grade.passed, "{stored} {unit} {found} {found_unit}");
        is_as_printed(&answers, &grade.subs[0])
    }

    #[test]
    fn as_rounded_is_within_the_stored_digits_only() {
        for (stored, unit, found, found_unit, expected) in [
            ("1.5", "m", 1.5499, "m", true),
            ("1.5", "m", 1.5 * 1.0499, "m", false),
            ("100", "m", 104.99, "m", false),
            ("100", "m", 100.4, "m", true),
            ("1.25e4", "", 12_549.0, "", true),
            ("1.25e4", "", 12_560.0, "", false),
            ("127.3276865061983", "yr", 127.327_686_506_198_3, "yr", true),
            ("1.5", "cm", 0.0156, "m", false),
            ("1.5", "cm", 0.015_04, "m", true),
        ] {
            assert_eq!(printed(stored, unit, found, found_unit), expected, "{stored} {unit} {found}");
        }
    }
}
