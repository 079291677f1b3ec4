//! The language in which a claim names the value it rests on.
//!
//! An expression looks facts up, compares and summarises them; it has no loops, no names of its own
//! and no way to the outside, so a ledger stays data. [`parse`] reads the text, [`evaluate`] finds
//! the value and keeps a trace of the facts used. `docs/claims.md` describes the language.

mod arithmetic;
mod evaluate;
mod exact;
mod functions;
mod parser;
mod summary;
mod tree;
mod value;

pub use evaluate::{Context, Evaluated, Look, Trace, evaluate};
pub use functions::{FUNCTIONS, summarise};
pub use parser::{ParseError, parse};
pub use tree::{Expression, Node, Operator, Pattern, Selection, Step, Table};
pub use value::{Quantity, Series, SeriesRow, Trouble, Value};
