# SPDX-License-Identifier: GPL-2.0
"""Makes each table in Markdown from rows of results.

Input: rows as origin.read_table() gives them, and the heads of the patches in bench/variants. Output: TABLES, at the end.
Errors: the program ends if a variant does not say why it was not taken. A row that is missing is "-", or raises an exception.
"""
import math
import re
import statistics
import sys

import labels
from labels import KINDS, STATES, TITLES, WAYS
from origin import text

PAIR, SERIES = ("before", "after"), ("before", "core", "after")


def get(rows, *key):
    """The number in the row that begins with this key: part, state, what and maybe size. None if there is none."""
    return next((float(row["value"]) for row in rows if tuple(row.values())[:len(key)] == key), None)


def number(value, unit=1e6):
    """Four digits that count, no more than three after the point."""
    if value is None:
        return "-"
    value /= unit
    least = {1000: 0, 100: 1, 1: 2, 0.001: 3, 0: 6} if value else {0: 0}
    return f"{value:,.{next(digits for size, digits in least.items() if abs(value) >= size)}f}"


def render(head, lines):
    """A table in Markdown. The first column and those whose head begins with ^ are words, the others numbers."""
    marks = "|" + "|".join("---" if i == 0 or h.startswith("^") else "---:" for i, h in enumerate(head)) + "|"
    first, *rest = ["| " + " | ".join(r) + " |" for r in ([h.lstrip("^") for h in head], *lines)]
    return "\n".join([first, marks, *rest]) + "\n"


def costs(rows, part, names, states=PAIR, ratio=None):
    """A line for each of the names."""
    rfc = "6.12" in rows[0]["kernel"]     # what the RFCs were measured on
    fields = {"records": int(rows[0]["size"]), "symbols": int(rows[0]["symbols"]),
              "others": int(get(rows, "debian", "both", "modules") or 1) - 1}
    lines = []
    for what, label in names.items():
        values = [get(rows, part, state, what) for state in states]
        lines.append([label.format(**fields).strip(), *map(number, values),
                      *([f"{values[0] / values[-1]:,.1f}"] if ratio else []),
                      *([labels.RFC.get(what, "")] if rfc else [])])
    return render(["virtual time in ms", *(STATES[s] for s in states), *([ratio] if ratio else []),
                   *(["the RFCs' own figures (hardware)"] if rfc else [])], lines)


def short(rows):
    return render(["in ms, see below", "Debian's kernel: before", "all", "`make`: before", "core", "all"],
                  [[label, *(number(get(rows, "debian", s, packaged)) for s in PAIR),
                    *(number(get(rows, "main", s, made)) for s in SERIES)]
                   for (packaged, made), label in labels.SHORT.items()])


def kallsyms(rows):
    names = [row["what"] for row in rows if row["part"] == "kallsyms" and row["state"] == "before"]
    # The first word is code if it is a function; else all words are.
    return costs(rows, "kallsyms", {n: re.sub(r"^(\S*\(\S*|.*)", r"`\1`", n) for n in names})


def fit(rows, state):
    """The exponent: how time rises with size, over the sizes from 4,096 records on."""
    points = [(math.log(float(row["size"])), math.log(float(row["value"]))) for row in rows
              if (row["part"], row["state"], row["what"]) == ("scale", state, "total") and int(row["size"]) >= 4096]
    return statistics.linear_regression(*zip(*points)).slope


def scale(rows):
    lines = [[f"{int(row['size']):,} / {int(row['symbols']):,}",
              *(number(get(rows, "scale", s, "total", row["size"])) for s in STATES)]
             for row in rows if (row["part"], row["state"], row["what"]) == ("scale", "before", "total")]
    lines.append(["exponent", *(f"{fit(rows, s):.2f}" for s in STATES)])
    return render(["records / symbols", *STATES.values()], lines)


