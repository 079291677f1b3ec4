//! `repro sandbox check`: the whole hostile table against an engine, and a look for what was left.

use std::path::Path;

use serde::Serialize;

use super::hostile::{Hostile, programs};
use crate::engine::contract::{Engine, EngineError};
use crate::engine::program::{Limits, Program};
use crate::world::Progress;

/// One row of the table, run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckRow {
    /// Name of the hostile program, or of a final look.
    pub name: &'static str,
    /// Family of the row; `traces` for the final looks.
    pub family: &'static str,
    /// Engine it ran on.
    pub engine: String,
    /// What had to happen.
    pub expected: String,
    /// What happened.
    pub found: String,
    /// True when they agree.
    pub held: bool,
}

/// Limits for the hostile table: short, since many rows run until a limit strikes.
pub fn check_limits() -> Limits {
    Limits { cpu_seconds: 2, wall_seconds: 6, ..Limits::default() }
}

/// Runs every row that the engine's level must pass, all mixed with honest programs, and then looks
/// whether a file was left behind.
pub fn check(engine: &dyn Engine, limits: &Limits, progress: &dyn Progress) -> Result<Vec<CheckRow>, EngineError> {
    let identity = engine.identity();
    let table = programs(identity.level);
    let sources: Vec<Program> = table.iter().map(Hostile::program).collect();
    let outcomes = engine.run(&sources, limits, progress)?;
    let mut rows: Vec<CheckRow> = table
        .iter()
        .zip(&outcomes)
        .map(|(row, outcome)| {
            let expected = row.expected(&identity.engine);
            CheckRow {
                name: row.name,
                family: row.family,
                engine: identity.engine.clone(),
                expected: expected.to_string(),
                found: format!("{}: {}", outcome.status.name(), short(&outcome.message)),
                held: expected.accepts(outcome),
            }
        })
        .collect();
    rows.extend(traces(&identity.engine));
    Ok(rows)
}

fn short(message: &str) -> String {
    message.chars().take(120).collect()
}

/// Files that rows of the table try to plant.
fn traces(engine: &str) -> Vec<CheckRow> {
    let planted = |name, path: &'static str| {
        let exists = Path::new(path).exists();
        CheckRow {
            name,
            family: "traces",
            engine: engine.to_owned(),
            expected: format!("no file {path}"),
            found: if exists { format!("a file {path}") } else { format!("no file {path}") },
            held: !exists,
        }
    };
    vec![planted("nothing-in-tmp", "/tmp/repro-planted"), planted("nothing-in-shared-memory", "/dev/shm/repro-planted")]
}
