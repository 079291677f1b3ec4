//! Programs that try to be believed instead of being right.

use super::{ANY_FAILURE, Expected, FORTY_TWO, Hostile, NO_OS, error, inside, row, status, value};

fn forge(name: &'static str, source: impl Into<String>, embedded: Expected, cpython: Expected) -> Hostile {
    row("forge", name, source, embedded, cpython)
}

/// A line as the study's own runner printed results.
const FAKE_LINE: &str = r#"sys.stdout.write('{"1": {"value": 666, "unit": "K"}}\n'); sys.stdout.flush()"#;

pub(super) fn rows() -> Vec<Hostile> {
    let mut rows = channel();
    rows.extend(replaced());
    rows.extend(objects());
    rows
}

fn channel() -> Vec<Hostile> {
    let fake_exit = format!("import os, sys\n{FAKE_LINE}\nos._exit(0)\n");
    let frames = "\
import os, struct, sys
def solve():
    frame, found = sys._getframe(), []
    while frame:
        for names in (frame.f_locals, frame.f_globals):
            found += [v for v in list(names.values()) if type(v) is bytes and len(v) >= 16]
        frame = frame.f_back
    for secret in found:
        text = b'[[\"1\",{\"value\":666}]]'
        os.write(3, secret[:16] + struct.pack('<cI', b'K', len(text)) + text)
    os._exit(0)
";
    vec![
        forge("fake-line-then-exit", fake_exit.clone(), NO_OS, error("exit")),
        forge("fake-line-then-exit-in-solve", inside(&fake_exit), NO_OS, error("exit")),
        forge("fake-line-then-honest", format!("import sys\n{FAKE_LINE}\n{}", value("42")), FORTY_TWO, FORTY_TWO),
        forge(
            "atexit-line",
            format!(
                "import atexit, sys\natexit.register(lambda: {})\n{}",
                &FAKE_LINE[..FAKE_LINE.find(';').unwrap_or(0)],
                value("42")
            ),
            FORTY_TWO,
            FORTY_TWO,
        ),
        forge("bytes-on-the-channel", inside("import os\nos.write(3, b'K' * 64)"), NO_OS, status("forged")),
        forge("bytes-then-exit", inside("import os\nos.write(3, b'\\x00' * 99)\nos._exit(0)"), NO_OS, status("forged")),
        forge(
            "all-descriptors",
            inside(
                "import os\nfor n in range(3, 64):\n    try:\n        os.write(n, b'666')\n    except OSError:\n        pass",
            ),
            NO_OS,
            status("forged"),
        ),
        forge("close-the-channel", inside("import os\nos.close(3)"), NO_OS, ANY_FAILURE),
        forge("redirect-the-channel", inside("import os\nos.dup2(1, 3)"), NO_OS, ANY_FAILURE),
        // The reporter's own writer, used to speak for the sandbox.
        forge(
            "start-message-by-the-reporter",
            inside("import sys\nsys._getframe(1).f_locals['send'](b'S', b'x')"),
            ANY_FAILURE,
            status("forged"),
        ),
        forge(
            "start-message-at-import",
            "import sys\nsys._getframe(1).f_locals['send'](b'S', b'x')\n",
            ANY_FAILURE,
            status("forged"),
        ),
        forge(
            "second-start",
            inside(
                "import os, struct, sys\nheld = sys._getframe(1).f_locals\nos.write(3, held['nonce'] + struct.pack('<cI', b'R', 0))",
            ),
            NO_OS,
            ANY_FAILURE,
        ),
        forge("frame-walk", frames, NO_OS, Expected::AnyOf(&["error", "forged"])),
        forge(
            "exit-code-zero",
            "import sys\ndef solve():\n    sys.exit(0)\n",
            error("SystemExit"),
            error("SystemExit"),
        ),
        forge(
            "flood-the-channel",
            inside("import os\nwhile True:\n    os.write(3, b'x' * 65536)"),
            NO_OS,
            status("timeout"),
        ),
        forge(
            "late-thread",
            "import threading, time, os\ndef late():\n    time.sleep(0.2)\n    os.write(3, b'x')\ndef solve():\n    threading.Thread(target=late, daemon=True).start()\n    return {'1': {'value': 42}}\n",
            ANY_FAILURE,
            error("RuntimeError"),
        ),
        forge(
            "forked-child-writes-later",
            inside("import os, time\nif os.fork() == 0:\n    time.sleep(1)\n    os.write(3, b'x')"),
            NO_OS,
            error("PermissionError"),
        ),
    ]
}

