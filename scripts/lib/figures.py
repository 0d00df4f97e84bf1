# SPDX-License-Identifier: GPL-2.0
"""Turns what was measured on a base into rows of its table of results.

Input: the runs of scripts/bench/measure in OUT/run, the reports of scripts/bench/report in OUT/report, and the patches.
Output: lists of Row; scripts/bench/collect.py writes them and compares them.
Errors: the program ends if a lookup has another answer than on the first kernel.
A missing file raises OSError.
"""
import collections
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from answers import exists, lines, number, path, took
from memory import memory_of
from origin import OUT, TAG, TOP, functional, series

# What guest/src/eachname.c prints of a name
FOUND, MISSING = str(errno.EMFILE), str(errno.ESRCH)
# part: main, scale, names, memory, kallsyms, patch or debian; value in unit, wall in ns where it was taken as well
Row = collections.namedtuple("Row", "part state what size symbols unit value wall", defaults=("", "", "ns", "", ""))
# What the kernel's own test prints, and its name here
SELFTEST = {"kallsyms_lookup_name() min": r"min=(\d+)", "kallsyms_lookup_name() max": r"max=(\d+)",
            "kallsyms_lookup_name() avg": r"avg=(\d+)",
            "kallsyms_on_each_symbol()": r"on_each_symbol\(\) traverse all: (\d+)",
            "kallsyms_on_each_match_symbol()": r"on_each_match_symbol\(\) traverse all: (\d+)"}


def report(state, wall=""):
    """What scripts/bench/report found in a state's run: its figures, and those of the unpatched kernel."""
    stem = TAG + ("" if state == "after" else "-" + state) + wall
    with open(os.path.join(OUT, "report", stem + ".json"), encoding="utf-8") as f:
        return json.load(f)


def main_rows(states, wall=()):
    """The workloads of `make`."""
    rows = []
    for state in states:
        name, key = ("after", "before_ns") if state == "before" else (state, "after_ns")
        of = report(name)
        real = report(name, "-wall")[key] if state in wall else {}
        rows += [Row("main", state, what, of["module"]["records"], of["module"]["symbols"], value=round(value),
                     wall=round(real[what]) if what in real else "") for what, value in of[key].items()]
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
    with open(os.path.join(OUT, "guest", TAG, "scale.counts"), encoding="utf-8") as f:
        counts = {words[0]: (words[2], words[4]) for words in map(str.split, f)}
    rows = []
    for state in states:
        run = f"{TAG}-{state}-scale"
        real = scale_of(run + "-wall") if exists(run + "-wall") else {}
        rows += [Row("scale", state, what, *counts[name], value=value, wall=real.get((name, what), ""))
                 for (name, what), value in scale_of(run).items()]
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
            of_vmlinux = "unique" if symbols[name] == 1 else "shared"
            result[name] = of_vmlinux if kind == "every" else kind, answer, round(ns)
    return result


def names_rows(states):
    runs = {state: f"{TAG}-{state}-names" for state in states}
    rows, found = [], {state: looked_up(run) for state, run in runs.items()}
    # The series adds functions, which are not compared. A name that is missing is missing on all kernels.
    names = set.intersection(*map(set, found.values()))
    missing = {n for of in found.values() for n in of if of[n][0] == "missing"}
    first = found[states[0]]
    for state, run in runs.items():
        wall = looked_up(run + "-wall") if exists(run + "-wall") else {}
        # Not the kind: a static function of the tests may share a name.
        wrong = [n for n in names if found[state][n][1] != first[n][1]]
        if wrong:
            sys.exit(f"bench: {state} answers {wrong[0]} with {found[state][wrong[0]][1]}, "
                     f"{states[0]} with {first[wrong[0]][1]}")
        for kind in sorted({first[n][0] for n in names}):
            chosen = missing if kind == "missing" else {n for n in names if first[n][0] == kind}
            spent = sorted(found[state][n][2] for n in chosen if n in found[state])
            real = sorted(wall[n][2] for n in chosen if n in wall)
            for percent in range(101):
                at = round((len(spent) - 1) * percent / 100)
                rows.append(Row("names", state, f"{kind} p{percent}", len(spent), value=spent[at], wall=real[at] if real else ""))
    answers = {kind: {of[n][1] for of in found.values() for n in of if of[n][0] == kind}
               for kind in ("unique", "shared", "missing")}
    if answers != {"unique": {FOUND}, "shared": {FOUND}, "missing": {MISSING}}:
        sys.exit(f"bench: a traceable name was not found, or a missing one was: {answers}")
    return rows


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
        text = "\n".join(lines(run, "selftest"))
        of = {what: int(re.findall(form, text)[-1]) for what, form in SELFTEST.items()}
        if exists(run, "modules"):
            for when, _, name, ns in map(str.split, lines(run, "modules")):
                of[f"{os.path.basename(name)} ({when})"] = int(ns)
        rows += [Row("kallsyms", state, what, value=value) for what, value in of.items()]
    return rows


def variants():
    """State -> patch of the variants that stand on the core, in the order of their names."""
    folder, found = os.path.join(TOP, "bench", "variants"), {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            if "\nOn top of: core\n" in f.read():
                found["core+" + name.removesuffix(".patch")] = os.path.join(folder, name)
    return found


def added_lines(*patches):
    """Functional lines that these patches add, on top of the patches before 0002."""
    under = "".join(functional(p) for n, p in series().items() if n < "0002")
    over = "".join(map(functional, patches))
    with tempfile.TemporaryDirectory() as work:
        for side, text in (("a", under), ("b", under + over)):
            for name in set(re.findall(r"^\+\+\+ b/(\S+)", under + over, re.M)):
                os.makedirs(os.path.dirname(os.path.join(work, side, name)), exist_ok=True)
                shutil.copy(os.path.join(OUT, "src", TAG, name), os.path.join(work, side, name))
            subprocess.run(["patch", "-d", os.path.join(work, side), "-p1", "-s", "--fuzz=0"], input=text, text=True, check=True)
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
