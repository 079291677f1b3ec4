//! What is run, and within which bounds.

use std::sync::Arc;

use serde::Serialize;

use crate::digest::Digest;
use crate::json::Value;

/// A program text and how its `solve` is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Python source, exactly as extracted; untrusted.
    pub source: Arc<str>,
    /// Keyword arguments of `solve`; empty means that the defaults of its signature apply.
    pub arguments: Vec<(String, Value)>,
}

impl Program {
    /// A program whose `solve` is called without arguments.
    pub fn new(source: impl Into<Arc<str>>) -> Self {
        Self { source: source.into(), arguments: Vec::new() }
    }

    /// The same program, called with these keyword arguments.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Vec<(String, Value)>) -> Self {
        self.arguments = arguments;
        self
    }

    /// Identity of source and arguments.
    pub fn digest(&self) -> Digest {
        let arguments = self.arguments_json();
        Digest::of_parts([self.source.as_bytes(), arguments.as_bytes()])
    }

    /// The arguments as one JSON object in Python's dialect (`NaN` and infinities are bare).
    pub(super) fn arguments_json(&self) -> String {
        let mut out = String::from("{");
        for (index, (name, value)) in self.arguments.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_text(name, &mut out);
            out.push(':');
            write_value(value, &mut out);
        }
        out.push('}');
        out
    }
}

/// JSON as Python's `json` module reads and writes it: number literals verbatim.
pub(super) fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(number.literal()),
        Value::Text(text) => write_text(text, out),
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                write_value(item, out);
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Value::Object(object) => {
            for (index, (key, item)) in object.iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                write_text(key, out);
                out.push(':');
                write_value(item, out);
            }
            out.push_str(if object.is_empty() { "{}" } else { "}" });
        }
    }
}

pub(super) fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

/// Bounds of one execution. The CPU limit decides a timeout; the wall limit is a backstop for
/// programs that sleep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Seconds of processor time.
    pub cpu_seconds: u32,
    /// Seconds on the wall clock.
    pub wall_seconds: u32,
    /// Bytes of address space, the interpreter included.
    pub memory_bytes: u64,
    /// Bytes of the result frame.
    pub frame_bytes: u32,
    /// Bytes kept of stdout and of stderr; the rest is counted and dropped.
    pub captured_bytes: u32,
    /// Bytes of source beyond which a program is not run.
    pub source_bytes: u32,
}

impl Default for Limits {
    /// The study's ten seconds, one gibibyte, a frame of one mebibyte.
    fn default() -> Self {
        Self {
            cpu_seconds: 10,
            wall_seconds: 40,
            memory_bytes: 1 << 30,
            frame_bytes: 1 << 20,
            captured_bytes: 1 << 13,
            source_bytes: 1 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Number;

    #[test]
    fn arguments_keep_their_literals_and_escape_their_text() {
        let list = Value::List(vec![Value::Number(Number::from_literal("1e400")), Value::Null, Value::Bool(true)]);
        let program = Program::new("").with_arguments(vec![
            ("a".into(), Value::Number(Number::from_literal("NaN"))),
            ("b".into(), Value::Text("\"\n".into())),
            ("c".into(), list),
        ]);
        assert_eq!(program.arguments_json(), r#"{"a":NaN,"b":"\"\n","c":[1e400,null,true]}"#);
        assert_ne!(program.digest(), Program::new("").digest());
    }
}
