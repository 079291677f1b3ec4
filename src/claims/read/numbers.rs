//! From a value in a ledger to printed numbers with their decimals.

use crate::claims::printed::Printed;
use crate::json::Value;
use crate::number;

/// Stated decimals: none, one for all numbers, or one each.
#[derive(Debug, Clone, Default)]
pub(super) enum Decimals {
    /// Count them in the digits of each number.
    #[default]
    Counted,
    /// The same for all.
    Same(i32),
    /// One per number.
    Each(Vec<i32>),
}

impl Decimals {
    /// Reads `decimals`: a number, a list of numbers, or nothing.
    pub(super) fn read(value: Option<&Value>) -> Option<Self> {
        let whole = |value: &Value| value.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 18.0).map(|n| n as i32);
        match value {
            None | Some(Value::Null) => Some(Self::Counted),
            Some(Value::List(items)) => items.iter().map(whole).collect::<Option<_>>().map(Self::Each),
            Some(single) => whole(single).map(Self::Same),
        }
    }

    fn of(&self, position: usize) -> Option<i32> {
        match self {
            Self::Counted => None,
            Self::Same(decimals) => Some(*decimals),
            Self::Each(list) => list.get(position).copied(),
        }
    }
}

/// One printed number. A text is what is printed; a number is printed with its decimals.
pub(super) fn one(value: &Value, decimals: &Decimals, position: usize) -> Option<Printed> {
    let stated = decimals.of(position);
    match value {
        Value::Text(text) => {
            let printed = Printed::read(text)?;
            Some(match stated {
                Some(decimals) => printed.with_decimals(decimals),
                None => printed,
            })
        }
        Value::Number(found) if found.as_f64().is_finite() => {
            let (value, literal) = (found.as_f64(), found.literal());
            let Some(decimals) = stated else { return Printed::read(literal) };
            // A literal can carry more digits than were printed only when it is written that way.
            let text = if decimals < 0 || literal.contains(['e', 'E']) {
                literal.to_owned()
            } else {
                number::fixed(value, decimals as usize)
            };
            Some(Printed::new(text, value, decimals))
        }
        _ => None,
    }
}

/// All printed numbers of a value: a number, a list of them, or a range `{lo, hi}`.
pub(super) fn all(value: &Value, decimals: &Decimals) -> Option<Vec<Printed>> {
    match value {
        Value::List(items) => items.iter().enumerate().map(|(position, item)| one(item, decimals, position)).collect(),
        Value::Object(range) => {
            let low = one(range.get("lo")?, decimals, 0)?;
            Some(vec![low, one(range.get("hi")?, decimals, 1)?])
        }
        single => Some(vec![one(single, decimals, 0)?]),
    }
}

/// What is wrong with a value that [`all`] refuses.
pub(super) fn problem(value: &Value, otherwise: &str) -> String {
    let ambiguous = |value: &Value| match value {
        Value::Text(text) if Printed::is_ambiguous(text) => Some(text.clone()),
        _ => None,
    };
    let found = match value {
        Value::List(items) => items.iter().find_map(ambiguous),
        Value::Object(range) => ["lo", "hi"].iter().find_map(|end| range.get(end).and_then(ambiguous)),
        single => ambiguous(single),
    };
    found.map_or_else(
        || otherwise.to_owned(),
        |text| format!("is ambiguous: in {text:?} a comma stands where it sets off no group of three digits"),
    )
}
