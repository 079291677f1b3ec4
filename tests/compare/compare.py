#!/usr/bin/env python3
"""Compare what two versions of this tool say about the same study: facts, tables, verdicts, claims.

    tests/compare/compare.py take  OUT --repro BINARY STUDY [--claims LEDGER]... [--verify]
    tests/compare/compare.py match BEFORE AFTER [--renames FILE] [--expect FILE] [--show N]

`take` runs `repro stats --out` and `repro claims --json` (and `repro verify --once --json` when asked) and
keeps the answers in the folder OUT. `match` compares two such folders and lists what one has and the other
has not, and what differs. Exit code 0 when everything is the same, 1 when something differs, 2 when a folder
cannot be read.

A file of renames holds one `old new` pair per line, separated by blanks, `#` starts a comment: an id of a
statistic, a `statistic.measure`, or a table. A file of expected differences holds one glob per line over the
lines that `match` prints; what matches is counted apart and does not fail. Standard library only.
"""

import argparse
import fnmatch
import json
import pathlib
import subprocess
import sys


def run(command):
    """Standard output of a command; the exit codes of `repro` below 6 are answers, not failures."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode >= 6 or (done.returncode == 2 and not done.stdout):
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout, done.returncode


def take(arguments):
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    ledgers = [part for path in arguments.claims for part in ("--claims", path)]
    text, code = run([arguments.repro, "stats", arguments.study, "--json", "--out", str(out / "stats")])
    (out / "stats.json").write_text(text)
    codes = {"stats": code}
    text, codes["claims"] = run([arguments.repro, "claims", arguments.study, "--json", *ledgers])
    (out / "claims.json").write_text(text)
    if arguments.verify:
        command = [arguments.repro, "verify", arguments.study, "--once", "--json", *ledgers]
        text, codes["verify"] = run(command)
        (out / "verify.json").write_text(text)
    (out / "codes.json").write_text(json.dumps(codes))


def lines_of(path):
    if not path:
        return []
    lines = (line.split("#")[0].strip() for line in pathlib.Path(path).read_text().splitlines())
    return [line for line in lines if line]


def read(path):
    """The JSON of a file; nothing where it is absent or empty."""
    text = path.read_text() if path.exists() else ""
    return json.loads(text) if text.strip() else None


def facts(folder, renames):
    """Every fact by what it is about, with value and interval as text: compared to the last bit."""
    found = {}
    for fact in read(folder / "stats" / "facts.json") or []:
        statistic = renames.get(fact["statistic"], fact["statistic"])
        old = f"{fact['statistic']}.{fact['measure']}"
        statistic, _, measure = renames.get(old, f"{statistic}.{fact['measure']}").partition(".")
        keys = ", ".join(f"{key}={value}" for key, value in sorted(fact["keys"].items()))
        name = f"fact {statistic}.{measure}[{keys}] from {fact['basis']}"
        name = name if name not in found else f"{name} again"
        found[name] = json.dumps(fact["estimate"], sort_keys=True)
    return found


def tables(folder, renames):
    """Every table row by row; the order of rows counts."""
    found = {}
    for path in sorted((folder / "stats").glob("*.csv")):
        name = renames.get(path.stem, path.stem)
        rows = path.read_text().splitlines()
        found[f"table {name} rows"] = str(len(rows))
        for at, row in enumerate(rows):
            found[f"table {name} row {at}"] = row
    return found


def claims(folder, renames):
    document = read(folder / "claims.json") or {}
    # The judgements stand alone, or in the envelope that every command answers in.
    document = document.get("result", document)
    found = {}
    for claim in document.get("claims", []):
        parts = [[part.get("verdict"), part.get("value", part.get("recomputed"))] for part in claim.get("parts", [])]
        said = [claim["verdict"], claim.get("basis"), claim.get("missing"), claim.get("reason"), parts]
        found[f"claim {claim['ledger'].rpartition('/')[2]} {claim['id']}"] = json.dumps(said)
    for conflict in document.get("conflicts", []):
        found[f"conflict {conflict['id']}"] = json.dumps(conflict, sort_keys=True)
    for table in document.get("tables", []):
        # Of what a ledger lists, both say the ledger's names.
        own = table.get("id") == table.get("table")
        table = {key: renames.get(value, value) if own and key in ("id", "table") else value for key, value in table.items()}
        found[f"published {table.get('id', table.get('table'))}"] = json.dumps(table, sort_keys=True)
    return found


def levels(folder, _):
    document = read(folder / "verify.json") or {}
    found = {f"level {level['level']}": json.dumps(level, sort_keys=True) for level in document.get("levels", [])}
    for source in (document, read(folder / "stats.json") or {}):
        listed = source.get("findings", [])
        listed = listed.get("findings", []) if isinstance(listed, dict) else listed
        kind = "verify" if source is document else "stats"
        for finding in listed:
            name = f"finding {kind} {json.dumps(finding, sort_keys=True)}"
            found[name] = str(int(found.get(name, "0")) + 1)
    for stage, code in (read(folder / "codes.json") or {}).items():
        found[f"exit {stage}"] = str(code)
    return found


def match(arguments):
    before, after = pathlib.Path(arguments.before), pathlib.Path(arguments.after)
    for folder in (before, after):
        if not (folder / "stats" / "facts.json").exists():
            print(f"{folder}: no stats/facts.json; `take` writes it", file=sys.stderr)
            return 2
    renames = dict(line.split()[:2] for line in lines_of(arguments.renames))
    expected = lines_of(arguments.expect)
    different = 0
    for kind, reader in (("facts", facts), ("tables", tables), ("claims", claims), ("levels", levels)):
        old, new = reader(before, renames), reader(after, {})
        told = [f"only before: {name}: {old[name]}" for name in sorted(old.keys() - new.keys())]
        told += [f"only after: {name}: {new[name]}" for name in sorted(new.keys() - old.keys())]
        both = sorted(name for name in old.keys() & new.keys() if old[name] != new[name])
        told += [f"differs: {name}: {old[name]} -> {new[name]}" for name in both]
        foreseen = [line for line in told if any(fnmatch.fnmatchcase(line, glob) for glob in expected)]
        set_aside = set(foreseen)
        told = [line for line in told if line not in set_aside]
        different += len(told)
        print(f"{kind}: {len(old)} before, {len(new)} after, {len(told)} differ, {len(foreseen)} as expected")
        for line in told[: arguments.show]:
            print(f"  {line}")
        if len(told) > arguments.show:
            print(f"  ... and {len(told) - arguments.show} more")
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("take")
    taking.add_argument("out")
    taking.add_argument("study")
    taking.add_argument("--repro", default="target/debug/repro")
    taking.add_argument("--claims", action="append", default=[])
    taking.add_argument("--verify", action="store_true")
    matching = commands.add_parser("match")
    matching.add_argument("before")
    matching.add_argument("after")
    matching.add_argument("--renames")
    matching.add_argument("--expect")
    matching.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    sys.exit(match(arguments) if arguments.command == "match" else take(arguments))


if __name__ == "__main__":
    main()
