//! The questions: problems with their accepted answers, units and solvers.
//!
//! Filled by the archive formats; nothing here was said by a model.

mod checks;
mod problem;
mod read;
mod wire;

pub use checks::{Assembly, Tests};
pub use problem::{Answer, Choice, Corpus, Problem, Set, Shortcut};
pub use read::read;
