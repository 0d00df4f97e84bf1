#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Makes the tables in README and docs/ from bench/results-*.csv and debian-*.csv.

usage: scripts/bench/tables.py write|check
       scripts/bench/tables.py exponents BASE STATE...

A table stands between the lines "<!-- table: NAME BASE -->" and "<!-- end -->". One that was measured with an earlier form
of the series, and says so in its text, has the word "earlier" after BASE. check fails if a table is
not what the results give, or if they were measured with other functional code, and changes nothing. exponents prints, for each state, to which power of the size of
a module the time rises.
"""
import csv
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from origin import RFC, TOP, code

FILES = ("README.md", "docs/measurements.md", "docs/alternatives.md")
BLOCK = re.compile(r"(<!-- table: (\S+) (\S+)( earlier)? -->\n)(.*?)(<!-- end -->)", re.S)
MAIN = (("attach_total", "attach 50 kprobe.session programs by exact name"),
        ("attach_median", "one of them, median"),
        ("lookup_median", "`ftrace_lookup_symbols()` in it, median"),
        ("lookup_worst", "`ftrace_lookup_symbols()` in it, worst"),
        ("missing_small_vmlinux", "look up a name that is missing or not traceable, at most"),
        ("duplicates_small_vmlinux", "look up a name that several symbols share, at most"),
        ("finit_module", "load a module: {records:,} records, {symbols:,} symbols"),
        ("enable", "`ftrace_module_enable()` in it"),
        ("locked", "with `ftrace_lock` held"),
        ("build", "collecting the symbols in its text"),
        ("order", "`index_kallsyms()` in it"),
        ("small", "load a small module, 57 symbols"),
        ("stripped", "load a module of 16,384 functions, stripped of their symbols"),
        ("listing_none", "read `available_filter_functions`, no module loaded"),
        ("listing_large", "read `available_filter_functions`, large module loaded"),
        ("filter", "write a glob to `set_ftrace_filter`, large module loaded"))
SHORT = (("finit_module", "load a module of {records:,} functions and {symbols:,} symbols, like amdgpu"),
         ("attach_total", "attach 50 BPF programs, one name each"),
         ("missing_small_vmlinux", "look up a name that does not exist"),
         ("listing_large", "read `available_filter_functions`, that module loaded"),
         ("filter", "write a pattern to `set_ftrace_filter`, that module loaded"))
DEBIAN = (("insmod amdgpu", "load the packaged amdgpu.ko: {records:,} records, {symbols:,} symbols"),
          ("enable amdgpu", "`ftrace_module_enable()` in it"),
          ("insmod the others", "load {others:,} other packaged modules, in all"),
          ("enable the others", "`ftrace_module_enable()` in them, in all"),
          ("list", "read `available_filter_functions`, no module loaded"),
          ("list, all loaded", "the same, all of them loaded"),
          ("filter", "write `amdgpu_dm_*` to `set_ftrace_filter`"),
          ("read kallsyms", "read `/proc/kallsyms`, all of them loaded"),
          ("attach 50", "attach 50 kprobe.session programs by exact name, no module loaded"),
          ("look up one", "`ftrace_lookup_symbols()` in one of them, median"),
          ("attach amdgpu", "attach 20 to functions of amdgpu"),
          ("missing", "attach to a name that is missing, median"),
          ("bpftrace-exact", "`bpftrace`: entry and return of 3 functions, by exact name"),
          ("bpftrace-module", "`bpftrace`: functions of two modules, by exact name"),
          ("bpftrace-wildcard", "`bpftrace`: `amdgpu_dm_*`, and entry and return of `tun_chr_*`"),
          ("bpftrace-list", "`bpftrace -l 'kprobe:*'`"),
          ("trace-cmd-small", "`trace-cmd record -p function --module tun`"),
          ("trace-cmd-large", "`trace-cmd record -p function --module amdgpu`"),
          ("perf-ftrace", "`perf ftrace trace -T 'tun_chr_*' -T 'amdgpu_dm_*'`"))
STATES = {"before": "before", "core": "core", "after": "all", "core+all-symbols": "array of all symbols",
          "core+floor": "no check"}
KINDS = {"unique": "names of one symbol", "shared": "names of several symbols", "missing": "names that are missing",
         "module": "names of a loaded module of 17,282 records"}


def load(base, table="main"):
    kind, target = ("debian", "debian") if table.startswith("debian") else ("results", "bench")
    name = os.path.join(TOP, "bench", f"{kind}-{base}.csv")
    if table == "replica":
        name, target = os.path.join(TOP, "bench", "replica.csv"), "replica"
    if not os.path.exists(name):
        sys.exit(f"tables: no {os.path.relpath(name)}\n  run: make {target} BASE={base}")
    with open(name, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def get(rows, part, state, what, size=None, column="value"):
    for row in rows:
        if (row["part"], row["state"], row["what"]) == (part, state, what) and size in (None, row["size"]):
            return float(row[column]) if row[column] else None
    return None


def number(value, unit=1e6):
    """Four digits that count, no more than three after the point."""
    if value is None:
        return "-"
    value /= unit
    if value == 0:
        return "0"
    for digits, least in ((0, 1000), (1, 100), (2, 1)):
        if abs(value) >= least:
            return f"{value:,.{digits}f}"
    return f"{value:.3f}" if abs(value) >= 0.001 else f"{value:.6f}"


def table(head, lines):
    marks = "|" + "|".join("---" if i == 0 or h.startswith("^") else "---:" for i, h in enumerate(head)) + "|"
    rows = [[h.lstrip("^") for h in head], *lines]
    out = ["| " + " | ".join(r) + " |" for r in rows]
    return "\n".join([out[0], marks, *out[1:]]) + "\n"


def main_table(rows):
    records = next(r for r in rows if r["part"] == "main")
    rfc = any(r["state"] == "core" and r["what"] == "attach_total" for r in rows) and "6.12" in records["kernel"]
    lines = []
    for what, label in MAIN:
        values = [get(rows, "main", s, what) for s in ("before", "core", "after")]
        lines.append([label.format(records=int(records["size"]), symbols=int(records["symbols"])),
                      *map(number, values),
                      *([RFC.get(what, "")] if rfc else [])])
    head = ["virtual time in ms", "before", "core", "all", *(["the RFCs' own figures (hardware)"] if rfc else [])]
    return table(head, lines)


def short_table(rows):
    first = next(r for r in rows if r["part"] == "main")
    lines = []
    for what, label in SHORT:
        values = [get(rows, "main", s, what) for s in ("before", "core", "after")]
        lines.append([label.format(records=int(first["size"]), symbols=int(first["symbols"])), *map(number, values),
                      f"{values[0] / values[2]:,.0f}"])
    return table(["in ms, see below", "before", "core", "all", "before / all"], lines)


def wall_table(rows):
    lines = []
    # Not "locked": it is the difference of two loads, less than their noise.
    for what, label in (row for row in MAIN if row[0] != "locked"):
        walls = [get(rows, "main", s, what, column="wall") for s in ("before", "after")]
        if None not in walls:
            lines.append([label.format(records=17282, symbols=55332), *map(number, walls),
                          f"{walls[0] / walls[1]:,.1f}"])
    return table(["wall time of the emulator in ms", "before", "all", "ratio"], lines)


def fit(rows, state):
    """The exponent: how time rises with size, over the sizes from 4,096 records on."""
    points = [(math.log(float(r["size"])), math.log(float(r["value"]))) for r in rows
              if (r["part"], r["state"], r["what"]) == ("scale", state, "total") and int(r["size"]) >= 4096]
    n, sx, sy = len(points), sum(x for x, _ in points), sum(y for _, y in points)
    return (n * sum(x * y for x, y in points) - sx * sy) / (n * sum(x * x for x, _ in points) - sx * sx)


def scale_table(rows):
    sizes = [(r["size"], r["symbols"]) for r in rows
             if (r["part"], r["state"], r["what"]) == ("scale", "before", "total")]
    lines = [[f"{int(size):,} / {int(symbols):,}",
              *(number(get(rows, "scale", s, "total", size)) for s in STATES),
              *(number(get(rows, "scale", s, "total", size, "wall")) for s in ("before", "after"))]
             for size, symbols in sizes]
    lines.append(["exponent", *(f"{fit(rows, s):.2f}" for s in STATES), "", ""])
    return table(["records / symbols", *STATES.values(), "before, wall", "all, wall"], lines)


def names_table(rows):
    lines = []
    for kind, label in KINDS.items():
        count = next(r["size"] for r in rows if r["part"] == "names" and r["what"] == kind + " p0")
        for state in ("before", "core", "after"):
            lines.append([f"{label} ({int(count):,})" if state == "before" else "", STATES[state],
                          *(number(get(rows, "names", state, f"{kind} p{p}")) for p in (0, 50, 99, 100)),
                          *(number(get(rows, "names", state, f"{kind} p{p}", column="wall")) for p in (50, 100))])
    return table(["`ftrace_lookup_symbols()` in ms", "^series", "min", "median", "p99", "max", "median, wall",
                  "max, wall"], lines)


def memory_table(rows):
    lines = [[STATES[s], *(f"{get(rows, 'memory', s, w):,.0f}" for w in
                           ("peak", "kept", "peak more than before", "kept more than before"))]
             for s in ("before", "core", "after", "core+all-symbols")]
    return table(["bytes, loading the module of 17,282 records", "peak", "kept", "peak, more than before",
                  "kept, more than before"], lines)


def kallsyms_table(rows):
    whats = [r["what"] for r in rows if r["part"] == "kallsyms" and r["state"] == "before"]
    return table(["virtual time in ms", "before", "all"],
                 [[f"`{w}`" if "(" not in w.split()[0] else f"`{w.split()[0]}`{w[len(w.split()[0]):]}",
                   *(number(get(rows, "kallsyms", s, w)) for s in ("before", "after"))] for w in whats])


def head(name, what):
    """The paragraph that begins with these words in the head of the patch."""
    with open(os.path.join(TOP, "bench", "variants", name.rpartition("+")[2] + ".patch"), encoding="utf-8") as f:
        found = re.search(rf"^{what}: (.*?)\n\n", f.read(), re.S | re.M)
    return " ".join(found.group(1).split()) if found else None


def reason(name):
    return head(name, "Not taken") or sys.exit(f"tables: bench/variants/{name}.patch does not say why it was not taken")


# State -> the way of proof/replica.c that does the same in user space
WAYS = {"before": "scan", "core": "array", "all-symbols": "all-symbols", "bitmap": "bitmap", "radix-sort": "radix",
        "no-symbol-sort": "no-sort", "sort-table-in-place": "table"}
TITLES = {"before": "a scan for each record, as unpatched", "core": "the series, patch 2",
          "after": "the series, patches 2 and 8"}


def title(state):
    name = state.rpartition("+")[2]
    return TITLES.get(state, f"[{name}](../bench/variants/{name}.patch)")


def replica_table(rows):
    inputs = list(dict.fromkeys(r["input"] for r in rows))
    took = {(r["way"], r["input"]): f"{number(float(r['build_ms']) + float(r['check_ms']), 1)}"
            f" ({number(float(r['build_p5']) + float(r['check_p5']), 1)})" for r in rows}
    return table(["way to check the records", *inputs, "^why not"],
                 [[title(state), *(took[way, i] for i in inputs), "" if state in TITLES else reason(state)]
                  for state, way in WAYS.items()])


def alternatives_table(rows):
    variants = [r["state"] for r in rows if r["part"] == "patch" and r["what"] == "lines added"]
    order = ["before", "core", "after", *sorted((n for n in variants if n not in ("core", "after")),
                                                key=lambda n: get(rows, "main", n, "enable"))]
    lines = []
    for n in order:
        enable, order_ns = get(rows, "main", n, "enable"), get(rows, "main", n, "order") or 0
        wrong = get(rows, "patch", n, "answers that differ") or n not in TITLES and head(n, "Answers change")
        added = get(rows, "patch", n, "lines added")
        memory = [get(rows, "memory", n, f"{what} more than before") / 1024 for what in ("peak", "kept")]
        lines.append([title(n), number(enable + order_ns),
                      number(get(rows, "main", n, "locked")), f"{added:.0f}" if added else "-",
                      *(f"{kib:.0f}" for kib in memory), "same" if not wrong else "**change**"])
    return table(["way to check the records", "ms, counted", "under `ftrace_lock`", "lines", "KiB while loading", "KiB kept",
                  "^answers"], lines)


def sentence(rows):
    """What the plot of sizes says, in words."""
    say = (f"Time rises with the number of records to the power of {fit(rows, 'before'):.2f} before, "
           f"{fit(rows, 'after'):.2f} with the series and {fit(rows, 'core+floor'):.2f} with no check at all; "
           f"from 4,096 to 65,536 records. At 65,536 it is "
           f"{get(rows, 'scale', 'before', 'total', '65536') / get(rows, 'scale', 'after', 'total', '65536'):,.0f} "
           f"times less.\n")
    return say


def debian_values(rows, column):
    """Label, key, before and after of what was measured on Debian's kernel"""
    first = next(r for r in rows if r["state"] == "before")
    fields = {"records": int(first["size"]), "symbols": int(first["symbols"]),
              "others": int(get(rows, "debian", "both", "modules")) - 1}
    for what, label in DEBIAN:
        values = [get(rows, "debian", s, what, column=column) for s in ("before", "after")]
        if None not in values:
            yield label.format(**fields), what, *values


