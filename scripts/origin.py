# SPDX-License-Identifier: GPL-2.0
"""Where a figure comes from, and what it is compared with: imported by whatever writes results."""
import hashlib
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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


def series():
    """Number -> patch of the base's complete series."""
    with open(os.path.join(TOP, "configs", "bases"), encoding="utf-8") as f:
        folder = os.path.join(OUT, "series", {l.split()[0]: l.split()[2] for l in f}[BASE])
    with open(os.path.join(folder, "series"), encoding="utf-8") as f:
        return {name[:4]: os.path.join(folder, name.strip()) for name in f}


def origin(tag, config, release, command):
    """The source, the configuration, the series and the tools that a run was made with."""
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
        "series_sha256": sha256(*series().values()),
        "compiler": output("gcc", "--version"),
        "qemu": output(os.environ.get("QEMU") or "qemu-system-x86_64", "--version"),
        "command": command,
    }
