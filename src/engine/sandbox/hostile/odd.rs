//! Programs that return odd things.

use super::{Expected, FORTY_TWO, Hostile, error, row, status, value};

fn both(name: &'static str, source: impl Into<String>, expected: Expected) -> Hostile {
    row("odd", name, source, expected, expected)
}

fn returns(name: &'static str, expression: &str, expected: Expected) -> Hostile {
    both(name, format!("def solve():\n    return {expression}\n"), expected)
}

fn holds(name: &'static str, expression: &str, expected: &'static str) -> Hostile {
    both(name, value(expression), Expected::Value(expected))
}

const TOO_LARGE: Expected = status("too-large");

pub(super) fn rows() -> Vec<Hostile> {
    let mut rows = whole();
    rows.extend(values());
    rows
}

fn whole() -> Vec<Hostile> {
    let nested = "deep = 42\nfor _ in range(100000):\n    deep = [deep]\ndef solve():\n    return {'1': deep}\n";
    let doubling =
        "shared = [42]\nfor _ in range(60):\n    shared = [shared, shared]\ndef solve():\n    return {'1': shared}\n";
    vec![
        returns("returns-none", "None", Expected::Status("not-a-dict", "NoneType")),
        returns("returns-list", "[42]", Expected::Status("not-a-dict", "list")),
        returns("returns-text", "'{\"1\": 42}'", Expected::Status("not-a-dict", "str")),
        returns("returns-number", "42", Expected::Status("not-a-dict", "int")),
        returns("returns-generator", "(x for x in [42])", Expected::Status("not-a-dict", "generator")),
        returns("returns-empty", "{}", status("ok")),
        returns("integer-keys", "{1: 42}", FORTY_TWO),
        returns("odd-keys", "{None: 42, True: 1, 2.5: 2, float('nan'): 3}", FORTY_TWO),
        returns("tuple-keys", "{('1', '2'): 42}", error("TypeError")),
        returns("byte-keys", "{b'1': 42}", error("TypeError")),
        returns("same-key-twice-as-text", "{'1': 41, 1: 42}", FORTY_TWO),
        both("circular", "def solve():\n    a = {}\n    a['1'] = a\n    return a\n", error("ValueError")),
        both("circular-list", "def solve():\n    a = []\n    a.append(a)\n    return {'1': a}\n", error("ValueError")),
        both("nesting-of-100000", nested, TOO_LARGE),
        both("doubling-structure", doubling, TOO_LARGE),
        returns("two-megabytes-of-text", "{'1': 'x' * 2000000}", TOO_LARGE),
        returns("eighty-seven-thousand-keys", "{n: 0 for n in range(87000)}", TOO_LARGE),
        returns("eighty-seven-thousand-keys-inside", "{'1': {n: 0 for n in range(87000)}}", status("ok")),
        returns("ten-thousand-keys", "{n: 42 for n in range(10000)}", FORTY_TWO),
        returns("more-values-than-are-read", "{'1': [0] * 200000}", TOO_LARGE),
        returns("half-a-million-keys", "{n: n for n in range(500000)}", TOO_LARGE),
        both(
            "ordered-dict",
            "from collections import OrderedDict\ndef solve():\n    return OrderedDict([('1', 42)])\n",
            FORTY_TWO,
        ),
        both("async-solve", "async def solve():\n    return {'1': 42}\n", Expected::Status("not-a-dict", "coroutine")),
        both("generator-solve", "def solve():\n    yield {'1': 42}\n", Expected::Status("not-a-dict", "generator")),
        both(
            "callable-object",
            "class Solve:\n    def __call__(self):\n        return {'1': 42}\nsolve = Solve()\n",
            FORTY_TWO,
        ),
        both("solve-is-a-number", "solve = 42\n", status("no-solve")),
        both("solve-wants-arguments", "def solve(x):\n    return {'1': x}\n", error("TypeError")),
        both("solve-is-deleted", "def solve():\n    return {'1': 42}\ndel solve\n", status("no-solve")),
    ]
}

fn values() -> Vec<Hostile> {
    vec![
        holds("not-a-number", "float('nan')", "NaN"),
        holds("infinity", "float('inf')", "Infinity"),
        holds("minus-infinity", "-float('inf')", "-Infinity"),
        holds("minus-zero", "-0.0", "-0.0"),
        holds("smallest-float", "5e-324", "5e-324"),
        holds("seventeen-digits", "0.1 + 0.2", "0.30000000000000004"),
        holds("large-float", "1e16", "1e+16"),
        holds("boolean", "True", "true"),
        holds("none", "None", "null"),
        holds("padded-numeric-text", "' 4_2 '", "\" 4_2 \""),
        holds("arabic-indic-digits", "'٤٢'", "\"٤٢\""),
        holds("beyond-the-plane", "'𝟜𝟚'", "\"𝟜𝟚\""),
        holds("lone-surrogate", "'\\ud800'", "\"\u{fffd}\""),
        holds("quotes-and-controls", "'\"\\\\\\n\\x00'", "\"\\\"\\\\\\n\\u0000\""),
        holds("tuple", "(4, 2)", "[4,2]"),
        holds("complex", "complex(4, 2)", "\"(4+2j)\""),
        holds("bytes", "b'42'", "\"b'42'\""),
        holds("integer-of-309-digits", "10 ** 308 * 10 // 10 ** 309", "1"),
        both("integer-of-401-digits", "def solve():\n    return {'1': 10 ** 400}\n", status("ok")),
        both("integer-of-5000-digits", value("10 ** 5000"), error("ValueError")),
        both(
            "fraction",
            format!("from fractions import Fraction\n{}", value("Fraction(84, 4)")),
            Expected::Value("\"21\""),
        ),
        both(
            "decimal",
            format!("from decimal import Decimal\n{}", value("Decimal('4.2')")),
            Expected::Value("\"4.2\""),
        ),
        both(
            "enumeration",
            format!("from enum import IntEnum\nclass E(IntEnum):\n    A = 42\n{}", value("E.A")),
            FORTY_TWO,
        ),
        both("set-of-one", value("{42}"), Expected::Value("\"{42}\"")),
        both("entry-is-a-bare-number", "def solve():\n    return {'1': 42}\n", FORTY_TWO),
    ]
}
