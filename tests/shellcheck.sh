#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Every script is shellcheck clean.
# usage: tests/shellcheck.sh

. "$(dirname -- "$0")/../scripts/lib.sh"
cd "$TOP"
mapfile -t scripts < <(git ls-files -z | xargs -0 grep -lE '^#!(/usr/bin/env bash|/bin/bash|/bin/sh)' | sort)
failed=0
for script in scripts/lib.sh "${scripts[@]}"; do
	case $script in *.tc) continue ;; esac
	if found=$(shellcheck -x -P SCRIPTDIR -f gcc "$script" 2>&1); then
		say "ok - shellcheck $script"
	else
		say "not ok - shellcheck $script # $(head -n 1 <<<"$found")"
		failed=1
	fi
done
exit $failed
