//! Programs that reach for what is not theirs.

use super::{ANY_FAILURE, Expected, FORTY_TWO, Hostile, NO_OS, error, inside, row};
use crate::engine::sandbox::Layer;

pub(super) fn rows() -> Vec<Hostile> {
    let mut rows = files();
    rows.extend(system());
    rows
}

/// What opening a file raises in the embedded interpreter, which has none.
const NO_OPEN: Expected = Expected::AnyOf(&["error", "missing-module"]);
/// Packages beside the standard library are another environment than the one that is recorded.
const SITE_PACKAGES: &str = "\
import os
library = os.path.dirname(os.__file__)
for folder in (library, '/usr/lib/python3', '/usr/local/lib'):
    for kind in ('site-packages', 'dist-packages'):
        base = os.path.join(folder, kind)
        try:
            names = os.listdir(base)
        except OSError:
            names = []
        for name in names:
            for path in (os.path.join(base, name), os.path.join(base, name, '__init__.py')):
                try:
                    if os.path.isfile(path):
                        open(path, 'rb').read(1)
                        return {'1': 666}
                except PermissionError:
                    pass
";
/// The working directory is empty and unreadable; which of the two strikes first depends on the path.
const NOT_THERE: Expected = Expected::Status("error", "");
const REFUSED: Expected = error("PermissionError");

fn files() -> Vec<Hostile> {
    let file = |name, body: &str, embedded| row("reach", name, inside(body), embedded, REFUSED).needs(Layer::Files);
    vec![
        row("reach", "read-benchmark", inside("open('benchmark/core.json').read()"), NO_OPEN, NOT_THERE)
            .needs(Layer::Files),
        file("read-passwd", "open('/etc/passwd').read()", NO_OPEN),
        file("read-own-environment", "open('/proc/self/environ').read()", NO_OPEN),
        file("read-own-maps", "open('/proc/self/maps').read()", NO_OPEN),
        file("read-parent-memory", "import os\nopen('/proc/%d/mem' % os.getppid(), 'rb').read(1)", NO_OS),
        file("read-parent-descriptors", "import os\nos.listdir('/proc/%d/fd' % os.getppid())", NO_OS),
        file("list-working-directory", "import os\nos.listdir('.')", NO_OS),
        file("walk-up", "import os\nos.listdir('..')", NO_OS),
        file("list-root", "import os\nos.listdir('/')", NO_OS),
        file("list-home", "import os\nos.listdir('/root')", NO_OS),
        row("reach", "open-without-reading", inside("import os\nos.open('/etc/passwd', os.O_PATH)"), NO_OS, REFUSED)
            .needs(Layer::Syscalls),
        row("reach", "read-installed-packages", inside(SITE_PACKAGES), NO_OS, FORTY_TWO).needs(Layer::Files),
        file("read-device", "open('/dev/zero', 'rb').read(1)", NO_OPEN),
        file("write-file", "open('planted.py', 'w').write('x')", NO_OPEN),
        file("write-temporary", "open('/tmp/repro-planted', 'w').write('x')", NO_OPEN),
        file("write-shared-memory", "open('/dev/shm/repro-planted', 'w').write('x')", NO_OPEN),
        file("write-own-library", "import math, os\nopen(os.__file__, 'a').write('x')", NO_OS),
        file("append-file", "open('/etc/hosts', 'a').write('x')", NO_OPEN),
        row(
            "reach",
            "read-benchmark-by-pathlib",
            inside("import pathlib\npathlib.Path('benchmark/core.json').read_text()"),
            ANY_FAILURE,
            NOT_THERE,
        )
        .needs(Layer::Files),
        row(
            "reach",
            "temporary-file",
            inside("import tempfile\ntempfile.NamedTemporaryFile()"),
            ANY_FAILURE,
            ANY_FAILURE,
        )
        .needs(Layer::Files),
        row(
            "reach",
            "planted-module",
            inside("import planted"),
            Expected::Status("missing-module", "planted"),
            Expected::Status("missing-module", "planted"),
        ),
        row(
            "reach",
            "own-module-in-memory",
            "import sys\nsys.modules['planted'] = sys\ndef solve():\n    return {'1': 42}\n",
            FORTY_TWO,
            FORTY_TWO,
        ),
        row(
            "reach",
            "module-of-the-program-before",
            "import sys\ndef solve():\n    return {'1': 666 if 'planted' in sys.modules else 42}\n",
            FORTY_TWO,
            FORTY_TWO,
        ),
    ]
}

