//! The example study: constructed for demonstration, written by this program, answered by no model.
//!
//! Problems, solvers, mistakes and prose stand in `content/`; this module lets four imaginary
//! configurations answer them, executes every program they "wrote" in an engine, grades the result with
//! the study's rule and writes the archive in the upstream layout. So what is stored is what the stored
//! programs really return, and everything the tool can show has something to show: units of another scale,
//! keys by position, retries, infrastructure errors, echoes, captured shortcuts, claims of executions that
//! never happened, a wrong key, a wrong number in the paper.
//!
//! It deliberately says nothing about any model: rates were chosen, not measured, and every file that can
//! carry the sentence says so.

mod annotations;
mod chance;
mod content;
mod grading;
mod items;
mod json_text;
mod plays;
mod program;
mod prose;
mod record;
mod runner;
mod scenes;
mod study;

pub use study::{DemoError, example_study};
