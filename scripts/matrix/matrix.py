#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Writes what scripts/matrix/matrix, arch or bisect found into bench/matrix-BASE.csv.

usage: [BASE=6.12] scripts/matrix/matrix.py matrix|arch|bisect CELL-FOLDER...

Input: a folder for each cell, with the files result, config and release. Output: the table with the rows of these cells and
those of the other two parts. Errors: a missing file raises OSError, and the table stays as it is.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from origin import BASE, origin, read_table, table, text, write_table

PARTS = ("matrix", "arch", "bisect")
FIELDS = ("part", "cell", "from", "options", "configuration", "limit", "did", "objects", "warnings", "passed", "failed",
          "skipped")


def row(part, folder):
    """One cell: what was done there, and where it comes from."""
    found = dict(line.partition(" ")[::2] for line in text(folder, "result").splitlines())
    if found.get("emulator"):
        os.environ["QEMU"] = found["emulator"]
    source = origin(os.path.join(folder, "config"), os.path.join(folder, "release"), f"make {part} BASE={BASE}")
    source["compiler"] = found.get("compiler") or source["compiler"]
    if found["did"] != "booted":
        source["qemu"] = ""
    found.update(zip(("passed", "failed", "skipped"), found["tests"].split()), part=part, cell=os.path.basename(folder))
    return {**{field: found.get(field, "").strip() for field in FIELDS}, **source}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in PARTS:
        sys.exit(__doc__)
    part, *folders = sys.argv[1:]
    path = table("matrix")
    rows = [row(part, os.path.abspath(folder)) for folder in folders]
    if os.path.exists(path):
        rows += [old for old in read_table(path) if old["part"] != part]
    write_table(path, sorted(rows, key=lambda each: PARTS.index(each["part"])))
    print(f"results: {os.path.relpath(path)}")


main()