fn system() -> Vec<Hostile> {
    let call = |name, body: &str| row("reach", name, inside(body), NO_OS, REFUSED).needs(Layer::Syscalls);
    let ctypes = |name, body: &str| {
        let source = inside(&format!(
            "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nresult = {body}\nif result >= 0:\n    return {{'1': 666}}"
        ));
        row("reach", name, source, ANY_FAILURE, FORTY_TWO).needs(Layer::Syscalls)
    };
    let secret = "import os\nknown = {'PYTHONHASHSEED', 'TZ', 'LC_ALL', 'LC_CTYPE'}\nif set(os.environ) - known:\n    return {'1': 666}";
    vec![
        row("reach", "environment-secrets", inside(secret), NO_OS, FORTY_TWO),
        row(
            "reach",
            "loopback-connect",
            inside("import _socket\n_socket.socket(_socket.AF_INET, _socket.SOCK_STREAM).connect(('127.0.0.1', 22))"),
            ANY_FAILURE,
            REFUSED,
        )
        .needs(Layer::Syscalls),
        row(
            "reach",
            "unix-socket",
            inside("import _socket\n_socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)"),
            ANY_FAILURE,
            REFUSED,
        )
        .needs(Layer::Syscalls),
        row(
            "reach",
            "name-lookup",
            inside("import _socket\n_socket.getaddrinfo('example.org', 80)"),
            ANY_FAILURE,
            ANY_FAILURE,
        )
        .needs(Layer::Syscalls),
        call("fork-child", "import os\nos.fork()"),
        call("signal-parent", "import os, signal\nos.kill(os.getppid(), signal.SIGTERM)"),
        call("signal-everybody", "import os\nos.kill(-1, 9)"),
        call("execute", "import os\nos.execv('/bin/true', ['true'])"),
        call("spawn", "import os\nos.posix_spawn('/bin/true', ['true'], {})"),
        call("symbolic-link", "import os\nos.symlink('/etc/passwd', 'link')"),
        call("make-folder", "import os\nos.mkdir('folder')"),
        call("remove-file", "import os\nos.unlink('/etc/hostname')"),
        call("change-mode", "import os\nos.chmod('.', 0o777)"),
        call("read-link", "import os\nos.readlink('/proc/self/exe')"),
        call("new-session", "import os\nos.setsid()"),
        call("become-somebody", "import os\nos.setuid(65534)"),
        call("change-root", "import os\nos.chroot('.')"),
        call("lower-priority", "import os\nos.nice(5)"),
        row(
            "reach",
            "raise-limits",
            inside("import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))"),
            ANY_FAILURE,
            ANY_FAILURE,
        ),
        row("reach", "shell", inside("import os\nif os.system('true') == 0:\n    return {'1': 666}"), NO_OS, FORTY_TWO)
            .needs(Layer::Syscalls),
        ctypes("trace-parent", "libc.ptrace(16, 1, 0, 0)"),
        ctypes("process-control", "libc.prctl(1, 0, 0, 0, 0)"),
        ctypes("memory-file", "libc.memfd_create(b'x', 0)"),
        ctypes("new-namespace", "libc.unshare(0x10000000)"),
        ctypes("mount", "libc.mount(b'none', b'/', b'tmpfs', 0, None)"),
        ctypes("raw-clone", "libc.syscall(56, 17, 0, 0, 0, 0)"),
        ctypes("read-parent-memory-by-call", "libc.process_vm_readv(1, None, 0, None, 0, 0)"),
        ctypes("asynchronous-ring", "libc.syscall(425, 1, 0)"),
        ctypes("open-for-writing-by-call", "libc.open(b'/tmp/repro-planted', 0o101, 0o600)"),
    ]
}
