# SPDX-License-Identifier: GPL-2.0
"""Turns what was measured on a base into rows of its table of results.

Input: the runs of scripts/bench/measure in OUT/run, the reports of scripts/bench/report in OUT/report. Output: lists of Row.
Errors: the program ends if a lookup has another answer than on the first kernel, or if a guest lost events.
"""
import collections
import errno
import json
import os
import re
import sys

from answers import exists, lines, number, path, took
from origin import OUT, TAG, text

PAGE = 4096
# What guest/src/eachname.c prints of a name that it finds, and of one that is missing
EXPECTED = {"every": str(errno.EMFILE), "missing": str(errno.ESRCH)}
# part: main, scale, names, memory, kallsyms, patch or debian; value in unit
Row = collections.namedtuple("Row", "part state what size symbols unit value", defaults=("", "", "ns", ""))
# What the kernel's own test prints, and its name here
SELFTEST = {"kallsyms_lookup_name() min": r"min=(\d+)", "kallsyms_lookup_name() max": r"max=(\d+)",
            "kallsyms_lookup_name() avg": r"avg=(\d+)",
            "kallsyms_on_each_symbol()": r"on_each_symbol\(\) traverse all: (\d+)",
            "kallsyms_on_each_match_symbol()": r"on_each_match_symbol\(\) traverse all: (\d+)"}


def report(state):
    """What scripts/bench/report found in a state's run: its figures, and those of the unpatched kernel."""
    return json.loads(text(OUT, "report", TAG + ("" if state == "after" else "-" + state) + ".json"))


def main_rows(states):
    """The workloads of `make`."""
    rows = []
    for state in states:
        name, key = ("after", "before_ns") if state == "before" else (state, "after_ns")
        of = report(name)
        rows += [Row("main", state, what, of["module"]["records"], of["module"]["symbols"], value=round(value))
                 for what, value in of[key].items()]
    return rows


def scale_of(run):
    """(module, what) -> ns. "total" is what the records cost: to enable them, and to prepare that."""
    result = {}
    for file in sorted(f for f in os.listdir(path(run, "")) if f.endswith(".finit")):
        name = file.removesuffix(".finit")
        built = took(run, name + ".build.ticks") if exists(run, name + ".build.ticks") else {}
        enable = round(took(run, name + ".enable.ticks")["ftrace_module_enable"][-1])
        result[name, "finit_module"] = number(run, file)
        result[name, "enable"] = enable
        result[name, "total"] = enable + round(built.get("index_kallsyms", [0])[-1])
    return result


def scale_rows(states):
    counts = {w[0]: (w[2], w[4]) for w in map(str.split, text(OUT, "guest", TAG, "scale.counts").splitlines())}
    rows = []
    for state in states:
        rows += [Row("scale", state, what, *counts[name], value=value)
                 for (name, what), value in scale_of(f"{TAG}-{state}-scale").items()]
    return rows


def looked_up(run):
    """Name -> its kind, what the answer was, and the ns that it took."""
    result = {}
    symbols = collections.Counter(p[2] for p in map(str.split, lines(run, "kallsyms")) if len(p) == 3)
    for kind in ("every", "missing", "module"):
        each = [line.split() for line in lines(run, kind + ".errno")]
        spent = took(run, kind + ".ticks")["ftrace_lookup_symbols"]
        if len(spent) != len(each):
            sys.exit(f"bench: {run}: {len(each)} names and {len(spent)} lookups")
        for (name, answer), ns in zip(each, spent):
            if answer != EXPECTED.get(kind, answer):
                sys.exit(f"bench: {run}: the lookup of {name} gives {answer}, not {EXPECTED[kind]}")
            of_vmlinux = "unique" if symbols[name] == 1 else "shared"
            result[name] = of_vmlinux if kind == "every" else kind, answer, round(ns)
    return result


