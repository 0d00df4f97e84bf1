#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The series passes a maintainer's checks and stays small. Prints how many lines each patch adds, and the proof separately.
# usage: tests/check.sh

. "$(dirname -- "$0")/../scripts/lib/lib.sh"
rc=0
"$TOP/scripts/check" || rc=1

added() { cat "$@" 2>/dev/null | grep -E '^\+' | grep -vcE '^\+\+\+ ' || true; }
# small WHAT LIMIT LINES
small() {
	if [ "$3" -gt 0 ] && [ "$3" -le "$2" ]; then
		say "ok - $1 adds $3 lines, at most $2"
	else
		say "not ok - $1 adds $3 lines # at most $2"
		rc=1
	fi
}
series=$(series_dir)
for patch in "$series"/0[0-9]*.patch; do
	case $patch in */0000-*) ;; *) say "  $(added "$patch") $(basename "$patch" .patch)" ;; esac
done
say "  $(cat "$series-proof"/*.patch | grep -cE '^\+') in the proof, which is not part of the series"
small "patch 2" 120 "$(added "$series"/0002-*)"
small "the functional part of the core" 135 "$(added "$series"/000[12]-*)"
small "patch 3 in lib/tests" 400 "$(cat "$TOP"/linux/lib/tests/*.c | wc -l)"
small "patch 4" 500 "$(added "$series"/0004-*)"
small "patch 5" 150 "$(added "$series"/0005-*)"
# The added lines of a follow-up, without its changes to the document of patch 5
code() { cat "$@" 2>/dev/null | sed '/^diff --git a\/Documentation/,/^diff --git a\/[^D]/d' | added -; }
small "patch 6" 40 "$(code "$series"/0006-*)"
small "patch 7" 20 "$(code "$series"/0007-*)"
small "patch 8" 120 "$(code "$series"/0008-*)"
small "all functional patches" 320 "$(code "$series"/000[12678]-*)"
exit $rc
