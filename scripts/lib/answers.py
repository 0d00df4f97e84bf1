# SPDX-License-Identifier: GPL-2.0
"""Reads what guests reported, and judges their answers.

Input: the files that a guest's job left in the folder of its run, OUT/run/RUN. Output: lines, nanoseconds, and which symbol
an attach found. Errors: what is wrong goes to the list `errors`, and stop_if_wrong() ends the program. A missing file
raises OSError.
"""
import bisect
import errno
import os
import sys

from origin import OUT

# From this version on, "module:symbol" is resolved if it is the only symbol asked for.
RESOLVES = (7, 2)
errors = []


def path(run, name):
    return os.path.join(OUT, "run", run, name)


def exists(run, name="status"):
    return os.path.exists(path(run, name))


def lines(run, name):
    with open(path(run, name), encoding="utf-8", errors="replace") as f:
        return f.read().splitlines()


def number(run, name, column=2):
    """The number in a column of a file's first line. It is a time in the third one of what the guest's programs print."""
    return int(lines(run, name)[0].split()[column])


def mhz(run):
    """The ticks in a microsecond."""
    return float(lines(run, "tsc")[0].split()[-1])


def calls(run, name):
    """Function, tick of the entry and tick of the return for each call in a file of kprobe events, by their return."""
    entered = {}
    for function, way, tick in map(str.split, lines(run, name)):
        if way == "in":
            entered[function] = int(tick)
        elif function in entered:
            yield function, entered.pop(function), int(tick)


def took(run, name):
    """Function -> nanoseconds of each call in a file of kprobe events."""
    result, per_us = {}, mhz(run)
    for function, start, end in calls(run, name):
        result.setdefault(function, []).append((end - start) * 1000 / per_us)
    return result


def place(bases, addr):
    """SECTION+OFFSET of an address, from the sorted (address, section) pairs of its module."""
    base, section = bases[max(bisect.bisect_right(bases, (addr, "~")) - 1, 0)]
    return f"{section}{addr - base:+#x}"


class Symbols:
    """A kernel's /proc/kallsyms and records, and the scan that the old code does over them.

    kallsyms lists vmlinux in address order and then the modules, newest first, each in table order, as the scan does."""

    def __init__(self, run, kallsyms="kallsyms", records="records"):
        self.names, self.qualified, addresses = {}, {}, set()
        release = lines(run, "release")[0].split(".")
        self.resolves = (int(release[0]), int(release[1])) >= RESOLVES
        for part in map(str.split, lines(run, kallsyms)):
            addr = int(part[0], 16)
            addresses.add(addr)
            self.names.setdefault(part[2], []).append(addr)
            if len(part) > 3:
                self.qualified.setdefault(f"{part[3][1:-1]}:{part[2]}", addr)
        self.addresses = sorted(addresses)
        self.records = sorted(int(l.split()[0], 16) for l in lines(run, records))

    def traceable(self, addr):
        """Whether a record lies between the address and the next symbol."""
        i = bisect.bisect_right(self.addresses, addr)
        end = self.addresses[i] if i < len(self.addresses) else addr + 1
        i = bisect.bisect_left(self.records, addr)
        return i < len(self.records) and self.records[i] < end

    def scan(self, name):
        """The address that a scan finds for a name, or None."""
        found = self.names.get(name, [])
        if ":" in name and self.resolves:
            found = [self.qualified[name]] if name in self.qualified else []
        return next(filter(self.traceable, found), None)


def attached(run, name):
    """["attach", name, address, ns] of each attach that worked, ["missing", name, errno, ns] of the others."""
    return [part for part in map(str.split, lines(run, name)) if part[:1] in (["attach"], ["missing"])]


def judged(run, symbols, *files):
    """(file, name) -> which of the symbols with that name was found and how far into it, or the error.

    It is an error if a scan over the symbols finds something else."""
    found = {}
    for file, (way, name, value, *_) in ((file, part) for file in files for part in attached(run, file)):
        want = symbols.scan(name)
        if way == "missing":
            found[file, name] = "errno " + value
            if want is not None:
                errors.append(f"{run}: {name} failed, a scan finds {want:#x}")
            elif int(value) != errno.ESRCH:
                errors.append(f"{run}: {name} failed with errno {value}, not ESRCH")
            continue
        addr = int(value, 16)
        if addr != want:
            errors.append(f"{run}: {name} is at {addr:#x}, a scan finds {'nothing' if want is None else hex(want)}")
        places = [(addr - a, i) for i, a in enumerate(symbols.names.get(name, [])) if a <= addr]
        found[file, name] = "instance {1}+{0:#x}".format(*min(places)) if places else f"{addr:#x}"
    return found


def same(what, before, after):
    """How many entries the two kernels have. It is an error if the entries differ, or if there are none."""
    if before != after:
        errors.append(f"{what} differ between the kernels: {len(before)} and {len(after)} entries")
        errors.extend([f"  first: '{a}' before, '{b}' after" for a, b in zip(before, after) if a != b][:1])
    if not before:
        errors.append(f"{what}: there are none")
    return len(before)


def stop_if_wrong(program):
    if errors:
        sys.exit("\n".join([f"{program}: answers changed or are wrong:", *errors]))
