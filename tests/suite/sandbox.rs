//! The sandbox: every hostile program on every engine, and nothing left behind.

use std::path::PathBuf;

mod determinism;
mod faithfulness;
mod lifetime;
mod odd_responses;
mod pythons;
mod refusal;
mod stored_programs;

use repro::engine::{self, Engine, EngineChoice, EngineOptions, sandbox};
use repro::world::Silent;

pub(crate) fn options(jobs: usize) -> EngineOptions {
    EngineOptions::new(PathBuf::from(env!("CARGO_BIN_EXE_repro")), jobs)
}

pub(crate) fn embedded(jobs: usize) -> Box<dyn Engine> {
    engine::open(&EngineChoice::Embedded, &options(jobs)).unwrap()
}

/// The first CPython on the search path. Tests that cannot do without are ignored without `has_python3`;
/// those that look at both engines look at the embedded one alone.
pub(crate) fn python() -> Option<engine::Python> {
    let search: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let found = engine::find_pythons(&[], &search);
    assert!(found.is_ok() || !cfg!(has_python3), "python3 is there and cannot be used: {found:?}");
    found.ok()?.into_iter().next()
}

pub(crate) fn cpython(jobs: usize) -> Option<Box<dyn Engine>> {
    Some(engine::open(&EngineChoice::CPython(python()?), &options(jobs)).unwrap())
}

fn every_row_holds(engine: &dyn Engine) {
    let rows = sandbox::check(engine, &sandbox::check_limits(), &Silent).unwrap();
    let broken: Vec<String> = rows
        .iter()
        .filter(|row| !row.held)
        .map(|row| format!("{} {}: expected {}, found {}", row.family, row.name, row.expected, row.found))
        .collect();
    assert!(broken.is_empty(), "{} of {} rows:\n{}", broken.len(), rows.len(), broken.join("\n"));
}

#[test]
fn hostile_programs_on_the_embedded_engine() {
    every_row_holds(&*embedded(2));
}

#[test]
#[cfg_attr(not(has_python3), ignore = "needs python3")]
fn hostile_programs_on_cpython() {
    every_row_holds(&*cpython(2).unwrap());
}
