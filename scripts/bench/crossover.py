#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes bench/crossover-BASE.csv and .svg from the runs of scripts/bench/crossover, and judges them.

usage: [BASE=6.12] scripts/bench/crossover.py

Input: the runs in OUT/run. The unpatched kernel scans all symbols. Output: the table and its plot, and the table as text.
Errors: status 1 if the series is slower than that scan for names from all over the kernel (by more than 1 %, because two
builds may differ by that), less than 50 times as fast for up to 16 of them, or more than twice as slow for names that all
lie in the first hundredth of the functions.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from answers import lines, path, took
from origin import BASE, TAG, TOP, kernel, origin, table, write_table

RUNS = {what: f"{TAG}-large-{state}-crossover"
        for what, state in (("scan", "before"), ("index", "after+always-index"), ("series", "after"))}
SURVEY = f"{TAG}-large-survey"


def lookups(run, kind):
    """Number of names -> ns of the lookup."""
    spent = took(run, kind + ".ticks")["ftrace_lookup_symbols"]
    counts = [int(line.split()[1]) for line in lines(run, kind + ".counts")]
    if len(spent) != len(counts):
        sys.exit(f"crossover: {run}, {kind}: the guest counted {len(counts)} lookups, its events are of {len(spent)}")
    return dict(zip(counts, map(round, spent)))


def main():
    source = origin(kernel("after", "config"), path(RUNS["scan"], "release"), f"make crossover BASE={BASE}")
    symbols = sum(len(line.split()) == 3 for line in lines(SURVEY, "kallsyms"))
    functions = len(lines(SURVEY, "records"))
    if symbols < 150000:
        sys.exit(f"crossover: the kernel has {symbols} symbols, not 150,000")
    rows, bad = [], []
    text = [f"{symbols:,} symbols, {functions:,} functions; ms of virtual time",
            f"{'names':8}{'count':>6}{'scan':>12}{'index':>12}{'series':>12}{'scan/series':>13}"]
    for kind in ("even", "first"):
        of = {what: lookups(run, kind) for what, run in RUNS.items()}
        for count in of["scan"]:
            scan, index, series = (of[what][count] for what in RUNS)
            rows.append({"names": kind, "count": count, "scan_ns": scan, "index_ns": index, "series_ns": series,
                         "symbols": symbols, "functions": functions, **source})
            text.append(f"{kind:8}{count:6}{scan / 1e6:12.3f}{index / 1e6:12.3f}{series / 1e6:12.3f}{scan / series:13.2f}")
            if kind == "even" and series > scan * 1.01:
                bad.append(f"{count} names from all over: {series} ns, the scan takes {scan}")
            if kind == "even" and count <= 16 and series * 50 > scan:
                bad.append(f"{count} names from all over: only {scan / series:.0f} times as fast as the scan")
            if kind == "first" and series > scan * 2:
                bad.append(f"{count} names from the first hundredth: {series / scan:.2f} times the scan")
    csv = table("crossover")
    write_table(csv, rows)
    svg = csv.removesuffix(".csv") + ".svg"
    plot = os.path.join(TOP, "scripts", "bench", "crossover.gp")
    subprocess.run(["gnuplot", "-e", f"csv='{csv}'; svg='{svg}'", plot], check=True)
    print("\n".join(text))
    if bad:
        sys.exit("\n".join(["crossover: not what the series promises:", *bad]))


main()
