//! What is run, and within which bounds.

use std::sync::Arc;

use serde::Serialize;

use crate::digest::Digest;
use crate::json::Value;

/// A program text and how it is used.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Python source, exactly as extracted; untrusted.
    pub source: Arc<str>,
    /// Keyword arguments of `solve`; empty means that the defaults of its signature apply.
    pub arguments: Vec<(String, Value)>,
    /// What is asked of the program once its text was executed.
    pub entry: Entry,
}

/// The two contracts of an engine: a function that returns values, and a program under tests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Entry {
    /// `solve(**arguments)` must return a dictionary.
    #[default]
    Solve,
    /// Nothing more: the text, tests included, ends without an exception or it does not.
    Script,
    /// A function of the program is called, once for each list of arguments; what it returns comes back as
    /// plain data with the kind of each container, and an exception of a call is the result of that call.
    Calls {
        /// Name that the program must define.
        function: Arc<str>,
        /// Text between the parentheses of each call: literals and operators only, so that evaluating it
        /// reads no name a program could have replaced.
        calls: Arc<[Arc<str>]>,
    },
}

impl Entry {
    /// Number of [`Entry::Calls`] in a request.
    pub(super) const CALLS: u32 = 2;

    /// Number of the contract in a request.
    pub(super) const fn code(&self) -> u32 {
        match self {
            Self::Solve => 0,
            Self::Script => 1,
            Self::Calls { .. } => Self::CALLS,
        }
    }
}

impl Program {
    /// A program whose `solve` is called without arguments.
    pub fn new(source: impl Into<Arc<str>>) -> Self {
        Self { source: source.into(), arguments: Vec::new(), entry: Entry::Solve }
    }

    /// A text that is executed to its end, tests included.
    pub fn script(source: impl Into<Arc<str>>) -> Self {
        Self { entry: Entry::Script, ..Self::new(source) }
    }

    /// A program of which `function` is called with each of these lists of arguments.
    pub fn with_calls(source: impl Into<Arc<str>>, function: impl Into<Arc<str>>, calls: Vec<Arc<str>>) -> Self {
        let entry = Entry::Calls { function: function.into(), calls: calls.into() };
        Self { entry, ..Self::new(source) }
    }

    /// The same program, called with these keyword arguments.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Vec<(String, Value)>) -> Self {
        self.arguments = arguments;
        self
    }

    /// Identity of source, arguments and use.
    pub fn digest(&self) -> Digest {
        let arguments = self.arguments_json();
        let entry = self.entry.code().to_le_bytes();
        let parts = [self.source.as_bytes(), arguments.as_bytes(), &entry[..]];
        // A function that returns values is known by source and arguments alone, as it always was.
        Digest::of_parts(parts.into_iter().take(if self.entry == Entry::Solve { 2 } else { 3 }))
    }

    /// The arguments as one JSON object in Python's dialect (`NaN` and infinities are bare); for calls,
    /// the function and the text of each list.
    pub(super) fn arguments_json(&self) -> String {
        let mut out = String::from("{");
        if let Entry::Calls { function, calls } = &self.entry {
            out.push_str("\"function\":");
            write_text(function, &mut out);
            out.push_str(",\"calls\":[");
            for (index, call) in calls.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(call, &mut out);
            }
            out.push_str("]}");
            return out;
        }
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
        assert_ne!(Program::script("").digest(), Program::new("").digest());
    }

    #[test]
    fn calls_travel_as_text() {
        let calls = vec!["1, [2]".into(), "'\"'".into()];
        let program = Program::with_calls("def f(x, y=0): pass", "f", calls);
        assert_eq!(program.arguments_json(), r#"{"function":"f","calls":["1, [2]","'\"'"]}"#);
        assert_ne!(program.digest(), Program::with_calls("def f(x, y=0): pass", "f", Vec::new()).digest());
    }
}
