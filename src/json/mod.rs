//! Reading JSON as benchmark archives really hold it.
//!
//! Python writes these files, so they contain what strict readers refuse: bare `NaN`, `Infinity`
//! and `-Infinity`, integers of any length, lone surrogates, raw control bytes, deep nesting. One
//! such value must not cost the reader the rest of a file, which is why this reader exists beside
//! `serde_json`. It keeps the order of object members, keeps
//! the digits of numbers, never panics, and names the byte of every fault.
//!
//! It deliberately writes nothing: everything the tool writes goes through `serde_json`, strictly.

mod difference;
mod encoding;
mod path;
mod python;
mod reader;
mod value;

pub use difference::{Changed, differences, same};
pub use encoding::foreign_encoding;
pub use path::{FieldPath, PathFault, Step};
pub use reader::{Fault, Keys, Kind, Reader, Repair, Repeat};
pub use value::{Number, Object, Value};
