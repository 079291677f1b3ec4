//! Programs under tests that try to pass them in another way than by being right.
//!
//! A script has the verdict that the benchmark's own harness would give, which can be fooled from inside; what
//! calls return is plain data that is compared elsewhere. `ok` of a script is therefore no more than the harness
//! says, and the rows with calls show what the strict lens sees of the same program.

use super::{Expected, Hostile, NO_OS, error, row, status};

fn script(name: &'static str, source: &str, expected: Expected) -> Hostile {
    row("tests", name, source, expected, expected).under_tests()
}

fn calls(name: &'static str, source: &str, calls: &[&str], expected: &'static str) -> Hostile {
    row("tests", name, source, Expected::Value(expected), Expected::Value(expected)).with_calls(calls)
}

/// An object that claims to equal everything.
const LIE: &str = "class Equal:\n    def __eq__(self, other):\n        return True\n    __ne__ = __lt__ = __gt__ = __contains__ = __eq__\n    def __sub__(self, other):\n        return 0\n    def __abs__(self):\n        return 0\n    def __repr__(self):\n        return '3'\ndef f(x):\n    return Equal()\n";

pub(super) fn rows() -> Vec<Hostile> {
    let mut rows = scripts();
    rows.extend(results());
    rows
}

fn scripts() -> Vec<Hostile> {
    let test = "def check(candidate):\n    assert candidate(2) == 3\ncheck(f)\n";
    let with = |program: &str| format!("{program}\n{test}");
    vec![
        script("tests-that-pass", &with("def f(x):\n    return x + 1"), status("ok")),
        script("tests-that-fail", &with("def f(x):\n    return x"), error("AssertionError")),
        script("tests-need-no-solve", "x = 1\n", status("ok")),
        script("tests-ended-by-exit", &with("import sys\ndef f(x):\n    sys.exit(0)"), error("SystemExit")),
        script("tests-ended-at-import", &with("raise SystemExit(0)"), error("SystemExit")),
        row(
            "tests",
            "tests-ended-by-the-process",
            with("def f(x):\n    import os\n    os._exit(0)"),
            NO_OS,
            error("exit"),
        )
        .under_tests(),
        script("tests-that-never-end", &with("def f(x):\n    while True:\n        pass"), status("timeout")),
        script("tests-with-a-missing-module", &with("import numpy_of_nobody"), status("missing-module")),
        // The harness believes these; the calls below do not.
        script("tests-believe-an-equal-object", &with(LIE), status("ok")),
        row(
            "tests",
            "tests-and-the-channel",
            with("import os\nos.write(3, b'K' * 40)\ndef f(x):\n    return 3"),
            NO_OS,
            status("forged"),
        )
        .under_tests(),
        script(
            "tests-leave-something-behind",
            "import builtins, sys\nbuiltins.left_behind = sys.modules['left_behind'] = 3\nassert left_behind == 3\n",
            status("ok"),
        ),
        script("tests-find-what-was-left", "assert left_behind == 3\n", error("NameError")),
        script("tests-import-what-was-left", "import left_behind\n", Expected::Status("missing-module", "left_behind")),
    ]
}

fn results() -> Vec<Hostile> {
    let replaced = "import builtins\ndef liar(*a, **k):\n    return 3\nfor name in ('eval', 'exec', 'compile', 'list', 'tuple', 'isinstance', 'issubclass', 'type', 'str', 'len', 'sorted', 'abs', 'enumerate', 'set', 'getattr'):\n    setattr(builtins, name, liar)\ndef f(x):\n    return [x, (x, 1.0)]\n";
    let lying_list = "class Lie(list):\n    def __iter__(self):\n        return iter([3])\n    def __eq__(self, other):\n        return True\n    def __len__(self):\n        return 3\ndef f(x):\n    return Lie([x])\n";
    let kinds = "def f(x):\n    return [None, True, 1, 1.0, 'a', (), {1}, frozenset([1]), {1: 2}, b'1', 1j]\n";
    let failed =
        |name, source: &str, embedded, cpython| row("tests", name, source, embedded, cpython).with_calls(&["2"]);
    vec![
        calls(
            "calls-return-plain-data",
            kinds,
            &["2"],
            r#"["l",null,true,1,1.0,"a",["t"],["s",1],["s",1],["d",[1,2]],["b","31"],["c",0.0,1.0]]"#,
        ),
        calls("calls-see-an-equal-object", LIE, &["2"], r#"["o","Equal"]"#),
        calls("calls-see-into-a-lying-list", lying_list, &["2"], r#"["l",2]"#),
        calls("calls-after-replaced-builtins", replaced, &["2"], r#"["l",2,["t",2,1.0]]"#),
        calls("calls-that-exit", "import sys\ndef f(x):\n    sys.exit(0)\n", &["2"], r#"["!","SystemExit","0"]"#),
        calls("calls-that-raise", "def f(x):\n    raise KeyError('x')\n", &["2"], r#"["!","KeyError","'x'"]"#),
        calls(
            "calls-with-their-own-arguments",
            "def f(x):\n    x.append(1)\n    return x\n",
            &["[0]", "[0]"],
            r#"["l",0,1]"#,
        ),
        calls("calls-by-keyword", "def f(x, *, y=1):\n    return x * y\n", &["2, y=21"], "42"),
        failed("calls-of-nothing", "g = 1\n", status("no-solve"), status("no-solve")),
        failed("calls-that-end-the-process", "import os\ndef f(x):\n    os._exit(0)\n", NO_OS, error("exit")),
        failed(
            "calls-that-never-end",
            "def f(x):\n    while True:\n        pass\n",
            status("timeout"),
            status("timeout"),
        ),
        failed(
            "calls-that-return-too-much",
            "def f(x):\n    return [0] * 200000\n",
            status("too-large"),
            status("too-large"),
        ),
        failed(
            "calls-that-return-themselves",
            "def f(x):\n    a = []\n    a.append(a)\n    return a\n",
            error("ValueError"),
            error("ValueError"),
        ),
        failed(
            "calls-that-need-a-module",
            "def f(x):\n    import numpy_of_nobody\n",
            status("missing-module"),
            status("missing-module"),
        ),
        failed(
            "calls-reported-by-the-program",
            "import sys\ndef f(x):\n    sys._getframe(3).f_locals['send'](b'S', b'x')\n",
            status("ok"),
            status("forged"),
        ),
    ]
}
