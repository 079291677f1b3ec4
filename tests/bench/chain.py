#!/usr/bin/env python3
"""Times `repro build` on a study from cold to site and bundle, beside two yardsticks that everybody has.

    tests/bench/chain.py STUDY [--repro target/release/repro] [--engine cpython] [--once] [--out DIR]

In one run: one `json.load` after the other over the study's run files (in this Python), the start of one Python per
program (measured on 50 starts), then the build with an empty cache, stage by stage, then the build again. Seconds, peak
memory of the building process, records per second, and ratios are printed as JSON and as a table. Output and cache are
made below a temporary folder and removed.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time


def json_load(study):
    """Seconds, bytes and records of every run file, read once before."""
    paths = sorted(pathlib.Path(study, "experiments").rglob("*.json"))
    for path in paths:
        path.read_bytes()
    size = records = 0
    begin = time.perf_counter()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
        records += len(value.get("results", ())) if isinstance(value, dict) else 0
    seconds = time.perf_counter() - begin
    return seconds, sum(path.stat().st_size for path in paths), records


def python_start(count=50):
    """Processor seconds of starting a Python that does nothing."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(count):
        subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count


def peak(pid, seen, stop):
    while not stop.wait(0.2):
        try:
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    seen[0] = max(seen[0], int(line.split()[1]) // 1024)
        except OSError:
            return


def build(repro, study, out, cache, more):
    """Stages with their seconds, the answer, and what it took."""
    command = [repro, "build", study, "--out", out, "--cache-dir", cache, "--allow-missing", *more]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seen, stop = [0], threading.Event()
    watcher = threading.Thread(target=peak, args=(process.pid, seen, stop))
    watcher.start()
    marks, said = [("recognising", begin)], []
    errors = threading.Thread(
        target=lambda: [marks.append((line.split(":")[0], time.perf_counter())) for line in process.stderr]
    )
    errors.start()
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    end = time.perf_counter()
    stop.set()
    watcher.join()
    errors.join()
    stages = {}
    for (name, at), (_, next_at) in zip(marks, marks[1:] + [("", end)]):
        stages[name] = round(stages.get(name, 0) + next_at - at, 1)
    return {
        "exit": os.waitstatus_to_exitcode(status),
        "seconds": round(end - begin, 1),
        "processor-seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak-mb": seen[0],
        "stages": stages,
        "said": [line for line in said.splitlines() if line.startswith(("L", "exec", "run files", "site", "bundle", "    "))],
    }


def size(folder):
    files = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return len(files), sum(path.stat().st_size for path in files)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("study")
    arguments.add_argument("--repro", default="target/release/repro")
    arguments.add_argument("--engine", default="embedded")
    arguments.add_argument("--once", action="store_true")
    arguments.add_argument("--out", default=None)
    given = arguments.parse_args()
    more = ["--engine", given.engine] + (["--once"] if given.once else [])
    folder = given.out or tempfile.mkdtemp(prefix="repro-chain-")
    try:
        load, bytes_read, records = json_load(given.study)
        start = python_start()
        cold = build(given.repro, given.study, f"{folder}/out", f"{folder}/cache", more)
        files, site = size(f"{folder}/out/site")
        _, bundle = size(f"{folder}/out/bundles")
        warm = build(given.repro, given.study, f"{folder}/out", f"{folder}/cache", more)
        result = {
            "study": {"bytes": bytes_read, "records": records},
            "json.load-seconds": round(load, 2),
            "python-start-ms": round(1000 * start, 1),
            "cold": cold,
            "warm": warm,
            "site": {"files": files, "bytes": site},
            "bundle-bytes": bundle,
            "records-per-second": round(records / cold["seconds"], 1),
            "cold-over-json.load": round(cold["seconds"] / load, 2),
        }
        print(json.dumps(result, indent=1))
    finally:
        if not given.out:
            shutil.rmtree(folder, ignore_errors=True)


main()
