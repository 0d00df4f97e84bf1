#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes bench/results-BASE.csv from the runs of scripts/bench/measure, or compares them with it.

usage: [BASE=6.12] scripts/bench/collect.py write
       [BASE=6.12] scripts/bench/collect.py main
       [BASE=6.12] scripts/bench/collect.py verify

main replaces only the rows that `make` and `make variant VARIANT=core` have measured. verify takes the rows that scripts/bench/verify measured again and fails if one is more than 2 % off.
"""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from figures import BASE, KEY, OUT, TAG, Row, exists, kallsyms_rows, main_rows, memory_rows, names_rows, patch_rows, \
    path, scale_rows, source, variants
from origin import of_state

LIMIT = 0.02
QUICK = {"main": ("before", "after"), "scale": ("core", "after"), "memory": ("before", "core", "after")}


def measured(names):
    """Every row, in the order of the table."""
    states = ("before", "core", "after")
    rows = main_rows([*states, *names], wall=("before", "after"))
    rows += scale_rows([*states, "core+all-symbols", "core+floor"])
    rows += names_rows(states)
    rows += memory_rows([*states, *names])
    rows += kallsyms_rows(("before", "after"))
    if names == list(variants()):
        rows += patch_rows(names)
    return rows


def write():
    # Those that scripts/bench/measure measured on this base; make variant alone takes no memory.
    names = [n for n in variants() if exists(f"{TAG}-{n}") and exists(f"{TAG}-{n}-memory")]
    origin, rows = source(f"make bench BASE={BASE}"), measured(names)
    with open(path(), "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow([*Row._fields, *origin])
        out.writerows([*row, *of_state(origin, row.state).values()] for row in rows)
    print(f"results: {os.path.relpath(path())}")


def write_main():
    states = ("before", "core", "after")
    with open(path(), encoding="utf-8", newline="") as f:
        old = list(csv.DictReader(f))
    origin = source(f"make variant VARIANT=core BASE={BASE}, make BASE={BASE}")
    new = [{**dict(zip(Row._fields, row)), **of_state(origin, row.state)} for row in main_rows(states)]
    with open(path(), "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, old[0].keys(), lineterminator="\n")
        out.writeheader()
        out.writerows(new + [row for row in old if row["part"] != "main" or row["state"] not in states])
    print(f"results: {os.path.relpath(path())}: {len(new)} rows of {', '.join(states)}")


def quick():
    return main_rows(QUICK["main"]) + scale_rows(QUICK["scale"]) + memory_rows(QUICK["memory"])


def verify():
    with open(path(), encoding="utf-8", newline="") as f:
        table = list(csv.DictReader(f))
    known = {tuple(row[k] for k in Row._fields[:KEY]): row for row in table}
    origin = source(f"make bench BASE={BASE}")
    for field in ("kernel", "config_sha256", "compiler", "qemu"):
        if table[0][field] != origin[field]:
            print(f"note: {field} is {origin[field]}, the table was measured with {table[0][field]}")
    bad = worst = 0
    rows = quick()
    for row in rows:
        was = known.get(tuple(str(v) for v in row[:KEY]))
        if was is None:
            print(f"not in the table: {row.part} {row.state} {row.what} {row.size}")
            bad += 1
            continue
        old = float(was["value"])
        off = abs(row.value - old) / old if old else float(row.value != 0)
        worst = max(worst, off)
        if off > LIMIT:
            bad += 1
            print(f"{row.part} {row.state} {row.what} {row.size}: {row.value:,}, the table says {old:,.0f}"
                  f" ({100 * off:.1f} %)")
    print(f"{len(rows)} figures measured again, {bad} not within {100 * LIMIT:g} % of bench/{os.path.basename(path())};"
          f" the worst is {100 * worst:.2f} % off")
    sys.exit(1 if bad or not rows else 0)


if sys.argv[1:] == ["write"]:
    write()
elif sys.argv[1:] == ["main"]:
    write_main()
elif sys.argv[1:] == ["verify"]:
    verify()
else:
    sys.exit(__doc__)
