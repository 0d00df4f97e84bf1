#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The main job builds and boots both kernels, and every answer must agree. The limits are those that
# the series promises, in virtual time, so they do not depend on the machine.
# usage: tests/workloads.sh

. "$(dirname -- "$0")/../scripts/lib/lib.sh"
if ! "$TOP/scripts/main"; then
	say "not ok - both kernels run the workloads with the same answers"
	exit 1
fi
say "ok - both kernels run the workloads with the same answers"
# Arguments: the numbers of the patches in the series, then its report.
mapfile -t patches < <(cut -c1-4 "$(series_dir)/series")
python3 - "$OUT/report/$TAG.json" "${patches[@]}" <<'EOT'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)
before, after = report["before_ns"], report["after_ns"]
bad = 0


def check(patch, name, value, least=None, most=None):
    """Checks that a ratio is as good as the patch promises; skips it if the series lacks the patch."""
    global bad
    if patch not in sys.argv[2:]:
        print(f"ok - {name} # SKIP the series has no patch {patch}")
        return
    good = value >= least if most is None else value <= most
    bad |= not good
    limit = f"at least {least:g}" if most is None else f"at most {most:g}"
    print(f"{'ok' if good else 'not ok'} - {name}: {value:,.4g}, {limit} promised")


def gain(key):
    return before[key] / after[key]


def share(name):
    return (after[name + "_small_vmlinux"] + after[name + "_small_modules"]) / before["missing_small_vmlinux"]


check("0002", "enabling the large module, the sorted array made included, times less", gain("enable"), least=400)
# The precision of virtual time
check("0002", "loading a module whose functions have no symbols, times less", gain("stripped"), least=0.999)
# A base without patch 1 already has mainline's fast path. Patch 6 replaces it and also searches for the last symbol of a
# name: it decompresses some more names, which takes a microsecond or two.
median, worst = (100, 100) if "0001" in sys.argv else (0.9, 0.6)
check(sys.argv[2], "the lookup of one exact name, median, times less", gain("lookup_median"), least=median)
check(sys.argv[2], "the lookup of one exact name, worst, times less", gain("lookup_worst"), least=worst)
check("0006", "a name that is missing or not traceable, share of a scan", share("missing"), most=0.01)
check("0006", "a name of several symbols, share of a scan", share("duplicates"), most=0.01)
check("0006", "a name that only a module has, share of a scan", share("module-names"), most=0.01)
check("0007", "reading available_filter_functions, no module loaded, times less", gain("listing_none"), least=2)
check("0008", "reading available_filter_functions, large module loaded, times less", gain("listing_large"), least=200)
check("0008", "a line of available_filter_functions, large module loaded, against one without",
      after["line_large"] / after["line_none"], most=2)
check("0008", "a glob written to set_ftrace_filter, large module loaded, times less", gain("filter"), least=300)
sys.exit(bad)
EOT
