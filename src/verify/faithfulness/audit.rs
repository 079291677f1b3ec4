//! The audit of a set of solvers.

use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::explained::is_explained;
use super::perturb::{Movement, ParameterAudit, movement, numbers, perturbable, perturbed, points};
use crate::engine::{Engine, EngineError, Limits, Outcome, Program, Status};
use crate::syntax::{Held, Parameter, Shape, shape};
use crate::world::{Progress, Silent};

/// Solvers audited in one batch, so that memory stays bounded.
const BATCH: usize = 256;
/// Factors by which the invariant scales a temperature.
const WARMING: [f64; 5] = [0.9, 0.95, 1.0, 1.05, 1.1];

/// A solver to audit.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// Id of the problem.
    pub id: String,
    /// Its program.
    pub source: Arc<str>,
    /// Statement and knowledge points as one text; decides whether the invariant applies.
    pub about: String,
}

/// A literal without explanation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unexplained {
    /// As written.
    pub text: String,
    /// Line from 1.
    pub line: usize,
}

/// Whether saturation vapour pressure (or what follows from it) does not fall with temperature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "invariant", rename_all = "kebab-case")]
pub enum Invariant {
    /// The problem is of another kind, or no parameter is a temperature.
    NotApplicable,
    /// The first output never decreases.
    Holds,
    /// It decreases while this parameter is raised.
    Violated {
        /// Name of the parameter.
        parameter: String,
    },
}

/// What the audit says of one solver.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Audit {
    /// Id of the problem.
    pub id: String,
    /// Status of the unperturbed run.
    pub status: Status,
    /// Why the text could not be parsed, if so; everything below is empty then.
    pub fault: Option<String>,
    /// Parameters in order.
    pub parameters: Vec<ParameterAudit>,
    /// Literals without explanation.
    pub unexplained: Vec<Unexplained>,
    /// Keys of answers whose number is written in the program, wherever it returns them.
    pub literal_answers: Vec<String>,
    /// Keys of answers computed from constants only.
    pub constant_answers: Vec<String>,
    /// Keys of answers that depend on something else.
    pub computed_answers: Vec<String>,
    /// The physical check.
    pub invariant: Invariant,
}

impl Audit {
    /// Parameters with this movement.
    pub fn with_movement(&self, movement: Movement) -> impl Iterator<Item = &ParameterAudit> {
        self.parameters.iter().filter(move |parameter| parameter.movement == movement)
    }

    /// True when there is something to look at.
    pub fn is_flagged(&self) -> bool {
        self.fault.is_some()
            || !self.status.is_ok()
            || self.with_movement(Movement::Ignored).next().is_some()
            || !self.unexplained.is_empty()
            || !self.literal_answers.is_empty()
            || self.violates_physics()
    }

    /// True when a saturation quantity falls while a temperature is raised.
    pub const fn violates_physics(&self) -> bool {
        matches!(self.invariant, Invariant::Violated { .. })
    }

    /// Whether the program runs, does not quote its answers, and some input moves some answer. `None` where
    /// nothing was seen: it has no input that can be changed, or fails whenever one is.
    pub fn computes(&self) -> Option<bool> {
        if self.fault.is_some() || !self.status.is_ok() || self.is_hard_coded() {
            return Some(false);
        }
        let any = |movement| self.with_movement(movement).next().is_some();
        match (any(Movement::Moves), any(Movement::Ignored), any(Movement::Fragile)) {
            (true, _, _) => Some(true),
            (false, true, false) => Some(false),
            _ => None,
        }
    }

    /// True when every answer that the program writes is a literal: nothing is computed at all.
    pub fn is_hard_coded(&self) -> bool {
        !self.literal_answers.is_empty()
            && self.constant_answers.is_empty()
            && self.computed_answers.is_empty()
            && self.parameters.iter().all(|parameter| parameter.movement != Movement::Moves)
    }
}

