# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by whatever builds. Each state of the source has a separate tree, in which only the files of the series
# change. The caller sets src (the source), tree, and inputs. The first of inputs says which source it is.
# shellcheck disable=SC2154

# clone TREE NEW: NEW becomes a copy of TREE. TREE is the source or a copy of it. Files that are the same in the source and in
# TREE are links to one file: no build writes to such a file, and overlay replaces it by another one.
clone() {
	rm -rf "$2" "$2.part"
	mkdir -p "$(dirname "$2")"
	cp -al "$src" "$2.part" 2>/dev/null || { rm -rf "$2.part" && cp -a "$src" "$2.part"; }
	[ "$1" -ef "$src" ] ||
		(cd "$1" && find . ! -type d -links 1 -print0 | xargs -0r cp -a --parents --remove-destination -t "$2.part")
	rm -f "$2.part/.stamp" "$2.part/.source"
	mv "$2.part" "$2"
}

# of_this_source TREE: true if TREE exists and was made from this source
of_this_source() { [ "$(cat "$1/.source" 2>/dev/null)" = "${inputs[0]}" ]; }

# from TREE: makes the tree, if there is none of this source. It becomes a copy of TREE with its objects. If TREE has another
# source, make could take its objects for newer than the files that they depend on. Then the tree becomes a copy of the source.
from() {
	! of_this_source "$tree" || return 0
	if of_this_source "$1"; then clone "$1" "$tree"; else clone "$src" "$tree"; fi
	printf '%s\n' "${inputs[0]}" >"$tree/.source"
}

# overlay PATCH...: makes the tree the source plus these patches. Writes only the files that change.
overlay() {
	local files new f
	new=$(mktemp -d)
	trap 'rm -rf "$new"' RETURN
	files=$(cat /dev/null "$@" | sed -n 's,^+++ b/\([^[:space:]]*\).*,\1,p' | sort -u)
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
			cp --remove-destination --preserve=mode "$new/$f" "$tree/$f"
		elif [ -f "$src/$f" ]; then
			cmp -s "$src/$f" "$tree/$f" || cp --remove-destination --preserve=mode "$src/$f" "$tree/$f"
		else
			rm -f "$tree/$f"
		fi
	done
	printf '%s\n' "$files" >"$tree/.overlay"
}

# what_they_do PATCH...: a hash of the patches without their messages. A message changes no kernel.
what_they_do() { sed -s -n '/^\(diff --git \|--- a\/\)/,$p' "$@" /dev/null | sha256sum; }
# patches_up_to SET|NUMBER: prints the paths of the patches in a set (core or all), or of those up to a number
patches_up_to() {
	local last
	last=$(last_patch "$1")
	awk -v last="${last:-$1}" -v dir="$(series_dir)/" '$1 + 0 <= last + 0 { print dir $1 }' "$(series_dir)/series"
}
