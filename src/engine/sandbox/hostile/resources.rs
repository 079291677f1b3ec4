//! Programs that use up what they are given.

use super::{ANY_FAILURE, Expected, FORTY_TWO, Hostile, NO_OS, error, inside, row, status, value};
use crate::engine::sandbox::Layer;

pub(super) fn rows() -> Vec<Hostile> {
    let both = |name, body: &str, expected| row("resources", name, inside(body), expected, expected);
    let memory = Expected::Status("killed", "memory");
    let stubborn = Expected::AnyOf(&["timeout", "error", "missing-module"]);
    let deep = Expected::AnyOf(&["error", "killed", "timeout"]);
    let mut rows = vec![
        both("endless-loop", "while True:\n    pass", status("timeout")),
        both(
            "endless-loop-that-catches",
            "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
            status("timeout"),
        ),
        row("resources", "endless-loop-at-import", "while True:\n    pass\n", status("timeout"), status("timeout")),
        both("sleep", "import time\ntime.sleep(10000)", status("timeout")),
        both(
            "ignored-time-signals",
            "import signal\nfor s in (signal.SIGXCPU, signal.SIGALRM):\n    try:\n        signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\nwhile True:\n    pass",
            stubborn,
        ),
        both("memory-bomb", "kept = []\nwhile True:\n    kept.append(bytearray(1 << 28))", memory),
        both("one-huge-object", "bytearray(1 << 40)", Expected::AnyOf(&["killed", "error"])),
        both(
            "endless-list",
            "kept = []\nwhile True:\n    kept.append([0] * 100000)",
            Expected::AnyOf(&["killed", "timeout"]),
        ),
        both("deep-recursion", "def down(n):\n    return down(n + 1)\ndown(0)", error("RecursionError")),
        both(
            "recursion-limit-bomb",
            "import sys\nsys.setrecursionlimit(10 ** 9)\ndef down(n):\n    return [down(n + 1)]\ndown(0)",
            deep,
        ),
        both("catastrophic-pattern", "import re\nre.match('(a+)+$', 'a' * 64 + 'b')", status("timeout")),
        both("huge-power", "9 ** 9 ** 9", Expected::AnyOf(&["timeout", "killed", "error"])),
        both("long-exception", "raise ValueError('x' * 10000000)", error("ValueError")),
    ];
    rows.extend(output());
    rows.extend(processes());
    rows
}

fn output() -> Vec<Hostile> {
    let loud = |stream: &str, extra: &str| {
        format!(
            "import sys\ndef solve():\n    block = 'x' * (1 << 20)\n    for _ in range(200):\n        sys.{stream}.write(block)\n{extra}    return {{'1': {{'value': 42}}}}\n"
        )
    };
    vec![
        row("resources", "loud-stdout", loud("stdout", ""), FORTY_TWO, FORTY_TWO),
        row("resources", "loud-stderr", loud("stderr", ""), FORTY_TWO, FORTY_TWO),
        row(
            "resources",
            "large-file",
            inside("open('large', 'wb').write(b'x' * 40000000)"),
            ANY_FAILURE,
            error("PermissionError"),
        )
        .needs(Layer::Files),
        row(
            "resources",
            "invalid-utf8-on-stdout",
            inside("import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x80')"),
            error("AttributeError"),
            FORTY_TWO,
        ),
        row(
            "resources",
            "invalid-utf8-on-stderr",
            inside("import sys\nsys.stderr.buffer.write(b'\\xff\\xfe\\x80')"),
            error("AttributeError"),
            FORTY_TWO,
        ),
        row(
            "resources",
            "reads-stdin",
            inside("if input() != '':\n    return {'1': 666}"),
            ANY_FAILURE,
            error("EOFError"),
        ),
    ]
}

fn processes() -> Vec<Hostile> {
    let grandchild = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(5)\n        open('/tmp/repro-planted', 'w').write('x')\n    os._exit(0)";
    vec![
        row("resources", "fork-bomb", inside("import os\nwhile True:\n    os.fork()"), NO_OS, error("PermissionError"))
            .needs(Layer::Syscalls),
        row("resources", "detached-grandchild", inside(grandchild), NO_OS, error("PermissionError"))
            .needs(Layer::Syscalls),
        row("resources", "subprocess", inside("import subprocess\nsubprocess.run(['true'])"), ANY_FAILURE, ANY_FAILURE)
            .needs(Layer::Syscalls),
        row(
            "resources",
            "process-pool",
            inside("import multiprocessing\nmultiprocessing.Pool(2)"),
            ANY_FAILURE,
            ANY_FAILURE,
        )
        .needs(Layer::Syscalls),
        row(
            "resources",
            "segmentation-fault",
            inside("import ctypes\nctypes.string_at(0)"),
            ANY_FAILURE,
            Expected::Status("killed", "crash"),
        ),
        row("resources", "abort", inside("import os\nos.abort()"), NO_OS, status("killed")),
        row(
            "resources",
            "thread-bomb",
            inside("import _thread\nwhile True:\n    _thread.start_new_thread(lambda: None, ())"),
            ANY_FAILURE,
            error("RuntimeError"),
        )
        .needs(Layer::Syscalls),
        row(
            "resources",
            "all-the-descriptors",
            inside("import os\nkept = [os.dup(1) for _ in range(100)]"),
            NO_OS,
            error("OSError"),
        ),
        row("resources", "still-fine-afterwards", value("42"), FORTY_TWO, FORTY_TWO),
    ]
}
