//! Development data that lies beside the repository, when it is there.
#![allow(clippy::print_stderr, clippy::disallowed_methods, reason = "tests say what they skip and read fixtures")]

use std::path::PathBuf;

/// A path below `../shared`, or `None` with a visible remark that the test was skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("SKIPPED: {} needs ../shared/{path}", std::thread::current().name().unwrap_or("this test"));
    None
}

/// The lines of a JSON-lines file below `../shared`.
pub(crate) fn lines(path: &str) -> Option<Vec<repro::json::Value>> {
    let text = std::fs::read_to_string(shared(path)?).unwrap();
    Some(text.lines().map(parse).collect())
}

/// One JSON text in the lenient dialect.
pub(crate) fn parse(text: &str) -> repro::json::Value {
    repro::json::Reader::new(text.as_bytes()).value().unwrap()
}
