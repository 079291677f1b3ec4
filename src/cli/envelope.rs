//! The one JSON answer of all commands: the same members around the result of each. The schema is
//! `docs/schemas/output.schema.json`.

use serde_json::{Map, Value};

use super::exit::Exit;
use crate::pipeline::TOOL;

/// Name and version of the form.
pub(super) const FORMAT: &str = "repro-output/1";

/// An answer in the making. Every answer has `format`, `tool`, `command`, `findings`, `errors`, `result` and
/// `exit`; one about a study also says which.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    members: Map<String, Value>,
    result: Map<String, Value>,
}

impl Envelope {
    /// An answer of a command that has nothing to say yet.
    pub(super) fn new(command: &'static str) -> Self {
        let mut members = Map::new();
        members.insert("format".into(), FORMAT.into());
        members.insert("tool".into(), TOOL.into());
        members.insert("command".into(), command.into());
        members.insert("findings".into(), Value::Array(Vec::new()));
        members.insert("errors".into(), Value::Array(Vec::new()));
        Self { members, result: Map::new() }
    }

    /// Sets a member that all commands share.
    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a member that all commands share.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.members.insert(name.to_owned(), value);
    }

    /// Adds to the result of this command.
    pub(super) fn add(&mut self, name: &str, value: Value) {
        self.result.insert(name.to_owned(), value);
    }

    /// Makes an object the result of this command.
    pub(super) fn result(mut self, value: Value) -> Self {
        if let Value::Object(members) = value {
            self.result.extend(members);
        }
        self
    }

    /// The document.
    pub(super) fn done(mut self, exit: Exit) -> Value {
        self.members.insert("exit".into(), exit.code().into());
        self.members.insert("result".into(), Value::Object(self.result));
        Value::Object(self.members)
    }
}
