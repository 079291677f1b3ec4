//! Values of Inspect's scores: letters, numbers, flags, and objects of them.

use crate::archive::Status;
use crate::json::Value;

/// What one scorer said of one sample, as a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Worth {
    /// A number; 1 is right.
    Scored(f64),
    /// The scorer left the sample out: NaN.
    Unscored,
    /// Neither a letter nor a number that can be read; Inspect counts it as 0.
    Unreadable,
}

/// The number Inspect's metrics use for a value: C is 1, P is 0.5, I and N are 0; yes and true are 1, no and
/// false are 0; a text that is a number is that number.
pub(super) fn worth(value: &Value) -> Worth {
    match value {
        Value::Bool(flag) => Worth::Scored(f64::from(u8::from(*flag))),
        Value::Number(number) if number.as_f64().is_nan() => Worth::Unscored,
        Value::Number(number) => Worth::Scored(number.as_f64()),
        Value::Text(text) => match text.as_str() {
            "C" => Worth::Scored(1.0),
            "P" => Worth::Scored(0.5),
            "I" | "N" => Worth::Scored(0.0),
            other => match other.to_lowercase().as_str() {
                "yes" | "true" => Worth::Scored(1.0),
                "no" | "false" => Worth::Scored(0.0),
                // Python writes NaN as a text where JSON must stay strict.
                "nan" => Worth::Unscored,
                digits => match digits.trim().parse::<f64>() {
                    Ok(number) if number.is_finite() => Worth::Scored(number),
                    _ => Worth::Unreadable,
                },
            },
        },
        Value::Null | Value::List(_) | Value::Object(_) => Worth::Unreadable,
    }
}

impl Worth {
    /// The number that enters a mean; `None` for what is left out.
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Scored(number) => Some(number),
            Self::Unscored => None,
            Self::Unreadable => Some(0.0),
        }
    }

    /// The state of a record with this value. Refusals (`N`) count as wrong, as in the metrics.
    pub(super) fn status(self) -> Status {
        match self {
            Self::Scored(1.0) => Status::Pass,
            Self::Scored(0.0) | Self::Unreadable => Status::Fail,
            Self::Scored(_) => Status::Partial,
            Self::Unscored => Status::NotScored,
        }
    }
}

/// The judges a score speaks for: a plain value for the scorer itself, an object for one judge per member.
pub(super) fn judges(scorer: &str, value: &Value) -> Vec<(String, Worth)> {
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (format!("{scorer}/{name}"), worth(value))).collect()
        }
        Value::List(items) => {
            items.iter().enumerate().map(|(at, value)| (format!("{scorer}/{}", at + 1), worth(value))).collect()
        }
        plain => vec![(scorer.to_owned(), worth(plain))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reader;

    fn of(text: &str) -> Worth {
        worth(&Reader::new(text.as_bytes()).value().unwrap())
    }

    #[test]
    fn letters_flags_and_numbers_have_the_worth_that_inspect_gives_them() {
        for (text, number) in [
            ("\"C\"", 1.0),
            ("\"P\"", 0.5),
            ("\"I\"", 0.0),
            ("\"N\"", 0.0),
            ("true", 1.0),
            ("\"No\"", 0.0),
            ("\"7\"", 7.0),
            ("0.25", 0.25),
            ("\"unclear\"", 0.0),
        ] {
            assert_eq!(of(text).number(), Some(number), "{text}");
        }
        assert_eq!(of("NaN"), Worth::Unscored);
        assert_eq!(
            [of("1.0"), of("\"P\""), of("\"x\""), of("NaN")].map(Worth::status),
            [Status::Pass, Status::Partial, Status::Fail, Status::NotScored]
        );
    }

    #[test]
    fn an_object_of_values_is_several_judges() {
        let value = Reader::new(br#"{"style": 0.5, "fact": "C"}"#).value().unwrap();
        assert_eq!(
            judges("panel", &value),
            [("panel/style".to_owned(), Worth::Scored(0.5)), ("panel/fact".to_owned(), Worth::Scored(1.0))]
        );
    }
}
