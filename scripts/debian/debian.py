#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Compares the answers of Debian's kernel without and with the series, and writes what they cost.

usage: [BASE=6.12] scripts/debian/debian.py

Takes the runs of scripts/debian/compare; an answer that differs, too few modules or too little gained fails, and then
bench/debian-BASE.csv stays as it is. Figures are virtual time, one instruction being one nanosecond, and beside
them those of guests in real time.
"""
import bisect
import collections
import csv
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from figures import BASE, OUT, TOP, Row, read, series
from answers import Symbols, attached, judged
from origin import kernel, of_state, origin

# A desktop's modules beside amdgpu, and how much sooner that one has to be there
MODULES, GAIN = 70, 10
TOOLS = ("bpftrace-exact", "bpftrace-module", "bpftrace-wildcard", "bpftrace-list", "trace-cmd-small",
         "trace-cmd-large", "perf-ftrace")
errors = []


def fail(text):
    errors.append(text)


def same(what, a, b):
    """How many there are of what must be the same on both kernels"""
    if a != b:
        fail(f"{what} differ: {len(a)} before, {len(b)} after")
        for x, y in zip(a, b):
            if x != y:
                fail(f"  first: '{x}' before, '{y}' after")
                break
    if not a:
        fail(f"{what}: there are none")
    return len(a)


def only_added(what, a, b):
    """The same for what vmlinux has, where the series brings functions of its own"""
    added = set(b) - set(a)
    own = {n for n in added if any(re.search(rf"^\+.*\b{re.escape(n.split('.')[0])}\(", text, re.M) for text in patches)}
    if added - own:
        fail(f"{what}: only after, and not of the series: {sorted(added - own)[:5]}")
    return same(what, sorted(a), sorted(n for n in b if n not in own))


class Run:
    """One kernel with all modules loaded."""

    def __init__(self, state):
        self.run = f"{BASE}-debian-{state}-debian"
        first = Symbols(self.run)
        last = Symbols(self.run, "kallsyms.all", "records.all")
        self.found = {}
        for kind, symbols in (("attach", first), ("missing", first), ("duplicates", first),
                              ("missing.all", last), ("attach.own", last)):
            for name, what in judged(self.run, kind, symbols, fail).items():
                self.found[kind, name] = what
        self.loads = [l.split() for l in read(self.run, "loads")]
        # The kernel marks a module with E if it knows no key for its signature.
        for line in read(self.run, "modules"):
            if re.search(r" \([A-Z]*E[A-Z]*\)$", line):
                fail(f"{self.run}: the signature of {line.split()[0]} is not trusted")
        self.bases = collections.defaultdict(list)
        for module, section, addr in map(str.split, read(self.run, "sections")):
            self.bases[module].append((int(addr, 16), section))
        for bases in self.bases.values():
            bases.sort()
        self.vmlinux = [l.split()[1] for l in read(self.run, "records")]
        self.records = self.listed("records.all", 2)
        self.symbols = self.listed("kallsyms.all", 3)
        self.filtered, self.enabled = read(self.run, "filtered"), read(self.run, "enabled")

    def place(self, module, addr, kind):
        """Where something of a module lies, whatever the place that the module was given"""
        if kind in "aA":
            return f"{addr:#x}"
        if kind not in "tTwW":
            # Not all sections of data are listed: its place in the page
            return f"{addr % 4096:#x}"
        bases = self.bases[module]
        base, section = bases[max(bisect.bisect_right(bases, (addr, "~")) - 1, 0)]
        return f"{section}{addr - base:+#x}"

    def listed(self, name, column):
        """module -> what a listing says of it, which has the module in that column, and before it a type or none"""
        result = collections.defaultdict(list)
        for part in map(str.split, read(self.run, name)):
            module = part[column][1:-1] if len(part) > column else ""
            # Others are trampolines and BPF programs.
            if module in self.bases:
                kind = part[1] if column == 3 else "t"
                result[module].append(f"{module} {self.place(module, int(part[0], 16), kind)} {' '.join(part[1:column])}")
        return result


def figures(run):
    """Nanoseconds of what one guest did"""
    def one(name):
        return int(read(run, name)[0].split()[2])

    def times(kind):
        return [int(l.split()[3]) for l in read(run, kind) if l.split()[:1] in (["attach"], ["missing"])]
    load = {name: int(ns) for name, what, ns in map(str.split, read(run, "loads")) if what == "loaded"}
    # In the order of the loads; a module that is refused before its records are looked at has none.
    enabled = [int(l) for l in read(run, "enable.ns")]
    return {
        "insmod amdgpu": load["amdgpu"],
        "enable amdgpu": enabled[-1],
        "insmod the others": sum(load.values()) - load["amdgpu"],
        "enable the others": sum(enabled[:-1]),
        "attach 50": sum(times("attach")),
        "attach one": statistics.median(times("attach")),
        "look up one": statistics.median(map(int, read(run, "lookup.ns"))),
        "attach amdgpu": sum(times("attach.own")),
        "missing": statistics.median(times("missing")),
        "missing, all loaded": statistics.median(times("missing.all")),
        "list": one("listing.none"),
        "list, all loaded": one("listing.all"),
        "filter": one("filter"),
        "read kallsyms": one("symbols.all"),
    }


def module_answers(before, after):
    """What both kernels say of the modules, and how much of it there is"""
    same("attached symbols", sorted(before.found.items()), sorted(after.found.items()))
    same("modules", [l[:2] for l in before.loads], [l[:2] for l in after.loads])
    counts = {"names": len(before.found)}
    loaded = [name for name, what, _ in before.loads if what == "loaded"]
    if len(loaded) <= MODULES or loaded[-1] != "amdgpu":
        fail(f"only {len(loaded) - 1} modules load beside amdgpu, not {MODULES}")
    counts["modules"] = len(loaded)
    counts["functions"] = only_added("traceable functions of vmlinux", before.vmlinux, after.vmlinux)
    for what in ("records", "symbols"):
        a, b = getattr(before, what), getattr(after, what)
        counts[what] = same(f"{what} of the modules", [l for m in a for l in a[m]], [l for m in b for l in b[m]])
        counts[f"{what} of amdgpu"] = len(a["amdgpu"])
    counts["invalid"] = sum("__ftrace_invalid_address__" in l for m in before.records.values() for l in m)
    counts["filtered"] = same("filtered functions", before.filtered, after.filtered)
    counts["enabled"] = same("enabled functions of the modules", before.enabled, after.enabled)
    if counts["enabled"] != counts["records"] - counts["invalid"]:
        fail(f"{counts['enabled']} functions of modules are enabled, {counts['records'] - counts['invalid']} are valid")
    return counts


def tools():
    """tool -> milliseconds before and after; their output must be the same"""
    result = {}
    runs = [f"{BASE}-debian-{state}-tools" for state in ("before", "after")]
    tables = [{name: (rc, int(ms)) for name, rc, ms in map(str.split, read(run, "times"))} for run in runs]
    same("tools", sorted(tables[0]), sorted(tables[1]))
    for name in TOOLS:
        a, b = (read(run, "out." + name) for run in runs)
        if name.startswith("bpftrace"):
            a, b = sorted(a), sorted(b)     # of what counted the same any can be the first
        elif name == "trace-cmd-small":
            a, b = (read(run, "out.trace-cmd-report") for run in runs)
        elif name == "perf-ftrace":
            # Without processors, processes and times
            a, b = ([l.split(": ", 1)[1] for l in text if not l.startswith("#") and ": " in l] for text in (a, b))
        if name == "bpftrace-list":
            only_added(f"output of {name}", [l.rsplit(":", 1)[1] for l in a], [l.rsplit(":", 1)[1] for l in b])
        elif name != "trace-cmd-large":     # nothing calls amdgpu's functions: it has caught none
            same(f"output of {name}", a, b)
        if tables[0][name][0] != tables[1][name][0]:
            fail(f"{name} ends with {tables[0][name][0]} before, {tables[1][name][0]} after")
        result[name] = tables[0][name][1] * 1000000, tables[1][name][1] * 1000000
    return result


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    before, after = Run("before"), Run("after")
    counts = module_answers(before, after)
    of = {"before": figures(before.run), "after": figures(after.run)}
    wall = {state: figures(f"{BASE}-debian-{state}-debian-wall") for state in of}
    for name, (a, b) in tools().items():
        of["before"][name], of["after"][name] = a, b
    gain = of["before"]["insmod amdgpu"] / of["after"]["insmod amdgpu"]
    if gain < GAIN:
        fail(f"insmod amdgpu is {gain:.1f} times faster, not {GAIN}")
    if errors:
        print("\n".join(["debian: answers changed or are wrong:", *errors]), file=sys.stderr)
        sys.exit(1)

    with open(os.path.join(OUT, "guest", f"{BASE}-debian", "amdgpu.counts"), encoding="utf-8") as f:
        size = dict(l.split() for l in f)
    rows = [Row("debian", state, what, size["records"], size["symbols"], "ns", round(value),
                round(wall[state][what]) if what in wall[state] else "")
            for state, values in of.items() for what, value in values.items()]
    rows += [Row("debian", "both", what, "", "", "count", value, "") for what, value in counts.items()]
    source = origin(BASE, kernel(f"{BASE}/debian/after", "config"),
                    os.path.join(OUT, "run", after.run, "release"), f"make debian BASE={BASE}")
    path = os.path.join(TOP, "bench", f"debian-{BASE}.csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow([*Row._fields, *source])
        out.writerows([*row, *of_state(source, row.state).values()] for row in rows)
    for what, value in of["before"].items():
        now = of["after"][what]
        print(f"{what:24} {value / 1e6:>11,.2f} ms before {now / 1e6:>10,.2f} after {value / now:>8,.1f} times less")
    print("answers, the same on both kernels:", ", ".join(f"{value:,} {what}" for what, value in counts.items()))
    print(f"results: {os.path.relpath(path)}")


patches = [open(p, encoding="utf-8").read() for p in series().values()]
main()