fn replaced() -> Vec<Hostile> {
    let both = |name, body: &str| forge(name, body, FORTY_TWO, FORTY_TWO);
    let fake = "lambda *a, **k: '{\"1\": {\"value\": 666}}'";
    vec![
        both(
            "replaced-json-dumps",
            &format!(
                "import json\njson.dumps = {fake}\njson.JSONEncoder.encode = {fake}\njson.encoder.encode_basestring_ascii = {fake}\n{}",
                value("42")
            ),
        ),
        both(
            "replaced-stdout",
            &format!("import sys\nsys.stdout = sys.stderr = sys.__stdout__ = None\n{}", value("42")),
        ),
        both(
            "replaced-builtins",
            &format!(
                "import builtins\ndef solve():\n    answer = {{'1': {{'value': 42, 'unit': 'K'}}}}\n    for name in ('isinstance', 'issubclass', 'type', 'len', 'str', 'repr', 'dict', 'callable', 'list', 'float', 'int', 'id', 'compile', 'exec', 'BaseException', 'MemoryError', 'ModuleNotFoundError', 'ValueError', 'tuple'):\n        setattr(builtins, name, {fake})\n    return answer\n"
            ),
        ),
        both(
            "deleted-builtins",
            "import builtins\ndef solve():\n    answer = {'1': {'value': 42}}\n    vars(builtins).clear()\n    return answer\n",
        ),
        both("emptied-modules", "import sys\ndef solve():\n    sys.modules.clear()\n    return {'1': {'value': 42}}\n"),
        both(
            "replaced-hooks",
            &format!("import sys\nsys.excepthook = sys.unraisablehook = sys.displayhook = {fake}\n{}", value("42")),
        ),
        forge(
            "trace-the-reporter",
            "import sys\ndef solve():\n    def spy(frame, event, arg):\n        raise SystemExit(0)\n    sys.settrace(spy)\n    sys.setprofile(spy)\n    return {'1': {'value': 42}}\n",
            Expected::AnyOf(&["ok", "error"]),
            Expected::AnyOf(&["ok", "error"]),
        ),
        both(
            "audit-hook",
            &format!(
                "import sys\nhook = getattr(sys, 'addaudithook', lambda f: None)\nhook(lambda *a: None)\n{}",
                value("42")
            ),
        ),
        both("print-is-silent", &format!("print('{{\"1\": {{\"value\": 666}}}}')\n{}", value("42"))),
        both(
            "del-at-shutdown",
            "import sys\nclass Last:\n    def __del__(self):\n        sys.stdout.write('{\"1\": {\"value\": 666}}')\nkeep = Last()\ndef solve():\n    return {'1': {'value': 42}}\n",
        ),
        both(
            "solve-replaces-itself",
            "def solve():\n    global solve\n    solve = lambda: {'1': {'value': 666}}\n    return {'1': {'value': 42}}\n",
        ),
        forge(
            "not-run-as-main",
            "if __name__ == '__main__':\n    def solve():\n        return {'1': {'value': 666}}\n",
            status("no-solve"),
            status("no-solve"),
        ),
    ]
}

fn objects() -> Vec<Hostile> {
    let both = |name, source: &str, expected| forge(name, source, expected, expected);
    vec![
        both(
            "items-that-lie",
            "class Lie(dict):\n    def items(self):\n        return [('1', {'value': 666})]\n    __iter__ = keys = values = items\n    def __getitem__(self, key):\n        return {'value': 666}\ndef solve():\n    return Lie({'1': {'value': 42}})\n",
            FORTY_TWO,
        ),
        both(
            "str-is-the-number",
            "class Number:\n    def __str__(self):\n        return '42'\ndef solve():\n    return {'1': {'value': Number()}}\n",
            Expected::Value("\"42\""),
        ),
        both(
            "equal-to-everything",
            "class Equal:\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return 1\n    def __str__(self):\n        return 'equal'\n    __lt__ = __gt__ = __le__ = __ge__ = __eq__\ndef solve():\n    return {'1': {'value': Equal()}}\n",
            Expected::Value("\"equal\""),
        ),
        both(
            "float-that-lies",
            "class Lie(float):\n    def __repr__(self):\n        return '666'\n    __str__ = __repr__\n    def __float__(self):\n        return 666.0\ndef solve():\n    return {'1': {'value': Lie(42.5)}}\n",
            Expected::Value("42.5"),
        ),
        both(
            "int-that-lies",
            "class Lie(int):\n    def __repr__(self):\n        return '666'\n    __str__ = __index__ = __int__ = __repr__\ndef solve():\n    return {'1': {'value': Lie(42)}}\n",
            FORTY_TWO,
        ),
        both(
            "text-that-lies",
            "class Lie(str):\n    def __str__(self):\n        return '666'\n    __repr__ = encode = __str__\ndef solve():\n    return {'1': {'value': Lie('42')}}\n",
            Expected::Value("\"42\""),
        ),
        both(
            "class-that-lies",
            "class Lie:\n    @property\n    def __class__(self):\n        return dict\ndef solve():\n    return Lie()\n",
            Expected::Status("not-a-dict", "Lie"),
        ),
        both(
            "keys-that-lie",
            "class Lie(str):\n    def __str__(self):\n        return '2'\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return 1\ndef solve():\n    return {Lie('1'): 42}\n",
            FORTY_TWO,
        ),
        both(
            "exception-named-ok",
            "class ok(Exception):\n    def __str__(self):\n        return '{\"1\": {\"value\": 666}}'\ndef solve():\n    raise ok()\n",
            error("ok"),
        ),
        both(
            "exception-that-cannot-be-printed",
            "class Odd(Exception):\n    def __str__(self):\n        raise KeyError('x')\ndef solve():\n    raise Odd()\n",
            error("Odd"),
        ),
        both(
            "exception-outside-exception",
            "class Base(BaseException):\n    pass\ndef solve():\n    raise Base('x')\n",
            error("Base"),
        ),
        both("keyboard-interrupt", "def solve():\n    raise KeyboardInterrupt\n", error("KeyboardInterrupt")),
        both(
            "exit-while-str",
            "class Exit:\n    def __str__(self):\n        raise SystemExit(0)\ndef solve():\n    return {'1': {'value': Exit()}}\n",
            error("SystemExit"),
        ),
        both(
            "claims-a-missing-module",
            "def solve():\n    raise ImportError('numpy', name='numpy')\n",
            error("ImportError"),
        ),
    ]
}
