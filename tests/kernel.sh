#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own tests: the patched kernel boots once with KUnit's suites and runs the new and the
# existing selftests of ftrace and kprobe. The unpatched one runs the existing ones beside it: a test
# that fails there too, for want of something in this guest, is counted as skipped.
# usage: tests/kernel.sh

. "$(dirname -- "$0")/../scripts/lib.sh"
"$TOP/scripts/prepare"

before=$OUT/log/$TAG-kernel-before.tap
after=$OUT/log/$TAG-kernel-after.tap
"$TOP/scripts/selftests" before >"$before" 2>&1 &
beside=$!
trap 'kill "$beside" 2>/dev/null; exit 130' INT TERM HUP
rc=0
"$TOP/scripts/selftests" after >"$after" 2>&1 || rc=$?
wait || true

# A status that no failed test explains, or no result
if { [ "$rc" -ne 0 ] && ! grep -q '^not ok ' "$after"; } || ! grep -q '^ok ' "$after"; then
	cat "$after"
	say "not ok - the patched kernel runs its tests # it did not end well"
	exit 1
fi
# A suite that did not run would not be missed otherwise.
for suite in "kunit ftrace_lookup." "kunit ftrace_lookup_module." "ftracetest "; do
	grep -qF "ok - $suite" "$after" || {
		say "not ok - ${suite%?} # it gave no result"
		missing=1
	}
done
# Names repeat (a test of one name runs in an instance as well, and two have the same description):
# only one that fails as often there is excused.
awk -v before="$before" '
	{ name = $0; sub(/^(not )?ok - /, "", name); sub(/ # .*/, "", name) }
	FILENAME == before { if (/^not ok - ftracetest /) excused[name]++; next }
	/^not ok - / && excused[name]-- > 0 { print "ok - " name " # SKIP fails on the unpatched kernel too"; next }
	/^not ok - / { bad = 1 }
	/^(not )?ok - / { print }
	END { exit bad }' "$before" "$after"
[ -z "${missing:-}" ]