def names_rows(states):
    runs = {state: f"{TAG}-{state}-names" for state in states}
    rows, found = [], {state: looked_up(run) for state, run in runs.items()}
    first = found[states[0]]
    # The series adds functions, which are not compared. A name that is missing is missing on all kernels.
    names = set.intersection(*map(set, found.values()))
    missing = {n for of in found.values() for n in of if of[n][0] == "missing"}
    for state, run in runs.items():
        # Kinds may differ: a static function of the tests may have the same name.
        wrong = [n for n in names if found[state][n][1] != first[n][1]]
        if wrong:
            sys.exit(f"bench: {state} answers {wrong[0]} with {found[state][wrong[0]][1]}, "
                     f"{states[0]} with {first[wrong[0]][1]}")
        for kind in sorted({first[n][0] for n in names}):
            chosen = missing if kind == "missing" else {n for n in names if first[n][0] == kind}
            spent = sorted(found[state][n][2] for n in chosen if n in found[state])
            for percent in (0, 50, 99, 100):
                at = round((len(spent) - 1) * percent / 100)
                rows.append(Row("names", state, f"{kind} p{percent}", len(spent), value=spent[at]))
    return rows


def of_an_area(events, at, pages):
    """The indexes of the events that allocate the pages of an area. There are none if they do not fill the area.

    Later kernels take the pages of an area in large orders, which the page allocator reports. Earlier ones take them in
    bulk, which it does not report. Page tables and small allocations make this right to a few pages."""
    taken, left, table = [], pages, -(-pages * 8 // PAGE) * PAGE
    for i in range(at + 1, len(events)):
        process, what, _, order = events[i]
        # The table of the pages of a large area is an area, too.
        if left <= 8 or what == "unmap" or what == "map" and order - PAGE != table:
            break
        if process == events[at][0] and what == "alloc" and 1 << order <= left:
            taken.append(i)
            left -= 1 << order
    return taken if left <= 8 else []


def memory_of(run):
    """The peak of the memory that the loader of the module asked for, and what it keeps; right to a few pages."""
    loader, mine, areas, mapped, peak = lines(run, "loader")[0], set(), {}, 0, 0
    if int(dict(l.split(": ") for l in lines(run, "stats") if ": " in l)["overrun"]):
        sys.exit(f"bench: {run}: events were lost")
    events = [(p, what, int(where, 0), int(size)) for p, what, where, size in map(str.split, lines(run, "pages"))]
    counted = set()
    for i, (process, what, where, size) in enumerate(events):
        if what == "free":
            mine.difference_update(range(where, where + (1 << size)))
        elif what == "unmap":
            mapped -= areas.pop(where, 0)
        elif process == loader and what == "alloc":
            if i in counted:
                continue
            mine.update(range(where, where + (1 << size)))
        elif process == loader:
            # The last page of an area guards it and has no memory.
            areas[where] = size - PAGE
            mapped += areas[where]
            counted.update(of_an_area(events, i, areas[where] // PAGE))
        peak = max(peak, len(mine) * PAGE + mapped)
    return peak, len(mine) * PAGE + mapped


def memory_rows(states):
    rows, (peak0, kept0) = [], memory_of(f"{TAG}-before-memory")
    for state in states:
        peak, kept = memory_of(f"{TAG}-{state}-memory")
        of = {"peak": peak, "kept": kept, "peak more than before": peak - peak0, "kept more than before": kept - kept0}
        rows += [Row("memory", state, what, unit="bytes", value=value) for what, value in of.items()]
    return rows


def kallsyms_rows(states):
    rows = []
    for state in states:
        run = f"{TAG}-kallsyms-{state}-kallsyms"
        said = "\n".join(lines(run, "selftest"))
        of = {what: int(re.findall(form, said)[-1]) for what, form in SELFTEST.items()}
        if exists(run, "modules"):
            for when, _, name, ns in map(str.split, lines(run, "modules")):
                of[f"{os.path.basename(name)} ({when})"] = int(ns)
        rows += [Row("kallsyms", state, what, value=value) for what, value in of.items()]
    return rows
