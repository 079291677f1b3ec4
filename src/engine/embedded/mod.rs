//! The interpreter compiled into the tool: RustPython without any host access.
//!
//! It has no files, processes, sockets, `os`, `ctypes` or threads, so a program finds nothing to
//! reach for even before the process sandbox stands in its way. Differences from CPython that this
//! module removes: `sum()` of floats is compensated as from CPython 3.12 on (`sum`), and the pure
//! modules that only mention `os` while they are imported load all the same (`stand_in.py`).

mod interpreter;
mod plain;
mod sum;

pub(super) use interpreter::{Embedded, STAND_IN};
