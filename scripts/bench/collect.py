#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes bench/results-BASE.csv from the runs of scripts/bench/measure, or compares them with it.

usage: [BASE=6.12] scripts/bench/collect.py write|main|verify

Input: the runs in OUT/run and the reports in OUT/report.
Output: write makes the table anew. main replaces only the rows that `make` and `make variant VARIANT=core` have measured.
verify prints how far the rows are off that scripts/bench/verify measured again.
Errors: verify ends with status 1 if one of these rows is missing in the table or more than 2 % off.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from answers import exists, path
from figures import Row, kallsyms_rows, main_rows, memory_rows, names_rows, patch_rows, scale_rows, variants
from origin import BASE, TAG, kernel, origin, read_table, table, with_origin, write_table

LIMIT = 0.02
SERIES = ("before", "core", "after")
KEY = Row._fields[:4]     # these fields tell which row it is
TABLE = table("results")


def source(command):
    return origin(kernel("after", "config"), path(f"{TAG}-before", "release"), f"{command} BASE={BASE}")


def write():
    # Those that were measured on this base. `make variant` measures no memory.
    names = [n for n in variants() if exists(f"{TAG}-{n}") and exists(f"{TAG}-{n}-memory")]
    rows = main_rows([*SERIES, *names], wall=("before", "after"))
    rows += scale_rows([*SERIES, "core+all-symbols", "core+floor"])
    rows += names_rows(SERIES)
    rows += memory_rows([*SERIES, *names])
    rows += kallsyms_rows(("before", "after"))
    if names == list(variants()):
        rows += patch_rows()
    write_table(TABLE, with_origin(rows, source("make bench")))
    print(f"results: {os.path.relpath(TABLE)}")


def write_main():
    old = [row for row in read_table(TABLE) if row["part"] != "main" or row["state"] not in SERIES]
    new = with_origin(main_rows(SERIES), source(f"make variant VARIANT=core BASE={BASE}, make"))
    write_table(TABLE, new + old)
    print(f"results: {os.path.relpath(TABLE)}: {len(new)} rows of {', '.join(SERIES)}")


def verify():
    old = read_table(TABLE)
    known = {tuple(row[k] for k in KEY): float(row["value"]) for row in old}
    now = source("make bench")
    for field in ("kernel", "config_sha256", "compiler", "qemu"):
        if old[0][field] != now[field]:
            print(f"note: {field} is {now[field]}, the table was measured with {old[0][field]}")
    bad = worst = 0
    rows = main_rows(("before", "after")) + scale_rows(("core", "after")) + memory_rows(SERIES)
    for row in rows:
        name = f"{row.part} {row.state} {row.what} {row.size}"
        was = known.get(tuple(str(getattr(row, k)) for k in KEY))
        if was is None:
            print(f"not in the table: {name}")
            bad += 1
            continue
        off = abs(row.value - was) / was if was else float(row.value != 0)
        worst = max(worst, off)
        if off > LIMIT:
            bad += 1
            print(f"{name}: {row.value:,}, the table says {was:,.0f} ({100 * off:.1f} %)")
    print(f"{len(rows)} figures measured again, {bad} not within {100 * LIMIT:g} % of bench/{os.path.basename(TABLE)};"
          f" the worst is {100 * worst:.2f} % off")
    sys.exit(1 if bad or not rows else 0)


COMMANDS = {"write": write, "main": write_main, "verify": verify}
if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
    sys.exit(__doc__)
COMMANDS[sys.argv[1]]()
