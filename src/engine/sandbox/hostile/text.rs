//! Program texts that are not quite programs.

use super::{Expected, FORTY_TWO, Hostile, error, row, status, value};

pub(super) fn rows() -> Vec<Hostile> {
    let both = |name, source: String, expected| row("text", name, source, expected, expected);
    let syntax = Expected::AnyOf(&["error"]);
    let large = format!("# {}\n{}", "x".repeat(10_000_000), value("42"));
    let parentheses = format!("x = {}42{}\n{}", "(".repeat(20_000), ")".repeat(20_000), value("42"));
    let sum = format!("x = {}1\n{}", "1 + ".repeat(20_000), value("42"));
    vec![
        both("empty", String::new(), status("no-solve")),
        both("only-a-comment", "# nothing\n".to_owned(), status("no-solve")),
        both("prose", "The answer is 42 K.\n".to_owned(), error("SyntaxError")),
        both("nul-bytes", "def solve():\0\n    return {}\n".to_owned(), syntax),
        both("binary", "\u{1}\u{2}\u{7f}\u{fffd}\u{0}".to_owned(), syntax),
        both("byte-order-mark", format!("\u{feff}{}", value("42")), Expected::AnyOf(&["error", "ok"])),
        both("carriage-returns", value("42").replace('\n', "\r\n"), FORTY_TWO),
        both("old-carriage-returns", value("42").replace('\n', "\r"), FORTY_TWO),
        both("mixed-indentation", "def solve():\n\tx = 1\n        return {'1': 42}\n".to_owned(), syntax),
        both("ten-megabytes", large, status("too-large")),
        both("many-parentheses", parentheses, Expected::AnyOf(&["error", "killed", "ok"])),
        both("long-expression", sum, Expected::AnyOf(&["error", "killed", "ok"])),
        both("no-last-line-end", value("42").trim_end().to_owned(), FORTY_TWO),
        both("unicode-names", "def solve(Δθ=42):\n    return {'1': Δθ}\n".to_owned(), FORTY_TWO),
        both("unfinished-text", "def solve():\n    return {'1': 'abc\n".to_owned(), error("SyntaxError")),
        both("return-outside", "return {'1': 42}\n".to_owned(), error("SyntaxError")),
        both("future-import", format!("from __future__ import annotations\n{}", value("42")), FORTY_TWO),
        both("nested-functions", "def outer(a=40):\n    def inner(b=2):\n        return a + b\n    return inner()\ndef solve():\n    return {'1': outer()}\n".to_owned(), FORTY_TWO),
    ]
}
