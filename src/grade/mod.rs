//! Grading: what counts as right, and what can be read from an answer. Everything here is pure.
//!
//! Two lenses look at the same answer. The *reference* lens repeats the study's published rule to
//! the last bit, with its peculiarities ([`python`] text, [`units`] table, order of multiplications).
//! The *strict* lens is the rule a careful scientist would want. Where they differ, the difference
//! has a reason from one list ([`reasons`]). Readers of model text live here too: the program in a
//! response ([`extract`]), boxed answers ([`boxed`]), the unit written next to a value
//! ([`unit_text`]), the letter of an option ([`option`]) and claims to have executed something
//! ([`signature`]). Each looks at a text a bounded number of times, whatever the text is (`work`).
//!
//! Nothing here runs a program, reads a file or knows a study; text from models is data and never
//! becomes a pattern, a path or a format string.

pub mod boxed;
pub mod capture;
pub mod direct;
pub mod distance;
pub mod extract;
pub mod graders;
pub mod lens;
mod lookup;
mod memo;
pub mod option;
pub mod outcome;
mod pattern;
pub mod prose;
pub mod python;
pub mod reasons;
pub mod reference;
pub mod regrade;
pub mod si;
pub mod signature;
pub mod strict;
pub mod tested;
pub mod unit_text;
pub mod units;
mod work;

pub use distance::Distance;
pub use lens::Lens;
pub use outcome::{Accepted, Grade, Lookup, Overflow, Route, Step, SubGrade};
pub use reasons::Reason;
pub use reference::{decide, measure, plain, through_units, verify};
pub use regrade::{regrade, sweep};
pub use strict::{Judgement, StrictGrade};
