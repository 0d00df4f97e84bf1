#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The series passes a maintainer's checks, and its two functional patches stay small.
# usage: tests/check.sh

. "$(dirname -- "$0")/../scripts/lib.sh"
rc=0
"$TOP/scripts/check" || rc=1

added=$(grep -hE '^\+' "$(patches_dir)"/000[12]-*.patch | grep -vcE '^\+\+\+ ' || true)
if [ "$added" -gt 0 ] && [ "$added" -lt 150 ]; then
	say "ok - the functional patches add $added lines, fewer than 150"
else
	say "not ok - the functional patches add $added lines # 150 or more"
	rc=1
fi
exit $rc
