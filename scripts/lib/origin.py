# SPDX-License-Identifier: GPL-2.0
"""Tells where a figure comes from; reads and writes the tables of results in bench/.

Input: BASE, OUT, TAG and QEMU from the environment; configs/, patches/, bench/ and the built kernels. Output: rows, each of
which maps columns to values; the last columns are those of origin(). Errors: a missing file raises OSError, an unknown base
or state KeyError, a failing command CalledProcessError.
"""
import csv
import functools
import hashlib
import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.abspath(os.environ.get("OUT") or os.path.join(TOP, "out"))
BASE = os.environ.get("BASE") or "6.12"
TAG = os.environ.get("TAG") or BASE


def text(*path):
    """What is in a file. A path that is not absolute begins at TOP."""
    with open(os.path.join(TOP, *path), encoding="utf-8") as f:
        return f.read()


def output(*command):
    """The first line that a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def kernel(name, what):
    """What scripts/kernel prints of a kernel: where it is built (tree), its image, its configuration and so on."""
    return output(os.path.join(TOP, "scripts", "kernel"), name, what)


def configured(table, name):
    """The words of the line that begins with a name, in one of the tables in configs/."""
    return {words[0]: words for words in map(str.split, text("configs", table).splitlines()) if words}[name]


def last_patch(name):
    """The number of the last patch of a set: minimal, core or all."""
    return int(configured("sets", name)[1])


def functional(patch):
    """The part of a patch that changes kernel/ or include/."""
    diffs = re.split(r"^(?=diff --git )", text(patch), flags=re.M)[1:]
    return "".join(d for d in diffs if d.startswith(("diff --git a/kernel/", "diff --git a/include/")))


@functools.lru_cache(maxsize=None)
def code(state, base=BASE):
    """A hash of the lines that the patches of a state take from and add to kernel/ and include/.

    It identifies the code that a figure was measured with: messages, tests and documentation do not count. A state is
    "before", "core", "after" or the number of the last patch, and has "+NAME" for each patch of bench/variants or OUT on top.
    The state "both" is that of a count which is the same before and after."""
    folder = os.path.join(TOP, "patches", configured("bases", base)[2])
    on, *extra = state.split("+")
    last = 0 if on == "before" else int(on) if on.isdigit() else last_patch("all" if on in ("after", "both") else on)
    patches = [os.path.join(folder, n) for n in text(folder, "series").split("\n") if n.endswith(".patch") and int(n[:4]) <= last]
    for name in extra:
        kept = os.path.join(TOP, "bench", "variants", name + ".patch")
        patches.append(kept if os.path.exists(kept) else os.path.join(OUT, "patches", TAG, name + ".patch"))
    changed = re.findall(r"^(?!\+\+\+ |--- )[+-].*\n", "".join(map(functional, patches)), re.M)
    return hashlib.sha256("".join(changed).encode()).hexdigest()


def series():
    """Number -> patch of the base's complete series."""
    folder = os.path.join(OUT, "series", configured("bases", BASE)[2])
    return {name[:4]: os.path.join(folder, name) for name in text(folder, "series").splitlines()}


def origin(config, release, command, state="after"):
    """The source, the configuration, the functional code and the tools that a run was made with."""
    package = os.path.join(OUT, "src", TAG + ".package")
    return {
        "kernel": text(release).strip(),
        "source": text(package).strip() if os.path.exists(package) else "KSRC",
        "config_sha256": hashlib.sha256(text(config).encode()).hexdigest(),
        "code_sha256": code(state),
        "compiler": output("gcc", "--version"),
        "qemu": output(os.environ.get("QEMU") or "qemu-system-x86_64", "--version"),
        "command": command,
    }


def with_origin(rows, source):
    """Rows of a table: those given, each a named tuple with a state, with their origin."""
    return [{**row._asdict(), **source, "code_sha256": code(row.state)} for row in rows]


def table(kind, base=BASE):
    """The path of a table of results."""
    return os.path.join(TOP, "bench", f"{kind}-{base}.csv")


def read_table(name):
    with open(name, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def write_table(name, rows):
    with open(name, "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