def debian_table(rows):
    return table(["virtual time in ms", "before", "all", "times less", "the RFCs' own figures (hardware)"],
                 [[label, number(a), number(b), f"{a / b:,.1f}", RFC.get(what, "")]
                  for label, what, a, b in debian_values(rows, "value")])


def debian_wall_table(rows):
    return table(["wall time of the emulator in ms", "before", "all", "ratio"],
                 [[label, number(a), number(b), f"{a / b:,.1f}"] for label, _, a, b in debian_values(rows, "wall")])


def debian_answers(rows):
    of = {r["what"]: int(r["value"]) for r in rows if r["state"] == "both"}
    return (f"The same on both kernels, each compared: {of['modules']:,} modules load, unmodified; "
            f"{of['functions']:,} traceable functions of vmlinux; {of['records']:,} records and {of['symbols']:,} symbols "
            f"of the modules with their places in them, {of['invalid']:,} of the records invalid; which of the records "
            f"can be enabled, {of['enabled']:,}; {of['names']:,} attaches, found or not, each as a "
            f"scan of /proc/kallsyms finds it; and what the tools print.\n")


# Table -> what makes it, and the parts of the results that it shows
TABLES = {"debian": (debian_table, "debian"), "debian-answers": (debian_answers, "debian"),
          "debian-wall": (debian_wall_table, "debian"), "main": (main_table, "main"), "short": (short_table, "main"),
          "wall": (wall_table, "main"), "scale": (scale_table, "scale"), "exponents": (sentence, "scale"),
          "names": (names_table, "names"), "memory": (memory_table, "memory"), "kallsyms": (kallsyms_table, "kallsyms"),
          "alternatives": (alternatives_table, "main memory patch"), "replica": (replica_table, "")}


