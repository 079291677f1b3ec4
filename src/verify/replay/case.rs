//! A record with archived texts, ready to be replayed.

use super::super::faithfulness::{GradedProgram, ProgramPlace};
use crate::archive::{AttemptOutcome, AttemptText, Record, RunKey, State};
use crate::corpus::{Answer, Corpus, Problem};
use crate::engine::{Outcome, Program};
use crate::grade::boxed::{Boxes, Quantity};
use crate::grade::graders::{Checks, Given as GivenText, Grader, Graders, Judged, Rule};
use crate::grade::{extract, option};
use crate::json::{Number, Object, Value};
use crate::study::{Given, Study};

/// Why a record with texts cannot be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotReplayable {
    /// No response text is archived.
    NoTexts,
    /// An infrastructure error: no answer came back.
    NoAnswer,
    /// The experiment is not declared.
    NoExperiment,
    /// The problem set was not archived.
    NoSet,
    /// The set does not hold the problem.
    NoProblem,
    /// The problem has neither accepted answers nor tests, so that no answer can be compared.
    NoRule,
    /// What the problem accepts is of a form that its grader does not compare with.
    OtherForm,
    /// Its test code is no Python that can be parsed, so no Python can run it.
    OtherLanguage,
    /// An option was picked and the right one is not stored.
    NoKey,
    /// An option was picked and the text does not say which.
    NoLetter,
}

/// What is to be graded in one response.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answered {
    /// A program; `None` when the response holds none.
    Program {
        /// As the study extracts it.
        program: Option<Program>,
        /// The last Python block, when that is another program.
        other: Option<Program>,
    },
    /// An option that the text picks.
    Picked {
        /// What the grader says of it.
        judged: Box<Judged>,
    },
    /// Boxed values, or why there are none, and the response for the strict reading.
    Boxed {
        /// Keyed `1`, `2`, ... as the study keys them.
        returned: Result<Vec<(String, Value)>, String>,
        /// The response itself.
        response: String,
    },
}

impl Answered {
    /// Programs that are executed for it.
    fn executed(&self) -> usize {
        match self {
            Self::Program { program, other } => usize::from(program.is_some()) + usize::from(other.is_some()),
            Self::Boxed { .. } | Self::Picked { .. } => 0,
        }
    }
}

/// One record to replay. It owns what it needs, because texts only stream by.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Run.
    pub run: RunKey,
    /// File.
    pub file: String,
    /// Position in the file.
    pub position: usize,
    /// The record.
    pub record: Record,
    /// Tolerance that the record was graded at.
    pub(super) tolerance: f64,
    pub(super) grader: &'static dyn Grader,
    pub(super) answers: Vec<Answer>,
    pub(super) attempts: Vec<Answered>,
}

impl Case {
    /// Prepares a record.
    pub fn new(
        graders: Graders<'_>,
        study: &Study,
        corpus: &Corpus,
        run: &RunKey,
        record: &Record,
        texts: &[AttemptText<'_>],
    ) -> Result<Self, NotReplayable> {
        let answered = texts.iter().any(|text| !text.response.is_empty());
        let (given, problem) = Self::ground(study, corpus, run, record, answered)?;
        if given != Given::Option && problem.answers.is_empty() {
            // Test code judges programs of whole runs only.
            return Err(NotReplayable::NoRule);
        }
        let all = Checks::of(problem);
        // The same item may be asked with options and as a computation: what was computed is judged by its values.
        let checks = if given == Given::Option { all } else { Checks { choice: None, tests: None, ..all } };
        let grader = graders.of(study.declared_grader(run.experiment.as_str()), &checks);
        if !grader.reads(&checks) {
            return Err(NotReplayable::OtherForm);
        }
        let need = problem.subs().len();
        let attempts = match given {
            Given::Option => {
                let pick = |text: &AttemptText<'_>| picked(grader, problem, &text.response);
                let last = texts.last().map(pick).ok_or(NotReplayable::NoTexts)?;
                if last.reference.is_none() {
                    return Err(NotReplayable::NoLetter);
                }
                // An earlier response without a letter was not the answer.
                let earlier = texts[..texts.len() - 1].iter().map(pick);
                earlier.chain([last]).map(|judged| Answered::Picked { judged: Box::new(judged) }).collect()
            }
            Given::Prose => texts.iter().map(|text| boxed(&text.response, need)).collect(),
            Given::Program => texts.iter().map(|text| program(&text.response)).collect(),
        };
        Ok(Self {
            run: run.clone(),
            file: String::new(),
            position: 0,
            record: record.clone(),
            tolerance: study.grading.tolerance,
            grader,
            answers: problem.answers.clone(),
            attempts,
        })
    }

    /// What a record would be replayed on, or why it cannot be; `answered` when it has a response.
    pub(super) fn ground<'c>(
        study: &Study,
        corpus: &'c Corpus,
        run: &RunKey,
        record: &Record,
        answered: bool,
    ) -> Result<(Given, &'c Problem), NotReplayable> {
        let experiment =
            study.experiments.iter().find(|e| e.id == run.experiment).ok_or(NotReplayable::NoExperiment)?;
        let set = corpus.set(experiment.set.as_str()).ok_or(NotReplayable::NoSet)?;
        let problem = set.get(record.id.as_str()).ok_or(NotReplayable::NoProblem)?;
        match experiment.given() {
            Given::Option if key(problem).is_none() => Err(NotReplayable::NoKey),
            Given::Program | Given::Prose if problem.answers.is_empty() && problem.tests.is_none() => {
                Err(NotReplayable::NoRule)
            }
            // A record that counts as right must show an answer, whatever error it names.
            _ if !answered => {
                let failed = (record.error.is_some() || record.error_as_fail) && record.state() != State::Pass;
                Err(if failed { NotReplayable::NoAnswer } else { NotReplayable::NoTexts })
            }
            given => Ok((given, problem)),
        }
    }

