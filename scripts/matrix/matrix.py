#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes what scripts/matrix/matrix, arch or bisect left in the folders of its cells into bench/matrix-BASE.csv.

usage: [BASE=6.12] scripts/matrix/matrix.py matrix|arch|bisect CELL-FOLDER...

The rows of the other two parts stay as they are.
"""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from origin import BASE, TOP, origin

TAG = os.environ.get("TAG") or BASE
PARTS = ("matrix", "arch", "bisect")
FIELDS = ("part", "cell", "from", "options", "configuration", "limit", "did", "objects", "warnings", "passed", "failed",
          "skipped")


def row(part, folder):
    """One cell: what was done there, and where it comes from."""
    with open(os.path.join(folder, "result"), encoding="utf-8") as f:
        found = dict(line.rstrip("\n").partition(" ")[::2] for line in f)
    if found.get("emulator"):
        os.environ["QEMU"] = found["emulator"]
    source = origin(TAG, os.path.join(folder, "config"), os.path.join(folder, "release"), f"make {part} BASE={BASE}")
    source["compiler"] = found.get("compiler") or source["compiler"]
    if found["did"] != "booted":
        source["qemu"] = ""
    known = {**found, **dict(zip(("passed", "failed", "skipped"), found["tests"].split()))}
    known.update(part=part, cell=os.path.basename(folder))
    return [*(known.get(field, "").strip() for field in FIELDS), *source.values()], [*FIELDS, *source]


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in PARTS:
        sys.exit(__doc__)
    part = sys.argv[1]
    path = os.path.join(TOP, "bench", f"matrix-{BASE}.csv")
    new = [row(part, folder) for folder in sys.argv[2:]]
    rows = {part: [values for values, _ in new]}
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as f:
            for values in list(csv.reader(f))[1:]:
                if values[0] != part:
                    rows.setdefault(values[0], []).append(values)
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(new[0][1])
        for name in PARTS:
            out.writerows(rows.get(name, []))
    print(f"results: {os.path.relpath(path)}")


main()
