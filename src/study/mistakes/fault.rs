//! What a reader of typed data does not understand, as data.
//!
//! The readers that serde derives tell their reader what is wrong as values: which field is unknown and which are
//! known. The usual error types make a sentence of it at once; this one keeps the values.

use std::fmt;

use serde::de::{Expected, Unexpected};

/// One thing that a reader did not understand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// A field that nothing reads, and those that are read in its place.
    UnknownField(String, &'static [&'static str]),
    /// A field that must be there.
    MissingField(&'static str),
    /// A word that is none of the accepted ones.
    UnknownVariant(String, &'static [&'static str]),
    /// Anything else, in words for people: a value of another kind or out of bounds.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownField(name, known) => {
                write!(out, "unknown field `{name}`{}", OneOf(known, "there are no fields"))
            }
            Self::MissingField(name) => write!(out, "missing field `{name}`"),
            Self::UnknownVariant(name, known) => {
                write!(out, "unknown variant `{name}`{}", OneOf(known, "there are no variants"))
            }
            Self::Other(message) => out.write_str(message),
        }
    }
}

/// `, expected one of ...`, as serde says it.
struct OneOf(&'static [&'static str], &'static str);

impl fmt::Display for OneOf {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted: Vec<String> = self.0.iter().map(|name| format!("`{name}`")).collect();
        match quoted.as_slice() {
            [] => write!(out, ", {}", self.1),
            [only] => write!(out, ", expected {only}"),
            [first, second] => write!(out, ", expected {first} or {second}"),
            many => write!(out, ", expected one of {}", many.join(", ")),
        }
    }
}

impl std::error::Error for Fault {}

impl serde::de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string().lines().next().unwrap_or_default().to_owned())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Other(format!("invalid type: {unexpected}, expected {expected}"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::UnknownVariant(variant.to_owned(), expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::UnknownField(field.to_owned(), expected)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::MissingField(field)
    }
}
