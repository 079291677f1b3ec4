//! Findings about text that was read: the same words for problem sets, runs and ledgers.

use std::io;

use super::{Finding, Place};
use crate::json::{Fault, Repair, Repeat};

impl Finding {
    /// A file whose text breaks off or breaks down at a fault; `read` says what stands.
    pub fn torn(place: Place, fault: &Fault, read: &str) -> Self {
        Self::new("torn-file", place.with_byte(fault.byte), format!("{}; {read}", fault.what))
    }

    /// A file that could not be read: absent, elsewhere, or for the reason the system gives.
    pub fn unread(place: Place, error: &io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::NotFound => "missing-file",
            _ if crate::world::NotFetched::of(error).is_some() => "file-elsewhere",
            _ => "unreadable-file",
        };
        Self::new(code, place, error.to_string())
    }

    /// Characters that were replaced while reading. Bytes of another encoding are damage to the file;
    /// a lone surrogate or a control byte is a quirk of one text.
    pub fn repaired(place: Place, repair: &Repair) -> Self {
        let code = if repair.is_encoding() { "not-utf8" } else { "repaired-text" };
        Self::new(code, place.with_byte(repair.byte), format!("{} is read with a replacement", repair.what))
    }

    /// A key that stands twice in one object. The text can be read in two ways; in Python the last counts.
    pub fn repeated(place: Place, repeat: &Repeat) -> Self {
        let message = format!("{:?} stands in this object before; the last value is used", repeat.key);
        Self::new("duplicate-key", place.with_byte(repeat.byte), message)
    }
}
