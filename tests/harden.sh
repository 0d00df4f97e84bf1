#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A part of make faults and of make corrupt, and a kernel bug that the series keeps, on kernels that are built anyway.
# With LONG=1 also a part of make stress on the first base. Also tests that the checks notice a failure.
# usage: [LONG=1] tests/harden.sh

. "$(dirname -- "$0")/../scripts/lib/lib.sh"
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
rc=0
ok() { say "ok - $1"; }
not_ok() {
	say "not ok - $1 # $2"
	rc=1
}
# slice NAME COMMAND...
slice() {
	local out
	if out=$("${@:2}" 2>&1); then
		ok "$1"
		tail -n 2 <<<"$out" | sed 's/^/#   /'
	else
		not_ok "$1" "$(tail -n 1 <<<"$out")"
		printf '%s\n' "$out" | sed 's/^/#   /'
	fi
}
"$TOP/scripts/prepare"
slice "each memory allocation of a module's load fails in turn" "$TOP/scripts/proof/faults"
COUNT=100 slice "100 broken modules come to the same on both kernels" "$TOP/scripts/proof/corrupt"

# The series keeps a kernel bug that decides whether a record is valid (docs/kernel-bugs.md). Both kernels warn at the place
# that is described there.
lent() {
	local state file
	for state in before after; do
		"$TOP/scripts/boot" "$("$TOP/scripts/kernel" "$state" image)" "$OUT/guest/$TAG/initramfs.gz" borrowed \
			"$OUT/run/$TAG-$state-borrowed" nokaslr kunit.enable=0 || true
		[ "$(grep -oE '[A-Za-z_.]+\+0x' "$OUT/run/$TAG-$state-borrowed/splats" | sort -u)" = t_show+0x ] ||
			{ echo "$state: another complaint than that of t_show()"; return 1; }
	done
	# Not what a filter matches: that depends on an uninitialised variable of the kernel.
	for file in with without; do
		cmp "$OUT/run/$TAG-"{before,after}"-borrowed/$file" || return 1
	done
	grep -F '[plainmod]' "$OUT/run/$TAG-after-borrowed/with"
}
slice "a name that a freed function lends is lent on both kernels" lent

# The build with KASAN and lockdep takes as long as all the rest: only one base, and only if there is time.
bases=$(known_bases)
[ -z "${LONG:-}" ] || [ "$BASE" != "${bases%% *}" ] ||
	DURATION=60 slice "KASAN, lockdep and kmemleak are silent while modules come and go" "$TOP/scripts/proof/stress"

runs=("$OUT/run/$TAG-"{before,after}"-faults-wall/faults")
# noticed WHAT SED-SCRIPT: the check refuses the outcomes of the faults on the patched kernel with this change
noticed() {
	sed -E "$2" "${runs[1]}" >"$TMP/faults"
	if cmp -s "${runs[1]}" "$TMP/faults"; then
		not_ok "faults: $1 is noticed" "nothing to change"
	elif "$TOP/scripts/proof/judge-faults" "${runs[0]}" "$TMP/faults" >/dev/null; then
		not_ok "faults: $1 is noticed" "it is not"
	else
		ok "faults: $1 is noticed"
	fi
}
noticed "another verdict for a record" '/ each .* same /{s/ same / differs /;:end;n;bend}'
noticed "another verdict without an array" '/ array .*fired.* same /{s/ same / none /;:end;n;bend}'
noticed "what a refused load leaves behind" '/ refused /{s/ refused / left /;:end;n;bend}'
noticed "another errno" 's/fired 12 refused/fired 22 refused/'
noticed "no record where ftrace had its memory" 's/ same (.*mod_sysfs.*)/ none \1/;s/fired 12 refused (.*mod_sysfs.*)/fired 0 none \1/'
noticed "a warning" '/ refused .* -$/{s/-$/WARNING:_at_x/;:end;n;bend}'
noticed "that no array failed" '/ (all-)?array /d'
noticed "that nothing was refused" '/ refused /d'
noticed "a load that goes wrong without a fault" 's/ over 0 same / over 0 differs /'

slice "broken modules: what differs is told from what may" python3 - "$TOP/scripts/lib" <<'PY'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from outcomes import signature, verdict
oops = signature(["BUG: unable to handle page fault for address: ffffffffc0123456", "RIP: 0010:find_kallsyms_symbol+0x12/0x80"])
other = signature(["BUG: unable to handle page fault for address: ffffffffc0123456", "RIP: 0010:index_kallsyms+0x12/0x80"])
right = [
    ("0 3 1", "0 3 1", None, "loaded"), ("8 0 0", "8 0 0", None, "refused"), (oops, oops, None, "the same fault"),
    ("hang", "hang", None, "the same fault"), ("0 3 1 warned _x", "0 3 1 warned _x", None, "the same fault"),
    ("0 3 1", "0 3 2", None, ""), ("0 3 1", "0 2 1", None, ""), ("8 0 0", "12 0 0", None, ""), ("0 3 1", "8 0 0", None, ""),
    ("0 3 1", oops, None, ""), (oops, "0 3 1", None, ""), (oops, other, None, ""), ("hang", "0 3 1", None, ""),
    ("0 3 1", "0 3 1 warned _x", None, ""), ("0 3 1", "0 3 2", "0 3 2", ""), (other, "0 3 1", "0 3 1", ""),
    (oops, "0 3 1", "0 3 1", "as if unnamed"), (oops, "0 3 1", "0 3 2", ""), (oops, other, oops, ""),
    (oops, oops.replace("find_kallsyms_symbol", "is_text_symbol"), None, "the same fault"),
    (oops.replace("find_kallsyms_symbol", "is_text_symbol"), oops, None, ""),
]
for before, after, unnamed, want in right:
    got = verdict(before, after, unnamed)
    if got != want:
        sys.exit(f"'{before}' before, '{after}' after, '{unnamed}' unnamed is '{got}', not '{want}'")
print(f"{len(right)} pairs of outcomes")
PY
exit $rc
