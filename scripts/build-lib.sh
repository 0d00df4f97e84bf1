# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by build and debian-build: a tree of its own for each state of the source, in which only the
# files of the series change. They set src, tree and inputs, whose first says which source it is.
# shellcheck disable=SC2154

# from TREE: starts this tree as a copy of another one, objects included, if there is none of this source
from() {
	[ ! -d "$tree" ] || [ "$(cat "$tree/.source" 2>/dev/null)" != "${inputs[0]}" ] || return 0
	rm -rf "$tree" "$tree.part"
	mkdir -p "$(dirname "$tree")"
	cp -a "$1" "$tree.part"
	rm -f "$tree.part/.stamp"
	printf '%s\n' "${inputs[0]}" >"$tree.part/.source"
	mv "$tree.part" "$tree"
}

# overlay PATCH...: makes the tree the source plus these patches, writing no file that stays as it is
overlay() {
	local files new f
	new=$(mktemp -d)
	trap 'rm -rf "$new"' RETURN
	files=$(cat "$@" | sed -n 's,^+++ b/\([^[:space:]]*\).*,\1,p' | sort -u)
	for f in $files; do
		[ -f "$src/$f" ] || continue
		mkdir -p "$new/$(dirname "$f")"
		cp -p "$src/$f" "$new/$f"
	done
	for f in "$@"; do
		patch -d "$new" -p1 -s --fuzz=0 --no-backup-if-mismatch <"$f" || return 1
	done
	for f in $(sort -u "$tree/.overlay" /dev/null 2>/dev/null) $files; do
		if [ -f "$new/$f" ]; then
			cmp -s "$new/$f" "$tree/$f" && continue
			mkdir -p "$tree/$(dirname "$f")"
			cp --preserve=mode "$new/$f" "$tree/$f"
		elif [ -f "$src/$f" ]; then
			cmp -s "$src/$f" "$tree/$f" || cp --preserve=mode "$src/$f" "$tree/$f"
		else
			rm -f "$tree/$f"
		fi
	done
	printf '%s\n' "$files" >"$tree/.overlay"
}

# what_they_do PATCH...: a hash of the patches without their messages, for another message builds no other kernel
what_they_do() { sed -s -n '/^\(diff --git \|--- a\/\)/,$p' "$@" | sha256sum; }
