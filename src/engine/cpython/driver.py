"""Warmed CPython worker: forks one jailed child for each program.

Run as ``python -s -S -B -c THIS layers filter``; descriptor 0 is the socket of the supervisor. The
Landlock layer and the limits of the worker were put in place by the process that executed this
interpreter. Formats: src/engine/frame.rs. What reports a result is captured in closures before the
program runs and uses no name that a program could rebind.
"""

import sys

sys.path[:] = [entry for entry in sys.path if entry]

import _socket
import gc
import os
import resource
import signal
import struct
from json.encoder import encode_basestring_ascii

try:
    import ctypes
except ImportError:
    ctypes = None

RESULT = 3
DEEPEST = 200


def make_lock(program):
    """The call that installs the filter for good, or None where that is impossible."""
    if ctypes is None or not program:
        return None

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    code = ctypes.create_string_buffer(program, len(program))
    head = Program(len(program) // 8, ctypes.addressof(code))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    address = ctypes.addressof(head)

    def lock(keep=(code, head)):
        return prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, address, 0, 0) == 0

    return lock


def make_death_pact():
    """The call that ties a child to its parent's life, where it is possible."""
    if ctypes is None:
        return lambda: None
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    return lambda: prctl(1, signal.SIGKILL, 0, 0, 0)


def holds(layer):
    """True when a child of this process can put a layer in place; tried before it is claimed."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if layer() else 1)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


class TooLarge(Exception):
    pass


def make_encoder(
    limit,
    type=type,
    issubclass=issubclass,
    id=id,
    len=len,
    str=str,
    int=int,
    float=float,
    list=list,
    tuple=tuple,
    dict=dict,
    set=set,
    frozenset=frozenset,
    bytes=bytes,
    complex=complex,
    TypeError=TypeError,
    ValueError=ValueError,
    TooLarge=TooLarge,
    quote=encode_basestring_ascii,
):
    """Plain data as JSON text, by the built-in content of objects only: `entries` of a returned dictionary
    as Python's json writes them, and `plain` for one value with the kind of each container in front."""
    int_text, float_text, str_text = int.__repr__, float.__repr__, str.__str__
    dict_items, list_items, tuple_items = dict.items, list.__iter__, tuple.__iter__
    set_items, frozen_items, bytes_hex = set.__iter__, frozenset.__iter__, bytes.hex
    real, imaginary = complex.__dict__["real"].__get__, complex.__dict__["imag"].__get__
    type_name = type.__dict__["__name__"].__get__
    odd = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}

    def number(kind, value):
        if issubclass(kind, int):
            return int_text(value)
        text = float_text(value)
        return odd[text] if text in odd else text

    def key_text(key):
        kind = type(key)
        if issubclass(kind, str):
            return str_text(key)
        if key is True:
            return "true"
        if key is False:
            return "false"
        if key is None:
            return "null"
        if issubclass(kind, int) or issubclass(kind, float):
            return number(kind, key)
        raise TypeError("keys must be str, int, float, bool or None, not " + type_name(kind))

    def encode(value, out, above, size):
        # `size` is a list of one number, so that shared structure cannot explode.
        kind = type(value)
        if value is None:
            text = "null"
        elif value is True:
            text = "true"
        elif value is False:
            text = "false"
        elif issubclass(kind, str):
            text = quote(str_text(value))
        elif issubclass(kind, int) or issubclass(kind, float):
            text = number(kind, value)
        elif issubclass(kind, dict) or issubclass(kind, list) or issubclass(kind, tuple):
            if id(value) in above:
                raise ValueError("Circular reference detected")
            if len(above) >= DEEPEST:
                raise TooLarge
            container(kind, value, out, {**above, id(value): None}, size)
            return
        else:
            text = quote(str_text(str(value)))
        size[0] += len(text) + 1
        if size[0] > limit:
            raise TooLarge
        out.append(text)

    def container(kind, value, out, above, size):
        mark = ""
        size[0] += 2
        if issubclass(kind, dict):
            out.append("{")
            for key, item in dict_items(value):
                text = quote(key_text(key))
                size[0] += len(text) + 1
                out.append(mark + text + ":")
                encode(item, out, above, size)
                mark = ","
            out.append("}")
            return
        out.append("[")
        for item in list_items(value) if issubclass(kind, list) else tuple_items(value):
            if mark:
                out.append(mark)
            encode(item, out, above, size)
            mark = ","
        out.append("]")

    def plain(value, out, above, size):
        kind = type(value)
        mark = None
        if issubclass(kind, list):
            mark, items = "l", list_items
        elif issubclass(kind, tuple):
            mark, items = "t", tuple_items
        elif issubclass(kind, set):
            mark, items = "s", set_items
        elif issubclass(kind, frozenset):
            mark, items = "s", frozen_items
        elif issubclass(kind, dict):
            mark, items = "d", dict_items
        elif issubclass(kind, bytes):
            text = '["b","' + bytes_hex(value) + '"]'
        elif issubclass(kind, complex):
            text = '["c",' + number(float, real(value)) + "," + number(float, imaginary(value)) + "]"
        elif value is None:
            text = "null"
        elif value is True:
            text = "true"
        elif value is False:
            text = "false"
        elif issubclass(kind, str):
            text = quote(str_text(value))
        elif issubclass(kind, int) or issubclass(kind, float):
            text = number(kind, value)
        else:
            text = '["o",' + quote(type_name(kind)) + "]"
        if mark is None:
            size[0] += len(text) + 1
            if size[0] > limit:
                raise TooLarge
            out.append(text)
            return
        if id(value) in above:
            raise ValueError("Circular reference detected")
        if len(above) >= DEEPEST:
            raise TooLarge
        above = {**above, id(value): None}
        size[0] += 6
        out.append('["' + mark + '"')
        for item in items(value):
            out.append(",")
            if mark == "d":
                key, item = item
                out.append("[")
                plain(key, out, above, size)
                out.append(",")
            plain(item, out, above, size)
            if mark == "d":
                out.append("]")
        out.append("]")

    def entries(returned):
        out, size, mark = [], [0], "["
        for key, item in dict_items(returned):
            text = quote(key_text(key))
            size[0] += len(text) + 4
            out.append(mark + "[" + text + ",")
            encode(item, out, {id(returned): None}, size)
            out.append("]")
            mark = ","
        out.append("]" if out else "[]")
        return "".join(out).encode("ascii")

    return entries, plain


