//! Perturbing one input at a time.

use serde::Serialize;

use crate::engine::{Outcome, Program};
use crate::json::{Number, Value};
use crate::syntax::{Default, Parameter};

/// Outputs that move less than this, relative to their size, have not moved.
const STILL: f64 = 1e-9;

/// What perturbing an input did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Movement {
    /// Some output moved.
    Moves,
    /// No output moved, at neither point.
    Ignored,
    /// The program fails at one of the points; it does not count as ignored.
    Fragile,
    /// No numeric literal default, or positional only: there is nothing to perturb.
    NotPerturbed,
}

/// One parameter, perturbed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParameterAudit {
    /// Name.
    pub name: String,
    /// Its numeric default, when it has one.
    pub default: Option<f64>,
    /// What perturbing it did.
    pub movement: Movement,
    /// True when the body never even reads it.
    pub unread: bool,
}

/// Numeric default of a parameter that can be passed by name.
pub(super) fn perturbable(parameter: &Parameter) -> Option<f64> {
    match parameter.default {
        Default::Number { value, .. } if parameter.by_name && value.is_finite() => Some(value),
        _ => None,
    }
}

/// The two points of an input: 5 % up and down, or 0.05 up and down from zero.
pub(super) fn points(default: f64) -> [f64; 2] {
    if default == 0.0 { [0.05, -0.05] } else { [1.05 * default, 0.95 * default] }
}

/// The program with one input changed.
pub(super) fn perturbed(program: &Program, name: &str, value: f64) -> Program {
    program.clone().with_arguments(vec![(name.to_owned(), Value::Number(Number::from_f64(value)))])
}

/// The program with every numeric default changed at once, each by another factor so that quotients of
/// inputs move too; `None` when nothing can be perturbed.
pub(super) fn all_perturbed(program: &Program, parameters: &[Parameter]) -> Option<Program> {
    let defaults = parameters.iter().filter_map(|parameter| Some((parameter, perturbable(parameter)?)));
    let moved = defaults.enumerate().map(|(position, (parameter, default))| {
        let step = 0.05 + 0.01 * position as f64;
        let value = if default == 0.0 { step } else { (1.0 + step) * default };
        (parameter.name.clone(), Value::Number(Number::from_f64(value)))
    });
    let arguments: Vec<_> = moved.collect();
    (!arguments.is_empty()).then(|| program.clone().with_arguments(arguments))
}

/// True when some output of `after` differs from `before`, or either has none.
pub(super) fn any_moves(before: &Outcome, after: &Outcome) -> bool {
    after.status.is_ok() && movement(before, [after, after]) == Movement::Moves
}

/// Compares two perturbed outcomes with the unperturbed one.
pub(super) fn movement(base: &Outcome, at: [&Outcome; 2]) -> Movement {
    if at.iter().any(|outcome| !outcome.status.is_ok()) {
        return Movement::Fragile;
    }
    let before = numbers(base);
    let moved = at.iter().any(|outcome| {
        let after = numbers(outcome);
        after.len() != before.len() || before.iter().zip(&after).any(|(old, new)| moves(*old, *new))
    });
    if moved { Movement::Moves } else { Movement::Ignored }
}

fn moves(old: Option<f64>, new: Option<f64>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) if old.is_nan() && new.is_nan() => false,
        (Some(old), Some(new)) if old == new => false,
        (Some(old), Some(new)) => (new - old).is_nan() || (new - old).abs() > STILL * old.abs().max(STILL),
        (None, None) => false,
        _ => true,
    }
}

/// The value of each returned entry as a number; booleans count as 0 and 1, numeric text as its number.
pub(super) fn numbers(outcome: &Outcome) -> Vec<Option<f64>> {
    let number = |value: &Value| match value.get("value").unwrap_or(value) {
        Value::Number(number) => Some(number.as_f64()),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    };
    outcome.returned.iter().map(|(_, value)| number(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;
    use crate::engine::fake::answers;

    #[test]
    fn points_lie_five_percent_away_or_around_zero() {
        assert_eq!(points(-2.0), [-2.1, -1.9]);
        assert_eq!(points(0.0), [0.05, -0.05]);
    }

    #[test]
    fn all_inputs_move_at_once_and_by_different_factors() {
        let shape = crate::syntax::shape("def solve(a=2.0, b=2.0, c=0, name='x'):\n    return {'1': a / b}\n").unwrap();
        let program = all_perturbed(&Program::new("x"), &shape.parameters.unwrap()).unwrap();
        let names: Vec<_> = program.arguments.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let values: Vec<f64> =
            numbers(&Outcome { returned: program.arguments.clone(), ..answers(&[]) }).into_iter().flatten().collect();
        assert_eq!(values, [2.1, 2.12, 0.07]);
        assert_eq!(all_perturbed(&Program::new("x"), &[]), None);
    }

    #[test]
    fn an_input_is_ignored_only_if_nothing_moves_at_either_point() {
        let base = answers(&[("1", "100", "K"), ("2", "0", "")]);
        let near = answers(&[("1", "100.00000005", "K"), ("2", "0", "")]);
        let far = answers(&[("1", "100.000001", "K"), ("2", "0", "")]);
        let failed = Outcome::of(Status::Timeout);
        assert_eq!(movement(&base, [&base, &near]), Movement::Ignored);
        assert_eq!(movement(&base, [&base, &far]), Movement::Moves);
        assert_eq!(movement(&base, [&far, &failed]), Movement::Fragile);
        assert_eq!(movement(&answers(&[("1", "NaN", "")]), [&answers(&[("1", "NaN", "")]); 2]), Movement::Ignored);
    }
}
