# SPDX-License-Identifier: GPL-2.0
"""The figures of a base, as measured: imported by what writes, checks and shows bench/results-BASE.csv."""
import collections
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from answers import lines as read, pairs
from origin import BASE, OUT, TOP, kernel, origin, series

TAG = os.environ.get("TAG") or BASE
PAGE = 4096
# What guest/src/eachname.c prints of a name
FOUND, MISSING = str(errno.EMFILE), str(errno.ESRCH)
# part: main, scale, names, memory, kallsyms or patch; value in unit, wall in ns where it was taken as well
Row = collections.namedtuple("Row", "part state what size symbols unit value wall")
KEY = 4     # the first so many fields tell which row it is


def run_name(state, job, wall=False):
    return f"{TAG}-{state}-{job}{'-wall' if wall else ''}"


def exists(run):
    return os.path.exists(os.path.join(OUT, "run", run, "status"))


def report(state, wall=False):
    """What scripts/bench/report made of a state's run: its figures, and those of the unpatched kernel."""
    stem = TAG + ("" if state == "after" else "-" + state) + ("-wall" if wall else "")
    with open(os.path.join(OUT, "report", stem + ".json"), encoding="utf-8") as f:
        return json.load(f)


def took(run, name):
    """Nanoseconds of each call in one file of kprobe events, by function."""
    mhz = float(read(run, "tsc")[0].split()[-1])
    return {function: [round(ticks * 1000 / mhz) for ticks in each] for function, each in pairs(run, name).items()}


def main_rows(states, wall=()):
    """The workloads of `make`."""
    rows = []
    for state in states:
        key = "before_ns" if state == "before" else "after_ns"
        of = report("after" if state == "before" else state)
        real = report("after" if state == "before" else state, True)[key] if state in wall else {}
        size, symbols = of["module"]["records"], of["module"]["symbols"]
        for what, value in of[key].items():
            rows.append(Row("main", state, what, size, symbols, "ns", round(value),
                            round(real[what]) if what in real else ""))
    return rows


def scale_of(state, wall):
    """(module, what) -> ns; None if that run does not exist."""
    run, result = run_name(state, "scale", wall), {}
    if not exists(run):
        return None
    for name in sorted(f[:-6] for f in os.listdir(os.path.join(OUT, "run", run)) if f.endswith(".finit")):
        result[name, "finit_module"] = int(read(run, name + ".finit")[0].split()[-1])
        result[name, "enable"] = took(run, name + ".enable.ticks")["ftrace_module_enable"][-1]
        built = took(run, name + ".build.ticks") if os.path.exists(
            os.path.join(OUT, "run", run, name + ".build.ticks")) else {}
        order = built.get("index_kallsyms", [0])[-1]
        # What has to be done for the records: before they are enabled, and when they are
        result[name, "total"] = result[name, "enable"] + order
    return result


def scale_rows(states):
    with open(os.path.join(OUT, "guest", TAG, "scale.counts"), encoding="utf-8") as f:
        counts = {l.split()[0]: (l.split()[2], l.split()[4]) for l in f}
    rows = []
    for state in states:
        real = scale_of(state, True) or {}
        for (name, what), value in scale_of(state, False).items():
            rows.append(Row("scale", state, what, *counts[name], "ns", value, real.get((name, what), "")))
    return rows


def looked_up(run):
    """Name -> its kind, what the answer was, and the ns that it took."""
    result = {}
    symbols = collections.Counter(p[2] for p in map(str.split, read(run, "kallsyms")) if len(p) == 3)
    for name_list in ("every", "missing", "module"):
        each = [line.split() for line in read(run, name_list + ".errno")]
        spent = took(run, name_list + ".ticks")["ftrace_lookup_symbols"]
        if len(spent) != len(each):
            sys.exit(f"bench: {run}: {len(each)} names and {len(spent)} lookups")
        for (name, answer), ns in zip(each, spent):
            kind = name_list
            if name_list == "every":
                kind = "unique" if symbols[name] == 1 else "shared"
            result[name] = kind, answer, ns
    return result


def names_rows(states):
    rows, found = [], {state: looked_up(run_name(state, "names")) for state in states}
    # The series brings functions of its own, which are not compared. What is missing is so in all.
    names = set.intersection(*map(set, found.values()))
    missing = {n for of in found.values() for n in of if of[n][0] == "missing"}
    first = found[states[0]]
    for state in states:
        wall = looked_up(run_name(state, "names", True)) if exists(run_name(state, "names", True)) else {}
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
                rows.append(Row("names", state, f"{kind} p{percent}", len(spent), "", "ns", spent[at],
                                real[at] if real else ""))
    answers = {kind: {of[n][1] for of in found.values() for n in of if of[n][0] == kind}
               for kind in ("unique", "shared", "missing")}
    if answers != {"unique": {FOUND}, "shared": {FOUND}, "missing": {MISSING}}:
        sys.exit(f"bench: a traceable name was not found, or a missing one was: {answers}")
    return rows


