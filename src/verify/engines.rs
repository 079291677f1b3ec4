//! Running programs in one or two environments, and where two of them differ.
//!
//! The rule is OR: a program reproduces its record when either environment does. Every difference between
//! environments is listed with a cause, also where both reproduce.

use super::difference::Difference;
use super::rows::{EngineRow, Ran};
use crate::engine::{Engine, EngineError, Identity, Limits, Outcome, Program, Status};
use crate::id::ProblemId;
use crate::json::Value;
use crate::study::Study;
use crate::world::Progress;

/// Outcomes of one engine, in the order of the programs.
pub(super) type Outcomes = Vec<Outcome>;

/// Rows that name the engines and what they have done so far.
pub fn engine_rows(engines: &[&dyn Engine]) -> Vec<EngineRow> {
    let row = |engine: &&dyn Engine| {
        let identity = engine.identity();
        EngineRow {
            engine: identity.engine.clone(),
            version: identity.version.clone(),
            float_sum: identity.float_sum.clone(),
            level: identity.level.to_string(),
            executions: executions(*engine),
            settled: engine.settled(),
        }
    };
    engines.iter().map(row).collect()
}

/// How often an engine executes each program.
fn executions(engine: &dyn Engine) -> u8 {
    if engine.single().is_some() { 2 } else { 1 }
}

/// Executions that `programs` come to on all engines, for a progress bar.
pub(super) fn work(engines: &[&dyn Engine], programs: usize) -> u64 {
    engines.iter().map(|engine| u64::from(executions(*engine)) * programs as u64).sum()
}

/// Limits of a study: its CPU seconds, everything else as usual.
pub fn limits(study: &Study) -> Limits {
    let usual = Limits::default();
    let cpu_seconds = study.grading.cpu_seconds.max(1);
    Limits { cpu_seconds, wall_seconds: usual.wall_seconds.max(cpu_seconds.saturating_mul(4)), ..usual }
}

/// Runs the programs on every engine.
pub(super) fn run_all(
    engines: &[&dyn Engine],
    programs: &[Program],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Vec<Outcomes>, EngineError> {
    engines.iter().map(|engine| engine.run(programs, limits, progress)).collect()
}

/// The value of an entry: the member `value` of an object, else the entry itself.
fn value_of(entry: &Value) -> &Value {
    entry.as_object().map_or(entry, |object| object.get("value").unwrap_or(&Value::Null))
}

fn unit_of(entry: &Value) -> Option<&Value> {
    entry.as_object().and_then(|object| object.get("unit"))
}

/// Largest difference between two returned mappings; keys, order and units must be the same.
pub(super) fn between(left: &[(String, Value)], right: &[(String, Value)]) -> Difference {
    if left.len() != right.len() {
        return Difference::NotComparable;
    }
    let pair = |((key, a), (other, b)): (&(String, Value), &(String, Value))| {
        if key != other || unit_of(a) != unit_of(b) {
            return Difference::NotComparable;
        }
        match (value_of(a), value_of(b)) {
            (Value::Number(a), Value::Number(b)) if a.literal() == b.literal() => Difference::BitIdentical,
            (Value::Number(a), Value::Number(b)) => Difference::between(a.as_f64(), b.as_f64()),
            (a, b) if a == b => Difference::BitIdentical,
            _ => Difference::NotComparable,
        }
    };
    left.iter().zip(right).map(pair).fold(Difference::Nothing, Difference::max)
}

/// A program of which two outcomes are compared.
pub(super) struct Compared<'a> {
    pub(super) place: String,
    pub(super) id: &'a ProblemId,
    pub(super) source: &'a str,
    /// Verdicts under the two engines.
    pub(super) verdicts: [bool; 2],
}

/// The row of a program that two engines run differently; `None` when they agree. Messages of errors are
/// not compared: interpreters word them differently.
pub(super) fn disagreement(engines: [&Identity; 2], outcomes: [&Outcome; 2], program: &Compared<'_>) -> Option<Ran> {
    let [left, right] = outcomes;
    let both_ok = left.status.is_ok() && right.status.is_ok();
    let difference = if both_ok { between(&left.returned, &right.returned) } else { Difference::Nothing };
    let same_status = left.status.name() == right.status.name();
    if same_status && matches!(difference, Difference::BitIdentical | Difference::Nothing) {
        return None;
    }
    Some(Ran {
        place: program.place.clone(),
        id: program.id.clone(),
        engines: engines.map(|identity| format!("{} ({})", identity.engine, identity.version)),
        statuses: outcomes.map(|outcome| outcome.status.name().to_owned()),
        cause: cause(engines, outcomes, program.source),
        difference,
        verdict_differs: program.verdicts[0] != program.verdicts[1],
    })
}

/// Why two environments differ on a program, as far as it can be told from outside.
fn cause(engines: [&Identity; 2], outcomes: [&Outcome; 2], source: &str) -> &'static str {
    let any = |wanted: fn(&Status) -> bool| outcomes.iter().any(|outcome| wanted(&outcome.status));
    if any(|status| matches!(status, Status::MissingModule { .. })) {
        return "missing-module";
    }
    if any(|status| matches!(status, Status::Timeout)) {
        return "timeout";
    }
    if any(|status| matches!(status, Status::Nondeterministic)) {
        return "nondeterministic";
    }
    let both_ok = outcomes.iter().all(|outcome| outcome.status.is_ok());
    if both_ok && engines[0].float_sum != engines[1].float_sum && source.contains("sum(") {
        return "compensated-sum";
    }
    if both_ok && between(&outcomes[0].returned, &outcomes[1].returned).is_rounding() && source.contains("math.") {
        return "math-library";
    }
    "version"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fake::{Fake, answers};

    fn outcomes(left: &Outcome, right: &Outcome, source: &str) -> Option<Ran> {
        let engines = [Fake::new("a"), Fake::new("b")];
        let mut identities = engines.map(|engine| engine.identity().clone());
        identities[1].float_sum = "plain".to_owned();
        let id = ProblemId::from("p");
        let compared = Compared { place: "core".to_owned(), id: &id, source, verdicts: [true, true] };
        disagreement([&identities[0], &identities[1]], [left, right], &compared)
    }

    #[test]
    fn causes_are_told_from_status_sum_and_version() {
        let ok = |value| answers(&[("1", value, "m")]);
        assert_eq!(outcomes(&ok("1.5"), &ok("1.5"), "sum(x)"), None);
        let summed = outcomes(&ok("0.30000000000000004"), &ok("0.3"), "return sum(x)").unwrap();
        assert_eq!((summed.cause, summed.difference), ("compensated-sum", Difference::Ulps(1)));
        assert_eq!(outcomes(&ok("1.5"), &ok("1.6"), "x").unwrap().cause, "version");
        assert_eq!(outcomes(&ok("1.5"), &ok("1.5000000000000002"), "math.gamma(x)").unwrap().cause, "math-library");
        let missing = Outcome::of(Status::MissingModule { name: "scipy".into() });
        assert_eq!(outcomes(&ok("1.5"), &missing, "x").unwrap().cause, "missing-module");
        let error = |message: &str| Outcome::of(Status::Error { kind: "ValueError".into(), message: message.into() });
        assert_eq!(outcomes(&error("a"), &error("b"), "x"), None);
    }
}
