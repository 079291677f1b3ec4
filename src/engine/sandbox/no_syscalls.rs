//! The layer over system calls, on systems without seccomp: there is none, and none is claimed.

/// Which interpreter a filter would be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Interpreter {
    Embedded,
    CPython,
}

/// A filter; there is none.
#[derive(Debug)]
pub(in crate::engine) enum Filter {}

/// No filter.
pub(in crate::engine) fn compile(_interpreter: Interpreter) -> Option<Filter> {
    None
}

/// Puts a filter in force.
pub(in crate::engine) fn apply(filter: &Filter) -> bool {
    match *filter {}
}

/// A filter as a kernel would read it.
pub(in crate::engine) fn to_bytes(filter: &Filter) -> Vec<u8> {
    match *filter {}
}