def of_an_area(events, at, pages):
    """Which of the allocations after an area was mapped are its own: those that fill it, if they do.

    Later kernels take the pages of an area in large orders, which the page allocator reports; earlier ones in
    bulk, which it does not. Page tables and what is little make this right to a few pages."""
    taken, left, table = [], pages, -(-pages * 8 // PAGE) * PAGE
    for i in range(at + 1, len(events)):
        process, what, _, order = events[i]
        # The table of the pages of a large area is one itself
        if left <= 8 or what == "unmap" or what == "map" and order - PAGE != table:
            break
        if process == events[at][0] and what == "alloc" and 1 << order <= left:
            taken.append(i)
            left -= 1 << order
    return taken if left <= 8 else []


def memory_of(state):
    """Peak and what is left of the memory that the loader of the module asked for, to a few pages."""
    run = run_name(state, "memory")
    loader, mine, areas, mapped, peak = read(run, "loader")[0], set(), {}, 0, 0
    if int(dict(l.split(": ") for l in read(run, "stats") if ": " in l)["overrun"]):
        sys.exit(f"bench: {run}: events were lost")
    events = [(p, what, int(where, 0), int(size)) for p, what, where, size in map(str.split, read(run, "pages"))]
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
            # The last page of an area guards it and is none
            areas[where] = size - PAGE
            mapped += areas[where]
            counted.update(of_an_area(events, i, areas[where] // PAGE))
        peak = max(peak, len(mine) * PAGE + mapped)
    return peak, len(mine) * PAGE + mapped


def memory_rows(states):
    rows, (peak0, kept0) = [], memory_of("before")
    for state in states:
        peak, kept = memory_of(state)
        for what, value in (("peak", peak), ("kept", kept), ("peak more than before", peak - peak0),
                            ("kept more than before", kept - kept0)):
            rows.append(Row("memory", state, what, "", "", "bytes", value, ""))
    return rows


def kallsyms_rows(states):
    rows = []
    for state in states:
        run = f"{TAG}-kallsyms-{state}-kallsyms"
        text = "\n".join(read(run, "selftest"))
        for what, form in (("kallsyms_lookup_name() min", r"min=(\d+)"), ("kallsyms_lookup_name() max", r"max=(\d+)"),
                           ("kallsyms_lookup_name() avg", r"avg=(\d+)"),
                           ("kallsyms_on_each_symbol()", r"on_each_symbol\(\) traverse all: (\d+)"),
                           ("kallsyms_on_each_match_symbol()", r"on_each_match_symbol\(\) traverse all: (\d+)")):
            rows.append(Row("kallsyms", state, what, "", "", "ns", int(re.findall(form, text)[-1]), ""))
        if os.path.exists(os.path.join(OUT, "run", run, "modules")):
            for line in read(run, "modules"):
                when, _, name, ns = line.split()
                rows.append(Row("kallsyms", state, f"{os.path.basename(name)} ({when})", "", "", "ns", int(ns), ""))
    return rows


def variants():
    """Those that are measured on this base: on top of the core, in the order of their names."""
    folder, found = os.path.join(TOP, "bench", "variants"), {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            text = f.read()
        if "\nOn top of: core\n" in text:
            found["core+" + name.removesuffix(".patch")] = os.path.join(folder, name)
    return found


def functional(patch):
    """The part of a patch that changes kernel/ or include/."""
    with open(patch, encoding="utf-8") as f:
        diffs = re.split(r"^(?=diff --git )", f.read(), flags=re.M)[1:]
    return "".join(d for d in diffs if d.startswith(("diff --git a/kernel/", "diff --git a/include/")))


def added_lines(*patches):
    """Functional lines that these patches add, one on top of the other, to the source that has those before them."""
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


def patch_rows(names):
    """What cannot be measured in a guest: lines, and how many answers came out wrong."""
    core = [p for n, p in series().items() if n == "0002"]
    lines = {"core": added_lines(*core), "after": added_lines(*core, series()["0008"])}
    lines.update({n: added_lines(*core, variants()[n]) for n in names})
    rows = []
    for name, value in lines.items():
        rows.append(Row("patch", name, "lines added", "", "", "lines", value, ""))
        rows.append(Row("patch", name, "answers that differ", "", "", "kinds",
                        sum(not e.startswith("  ") for e in report(name)["errors"]), ""))
    return rows


def source(command):
    return origin(TAG, kernel("after", "config"),
                  os.path.join(OUT, "run", f"{TAG}-before", "release"), command)


def path():
    return os.path.join(TOP, "bench", f"results-{BASE}.csv")
