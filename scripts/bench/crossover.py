#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes bench/crossover-BASE.csv and .svg from the runs of scripts/bench/crossover, and judges them.

usage: [BASE=6.12] scripts/bench/crossover.py

Fails if the series is slower than the walk for names from all over the kernel (by more than 1 %, which two
builds may differ by), less than 50 times as fast for up to 16 of them, or more than twice as slow as
the walk for names that all lie in the first hundredth of the functions.
"""
import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from origin import BASE, OUT, TOP, kernel, origin

TAG = os.environ.get("TAG") or BASE
STATES = {"before": "walk", "after+always-index": "index", "after": "series"}


def lines(state, name):
    with open(os.path.join(OUT, "run", f"{TAG}-large-{state}" + ("" if state in ("survey", "first") else "-crossover"), name), encoding="utf-8") as f:
        return f.read().splitlines()


def took(state, kind):
    """Number of names -> ns of the lookup."""
    mhz = float(lines(state, "tsc")[0].split()[-1])
    ticks = [int(l.split()[2]) for l in lines(state, kind + ".ticks")]
    counts = [int(l.split()[1]) for l in lines(state, kind + ".counts")]
    if len(ticks) != 2 * len(counts):
        sys.exit(f"crossover: {state}, {kind}: {len(ticks)} events for {len(counts)} lookups")
    return {c: round((ticks[2 * i + 1] - ticks[2 * i]) * 1000 / mhz) for i, c in enumerate(counts)}


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    source = origin(TAG, kernel("after", "config"),
                    os.path.join(OUT, "run", f"{TAG}-large-before-crossover", "release"), f"make crossover BASE={BASE}")
    symbols = sum(1 for l in lines("survey", "kallsyms") if len(l.split()) == 3)
    functions = len(lines("survey", "records"))
    if symbols < 150000:
        sys.exit(f"crossover: the kernel has {symbols} symbols, not 150,000")
    rows, bad = [], []
    for kind in ("even", "first"):
        of = {what: took(state, kind) for state, what in STATES.items()}
        for cnt in of["walk"]:
            walk, index, series = (of[what][cnt] for what in ("walk", "index", "series"))
            rows.append([kind, cnt, walk, index, series, symbols, functions])
            if kind == "even" and series > walk * 1.01:
                bad.append(f"{cnt} names from all over: {series} ns, the walk takes {walk}")
            if kind == "even" and cnt <= 16 and series * 50 > walk:
                bad.append(f"{cnt} names from all over: only {walk / series:.0f} times as fast as the walk")
            if kind == "first" and series > walk * 2:
                bad.append(f"{cnt} names from the first hundredth: {series / walk:.2f} times the walk")
    stem = os.path.join(TOP, "bench", f"crossover-{BASE}")
    with open(stem + ".csv", "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["names", "count", "walk_ns", "index_ns", "series_ns", "symbols", "functions", *source])
        out.writerows(row + list(source.values()) for row in rows)
    subprocess.run(["gnuplot", "-e", f"csv='{stem}.csv'; svg='{stem}.svg'",
                    os.path.join(TOP, "scripts", "bench", "crossover.gp")], check=True)
    print(f"{symbols:,} symbols, {functions:,} functions; ms of virtual time")
    print(f"{'names':8}{'count':>6}{'walk':>12}{'index':>12}{'series':>12}{'walk/series':>13}")
    for kind, cnt, walk, index, series, *_ in rows:
        print(f"{kind:8}{cnt:6}{walk / 1e6:12.3f}{index / 1e6:12.3f}{series / 1e6:12.3f}{walk / series:13.2f}")
    if bad:
        sys.exit("\n".join(["crossover: not what the series promises:"] + bad))


main()
