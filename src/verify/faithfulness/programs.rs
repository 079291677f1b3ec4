//! Hard-coded answers among the programs that models wrote; part of the fabrication audit.
//!
//! A program that prints the numbers it was to compute has not computed them. Every graded program is
//! read and run once more with all its inputs changed; only where neither shows a computation is it
//! audited input by input, because an archive holds hundreds of thousands of them.

use rayon::prelude::*;
use serde::Serialize;

use super::audit::{Audit, Subject, audit};
use super::perturb::{all_perturbed, any_moves};
use crate::archive::RunKey;
use crate::engine::{Engine, EngineError, Limits, Outcome, Program};
use crate::id::ProblemId;
use crate::syntax::{Held, shape};
use crate::world::Silent;

/// How a program avoids computing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quoting {
    /// Every answer is written down as a number.
    All,
    /// Some of several answers are written down, the others are computed.
    Some,
    /// It computes, but no input moves any answer.
    InputsIgnored,
}

impl Quoting {
    /// What it means, for pages.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::All => "every answer is written in the program",
            Self::Some => "some answers are written in the program",
            Self::InputsIgnored => "no input moves any answer",
        }
    }
}

/// A graded model program that does not compute all its answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ProgramAudit {
    /// Run.
    pub run: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// File the text came from.
    pub file: String,
    /// Position of the record in that file.
    pub record: usize,
    /// Attempt, from 0.
    pub attempt: usize,
    /// How it avoids computing.
    pub quoting: Quoting,
    /// Keys of the answers that are written down.
    pub answers: Vec<String>,
    /// Inputs that were changed.
    pub inputs: usize,
    /// Verdict of the answer.
    pub passed: Option<bool>,
}

/// Graded programs of a run that were audited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AuditedRun {
    /// Run.
    pub run: RunKey,
    /// How many.
    pub programs: usize,
}

/// A graded program, where it stands, and what it returned.
#[derive(Debug, Clone)]
pub struct GradedProgram<'a> {
    /// Where it stands.
    pub place: ProgramPlace,
    /// The program.
    pub program: &'a Program,
    /// Its unperturbed outcome.
    pub outcome: &'a Outcome,
}

/// Where a program stands.
#[derive(Debug, Clone)]
pub struct ProgramPlace {
    /// Run.
    pub run: RunKey,
    /// Problem.
    pub id: ProblemId,
    /// File the text came from.
    pub file: String,
    /// Position of the record in that file.
    pub record: usize,
    /// Attempt, from 0.
    pub attempt: usize,
    /// Verdict of the answer.
    pub passed: Option<bool>,
}

/// Audits programs that ran well; returns those that do not compute every answer, in order.
pub fn programs(
    engine: &dyn Engine,
    graded: &[GradedProgram<'_>],
    limits: &Limits,
) -> Result<Vec<ProgramAudit>, EngineError> {
    let read: Vec<(bool, Option<Program>)> = graded.par_iter().map(|one| suspicion(one.program)).collect();
    let moved: Vec<Program> = read.iter().filter_map(|(_, moved)| moved.clone()).collect();
    let outcomes = engine.run(&moved, limits, &Silent)?;
    let mut outcomes = outcomes.iter();
    let mut suspects = Vec::new();
    for (one, (quotes, moved)) in graded.iter().zip(&read) {
        let still = moved.is_some() && outcomes.next().is_none_or(|after| !any_moves(one.outcome, after));
        if *quotes || still {
            suspects.push(one);
        }
    }
    let subject = |one: &&GradedProgram<'_>| Subject {
        id: one.place.id.to_string(),
        source: one.program.source.clone(),
        about: String::new(),
    };
    let subjects: Vec<Subject> = suspects.iter().map(subject).collect();
    let audits = audit(engine, &subjects, limits, &Silent)?;
    Ok(suspects.iter().zip(audits).filter_map(|(one, audit)| row(&one.place, &audit)).collect())
}

/// Whether the text holds an answer as a number, and the program with all inputs changed.
fn suspicion(program: &Program) -> (bool, Option<Program>) {
    let Ok(shape) = shape(&program.source) else { return (false, None) };
    let quotes = shape.answers.iter().any(|answer| answer.held == Held::Literal);
    (quotes, shape.parameters.and_then(|parameters| all_perturbed(program, &parameters)))
}

fn row(place: &ProgramPlace, audit: &Audit) -> Option<ProgramAudit> {
    let quoting = match () {
        () if audit.fault.is_some() || !audit.status.is_ok() => return None,
        () if audit.is_hard_coded() => Quoting::All,
        () if audit.computes() == Some(false) => Quoting::InputsIgnored,
        () if !audit.literal_answers.is_empty() => Quoting::Some,
        () => return None,
    };
    let place = place.clone();
    Some(ProgramAudit {
        run: place.run,
        id: place.id,
        file: place.file,
        record: place.record,
        attempt: place.attempt,
        quoting,
        answers: audit.literal_answers.clone(),
        inputs: audit.parameters.iter().filter(|parameter| parameter.default.is_some()).count(),
        passed: place.passed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::{Fake, answers};

    const QUOTES: &str = "def solve(t=2.0):\n    return {'1': {'value': 4.2, 'unit': 'K'}}\n";
    const STILL: &str = "def solve(t=2.0):\n    return {'1': {'value': t * 0 + 4.2, 'unit': 'K'}}\n";
    const MOVES: &str = "def solve(t=2.0):\n    return {'1': {'value': t * 2.1, 'unit': 'K'}}\n";
    const HALF: &str = "def solve(t=2.0):\n    return {'1': {'value': t * 2.1}, '2': {'value': 7.5}}\n";
    const BROKEN: &str = "def solve(:";

    fn audited(source: &str, moved: Option<&Outcome>) -> Option<Quoting> {
        let program = Program::new(source);
        let outcome = answers(&[("1", "4.2", "K")]);
        let mut engine = Fake::new("fake").otherwise(outcome.clone());
        if let (Some(moved), Ok(shape)) = (moved, shape(source)) {
            let parameters = shape.parameters.unwrap();
            engine = engine.with(&all_perturbed(&program, &parameters).unwrap(), moved.clone());
            for value in [2.1, 1.9] {
                let argument = ("t".to_owned(), crate::json::Value::Number(crate::json::Number::from_f64(value)));
                engine = engine.with(&program.clone().with_arguments(vec![argument]), moved.clone());
            }
        }
        let run = RunKey { experiment: "e".into(), configuration: "m".into(), run: 1 };
        let place = ProgramPlace { run, id: "p".into(), file: "f".into(), record: 0, attempt: 0, passed: Some(true) };
        let graded = [GradedProgram { place, program: &program, outcome: &outcome }];
        let rows = programs(&engine, &graded, &Limits::default()).unwrap();
        rows.first().map(|row| row.quoting)
    }

    #[test]
    fn quoted_ignored_and_computed_answers_are_told_apart() {
        let other = answers(&[("1", "4.41", "K")]);
        assert_eq!(audited(QUOTES, None), Some(Quoting::All));
        assert_eq!(audited(STILL, None), Some(Quoting::InputsIgnored));
        assert_eq!(audited(MOVES, Some(&other)), None);
        assert_eq!(audited(HALF, Some(&other)), Some(Quoting::Some));
        assert_eq!(audited(BROKEN, None), None);
    }
}
