#!/usr/bin/env python3
"""Time `repro stats` against Python's own JSON reader over the same files, in one run.

    tests/bench/yardstick.py STUDY [--repro target/release/repro] [--jobs 2] [--repeat 2]

The yardstick is one process of this interpreter that does `json.load` on every run file below
STUDY/experiments, one after the other, dropping each. All files are read once before anything is timed, so
that every measurement reads from the page cache. Of the repetitions the fastest counts, on both sides.
Printed are wall seconds, ratios to the yardstick, peak memory, and records per second. Nothing is written
into the study. Standard library only.
"""

import argparse
import json
import os
import subprocess
import sys
import time

YARDSTICK = """
import json, sys
records = 0
for path in sys.stdin.read().splitlines():
    with open(path, encoding="utf-8") as file:
        if path.endswith(".jsonl"):
            records += sum(1 for line in file if json.loads(line))
        else:
            data = json.load(file)
            records += len(data["results"]) if isinstance(data, dict) and "results" in data else 0
            del data
print(records)
"""


def run_files(study):
    found = []
    for folder, folders, names in os.walk(os.path.join(study, "experiments")):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith((".json", ".jsonl"))]
    return found


def warm(paths):
    total = 0
    for path in paths:
        with open(path, "rb") as file:
            while chunk := file.read(1 << 24):
                total += len(chunk)
    return total


def timed(command, text=None):
    """Wall seconds, peak resident MiB and output of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if text is not None:
        process.stdin.write(text)
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return wall, usage.ru_maxrss / 1024, output, process.returncode


def best(command, repeat, text=None, accepted=(0,)):
    runs = [timed(command, text) for _ in range(repeat)]
    for _, _, output, code in runs:
        if code not in accepted:
            sys.exit("%s ended with %d:\n%s" % (" ".join(command), code, output))
    return min(run[0] for run in runs), max(run[1] for run in runs), runs[0][2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study")
    parser.add_argument("--repro", default="target/release/repro")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=2)
    args = parser.parse_args()
    paths = run_files(args.study)
    size = warm(paths)
    listed = "\n".join(paths)
    seconds, memory, output = best([sys.executable, "-c", YARDSTICK], args.repeat, listed)
    records = int(output)
    print("%d files, %.2f GB, %d records; page cache warm, %d threads, best of %d"
          % (len(paths), size / 1e9, records, args.jobs, args.repeat))
    row = "  %-28s %8.1f s  %6.2f x  %8.0f MiB  %9.0f records/s"
    print(row % ("json.load (CPython %d.%d)" % sys.version_info[:2], seconds, 1, memory, records / seconds))
    # A study may hold findings; what is timed here ends with them told (0, 1 or 4).
    for name, more in (("repro stats", []), ("repro stats --tokens", ["--tokens"])):
        command = [args.repro, "stats", args.study, "--quiet", "--jobs", str(args.jobs)] + more
        wall, peak, _ = best(command, args.repeat, accepted=(0, 1, 4))
        print(row % (name, wall, wall / seconds, peak, records / wall))


if __name__ == "__main__":
    main()
