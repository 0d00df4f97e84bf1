#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Compares the answers of Debian's kernel without and with the series, and writes what they cost.

usage: [BASE=6.12] scripts/debian/debian.py

Input: the runs of scripts/debian/compare in OUT/run. Output: bench/debian-BASE.csv, which has virtual time, one instruction
being one nanosecond; and a summary as text. Errors: status 1 if an answer differs, if too few modules load or if too little is
gained. The table then stays as it is.
"""
import collections
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from answers import Symbols, attached, errors, judged, lines, number, path, place, same, stop_if_wrong
from figures import Row
from origin import BASE, OUT, kernel, origin, series, table, text, with_origin, write_table

STATES = ("before", "after")
# A desktop's modules beside amdgpu, and how many times faster amdgpu has to load
MODULES, GAIN = 70, 10
TOOLS = ("bpftrace-exact", "bpftrace-module", "bpftrace-wildcard", "bpftrace-list", "trace-cmd-small",
         "trace-cmd-large", "perf-ftrace")
# Where the guest keeps what a tool found, if that is not what the tool printed
PRINTED = {"trace-cmd-small": "trace-cmd-report"}


def same_but_added(what, before, after):
    """same() for functions of vmlinux, to which the series may add some."""
    patches = "".join(map(text, series().values()))
    added = set(after) - set(before)
    of_series = {n for n in added if re.search(rf"^\+.*\b{re.escape(n.split('.')[0])}\(", patches, re.M)}
    if added != of_series:
        errors.append(f"{what}: only after, and not of the series: {sorted(added - of_series)[:5]}")
    return same(what, sorted(before), sorted(n for n in after if n not in of_series))


class Run:
    """The answers of one kernel with all modules loaded."""

    def __init__(self, run):
        self.run = run
        self.found = {**judged(run, Symbols(run), "attach", "missing", "duplicates"),
                      **judged(run, Symbols(run, "kallsyms.all", "records.all"), "missing.all", "attach.own")}
        self.loads = [line.split() for line in lines(run, "loads")]
        # The kernel marks a module with E if it knows no key for its signature.
        errors.extend(f"{run}: the signature of {line.split()[0]} is not trusted"
                      for line in lines(run, "modules") if re.search(r" \([A-Z]*E[A-Z]*\)$", line))
        self.bases = collections.defaultdict(list)
        for addr, module, section in sorted((int(addr, 16), *names) for *names, addr in map(str.split, lines(run, "sections"))):
            self.bases[module].append((addr, section))
        self.vmlinux = [line.split()[1] for line in lines(run, "records")]
        self.records = self.listed("records.all", 1)
        self.symbols = self.listed("kallsyms.all", 2)

    def place(self, module, addr, kind):
        """Where something of a module lies, independent of the address that the module was given."""
        if kind in "aA":
            return f"{addr:#x}"
        if kind not in "tTwW":
            # Not all sections of data are listed. The place in the page is known.
            return f"{addr % 4096:#x}"
        return place(self.bases[module], addr)

    def listed(self, name, column):
        """The lines of modules in a listing, by module. That column has the module, and the first of three the type."""
        result = []
        for addr, *rest in map(str.split, lines(self.run, name)):
            module = rest[column][1:-1] if len(rest) > column else ""
            # Others are trampolines and BPF programs.
            if module in self.bases:
                where = self.place(module, int(addr, 16), rest[0] if column == 2 else "t")
                result.append(f"{module} {where} {' '.join(rest[:column])}")
        return sorted(result, key=lambda line: line.split()[0])


def figures(run):
    """Name -> nanoseconds of what one guest did."""
    def times(name):
        return [int(part[3]) for part in attached(run, name)]
    load = {name: int(ns) for name, what, ns in map(str.split, lines(run, "loads")) if what == "loaded"}
    # In the order of the loads. A module that is refused before the kernel looks at its records has none.
    enabled = [int(line) for line in lines(run, "enable.ns")]
    return {
        "insmod amdgpu": load["amdgpu"],
        "enable amdgpu": enabled[-1],
        "insmod the others": sum(load.values()) - load["amdgpu"],
        "enable the others": sum(enabled[:-1]),
        "attach 50": sum(times("attach")),
        "attach one": statistics.median(times("attach")),
        "look up one": statistics.median(map(int, lines(run, "lookup.ns"))),
        "attach amdgpu": sum(times("attach.own")),
        "missing": statistics.median(times("missing")),
        "missing, all loaded": statistics.median(times("missing.all")),
        "list": number(run, "listing.none"),
        "list, all loaded": number(run, "listing.all"),
        "filter": number(run, "filter"),
        "read kallsyms": number(run, "symbols.all"),
    }


def module_answers(before, after):
    """What both kernels say of the modules, and how much of it there is."""
    same("attached symbols", sorted(before.found.items()), sorted(after.found.items()))
    same("modules", [load[:2] for load in before.loads], [load[:2] for load in after.loads])
    loaded = [name for name, what, _ in before.loads if what == "loaded"]
    if len(loaded) <= MODULES or loaded[-1] != "amdgpu":
        errors.append(f"only {len(loaded) - 1} modules load beside amdgpu, not {MODULES}")
    counts = {"names": len(before.found), "modules": len(loaded)}
    counts["functions"] = same_but_added("traceable functions of vmlinux", before.vmlinux, after.vmlinux)
    for what in ("records", "symbols"):
        a, b = getattr(before, what), getattr(after, what)
        counts[what] = same(f"{what} of the modules", a, b)
        counts[f"{what} of amdgpu"] = sum(line.startswith("amdgpu ") for line in a)
    counts["invalid"] = sum("__ftrace_invalid_address__" in line for line in before.records)
    for what, name in ("filtered", "filtered functions"), ("enabled", "enabled functions of the modules"):
        counts[what] = same(name, lines(before.run, what), lines(after.run, what))
    valid = counts["records"] - counts["invalid"]
    if counts["enabled"] != valid:
        errors.append(f"{counts['enabled']} functions of modules are enabled, {valid} are valid")
    return counts


def tools():
    """State -> tool -> nanoseconds. What a tool prints must be the same on both kernels."""
    runs = [f"{BASE}-debian-{state}-tools" for state in STATES]
    ended = [{name: (status, int(ms) * 1000000) for name, status, ms in map(str.split, lines(run, "times"))} for run in runs]
    same("tools", sorted(ended[0]), sorted(ended[1]))
    for name in TOOLS:
        compare = same
        a, b = (lines(run, "out." + PRINTED.get(name, name)) for run in runs)
        if name == "bpftrace-list":
            compare = same_but_added
            a, b = ([line.rsplit(":", 1)[1] for line in printed] for printed in (a, b))
        elif name.startswith("bpftrace"):
            a, b = sorted(a), sorted(b)     # functions with equal counts have no order
        elif name == "perf-ftrace":
            # Processors, processes and times differ.
            a, b = ([l.split(": ", 1)[1] for l in printed if not l.startswith("#") and ": " in l] for printed in (a, b))
        if name != "trace-cmd-large":       # it has no events: nothing calls amdgpu's functions
            compare(f"output of {name}", a, b)
        status = [of[name][0] for of in ended]
        if status[0] != status[1]:
            errors.append(f"{name} ends with {status[0]} before, {status[1]} after")
    return {state: {name: of[name][1] for name in TOOLS} for state, of in zip(STATES, ended)}


def main():
    runs = {state: f"{BASE}-debian-{state}-debian" for state in STATES}
    counts = module_answers(*map(Run, runs.values()))
    spent = tools()
    of = {state: {**figures(run), **spent[state]} for state, run in runs.items()}
    gain = of["before"]["insmod amdgpu"] / of["after"]["insmod amdgpu"]
    if gain < GAIN:
        errors.append(f"insmod amdgpu is {gain:.1f} times faster, not {GAIN}")
    stop_if_wrong("debian")

    size = dict(map(str.split, text(OUT, "guest", f"{BASE}-debian", "amdgpu.counts").splitlines()))
    rows = [Row("debian", state, what, size["records"], size["symbols"], value=round(value))
            for state, values in of.items() for what, value in values.items()]
    rows += [Row("debian", "both", what, unit="count", value=value) for what, value in counts.items()]
    source = origin(kernel(f"{BASE}/debian/after", "config"), path(runs["after"], "release"), f"make debian BASE={BASE}")
    csv = table("debian")
    write_table(csv, with_origin(rows, source))
    for what, value in of["before"].items():
        now = of["after"][what]
        print(f"{what:24} {value / 1e6:>11,.2f} ms before {now / 1e6:>10,.2f} after {value / now:>8,.1f} times less")
    print("answers, the same on both kernels:", ", ".join(f"{value:,} {what}" for what, value in counts.items()))
    print(f"results: {os.path.relpath(csv)}")


main()
