#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Runs "make series", "make tree" and "make export" on the patches of a base: a round trip changes nothing, and each
# follow-up applies without the others. tests/patches.sh tests these commands on a made-up source.
# usage: tests/series.sh

# shellcheck disable=SC2317 # functions are called by name
. "$(dirname -- "$0")/tap.bash"

### the real series
house
cp -a "$TOP/patches" "$TOP/linux" "$house/"
rm -rf "$W/src"
passes "$folder: series" run series
if [ -d "$SRC" ]; then
	subset "$house/out/series/$folder" "$W/src"
	before=$(patches)
	# A user can drop a follow-up: each needs only the core.
	alone() {
		local patch
		rm -rf "$W/alone"
		cp -a "$W/src" "$W/alone"
		awk -v a="$1" '$1 + 0 <= 5 || $1 + 0 == a' \
			"$house/out/series/$folder/series" >"$W/some"
		while read -r patch; do
			patch -d "$W/alone" -p1 -s --fuzz=0 -i "$house/out/series/$folder/$patch" || return 1
		done <"$W/some"
	}
	for number in 6 7 8; do
		passes "$folder: patch $number applies without the other follow-ups" alone $number
	done
	passes "$folder: round trip" round_trip
	same "$folder: the round trip changes nothing" "$(patches)" "$before"
else
	not_ok "$folder: round trip" "no kernel source in $SRC; run: make source BASE=$BASE"
fi
exit $((failures > 0))