def measured_with_other_code(rows, name, base):
    """The first row of a table that was measured with other functional code than the base has now."""
    parts = TABLES[name][1].split()
    shown = ("before", "core", "after") if name in ("main", "short", "wall") else ()
    of_table = (r for r in rows if r.get("part") in parts and (not shown or r["state"] in shown))
    return next((r for r in of_table if r["code_sha256"] != code(r["state"], base)), None)


def main():
    if sys.argv[1:2] == ["exponents"] and len(sys.argv) > 3:
        print(*(f"{fit(load(sys.argv[2]), state):.2f}" for state in sys.argv[3:]))
        return
    if sys.argv[1:] not in (["write"], ["check"]):
        sys.exit(__doc__)
    stale, seen = [], 0
    for name in FILES:
        full = os.path.join(TOP, name)
        with open(full, encoding="utf-8") as f:
            old = f.read()

        def block(match):
            nonlocal seen
            seen += 1
            rows = load(match[3], match[2])
            new = TABLES[match[2]][0](rows)
            if new != match[5]:
                stale.append(f"{name}: table {match[2]} {match[3]}: not what bench/*.csv gives; run: scripts/bench/tables.py write")
            other = measured_with_other_code(rows, match[2], match[3])
            if bool(other) != bool(match[4]):
                stale.append(f"{name}: table {match[2]} {match[3]}: " + (
                    f"{other['state']} was measured with other code; run: {other['command']}" if other else
                    "it is no longer of an earlier form: take that word away"))
            return match[1] + new + match[6]
        new = BLOCK.sub(block, old)
        if sys.argv[1] == "write" and new != old:
            with open(full, "w", encoding="utf-8") as f:
                f.write(new)
    if sys.argv[1] == "check" and (stale or not seen):
        sys.exit("\n".join(["tables: not as they should be:", *stale]))
    print(f"{seen} tables, {len(stale)} {'rewritten' if sys.argv[1] == 'write' else 'stale'}")


main()