def make_reporter(
    nonce,
    limit,
    write=os.write,
    exit_now=os._exit,
    pack=struct.pack,
    type=type,
    str=str,
    dict=dict,
    callable=callable,
    compile=compile,
    execute=exec,
    evaluate=eval,
    enumerate=enumerate,
    issubclass=issubclass,
    quote=encode_basestring_ascii,
    BaseException=BaseException,
    MemoryError=MemoryError,
    ModuleNotFoundError=ModuleNotFoundError,
    TooLarge=TooLarge,
):
    """Runs one program and sends one frame; never returns."""
    entries, plain = make_encoder(limit)
    type_name = type.__dict__["__name__"].__get__
    flushes = (sys.stdout.flush, sys.stderr.flush)
    # Setting a trace function is slow even when it is None, so that is done only where there is one.
    untrace = ((sys.gettrace, sys.settrace), (sys.getprofile, sys.setprofile))

    def quieten():
        for get, clear in untrace:
            if get() is not None:
                clear(None)

    def send(tag, payload=b""):
        quieten()
        frame = nonce + pack("<cI", tag, len_of(payload)) + payload
        while frame:
            frame = frame[write(RESULT, frame) :]
        for flush in flushes:
            try:
                flush()
            except BaseException:
                pass
        exit_now(0)

    len_of = bytes.__len__
    len_of_text, int_text, join = str.__len__, int.__repr__, "".join

    def raised(error):
        kind = type(error)
        if issubclass(kind, TooLarge):
            send(b"L")
        if issubclass(kind, MemoryError):
            send(b"O")
        if issubclass(kind, ModuleNotFoundError) and type(error.name) is str:
            send(b"M", error.name.encode("utf-8", "replace"))
        send(b"E", ("[" + quote(type_name(kind)) + "," + quote(text_of(error)) + "]").encode("ascii"))

    def text_of(error):
        try:
            return str.__str__(str(error))[:2000]
        except BaseException:
            return ""

    def called(codes, function):
        """What each call returned, or the exception that left it; one entry for each."""
        out, size = [], [0]
        for place, code in enumerate(codes):
            out.append((",[\"" if place else "[\"") + int_text(place) + '",')
            try:
                value = evaluate(code, {"_": function, "__builtins__": {}})
            except BaseException as error:
                kind = type(error)
                if issubclass(kind, MemoryError) or issubclass(kind, ModuleNotFoundError):
                    raise
                text = '["!",' + quote(type_name(kind)) + "," + quote(text_of(error)) + "]"
                size[0] += len_of_text(text)
                out.append(text)
            else:
                quieten()
                plain(value, out, {}, size)
            if size[0] > limit:
                raise TooLarge
            out.append("]")
        return ("[" + join(out) + "]").encode("ascii")

    def report(source, arguments, namespace, entry):
        write(RESULT, nonce + pack("<cI", b"R", 0))
        try:
            codes = []
            if entry == 2:
                codes += [compile("_(" + call + ")", "<call>", "eval", 0, True) for call in arguments["calls"]]
            execute(compile(source, "<string>", "exec", 0, True), namespace)
            if entry == 1:
                send(b"K", b"[]")
            if entry == 2:
                function = namespace.get(arguments["function"])
                if not callable(function):
                    send(b"N")
                send(b"K", called(codes, function))
            solve = namespace.get("solve")
            if not callable(solve):
                send(b"N")
            returned = solve(**arguments)
            if not issubclass(type(returned), dict):
                send(b"D", type_name(type(returned)).encode("utf-8", "replace"))
            quieten()
            payload = entries(returned)
        except BaseException as error:
            raised(error)
        send(b"K", payload)

    return report


