//! Development data that lies beside the repository, when it is there.
#![allow(clippy::disallowed_methods, reason = "tests read fixtures past the tool")]

use std::path::PathBuf;

/// A path below `../shared`. A test that asks for one carries `#[cfg_attr(not(has_shared), ignore = "...")]`:
/// where the folder is absent it is reported as ignored and never comes here.
pub(crate) fn shared(path: &str) -> PathBuf {
    let full = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    assert!(full.exists(), "../shared/{path} is absent (if the whole folder went away: `touch build.rs`)");
    full
}

/// The lines of a JSON-lines file below `../shared`.
pub(crate) fn lines(path: &str) -> Vec<repro::json::Value> {
    let text = std::fs::read_to_string(shared(path)).unwrap();
    text.lines().map(parse).collect()
}

/// One JSON text in the lenient dialect.
pub(crate) fn parse(text: &str) -> repro::json::Value {
    repro::json::Reader::new(text.as_bytes()).value().unwrap()
}