/// Audits `subjects` in order: one run of each, two of each perturbable parameter, five of each
/// temperature where the invariant applies. Progress counts subjects.
pub fn audit(
    engine: &dyn Engine,
    subjects: &[Subject],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Vec<Audit>, EngineError> {
    let mut audits = Vec::with_capacity(subjects.len());
    for batch in subjects.chunks(BATCH) {
        let plans: Vec<Plan> = batch.par_iter().map(Plan::new).collect();
        let programs: Vec<Program> = plans.iter().flat_map(|plan| plan.programs.iter().cloned()).collect();
        let outcomes = engine.run(&programs, limits, &Silent)?;
        progress.advance(batch.len() as u64);
        let mut rest = outcomes.as_slice();
        for plan in plans {
            let (own, others) = rest.split_at(plan.programs.len());
            rest = others;
            audits.push(plan.judge(own));
        }
    }
    Ok(audits)
}

/// What is run for one subject: first the program as it is, then pairs, then series of five.
struct Plan {
    id: String,
    shape: Result<Shape, String>,
    programs: Vec<Program>,
    warmed: Vec<String>,
}

impl Plan {
    fn new(subject: &Subject) -> Self {
        let program = Program::new(Arc::clone(&subject.source));
        let mut programs = vec![program.clone()];
        let shape = shape(&subject.source).map_err(|fault| fault.to_string());
        let mut warmed = Vec::new();
        let about = subject.about.to_lowercase();
        let saturation = about.contains("saturation") && about.contains("vapor");
        let parameters = || shape.iter().flat_map(|shape| shape.parameters.iter().flatten());
        for (parameter, default) in parameters().filter_map(|p| Some((p, perturbable(p)?))) {
            programs.extend(points(default).map(|value| perturbed(&program, &parameter.name, value)));
        }
        for (parameter, default) in parameters().filter_map(|p| Some((p, perturbable(p)?))) {
            if saturation && parameter.name.to_lowercase().starts_with('t') {
                programs.extend(WARMING.map(|factor| perturbed(&program, &parameter.name, factor * default)));
                warmed.push(parameter.name.clone());
            }
        }
        Self { id: subject.id.clone(), shape, programs, warmed }
    }

    fn judge(self, outcomes: &[Outcome]) -> Audit {
        let (base, mut rest) = (&outcomes[0], &outcomes[1..]);
        let mut audit = Audit {
            id: self.id,
            status: base.status.clone(),
            fault: None,
            parameters: Vec::new(),
            unexplained: Vec::new(),
            literal_answers: Vec::new(),
            constant_answers: Vec::new(),
            computed_answers: Vec::new(),
            invariant: Invariant::NotApplicable,
        };
        let shape = match self.shape {
            Ok(shape) => shape,
            Err(fault) => return Audit { fault: Some(fault), ..audit },
        };
        for parameter in shape.parameters.iter().flatten() {
            audit.parameters.push(judge_parameter(parameter, base, &mut rest));
        }
        let defaults: Vec<f64> = audit.parameters.iter().filter_map(|parameter| parameter.default).collect();
        let unexplained = shape.literals.iter().filter(|literal| !is_explained(literal, &defaults));
        audit.unexplained = unexplained.map(|l| Unexplained { text: l.text.clone(), line: l.line }).collect();
        for (key, held) in held_by_key(&shape) {
            match held {
                Held::Literal => audit.literal_answers.push(key),
                Held::Constant => audit.constant_answers.push(key),
                Held::Computed => audit.computed_answers.push(key),
            }
        }
        for (parameter, series) in self.warmed.into_iter().zip(rest.chunks(WARMING.len())) {
            let first: Vec<f64> = series.iter().filter_map(|o| numbers(o).first().copied().flatten()).collect();
            let falls = first.windows(2).any(|pair| pair[1] < pair[0]);
            match (&audit.invariant, falls) {
                (Invariant::Violated { .. }, _) => {}
                (_, true) => audit.invariant = Invariant::Violated { parameter },
                (_, false) => audit.invariant = Invariant::Holds,
            }
        }
        audit
    }
}

/// How each answer is held where it is computed most: a guard that returns a fixed number early does not
/// make an answer a quoted one. In the order of the program.
fn held_by_key(shape: &Shape) -> Vec<(String, Held)> {
    let mut keys: Vec<(String, Held)> = Vec::new();
    for answer in &shape.answers {
        match keys.iter_mut().find(|(key, _)| *key == answer.key) {
            Some((_, held)) => *held = (*held).max(answer.held),
            None => keys.push((answer.key.clone(), answer.held)),
        }
    }
    keys
}

fn judge_parameter(parameter: &Parameter, base: &Outcome, rest: &mut &[Outcome]) -> ParameterAudit {
    let default = perturbable(parameter);
    let movement = match (default, *rest) {
        (Some(_), [up, down, others @ ..]) => {
            *rest = others;
            if base.status.is_ok() { movement(base, [up, down]) } else { Movement::NotPerturbed }
        }
        _ => Movement::NotPerturbed,
    };
    ParameterAudit { name: parameter.name.clone(), default, movement, unread: !parameter.read }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::{Fake, answers};

    #[test]
    fn ignored_fragile_literal_and_falling_are_told_apart() {
        let source =
            "def solve(t=300.0, dead=2.0, odd=1.0):\n    return {'1': {'value': t * 19.75}, '2': {'value': 4.5}}\n";
        let program = Program::new(source);
        let base = answers(&[("1", "5925", ""), ("2", "4.5", "")]);
        let warm = |factor: f64| {
            let value = (5925.0 * factor).to_string();
            (perturbed(&program, "t", 300.0 * factor), answers(&[("1", &value, ""), ("2", "4.5", "")]))
        };
        let mut fake = Fake::new("fake").with(&program, base.clone());
        for factor in [0.9, 0.95, 1.0, 1.05] {
            let (program, outcome) = warm(factor);
            fake = fake.with(&program, outcome);
        }
        // At the last point the first output falls.
        fake = fake.with(&perturbed(&program, "t", 300.0 * 1.1), answers(&[("1", "1", ""), ("2", "4.5", "")]));
        for value in points(2.0) {
            fake = fake.with(&perturbed(&program, "dead", value), base.clone());
        }
        let about = "Saturation pressure of water vapor".to_owned();
        let subject = Subject { id: "p".into(), source: source.into(), about };
        let audits = audit(&fake, &[subject], &Limits::default(), &Silent).unwrap();
        let movements: Vec<_> = audits[0].parameters.iter().map(|p| (p.movement, p.unread)).collect();
        assert_eq!(movements, [(Movement::Moves, false), (Movement::Ignored, true), (Movement::Fragile, true)]);
        assert_eq!(audits[0].literal_answers, ["2"]);
        assert_eq!(audits[0].unexplained.iter().map(|u| u.text.as_str()).collect::<Vec<_>>(), ["19.75", "4.5"]);
        assert_eq!(audits[0].invariant, Invariant::Violated { parameter: "t".into() });
        assert!(audits[0].is_flagged() && !audits[0].is_hard_coded());
    }

    #[test]
    fn a_guard_that_returns_early_is_no_quoted_answer() {
        let shape =
            shape("def solve(x=2.0):\n    if x < 0:\n        return {'1': 0.0}\n    return {'1': x * 2, '2': 4.5}\n");
        let held = held_by_key(&shape.unwrap());
        assert_eq!(held, [("1".to_owned(), Held::Computed), ("2".to_owned(), Held::Literal)]);
    }

    #[test]
    fn a_text_that_does_not_parse_says_so() {
        let subject = Subject { id: "p".into(), source: "def solve(:".into(), about: String::new() };
        let audits = audit(&Fake::new("fake"), &[subject], &Limits::default(), &Silent).unwrap();
        assert!(audits[0].fault.is_some() && audits[0].is_flagged());
    }
}