def limit(cpu, memory):
    cpu = max(cpu, 1)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    return True


def become_child(fds, null, cpu, wall, memory, lock, pact):
    """Everything that must hold before the program; returns the name of what failed, or None."""
    os.setpgid(0, 0)
    pact()
    os.dup2(null, 0)
    os.dup2(fds[1], 1)
    os.dup2(fds[2], 2)
    os.dup2(fds[0], RESULT)
    os.closerange(RESULT + 1, 64)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    limit(cpu, memory)
    signal.alarm(wall + 5)
    if lock is not None and not lock():
        return "syscalls"
    return None


def receive(socket, length):
    parts = []
    while length:
        part = socket.recv(min(length, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def silence():
    """A print that says nothing, from a namespace of its own."""
    own = {}
    exec("def print(*args, **kwargs):\n    return None\n", own)
    return own["print"]


def warm():
    """What the interpreter makes when it is first asked to compile, call and write is made here once, and not in
    each child: the classes of syntax trees alone take a third of a short program's time."""
    source = "def solve(x=1.5, y=(2,)):\n    return {'1': {'value': x * y[0] ** 0.5, 'unit': f'{x:.1f} m'}}\n"
    own = {}
    exec(compile(source, "<warm>", "exec", 0, True), own)
    make_encoder(1 << 10)[0](own["solve"]())
    try:
        exec(compile("{}['absent']", "<warm>", "exec", 0, True), {})
    except KeyError as error:
        str(error)


def hello(socket, layers, lock):
    have = [layer for layer in layers.split(",") if layer] + (["syscalls"] if lock else [])
    compensated = sum([1.0, 1e100, 1.0, -1e100]) == 2.0
    lines = [
        "CPython " + ".".join(map(str, sys.version_info[:3])),
        "compensated" if compensated else "plain",
        ",".join(have),
        " ".join(sys.version.split()),
    ]
    text = "\n".join(lines).encode()
    socket.sendall(struct.pack("<I", len(text)) + text)


def serve():
    layers, program = sys.argv[1], bytes.fromhex(sys.argv[2])
    del sys.argv[1:]
    sys.argv[0] = ""
    socket = _socket.socket(fileno=os.dup(0))
    # Standard input of programs: a pipe without a writer is at its end, and needs no file.
    null, writer = os.pipe()
    os.close(writer)
    lock, pact = make_lock(program), make_death_pact()
    if lock is not None and not holds(lock):
        lock = None
    if not holds(lambda: limit(1, 1 << 30)):
        sys.exit("the resource limits of a program cannot be set here")
    # Not `random`: it would reseed itself in every child.
    for name in ("math", "cmath", "json", "itertools", "functools", "collections"):
        __import__(name)
    hello(socket, layers, lock)
    from json import loads

    loads('{"x": [1.5]}')
    warm()
    quiet = silence()
    head = struct.Struct("<16sIIQIII")
    room = _socket.CMSG_LEN(12)
    reply = struct.Struct("<cBi")
    gc.collect()
    gc.freeze()
    last = 0
    while True:
        data, extra, _, _ = socket.recvmsg(1, room)
        if not data:
            os._exit(0)
        fds = struct.unpack("<3i", extra[0][2])
        (length,) = struct.unpack("<I", receive(socket, 4))
        body = receive(socket, length)
        if last:
            os.waitpid(last, 0)
        nonce, cpu, wall, memory, frame, entry, size = head.unpack_from(body)
        source = body[head.size : head.size + size].decode()
        arguments = body[head.size + size :]
        last = os.fork()
        if last == 0:
            missing = become_child(fds, null, cpu, wall, memory, lock, pact)
            if missing:
                os.write(RESULT, nonce + struct.pack("<cI", b"S", len(missing)) + missing.encode())
                os._exit(0)
            try:
                report, nonce, body = make_reporter(nonce, frame), None, None
                report(source, loads(arguments), {"print": quiet}, entry)
            finally:
                os._exit(71)
        socket.sendall(reply.pack(b"S", 0, last))
        for fd in fds:
            os.close(fd)
        ended = os.waitid(os.P_PID, last, os.WEXITED | os.WNOWAIT)
        signalled = ended.si_code != os.CLD_EXITED
        socket.sendall(reply.pack(b"X", signalled, ended.si_status))


serve()
