//! The error of a file that did not hold still.

use std::io;

/// A file changed while it was read; how that was noticed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it changed while it was read: {0}")]
pub struct ChangedWhileRead(pub &'static str);

impl ChangedWhileRead {
    /// True for an error that carries this one.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()).is_some()
    }
}

impl From<ChangedWhileRead> for io::Error {
    fn from(changed: ChangedWhileRead) -> Self {
        Self::new(io::ErrorKind::InvalidData, changed)
    }
}
