#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The main job: both kernels are built and booted, and every answer agrees. The limits are those
# that the series promises, in virtual time, so they do not depend on the machine.
# usage: tests/workloads.sh

. "$(dirname -- "$0")/../scripts/lib.sh"
if ! "$TOP/scripts/main"; then
	say "not ok - both kernels run the workloads with the same answers"
	exit 1
fi
say "ok - both kernels run the workloads with the same answers"
python3 - "$OUT/report/$TAG.json" <<'EOF'
import json, sys
with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)
before, after = report["before_ns"], report["after_ns"]
bad = 0
for name, key, least in (
        ("enabling the large module, array build included", "enable", 500),
        ("the look-up of one exact name, median", "lookup_median", 100),
        ("the look-up of one exact name, worst", "lookup_worst", 100)):
    ratio = before[key] / after[key]
    good = ratio >= least
    bad |= not good
    print(f"{'ok' if good else 'not ok'} - {name}: {ratio:,.0f} times less, at least {least} promised")
sys.exit(bad)
EOF
