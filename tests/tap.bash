# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The tests of the patch commands source this file: TAP lines, snapshots, small trees.

. "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/lib/lib.sh"
# The variables that the caller's shell sets for make must not reach the scripts under test.
unset KSRC TREE SET DIR INLINE MAKEFLAGS
# shellcheck disable=SC2046 # one word a variable
unset $(git rev-parse --local-env-vars)

SRC=${SRC:-$OUT/src/$TAG}
W=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$W"' EXIT
trap 'exit 130' INT TERM HUP
failures=0
ok() { say "ok - $1"; }
skip() { say "ok - $1 # SKIP $2"; }
not_ok() {
	say "not ok - $1 # ${2%%$'\n'*}"
	[ "${2#*$'\n'}" = "$2" ] || printf '%s\n' "$2" | sed 's/^/#   /'
	failures=$((failures + 1))
}
# passes NAME COMMAND...
passes() {
	local out
	if out=$("${@:2}" 2>&1); then ok "$1"; else not_ok "$1" "${out:-failed: ${*:2}}"; fi
}
# same NAME GOT WANTED
same() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "differs"$'\n'"$(diff <(printf '%s\n' "$3") <(printf '%s\n' "$2") | head -n 20)"
	fi
}

# contents DIR: all its files except .git, with modes and hashes
contents() {
	(
		cd "$1"
		find . -path ./.git -prune -o -printf '%y %m %l %p\n' | sort
		find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0r sha256sum
	)
}
# snapshot DIR: contents and dates; for a git checkout also HEAD, index, refs and state
snapshot() {
	[ -d "$1" ] || return 0
	contents "$1"
	(
		cd "$1"
		find . -path ./.git -prune -o -type f -printf '%T@ %p\n' | sort
		[ -e .git ] || exit 0
		ls .git
		cat .git/HEAD
		[ ! -e .git/index ] || sha256sum .git/index
		git for-each-ref
		git worktree list
		git --no-optional-locks status --porcelain
	)
}
# refused NAME DIR PATTERN COMMAND...: checks that it fails, prints PATTERN, and does not change DIR
refused() {
	local before after rc=0
	before=$(snapshot "$2")
	"${@:4}" >"$W/said" 2>&1 || rc=$?
	after=$(snapshot "$2")
	if [ $rc -eq 0 ]; then
		not_ok "$1" "it was accepted"
	elif [ -n "$3" ] && ! grep -qE -- "$3" "$W/said"; then
		not_ok "$1" "the message lacks '$3':"$'\n'"$(cat "$W/said")"
	else
		same "$1" "$after" "$before"
	fi
}
# refused_with NAME FILE SED-EXPRESSION DIR PATTERN COMMAND...: the same, with this change of FILE, which it undoes
refused_with() {
	cp -p "$2" "$W/unchanged"
	sed -i -E "$3" "$2"
	if cmp -s "$2" "$W/unchanged"; then
		not_ok "$1" "nothing was changed"
	else
		refused "$1" "${@:4}"
	fi
	cp -p "$W/unchanged" "$2"
}

# The kernel files that a series changes, and those that identify a kernel tree.
subset() {
	mkdir -p "$2"
	{
		printf '%s\n' Makefile Kbuild kernel/trace/ftrace.c .gitattributes
		sed -n 's,^--- a/\([^[:space:]]*\).*,\1,p' "$1"/*.patch
	} | sort -u | (cd "$SRC" && { xargs ls -d 2>/dev/null || true; } | xargs cp --preserve=mode,timestamps --parents -t "$2")
}
make_git() {
	git -C "$1" init -q
	git -C "$1" config gc.auto 0
	git -C "$1" add -A -f
	git -C "$1" -c user.name=Tester -c user.email=tester@example.org commit -q --no-gpg-sign -m base
}

# house: makes a repository like this one, without patches, in $house, for run
house() {
	house=$W/house
	rm -rf "$house"
	mkdir -p "$house/patches/$folder" "$house/linux"
	cp -a "$TOP/scripts" "$TOP/configs" "$house/"
	touch "$house/patches/$folder/series"
}
folder=$(base_field 3)
run() { OUT=$house/out SRC=$W/src "$house/scripts/$1" "${@:2}"; }
patches() { contents "$house/patches" && contents "$house/linux"; }
round_trip() {
	rm -rf "$house/out"
	run tree && run export
}