    /// The same case graded at the tolerance of its run.
    #[must_use]
    pub(super) fn graded_at(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The same case with its place.
    #[must_use]
    pub fn at(mut self, file: &str, position: usize) -> Self {
        file.clone_into(&mut self.file);
        self.position = position;
        self
    }

    /// Programs of all attempts, the study's extraction before the other one.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Program> {
        self.attempts
            .iter()
            .flat_map(|attempt| match attempt {
                Answered::Program { program, other } => [program.as_ref(), other.as_ref()],
                Answered::Boxed { .. } | Answered::Picked { .. } => [None, None],
            })
            .flatten()
    }

    /// The program of the graded attempt, if it ran well; `outcomes` belong to [`Case::programs`], in order.
    pub(super) fn graded_program<'a>(&'a self, outcomes: &'a [Outcome]) -> Option<GradedProgram<'a>> {
        let graded = self.graded_attempt()?;
        let Answered::Program { program: Some(program), .. } = &self.attempts[graded] else { return None };
        let before = self.attempts[..graded].iter().map(Answered::executed).sum::<usize>();
        let outcome = outcomes.get(before).filter(|outcome| outcome.status.is_ok())?;
        let place = ProgramPlace {
            run: self.run.clone(),
            id: self.record.id.clone(),
            file: self.file.clone(),
            record: self.position,
            attempt: graded,
            passed: self.record.passed,
        };
        Some(GradedProgram { place, program, outcome })
    }

    /// Recorded outcome of an attempt.
    pub(super) fn recorded(&self, attempt: usize) -> &AttemptOutcome {
        let attempts = self.record.attempts.as_deref().unwrap_or_default();
        attempts.get(attempt).map_or(&AttemptOutcome::Unknown, |attempt| &attempt.outcome)
    }

    /// The attempt whose answer was graded: the last one that says so, else the last one.
    pub(super) fn graded_attempt(&self) -> Option<usize> {
        let says_so = |&position: &usize| *self.recorded(position) == AttemptOutcome::Graded;
        let all = 0..self.attempts.len();
        all.clone().rev().find(says_so).or_else(|| {
            let unknown = |position: usize| *self.recorded(position) == AttemptOutcome::Unknown;
            all.last().filter(|&last| unknown(last))
        })
    }
}

/// The letter of the right option.
fn key(problem: &Problem) -> Option<char> {
    let choice = problem.choice.as_ref()?;
    option::key(choice.key.as_deref()?, &choice.options)
}

/// What is said of the option that a response picks.
fn picked(grader: &dyn Grader, problem: &Problem, response: &str) -> Judged {
    let (checks, given) = (Checks::of(problem), GivenText::Text(response));
    // Options are judged without a tolerance.
    grader.judge(&checks, &given, Rule { tolerance: 0.0 }).unwrap_or_else(Judged::nothing)
}

fn program(response: &str) -> Answered {
    let source = extract::program(response);
    let other = extract::last_python_block(response).filter(|other| other != source).map(Program::new);
    let program = (!source.is_empty()).then(|| Program::new(source));
    Answered::Program { program, other }
}

fn boxed(response: &str, need: usize) -> Answered {
    let entry = |(position, quantity): (usize, &Quantity)| {
        let object: Object = [
            ("value".to_owned(), Value::Number(Number::from_f64(quantity.value))),
            ("unit".to_owned(), Value::Text(quantity.unit.clone())),
        ]
        .into_iter()
        .collect();
        ((position + 1).to_string(), Value::Object(object))
    };
    let boxes = Boxes::read(response, need);
    let answers = boxes.as_ref().map_err(|unreadable| *unreadable).and_then(Boxes::answers);
    let returned = answers.map(|answers| answers.into_iter().enumerate().map(entry).collect());
    Answered::Boxed { returned: returned.map_err(|error| error.to_string()), response: response.to_owned() }
}
