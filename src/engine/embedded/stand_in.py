"""Lets pure standard modules load that import `os` on the way, without giving programs an `os`."""

import sys

import _io

sys.modules["os"] = None


# Modules, each with a text by which a program names it.
NAMED = (
    ("random", "random"),
    ("statistics", "statistics"),
    ("contextlib", "contextlib"),
    # Some names of `typing` are made from it when they are asked for, and a star asks for all.
    ("contextlib", "typing import *"),
    ("contextlib", "ContextManager"),
    ("traceback", "traceback"),
    ("dataclasses", "dataclasses"),
    ("inspect", "inspect"),
    ("timeit", "timeit"),
    ("secrets", "secrets"),
    ("uuid", "uuid"),
    ("threading", "threading"),
    ("queue", "queue"),
    ("sched", "sched"),
    ("fnmatch", "fnmatch"),
    ("logging", "logging"),
    ("doctest", "doctest"),
    ("zoneinfo", "zoneinfo"),
)


class FileIO(_io._RawIOBase):
    """Named by `io` when it loads; there are no files."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("no host access in this interpreter")


if not hasattr(_io, "FileIO"):
    _io.FileIO = FileIO


def load(source):
    """Imports what a program names while an empty stand-in answers to `os`; what still fails stays missing."""
    names = [name for name, text in NAMED if text in source]
    if not names:
        return
    module = type(sys)

    def refuse(*args, **kwargs):
        raise NotImplementedError("no host access in this interpreter")

    def fspath(path):
        if isinstance(path, (str, bytes)):
            return path
        raise TypeError("expected str, bytes or os.PathLike object, not " + type(path).__name__)

    os, path = module("os"), module("posixpath")
    path.sep = os.sep = "/"
    for name in ("join", "exists", "abspath", "realpath", "dirname", "basename", "isfile", "normcase", "splitext"):
        setattr(path, name, refuse)
    os.path, os.name, os.environ, os.linesep = path, "posix", {}, "\n"
    os.urandom = os.getcwd = os.stat = os.listdir = refuse
    os.fspath, os.PathLike = fspath, object
    sys.modules["os"] = sys.modules["posix"] = os
    sys.modules["os.path"] = path
    try:
        for name in names:
            try:
                __import__(name)
            except Exception:
                sys.modules.pop(name, None)
    finally:
        # None makes an import fail by the name of the module, as if it did not exist.
        sys.modules["os"] = None
        sys.modules.pop("os.path", None)
        sys.modules.pop("posix", None)
