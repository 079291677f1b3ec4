//! What a program says about itself, read off its syntax tree; the only import of a Python parser.
//!
//! Nothing here runs a program and nothing judges one: `shape` collects facts, the faithfulness audit
//! in `verify` weighs them.

mod answers;
mod assertions;
mod closed;
mod literals;
mod plain;
mod repeats;
mod shape;

pub use answers::{Answer, Held};
pub use assertions::{Assertion, Assertions, Check, Comparison, Term, assertion, assertions, literal};
pub use literals::Literal;
pub use plain::Plain;
pub use repeats::repeats;
pub use shape::{Default, Fault, Parameter, Shape, shape};
