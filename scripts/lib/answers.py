# SPDX-License-Identifier: GPL-2.0
"""What a guest reported, and what a plain walk over its symbols answers: imported by whatever compares answers."""
import bisect
import errno
import os

from origin import OUT

# From this version on, "module:symbol" is resolved if it is the only symbol asked for.
RESOLVES = (7, 2)


def path(run, name):
    return os.path.join(OUT, "run", run, name)


def lines(run, name):
    with open(path(run, name), encoding="utf-8", errors="replace") as f:
        return f.read().splitlines()


def pairs(run, name):
    """Durations by function from the entry and return events of one file."""
    entered, took = {}, {}
    for line in lines(run, name):
        function, way, tick = line.split()
        if way == "in":
            entered[function] = int(tick)
        elif function in entered:
            took.setdefault(function, []).append(int(tick) - entered.pop(function))
    return took


class Symbols:
    """A kernel's /proc/kallsyms and records, and the scan that the old code does over them.

    kallsyms lists vmlinux in address order and then the modules, newest first, each in table
    order: the order of the scan.
    """

    def __init__(self, run, kallsyms="kallsyms", records="records"):
        self.names, self.qualified, addresses = {}, {}, set()
        release = lines(run, "release")[0].split(".")
        self.resolves = (int(release[0]), int(release[1])) >= RESOLVES
        for line in lines(run, kallsyms):
            part = line.split()
            addr = int(part[0], 16)
            addresses.add(addr)
            self.names.setdefault(part[2], []).append(addr)
            if len(part) > 3:
                self.qualified.setdefault(f"{part[3][1:-1]}:{part[2]}", addr)
        self.addresses = sorted(addresses)
        self.records = sorted(int(l.split()[0], 16) for l in lines(run, records))

    def end(self, addr):
        i = bisect.bisect_right(self.addresses, addr)
        return self.addresses[i] if i < len(self.addresses) else addr + 1

    def traceable(self, addr):
        i = bisect.bisect_left(self.records, addr)
        return i < len(self.records) and self.records[i] < self.end(addr)

    def scan(self, name):
        if ":" in name and self.resolves:
            addr = self.qualified.get(name)
            return addr if addr and self.traceable(addr) else None
        for addr in self.names.get(name, []):
            if self.traceable(addr):
                return addr
        return None


def attached(run, name):
    """name -> (address, ns) of each attach that worked, name -> ("error", errno) of the others."""
    result = {}
    for line in lines(run, name):
        part = line.split()
        if part[:1] == ["attach"]:
            result[part[1]] = (part[2], part[3])
        elif part[:1] == ["missing"]:
            result[part[1]] = ("error", part[2])
    return result


def judged(run, kind, symbols, fail):
    """name -> which of the equal names, and how far into it, or the error. What a scan answers otherwise fails."""
    found = {}
    for name, (what, rest) in attached(run, kind).items():
        want = symbols.scan(name)
        if what == "error":
            found[name] = "errno " + rest
            if want is not None:
                fail(f"{run}: {name} failed, a scan finds {want:#x}")
            elif int(rest) != errno.ESRCH:
                fail(f"{run}: {name} failed with errno {rest}, not ESRCH")
            continue
        addr = int(what, 16)
        if addr != want:
            fail(f"{run}: {name} is at {addr:#x}, a scan finds {'nothing' if want is None else hex(want)}")
        # which of the equal names, and how far into it
        places = [(addr - a, i) for i, a in enumerate(symbols.names.get(name, [])) if a <= addr]
        found[name] = "instance {1}+{0:#x}".format(*min(places)) if places else f"{addr:#x}"
    return found
