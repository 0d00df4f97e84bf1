#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Every script is shellcheck clean, and so are the files that scripts source.
# usage: tests/shellcheck.sh

. "$(dirname -- "$0")/../scripts/lib/lib.sh"
cd "$TOP"
# Without the tests of ftracetest (.tc): it sources them and sets their variables.
mapfile -t scripts < <(grep -rlE '^(#!(/usr/bin/env bash|/bin/bash|/bin/sh)|# shellcheck shell=)' \
	--exclude='*.tc' .ci bench guest linux scripts tests | sort)
failed=0
for script in "${scripts[@]}"; do
	if found=$(shellcheck -x -P SCRIPTDIR -f gcc "$script" 2>&1); then
		say "ok - shellcheck $script"
	else
		say "not ok - shellcheck $script # $(head -n 1 <<<"$found")"
		failed=1
	fi
done
exit $failed
