#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes bench/results-BASE.csv from the runs of scripts/bench/measure, or compares them with it.

usage: [BASE=6.12] scripts/bench/collect.py write|main|verify

Input: the runs in OUT/run and the reports in OUT/report. Output: write makes the table anew. main replaces only the rows that
`make` and `make variant VARIANT=core` have measured. verify prints which rows are off that scripts/bench/verify measured
again. Errors: verify ends with status 1 if one of these rows is missing in the table or more than 2 % off.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from answers import exists, path
from figures import Row, kallsyms_rows, main_rows, memory_rows, names_rows, report, scale_rows
from origin import BASE, OUT, TAG, TOP, functional, kernel, origin, read_table, series, table, text, with_origin, write_table

LIMIT = 0.02
SERIES = ("before", "core", "after")
KEY = 4     # the first so many fields tell which row it is
TABLE = table("results")


def variants():
    """State -> patch of the variants that stand on the core, in the order of their names."""
    folder = os.path.join(TOP, "bench", "variants")
    return {"core+" + name.removesuffix(".patch"): os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if "\nOn top of: core\n" in text(folder, name)}


def added_lines(*patches):
    """Functional lines that these patches add, on top of the patches before 0002."""
    under = "".join(functional(p) for n, p in series().items() if n < "0002")
    over = "".join(map(functional, patches))
    with tempfile.TemporaryDirectory() as work:
        for side, patch in (("a", under), ("b", under + over)):
            for name in set(re.findall(r"^\+\+\+ b/(\S+)", under + over, re.M)):
                os.makedirs(os.path.dirname(os.path.join(work, side, name)), exist_ok=True)
                shutil.copy(os.path.join(OUT, "src", TAG, name), os.path.join(work, side, name))
            subprocess.run(["patch", "-d", os.path.join(work, side), "-p1", "-s", "--fuzz=0"], input=patch, text=True, check=True)
        diff = subprocess.run(["diff", "-U0", "-rN", "a", "b"], cwd=work, capture_output=True, text=True, check=False)
    return len(re.findall(r"^\+(?!\+\+ )", diff.stdout, re.M))


def patch_rows():
    """What is not measured in a guest: lines, and how many answers differ."""
    core, last = series()["0002"], series()["0008"]
    over = {"core": [core], "after": [core, last], **{name: [core, patch] for name, patch in variants().items()}}
    rows = []
    for state, patches in over.items():
        wrong = sum(not e.startswith("  ") for e in report(state)["errors"])
        rows += [Row("patch", state, "lines added", unit="lines", value=added_lines(*patches)),
                 Row("patch", state, "answers that differ", unit="kinds", value=wrong)]
    return rows


def source(command):
    return origin(kernel("after", "config"), path(f"{TAG}-before", "release"), f"{command} BASE={BASE}")


def write():
    # Those variants that were measured on this base. `make variant` measures no memory.
    names = [n for n in variants() if exists(f"{TAG}-{n}") and exists(f"{TAG}-{n}-memory")]
    rows = main_rows([*SERIES, *names])
    rows += scale_rows([*SERIES, *(n for n in ("core+all-symbols", "core+floor") if n in names)])
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
    known = {tuple(row.values())[:KEY]: float(row["value"]) for row in old}
    now = source("make bench")
    for field in ("kernel", "config_sha256", "compiler", "qemu"):
        if old[0][field] != now[field]:
            print(f"note: {field} is {now[field]}, the table was measured with {old[0][field]}")
    bad = worst = 0
    rows = main_rows(("before", "after")) + scale_rows(("core", "after")) + memory_rows(SERIES)
    for row in rows:
        key = tuple(map(str, row[:KEY]))
        was = known.get(key)
        off = abs(row.value - was) / was if was else float(row.value != was)
        worst = max(worst, off)
        if off > LIMIT:
            bad += 1
            says = "has no such row" if was is None else f"says {was:,.0f}"
            print(f"{' '.join(key)}: {row.value:,}, the table {says} ({100 * off:.1f} %)")
    print(f"{len(rows)} figures measured again, {bad} not within {100 * LIMIT:g} % of bench/{os.path.basename(TABLE)};"
          f" the worst is {100 * worst:.2f} % off")
    sys.exit(1 if bad or not rows else 0)


COMMANDS = {"write": write, "main": write_main, "verify": verify}
if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
    sys.exit(__doc__)
COMMANDS[sys.argv[1]]()
