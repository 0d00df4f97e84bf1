# SPDX-License-Identifier: GPL-2.0
"""Counts the memory that loading a module takes.

Input: the page allocations and the mappings that guest/jobs/bench/memory traced. Output: bytes.
Errors: the program ends if the guest lost events.
"""
import sys

from answers import lines

PAGE = 4096


def of_an_area(events, at, pages):
    """The indexes of the events that allocate the pages of an area, which was mapped before; none if they do not fill it.

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
    """Of the memory that the loader of the module asked for: the peak, and what it keeps. Right to a few pages."""
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
