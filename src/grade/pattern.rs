//! Regular expressions with CPython's idea of white space.

use regex::Regex;

/// Compiles a fixed pattern of this module; `\s` also matches U+001C to U+001F, as in CPython.
///
/// # Panics
/// When the pattern is wrong, which is a mistake in this program and caught by any test.
pub(super) fn python(pattern: &str) -> Regex {
    let pattern = pattern.replace("\\s", "[\\s\\x1c-\\x1f]");
    Regex::new(&pattern).unwrap_or_else(|error| panic!("a pattern of this program: {error}"))
}
