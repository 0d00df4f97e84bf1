#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own tests: the patched kernel boots once with KUnit's suites and runs the new and the existing selftests
# of ftrace and kprobe. At the same time, the unpatched kernel runs the existing ones: a test that also fails there,
# because this guest lacks something, counts as skipped. Then the series without its follow-ups runs its own tests,
# because users may take it alone. On other bases than the first, the patched kernel runs only the new tests and the
# unpatched one none, unless LONG=1.
# usage: [LONG=1] tests/kernel.sh

. "$(dirname -- "$0")/../scripts/lib/lib.sh"

own=(test.d/ftrace/func_lookup_session.tc test.d/ftrace/func_module_lookup.tc)
before=$OUT/log/$TAG-kernel-before.tap
after=$OUT/log/$TAG-kernel-after.tap
core=$OUT/log/$TAG-kernel-core.tap
all=
bases=$(known_bases)
if [ -n "${LONG:-}" ] || [ "$BASE" = "${bases%% *}" ]; then all=1; fi
if [ -n "$all" ]; then "$TOP/scripts/prepare"; else "$TOP/scripts/prepare" after; fi
own_tests() { SUITES='ftrace_lookup*' "$TOP/scripts/selftests" "$1" "${own[@]}"; }

"$TOP/scripts/build" core
: >"$before"
{
	[ -z "$all" ] || "$TOP/scripts/selftests" before >"$before" 2>&1 || true
	own_tests core >"$core" 2>&1
} &
beside=$!
trap 'kill "$beside" 2>/dev/null; exit 130' INT TERM HUP
rc=0 core_rc=0
if [ -n "$all" ]; then "$TOP/scripts/selftests" after; else own_tests after; fi >"$after" 2>&1 || rc=$?
wait "$beside" || core_rc=$?

# An error status without a failed test, or no result
if { [ "$rc" -ne 0 ] && ! grep -q '^not ok ' "$after"; } || ! grep -q '^ok ' "$after"; then
	cat "$after"
	say "not ok - the patched kernel runs its tests # it did not end well"
	exit 1
fi
# tested STATE: checks that each suite ran
tested() {
	local suite rc=0
	while read -r suite; do
		grep -qF "ok - kunit $suite." "$OUT/log/$TAG-kernel-$1.tap" && continue
		say "not ok - $1: kunit $suite # it gave no result"
		rc=1
	done < <(sed -n 's/^\t\.name = "\(ftrace_lookup[a-z_]*\)",$/\1/p' "$("$TOP/scripts/kernel" "$1" tree)"/lib/tests/ftrace_lookup*_kunit.c)
	grep -q '^ok - ftracetest ' "$OUT/log/$TAG-kernel-$1.tap" && return $rc
	say "not ok - $1: ftracetest # it gave no result"
	return 1
}
bad=0
tested after || bad=1
# KUnit skips it during boot, when there are no modules: it must have run again, with some.
if [ -f "$("$TOP/scripts/kernel" after tree)/lib/tests/ftrace_lookup_order_kunit.c" ] &&
	! grep -qx 'ok - kunit ftrace_lookup_order.loaded_modules' "$after"; then
	say "not ok - after: kunit ftrace_lookup_order.loaded_modules # it did not pass with modules loaded"
	bad=1
fi
"$TOP/scripts/lib/excuse" "$before" "$after" || bad=1

sed -nE 's/^((not )?ok - )/\1core: /p' "$core"
tested core || bad=1
[ "$core_rc" -eq 0 ] || bad=1
exit $bad