def names(rows):
    lines = []
    for kind, label in KINDS.items():
        count = next(row["size"] for row in rows if row["part"] == "names" and row["what"] == kind + " p0")
        for state in SERIES:
            lines.append([f"{label} ({int(count):,})" if state == "before" else "", STATES[state],
                          *(number(get(rows, "names", state, f"{kind} p{p}")) for p in (0, 50, 99, 100))])
    return render(["`ftrace_lookup_symbols()` in ms", "^series", "min", "median", "p99", "max"], lines)


def memory(rows):
    kinds = ("peak", "kept", "peak more than before", "kept more than before")
    return render(["bytes, loading the module of 17,282 records", "peak", "kept", "peak, more than before",
                   "kept, more than before"],
                  [[STATES[s], *(f"{get(rows, 'memory', s, name):,.0f}" for name in kinds)]
                   for s in (*SERIES, "core+all-symbols")])


def head(name, what):
    """The paragraph that begins with these words in the head of a patch in bench/variants, or None."""
    patch = text("bench", "variants", name.rpartition("+")[2] + ".patch")
    found = re.search(rf"^{what}: (.*?)\n\n", patch, re.S | re.M)
    return " ".join(found.group(1).split()) if found else None


def title(state):
    name = state.rpartition("+")[2]
    return TITLES.get(state, f"[{name}](../bench/variants/{name}.patch)")


def replica(rows):
    inputs = list(dict.fromkeys(row["input"] for row in rows))
    took = {(row["way"], row["input"]): "{} ({})".format(*(
        number(float(row["build_" + what]) + float(row["check_" + what]), 1) for what in ("ms", "p5"))) for row in rows}
    why = {state: "" if state in TITLES else head(state, "Not taken") for state in WAYS}
    if None in why.values():
        sys.exit(f"tables: no \"Not taken:\" in bench/variants of {', '.join(s for s in why if why[s] is None)}")
    return render(["way to check the records", *inputs, "^why not"],
                  [[title(state), *(took[way, i] for i in inputs), why[state]] for state, way in WAYS.items()])


def alternatives(rows):
    variants = [row["state"] for row in rows if row["what"] == "lines added" and row["state"] not in SERIES]
    lines = []
    for state in (*SERIES, *sorted(variants, key=lambda s: get(rows, "main", s, "enable"))):
        counted = get(rows, "main", state, "enable") + (get(rows, "main", state, "order") or 0)
        added = get(rows, "patch", state, "lines added")
        changed = get(rows, "patch", state, "answers that differ") or state not in TITLES and head(state, "Answers change")
        lines.append([title(state), number(counted), number(get(rows, "main", state, "locked")),
                      f"{added:.0f}" if added else "-",
                      *(f"{get(rows, 'memory', state, name + ' more than before') / 1024:.0f}" for name in ("peak", "kept")),
                      "**change**" if changed else "same"])
    return render(["way to check the records", "ms, counted", "under `ftrace_lock`", "lines", "KiB while loading",
                   "KiB kept", "^answers"], lines)


def debian_answers(rows):
    of = {row["what"]: int(row["value"]) for row in rows if row["state"] == "both"}
    return (f"The same on both kernels, each compared: {of['modules']:,} modules load, unmodified; "
            f"{of['functions']:,} traceable functions of vmlinux; {of['records']:,} records and {of['symbols']:,} symbols "
            f"of the modules with their places in them, {of['invalid']:,} of the records invalid; which of the records "
            f"can be enabled, {of['enabled']:,}; {of['names']:,} attaches, found or not, each as a "
            f"scan of /proc/kallsyms finds it; and what the tools print.\n")


# Table -> the parts of the results that it shows, what makes its text from the rows, and the options of that function
TABLES = {
    "main": ("main", costs, {"part": "main", "names": labels.MAIN, "states": SERIES}),
    "short": ("debian main", short, {}),
    "debian": ("debian", costs, {"part": "debian", "names": labels.DEBIAN, "ratio": "times less"}),
    "debian-answers": ("debian", debian_answers, {}),
    "scale": ("scale", scale, {}),
    "names": ("names", names, {}),
    "memory": ("memory", memory, {}),
    "kallsyms": ("kallsyms", kallsyms, {}),
    "alternatives": ("main memory patch", alternatives, {}),
    "replica": ("", replica, {}),
}
