//! Hostile and odd programs with the outcome each must have, per engine.
//!
//! The table serves the preflight, the test suite and `repro sandbox check`. Programs that try to
//! pass with a forged value forge 666; the honest value is 42. A row is one thing a program tries.

mod forge;
mod odd;
mod reach;
mod resources;
mod tested;
mod text;

use std::fmt;

use super::level::{Layer, SandboxLevel};
use crate::engine::outcome::{Outcome, Status};
use crate::engine::program::{Entry, Program, write_value};

/// The outcome a row must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// `ok`, and the value of the first entry is this JSON text.
    Value(&'static str),
    /// Exactly this status (for `error` also of this kind, when it is not empty).
    Status(&'static str, &'static str),
    /// Any of these statuses; for what depends on the version of an interpreter.
    AnyOf(&'static [&'static str]),
}

impl Expected {
    /// True when `outcome` is as expected.
    pub fn accepts(&self, outcome: &Outcome) -> bool {
        match *self {
            Self::Value(text) => outcome.status.is_ok() && first_value(outcome).as_deref() == Some(text),
            Self::Status(name, kind) => outcome.status.name() == name && (kind.is_empty() || has_kind(outcome, kind)),
            Self::AnyOf(names) => names.contains(&outcome.status.name()),
        }
    }
}

fn has_kind(outcome: &Outcome, wanted: &str) -> bool {
    match &outcome.status {
        Status::Error { kind, .. } | Status::NotADict { kind } => kind == wanted,
        Status::Killed { limit } => limit.name() == wanted,
        Status::MissingModule { name } => name == wanted,
        _ => false,
    }
}

/// JSON text of the value of the first entry: its member `value` when it is an object.
fn first_value(outcome: &Outcome) -> Option<String> {
    let (_, entry) = outcome.returned.first()?;
    let mut text = String::new();
    write_value(entry.get("value").unwrap_or(entry), &mut text);
    Some(text)
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(text) => write!(f, "ok with {text}"),
            Self::Status(name, "") => f.write_str(name),
            Self::Status(name, kind) => write!(f, "{name} ({kind})"),
            Self::AnyOf(names) => f.write_str(&names.join(" or ")),
        }
    }
}

/// One program of the table.
#[derive(Debug, Clone)]
pub struct Hostile {
    /// Stable kebab-case name.
    pub name: &'static str,
    /// Family: `honest`, `forge`, `reach`, `resources`, `odd`, `text` or `tests`.
    pub family: &'static str,
    /// The program.
    pub source: String,
    entry: Entry,
    embedded: Expected,
    cpython: Expected,
    needs: Option<Layer>,
}

impl Hostile {
    /// The program as it is run.
    pub fn program(&self) -> Program {
        Program { entry: self.entry.clone(), ..Program::new(self.source.as_str()) }
    }

    /// The outcome this row must have on the engine of that name.
    pub fn expected(&self, engine: &str) -> Expected {
        if engine == "embedded" { self.embedded } else { self.cpython }
    }
}

const ANY_FAILURE: Expected = Expected::AnyOf(&["error", "killed", "missing-module", "forged", "timeout", "too-large"]);
const FORTY_TWO: Expected = Expected::Value("42");
const NO_OS: Expected = Expected::Status("missing-module", "os");

const fn status(name: &'static str) -> Expected {
    Expected::Status(name, "")
}

const fn error(kind: &'static str) -> Expected {
    Expected::Status("error", kind)
}

fn row(
    family: &'static str,
    name: &'static str,
    source: impl Into<String>,
    embedded: Expected,
    cpython: Expected,
) -> Hostile {
    Hostile { name, family, source: source.into(), entry: Entry::Solve, embedded, cpython, needs: None }
}

impl Hostile {
    /// The text is executed to its end, as a program under tests.
    fn under_tests(mut self) -> Self {
        self.entry = Entry::Script;
        self
    }

    /// The function `f` of the program is called with each of these.
    fn with_calls(mut self, calls: &[&str]) -> Self {
        self.entry = Entry::Calls { function: "f".into(), calls: calls.iter().map(|call| (*call).into()).collect() };
        self
    }

    /// The row proves this layer, and says nothing where it is missing.
    fn needs(mut self, layer: Layer) -> Self {
        self.needs = Some(layer);
        self
    }
}

/// A program that runs `body` inside `solve` and then answers honestly.
fn inside(body: &str) -> String {
    let indented = body.replace('\n', "\n    ");
    format!("def solve():\n    {indented}\n    return {{'1': {{'value': 42, 'unit': 'K'}}}}\n")
}

/// A program that answers with the value of an expression.
fn value(expression: &str) -> String {
    format!("def solve():\n    return {{'1': {{'value': {expression}, 'unit': 'K'}}}}\n")
}

/// All rows that `level` must pass, in a fixed order.
pub fn programs(level: SandboxLevel) -> Vec<Hostile> {
    let mut rows = honest();
    rows.extend(forge::rows());
    rows.extend(reach::rows());
    rows.extend(resources::rows());
    rows.extend(odd::rows());
    rows.extend(text::rows());
    rows.extend(tested::rows());
    let files = matches!(level, SandboxLevel::Full | SandboxLevel::NoSeccomp);
    let syscalls = matches!(level, SandboxLevel::Full | SandboxLevel::NoLandlock);
    rows.retain(|row| match row.needs {
        Some(Layer::Files) => files,
        Some(Layer::Syscalls) => syscalls,
        _ => true,
    });
    rows
}

fn honest() -> Vec<Hostile> {
    let same = |name, source: &str, expected| row("honest", name, source, expected, expected);
    let uses = "import math\nimport json\ndef solve(x=1764.0):\n    json.loads('1')\n    return {'1': {'value': math.sqrt(x), 'unit': 'K'}}\n";
    vec![
        same("honest", &value("42"), FORTY_TWO),
        same("honest-uses-math-and-json", uses, Expected::Value("42.0")),
        same(
            "honest-compensated-or-plain-sum",
            &value("42 if sum([0.1] * 10) in (1.0, 0.9999999999999999) else 666"),
            FORTY_TWO,
        ),
        same("honest-statistics", &format!("import statistics\n{}", value("statistics.mean([40, 44])")), FORTY_TWO),
        same(
            "honest-seeded-random",
            &format!("import random\nrandom.seed(1)\n{}", value("random.random()")),
            Expected::Value("0.13436424411240122"),
        ),
        same(
            "honest-dataclass",
            "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: float = 42.0\ndef solve():\n    return {'1': {'value': P().x}}\n",
            Expected::Value("42.0"),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::fake::answers;

    #[test]
    fn the_table_is_large_and_its_names_are_unique() {
        let table = programs(SandboxLevel::Full);
        let names: BTreeSet<_> = table.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), table.len());
        assert!(table.len() >= 80, "{}", table.len());
        assert!(programs(SandboxLevel::LimitsOnly).len() < table.len());
        assert!(
            names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
    }

    #[test]
    fn an_expectation_can_fail() {
        let outcome = answers(&[("1", "42", "K")]);
        assert!(FORTY_TWO.accepts(&outcome) && status("ok").accepts(&outcome));
        assert!(!Expected::Value("666").accepts(&outcome) && !error("").accepts(&outcome));
        let raised = Outcome::of(Status::Error { kind: "ValueError".into(), message: String::new() });
        assert!(error("ValueError").accepts(&raised) && !error("TypeError").accepts(&raised));
        assert!(ANY_FAILURE.accepts(&raised) && !ANY_FAILURE.accepts(&outcome));
    }
}
