# SPDX-License-Identifier: GPL-2.0
"""Where a figure comes from, and what it is compared with: imported by whatever writes results."""
import functools
import hashlib
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.environ.get("OUT") or os.path.join(TOP, "out")
BASE = os.environ.get("BASE") or "6.12"
# What the RFCs measured on their authors' machines, from the mailing list.
RFC = {
    "attach_total": "858 -> 52 ms",
    "finit_module": "12,242 -> 2,870 ms (modprobe)",
    "enable": "9,368 -> 15.195 ms",
    "locked": "9,368 -> 1.585 ms",
    "insmod amdgpu": "12,242 -> 2,870 ms (modprobe)",
    "enable amdgpu": "9,368 -> 15.195 ms",
    "enable the others": "491 -> 2.33 ms (74 modules)",
    "attach 50": "858 -> 52 ms",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def sha256(*names):
    digest = hashlib.sha256()
    for name in names:
        with open(name, "rb") as f:
            digest.update(f.read())
    return digest.hexdigest()


def kernel(name, what):
    """What scripts/kernel prints of a kernel: where it is built (tree), its image, its configuration and so on."""
    return output(os.path.join(TOP, "scripts", "kernel"), name, what)


def folder_of(base):
    """The name of the folder in patches/ that has the patches for a base."""
    with open(os.path.join(TOP, "configs", "bases"), encoding="utf-8") as f:
        return {l.split()[0]: l.split()[2] for l in f if l.strip()}[base]


@functools.lru_cache(maxsize=None)
def code(state, base=BASE):
    """A hash of the lines that the patches of a state take from and add to kernel/ and include/.

    What a figure was measured with: neither messages nor tests nor documentation count. A state is "before", "core", "after"
    or the number of the last patch, and has "+NAME" for each patch of bench/variants on top."""
    folder = os.path.join(TOP, "patches", folder_of(base))
    on, *extra = state.split("+")
    last = 0 if on == "before" else int(on) if on.isdigit() else last_patch({"after": "all"}.get(on, on))
    variants = [os.path.join(TOP, "bench", "variants", name + ".patch") for name in extra]
    with open(os.path.join(folder, "series"), encoding="utf-8") as f:
        names = [os.path.join(folder, l.strip()) for l in f if l.strip().endswith(".patch") and int(l[:4]) <= last]
    digest = hashlib.sha256()
    for name in names + variants:
        with open(name, encoding="utf-8") as f:
            counts = False
            for line in f:
                if line.startswith("diff --git "):
                    counts = line.split()[2].startswith(("a/kernel/", "a/include/"))
                elif counts and line[0] in "+-" and not line.startswith(("+++ ", "--- ")):
                    digest.update(line.encode())
    return digest.hexdigest()


def last_patch(name):
    """The number of the last patch of a set: minimal, core or all."""
    with open(os.path.join(TOP, "configs", "sets"), encoding="utf-8") as f:
        return {l.split()[0]: int(l.split()[1]) for l in f if l[0] != "#"}[name]


def series():
    """Number -> patch of the base's complete series."""
    folder = os.path.join(OUT, "series", folder_of(BASE))
    with open(os.path.join(folder, "series"), encoding="utf-8") as f:
        return {name[:4]: os.path.join(folder, name.strip()) for name in f}


def origin(tag, config, release, command):
    """The source, the configuration, the functional code and the tools that a run was made with."""
    package = os.path.join(OUT, "src", tag + ".package")
    with open(release, encoding="utf-8") as f:
        kernel = f.read().strip()
    source = "KSRC"
    if os.path.exists(package):
        with open(package, encoding="utf-8") as f:
            source = f.read().strip()
    return {
        "kernel": kernel,
        "source": source,
        "config_sha256": sha256(config),
        "code_sha256": code("after"),
        "compiler": output("gcc", "--version"),
        "qemu": output(os.environ.get("QEMU") or "qemu-system-x86_64", "--version"),
        "command": command,
    }


def of_state(source, state):
    """The same for a figure of another state than "after"."""
    return {**source, "code_sha256": code(state)}
