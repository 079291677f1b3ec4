//! What became of one execution, as data.

use serde::{Deserialize, Serialize};

use crate::json::Value;

/// The limit that ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Address space was exhausted.
    Memory,
    /// The file size limit struck.
    FileSize,
    /// The process crashed (segmentation fault, abort, stack exhausted).
    Crash,
    /// A signal that no limit of ours sends.
    Signal,
}

impl Limit {
    /// Stable kebab-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::FileSize => "file-size",
            Self::Crash => "crash",
            Self::Signal => "signal",
        }
    }
}

/// How an execution ended. The names are stable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Status {
    /// `solve` returned a dictionary.
    Ok,
    /// An exception left the program, or the process ended before `solve` returned.
    Error {
        /// Name of the exception type; `exit` for a process that ended by itself.
        kind: String,
        /// Its text, cut to a bounded length.
        message: String,
    },
    /// The program defines no callable `solve`.
    NoSolve,
    /// `solve` returned something else.
    NotADict {
        /// Name of the returned type.
        kind: String,
    },
    /// The CPU limit, or the wall limit as its backstop, struck twice.
    Timeout,
    /// Another limit ended the program.
    Killed {
        /// Which one.
        limit: Limit,
    },
    /// The source, or the returned value, is larger than the limits allow.
    TooLarge,
    /// A module that this environment does not have.
    MissingModule {
        /// The module that could not be found.
        name: String,
    },
    /// Two executions under different hash seed, directory and clock disagree.
    Nondeterministic,
    /// What arrived on the result channel was not written by the code that writes results.
    Forged,
}

impl Status {
    /// Stable kebab-case name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error { .. } => "error",
            Self::NoSolve => "no-solve",
            Self::NotADict { .. } => "not-a-dict",
            Self::Timeout => "timeout",
            Self::Killed { .. } => "killed",
            Self::TooLarge => "too-large",
            Self::MissingModule { .. } => "missing-module",
            Self::Nondeterministic => "nondeterministic",
            Self::Forged => "forged",
        }
    }

    /// True for [`Status::Ok`].
    pub fn is_ok(&self) -> bool {
        *self == Self::Ok
    }
}

/// The first bytes a program wrote to a stream, and how many it wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// Kept bytes; not necessarily text.
    pub bytes: Vec<u8>,
    /// Bytes written in all.
    pub total: u64,
}

impl Captured {
    /// Adds what was read, keeping at most `cap` bytes in all.
    pub(super) fn extend(&mut self, read: &[u8], cap: usize) {
        self.total += read.len() as u64;
        let room = cap.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&read[..read.len().min(room)]);
    }
}

/// The result of one execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Entries of the returned dictionary in its order: keys as text the way Python's `json` writes
    /// them, values as plain data; an object that JSON cannot hold is its `str()` as text. Empty
    /// unless the status is `ok`.
    pub returned: Vec<(String, Value)>,
    /// What went to standard output other than through the silent `print`.
    pub stdout: Captured,
    /// What went to standard error.
    pub stderr: Captured,
    /// One sentence for people: the status with its particulars.
    pub message: String,
    /// True for a timeout that the clock decided, not the processor time used: on a machine with less to
    /// do the program might have ended, so such an outcome is never remembered.
    pub by_clock: bool,
}

impl Outcome {
    /// An outcome without output or returned entries.
    pub fn of(status: Status) -> Self {
        let message = describe(&status);
        let (stdout, stderr) = (Captured::default(), Captured::default());
        Self { status, returned: Vec::new(), stdout, stderr, message, by_clock: false }
    }

    /// A successful outcome.
    pub fn returning(returned: Vec<(String, Value)>) -> Self {
        Self { returned, ..Self::of(Status::Ok) }
    }
}

fn describe(status: &Status) -> String {
    match status {
        Status::Ok => "solve returned a dictionary".to_owned(),
        Status::Error { kind, message } if message.is_empty() => kind.clone(),
        Status::Error { kind, message } => format!("{kind}: {message}"),
        Status::NoSolve => "the program defines no callable solve".to_owned(),
        Status::NotADict { kind } => format!("solve returned {kind}, not a dictionary"),
        Status::Timeout => "the time limit struck".to_owned(),
        Status::Killed { limit: Limit::Memory } => "the memory limit struck".to_owned(),
        Status::Killed { limit: Limit::FileSize } => "the file size limit struck".to_owned(),
        Status::Killed { limit: Limit::Crash } => "the interpreter crashed under the program".to_owned(),
        Status::Killed { limit: Limit::Signal } => "a signal ended the program".to_owned(),
        Status::TooLarge => "the program or what it returned is larger than the limits allow".to_owned(),
        Status::MissingModule { name } => format!("no module named {name} in this environment"),
        Status::Nondeterministic => "two executions disagree".to_owned(),
        Status::Forged => "the result channel carried what the program wrote itself".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialised_names_are_the_stable_names() {
        for status in [
            Status::Ok,
            Status::Error { kind: "ValueError".into(), message: "x".into() },
            Status::NoSolve,
            Status::NotADict { kind: "list".into() },
            Status::Killed { limit: Limit::FileSize },
            Status::MissingModule { name: "scipy".into() },
            Status::TooLarge,
        ] {
            assert_eq!(serde_json::to_value(&status).unwrap()["status"], status.name());
        }
        let killed = serde_json::to_value(Status::Killed { limit: Limit::FileSize }).unwrap();
        assert_eq!(killed["limit"], Limit::FileSize.name());
    }

    #[test]
    fn captured_output_is_counted_beyond_its_cap() {
        let mut captured = Captured::default();
        captured.extend(b"abcd", 3);
        captured.extend(b"ef", 3);
        assert_eq!((captured.bytes.as_slice(), captured.total), (&b"abc"[..], 6));
    }
}
