#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Makes the tables in README and docs/ from bench/results-*.csv, debian-*.csv and replica.csv.

usage: scripts/bench/tables.py write|check

Input: a table stands between the lines "<!-- table: NAME BASE -->" and "<!-- end -->". Output: write puts the tables
in their places; check changes nothing. Errors: check ends with status 1 if a table is not what the results give, or if other functional code was measured.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from markdown import PAIR, TABLES, costs
from origin import TOP, code, read_table, table, text

FILES = ("README.md", "docs/measurements.md", "docs/alternatives.md")
BLOCK = re.compile(r"(<!-- table: (\S+) (\S+) -->\n)(.*?)(<!-- end -->)", re.S)


def load(base, name="main"):
    """The rows of the results that a table shows."""
    if name == "short":
        return load(base, "debian") + load(base)
    target = name.partition("-")[0] if name.startswith(("debian", "replica")) else "bench"
    path = table("results" if target == "bench" else target, base)
    if target == "replica":
        path = os.path.join(TOP, "bench", "replica.csv")     # no kernel runs it
    if not os.path.exists(path):
        sys.exit(f"tables: no {os.path.relpath(path)}\n  run: make {target} BASE={base}")
    return read_table(path)


def made_again(page, name, stale):
    """The page with its tables as the results give them, and how many it has. Each mistake goes to the list `stale`."""
    def block(match):
        start, kind, base, old, end = match.groups()
        rows = load(base, kind)
        parts, function, options = TABLES[kind]
        new = function(rows, **options)
        # The rows that the table shows: a table of costs has only some states
        states = options.get("states", PAIR) if function is costs else {row.get("state") for row in rows}
        shown = (row for row in rows if row.get("part") in parts.split() and row["state"] in states)
        other = next((row for row in shown if row["code_sha256"] != code(row["state"], base)), None)
        where = f"{name}: table {kind} {base}: "
        if new != old:
            stale.append(where + "not what bench/*.csv gives; run: scripts/bench/tables.py write")
        if other:
            stale.append(where + f"{other['state']} was measured with other code; run: {other['command']}")
        return start + new + end
    return BLOCK.subn(block, page)


def main():
    if sys.argv[1:] not in (["write"], ["check"]):
        sys.exit(__doc__)
    write, stale, seen = sys.argv[1] == "write", [], 0
    for name in FILES:
        old = text(name)
        new, count = made_again(old, name, stale)
        seen += count
        if write and new != old:
            with open(os.path.join(TOP, name), "w", encoding="utf-8") as f:
                f.write(new)
    if not write and (stale or not seen):
        sys.exit("\n".join(["tables: not as they should be:", *stale]))
    print(f"{seen} tables, {len(stale)} {'rewritten' if write else 'stale'}")


main()
