//! Known programs before the first real one. If the sandbox itself breaks programs, or lets one
//! through, every verdict after that would be wrong in the same way; so nothing is run then.

use crate::engine::contract::{Engine, EngineError};
use crate::engine::program::{Limits, Program};
use crate::engine::sandbox::hostile::{self, Expected};
use crate::world::Silent;

/// Names of the rows of the hostile table that a preflight runs: quick ones of every kind.
const ROWS: [&str; 10] = [
    "honest",
    "honest-uses-math-and-json",
    "fake-line-then-exit",
    "read-passwd",
    "write-file",
    "loopback-connect",
    "fork-child",
    "signal-parent",
    "tests-that-fail",
    "calls-return-plain-data",
];

/// Runs the preflight programs; an error names the first that did not end as expected.
pub(in crate::engine) fn run(engine: &dyn Engine) -> Result<(), EngineError> {
    let identity = engine.identity();
    let table = hostile::programs(identity.level);
    let rows: Vec<_> = table.iter().filter(|row| ROWS.contains(&row.name)).collect();
    let programs: Vec<Program> = rows.iter().map(|row| row.program()).collect();
    let outcomes = engine.run(&programs, &Limits::default(), &Silent)?;
    for (row, outcome) in rows.iter().zip(&outcomes) {
        let expected: Expected = row.expected(&identity.engine);
        if !expected.accepts(outcome) {
            let found = format!("{} ({})", outcome.status.name(), outcome.message);
            return Err(EngineError::Preflight { program: row.name, expected: expected.to_string(), found });
        }
    }
    Ok(())
}
